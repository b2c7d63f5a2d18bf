//! Random networks: with and without symmetry the answers are the same, and where clocks are compared only by `<=`, `>=`
//! and `==`, they are those of clocks that take integers.

#[path = "networks/integers.rs"]
mod integers;
#[path = "networks/random.rs"]
mod random;

use burnside_lang::source::Source;
use burnside_lang::uppaal;
use burnside_model::code::{Cell, DomainId};
use burnside_model::{Network, Verdict};
use burnside_symmetry::Action;
use burnside_timed::check::{Bounds, Checked, check};
use burnside_timed::explore::{Abstraction, Covering, Explorer};
use burnside_timed::steps::{Outcome, Stepper};
use burnside_timed::verify::verify;
use burnside_timed::zone::Extrapolation;

/// How many models; `BURNSIDE_MODELS` overrides it.
fn models() -> u64 {
    std::env::var("BURNSIDE_MODELS").ok().and_then(|text| text.parse().ok()).unwrap_or(300)
}

fn load(text: &str, queries: &str) -> Network {
    let (source, queries) = (Source::new("random.xta", text), Source::new("random.q", queries));
    let (network, errors, asked) = uppaal::load_with_queries(&source, &queries, &[]);
    network.unwrap_or_else(|| {
        let shown: Vec<_> = errors.iter().map(|d| d.render(&source, false)).collect();
        let asked: Vec<_> = asked.iter().map(|d| d.render(&queries, false)).collect();
        panic!("{text}\n{}{}", shown.join("\n"), asked.join("\n"))
    })
}

fn verdicts(checked: &Checked) -> (Vec<Verdict>, bool) {
    (checked.answers.iter().map(|answer| answer.verdict).collect(), checked.fault.is_some())
}

#[test]
fn symmetry_changes_no_answer() {
    let (mut reduced, mut both) = (0, [0; 2]);
    for seed in 0..models() {
        let closed = seed % 2 == 0;
        let (text, queries) = random::network(seed, closed);
        let network = load(&text, &queries);
        let (domains, _) = verify(&network);
        let bounds = Bounds { memory: Some(1 << 20), ..Bounds::default() };
        let plain = check(&network, &[], bounds).unwrap_or_else(|wrong| panic!("{seed}: {wrong}\n{text}"));
        if plain.limit.is_some() {
            continue;
        }
        if !domains.is_empty() {
            reduced += 1;
            let with = check(&network, &domains, bounds);
            let with = with.unwrap_or_else(|wrong| panic!("{seed}: {wrong}\n{text}"));
            assert_eq!(verdicts(&plain), verdicts(&with), "{seed}\n{text}\n{queries}");
        }
        if closed
            && plain.fault.is_none()
            && let Some(reached) = integers::reaches(&network)
        {
            let expected = if reached { Verdict::Holds } else { Verdict::Violated };
            assert_eq!(plain.answers[0].verdict, expected, "{seed}\n{text}\n{queries}");
            both[usize::from(reached)] += 1;
        }
    }
    // The comparison compares something.
    assert!(
        reduced * 2 > models() && both[0] * 10 > models() && both[1] * 20 > models(),
        "{reduced} {both:?}"
    );
}

/// Stored states with all zones told apart, and how many states their orbits have.
fn counted(
    network: &Network,
    domains: &[DomainId],
    starts: &[Vec<Cell>],
    how: Extrapolation,
) -> Option<(usize, u128)> {
    let abstraction = Abstraction { extrapolation: Some(how), local: true, covering: Covering::Equality };
    let mut explorer = Explorer::new(network, domains, abstraction).ok()?;
    for state in starts {
        explorer.begin(Outcome { state: state.clone(), resets: Vec::new() }).ok()?;
    }
    while explorer.expand().ok()?.is_some() {
        if explorer.nodes.len() > 1500 {
            return None;
        }
    }
    let full = (0..explorer.nodes.len()).map(|node| explorer.orbit(node)).sum();
    Some((explorer.stored(), full))
}

#[test]
fn orbits_add_up() {
    let mut compared = 0;
    for seed in 0..models() {
        let (text, queries) = random::network(seed, false);
        let network = load(&text, &queries);
        let (domains, _) = verify(&network);
        if domains.is_empty() {
            continue;
        }
        let how = Extrapolation::ALL[seed as usize % 4];
        // Unreduced, from all states of the orbit of the start.
        let Some((states, _)) = counted(&network, &[], &orbit_of_start(&network, &domains), how) else {
            continue;
        };
        let Some((orbits, full)) = counted(&network, &domains, &[], how) else { continue };
        assert_eq!(full, states as u128, "{seed} {how:?} {orbits}\n{text}");
        compared += u64::from(orbits < states);
    }
    assert!(compared * 4 > models(), "{compared}");
}

fn orbit_of_start(network: &Network, domains: &[DomainId]) -> Vec<Vec<Cell>> {
    let mut stepper = Stepper::new(network).ok().unwrap();
    let action = Action::new(&network.model, domains);
    let mut orbit = vec![stepper.start().ok().unwrap().state];
    let mut at = 0;
    while at < orbit.len() {
        for generator in action.generators() {
            let mut moved = Vec::new();
            action.apply(&generator, &orbit[at], &mut moved);
            if !orbit.contains(&moved) {
                orbit.push(moved);
            }
        }
        at += 1;
    }
    orbit
}
