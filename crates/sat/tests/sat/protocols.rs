//! Protocols whose verdict for all sizes is known.

use burnside_lang::source::Source;
use burnside_sat::prove::{Reason, Verdict};

use crate::{at, holds, proof};

fn source(name: &str) -> Source {
    let path = format!("{}/tests/protocols/{name}.m", env!("CARGO_MANIFEST_DIR"));
    Source::new(&path, std::fs::read_to_string(&path).expect("the file is there"))
}

#[test]
fn safe_protocols_are_proved() {
    let all = [
        "lock_server",
        "two_phase",
        "consensus_toy",
        "mesi",
        "moesi",
        "illinois",
        "berkeley",
        "ricart",
        "bakery_order",
        "kv",
        "chan_ptr",
    ];
    for name in all {
        let source = source(name);
        match proof(&source, 60) {
            Verdict::ForAll(proof) => {
                let most = proof.bound.iter().copied().max().unwrap_or(1);
                for size in 1..=most + 1 {
                    assert_ne!(holds(&at(&source, size), 20_000), Some(false), "{name} at {size}");
                }
            }
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn the_least_wrong_size_is_found() {
    match proof(&source("unsafe5"), 60) {
        Verdict::Violated(5, violation) => assert_eq!(violation.1.path.len(), 6),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_outside_is_not_claimed() {
    match proof(&source("outside_ae"), 60) {
        Verdict::Open(_, Reason::Outside(places)) => assert_eq!(places.len(), 1),
        other => panic!("{other:?}"),
    }
}
