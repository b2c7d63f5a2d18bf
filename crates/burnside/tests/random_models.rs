//! Random models: reduced and unreduced search must agree on every verdict, the orbits must add up to the states, and
//! what the printer writes the front end must read.
//!
//! `BURNSIDE_MODELS` asks for more models than the usual ones, `BURNSIDE_SEED` for others; `BURNSIDE_RUMUR=500` sends
//! so many through rumur as well (it needs a C compiler and some minutes), which `BURNSIDE_REQUIRE_RUMUR=1` insists on.

mod random;

use std::cell::OnceCell;
use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use burnside::{Canon, Failure, Options, Reduce, Report, Scope, Source, Verdict, Verification};
use burnside_lang::diag::codes;
use burnside_lang::murphi::{load, printer};
use burnside_model::code::{Domain, DomainId, DomainKind};
use burnside_model::system::{Batch, Batcher, Machine, Packed, PropertyKind};
use burnside_model::{Limits, Model, Packing};
use burnside_symmetry::{Action, PackedCanonicaliser, PackedQuotient, verify};

use random::brute::Brute;
use random::compare::{self, Findings, compare, no_limits, violated};
use random::features::Distribution;
use random::planted::{MISTAKES, Mistake, with_ordered_loop};
use random::{MAX_STATES, adaptive, asymmetric, explore, rumur, shape, shrink};

/// Everything there is.
const ALL: shape::Options = shape::Options { extensions: true };

/// What rumur has, too.
const COMMON: shape::Options = shape::Options { extensions: false };

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Printed, read and printed again.
fn round_trip(model: &Model) -> Result<(String, Model), String> {
    let text = printer::print(model);
    let (read, diagnostics) = load(&Source::new("random.m", &text), &[]);
    let Some(read) = read else {
        let messages: Vec<_> = diagnostics.iter().map(|d| d.message.clone()).collect();
        return Err(format!("the front end refuses what the printer wrote: {}", messages.join("; ")));
    };
    let again = printer::print(&read);
    if again != text {
        return Err(format!("printing is not stable:\n{again}"));
    }
    Ok((text, read))
}

/// How much of a model's symmetry a search used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Used {
    /// As much as is left on the way to each state.
    Adaptive,
    /// What was not refused.
    Part,
    All,
}

/// The whole checker on the model's text.
fn checked(model: &Model) -> Result<(Findings, Used), String> {
    checked_by(model, Canon::Refine)
}

/// The same with representatives chosen in this way.
fn checked_by(model: &Model, canon: Canon) -> Result<(Findings, Used), String> {
    let (text, _) = round_trip(model)?;
    let options = Options { limits: no_limits(), canon, ..Options::default() };
    let report =
        burnside::check(&Source::new("random.m", &text), &options).map_err(|failure| match failure {
            Failure::Input(_) => "the model has errors".to_owned(),
            Failure::Refused(message) => format!("refused: {message}"),
            other => other.to_string(),
        })?;
    let verdicts = report.properties.iter().map(|p| (p.name.clone(), p.verdict)).collect();
    let refused = report.warnings.iter().any(|w| w.code == codes::SYMMETRY_REFUSED.0);
    let used = match report.reduction.as_str() {
        "adaptive" => Used::Adaptive,
        _ if refused => Used::Part,
        _ => Used::All,
    };
    Ok((Findings { verdicts, states: report.states, full_states: report.full_states }, used))
}

/// Examines one model; counts what it has.
fn examine(model: &Model, counts: &mut Distribution) -> Result<(), String> {
    let (_, read) = round_trip(model)?;
    let mut used = Used::All;
    let (full, reduced) = compare(&read, &mut |model| {
        let (findings, here) = checked(model)?;
        used = used.min(here);
        Ok(findings)
    })?;
    let brute = Brute::search(&read, None);
    if used == Used::All && brute.states != reduced.states {
        return Err(format!("{} orbits, but {} by brute force", reduced.states, brute.states));
    }
    let states = explore::states(&read, ALL.semantics(), MAX_STATES).unwrap_or_default();
    counts.count_types(&read);
    counts.states += full.states;
    counts.reduced += usize::from(reduced.states < full.states);
    counts.violated += usize::from(violated(&full));
    counts.closed += usize::from(reduced.full_states.is_some());
    counts.refused += usize::from(used != Used::All);
    counts.undefined += usize::from(states.iter().any(|state| explore::has_undefined(&read, state)));
    Ok(())
}

