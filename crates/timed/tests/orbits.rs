//! Stored states stand for all states of their orbits: where all zones are told apart, the sizes of the orbits add up to
//! the number of states without symmetry.

#[path = "networks/random.rs"]
mod random;

use burnside_lang::source::Source;
use burnside_lang::uppaal;
use burnside_model::Network;
use burnside_model::code::{Cell, DomainId};
use burnside_symmetry::Action;
use burnside_timed::explore::{Abstraction, Covering, Explorer};
use burnside_timed::steps::{Outcome, Stepper};
use burnside_timed::verify::{detect_parameters, verify};
use burnside_timed::zone::Extrapolation;

/// How many random networks; `BURNSIDE_MODELS` overrides it.
fn models() -> u64 {
    std::env::var("BURNSIDE_MODELS").ok().and_then(|text| text.parse().ok()).unwrap_or(300)
}

fn load(name: &str, text: &str, constants: &[(String, String)]) -> Network {
    let source = Source::new(name, text);
    let (network, errors) = uppaal::load(&source, constants);
    let mut network = network.unwrap_or_else(|| panic!("{text}\n{}", errors[0].render(&source, false)));
    detect_parameters(&mut network);
    network
}

/// Stored states with all zones told apart, and how many states their orbits have; nothing if there are too many.
fn counted(
    network: &Network,
    domains: &[DomainId],
    starts: &[Vec<Cell>],
    how: Extrapolation,
    most: usize,
) -> Option<(usize, u128)> {
    let abstraction = Abstraction { extrapolation: Some(how), local: true, covering: Covering::Equality };
    let mut explorer = Explorer::new(network, domains, abstraction).ok()?;
    for state in starts {
        explorer.begin(Outcome { state: state.clone(), resets: Vec::new() }).ok()?;
    }
    while explorer.expand().ok()?.is_some() {
        if explorer.nodes.len() > most {
            return None;
        }
    }
    let full = (0..explorer.nodes.len()).map(|node| explorer.orbit(node)).sum();
    Some((explorer.stored(), full))
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

#[test]
fn of_random_networks() {
    let mut compared = 0;
    for seed in 0..models() {
        let (text, _) = random::network(seed, false);
        let network = load("random.xta", &text, &[]);
        let (domains, _) = verify(&network);
        if domains.is_empty() {
            continue;
        }
        let how = Extrapolation::ALL[seed as usize % 4];
        // Unreduced, from all states of the orbit of the start.
        let start = orbit_of_start(&network, &domains);
        let Some((states, _)) = counted(&network, &[], &start, how, 1500) else { continue };
        let Some((orbits, full)) = counted(&network, &domains, &[], how, 1500) else { continue };
        assert_eq!(full, states as u128, "{seed} {how:?} {orbits}\n{text}");
        compared += u64::from(orbits < states);
    }
    assert!(compared * 4 > models(), "{compared}");
}

/// A model of the folder and its number of elements.
type Shipped = (&'static str, u32);

/// With less and with more abstraction of zones.
fn add_up(models: impl IntoIterator<Item = Shipped>) {
    for (file, size) in models {
        let path = format!("{}/../../models/uppaal/{file}.xta", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        let network = load(file, &text, &[("N".to_owned(), size.to_string())]);
        let (domains, _) = verify(&network);
        assert_eq!(domains.len(), 1, "{file}");
        let start = orbit_of_start(&network, &domains);
        for how in [Extrapolation::M, Extrapolation::LUPlus] {
            let (states, _) = counted(&network, &[], &start, how, usize::MAX).unwrap();
            let (orbits, full) = counted(&network, &domains, &[], how, usize::MAX).unwrap();
            assert_eq!(full, states as u128, "{file} {size} {how:?}");
            assert!(orbits < states, "{file} {size} {how:?}: {orbits} of {states}");
        }
    }
}

#[test]
fn of_models() {
    let small = ["bus", "csmacd", "fischer", "fischer_set", "token_ring", "train_gate"];
    add_up(small.into_iter().flat_map(|file| (2..=4).map(move |size| (file, size))));
    add_up([("agreement", 2), ("agreement", 3), ("gossip", 2), ("gossip", 3), ("timeout_task", 2)]);
}

#[test]
#[ignore = "takes minutes"]
fn of_larger_models() {
    add_up([("agreement", 4), ("gossip", 4), ("timeout_task", 3)]);
}
