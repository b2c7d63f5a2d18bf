//! States and their orbits, counted.

use burnside_model::Network;
use burnside_model::code::{Cell, DomainId};
use burnside_symmetry::Action;
use burnside_timed::explore::{Abstraction, Covering, Explorer};
use burnside_timed::steps::{Outcome, Stepper};
use burnside_timed::zone::Extrapolation;

/// Stored states with all zones told apart, and how many states their orbits have; nothing if there are too many.
pub fn counted(
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
        if explorer.store.nodes.len() > most {
            return None;
        }
    }
    let full = (0..explorer.store.nodes.len()).map(|node| explorer.orbit(node)).sum();
    Some((explorer.stored(), full))
}

/// All states that permutations make of the start.
pub fn orbit_of_start(network: &Network, domains: &[DomainId]) -> Vec<Vec<Cell>> {
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
