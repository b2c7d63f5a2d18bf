//! Random models whose scalarsets became plain ranges, most of them with something that names, orders or counts
//! elements: what detection makes of them must not change a verdict.
//!
//! `BURNSIDE_MODELS` asks for more models than the usual ones, `BURNSIDE_SEED` for others.

#[path = "random_ranges/on_the_fly.rs"]
mod on_the_fly;
#[allow(dead_code)]
mod random;

use burnside::{Detect, Failure, Options, Reduce, Report, Source, Verdict, check};
use burnside_lang::murphi::{load, printer};

use random::compare::no_limits;
use random::rng::Rng;
use random::shape;

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// The text with scalarsets as ranges or, where a union would have two ranges, as enums.
fn plain(text: &str) -> Option<String> {
    let rewrite = |plain: &dyn Fn(&str, u32) -> String| -> String {
        let line = |line: &str| {
            let declared = line.strip_suffix(");").and_then(|line| line.split_once(" : scalarset("));
            let declared = declared.and_then(|(name, size)| Some((name, size.parse().ok()?)));
            declared
                .map_or_else(|| line.to_owned(), |(name, n)| format!("{name} : {};", plain(name.trim(), n)))
        };
        text.lines().map(|text| line(text) + "\n").collect()
    };
    let range = rewrite(&|_, size| format!("0 .. {}", size - 1));
    let members = |name: &str, size: u32| {
        let members: Vec<_> = (0..size).map(|i| format!("{name}_{i}")).collect();
        format!("enum {{ {} }}", members.join(", "))
    };
    [range, rewrite(&members)].into_iter().find(|text| readable(text))
}

fn readable(text: &str) -> bool {
    load(&Source::new("random.m", text), &[]).0.is_some()
}

/// Puts a constant, or an order, where an element or an equality was; the same text if nothing fits.
fn asymmetric(text: &str, rng: &mut Rng) -> String {
    for _ in 0..40 {
        let places: Vec<usize> = text.match_indices(['[', '=']).map(|(at, _)| at).collect();
        let Some(at) = rng.pick(&places).copied() else { break };
        let constant = rng.below(3);
        let changed = if text[at..].starts_with('[') {
            let Some(end) = text[at..].find(']') else { continue };
            let inside = &text[at + 1..at + end];
            if inside.is_empty() || !inside.chars().all(|c| c.is_alphanumeric() || c == '_') {
                continue;
            }
            format!("{}[{constant}]{}", &text[..at], &text[at + end + 1..])
        } else if text[..at].ends_with(' ') && text[at..].starts_with("= ") {
            let rest = &text[at + 2..];
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(0);
            match rng.below(3) {
                0 => format!("{}<{}", &text[..at], &text[at + 1..]),
                1 => format!("{}= {constant}{}", &text[..at], &rest[end..]),
                _ => format!("{}< {constant}{}", &text[..at], &rest[end..]),
            }
        } else if text[..at].ends_with(':') {
            let rest = &text[at + 1..];
            let end = rest.find(';').unwrap_or(0);
            format!("{}= {constant}{}", &text[..at], &rest[end..])
        } else {
            continue;
        };
        // A type or a loop is not to be touched.
        if changed.contains("array [") == text.contains("array [") && readable(&changed) {
            return changed;
        }
    }
    text.to_owned()
}

/// Adds a rule or property about one element, if a variable holds elements of a range.
fn special(text: &str, rng: &mut Rng) -> String {
    let ranges: Vec<&str> = text
        .lines()
        .filter(|line| line.contains(" : 0 .. "))
        .filter_map(|line| line.trim().split_once(" : "))
        .map(|(name, _)| name)
        .collect();
    let holds = |line: &&str| {
        let declared = line.trim().strip_suffix(';').and_then(|line| line.split_once(" : "));
        declared.is_some_and(|(_, ty)| ranges.contains(&ty))
    };
    let section = text.split("\nvar\n").nth(1).unwrap_or("");
    let variables: Vec<&str> =
        section.lines().take_while(|line| line.starts_with("  ")).filter(holds).collect();
    let Some((g, _)) = rng.pick(&variables).and_then(|line| line.trim().split_once(" : ")) else {
        return text.to_owned();
    };
    let c = 1 + rng.below(2);
    let added = match rng.below(4) {
        0 => format!("rule \"low\" (!isundefined({g})) & ({g} < {c}) ==> begin undefine {g}; end;"),
        1 => format!("rule \"set\" isundefined({g}) ==> begin {g} := {c}; end;"),
        2 => format!("invariant \"low\" isundefined({g}) | ({g} < {c});"),
        _ => format!("invariant \"one\" isundefined({g}) | ({g} != {c});"),
    };
    let changed = format!("{text}{added}\n");
    if readable(&changed) { changed } else { text.to_owned() }
}

fn run(text: &str, reduce: Reduce, detect: Detect) -> Result<Report, String> {
    let options = Options { reduce, detect, limits: no_limits(), ..Options::default() };
    check(&Source::new("random.m", text), &options).map_err(|failure| match failure {
        Failure::Input(_) => "the model has errors".to_owned(),
        other => other.to_string(),
    })
}

