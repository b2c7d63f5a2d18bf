//! Claimed generators: those that hold reduce, those that do not are refused, and a trusted one never proves anything.

#[allow(dead_code)]
mod random;

use std::collections::BTreeMap;

use burnside::{Detect, Options, Reduce, Report, Source, Verdict, check};
use burnside_lang::diag::codes;
use burnside_lang::murphi::{load, printer};
use burnside_model::Model;
use burnside_model::code::{TypeId, TypeKind};
use burnside_model::system::Generator;

use random::compare::{Findings, compare, no_limits};
use random::rng::Rng;
use random::shape;

fn run(text: &str, options: Options) -> Report {
    check(&Source::new("generators.m", text), &options)
        .unwrap_or_else(|failure| panic!("{failure:?}\n{text}"))
}

/// The philosophers with numbered seats; `claims` are added.
fn dining(claims: &str) -> String {
    let text = include_str!("../../../models/murphi/dining.m");
    text.replace("startstate", &format!("{claims}\nstartstate"))
}

fn options(constants: &[(&str, &str)]) -> Options {
    let constants = constants.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let deadlock = burnside::DeadlockMode::Off;
    Options { constants, deadlock, limits: no_limits(), ..Options::default() }
}

#[test]
fn a_rotation_written_with_numbers_is_verified() {
    let text = dining("generator \"turn\" of Seat = (0 1 2 3);");
    let report = run(&text, options(&[]));
    assert_eq!((report.states, report.full_states), (23, Some(80)));
    assert_eq!(report.symmetry.structure, "C4");
    assert_eq!(report.symmetry.order, "4");
    assert_eq!(report.symmetry.generators, ["(0 1 2 3)"]);
    assert!(report.symmetry.verified);
    assert!(report.warnings.is_empty(), "{:?}", report.warnings);
    assert_eq!(report.verdict, Verdict::Holds);
}

#[test]
fn a_rotation_by_two_is_a_smaller_group() {
    let report = run(&dining("generator \"half a turn\" of Seat = (0 2)(1 3);"), options(&[]));
    assert_eq!((report.symmetry.structure.as_str(), report.full_states), ("S2", Some(80)));
    assert!(report.states > 23 && report.states < 80, "{}", report.states);
}

#[track_caller]
fn refused(text: &str, constants: &[(&str, &str)]) {
    let report = run(text, options(constants));
    let unreduced = run(text, Options { reduce: Reduce::None, ..options(constants) });
    assert_eq!(report.states, unreduced.states);
    assert!(report.warnings.iter().any(|w| w.code == codes::SYMMETRY_REFUSED.0), "{:?}", report.warnings);
    assert!(report.warnings.iter().any(|w| w.message.contains("is not used as a symmetry")));
    assert_eq!(report.symmetry.structure, "trivial");
    // Believed all the same, it proves nothing.
    let trusted = run(text, Options { trust_symmetry: true, ..options(constants) });
    assert_ne!(trusted.verdict, Verdict::Holds);
    assert!(trusted.properties.iter().all(|p| p.verdict != Verdict::Holds));
    assert!(!trusted.symmetry.verified && trusted.full_states.is_none());
    assert!(trusted.assumptions.iter().any(|a| a.contains("--trust-symmetry")), "{:?}", trusted.assumptions);
}

#[test]
fn wrong_generators_are_refused() {
    // Two neighbours exchanged, a reflection, a rotation of five seats of which one differs.
    refused(&dining("generator \"swap\" of Seat = (0 1);"), &[]);
    refused(&dining("generator \"mirror\" of Seat = (0 3)(1 2);"), &[]);
    refused(&dining("generator \"turn\" of Seat = (0 1 2 3);"), &[("Asymmetric", "1")]);
    refused(&dining("generator \"turn\" of Seat = (0 1 2 3);"), &[("N", "5")]);
}

#[test]
fn one_wrong_generator_does_not_spoil_the_others() {
    let text = dining("generator \"turn\" of Seat = (0 1 2 3); generator \"swap\" of Seat = (0 1);");
    let report = run(&text, options(&[]));
    assert_eq!((report.states, report.symmetry.structure.as_str()), (23, "C4"));
    let refused: Vec<_> = report.warnings.iter().filter(|w| w.message.contains("\"swap\"")).collect();
    assert!(!refused.is_empty() && refused.len() == report.warnings.len(), "{:?}", report.warnings);
}

