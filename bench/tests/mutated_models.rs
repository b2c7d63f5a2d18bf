//! A short version of `bench/fuzz`: mutated models end in an error or a verdict, never in a panic.

use std::time::{Duration, Instant};

use burnside::{Failure, Limits, Options, Source};
use burnside_bench::mutate::{Random, mutate};

#[test]
fn mutated_models_end_in_an_error_or_a_verdict() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../models/murphi");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder of models")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    let models: Vec<Vec<u8>> = paths.iter().map(|path| std::fs::read(path).expect("a model")).collect();
    let options = Options {
        limits: Limits { time: Some(Duration::from_secs(2)), memory: Some(256 << 20), ..Limits::default() },
        ..Options::default()
    };
    let (mut refused, mut checked) = (0, 0);
    for seed in 0..600 {
        let mut random = Random::new(seed);
        let input = mutate(&models[random.below(models.len())], &mut random);
        let begun = Instant::now();
        match Source::from_bytes("mutated.m", &input) {
            Err(error) => assert!(!error.render(&Source::new("mutated.m", ""), false).is_empty()),
            Ok(source) => match burnside::check(&source, &options) {
                Ok(_) => checked += 1,
                Err(Failure::Input(diagnostics)) => {
                    refused += 1;
                    assert!(diagnostics.iter().all(|d| !d.render(&source, false).is_empty()), "seed {seed}");
                }
                // A variable with too many values, for example.
                Err(Failure::Refused(_)) => {}
                Err(other) => panic!("seed {seed}: {other}"),
            },
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "seed {seed} takes too long");
    }
    assert!(
        refused > 100 && checked > 20,
        "{refused} refused, {checked} checked: the mutations are too strong or weak"
    );
}
