//! Whether the iterations of a loop commute, from what one of them does.
//!
//! Two accesses of two different iterations commute if their locations do not meet, if both write the same value, or
//! if both accumulate in the same way. If all pairs commute, so do the iterations, and each of them does what it would
//! do alone; then it does not depend on the order either whether one of them fails.
//!
//! That last point is lost where an iteration may end the loop: a `return`, or an `assume` that does not hold, can
//! keep a later iteration from failing. A `cover` is the reverse: a failure can keep it from being counted. These are
//! accepted only where nothing can fail.

use super::abstraction::{Root, Step, Val};
use super::collect::{Access, Found, Use};
use burnside_model::Span;
use burnside_model::code::LocalId;

/// Why iterations may not commute.
pub(super) struct Conflict {
    pub span: Span,
    /// The reason, up to the words "the order of …".
    pub why: String,
    /// How to write the loop instead.
    pub help: Option<&'static str>,
}

/// The first reason why iterations may not commute. `temporary` says whether a local's value is of no use outside the
/// iteration that assigned it; `home` is the number of the loop's body.
pub(super) fn conflict(
    found: &Found,
    home: u32,
    temporary: &mut dyn FnMut(LocalId) -> bool,
) -> Option<Conflict> {
    if let Some((span, why)) = found.gave_up {
        return Some(Conflict { span, why: format!("{why}; its result might depend on"), help: None });
    }
    pair(found, home, temporary).or_else(|| leaving(found)).or_else(|| dropping(found))
}

fn pair(found: &Found, home: u32, temporary: &mut dyn FnMut(LocalId) -> bool) -> Option<Conflict> {
    for (i, write) in found.accesses.iter().enumerate() {
        if write.how == Use::Read {
            continue;
        }
        for (j, other) in found.accesses.iter().enumerate() {
            let seen = j < i && other.how != Use::Read;
            if seen || commute(write, other) {
                continue;
            }
            match write.loc.root {
                Root::Local(owner, local) if owner == home && temporary(local) => break,
                _ => {
                    let help = Some(advise(write, other));
                    return Some(Conflict { span: write.span, why: explain(write, other), help });
                }
            }
        }
    }
    None
}

/// Whether two accesses of different iterations commute.
fn commute(a: &Access, b: &Access) -> bool {
    if !a.loc.meets(&b.loc) {
        return true;
    }
    match (&a.how, &b.how) {
        (Use::Write(v), Use::Write(w)) => v == w && v.text().is_some(),
        (Use::Up, Use::Up)
        | (Use::Down, Use::Down)
        | (Use::Or, Use::Or)
        | (Use::And, Use::And)
        | (Use::Insert, Use::Insert) => true,
        // What is added counts, whichever it is.
        (Use::Insert, Use::Up) => b.loc.path.last() == Some(&Step::Size),
        (Use::Up, Use::Insert) => a.loc.path.last() == Some(&Step::Size),
        _ => false,
    }
}

fn explain(write: &Access, other: &Access) -> String {
    let (name, other_name) = (&write.name, &other.name);
    match (&write.how, &other.how) {
        (_, Use::Read) if name == other_name => {
            format!("one iteration of this loop writes `{name}` and another reads it: the result depends on")
        }
        (_, Use::Read) => format!(
            "one iteration of this loop writes `{name}` and another may read it as `{other_name}`: the result depends on"
        ),
        (Use::Write(v), Use::Write(w)) if v == w && name == other_name => format!(
            "the iterations of this loop write `{name}`, each a different value: the result depends on"
        ),
        _ => format!(
            "different iterations of this loop change `{name}` in different ways: the result depends on"
        ),
    }
}

/// How to write a loop whose iterations have these two accesses.
fn advise(write: &Access, other: &Access) -> &'static str {
    let searched = |access: &Access| access.loc.path.contains(&Step::Index(Val::Vary));
    match (&write.how, &other.how) {
        (_, Use::Read) if searched(write) && searched(other) => {
            "an array whose slots are searched shows the order in which they were filled: use a `multiset` for a bag of messages"
        }
        (_, Use::Read) => {
            "let each iteration use only what belongs to its element; `exists`, `forall` and `multisetcount` look at all of them"
        }
        (Use::Write(_), Use::Write(_)) => {
            "declare with `var` what only the iteration needs; make an element that is looked for a parameter of a `ruleset`"
        }
        _ => "change it in one way only in this loop, and in the other way in a loop of its own",
    }
}

fn leaving(found: &Found) -> Option<Conflict> {
    let (value, span) = found.returns.first()?;
    let same = value.text().is_some() && found.returns.iter().all(|(other, _)| other == value);
    let (why, help) = if !same {
        (
            "the first iteration that returns decides what is returned: the result depends on",
            "make an element that is looked for a parameter of a `ruleset`, with the condition in the guard",
        )
    } else if found.accesses.iter().any(|access| access.how != Use::Read) {
        (
            "this `return` leaves the loop after some of the iterations wrote: the result depends on",
            "let the loop end, and `return` after it",
        )
    } else if found.assume.or(found.cover).or(found.fault).is_some() {
        (
            "this `return` skips the other iterations, and one of them may fail: whether it does depends on",
            "use `exists` or `forall`, which look at all elements",
        )
    } else {
        return None;
    };
    Some(Conflict { span: *span, why: why.to_owned(), help: Some(help) })
}

fn dropping(found: &Found) -> Option<Conflict> {
    let fault = found.fault.is_some();
    let (span, why) = if let (Some(span), true) = (found.assume, fault) {
        (
            span,
            "this `assume` drops the step, unless another iteration fails before: which of the two depends on",
        )
    } else if let (Some(span), true) = (found.cover, fault || found.assume.is_some()) {
        (span, "this `cover` counts, unless another iteration fails before: which of the two depends on")
    } else {
        return None;
    };
    Some(Conflict { span, why: why.to_owned(), help: None })
}

/// Whether an iteration does anything but read (for code that may only read).
pub(super) fn has_effect(found: &Found) -> bool {
    found.gave_up.is_some()
        || found.assume.is_some()
        || found.accesses.iter().any(|access| !matches!(access.how, Use::Read))
}
