//! Runs under the original names: what fired, with which parameters, and what it changed.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use burnside_model::code::{Cell, Types};
use burnside_model::system::{Binder, Rule, StateCell};
use burnside_model::{Model, Trace};

use crate::entries::{EntryChange, entry_changes};
use crate::moment::Moment;
use crate::value::{Named, Value};

/// How much of each state a trace shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TraceMode {
    /// What changed.
    #[default]
    Diff,
    /// Everything.
    Full,
    /// There is no trace.
    Off,
}

/// A rule instance or start state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Firing {
    /// Whether it is a start state.
    pub start: bool,
    pub rule: String,
    /// Whether the name is the author's.
    pub named: bool,
    /// The values of its parameters.
    pub parameters: Vec<Named>,
}

/// What became of one variable; an unused slot of a multiset has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub name: String,
    /// Its value before.
    pub from: Option<Value>,
    /// Its value after.
    pub to: Option<Value>,
}

/// A property that does not hold in a state.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Failing {
    /// Its name.
    pub property: String,
    /// The part of it that fails, with its values.
    pub why: String,
}

/// A step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceStepReport {
    pub firing: Firing,
    /// The state after it.
    pub state: Vec<Named>,
    /// What it changed; nothing for a start state.
    pub changed: Vec<Change>,
    /// In a timed run: when it was taken, and the clocks.
    pub moment: Option<Moment>,
}

/// A run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TraceReport {
    /// The steps; the first is a start state.
    pub steps: Vec<TraceStepReport>,
    /// What went wrong after the last of them.
    pub failing: Option<Firing>,
    /// If the run goes on for ever: the position of a step with the same state as the last one, after which it repeats.
    pub back: Option<usize>,
    /// If it violates a temporal formula: per step, why it does.
    pub reasons: Vec<Vec<String>>,
    /// The invariants that were evaluated in each state, by name.
    pub judged: Vec<String>,
    /// Per step, those of them that do not hold in its state.
    pub fails: Vec<Vec<Failing>>,
    /// Per step, the entries that came to multisets and went from them.
    pub entries: Vec<Vec<EntryChange>>,
    /// The variables that are parts of entries: their changes are told as those of entries.
    pub in_entries: HashSet<String>,
}

impl TraceReport {
    /// A run of a model in words.
    pub fn new(model: &Model, trace: &Trace) -> Self {
        let cells = model.state_cells();
        let mut report = TraceReport::default();
        let mut before: Option<&[Cell]> = None;
        for step in &trace.steps {
            let firing = firing(model, before.is_none(), step.rule, &step.args);
            let state = named(&model.types, &cells, &step.state);
            let changed = before.map(|before| changes(&model.types, &cells, before, &step.state));
            let entries = before.map(|before| entry_changes(&model.types, &cells, before, &step.state));
            report.entries.push(entries.unwrap_or_default());
            let changed = changed.unwrap_or_default();
            report.steps.push(TraceStepReport { firing, state, changed, moment: None });
            before = Some(&step.state);
        }
        report.in_entries =
            cells.iter().filter(|cell| cell.slot.is_some()).map(|cell| cell.name.clone()).collect();
        report.back = trace.back;
        report.failing =
            trace.failing.as_ref().map(|(rule, args)| firing(model, trace.steps.is_empty(), *rule, args));
        report
    }

    /// The run as text, indented.
    pub fn text(&self, mode: TraceMode) -> String {
        let mut text = String::new();
        if mode == TraceMode::Off {
            return text;
        }
        for (at, step) in self.steps.iter().enumerate() {
            let _ = match &step.moment {
                Some(moment) if !step.firing.start => {
                    writeln!(text, "  {}: {}", moment.head(), step.firing)
                }
                Some(moment) => writeln!(text, "  {}, at time {}", step.firing, moment.time),
                None => writeln!(text, "  {}", step.firing),
            };
            if step.firing.start || mode == TraceMode::Full {
                for (name, value) in &step.state {
                    let _ = writeln!(text, "      {name}: {value}");
                }
            } else {
                for entry in self.entries.get(at).into_iter().flatten() {
                    let _ = writeln!(text, "      {entry}");
                }
                let plain = |change: &&Change| !self.in_entries.contains(&change.name);
                for Change { name, from, to } in step.changed.iter().filter(plain) {
                    let show = |value: &Option<Value>| match value {
                        Some(value) => value.to_string(),
                        None => "(unused)".to_owned(),
                    };
                    let _ = writeln!(text, "      {name}: {} -> {}", show(from), show(to));
                }
                let takes_place = step.moment.as_ref().is_none_or(|moment| !moment.edges.is_empty());
                let clocks = step.moment.as_ref().is_some_and(Moment::shows_clocks);
                if step.changed.is_empty() && takes_place && !clocks {
                    text.push_str("      (nothing changes)\n");
                }
            }
            if let Some(moment) = &step.moment {
                moment.write_clocks(mode, &mut text);
            }
            for reason in self.reasons.get(at).into_iter().flatten() {
                let _ = writeln!(text, "      ({reason})");
            }
        }
        if let Some(firing) = &self.failing {
            let _ = writeln!(text, "  {firing}\n      (goes wrong)");
        }
        match self.back.map(|back| self.steps.len().saturating_sub(back + 1)) {
            Some(0) => text.push_str("  (nothing can happen any more: it stays like this for ever)\n"),
            Some(1) => {
                text.push_str("  (the same state as one step before: it goes on like this for ever)\n")
            }
            Some(steps) => {
                let _ = writeln!(
                    text,
                    "  (the same state as {steps} steps before: it goes on like this for ever)"
                );
            }
            None => {}
        }
        text
    }
}