/// Examines how the checker does with representatives chosen in this way; the orbits are counted once.
fn examine_way(model: &Model, canon: Canon, orbits: &OnceCell<u64>) -> Result<(), String> {
    if canon == Canon::Markers {
        return examine_markers(model);
    }
    let mut used = Used::All;
    let (full, reduced) = compare(model, &mut |model| {
        let (findings, here) = checked_by(model, canon)?;
        used = used.min(here);
        Ok(findings)
    })?;
    let orbits = match used {
        Used::All => *orbits.get_or_init(|| Brute::search(model, None).states),
        _ => match checked(model)? {
            // Only the default way adapts: what it counts are no orbits.
            (_, Used::Adaptive) => return Ok(()),
            (findings, _) => findings.states,
        },
    };
    let right = match canon {
        // The orbits that were reached, not the states, where the start states are not whole orbits.
        Canon::Flood => reduced.full_states.is_none() || reduced.states == full.states,
        _ if canon.is_exact() => reduced.states == orbits,
        _ => reduced.states >= orbits,
    };
    if !right {
        return Err(format!("{} states by {}, {orbits} orbits", reduced.states, canon.name()));
    }
    Ok(())
}

/// What is found by markers is violated, and nothing plainly holds but what was covered.
fn examine_markers(model: &Model) -> Result<(), String> {
    let full = compare::unreduced(model);
    let (found, used) = checked_by(model, Canon::Markers)?;
    for (property, (name, verdict)) in full.properties.iter().zip(&found.verdicts) {
        let fine = match verdict {
            Verdict::Unknown => true,
            Verdict::Violated => property.verdict() == Verdict::Violated,
            // Without symmetry there are no markers.
            Verdict::Holds => {
                property.verdict() == Verdict::Holds
                    && (property.kind == PropertyKind::Cover || used != Used::All)
            }
        };
        if !fine {
            return Err(format!("`{name}` {} by markers", verdict.name()));
        }
    }
    Ok(())
}

/// Fails with the smallest model that shows the same trouble.
fn report(seed: u64, model: Model, error: &str, fails: &dyn Fn(&Model) -> bool) -> ! {
    let before = printer::print(&model);
    let after = printer::print(&shrink::shrink(model, fails));
    panic!("seed {seed}: {error}\n\n{before}\nsmaller:\n\n{after}");
}

#[test]
fn reduced_and_unreduced_search_agree() {
    let (first, models) = (number("BURNSIDE_SEED", 1), number("BURNSIDE_MODELS", 400));
    let mut counts = Distribution::default();
    for seed in first..first + models {
        let model = random::model(seed, ALL);
        if let Err(error) = examine(&model, &mut counts) {
            report(seed, model, &error, &|m| examine(m, &mut Distribution::default()).is_err());
        }
    }
    println!("{counts}");
    counts.require();
}

/// Every way to choose representatives is sound, and those that claim to be exact are. `BURNSIDE_MODELS` models each.
#[test]
fn every_way_to_choose_representatives_agrees() {
    let (first, models) = (number("BURNSIDE_SEED", 1), number("BURNSIDE_MODELS", 40));
    for seed in first..first + models {
        let model = random::model(seed, ALL);
        let (_, read) = round_trip(&model).expect("a correct model");
        let large_ring = |domain: &Domain| domain.kind == DomainKind::Ring && domain.size > 2;
        let rings = read.types.domains.iter().any(large_ring);
        // Sorting is refused where not all permutations are symmetries.
        let fits = |canon: &Canon| *canon != Canon::Refine && !(rings && canon.sorts());
        let orbits = OnceCell::new();
        for canon in Canon::ALL.into_iter().filter(fits) {
            if let Err(error) = examine_way(&read, canon, &orbits) {
                let error = format!("{}: {error}", canon.name());
                report(seed, read, &error, &|m| examine_way(m, canon, &OnceCell::new()).is_err());
            }
        }
    }
}

/// Of the steps that a symmetry of the state maps to each other one is kept, and nothing else changes: with and without,
/// every state has steps of the same rules to the same forms, and as many of each rule. Elements that only look like
/// twins would lose some.
#[test]
fn state_symmetries_lose_no_step() {
    let mut alike = 0;
    let (first, models) = (number("BURNSIDE_SEED", 1), number("BURNSIDE_MODELS", 80));
    for seed in first..first + models {
        let model = random::model(seed, ALL);
        // Symmetries of a state say nothing of its steps where the rules have none.
        if !verify::verify_steps(&model).is_empty() {
            continue;
        }
        let packing = Packing::new(&model).expect("small cells");
        let domains: Vec<_> = (0..model.types.domains.len() as u32).map(DomainId).collect();
        let quotient = |wanted| {
            let machine = Packed::new(Machine::new(&model, ALL.semantics()), &packing);
            let forms = PackedCanonicaliser::new(&packing, Action::new(&model, &domains));
            PackedQuotient::new(machine, forms).with_state_symmetries(wanted)
        };
        let (mut with, mut without) = (quotient(true), quotient(false));
        let (mut a, mut b) = (Batch::default(), Batch::default());
        with.initial(&mut a).expect("no deadline");
        let words = packing.words().max(1);
        let mut open: Vec<_> = a.states.chunks_exact(words).map(<[u64]>::to_vec).collect();
        let mut seen: HashSet<_> = open.iter().cloned().collect();
        while let Some(state) = open.pop() {
            a.clear();
            b.clear();
            with.successors(&state, &mut a).expect("no deadline");
            without.successors(&state, &mut b).expect("no deadline");
            let steps = |batch: &Batch| -> HashSet<_> {
                let states = batch.states.chunks_exact(words).map(<[u64]>::to_vec);
                states.zip(&batch.stutters).zip(&batch.rules).map(|((s, t), r)| (s, *t, *r)).collect()
            };
            let fired = |batch: &Batch| {
                let mut rules = [&batch.rules[..], &batch.alike[..]].concat();
                rules.sort_unstable();
                rules
            };
            assert_eq!((steps(&a), fired(&a)), (steps(&b), fired(&b)), "seed {seed}");
            assert!(b.alike.is_empty());
            alike += a.alike.len();
            for next in a.states.chunks_exact(words).filter(|next| seen.insert(next.to_vec())) {
                open.push(next.to_vec());
            }
        }
    }
    assert!(alike > 100, "only {alike} steps were alike");
}

