//! Entries of multisets that came and went: `+ net: {GetM, Proc_1 -> Home}`.
//!
//! A state keeps the slots of a multiset sorted, so a message that is sent or received moves others to new slots. A
//! reader wants the messages. Here the bags before and after a step are compared, and each difference is one line; the
//! slots themselves stay in JSON, which is exact.

use std::collections::BTreeMap;

use burnside_model::code::{Cell, TypeKind, Types, UNDEFINED};
use burnside_model::system::StateCell;

use crate::value::Value;

/// An entry of a multiset that came or went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryChange {
    /// Whether it came.
    pub added: bool,
    /// The multiset.
    pub set: String,
    /// What it is, in braces.
    pub entry: String,
}

impl std::fmt::Display for EntryChange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}: {}", if self.added { '+' } else { '-' }, self.set, self.entry)
    }
}

/// Names of fields for who sends and who receives, in lower case.
const SENDERS: &[&str] = &["src", "source", "from", "sender"];
const RECEIVERS: &[&str] = &["dst", "dest", "destination", "to", "to_", "receiver"];

/// The entries that a step added to multisets and removed from them; removed ones first, set by set.
pub(crate) fn entry_changes(
    types: &Types,
    cells: &[StateCell],
    before: &[Cell],
    after: &[Cell],
) -> Vec<EntryChange> {
    let mut counts: BTreeMap<(String, String), i64> = BTreeMap::new();
    for (state, by) in [(before, -1), (after, 1)] {
        for (set, entry) in entries(types, cells, state) {
            *counts.entry((set, entry)).or_default() += by;
        }
    }
    let mut changes = Vec::new();
    for ((set, entry), count) in counts {
        let change = EntryChange { added: count > 0, set, entry };
        changes.extend(std::iter::repeat_n(change, count.unsigned_abs() as usize));
    }
    changes.sort_by(|a, b| a.set.cmp(&b.set).then(a.added.cmp(&b.added)));
    changes
}

/// The entries in use: the multiset, and the content.
fn entries(types: &Types, cells: &[StateCell], state: &[Cell]) -> Vec<(String, String)> {
    let mut entries = Vec::new();
    for (at, cell) in cells.iter().enumerate() {
        if cell.slot != Some(at as u32) || state[at] != 1 {
            continue;
        }
        let content = cells.iter().zip(state).enumerate().skip(at + 1);
        let content: Vec<(&str, &StateCell, Cell)> = content
            .take_while(|(_, (part, _))| part.slot == cell.slot)
            .map(|(_, (part, value))| (field(&cell.name, &part.name), part, *value))
            .collect();
        let set = cell.name.rsplit_once('[').map_or(cell.name.as_str(), |(set, _)| set);
        entries.push((set.to_owned(), format!("{{{}}}", describe(types, &content))));
    }
    entries
}

/// The way from a slot to a part of it, without the dot.
fn field<'a>(slot: &str, part: &'a str) -> &'a str {
    part.strip_prefix(slot).unwrap_or(part).trim_start_matches('.')
}

/// The values that are defined: those of enums alone, sender and receiver with an arrow, others with their names.
fn describe(types: &Types, content: &[(&str, &StateCell, Cell)]) -> String {
    let find = |names: &[&str]| {
        let is = |(name, _, value): &&(&str, &StateCell, Cell)| {
            *value != UNDEFINED && names.contains(&name.to_ascii_lowercase().as_str())
        };
        content.iter().find(is).map(|(name, cell, value)| (*name, Value::new(types, cell.ty, *value)))
    };
    let ends = find(SENDERS).zip(find(RECEIVERS));
    let mut parts = Vec::new();
    for (name, cell, value) in content.iter().filter(|(_, _, value)| *value != UNDEFINED) {
        let shown = Value::new(types, cell.ty, *value);
        match &ends {
            Some(((sender, from), (_, to))) if name == sender => parts.push(format!("{from} -> {to}")),
            Some((_, (receiver, _))) if name == receiver => {}
            _ if name.is_empty() || matches!(types[cell.ty].kind, TypeKind::Enum(_)) => {
                parts.push(shown.to_string());
            }
            _ => parts.push(format!("{name}: {shown}")),
        }
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use burnside_model::code::Field;
    use burnside_model::{Model, Span};

    use super::*;

    #[test]
    fn messages_come_and_go_whatever_their_slots() {
        let mut model = Model::default();
        let add = |model: &mut Model, kind| model.types.add(None, kind).expect("it is small");
        let kind = add(&mut model, TypeKind::Enum(vec!["Get".to_owned(), "Put".to_owned()]));
        let number = add(&mut model, TypeKind::Range(0, 3));
        let field = |name: &str, ty| Field { name: name.to_owned(), ty, offset: 0 };
        let fields =
            vec![field("kind", kind), field("src", number), field("dst", number), field("n", number)];
        let element = add(&mut model, TypeKind::Record(fields));
        let set = add(&mut model, TypeKind::Multiset { capacity: 2, element });
        model.add_global("net", set, Span::default());
        let cells = model.state_cells();
        let lines = |before: &[Cell], after: &[Cell]| -> Vec<String> {
            entry_changes(&model.types, &cells, before, after).iter().map(ToString::to_string).collect()
        };
        let u = UNDEFINED;
        let before = [1, 1, 2, 3, u, 0, u, u, u, u];
        let after = [1, 0, u, 1, 2, 1, 1, 2, 3, u];
        // `Put` has moved to the other slot, which is no change.
        assert_eq!(lines(&before, &after), ["+ net: {Get, dst: 1, n: 2}"]);
        assert_eq!(lines(&after, &before), ["- net: {Get, dst: 1, n: 2}"]);
        let twice = [1, 1, 2, 3, u, 1, 1, 2, 3, u];
        assert_eq!(lines(&before, &twice), ["+ net: {Put, 2 -> 3}"]);
        assert!(lines(&twice, &twice).is_empty());
    }
}
