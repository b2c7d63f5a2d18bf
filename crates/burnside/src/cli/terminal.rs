//! What happens on the terminal while a check runs, and how its end is written. A reader that went away is no error.

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
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
    /// When the engine told its progress last, in milliseconds since the beginning; zero if it never did.
    told_by_engine: Arc<AtomicU64>,
    begun: Instant,
    /// Whether the model's output goes to standard error, as standard output holds JSON.
    output_aside: bool,
    /// The most memory that may be used.
    memory: Option<u64>,
    /// When a line was written last, and how often one is.
    told: Instant,
    every: Duration,
}

/// Removes the progress line; and tells progress while the engine does not.
pub struct Companion {
    shown: Shown,
    line: Arc<AtomicBool>,
    /// As in [`Terminal`].
    told_by_engine: Arc<AtomicU64>,
    begun: Instant,
    told: Instant,
    every: Duration,
}

impl Companion {
    /// Removes the line, if there is one.
    pub fn clear(&self) {
        clear(&self.line);
    }

    /// Tells what is done, how long it has taken and what memory there is, while nothing else is told.
    pub fn tick(&mut self, doing: impl Fn() -> String, memory: Option<u64>, limit: Option<u64>) {
        let every = if self.shown == Shown::Lines { self.every } else { TICK };
        if self.shown == Shown::Nothing || self.told.elapsed() < every {
            return;
        }
        let told = Duration::from_millis(self.told_by_engine.load(Ordering::Relaxed));
        if !told.is_zero() && self.begun.elapsed().saturating_sub(told) < 2 * every {
            return;
        }
        self.told = Instant::now();
        let share = limit.zip(memory).map(|(limit, memory)| share(memory, limit)).unwrap_or_default();
        let memory = memory.map_or(String::new(), |memory| format!(", {}{share}", bytes(memory)));
        let seconds = self.begun.elapsed().as_secs();
        tell(self.shown, &self.line, &format!("{}, {seconds} s{memory}", doing()));
    }
}

/// How often a line on the terminal is renewed.
const TICK: Duration = Duration::from_millis(500);

fn clear(line: &AtomicBool) {
    if line.swap(false, Ordering::Relaxed) {
        error("\r\x1b[2K");
    }
}

/// Writes a line of progress.
fn tell(shown: Shown, line: &AtomicBool, words: &str) {
    match shown {
        Shown::Nothing => {}
        Shown::Lines => error(&format!("progress: {words}\n")),
        Shown::OnTerminal => {
            line.store(true, Ordering::Relaxed);
            status(words);
        }
    }
}

/// Writes a line on the terminal that the next one replaces; no words remove it. It is cut to the width of the terminal, as
/// a line that goes on in the next one cannot be removed.
pub fn status(words: &str) {
    let width =
        terminal_size::terminal_size_of(std::io::stderr()).map_or(usize::MAX, |(width, _)| width.0.into());
    let words: String = words.chars().take(width.saturating_sub(1)).collect();
    error(&format!("\r\x1b[2K{words}"));
}

/// The share of a limit.
fn share(part: u64, limit: u64) -> String {
    format!(" ({}%)", part.saturating_mul(100) / limit.max(1))
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
        let (line, told_by_engine, begun) = (Arc::default(), Arc::default(), Instant::now());
        Terminal { shown, line, told_by_engine, begun, output_aside, memory, told: begun, every }
    }

    /// What stays with whoever waits for the check.
    pub fn companion(&self) -> Companion {
        let (line, told_by_engine) = (self.line.clone(), self.told_by_engine.clone());
        let (shown, every, begun) = (self.shown, self.every, self.begun);
        Companion { shown, line, told_by_engine, begun, told: begun, every }
    }

    /// Progress in words: what the engine counts, and the share of the limit of memory.
    fn words(&self, progress: &Progress) -> String {
        let mut words: Vec<String> = progress.phase.map(str::to_owned).into_iter().collect();
        match progress.questions {
            Some((clauses, questions)) => {
                words.push(format!("{} clauses", grouped(clauses.into())));
                words.push(format!("{} questions", grouped(questions.into())));
            }
            None => {
                let unit = progress.unit.unwrap_or("states");
                words.push(format!("{} {unit}", grouped(progress.states.into())));
            }
        }
        words.extend(progress.nodes.map(|nodes| format!("{} nodes", grouped(nodes.into()))));
        if progress.rules_fired > 0 {
            words.push(format!("{} rules fired", grouped(progress.rules_fired.into())));
        }
        if progress.depth > 0 {
            words.push(format!("depth {}", progress.depth));
        }
        if progress.queue > 0 {
            words.push(format!("{} queued", grouped(progress.queue.into())));
        }
        if progress.states_per_second > 0.0 {
            words.push(format!("{} states/s", grouped(progress.states_per_second as u128)));
        }
        // What an engine does not count is that of the process.
        let counted = Some(progress.memory).filter(|memory| *memory > 0);
        if let Some(memory) = counted.or_else(burnside::resident_memory) {
            let share = self.memory.map_or(String::new(), |limit| share(memory, limit));
            words.push(format!("{}{share}", bytes(memory)));
        }
        words.join(", ")
    }
}

impl Events for Terminal {
    fn progress(&mut self, progress: &Progress) {
        let now = (self.begun.elapsed().as_millis() as u64).max(1);
        self.told_by_engine.store(now, Ordering::Relaxed);
        if self.shown != Shown::Lines || self.told.elapsed() >= self.every {
            self.told = Instant::now();
            tell(self.shown, &self.line, &self.words(progress));
        }
    }

    fn output(&mut self, text: &str) {
        clear(&self.line);
        if self.output_aside { error(text) } else { print(text) }
    }

    fn warning(&mut self, text: &str) {
        clear(&self.line);
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
