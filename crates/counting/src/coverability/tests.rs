//! Random thread systems against a forward search with few threads, and mistakes in certificates that must be caught.

use std::collections::BTreeMap;

use burnside_model::threads::{Population, ThreadStart, ThreadStep, ThreadSystem, ThreadTarget};

use super::*;

/// Numbers from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % bound) as u32
    }
}

fn random(seed: u64) -> ThreadSystem {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let (shared, locals) = (1 + random.below(3), 2 + random.below(3));
    let steps = (0..2 + random.below(6)).map(|_| {
        let (s, l) = (u64::from(shared), u64::from(locals));
        let (from, to) = (random.below(l), random.below(l));
        let spawned = (random.below(8) == 0).then(|| random.below(l));
        let mut passive: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        if spawned.is_none() && random.below(3) == 0 {
            for _ in 0..1 + random.below(3) {
                let to = random.below(l);
                passive.entry(random.below(l)).or_default().push(to);
            }
        }
        let local = (from, if spawned.is_some() { from } else { to });
        ThreadStep { shared: (random.below(s), random.below(s)), local, spawned, passive }
    });
    let steps = steps.collect();
    let mut target = Population::new();
    for _ in 0..random.below(4) {
        *target.entry(random.below(u64::from(locals))).or_default() += 1;
    }
    let mut start = ThreadStart { shared: 0, fixed: Population::new(), unbounded: vec![0] };
    match random.below(4) {
        0 => drop(start.fixed.insert(1, 1)),
        1 => {
            start.fixed.insert(0, 1);
            start.unbounded.clear();
        }
        _ => {}
    }
    let target = Some(ThreadTarget { shared: random.below(u64::from(shared)), locals: target });
    ThreadSystem { shared, locals, steps, start, target }
}

fn models() -> u64 {
    std::env::var("BURNSIDE_MODELS").ok().and_then(|text| text.parse().ok()).unwrap_or(300)
}

#[test]
fn verdicts_agree_with_few_threads() {
    let (mut safe, mut violated) = (0, 0);
    for seed in 0..models() {
        let system = random(seed);
        let target = system.target.clone().expect("there is one");
        let (verdict, _) = decide(&system, Bounds::default(), &mut |_| ());
        match &verdict {
            Coverability::Unsafe { run, .. } => {
                violated += 1;
                assert!(is_violation(run, &system), "seed {seed}: {run:?}");
            }
            Coverability::Safe(certificate) => {
                safe += 1;
                assert_eq!(certificate.check(&system), Ok(()), "seed {seed}");
            }
            Coverability::Unknown(_) => panic!("seed {seed}: there is no deadline"),
        }
        for threads in 1..=6 {
            let found =
                forward::search(&system, &target, threads, 5_000, Deadline::NEVER, &mut Figures::default());
            if let (forward::Outcome::Found(run), Coverability::Safe(_)) = (found, &verdict) {
                panic!("seed {seed}: {run:?}");
            }
        }
    }
    assert!(safe > 10 && violated > 10, "{safe} safe, {violated} not");
}

#[test]
fn certificates_with_a_mistake_are_refused() {
    let (mut tried, mut refused) = (0, 0);
    for seed in 0..models() {
        let system = random(seed);
        let (Coverability::Safe(certificate), _) = decide(&system, Bounds::default(), &mut |_| ()) else {
            continue;
        };
        for missing in 0..certificate.elements.len() {
            let mut wrong = certificate.clone();
            wrong.elements.remove(missing);
            tried += 1;
            // No element is above another, so the least of them are needed: the target, or what leads to one that is left.
            refused += usize::from(wrong.check(&system).is_err());
        }
        for (shared, locals) in &certificate.pairs.beside {
            for local in locals {
                let mut wrong = certificate.clone();
                wrong.pairs.beside.entry(*shared).or_default().remove(local);
                tried += 1;
                refused += usize::from(wrong.check(&system).is_err());
            }
        }
        // A system that it was not made for.
        let mut other = system.clone();
        other.target = Some(ThreadTarget { shared: other.start.shared, locals: Population::new() });
        assert!(certificate.check(&other).is_err(), "seed {seed}");
    }
    assert!(refused * 10 > tried * 9, "{refused} of {tried}");
}

#[test]
fn the_least_number_of_threads_is_found() {
    // Every thread passes a gate that opens for one at a time and stays behind it: three behind it need three threads.
    let step = |shared, local| ThreadStep { shared, local, spawned: None, passive: BTreeMap::new() };
    let system = ThreadSystem {
        shared: 2,
        locals: 3,
        steps: vec![step((0, 1), (0, 1)), step((1, 0), (1, 2))],
        start: ThreadStart { shared: 0, fixed: Population::new(), unbounded: vec![0] },
        target: Some(ThreadTarget { shared: 0, locals: Population::from([(2, 6)]) }),
    };
    let (Coverability::Unsafe { run, least }, _) = decide(&system, Bounds::default(), &mut |_| ()) else {
        panic!("it is reached")
    };
    assert_eq!((run.start.values().sum::<u32>(), least, run.steps.len()), (6, true, 12));
}
