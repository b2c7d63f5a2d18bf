//! Lemma 3 of paper 001: representatives on the fly with random, mostly wrong generators.
//!
//! Whatever the generators, however early σ_Step is stopped and whatever is left out at first: a violation is real (it was
//! executed), and nothing holds that does not without reduction. If only verified generators are used, all verdicts are those
//! without reduction.
//!
//! Mistakes that were planted, each found by these tests with the usual number of models: a state's image under a permutation in
//! place of its inverse image; codes of ids not renamed; what a subset left out not stepped from; states in which no hint
//! holds not stepped from; start states not looked at; generators taken for verified that are not; images of steps compared by
//! where they can be taken only; start states not looked at beside an automaton; formulas decided on representatives that
//! need not be all. Found by `claims.rs`: orbits by all generators in place of those that fix the property; an automaton that
//! does not go on where nothing can happen; representatives without successors that stay where they are; ξ made by applying
//! each generator once, or without the last of the permutations that close a set.

use std::collections::BTreeMap;

use burnside::{Choice, Engine, Options, Reduce, Report, Source, Under, Verdict, check};
use burnside_lang::murphi::{load, printer};
use burnside_logic::concrete::Concrete;
use burnside_model::Model;
use burnside_model::code::{Semantics, TypeId, TypeKind};
use burnside_model::system::{Generator, Hint, Logic, PropertyKind};

use super::random;
use super::random::compare::no_limits;
use super::random::rng::Rng;
use super::{asymmetric, number, plain, special};

/// A random permutation of a type.
fn generator(model: &Model, rng: &mut Rng, name: usize) -> Option<Generator> {
    let claimable = |ty: &TypeId| {
        matches!(model.types[*ty].kind, TypeKind::Scalarset(_) | TypeKind::Enum(_) | TypeKind::Range(..))
            && model.types[*ty].name.is_some()
            && (2..=8).contains(&model.types.size(*ty))
    };
    let types: Vec<_> = model.types.ids().filter(claimable).collect();
    let ty = *rng.pick(&types)?;
    let (lo, hi) = model.types.bounds(ty);
    let mut images: Vec<i64> = (lo..=hi).collect();
    if rng.chance(50) {
        let (a, b) = (rng.below(images.len()), rng.below(images.len()));
        images.swap(a, b);
    } else {
        let by = 1 + rng.below(images.len() - 1);
        images.rotate_left(by);
    }
    if images.iter().zip(lo..).all(|(image, value)| *image == value) {
        images.swap(0, 1);
    }
    Some(Generator { name: format!("g{name}"), ty, images, span: Default::default() })
}

/// A random model, mostly asymmetric, with claims and hints that need not make sense.
pub fn subject(seed: u64) -> String {
    let mut rng = Rng::new(seed ^ 0x0f17);
    let text =
        printer::print(&random::model(seed, random::shape::Options { extensions: !seed.is_multiple_of(3) }));
    let mut text = plain(&text).unwrap_or(text);
    for _ in 0..1 + rng.below(4) {
        text = asymmetric(&text, &mut rng);
    }
    if rng.chance(70) {
        text = special(&text, &mut rng);
    }
    let Some(mut model) = load(&Source::new("random.m", &text), &[]).0 else { return text };
    for name in 0..1 + rng.below(3) {
        model.generators.extend(generator(&model, &mut rng, name));
    }
    for number in 0..rng.below(3) {
        let conditions: Vec<_> =
            model.properties.iter().filter(|p| p.binders.is_empty() && p.condition.is_some()).collect();
        let Some(property) = rng.pick(&conditions) else { continue };
        let (frame, condition) = (property.frame.clone(), property.condition.clone().expect("it has one"));
        let name = format!("h{number}");
        model.hints.push(Hint { name, frame, condition, span: Default::default() });
    }
    let printed = printer::print(&model);
    assert!(load(&Source::new("random.m", &printed), &[]).0.is_some(), "seed {seed}: not read\n{printed}");
    printed
}

