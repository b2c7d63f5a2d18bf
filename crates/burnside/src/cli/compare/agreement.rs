//! What checks of one model must agree on, whatever their engines and reductions:
//!
//! * of no property does one say that it holds and another that it is violated, and all know the same properties;
//! * those that explored everything know the same number of states, directly or as the sum of the sizes of the orbits;
//! * those of them that keep one representative per orbit of the same group, or count orbits, have the same number of them.
//!
//! `unknown` agrees with everything: a limit may have come first.

use burnside::Verdict;
use burnside::report::comparison::{Figures, Outcome, Row, shown};

/// A check that gave a result, and what it found.
type Done<'a> = (&'a Row, &'a Figures);

/// What contradicts each other, and what failed.
pub fn disagreements(rows: &[Row]) -> Vec<String> {
    let done: Vec<Done> = rows.iter().filter_map(|row| Some((row, row.figures()?))).collect();
    let complete: Vec<Done> = done.iter().copied().filter(|(_, figures)| figures.is_complete()).collect();
    let mut found: Vec<String> = rows.iter().filter_map(failure).collect();
    found.extend(properties(&done));
    found.extend(verdicts(&done));
    found.extend(differing("states", &complete, |figures| {
        let unreduced = figures.states.as_ref().filter(|_| figures.reduction == "none" && figures.one_run);
        Some((String::new(), figures.full_states.as_ref().or(unreduced)?.clone()))
    }));
    found.extend(inner(&complete));
    found.extend(differing("orbits", &complete, |figures| {
        Some((figures.structure.clone(), figures.orbits()?.to_owned()))
    }));
    found
}

/// What the checks say together; unknown if they contradict each other.
pub fn verdict(rows: &[Row], disagreements: &[String]) -> Verdict {
    let says = |verdict: Verdict| {
        rows.iter().filter_map(Row::figures).any(|figures| figures.verdict == verdict.name())
    };
    match () {
        () if !disagreements.is_empty() => Verdict::Unknown,
        () if says(Verdict::Violated) => Verdict::Violated,
        () if says(Verdict::Holds) => Verdict::Holds,
        () => Verdict::Unknown,
    }
}

fn failure(row: &Row) -> Option<String> {
    match &row.outcome {
        Outcome::Failed(why) => Some(format!("{} fails: {why}", row.title())),
        _ => None,
    }
}

/// Checks that do not know the same properties as the first.
fn properties(done: &[Done]) -> Vec<String> {
    let names = |figures: &Figures| -> Vec<(String, String)> {
        figures.properties.iter().map(|property| (property.kind.clone(), property.name.clone())).collect()
    };
    let Some(((first, figures), others)) = done.split_first() else { return Vec::new() };
    let differs = others.iter().filter(|(_, other)| names(other) != names(figures));
    differs
        .map(|(row, _)| format!("{} and {} list different properties", first.title(), row.title()))
        .collect()
}

/// Properties that hold by one check and are violated by another.
fn verdicts(done: &[Done]) -> Vec<String> {
    let mut found = Vec::new();
    let most = done.iter().map(|(_, figures)| figures.properties.len()).max().unwrap_or(0);
    for at in 0..most {
        let by = |verdict: &str| {
            let says = |figures: &Figures| figures.properties.get(at).is_some_and(|p| p.verdict == verdict);
            done.iter().find(|(_, figures)| says(figures))
        };
        if let (Some((holds, figures)), Some((violated, _))) = (by("holds"), by("violated")) {
            let property = &figures.properties[at];
            found.push(format!(
                "{} \"{}\" holds by {} and is violated by {}",
                property.kind,
                property.name,
                holds.title(),
                violated.title()
            ));
        }
    }
    found
}

/// Checks without reduction whose own two counts differ.
fn inner(complete: &[Done]) -> Vec<String> {
    let differs = |figures: &Figures| {
        figures.reduction == "none"
            && figures.one_run
            && figures.full_states.is_some()
            && figures.full_states != figures.states
    };
    let rows = complete.iter().filter(|(_, figures)| differs(figures));
    rows.map(|(row, _)| format!("{} stores another number of states than it counts", row.title())).collect()
}

