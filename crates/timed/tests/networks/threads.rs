//! Several threads give the same as one: verdicts, runs, and numbers of states, with and without symmetry.

use std::time::Duration;

use burnside_model::Deadline;
use burnside_timed::check::{Bounds, How, check};
use burnside_timed::verify::{detect_parameters, verify};

use crate::{load, loaded, models, random};

#[test]
fn threads_change_nothing() {
    let (mut compared, mut large, mut faults) = (0, 0, 0);
    for seed in 0..models() {
        let (text, queries) = match seed % 4 {
            0 | 1 => random::network(seed, seed % 2 == 0),
            2 => random::with_stopwatches(seed),
            _ => random::with_differences(seed),
        };
        let (text, mut network) =
            if seed % 4 == 3 { (text.clone(), load(&text, &queries)) } else { loaded(seed, text, &queries) };
        detect_parameters(&mut network);
        let (domains, _) = verify(&network);
        for domains in [&[][..], &domains] {
            let deadline = Deadline::new(Some(Duration::from_secs(2)), None);
            let how = How { bounds: Bounds { memory: Some(1 << 17), deadline }, ..How::default() };
            let one = check(&network, domains, how).unwrap_or_else(|wrong| panic!("{seed}: {wrong}\n{text}"));
            let deadline = Deadline::new(Some(Duration::from_secs(4)), None);
            let bounds = Bounds { deadline, ..how.bounds };
            let threads = 2 + seed as usize % 2;
            let several = check(&network, domains, How { bounds, threads, helped_after: 1, ..how });
            let several = several.unwrap_or_else(|wrong| panic!("{seed}: {wrong}\n{text}"));
            if one.limit.is_some() || several.limit.is_some() {
                continue;
            }
            compared += 1;
            large += u64::from(one.stored > 30);
            faults += u64::from(one.fault.is_some());
            assert_eq!((one.stored, one.discrete), (several.stored, several.discrete), "{seed}\n{text}");
            assert_eq!(one.fault, several.fault, "{seed}\n{text}");
            for (one, several) in one.answers.iter().zip(&several.answers) {
                assert_eq!((one.verdict, &one.run), (several.verdict, &several.run), "{seed}\n{text}");
            }
        }
    }
    println!("{compared} compared, {large} with more than 30 states, {faults} with errors");
    assert!(compared > models() && large * 8 > models(), "{compared} {large}");
}
