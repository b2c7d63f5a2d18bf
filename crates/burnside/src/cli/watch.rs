//! Work is held to its limits: what does not end by itself in time is left behind, with what is known of it.

use std::time::{Duration, Instant};

use burnside::{Failure, Limit, Limits, Running};

use super::terminal::Companion;

/// How often the work is looked at.
const GLANCE: Duration = Duration::from_millis(20);
/// How much longer than its limits allow it may take to end by itself.
const GRACE: Duration = Duration::from_millis(700);
/// The same where it takes too much memory.
const MEMORY_GRACE: Duration = Duration::from_millis(200);

/// Waits for a result; for as long as it takes if it is `patient`. Work that must be left behind is `unfinished`.
pub fn watch<R: Send + 'static>(
    running: &Running<R>,
    limits: &Limits,
    mut companion: Companion,
    patient: bool,
    unfinished: impl Fn(&Running<R>, Limit) -> R,
) -> Result<R, Failure> {
    let begun = Instant::now();
    let mut over: Option<(Instant, Limit)> = None;
    let result = loop {
        if let Some(result) = running.wait(GLANCE) {
            break result;
        }
        let memory = burnside::resident_memory();
        companion.tick(|| running.doing(), memory, limits.memory);
        let most = limits.memory.map(|memory| memory + memory / 20 + (32 << 20));
        let too_large = || most.zip(memory).is_some_and(|(most, memory)| memory > most);
        let why = match limits.cancel.and_then(|cancel| cancel.reason()) {
            Some(why) => Some(why),
            None if limits.time.is_some_and(|time| begun.elapsed() > time) => Some(Limit::Time),
            None if too_large() => Some(Limit::Memory),
            None => None,
        };
        let Some(why) = why else { continue };
        if let (Limit::Memory, Some(cancel)) = (why, limits.cancel) {
            cancel.cancel(Limit::Memory);
        }
        let (since, why) = *over.get_or_insert_with(|| (Instant::now(), why));
        let grace = if why == Limit::Memory { MEMORY_GRACE } else { GRACE };
        if since.elapsed() > grace && !patient {
            break Ok(unfinished(running, why));
        }
    };
    companion.clear();
    result
}
