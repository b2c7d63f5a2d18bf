//! The zone kernel against brute force: sets of points, looked at on a grid that has points in every region, and
//! definitions written down as they are.

mod abstractions;
mod known;
mod operations;
mod oracle;
mod random;
mod storage;
mod subject;

use random::Random;
use subject::{MISTAKES, Mistake, Subject};

/// Nothing, or what went wrong.
type Verdict = Result<(), String>;

/// Ends a check with a message unless the condition holds.
macro_rules! ensure {
    ($condition:expr, $($message:tt)+) => {
        if !$condition {
            return Err(format!($($message)+));
        }
    };
}
use ensure;

/// A check of one random case.
type Check = fn(&mut Random, Subject) -> Verdict;

/// All checks, with how many cases each is tried on.
const CHECKS: &[(&str, Check, u64)] = &[
    ("constraints", operations::constraints, 25_000),
    ("equality", operations::equality, 25_000),
    ("time", operations::time, 8_000),
    ("assignments", operations::assignments, 6_000),
    ("other clocks", operations::other_clocks, 8_000),
    ("points", operations::points, 15_000),
    ("walks", operations::walks, 8_000),
    ("extrapolations", abstractions::extrapolations, 8_000),
    ("simulation", abstractions::simulation, 10_000),
    ("simulated points", abstractions::simulated_points, 10_000),
    ("packing", storage::packing, 12_000),
    ("probes", storage::probes, 40_000),
    ("tangles", storage::tangles, 12_000),
    ("federations", storage::federations, 6_000),
];

fn run(names: &[&str]) {
    for (name, check, cases) in CHECKS.iter().filter(|(name, ..)| names.contains(name)) {
        for seed in 0..*cases {
            if let Err(message) = check(&mut Random::new(seed), Subject(Mistake::None)) {
                panic!("{name}, case {seed}: {message}");
            }
        }
    }
}

#[test]
fn guards_and_equality() {
    run(&["constraints", "equality", "points", "walks"]);
}

#[test]
fn time_and_assignments() {
    run(&["time", "assignments", "other clocks"]);
}

#[test]
fn abstractions_are_those_of_the_papers() {
    run(&["extrapolations", "simulation", "simulated points"]);
}

#[test]
fn packed_zones_and_federations() {
    run(&["packing", "probes", "tangles", "federations"]);
}

#[test]
fn there_are_enough_cases() {
    assert!(CHECKS.iter().map(|(_, _, cases)| cases).sum::<u64>() >= 100_000);
}

#[test]
fn simulation_is_neither_rare_nor_inclusion() {
    let mut counts = [0; 3];
    for seed in 0..2_000 {
        let case = abstractions::simulation_of(&mut Random::new(seed), Subject(Mistake::None));
        let (simulates, includes) = case.expect("as in the other test");
        counts[usize::from(simulates) + usize::from(includes)] += 1;
    }
    assert!(counts.iter().all(|count| *count >= 200), "{counts:?}: neither, simulated only, included");
}

#[test]
fn planted_mistakes_are_found() {
    for mistake in MISTAKES {
        let caught = (0..2_000).any(|seed| {
            CHECKS.iter().any(|(_, check, _)| check(&mut Random::new(seed), Subject(*mistake)).is_err())
        });
        assert!(caught, "{mistake:?}");
    }
}