impl std::fmt::Display for Firing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.start, self.named) {
            (true, true) => write!(f, "start state \"{}\"", self.rule)?,
            (false, true) => write!(f, "rule \"{}\"", self.rule)?,
            (_, false) => write!(f, "{}", self.rule)?,
        }
        for (i, (name, value)) in self.parameters.iter().enumerate() {
            write!(f, "{} {name}: {value}", if i == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

/// The parameters of a rule, start state or property with these binders.
pub fn parameters(
    types: &Types,
    binders: &[Binder],
    frame: &burnside_model::code::Frame,
    args: &[Cell],
) -> Vec<Named> {
    let locals = binders.iter().filter_map(|binder| match binder {
        Binder::Each(each) => Some(each.local),
        Binder::Choose(local, _) => Some(*local),
        Binder::Alias(..) => None,
    });
    locals
        .zip(args)
        .map(|(local, cell)| (frame[local].name.clone(), Value::new(types, frame[local].ty, *cell)))
        .collect()
}

/// The variables of a state; those of unused slots of multisets are left out.
pub fn values(model: &Model, state: &[Cell]) -> Vec<Named> {
    named(&model.types, &model.state_cells(), state)
}

/// What became of the values; those that are only before or only after have come and gone.
pub fn differences(before: &[Named], after: &[Named]) -> Vec<Change> {
    let old: HashMap<&str, &Value> = before.iter().map(|(name, value)| (name.as_str(), value)).collect();
    let new: HashMap<&str, &Value> = after.iter().map(|(name, value)| (name.as_str(), value)).collect();
    let gone = before.iter().filter(|(name, _)| !new.contains_key(name.as_str()));
    let gone = gone.map(|(name, value)| Change { name: name.clone(), from: Some(value.clone()), to: None });
    let changed = after.iter().filter(|(name, value)| old.get(name.as_str()) != Some(&value));
    let changed = changed.map(|(name, value)| Change {
        name: name.clone(),
        from: old.get(name.as_str()).map(|value| (*value).clone()),
        to: Some(value.clone()),
    });
    changed.chain(gone).collect()
}

pub(crate) fn firing(model: &Model, start: bool, rule: u32, args: &[Cell]) -> Firing {
    let rules: &[Rule] = if start { &model.starts } else { &model.rules };
    let Some(rule) = rules.get(rule as usize) else {
        return Firing { start, rule: format!("rule {rule}"), named: false, parameters: Vec::new() };
    };
    Firing {
        start,
        rule: rule.name.clone(),
        named: rule.named,
        parameters: parameters(&model.types, &rule.binders, &rule.frame, args),
    }
}

/// Whether a cell holds a value: it does not if it belongs to an unused slot, or only says whether a slot is in use.
fn visible(cell: &StateCell, at: usize, state: &[Cell]) -> bool {
    match cell.slot {
        Some(used) => used as usize != at && state[used as usize] == 1,
        None => true,
    }
}

pub(crate) fn named(types: &Types, cells: &[StateCell], state: &[Cell]) -> Vec<Named> {
    let shown = cells.iter().zip(state).enumerate().filter(|(at, (cell, _))| visible(cell, *at, state));
    shown.map(|(_, (cell, value))| (cell.name.clone(), Value::new(types, cell.ty, *value))).collect()
}

fn changes(types: &Types, cells: &[StateCell], before: &[Cell], after: &[Cell]) -> Vec<Change> {
    let mut changes = Vec::new();
    for (at, cell) in cells.iter().enumerate() {
        let value = |state: &[Cell]| visible(cell, at, state).then(|| Value::new(types, cell.ty, state[at]));
        let (from, to) = (value(before), value(after));
        if from != to {
            changes.push(Change { name: cell.name.clone(), from, to });
        }
    }
    changes
}
