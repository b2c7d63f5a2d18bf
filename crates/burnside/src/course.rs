//! How a search went, for the plots of a report: what it told on its way, with the time of each.

use std::time::Instant;

use burnside_model::{Events, Progress};
use burnside_report::Course;

/// So many samples are kept; then every other one is dropped.
const MOST_SAMPLES: usize = 400;

/// Passes events on, and remembers how far the search had come when.
pub(crate) struct Recorder<'e> {
    inner: &'e mut dyn Events,
    begun: Instant,
    course: Course,
    /// The states of all levels so far.
    states: u64,
}

impl<'e> Recorder<'e> {
    /// Begins now.
    pub fn new(inner: &'e mut dyn Events) -> Self {
        Recorder { inner, begun: Instant::now(), course: Course::default(), states: 0 }
    }

    /// What was remembered.
    pub fn course(self) -> Course {
        self.course
    }

    fn sample(&mut self, states: u64) {
        let samples = &mut self.course.samples;
        if samples.last().is_some_and(|(_, known)| *known >= states) {
            return;
        }
        if samples.len() >= MOST_SAMPLES {
            let mut keep = false;
            samples.retain(|_| {
                keep = !keep;
                keep
            });
        }
        samples.push((self.begun.elapsed().as_secs_f64(), states));
    }
}

impl Events for Recorder<'_> {
    fn progress(&mut self, progress: &Progress) {
        self.sample(progress.states);
        self.inner.progress(progress);
    }

    fn level(&mut self, level: u64, states: u64) {
        // Another exploration begins anew.
        if level == 0 || level as usize != self.course.levels.len() {
            self.course.samples.retain(|_| level != 0);
            self.course.levels.truncate(level as usize);
            self.states = self.course.levels.iter().sum();
        }
        if self.course.levels.len() == level as usize && states > 0 {
            self.course.levels.push(states);
            self.states += states;
            self.sample(self.states);
        }
        self.inner.level(level, states);
    }

    fn output(&mut self, text: &str) {
        self.inner.output(text);
    }

    fn warning(&mut self, text: &str) {
        self.inner.warning(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_counted_and_another_exploration_begins_anew() {
        let mut nobody = ();
        let mut recorder = Recorder::new(&mut nobody);
        for (level, states) in [(0, 9), (1, 9), (0, 1), (1, 3), (2, 5), (3, 0)] {
            recorder.level(level, states);
        }
        recorder.progress(&Progress { states: 12, ..Progress::default() });
        recorder.progress(&Progress { states: 12, ..Progress::default() });
        let course = recorder.course();
        assert_eq!(course.levels, [1, 3, 5]);
        assert_eq!(course.samples.iter().map(|(_, states)| *states).collect::<Vec<_>>(), [1, 4, 9, 12]);
    }

    #[test]
    fn a_long_search_keeps_few_samples() {
        let mut nobody = ();
        let mut recorder = Recorder::new(&mut nobody);
        (1..10_000).for_each(|states| recorder.progress(&Progress { states, ..Progress::default() }));
        let samples = recorder.course().samples;
        assert!(samples.len() <= MOST_SAMPLES && samples.len() > 100, "{}", samples.len());
        assert!(samples.is_sorted_by_key(|(_, states)| *states));
    }
}