/// Counts that must be equal wherever their key is, but are not.
fn differing(
    what: &str,
    complete: &[Done],
    count: impl Fn(&Figures) -> Option<(String, String)>,
) -> Vec<String> {
    let counts: Vec<(&Row, (String, String))> =
        complete.iter().filter_map(|(row, figures)| Some((*row, count(figures)?))).collect();
    let mut found = Vec::new();
    for (at, (row, (key, number))) in counts.iter().enumerate() {
        // One sentence for each check that differs from the first with its key.
        let Some((first, (_, expected))) = counts[..at].iter().find(|(_, (other, _))| other == key) else {
            continue;
        };
        if number != expected {
            found.push(format!(
                "{} {what} by {}, {} by {}",
                shown(expected),
                first.title(),
                shown(number),
                row.title()
            ));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use burnside::report::comparison::Property;

    use super::*;

    fn row(reduction: &str, change: impl FnOnce(&mut Figures)) -> Row {
        let property =
            |name: &str| Property { name: name.into(), kind: "invariant".into(), verdict: "holds".into() };
        let mut figures = Figures {
            verdict: "holds".into(),
            properties: vec![property("a"), property("b")],
            reduction: reduction.into(),
            exact: true,
            orbits: None,
            structure: if reduction == "none" { "trivial".into() } else { "S3(Pid)".into() },
            one_run: true,
            states: Some(if reduction == "none" { "36" } else { "9" }.into()),
            full_states: Some("36".into()),
            certain: true,
            ..Figures::default()
        };
        change(&mut figures);
        Row { engine: "e".into(), reduction: reduction.into(), outcome: Outcome::Done(Box::new(figures)) }
    }

    /// What is found when the second check differs from the others so.
    fn found(reduction: &str, change: impl FnOnce(&mut Figures)) -> Vec<String> {
        let rows = [row("none", |_| ()), row(reduction, change), row("canonical", |_| ())];
        let found = disagreements(&rows);
        assert_eq!(verdict(&rows, &found) == Verdict::Unknown, !found.is_empty());
        found
    }

    #[test]
    fn agreement() {
        assert!(found("dynamic", |_| ()).is_empty());
        assert!(found("none", |_| ()).is_empty());
    }

    #[test]
    fn verdicts_that_differ() {
        let found = found("dynamic", |figures| figures.properties[1].verdict = "violated".into());
        assert_eq!(found, ["invariant \"b\" holds by e none and is violated by e dynamic"]);
    }

    #[test]
    fn counts_that_differ() {
        let states = found("dynamic", |figures| figures.full_states = Some("35".into()));
        assert_eq!(states, ["36 states by e none, 35 by e dynamic"]);
        let orbits = found("dynamic", |figures| figures.states = Some("8".into()));
        assert_eq!(orbits, ["8 orbits by e dynamic, 9 by e canonical"]);
        let unreduced = found("none", |figures| {
            figures.states = Some("35".into());
            figures.full_states = None;
        });
        assert_eq!(unreduced, ["36 states by e none, 35 by e none"]);
        assert_eq!(found("none", |figures| figures.states = Some("35".into())).len(), 1);
    }

    #[test]
    fn a_property_that_is_missing() {
        let found = found("dynamic", |figures| drop(figures.properties.pop()));
        assert_eq!(found, ["e none and e dynamic list different properties"]);
    }

    #[test]
    fn what_need_not_be_equal() {
        let limited = |figures: &mut Figures| {
            figures.limit = Some("time".into());
            figures.states = Some("5".into());
            figures.full_states = Some("12".into());
            figures.verdict = "unknown".into();
            figures.properties[0].verdict = "unknown".into();
        };
        assert!(found("dynamic", limited).is_empty());
        assert!(
            found("sorted", |figures| (figures.states, figures.exact) = (Some("11".into()), false))
                .is_empty()
        );
        let counted = found("sorted", |figures| {
            (figures.states, figures.exact, figures.orbits) = (Some("13".into()), false, Some("11".into()));
        });
        assert_eq!(counted.len(), 1, "{counted:?}");
        assert!(found("adaptive", |figures| figures.states = Some("7".into())).is_empty());
        assert!(found("dynamic", |figures| figures.full_states = None).is_empty());
        let other_group = |figures: &mut Figures| {
            (figures.states, figures.structure) = (Some("20".into()), "S2(Pid)".into());
        };
        assert!(found("dynamic", other_group).is_empty());
    }

    #[test]
    fn what_failed() {
        let failed = Outcome::Failed("a signal ended it".into());
        let rows =
            [row("none", |_| ()), Row { engine: "e".into(), reduction: "dynamic".into(), outcome: failed }];
        assert_eq!(disagreements(&rows), ["e dynamic fails: a signal ended it"]);
    }
}