fn run(text: &str, reduce: Reduce, trust_symmetry: bool, rng: &mut Rng) -> Report {
    let mut options =
        Options { engine: Engine::Bdd, reduce, trust_symmetry, limits: no_limits(), ..Options::default() };
    options.limits.memory = Some(64 << 20);
    // What they are for is refused elsewhere.
    if reduce != Reduce::OnTheFly {
        return check(&Source::new("random.m", text), &options)
            .unwrap_or_else(|failure| panic!("{failure:?}\n{text}"));
    }
    options.diagrams.sigma_steps = rng.pick(&[None, None, Some(0), Some(1), Some(2)]).copied().flatten();
    let choice = if rng.chance(50) { Choice::Heavy } else { Choice::Random };
    options.diagrams.under = rng.chance(60).then(|| Under { nodes: 1 + rng.below(30), choice });
    check(&Source::new("random.m", text), &options).unwrap_or_else(|failure| panic!("{failure:?}\n{text}"))
}

/// What is wrong with a report, if something is.
fn mistake(full: &Report, found: &Report, trusted: bool) -> Option<String> {
    if found.full_states.is_some_and(|states| states != u128::from(full.states)) {
        return Some(format!("{:?} states in place of {}", found.full_states, full.states));
    }
    for (ours, theirs) in found.properties.iter().zip(&full.properties) {
        let said = format!("`{}` is {}, not {}", ours.name, ours.verdict.name(), theirs.verdict.name());
        if ours.verdict != theirs.verdict && ours.verdict != Verdict::Unknown {
            return Some(said);
        }
        if ours.verdict != theirs.verdict && !trusted {
            return Some(said);
        }
        let real =
            matches!(ours.kind, PropertyKind::Invariant | PropertyKind::NoFault | PropertyKind::NoDeadlock);
        if ours.verdict == Verdict::Violated && real && ours.violations.is_empty() {
            return Some(format!("`{}` is violated by no run", ours.name));
        }
        if ours.verdict == Verdict::Holds
            && !found.symmetry.verified
            && found.runs.is_empty()
            && ours.covered.is_none()
        {
            return Some(format!("`{}` holds by symmetry that is not verified", ours.name));
        }
    }
    None
}

/// Lemma 3, and its other half.
#[test]
fn wrong_generators_show_nothing_wrong() {
    let (first, models) = (number("BURNSIDE_SEED", 1), number("BURNSIDE_MODELS", 80));
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for seed in first..first + models {
        let text = subject(seed);
        let mut rng = Rng::new(seed ^ 0x51);
        let full = run(&text, Reduce::None, false, &mut Rng::new(1));
        for trusted in [false, true] {
            let found = run(&text, Reduce::OnTheFly, trusted, &mut rng);
            if let Some(mistake) = mistake(&full, &found, trusted) {
                panic!("seed {seed}, trusted: {trusted}: {mistake}\n{text}");
            }
            for judged in found.symmetry.judged.iter().filter(|judged| judged.claimed) {
                *counts.entry(judged.verdict).or_default() += 1;
            }
            *counts.entry(if found.states < full.states { "reduced" } else { "not reduced" }).or_default() +=
                1;
            *counts.entry(found.verdict.name()).or_default() += 1;
            let missed = full.verdict == Verdict::Violated && found.verdict == Verdict::Unknown;
            *counts.entry("missed").or_default() += u64::from(missed);
        }
    }
    println!("{models} models: {counts:?}");
    let least = |what: &str| counts.get(what).copied().unwrap_or(0);
    assert!(least("refuted") > models / 2 && least("verified") > models / 4, "{counts:?}");
    assert!(models < 50 || least("reduced") > models / 4, "{counts:?}");
    assert!(models < 500 || least("missed") > 0, "{counts:?}");
}

/// A random model with formulas, mostly without fairness, and with claims that need not be true.
fn with_formulas(seed: u64, logic: Logic) -> Model {
    let mut rng = Rng::new(seed ^ 0x7e);
    // The concrete graph takes long for formulas of LTL.
    let (states, depth) = if logic == Logic::Ltl { (50, 2) } else { (300, 2 + rng.below(2)) };
    let mut model = random::temporal::model(seed, logic, states, depth);
    if rng.chance(85) {
        model.fairness.clear();
        model.rules.iter_mut().for_each(|rule| rule.fairness = None);
        model.properties.retain(|property| property.kind != PropertyKind::Fairness);
    }
    for name in 0..rng.below(3) {
        model.generators.extend(generator(&model, &mut rng, name));
    }
    model
}

