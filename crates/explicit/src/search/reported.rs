//! What a search tells while it runs: what the model prints, and how far it has come.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::shared::Shared;
use crate::{Events, Progress};

/// How often progress is reported.
const REPORT_EVERY: Duration = Duration::from_millis(500);

/// When progress was last reported, and the number of states then.
pub(super) struct Reported {
    at: Instant,
    states: u64,
}

impl Reported {
    pub fn new() -> Self {
        Reported { at: Instant::now(), states: 0 }
    }

    /// Passes on what the model printed, and progress now and then.
    pub fn tick(&mut self, shared: &Shared<'_>, events: &mut dyn Events) {
        let output = std::mem::take(&mut *shared.output());
        if !output.is_empty() {
            events.output(&output);
        }
        let passed = self.at.elapsed();
        if passed >= REPORT_EVERY {
            let store = shared.store();
            let (states, level) = (store.roughly(), shared.level());
            let expanded = shared.cursor.load(Ordering::Relaxed).min(level.states.end);
            events.progress(&Progress {
                states,
                rules_fired: shared.fired.load(Ordering::Relaxed),
                depth: (store.levels().len() as u64).saturating_sub(2),
                queue: states.saturating_sub(expanded),
                states_per_second: states.saturating_sub(self.states) as f64 / passed.as_secs_f64(),
                memory: store.memory(),
                ..Progress::default()
            });
            *self = Reported { at: Instant::now(), states };
        }
    }
}
