//! A check in a thread of its own, which someone watches.
//!
//! Every phase of every engine looks at the deadline, but one operation may take long: sifting a diagram, lowering a huge
//! model. Whoever must keep a limit need not wait for it: [`Running::unfinished`] is the report of what is known by then.
//! The thread ends with the process, or at its next look at the deadline.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use burnside_lang::source::Source;
use burnside_model::{Events, Limit, Progress, Verdict};
use burnside_report::{Report, SymmetryReport};

use crate::{Failure, Options, STACK_BYTES, memory, panic_message, run};

/// What is known of a check that has not ended.
#[derive(Default)]
pub(crate) struct Known {
    /// The report, as if nothing was found.
    pub report: Option<Report>,
    /// How far it came.
    progress: Progress,
}

/// Some work that runs, and ends with a result.
pub struct Running<R> {
    begun: Instant,
    known: Arc<Mutex<Known>>,
    done: Receiver<Result<R, Failure>>,
}

/// Passes events on, and remembers how far the check came.
struct Watched {
    inner: Box<dyn Events + Send>,
    known: Arc<Mutex<Known>>,
}

impl Events for Watched {
    fn progress(&mut self, progress: &Progress) {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).progress = *progress;
        self.inner.progress(progress);
    }

    fn level(&mut self, level: u64, states: u64) {
        self.inner.level(level, states);
    }

    fn output(&mut self, text: &str) {
        self.inner.output(text);
    }

    fn warning(&mut self, text: &str) {
        self.inner.warning(text);
    }
}

impl<R: Send + 'static> Running<R> {
    /// Starts some work, which passes on events and says what is known.
    pub(crate) fn start(
        events: Box<dyn Events + Send>,
        work: impl FnOnce(&mut dyn Events, &Mutex<Known>) -> Result<R, Failure> + Send + 'static,
    ) -> Result<Running<R>, Failure> {
        let (send, done) = channel();
        let known = Arc::new(Mutex::new(Known::default()));
        let mut events = Watched { inner: events, known: known.clone() };
        let work = {
            let known = known.clone();
            move || {
                let result = catch_unwind(AssertUnwindSafe(|| work(&mut events, &known)));
                let result =
                    result.unwrap_or_else(|panic| Err(Failure::Internal(panic_message(panic.as_ref()))));
                // Nobody listens any more if the time was up long ago.
                let _ = send.send(result);
            }
        };
        let thread = std::thread::Builder::new().name("check".to_owned()).stack_size(STACK_BYTES);
        thread.spawn(work).map_err(|error| Failure::Internal(format!("cannot start a thread: {error}")))?;
        Ok(Running { begun: Instant::now(), known, done })
    }

    /// Waits for the result, for at most so long.
    pub fn wait(&self, time: Duration) -> Option<Result<R, Failure>> {
        match self.done.recv_timeout(time) {
            Ok(result) => Some(result),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                Some(Err(Failure::Internal("the check ended without a result".to_owned())))
            }
        }
    }

    /// What is done, in a word or two.
    #[must_use]
    pub fn doing(&self) -> String {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.report.as_ref().map_or_else(|| "reading".to_owned(), |report| report.engine.clone())
    }
}

impl Running<Report> {
    /// Starts a check.
    pub fn check(
        source: &Source,
        options: &Options,
        events: Box<dyn Events + Send>,
    ) -> Result<Running<Report>, Failure> {
        let (source, options) = (source.clone(), options.clone());
        Running::start(events, move |events, known| run(&source, &options, events, Some(known)))
    }

    /// What is known before the end: nothing is decided, and the figures are those of the last progress.
    #[must_use]
    pub fn unfinished(&self, source: &Source, options: &Options, limit: Limit) -> Report {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut report = known.report.clone().unwrap_or_else(|| nothing(source, options));
        report.limit = Some(limit);
        report.verdict = Verdict::Unknown;
        report.states = known.progress.states;
        report.rules_fired = (known.progress.rules_fired > 0).then_some(known.progress.rules_fired);
        report.depth = (known.progress.depth > 0).then_some(known.progress.depth);
        report.time = self.begun.elapsed();
        report.peak_memory = memory::peak_memory().unwrap_or(known.progress.memory);
        report
    }
}

/// The report of a check that has not even read its model.
fn nothing(source: &Source, options: &Options) -> Report {
    Report {
        model: source.name().to_owned(),
        language: options.language_of(source).name().to_owned(),
        engine: "none".to_owned(),
        reduction: "none".to_owned(),
        exact: true,
        symmetry: SymmetryReport {
            structure: "trivial".to_owned(),
            order: "1".to_owned(),
            verified: true,
            derived: "none".to_owned(),
            ..SymmetryReport::default()
        },
        ..Report::default()
    }
}
