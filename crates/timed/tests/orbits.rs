//! Stored states stand for all states of their orbits: where all zones are told apart, the sizes of the orbits add up to
//! the number of states without symmetry. Of random networks, see `random_networks.rs`.

#[path = "networks/orbits.rs"]
mod orbits;

use burnside_lang::source::Source;
use burnside_lang::uppaal;
use burnside_model::Network;
use burnside_timed::verify::{detect_parameters, verify};
use burnside_timed::zone::Extrapolation;

use orbits::{counted, orbit_of_start};

fn load(file: &str, constants: &[(&str, u32)]) -> Network {
    let path = format!("{}/../../models/uppaal/{file}.xta", env!("CARGO_MANIFEST_DIR"));
    let source = Source::new(file, std::fs::read_to_string(path).unwrap());
    let constants: Vec<_> =
        constants.iter().map(|(name, value)| ((*name).to_owned(), value.to_string())).collect();
    let (network, errors) = uppaal::load(&source, &constants);
    let mut network = network.unwrap_or_else(|| panic!("{}", errors[0].render(&source, false)));
    detect_parameters(&mut network);
    network
}

/// With less and with more abstraction of zones.
fn add_up(file: &str, constants: &[(&str, u32)]) {
    let network = load(file, constants);
    let (domains, _) = verify(&network);
    assert_eq!(domains.len(), 1, "{file}");
    let start = orbit_of_start(&network, &domains);
    for how in [Extrapolation::M, Extrapolation::LUPlus] {
        let (states, _) = counted(&network, &[], &start, how, usize::MAX).unwrap();
        let (orbits, full) = counted(&network, &domains, &[], how, usize::MAX).unwrap();
        assert_eq!(full, states as u128, "{file} {constants:?} {how:?}");
        assert!(orbits < states, "{file} {constants:?} {how:?}: {orbits} of {states}");
    }
}

#[test]
fn of_models() {
    for file in ["bus", "csmacd", "fischer", "fischer_set", "token_ring", "train_gate"] {
        for size in 2..=4 {
            add_up(file, &[("N", size)]);
        }
    }
    for (file, size) in [("agreement", 2), ("agreement", 3), ("gossip", 2), ("gossip", 3)] {
        add_up(file, &[("N", size)]);
    }
    add_up("timeout_task", &[("N", 2)]);
    add_up("timeout_task", &[("N", 4), ("C1", 1), ("C2", 1), ("D", 0)]);
}

/// The timeout task with four processes has fewer zones with smaller constants. With its own, all of them
/// (`Extrapolation::LUPlus`) took 43 minutes and 18 GB: 59,301,482 in 2,495,719 orbits, which add up.
#[test]
#[ignore = "takes minutes"]
fn of_larger_models() {
    add_up("agreement", &[("N", 4)]);
    add_up("gossip", &[("N", 4)]);
    add_up("timeout_task", &[("N", 3)]);
    add_up("timeout_task", &[("N", 4), ("C1", 1), ("C2", 1), ("D", 1)]);
    add_up("timeout_task", &[("N", 4), ("C1", 1), ("C2", 2), ("D", 0)]);
}