/// Formulas on representatives against the concrete graph: whatever is decided is decided rightly, and with verified
/// symmetry everything is that can be.
fn formulas(logic: Logic, otherwise: u64) -> BTreeMap<String, u64> {
    let (first, models) = (number("BURNSIDE_SEED", 1), number("BURNSIDE_MODELS", otherwise));
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for seed in first..first + models {
        let text = printer::print(&with_formulas(seed, logic));
        let model = load(&Source::new("random.m", &text), &[]).0.expect("a correct model");
        let Some(concrete) = Concrete::explore(&model, Semantics::default(), 3000) else { continue };
        let mut rng = Rng::new(seed ^ 0x11fe);
        for trusted in [false, true] {
            let found = run(&text, Reduce::OnTheFly, trusted, &mut rng);
            let faulty = found
                .properties
                .iter()
                .any(|p| p.name == "no error at run time" && p.verdict == Verdict::Violated);
            for property in model.properties.iter().filter(|property| property.kind.logic() == Some(logic)) {
                let ours = found.properties.iter().find(|ours| ours.name == property.name);
                let ours = ours.expect("it is reported");
                let told = match (ours.verdict, &ours.reason) {
                    (Verdict::Unknown, Some(reason)) if reason.contains("fragment") => "not of safety",
                    (Verdict::Unknown, Some(reason)) if reason.contains("fairness") => "fair",
                    (Verdict::Unknown, Some(reason)) if reason.contains("too large") => "too large",
                    (Verdict::Unknown, Some(_)) => "refused",
                    (verdict, _) => verdict.name(),
                };
                if matches!(told, "not of safety" | "fair" | "too large") {
                    *counts.entry(told.to_owned()).or_default() += 1;
                    continue;
                }
                let loops = property.formula.as_ref().map_or(0, |formula| formula.loops().len());
                // Written out, it would have an automaton that takes too long.
                if logic == Logic::Ltl && property.binders.len() + loops > 1 {
                    continue;
                }
                let theirs = concrete.verdict(property).ok();
                let right = match ours.verdict {
                    Verdict::Unknown => trusted || theirs.is_none(),
                    // A run may violate it before one is found on which a condition has no value.
                    Verdict::Violated if logic == Logic::Ltl => theirs != Some(Verdict::Holds),
                    // It may hold by what it looks at; that a condition has no value elsewhere is an error of its own.
                    Verdict::Holds if logic == Logic::Ltl => {
                        theirs.map_or(faulty, |theirs| theirs == Verdict::Holds)
                    }
                    verdict => theirs == Some(verdict),
                };
                let said = format!("`{}` is {told}, not {theirs:?}", ours.name);
                assert!(right, "seed {seed}, trusted: {trusted}: {said}\n{text}");
                let real = ours.verdict != Verdict::Violated || !ours.violations.is_empty();
                assert!(real, "seed {seed}: {said}, by no run\n{text}");
                *counts.entry(told.to_owned()).or_default() += 1;
            }
            let reduced = u128::from(found.states) < concrete.states.len() as u128;
            *counts.entry("reduced".to_owned()).or_default() += u64::from(reduced);
        }
    }
    println!("{models} models: {counts:?}");
    counts
}

#[test]
fn safety_formulas_beside_an_automaton() {
    let counts = formulas(Logic::Ltl, 60);
    let least = |what: &str| counts.get(what).copied().unwrap_or(0);
    assert!(least("holds") > 20 && least("violated") > 20 && least("not of safety") > 20, "{counts:?}");
}

#[test]
fn formulas_of_ctl_on_representatives() {
    let counts = formulas(Logic::Ctl, 40);
    let least = |what: &str| counts.get(what).copied().unwrap_or(0);
    assert!(least("holds") > 30 && least("violated") > 30 && least("reduced") > 5, "{counts:?}");
}
