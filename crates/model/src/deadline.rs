//! When work must end: one token for the limit of time, for cancellation, and for the memory of the whole process.
//!
//! A [`Deadline`] is copied into every phase of every engine, which asks now and then whether it [has
//! passed](Deadline::has_passed). Engines do not ask why: whoever began the check knows from [`Cancel::reason`]. So a
//! signal, a caller of the library and a watch over memory all end a check in the way that `--time` does, with
//! everything that is known by then.
//!
//! Searches that race for one answer have a token each, the [children](Cancel::child) of the token of the check. Such a
//! search can also be told to [pause](Cancel::pause): it waits where it asks for its deadline next.
//!
//! The state of a token lives as long as the process, which makes a deadline a plain value that threads and machine code
//! can hold. It takes a few bytes per token.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::{Duration, Instant};

use crate::Limit;

/// A token to end a check early, from any thread.
#[derive(Clone, Copy, Debug)]
pub struct Cancel(&'static Token);

/// The state of a token.
#[derive(Debug)]
struct Token {
    /// The number of the reason why it was cancelled.
    reason: AtomicU8,
    /// Whether whoever works under it has to wait.
    paused: AtomicBool,
    /// What cancels it, too.
    parent: Option<Cancel>,
}

/// How often someone who waits looks again.
const NAP: Duration = Duration::from_millis(1);

/// What can be asked for, in the order of their numbers in a token; zero is nothing.
const REASONS: [Limit; 3] = [Limit::Cancelled, Limit::Memory, Limit::Time];

impl Cancel {
    #[must_use]
    pub fn new() -> Self {
        Cancel::child(None)
    }

    /// A new token that its parent, if it has one, cancels as well.
    #[must_use]
    pub fn child(parent: Option<Cancel>) -> Self {
        let (reason, paused) = (AtomicU8::new(0), AtomicBool::new(false));
        Cancel(Box::leak(Box::new(Token { reason, paused, parent })))
    }

    /// Asks that the check ends. The first reason that is given stays.
    pub fn cancel(self, reason: Limit) {
        let number = REASONS.iter().position(|known| *known == reason).unwrap_or(0) as u8 + 1;
        let _ = self.0.reason.compare_exchange(0, number, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Why the check was asked to end, if it was.
    #[must_use]
    pub fn reason(self) -> Option<Limit> {
        match self.0.reason.load(Ordering::Relaxed) {
            0 => self.0.parent.and_then(Cancel::reason),
            number => Some(REASONS[usize::from(number) - 1]),
        }
    }

    /// Whoever works under it waits from its next look at the deadline on, or goes on.
    pub fn pause(self, waits: bool) {
        self.0.paused.store(waits, Ordering::Relaxed);
    }

    /// Waits while it is to wait, at most until a moment.
    fn wait(self, until: Option<Instant>) {
        let late = || until.is_some_and(|until| Instant::now() > until);
        while self.0.paused.load(Ordering::Relaxed) && self.reason().is_none() && !late() {
            std::thread::sleep(NAP);
        }
    }
}

impl Default for Cancel {
    fn default() -> Self {
        Cancel::new()
    }
}

impl PartialEq for Cancel {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Cancel {}

/// When work must end; never, by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deadline {
    at: Option<Instant>,
    cancel: Option<Cancel>,
}

impl Deadline {
    /// Never.
    pub const NEVER: Deadline = Deadline { at: None, cancel: None };

    /// After so much time, if it is limited, or when a token says so.
    #[must_use]
    pub fn new(time: Option<Duration>, cancel: Option<Cancel>) -> Self {
        Deadline { at: time.and_then(|time| Instant::now().checked_add(time)), cancel }
    }

    /// Whether it has passed. Where its token says so, this waits.
    #[must_use]
    pub fn has_passed(self) -> bool {
        if let Some(cancel) = self.cancel {
            cancel.wait(self.at);
        }
        self.cancel.is_some_and(|cancel| cancel.reason().is_some())
            || self.at.is_some_and(|at| Instant::now() > at)
    }

    /// The same, or a moment if that is earlier.
    #[must_use]
    pub fn or_at(self, moment: Instant) -> Self {
        Deadline { at: Some(self.at.map_or(moment, |at| at.min(moment))), ..self }
    }

    /// The same, but not before so much time from now, unless a token says so.
    #[must_use]
    pub fn and_at_least(self, time: Duration) -> Self {
        Deadline {
            at: self.at.zip(Instant::now().checked_add(time)).map(|(at, least)| at.max(least)),
            ..self
        }
    }

    /// How much time is left, if it is limited.
    #[must_use]
    pub fn left(self) -> Option<Duration> {
        self.at.map(|at| at.saturating_duration_since(Instant::now()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_and_tokens_end_work() {
        assert!(!Deadline::NEVER.has_passed());
        assert!(
            Deadline::new(Some(Duration::ZERO), None).or_at(Instant::now()).left() == Some(Duration::ZERO)
        );
        let cancel = Cancel::new();
        let deadline = Deadline::new(Some(Duration::from_secs(3600)), Some(cancel));
        assert!(!deadline.has_passed() && deadline.left() > Some(Duration::from_secs(3500)));
        cancel.cancel(Limit::Memory);
        cancel.cancel(Limit::Cancelled);
        assert!(deadline.has_passed());
        assert_eq!(cancel.reason(), Some(Limit::Memory));
        assert!(cancel != Cancel::new());
    }

    #[test]
    fn a_child_waits_alone_and_ends_with_its_parent() {
        let parent = Cancel::new();
        let child = Cancel::child(Some(parent));
        let deadline = Deadline::new(None, Some(child));
        child.pause(true);
        let waiting = std::thread::spawn(move || deadline.has_passed());
        assert!(!Deadline::new(None, Some(parent)).has_passed());
        std::thread::sleep(Duration::from_millis(20));
        assert!(!waiting.is_finished(), "it waits");
        child.pause(false);
        assert!(!waiting.join().expect("no panic"), "it goes on");
        child.pause(true);
        parent.cancel(Limit::Cancelled);
        assert!(deadline.has_passed());
        assert_eq!(child.reason(), Some(Limit::Cancelled));
    }
}