/// The comparison must find mistakes, or it proves nothing.
#[test]
fn planted_mistakes_are_found() {
    const MODELS: u64 = 2000;
    for mistake in MISTAKES {
        let found = (1..=MODELS).find(|seed| {
            let model = random::model(*seed, ALL);
            let model = match mistake {
                Mistake::OrderedLoop => with_ordered_loop(&model),
                _ => Some(model),
            };
            let small = |model: &Model| explore::states(model, ALL.semantics(), MAX_STATES).is_some();
            let wrong =
                |model: Model| compare(&model, &mut |model| Ok(Brute::search(model, Some(mistake)))).is_err();
            model.filter(small).is_some_and(wrong)
        });
        match found {
            Some(number) => println!("{mistake:?}: found by model {number}"),
            None => panic!("{mistake:?} is not found by {MODELS} models"),
        }
    }
}

/// The loop whose last iteration wins is refused, so that reduction is right again.
#[test]
fn loops_that_do_not_commute_are_refused() {
    let models = (1..).map(|seed| random::model(seed, ALL)).filter_map(|model| with_ordered_loop(&model));
    for model in models.take(50) {
        let (_, model) = round_trip(&model).expect("a correct model");
        let (_, used) = checked(&model).expect("a correct model");
        assert!(used != Used::All, "the loop is taken for symmetric:\n{}", printer::print(&model));
        compare(&model, &mut |model| checked(model).map(|(findings, _)| findings)).expect("no disagreement");
    }
}

/// Where rumur is installed and wanted: the same verdict, and where all holds the same number of states.
#[test]
fn rumur_agrees() {
    let require = number("BURNSIDE_REQUIRE_RUMUR", 0) == 1;
    let models = number("BURNSIDE_RUMUR", if require { 500 } else { 0 });
    if !rumur::installed() {
        assert!(!require, "rumur is not installed");
        return;
    }
    let first = number("BURNSIDE_SEED", 1);
    let (next, passed) = (AtomicU64::new(first), AtomicUsize::new(0));
    let work = |worker: usize| {
        let folder = std::env::temp_dir().join(format!("burnside-rumur-{}-{worker}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for temporary files");
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= first + models {
                break;
            }
            let model = random::model(seed, COMMON);
            let text = printer::print(&model);
            let theirs = rumur::check(&text, &folder).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
            let make = || Machine::new(&model, COMMON.semantics());
            let ours = compare::search_within(&model, &make, Limits::default());
            assert_eq!(theirs.pass, !compare::violated(&ours), "seed {seed}\n{text}");
            if theirs.pass {
                passed.fetch_add(1, Ordering::Relaxed);
                assert_eq!(theirs.states, ours.states, "seed {seed}\n{text}");
            }
        }
        let _ = std::fs::remove_dir_all(folder);
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|worker| drop(scope.spawn(move || work(worker)))));
    println!("{models} models through rumur, {} of them hold", passed.into_inner());
}

