//! What happens on the terminal while a check runs, and how its end is written. A reader that went away is no error.

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use burnside::report::text::{bytes, grouped};
use burnside::{Cancel, Events, Limit, Progress, exit};

/// How progress is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// In one line of the terminal, if standard error is one.
    OnTerminal,
    /// In lines of their own, from time to time.
    Lines,
    /// Not at all.
    Nothing,
}

/// How often a line is written.
const LINE_EVERY: Duration = Duration::from_secs(30);

/// The variable that changes how often a line is written, in seconds, for tests.
const LINE_VARIABLE: &str = "BURNSIDE_PROGRESS_SECONDS";

/// Writes progress and the model's own output as they come.
pub struct Terminal {
    shown: Shown,
    /// Whether a progress line stands on the terminal.
    line: Arc<AtomicBool>,
    /// Whether the model's output goes to standard error, as standard output holds JSON.
    output_aside: bool,
    /// The most memory that may be used.
    memory: Option<u64>,
    /// When a line was written last, and how often one is.
    told: Instant,
    every: Duration,
}

/// Removes the progress line.
pub struct Clearer(Arc<AtomicBool>);

impl Clearer {
    /// Removes it, if there is one.
    pub fn clear(&self) {
        if self.0.swap(false, Ordering::Relaxed) {
            error("\r\x1b[2K");
        }
    }
}

impl Terminal {
    /// Shows progress in some way, under a limit of memory.
    pub fn new(shown: Shown, output_aside: bool, memory: Option<u64>) -> Self {
        let shown = match shown {
            Shown::OnTerminal if !std::io::stderr().is_terminal() => Shown::Nothing,
            other => other,
        };
        let seconds = std::env::var(LINE_VARIABLE).ok().and_then(|seconds| seconds.parse().ok());
        let every = seconds.map_or(LINE_EVERY, Duration::from_secs_f64);
        Terminal { shown, line: Arc::default(), output_aside, memory, told: Instant::now(), every }
    }

    /// What removes the progress line later.
    pub fn clearer(&self) -> Clearer {
        Clearer(self.line.clone())
    }

    /// Progress in words: what the engine counts, and the share of the limit of memory.
    fn words(&self, progress: &Progress) -> String {
        let mut words = vec![format!("{} states", grouped(progress.states.into()))];
        words.extend(progress.nodes.map(|nodes| format!("{} nodes", grouped(nodes.into()))));
        if progress.rules_fired > 0 {
            words.push(format!("{} rules fired", grouped(progress.rules_fired.into())));
        }
        words.push(format!("depth {}", progress.depth));
        if progress.queue > 0 {
            words.push(format!("{} queued", grouped(progress.queue.into())));
        }
        if progress.states_per_second > 0.0 {
            words.push(format!("{} states/s", grouped(progress.states_per_second as u128)));
        }
        let share = self.memory.filter(|memory| *memory > 0);
        let share = share.map(|memory| format!(" ({}%)", progress.memory.saturating_mul(100) / memory));
        words.push(format!("{}{}", bytes(progress.memory), share.unwrap_or_default()));
        words.join(", ")
    }
}

impl Events for Terminal {
    fn progress(&mut self, progress: &Progress) {
        match self.shown {
            Shown::Nothing => {}
            Shown::OnTerminal => {
                self.line.store(true, Ordering::Relaxed);
                error(&format!("\r\x1b[2K{}", self.words(progress)));
            }
            Shown::Lines if self.told.elapsed() >= self.every => {
                self.told = Instant::now();
                error(&format!("progress: {}\n", self.words(progress)));
            }
            Shown::Lines => {}
        }
    }

    fn output(&mut self, text: &str) {
        self.clearer().clear();
        if self.output_aside { error(text) } else { print(text) }
    }

    fn warning(&mut self, text: &str) {
        self.clearer().clear();
        error(&format!("warning: {text}\n"));
    }
}

/// Lets the first signal to interrupt or terminate end the check as a limit does, and the second one the process.
pub fn end_on_signals(cancel: Cancel) -> Result<(), String> {
    let again = AtomicBool::new(false);
    let handler = move || {
        if again.swap(true, Ordering::Relaxed) {
            std::process::exit(exit::INTERRUPTED.into());
        }
        cancel.cancel(Limit::Cancelled);
    };
    ctrlc::set_handler(handler).map_err(|error| format!("cannot watch for signals: {error}"))
}

/// Writes to standard output.
pub fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Writes to standard error.
pub fn error(text: &str) {
    let mut out = std::io::stderr().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Whether output to this stream is coloured.
pub fn colored(stream: &impl IsTerminal) -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    stream.is_terminal() && !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}
