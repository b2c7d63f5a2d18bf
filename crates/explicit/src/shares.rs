//! Work on all stored states by several threads: each has a share of them, and a system of its own.

use std::ops::Range;

use burnside_model::stack;

use crate::Indexed;
use crate::liveness::{StateId, States};

/// Fewer states than that per thread are not worth waking it for.
const ALONE: StateId = 1000;

/// What is done with a share.
type Work<'w, S, T, E> = dyn Fn(&mut S, &mut States<'_>, Range<StateId>) -> Result<T, E> + Sync + 'w;

/// Does some work on the shares of all states, and gives what came of each, in order. The first error is that of all.
pub(crate) fn each<S: Indexed, T: Send, E: Send>(
    system: &mut S,
    states: &mut States<'_>,
    threads: usize,
    work: &Work<'_, S, T, E>,
) -> Result<Vec<T>, E> {
    let count = states.len();
    let shares = (count / ALONE).clamp(1, threads.max(1) as StateId);
    let share = |number: StateId| {
        let at = |number: StateId| (u64::from(count) * u64::from(number) / u64::from(shares)) as StateId;
        at(number)..at(number + 1)
    };
    std::thread::scope(|scope| {
        let mut others = Vec::new();
        for number in 1..shares {
            let (mut system, mut states) = (system.clone(), states.clone());
            let thread = stack::thread("shares");
            let started = thread.spawn_scoped(scope, move || work(&mut system, &mut states, share(number)));
            others.push(started.ok());
        }
        let mut done = vec![work(system, states, share(0))?];
        for (number, thread) in (1..).zip(others) {
            // Where the system refuses a thread, the calling one does its share.
            done.push(match thread.map(|thread| thread.join()) {
                None => work(system, states, share(number))?,
                Some(Ok(found)) => found?,
                Some(Err(panic)) => std::panic::resume_unwind(panic),
            });
        }
        Ok(done)
    })
}
