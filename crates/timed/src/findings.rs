//! What was found of a network, in the form that all engines share.

use burnside_model::code::Fault;
use burnside_model::findings::{Ending, Findings, Known, PropertyResult, Witness};
use burnside_model::network::{Query, QueryKind, TimedRun};
use burnside_model::system::PropertyKind;
use burnside_model::{Network, Verdict};

use crate::check::{Answer, Best, Checked, Wanted};

impl Checked {
    /// The findings: one property per query, and one more if something went wrong at run time.
    #[must_use]
    pub fn findings(self, network: &Network, wanted: Wanted) -> Findings {
        let answers = network.queries.iter().zip(self.answers).enumerate();
        let mut properties: Vec<PropertyResult> =
            answers.map(|(index, (query, answer))| result(index, query, answer, wanted)).collect();
        properties.extend(self.fault.map(|(fault, run)| {
            let known = Known::Violated(vec![witness(run, Some(fault))]);
            PropertyResult::new(None, "no error at run time", PropertyKind::NoFault, known)
        }));
        Findings {
            properties,
            states: self.stored.into(),
            limit: self.limit,
            complete: self.limit.is_none() && !self.in_doubt,
            ..Findings::default()
        }
    }
}

fn result(index: usize, query: &Query, answer: Answer, wanted: Wanted) -> PropertyResult {
    let kind = match query.kind {
        QueryKind::Possibly(_) => PropertyKind::Cover,
        QueryKind::Invariantly(_) => PropertyKind::Invariant,
        _ => PropertyKind::Ctl,
    };
    let reason = answer.reason.clone().or_else(|| compared(kind, &answer, wanted));
    let run = answer.run.map(|run| witness(Some(run), None));
    let (known, shown) = match answer.verdict {
        Verdict::Holds => (Known::Holds, run),
        Verdict::Violated => (Known::Violated(run.into_iter().collect()), None),
        Verdict::Unknown => (Known::Unknown, None),
    };
    PropertyResult { shown, reason, ..PropertyResult::new(Some(index), &query.text, kind, known) }
}

fn witness(run: Option<TimedRun>, fault: Option<Fault>) -> Witness {
    Witness { path: Vec::new(), ending: Ending::Timed { run: run.map(Box::new), fault } }
}

/// How a run compares with all others, if that was asked for.
fn compared(kind: PropertyKind, answer: &Answer, wanted: Wanted) -> Option<String> {
    let run = answer.run.as_ref()?;
    let asked = kind != PropertyKind::Ctl;
    match (answer.best, wanted) {
        (Some(Best::Steps(steps)), _) => {
            Some(format!("no run is shorter: {}", counted(steps as i64, "step")))
        }
        (Some(Best::Time { least, taken: true }), _) => {
            Some(format!("no run is faster: {}", counted(least.into(), "time unit")))
        }
        (Some(Best::Time { least, taken: false }), _) => Some(format!(
            "every run takes more than {}, this one {}",
            counted(least.into(), "time unit"),
            fraction(run.end, run.denominator)
        )),
        (None, Wanted::Shortest) if asked => Some("a shorter run was not ruled out".to_owned()),
        (None, Wanted::Fastest) if asked => Some("a faster run was not ruled out".to_owned()),
        _ => None,
    }
}

/// So many of something.
fn counted(number: i64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// A time in words.
#[must_use]
pub fn fraction(numerator: i64, denominator: i64) -> String {
    let (whole, rest) = (numerator / denominator, numerator % denominator);
    if rest == 0 {
        return whole.to_string();
    }
    let divisor = gcd(rest, denominator);
    let part = format!("{}/{}", rest / divisor, denominator / divisor);
    if whole == 0 { part } else { format!("{whole} {part}") }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
