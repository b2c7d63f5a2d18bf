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

fn load(file: &str, size: u32) -> Network {
    let path = format!("{}/../../models/uppaal/{file}.xta", env!("CARGO_MANIFEST_DIR"));
    let source = Source::new(file, std::fs::read_to_string(path).unwrap());
    let (network, errors) = uppaal::load(&source, &[("N".to_owned(), size.to_string())]);
    let mut network = network.unwrap_or_else(|| panic!("{}", errors[0].render(&source, false)));
    detect_parameters(&mut network);
    network
}

/// A model of the folder and its number of elements.
type Shipped = (&'static str, u32);

/// With less and with more abstraction of zones.
fn add_up(models: impl IntoIterator<Item = Shipped>) {
    for (file, size) in models {
        let network = load(file, size);
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
