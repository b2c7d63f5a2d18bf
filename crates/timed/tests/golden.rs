//! Numbers of stored states that other tools and brute force have found.

use burnside_lang::source::Source;
use burnside_lang::uppaal;
use burnside_model::Network;
use burnside_timed::explore::{Abstraction, Covering, Explorer};
use burnside_timed::verify::verify;
use burnside_timed::zone::Extrapolation;

fn load(file: &str, size: u32) -> Network {
    let path = format!("{}/../../models/uppaal/{file}", env!("CARGO_MANIFEST_DIR"));
    let source = Source::new(file, std::fs::read_to_string(path).unwrap());
    uppaal::load(&source, &[("N".to_owned(), size.to_string())]).0.unwrap()
}

fn stored(file: &str, size: u32, symmetry: bool, abstraction: Abstraction) -> usize {
    let network = load(file, size);
    let domains = if symmetry { verify(&network).0 } else { Vec::new() };
    assert_eq!(symmetry, !domains.is_empty(), "{file}");
    let mut explorer = Explorer::new(&network, &domains, abstraction).unwrap_or_else(|_| panic!("{file}"));
    while explorer.expand().unwrap_or_else(|_| panic!("{file}")).is_some() {}
    explorer.stored()
}

const LU: Abstraction =
    Abstraction { extrapolation: Some(Extrapolation::LUPlus), local: true, covering: Covering::Inclusion };

#[test]
fn fischer_without_symmetry() {
    for (size, expected) in [(4, 220), (5, 727), (6, 2378)] {
        assert_eq!(stored("fischer.xta", size, false, LU), expected, "{size}");
    }
}

#[test]
fn fischer_with_all_zones_told_apart() {
    let all =
        Abstraction { extrapolation: Some(Extrapolation::M), local: false, covering: Covering::Equality };
    assert_eq!(stored("fischer.xta", 5, false, all), 63_561);
}

#[test]
fn fischer_with_scalars() {
    for size in [3, 10, 20] {
        let expected = (3 * size * size + 5 * size) / 2;
        assert_eq!(
            stored("fischer_set.xta", size, true, Abstraction::default()),
            expected as usize,
            "{size}"
        );
    }
}

#[test]
fn stations_on_a_bus() {
    let equality = Abstraction { covering: Covering::Equality, ..LU };
    assert_eq!(stored("csmacd.xta", 5, true, equality), 415);
    assert_eq!(stored("csmacd.xta", 20, true, Abstraction::default()), 4069);
}
