//! Numbers of stored states that other tools and brute force have found: every row of the reference figures. The
//! configuration of each is in the test. Those that take long are for `cargo test --release -- --ignored`.

use burnside_lang::source::Source;
use burnside_lang::uppaal;
use burnside_model::Network;
use burnside_timed::explore::{Abstraction, Covering, Explorer};
use burnside_timed::verify::{detect_parameters, verify};
use burnside_timed::zone::Extrapolation;

fn load(file: &str, size: u32) -> Network {
    let path = format!("{}/../../models/uppaal/{file}", env!("CARGO_MANIFEST_DIR"));
    read(file, &std::fs::read_to_string(path).unwrap(), size)
}

fn read(name: &str, text: &str, size: u32) -> Network {
    let source = Source::new(name, text);
    let (network, errors) = uppaal::load(&source, &[("N".to_owned(), size.to_string())]);
    network.unwrap_or_else(|| panic!("{}", errors[0].render(&source, false)))
}

fn stored(mut network: Network, symmetry: bool, abstraction: Abstraction) -> usize {
    let mut domains = Vec::new();
    if symmetry {
        detect_parameters(&mut network);
        domains = verify(&network).0;
        assert_eq!(domains.len(), 1);
    }
    let Ok(mut explorer) = Explorer::new(&network, &domains, abstraction) else { panic!("no start") };
    while explorer.expand().is_ok_and(|found| found.is_some()) {}
    explorer.stored()
}

/// ExtraLU+ with local bounds, inclusion.
const LU: Abstraction =
    Abstraction { extrapolation: Some(Extrapolation::LUPlus), local: true, covering: Covering::Inclusion };
/// ExtraM with the same bounds everywhere, equality.
const EVERYTHING: Abstraction =
    Abstraction { extrapolation: Some(Extrapolation::M), local: false, covering: Covering::Equality };

/// No symmetry, LU local, inclusion.
#[test]
fn fischer_without_symmetry() {
    for (size, expected) in [(4, 220), (5, 727), (6, 2378)] {
        assert_eq!(stored(load("fischer.xta", size), false, LU), expected, "{size}");
    }
}

/// As above.
#[test]
#[ignore = "takes a while"]
fn eight_processes_without_symmetry() {
    assert_eq!(stored(load("fischer.xta", 8), false, LU), 25_080);
}

/// Symmetry of the numbers from 1 to N, which is detected; aLU with local bounds.
#[test]
fn fischer_with_numbers() {
    for size in [3, 10, 20] {
        let expected = (size * size + 3 * size) as usize;
        assert_eq!(stored(load("fischer.xta", size), true, Abstraction::default()), expected, "{size}");
    }
}

#[test]
fn fischer_with_all_zones_told_apart() {
    assert_eq!(stored(load("fischer.xta", 5), false, EVERYTHING), 63_561);
    assert_eq!(stored(load("fischer.xta", 5), true, EVERYTHING), 600);
}

/// aLU with local bounds.
#[test]
fn fischer_with_scalars() {
    for size in [3, 10, 20, 40] {
        let expected = ((3 * size * size + 5 * size) / 2) as usize;
        assert_eq!(stored(load("fischer_set.xta", size), true, Abstraction::default()), expected, "{size}");
    }
}

/// In equality mode with ExtraLU+ and local bounds; otherwise aLU with local bounds.
#[test]
fn stations_on_a_bus() {
    let equality = Abstraction { covering: Covering::Equality, ..LU };
    assert_eq!(stored(load("csmacd.xta", 5), true, equality), 415);
    assert_eq!(stored(load("csmacd.xta", 20), true, Abstraction::default()), 4069);
}

/// As above.
#[test]
#[ignore = "takes a while"]
fn fifty_stations_on_a_bus() {
    assert_eq!(stored(load("csmacd.xta", 50), true, Abstraction::default()), 62_674);
}

/// The collision is announced in the order of the stations. No symmetry, LU local, inclusion.
#[test]
fn stations_in_order() {
    let path = format!("{}/../../models/uppaal/csmacd.xta", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let ordered = text
        .replace("typedef scalar[N] id_t;", "typedef int[0,N-1] id_t;")
        .replace("bool told[id_t];", "int[0,N] j;")
        .replace("for (i : id_t) told[i] = false;", "j = 0;")
        .replace(
            "guard !told[i]; sync cd[i]!; assign told[i] = true;",
            "guard i == j; sync cd[i]!; assign j = j + 1;",
        )
        .replace("(forall (i : id_t) told[i])", "j == N");
    assert!(!ordered.contains("told"));
    assert_eq!(stored(read("ordered.xta", &ordered, 3), false, LU), 70);
}

/// The queue is a ring buffer that keeps what was taken out. No symmetry, LU local, inclusion.
#[test]
fn trains_in_a_ring_buffer() {
    let path = format!("{}/../../models/uppaal/train_gate.xta", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap().replace("scalar[N]", "int[0,N-1]");
    let from = text.find("    id_t buffer[N];").unwrap();
    let to = text.find("    state Free, Occ").unwrap();
    let queue = "
        id_t buffer[N];
        int[0,N] length;
        id_t head;
        void enqueue(id_t train) { buffer[(head + length) % N] = train; length++; }
        void dequeue() { head = (head + 1) % N; length--; }
        id_t front() { return buffer[head]; }
        id_t last() { return buffer[(head + length - 1) % N]; }
    ";
    let ring = format!("{}{queue}{}", &text[..from], &text[to..]);
    for (size, expected) in [(2, 56), (3, 765)] {
        assert_eq!(stored(read("ring.xta", &ring, size), false, LU), expected, "{size}");
    }
}