#[test]
fn a_wrong_invariant_is_found_under_a_wrong_generator() {
    let text = dining(
        "generator \"swap\" of Seat = (0 1); invariant \"hungry\" exists i: Seat do loc[i] != Eating end;",
    );
    let text =
        text.replace("exists i: Seat do loc[i] != Eating end", "forall i: Seat do loc[i] != Eating end");
    let trusted = run(&text, Options { trust_symmetry: true, ..options(&[]) });
    assert_eq!(trusted.verdict, Verdict::Violated);
}

/// A scalarset one of whose elements is special keeps the symmetry of the others, if that is claimed.
#[test]
fn a_refused_scalarset_with_a_claim() {
    let text = "type Pid : scalarset(4); var on : array [Pid] of boolean; special : Pid;
        generator \"two\" of Pid = (1 2); generator \"three\" of Pid = (1 2 3); generator \"all\" of Pid = (0 1);
        startstate begin clear special; for i : Pid do on[i] := false; end; end;
        ruleset i : Pid do rule begin on[i] := !on[i]; end; end;
        rule begin clear special; end;
        invariant \"true\" isundefined(special) | on[special] | !on[special];";
    let report = run(text, options(&[]));
    assert_eq!(report.symmetry.structure, "S3");
    assert_eq!((report.states, report.full_states), (8, Some(16)));
    assert!(report.warnings.iter().any(|w| w.message.contains("\"all\"")), "{:?}", report.warnings);
}

/// A claim that says nothing new, beside one that does, once lost what had been detected in its type.
#[test]
fn a_claim_that_follows_anyway_costs_nothing() {
    let text = "type Side : 0..2; Seat : 0..3;
        var at : array [Side] of boolean; fork : array [Seat] of boolean;
        generator \"sides\" of Side = (0 1); generator \"seats\" of Seat = (0 1 2 3);
        startstate begin for i : Side do at[i] := false; end; for k : Seat do fork[k] := false; end; end;
        ruleset i : Side do rule at[i] := !at[i]; end; end;
        ruleset k : Seat do rule !fork[(k + 1) % 4] ==> fork[k] := !fork[k]; end; end;";
    let report = run(text, options(&[]));
    assert!(report.warnings.is_empty(), "{:?}", report.warnings);
    assert_eq!((report.symmetry.structure.as_str(), report.symmetry.order.as_str()), ("S3 x C4", "24"));
    let unreduced = run(text, Options { reduce: Reduce::None, ..options(&[]) });
    assert_eq!(report.full_states, Some(u128::from(unreduced.states)));
    // The same beside a claim that is wrong, of whose type a part is interchangeable.
    let text =
        text.replace("(0 1);", "(0 1 2);").replace("rule at[i] :=", "rule i != 0 | at[1] ==> at[i] :=");
    let report = run(&text, options(&[]));
    assert!(report.warnings.iter().any(|w| w.message.contains("\"sides\"")), "{:?}", report.warnings);
    assert_eq!(report.symmetry.order, "4");
}

#[test]
fn two_types_and_a_ring() {
    let text = "type Side : enum { Left, Right }; Node : ring(3); Number : 0..5;
        var at : array [Node] of Side; count : array [Number] of boolean; n : Number;
        generator \"sides\" of Side = (Left Right); generator \"halves\" of Number = (0 3)(1 4)(2 5);
        generator \"round\" of Number = (0 1 2)(3 4 5);
        startstate begin for i : Node do undefine at[i]; end; for k : Number do count[k] := false; end; undefine n; end;
        ruleset i : Node; s : Side do rule isundefined(at[i]) ==> at[i] := s; end; end;
        ruleset k : Number do rule !count[k] & n != (k + 3) % 6 ==> count[k] := true; n := k; end;
          rule isundefined(n) ==> n := k; end; end;";
    let report = run(text, options(&[]));
    let unreduced = run(text, Options { reduce: Reduce::None, ..options(&[]) });
    assert!(report.warnings.is_empty(), "{:?}", report.warnings);
    assert_eq!(report.symmetry.structure, "C3 x S2 x C6", "{:?}", report.symmetry);
    assert_eq!(report.full_states, Some(u128::from(unreduced.states)));
    assert!(report.states < unreduced.states);
}