/// What two searches disagree on.
fn disagreement(full: &Report, reduced: &Report) -> Option<String> {
    for (a, b) in full.properties.iter().zip(&reduced.properties) {
        let known = a.verdict != Verdict::Unknown && b.verdict != Verdict::Unknown;
        if a.name != b.name || (known && a.verdict != b.verdict) {
            return Some(format!(
                "`{}` {} unreduced, `{}` {} reduced by {}",
                a.name,
                a.verdict.name(),
                b.name,
                b.verdict.name(),
                reduced.symmetry.structure
            ));
        }
    }
    let states = u128::from(full.states);
    let different = reduced.full_states.is_some_and(|orbits| orbits != states);
    different
        .then(|| format!("{states} states, but {:?} by {}", reduced.full_states, reduced.symmetry.structure))
}

/// A wrong claim never yields a plain "holds": with `--trust-symmetry` everything rests on it, without it nothing does.
#[test]
fn trusted_claims_prove_nothing() {
    let models = number("BURNSIDE_MODELS", 400) / 4;
    let (mut trusted, mut found) = (0, 0);
    for seed in 1..=models {
        let model = random::model(seed, shape::Options { extensions: true });
        let Some(mut text) = plain(&printer::print(&model)) else { continue };
        let mut rng = Rng::new(seed);
        for _ in 0..2 {
            text = if rng.chance(50) { special(&text, &mut rng) } else { asymmetric(&text, &mut rng) };
        }
        let claimed = text.replacen("\nvar\n", "\nsymmetry D0;\nvar\n", 1);
        if !readable(&claimed) {
            continue;
        }
        let full = run(&text, Reduce::None, Detect::Off).expect("a report");
        let source = Source::new("random.m", &claimed);
        for trust_symmetry in [false, true] {
            let options =
                Options { trust_symmetry, detect: Detect::Off, limits: no_limits(), ..Options::default() };
            let report = match check(&source, &options) {
                Ok(report) => report,
                Err(failure) => panic!("seed {seed}: {failure:?}\n{claimed}"),
            };
            let rests = !report.symmetry.verified;
            assert_eq!(rests, !report.assumptions.is_empty(), "seed {seed}\n{claimed}");
            assert!(trust_symmetry || !rests, "seed {seed}\n{claimed}");
            for (a, b) in full.properties.iter().zip(&report.properties) {
                let holds = b.verdict == Verdict::Holds;
                assert!(!(rests && holds), "seed {seed}: `{}` holds by trust\n{claimed}", b.name);
                assert!(!(holds && a.verdict == Verdict::Violated), "seed {seed}: `{}`\n{claimed}", b.name);
                let violated = b.verdict == Verdict::Violated;
                assert!(!violated || a.verdict != Verdict::Holds, "seed {seed}: `{}`\n{claimed}", b.name);
                found += usize::from(rests && violated);
            }
            trusted += usize::from(rests);
        }
    }
    println!("{trusted} trusted wrongly, with {found} real violations");
    assert!(models < 300 || (trusted > 30 && found > 5), "{trusted} {found}");
}

#[derive(Debug, Default)]
struct Counts {
    models: usize,
    detected: usize,
    partial: usize,
    gaps: usize,
    several: usize,
    violated: usize,
    fewer: usize,
}

#[test]
fn detected_symmetry_changes_no_verdict() {
    let (first, models) = (number("BURNSIDE_SEED", 1), number("BURNSIDE_MODELS", 400));
    let mut counts = Counts::default();
    for seed in first..first + models {
        let model = random::model(seed, shape::Options { extensions: true });
        let Some(mut text) = plain(&printer::print(&model)) else { continue };
        let mut rng = Rng::new(seed);
        for _ in 0..seed % 4 {
            text = if rng.chance(50) { special(&text, &mut rng) } else { asymmetric(&text, &mut rng) };
        }
        let (full, reduced) = (run(&text, Reduce::None, Detect::Off), run(&text, Reduce::Auto, Detect::Auto));
        let (full, reduced) = match (full, reduced) {
            (Ok(full), Ok(reduced)) => (full, reduced),
            (full, reduced) => panic!("seed {seed}: {full:?} and {reduced:?}\n{text}"),
        };
        if let Some(difference) = disagreement(&full, &reduced) {
            panic!("seed {seed}: {difference}\n{text}");
        }
        counts.models += 1;
        counts.detected += usize::from(reduced.symmetry.derived == "detected");
        counts.partial += usize::from(reduced.symmetry.structure.contains('{'));
        counts.gaps += usize::from(reduced.symmetry.structure.contains("{0,2"));
        counts.several += usize::from(reduced.runs.len() > 1);
        counts.violated += usize::from(full.verdict == Verdict::Violated);
        counts.fewer += usize::from(reduced.states < full.states);
    }
    println!("{counts:?}");
    if models >= 1000 {
        assert!(counts.detected > 300 && counts.partial > 50 && counts.several > 20, "{counts:?}");
        assert!(counts.violated > 200 && counts.fewer > 300, "{counts:?}");
    }
}
