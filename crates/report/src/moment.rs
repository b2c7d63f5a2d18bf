//! The times of a run of a timed model: when each step is taken, and what the clocks show then.
//!
//! Times are exact fractions. As text they are mixed numbers (`2 1/2`), which can be added up by hand. As JSON each is an
//! object with the exact fraction as a string and a decimal number, because `1/3` has no decimal that equals it.

use std::fmt::{self, Write};

use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::trace::TraceMode;

/// An exact time, in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fraction {
    numerator: i64,
    /// Positive.
    denominator: i64,
}

impl Fraction {
    /// A fraction with a positive denominator.
    pub fn new(numerator: i64, denominator: i64) -> Fraction {
        let divisor = gcd(numerator.abs(), denominator).max(1);
        Fraction { numerator: numerator / divisor, denominator: denominator / divisor }
    }

    /// The fraction as text: `5/2`, or `3` if it is an integer.
    pub fn exact(self) -> String {
        match self.denominator {
            1 => self.numerator.to_string(),
            denominator => format!("{}/{denominator}", self.numerator),
        }
    }

    /// The nearest decimal number.
    pub fn decimal(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    pub fn is_zero(self) -> bool {
        self.numerator == 0
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// As a mixed number: `2 1/2`.
impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.numerator / self.denominator, self.numerator % self.denominator);
        match (whole, rest) {
            (_, 0) => write!(f, "{whole}"),
            (0, _) => write!(f, "{rest}/{}", self.denominator),
            _ => write!(f, "{whole} {}/{}", rest.abs(), self.denominator),
        }
    }
}

impl Serialize for Fraction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Fraction", 2)?;
        object.serialize_field("exact", &self.exact())?;
        object.serialize_field("decimal", &self.decimal())?;
        object.end()
    }
}

/// A clock at the moment of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockReport {
    pub name: String,
    /// Its value when the step is taken, after the delay.
    pub before: Fraction,
    /// Its value after the step, which may have set it.
    pub after: Fraction,
    /// Whether the property reads it.
    pub read: bool,
}

/// An edge that a process takes.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct EdgeReport {
    /// The process with its parameters.
    pub process: String,
    /// The location that it leaves.
    pub from: String,
    /// The location that it enters.
    pub to: String,
}

/// When a step of a timed run is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The time since the step before.
    pub delay: Fraction,
    /// The time since the start.
    pub time: Fraction,
    /// The edges that are taken together, the sender's first; none at the start and at the end.
    pub edges: Vec<EdgeReport>,
    /// The channel on which they synchronise.
    pub channel: Option<String>,
    pub clocks: Vec<ClockReport>,
}

impl Moment {
    /// The head of a step as text: `after 3, at time 5 1/2 on go`.
    pub fn head(&self) -> String {
        let delay = if self.delay.is_zero() { "at once".to_owned() } else { format!("after {}", self.delay) };
        let channel = self.channel.as_ref().map(|channel| format!(" on {channel}")).unwrap_or_default();
        format!("{delay}, at time {}{channel}", self.time)
    }

    /// The clocks to show, one per line: all of them, or those that were set and those that the property reads.
    pub(crate) fn write_clocks(&self, mode: TraceMode, text: &mut String) {
        for ClockReport { name, before, after, read } in &self.clocks {
            if mode != TraceMode::Full && before == after && !read {
                continue;
            }
            let _ = if before == after {
                writeln!(text, "      clock {name}: {after}")
            } else {
                writeln!(text, "      clock {name}: {before} -> {after}")
            };
        }
    }

    /// Whether a trace that shows changes shows a clock here.
    pub(crate) fn shows_clocks(&self) -> bool {
        self.clocks.iter().any(|clock| clock.read || clock.before != clock.after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_exact() {
        let text = |n, d| Fraction::new(n, d).to_string();
        assert_eq!([text(0, 7), text(6, 3), text(5, 2), text(2, 6)], ["0", "2", "2 1/2", "1/3"]);
        let json = serde_json::to_string(&Fraction::new(32, 6)).unwrap();
        assert_eq!(json, r#"{"exact":"16/3","decimal":5.333333333333333}"#);
    }
}