/// A random permutation of one of these types.
fn generator(model: &Model, types: &[TypeId], rng: &mut Rng, number: usize) -> Option<Generator> {
    let ty = *rng.pick(types)?;
    let (lo, hi) = model.types.bounds(ty);
    let mut images: Vec<i64> = (lo..=hi).collect();
    if rng.chance(40) {
        let by = 1 + rng.below(images.len() - 1);
        images.rotate_left(by);
    } else {
        for i in (1..images.len()).rev() {
            images.swap(i, rng.below(i + 1));
        }
    }
    if images.iter().zip(lo..).all(|(image, value)| *image == value) {
        images.swap(0, 1);
    }
    Some(Generator { name: format!("g{number}"), ty, images, span: Default::default() })
}

fn number_of_models(otherwise: u64) -> u64 {
    std::env::var("BURNSIDE_MODELS").ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

/// What was claimed in random models.
#[derive(Default, Debug)]
struct Counts {
    used: usize,
    refused: usize,
    structures: BTreeMap<String, usize>,
}

/// Verdicts are those of the unreduced search, and the orbits add up to its states.
fn examine(model: &Model, options: &Options, counts: &mut Counts) -> Result<(), String> {
    let compared = compare(model, &mut |model| {
        let report = run(&printer::print(model), options.clone());
        if report.symmetry.derived == "claimed" {
            counts.used += 1;
            *counts.structures.entry(report.symmetry.structure.clone()).or_default() += 1;
        }
        counts.refused += usize::from(report.warnings.iter().any(|w| w.message.contains("the generator")));
        let verdicts = report.properties.iter().map(|p| (p.name.clone(), p.verdict)).collect();
        Ok(Findings { verdicts, states: report.states, full_states: report.full_states })
    });
    compared.map(drop)
}

const ALL: shape::Options = shape::Options { extensions: true };

/// Whatever is claimed of whatever type, no verdict changes.
#[test]
fn random_claims_change_no_verdict() {
    let models = number_of_models(200);
    let mut counts = Counts::default();
    for seed in 1..=models {
        let mut model = random::model(seed, ALL);
        let mut rng = Rng::new(seed ^ 0x9e37_79b9);
        let claimable = |ty: &TypeId| {
            matches!(model.types[*ty].kind, TypeKind::Scalarset(_) | TypeKind::Enum(_) | TypeKind::Range(..))
                && model.types[*ty].name.is_some()
                && (2..=8).contains(&model.types.size(*ty))
        };
        let types: Vec<_> = model.types.ids().filter(claimable).collect();
        for number in 0..1 + rng.below(2) {
            model.generators.extend(generator(&model, &types, &mut rng, number));
        }
        let text = printer::print(&model);
        let (read, _) = load(&Source::new("random.m", &text), &[]);
        let read = read.unwrap_or_else(|| panic!("seed {seed}: not read\n{text}"));
        assert_eq!(printer::print(&read), text, "seed {seed}");
        let options = Options { limits: no_limits(), ..Options::default() };
        examine(&read, &options, &mut counts).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
    }
    println!("{models} models: {counts:?}");
    assert!(counts.refused * 3 > models as usize, "{counts:?}");
}

/// Scalarsets written as ranges, with any permutations of them claimed: all hold, and the group is what they generate.
#[test]
fn random_groups_of_interchangeable_values() {
    let models = number_of_models(250);
    let mut counts = Counts::default();
    for seed in 1..=models {
        let mut text = printer::print(&random::model(seed, ALL));
        for size in 2..=5 {
            text = text.replace(&format!(" : scalarset({size});"), &format!(" : 0 .. {};", size - 1));
        }
        // Two ranges are not told apart in a union.
        let (Some(mut model), _) = load(&Source::new("random.m", &text), &[]) else { continue };
        let named = |ty: &TypeId| {
            let name = model.types[*ty].name.as_deref();
            matches!(name, Some("D0" | "D1")) && model.types.is_integer(*ty) && model.types.size(*ty) > 1
        };
        let types: Vec<_> = model.types.ids().filter(named).collect();
        if types.is_empty() {
            continue;
        }
        let mut rng = Rng::new(seed ^ 0x51ed_2701);
        for number in 0..1 + rng.below(3) {
            model.generators.extend(generator(&model, &types, &mut rng, number));
        }
        let options = Options { limits: no_limits(), detect: Detect::Off, ..Options::default() };
        let examined = examine(&model, &options, &mut counts);
        examined.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", printer::print(&model)));
    }
    println!("{models} models: {counts:?}");
    assert!(counts.used * 3 > models as usize, "{counts:?}");
    assert!(counts.structures.len() >= 6, "{counts:?}");
}
