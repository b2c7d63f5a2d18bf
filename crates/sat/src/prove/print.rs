//! A quantified clause as a Murphi invariant, in the names of the model.
//!
//! An undefined cell must not be compared, so a literal about a cell that may be undefined asks for that first.

use std::collections::BTreeSet;

use burnside_model::Model;

use crate::clause::{Clause, Literal, Schema};

/// The names of quantified variables.
const NAMES: [&str; 8] = ["i", "j", "k", "l", "m", "n", "p", "q"];

/// The invariants that say what clauses say, to be pasted into the model. Cells in `defined` always have a value.
pub fn murphi(model: &Model, schema: &Schema, clauses: &[Clause]) -> Vec<String> {
    let defined: BTreeSet<usize> = clauses.iter().filter_map(|clause| says_defined(schema, clause)).collect();
    clauses.iter().map(|clause| invariant(model, schema, clause, &defined)).collect()
}

/// The family of which a clause says that its cells have a value, if that is all that it says.
fn says_defined(schema: &Schema, clause: &Clause) -> Option<usize> {
    let [literal] = clause.literals.as_slice() else { return None };
    let all = literal.others && literal.named.is_empty() && !literal.plain.contains("Undefined");
    let distinct: BTreeSet<_> = literal.indices.iter().collect();
    let whole = distinct.len() == literal.indices.len() && clause.variables.len() == distinct.len();
    let values = schema.families[literal.family].plain.iter().filter(|value| *value != "Undefined");
    (all && whole && values.into_iter().all(|value| literal.plain.contains(value))).then_some(literal.family)
}

fn invariant(model: &Model, schema: &Schema, clause: &Clause, defined: &BTreeSet<usize>) -> String {
    let none = BTreeSet::new();
    let defined = if says_defined(schema, clause).is_some() { &none } else { defined };
    let taken: BTreeSet<&str> = model
        .globals
        .iter()
        .map(|global| global.name.as_str())
        .chain(model.constants.iter().map(|constant| constant.name.as_str()))
        .collect();
    let name = |variable: usize| {
        let plain = NAMES.get(variable).map_or_else(|| format!("x{variable}"), |name| (*name).to_owned());
        if taken.contains(plain.as_str()) { format!("{plain}_") } else { plain }
    };
    let mut conditions = Vec::new();
    for (a, domain) in clause.variables.iter().enumerate() {
        for (b, other) in clause.variables.iter().enumerate().take(a) {
            if domain == other {
                conditions.push(format!("{} = {}", name(b), name(a)));
            }
        }
    }
    let last = clause.variables.len();
    let (of_some, plain): (Vec<&Literal>, Vec<&Literal>) =
        clause.literals.iter().partition(|one| one.indices.contains(&last));
    conditions.extend(plain.into_iter().map(|one| literal(schema, one, &name, defined)));
    if let (Some(domain), false) = (clause.some, of_some.is_empty()) {
        let ty = &model.types.domain(schema.domains[domain]).name;
        let same = (0..last).filter(|variable| clause.variables[*variable] == domain);
        let mut inner: Vec<String> = same.map(|other| format!("{} != {}", name(last), name(other))).collect();
        let some: Vec<String> = of_some.into_iter().map(|one| literal(schema, one, &name, defined)).collect();
        inner.push(if some.len() == 1 { some.join("") } else { format!("({})", some.join(" | ")) });
        conditions.push(format!("exists {}: {ty} do {} end", name(last), inner.join(" & ")));
    }
    let mut text = String::new();
    for (variable, domain) in clause.variables.iter().enumerate() {
        let ty = &model.types.domain(schema.domains[*domain]).name;
        text += &format!("forall {}: {ty} do ", name(variable));
    }
    text += &if conditions.is_empty() { "false".to_owned() } else { conditions.join(" | ") };
    text + &" end".repeat(clause.variables.len())
}

/// One literal: that a cell has one of some values.
fn literal(
    schema: &Schema,
    one: &Literal,
    name: &dyn Fn(usize) -> String,
    defined: &BTreeSet<usize>,
) -> String {
    let family = &schema.families[one.family];
    let mut cell = String::new();
    let mut indices = one.indices.iter();
    for (i, piece) in family.pieces.iter().enumerate() {
        if i > 0 && !piece.starts_with('#') {
            cell += &indices.next().map_or(String::new(), |index| name(*index));
        }
        cell += piece;
    }
    let undefined = one.plain.contains("Undefined");
    let may_be_undefined = family.undefined && !defined.contains(&one.family);
    let values: Vec<&String> = one.plain.iter().filter(|value| *value != "Undefined").collect();
    let all: Vec<&String> = family.plain.iter().filter(|value| *value != "Undefined").collect();
    let absent: Vec<&&String> = all.iter().filter(|value| !values.contains(*value)).collect();
    let is = |value: &str, yes: bool| match value {
        "true" if yes => cell.clone(),
        "false" if yes => format!("!{cell}"),
        "true" => format!("!{cell}"),
        "false" => cell.clone(),
        _ => format!("{cell} {} {value}", if yes { "=" } else { "!=" }),
    };
    // Each way to say which defined values are meant; "every one" is no condition.
    let mut some: Option<String> = None;
    let everything = absent.is_empty() && (!family.ids || one.others && one.named.is_empty());
    if !everything {
        let mut parts: Vec<String> = values.iter().map(|value| is(value, true)).collect();
        if family.ids && one.others {
            // An element other than those, which is neither of the plain values.
            let mut not: Vec<String> = absent.iter().map(|value| is(value, false)).collect();
            not.extend(one.named.iter().map(|variable| format!("{cell} != {}", name(*variable))));
            parts = vec![not.join(" & ")];
        } else if family.ids {
            parts.extend(one.named.iter().map(|variable| format!("{cell} = {}", name(*variable))));
        } else if absent.len() < values.len() {
            parts = vec![absent.iter().map(|value| is(value, false)).collect::<Vec<_>>().join(" & ")];
        }
        let text = parts.join(" | ");
        let single = parts.len() == 1 && !text.contains(" & ");
        some = Some(match parts.is_empty() {
            true => "false".to_owned(),
            false if single => text,
            false => format!("({text})"),
        });
    }
    match (may_be_undefined, undefined, some) {
        (false, _, None) => "true".to_owned(),
        (false, _, Some(some)) => some,
        (true, true, None) => "true".to_owned(),
        (true, true, Some(some)) if some == "false" => format!("isundefined({cell})"),
        (true, true, Some(some)) => format!("isundefined({cell}) | {some}"),
        (true, false, None) => format!("!isundefined({cell})"),
        (true, false, Some(some)) => format!("(!isundefined({cell}) & {some})"),
    }
}