/// Adaptive and unreduced search of partly symmetric models.
#[test]
fn adaptive_and_unreduced_search_agree() {
    let (first, models) = (number("BURNSIDE_SEED", 1), number("BURNSIDE_MODELS", 400));
    let (mut compared, mut partial, mut reduced, mut broken, mut seed) = (0, 0, 0, 0, first);
    while compared < models {
        seed += 1;
        let Some(model) = asymmetric::asymmetric(&random::model(seed, ALL), seed) else { continue };
        if explore::states(&model, ALL.semantics(), MAX_STATES).is_none() {
            continue;
        }
        let left = adaptive::left(&model);
        match adaptive::compare(&model, &left) {
            Ok((full, found)) => {
                compared += 1;
                let whole = burnside_symmetry::partial::Blocks::whole(&left.sizes);
                partial += usize::from(left.rules.contains(&whole) && left.rules.iter().any(|b| *b != whole));
                reduced += usize::from(found.states < full.states);
                broken += usize::from(violated(&full));
            }
            Err(error) => report(seed, model, &error, &|m| adaptive::compare(m, &adaptive::left(m)).is_err()),
        }
    }
    println!("{compared} models: {partial} partly symmetric, {reduced} reduced, {broken} violated");
    assert!(partial * 2 > compared as usize && reduced * 3 > compared as usize, "too plain");
    assert!(broken * 10 > compared as usize && broken * 10 < compared as usize * 9, "{broken} violated");
}

/// The whole checker on partly symmetric models without scalarsets: what looks symmetric is detected, what breaks it is
/// found, and the search adapts.
#[test]
fn adaptive_check_of_ranges_agrees() {
    let (first, models) = (number("BURNSIDE_SEED", 1), number("BURNSIDE_MODELS", 400) / 4);
    let (mut checked, mut adapted, mut seed) = (0, 0, first);
    while checked < models {
        seed += 1;
        let model = asymmetric::asymmetric(&random::model(seed, ALL), seed);
        let Some(model) = model.and_then(|model| asymmetric::with_ranges(&model)) else { continue };
        let text = printer::print(&model);
        let check = |reduce| {
            let options = Options { reduce, limits: no_limits(), ..Options::default() };
            burnside::check(&Source::new("random.m", &text), &options)
        };
        // A range needs no value where a scalarset would: what is not read may be refused by the front end.
        let Ok(full) = check(Reduce::None) else { continue };
        if full.states > MAX_STATES as u64 {
            continue;
        }
        let reduced = check(Reduce::Auto).unwrap_or_else(|e| panic!("seed {seed}: {e:?}\n{text}"));
        let verdicts = |report: &Report| report.properties.iter().map(|p| p.verdict).collect::<Vec<_>>();
        assert_eq!(verdicts(&full), verdicts(&reduced), "seed {seed}, {}\n{text}", reduced.reduction);
        checked += 1;
        if reduced.reduction == "adaptive" {
            adapted += 1;
            assert_eq!(reduced.full_states, Some(u128::from(full.states)), "seed {seed}\n{text}");
        }
    }
    println!("{checked} models, {adapted} of them adaptively");
    assert!(adapted * 3 > checked, "too few");
}

/// An independent check of every reduction: certificates hold at all states of all orbits, and not if a cell is altered.
#[test]
fn certificates_of_random_models_are_accepted() {
    let file = std::env::temp_dir().join(format!("burnside-random-{}.certificate", std::process::id()));
    let (first, models) = (number("BURNSIDE_SEED", 1), number("BURNSIDE_MODELS", 400) / 10);
    let mut rng = random::rng::Rng::new(first);
    for seed in first..first + models {
        let text = printer::print(&random::model(seed, ALL));
        let source = Source::new("random.m", &text);
        let options = Options { certificate: Some(file.clone()), limits: no_limits(), ..Options::default() };
        burnside::check(&source, &options).unwrap_or_else(|e| panic!("seed {seed}: {e:?}\n{text}"));
        let certificate = std::fs::read_to_string(&file).expect("a certificate");
        let result = burnside::verify_certificate(&source, &certificate, Scope::Orbits);
        assert!(matches!(result, Verification::Accepted(_)), "seed {seed}: {result:?}\n{text}");
        let mut altered = burnside_certify::read(&certificate).expect("it is read");
        let state = rng.below(altered.states.len());
        let cell = rng.below(altered.states[state].cells.len());
        altered.states[state].cells[cell] ^= 1;
        let result = burnside::verify_certificate(&source, &altered.to_string(), Scope::Listed);
        assert!(matches!(result, Verification::Rejected(_)), "seed {seed}: {result:?}\n{text}");
    }
    let _ = std::fs::remove_file(file);
}

/// Wrong beliefs about what is left of a symmetry must be noticed by the comparison.
#[test]
fn mistakes_about_partial_symmetry_are_found() {
    for mistake in adaptive::MISTAKES {
        let found = (1..2000).find(|seed| {
            let model = asymmetric::asymmetric(&random::model(*seed, ALL), *seed);
            let small = |model: &Model| explore::states(model, ALL.semantics(), MAX_STATES).is_some();
            model.filter(small).is_some_and(|model| {
                let mut left = adaptive::left(&model);
                adaptive::mistaken(&mut left, mistake) && adaptive::compare(&model, &left).is_err()
            })
        });
        let found = found.unwrap_or_else(|| panic!("{mistake:?} is not found"));
        println!("{mistake:?}: found by model {found}");
    }
}
