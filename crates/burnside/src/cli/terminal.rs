//! What happens on the terminal while a check runs, and how its end is written. A reader that went away is no error.

use std::io::{IsTerminal, Write};

use burnside::report::text::{bytes, grouped};
use burnside::{Events, Progress};

/// Writes progress and the model's own output as they come.
pub struct Terminal {
    /// Whether progress is shown.
    show_progress: bool,
    /// Whether a progress line stands on the terminal.
    line: bool,
    /// Whether the model's output goes to standard error, as standard output holds JSON.
    output_aside: bool,
}

impl Terminal {
    /// Shows progress if standard error is a terminal and `quiet` is not asked for.
    pub fn new(quiet: bool, output_aside: bool) -> Self {
        Terminal { show_progress: !quiet && std::io::stderr().is_terminal(), line: false, output_aside }
    }

    /// Removes the progress line.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.line) {
            error("\r\x1b[2K");
        }
    }
}

impl Events for Terminal {
    fn progress(&mut self, progress: &Progress) {
        if self.show_progress {
            self.line = true;
            error(&format!(
                "\r\x1b[2K{} states, {} rules fired, depth {}, {} queued, {} states/s, {}",
                grouped(progress.states.into()),
                grouped(progress.rules_fired.into()),
                progress.depth,
                grouped(progress.queue.into()),
                grouped(progress.states_per_second as u128),
                bytes(progress.memory),
            ));
        }
    }

    fn output(&mut self, text: &str) {
        self.clear();
        if self.output_aside { error(text) } else { print(text) }
    }

    fn warning(&mut self, text: &str) {
        self.clear();
        error(&format!("warning: {text}\n"));
    }
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
