//! Folded code does what the interpreter does: the same steps, guards and outcomes, and the same errors, in all discrete
//! states that are reached when clocks are not looked at.

use std::collections::HashSet;

use burnside_timed::steps::Stepper;

use crate::{load, models, random};

/// How many discrete states of each network.
const MOST: usize = 150;

#[test]
fn folded_code_is_that_of_the_interpreter() {
    let (mut steps, mut faults) = (0, 0);
    for seed in 0..models() {
        let (text, queries) = match seed % 3 {
            0 => random::network(seed, false),
            1 => random::with_stopwatches(seed),
            _ => random::with_differences(seed),
        };
        let network = load(&text, &queries);
        let (Ok(mut folded), Ok(mut plain)) = (Stepper::new(&network), Stepper::interpreting(&network))
        else {
            continue;
        };
        let start = plain.start();
        assert_eq!(folded.start(), start, "{seed}\n{text}");
        let Ok(start) = start else { continue };
        let (mut seen, mut waiting) = (HashSet::from([start.state.clone()]), vec![start.state]);
        while let Some(state) = waiting.pop() {
            assert_eq!(folded.standing(&state), plain.standing(&state), "{seed}\n{text}");
            let (fast, slow) = (folded.steps(&state), plain.steps(&state));
            let (fast, slow) = match (fast, slow) {
                (Ok(fast), Ok(slow)) => (fast, slow),
                (fast, slow) => {
                    assert_eq!(fast.map(|_| ()), slow.map(|_| ()), "{seed}\n{text}");
                    faults += 1;
                    continue;
                }
            };
            assert_eq!(fast.len(), slow.len(), "{seed}\n{text}");
            for (fast, slow) in fast.iter().zip(&slow) {
                assert_eq!(folded.taken(fast), plain.taken(slow), "{seed}\n{text}");
                assert_eq!(
                    (&fast.guard, fast.channel, fast.priority),
                    (&slow.guard, slow.channel, slow.priority)
                );
                let outcome = plain.take(&state, slow);
                assert_eq!(folded.take(&state, fast), outcome, "{seed}\n{text}");
                steps += 1;
                match outcome {
                    Ok(outcome) if seen.len() < MOST => {
                        if seen.insert(outcome.state.clone()) {
                            waiting.push(outcome.state);
                        }
                    }
                    Ok(_) => {}
                    Err(_) => faults += 1,
                }
            }
        }
    }
    println!("{steps} steps, {faults} faults");
    assert!(steps as u64 > 20 * models());
}
