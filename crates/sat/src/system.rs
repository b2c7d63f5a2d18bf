//! A model as circuits: its state as variables of few values, its rule instances, and what is wrong in a state.
//!
//! Cubes and clauses speak of *values of cells*, not of bits (after the multi-valued IC3 of the literature): "the cache is
//! not exclusive" stays one literal whatever the code of the enumeration is, and permutations map literals to literals.
//! A [`Variable`] is therefore a cell with all its numbers, or, where a cell has more than [`MOST_VALUES`], one of its bits.

use std::ops::ControlFlow;

use burnside_encode::{EncodeError, Encoding, FaultCase, Instance, Refusal, Step};
use burnside_model::code::{Cell, Semantics};
use burnside_model::findings::Checks;
use burnside_model::system::{Machine, Outcome, PropertyKind};
use burnside_model::{DeadlockMode, Model, System as _};
use burnside_symmetry::{Action, Permutation};

use crate::circuit::{Circuit, FALSE, Ref};

/// A cell with more values than this is split into its bits.
pub const MOST_VALUES: u64 = 64;

/// Start states beyond which a model is refused.
const MOST_STARTS: usize = 50_000;

/// A part of the state that cubes speak of: a cell, or one bit of a cell that has many values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    pub cell: usize,
    /// Its first bit in the state.
    pub first: usize,
    pub width: usize,
    /// How many values it has, counted from 0.
    pub values: u32,
    /// Whether it is the whole cell.
    pub whole: bool,
}

/// A state, as the value of each variable.
pub type State = Vec<u32>;

/// A model as circuits.
pub struct System<'m> {
    /// How states are written in bits.
    pub encoding: Encoding<'m>,
    /// All functions of the state.
    pub circuit: Circuit,
    /// The parts of the state.
    pub variables: Vec<Variable>,
    /// For each variable and value, where it has it.
    pub atoms: Vec<Vec<Ref>>,
    /// What each rule instance does.
    pub steps: Vec<Step<Ref>>,
    /// Where the bits are those of a state.
    pub valid: Ref,
    /// Where something is wrong: an invariant does not hold, something goes wrong at run time, a deadlock.
    pub bad: Ref,
    pub starts: Vec<Vec<Cell>>,
    /// Whether a start state itself goes wrong.
    pub failed_start: bool,
}

/// What is asked of a model: which of its properties, and how code is understood.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// The choices that the language leaves open.
    pub semantics: Semantics,
    /// What counts as a deadlock.
    pub deadlock: DeadlockMode,
}

/// The reason why something has no circuit.
pub(crate) fn refusal(error: EncodeError<std::convert::Infallible>) -> Refusal {
    match error {
        EncodeError::Refused(refusal) => refusal,
        EncodeError::Algebra(never) => match never {},
    }
}

impl<'m> System<'m> {
    /// The circuits of a model, of all its rule instances.
    pub fn new(model: &'m Model, question: Question) -> Result<Self, Refusal> {
        let encoding = Encoding::new(model, question.semantics)?;
        let instances: Vec<Instance> =
            encoding.instances()?.into_iter().flat_map(|component| component.instances).collect();
        System::of_instances(encoding, &instances, question, &|_| true)
    }

    /// The circuits of a model, of some of its rule instances only (deadlocks need all of them). Of run-time errors only
    /// those that `counts` are something wrong; a step or property with another one does not happen.
    pub fn of_instances(
        encoding: Encoding<'m>,
        instances: &[Instance],
        question: Question,
        counts: &dyn Fn(&FaultCase<Ref>) -> bool,
    ) -> Result<Self, Refusal> {
        let model = encoding.model;
        let mut circuit = Circuit::new(encoding.bits().len());
        let steps = encoding.rules(&mut circuit, instances).map_err(refusal)?;
        let variables = variables(&encoding);
        let mut atoms = Vec::with_capacity(variables.len());
        for variable in &variables {
            let bits: Vec<Ref> =
                (variable.first..variable.first + variable.width).map(|bit| circuit.bit(bit)).collect();
            let values = 0..u64::from(variable.values);
            atoms.push(values.map(|value| circuit.equals(&bits, value)).collect());
        }
        let Ok(valid) = encoding.valid(&mut circuit);
        let (starts, failed_start) = starts(model, question.semantics)?;
        let bad = FALSE;
        let mut system =
            System { encoding, circuit, variables, atoms, steps, valid, bad, starts, failed_start };
        system.bad = system.wrong(question, counts)?;
        Ok(system)
    }

    /// Where something is wrong.
    fn wrong(
        &mut self,
        question: Question,
        counts: &dyn Fn(&FaultCase<Ref>) -> bool,
    ) -> Result<Ref, Refusal> {
        let faults = self.steps.iter().flat_map(|step| &step.faults).filter(|fault| counts(fault));
        let mut wrong: Vec<Ref> = faults.map(|fault| fault.condition).collect();
        for property in 0..self.encoding.model.properties.len() {
            if self.encoding.model.properties[property].kind == PropertyKind::Invariant {
                wrong.push(self.violated(property, counts)?);
            }
        }
        if Checks::new(self.encoding.model, question.deadlock).deadlocks.is_some() {
            wrong.push(self.deadlock(question.deadlock));
        }
        Ok(self.circuit.any(wrong))
    }

    /// For each check that is decided by single states, where it fails, or for a cover, where it is reached. What goes wrong
    /// in the conditions of formulas is not among them, nor what start states themselves do.
    pub fn targets(&mut self, checks: &Checks, deadlock: DeadlockMode) -> Result<Vec<(usize, Ref)>, Refusal> {
        let mut found: Vec<Vec<Ref>> = checks.list.iter().map(|_| Vec::new()).collect();
        let mut covers: Vec<(u32, Ref)> = Vec::new();
        for step in &self.steps {
            found[checks.faults].extend(step.faults.iter().map(|fault| fault.condition));
            covers.extend(&step.covers);
        }
        for (check, property, kind) in &checks.evaluated {
            let condition = self.encoding.property(&mut self.circuit, *property).map_err(refusal)?;
            let faults: Vec<Ref> = condition.faults.iter().map(|fault| fault.condition).collect();
            found[checks.faults].extend(&faults);
            covers.extend(&condition.covers);
            let evaluated = self.circuit.any(faults) ^ 1;
            match kind {
                PropertyKind::Invariant => {
                    found[*check].push(self.circuit.both(evaluated, condition.holds ^ 1));
                }
                PropertyKind::Cover => {
                    for instance in &condition.instances {
                        let holds = self.circuit.both(instance.exists, instance.holds);
                        found[*check].push(self.circuit.both(evaluated, holds));
                    }
                }
                _ => {}
            }
        }
        if let Some(check) = checks.deadlocks {
            found[check].push(self.deadlock(deadlock));
        }
        for (check, list) in checks.list.iter().zip(&mut found) {
            let stated = check.index.filter(|_| check.kind == PropertyKind::Cover);
            list.extend(covers.iter().filter(|(at, _)| stated == Some(*at as usize)).map(|(_, f)| *f));
        }
        let by_states = |(check, _): &(usize, Vec<Ref>)| {
            use PropertyKind::{Cover, Invariant, NoDeadlock, NoFault};
            matches!(checks.list[*check].kind, Invariant | Cover | NoDeadlock | NoFault)
        };
        let found: Vec<_> = found.into_iter().enumerate().filter(by_states).collect();
        Ok(found.into_iter().map(|(check, list)| (check, self.circuit.any(list))).collect())
    }

    /// Where an invariant does not hold or cannot be evaluated.
    fn violated(
        &mut self,
        property: usize,
        counts: &dyn Fn(&FaultCase<Ref>) -> bool,
    ) -> Result<Ref, Refusal> {
        let condition = self.encoding.property(&mut self.circuit, property).map_err(refusal)?;
        let all = condition.faults.iter().map(|fault| fault.condition).collect();
        let evaluated = self.circuit.any(all) ^ 1;
        let faults = condition.faults.iter().filter(|fault| counts(fault));
        let mut wrong: Vec<Ref> = faults.map(|fault| fault.condition).collect();
        wrong.push(self.circuit.both(evaluated, condition.holds ^ 1));
        Ok(self.circuit.any(wrong))
    }

    /// Where no step counts as one that a deadlock does not have.
    fn deadlock(&mut self, mode: DeadlockMode) -> Ref {
        let mut goes_on = Vec::new();
        for step in 0..self.steps.len() {
            let Step { next, dropped, .. } = self.steps[step];
            goes_on.push(dropped);
            goes_on.extend(self.steps[step].faults.iter().map(|fault| fault.condition));
            if mode == DeadlockMode::Stuck {
                goes_on.push(next);
                continue;
            }
            let updates = self.steps[step].updates.clone();
            let changed = updates.into_iter().map(|(bit, f)| {
                let before = self.circuit.bit(bit);
                self.circuit.choice(before, f ^ 1, f)
            });
            let changed = changed.collect();
            let changed = self.circuit.any(changed);
            goes_on.push(self.circuit.both(next, changed));
        }
        self.circuit.any(goes_on) ^ 1
    }

    /// Where a variable has a value after a step.
    pub fn after(&mut self, step: usize, variable: usize, value: u32) -> Ref {
        let Variable { first, width, .. } = self.variables[variable];
        let updates = &self.steps[step].updates;
        let written = |bit: usize| updates.iter().find(|(written, _)| *written == bit).map(|(_, f)| *f);
        if (first..first + width).all(|bit| written(bit).is_none()) {
            return self.atoms[variable][value as usize];
        }
        let bits: Vec<Ref> =
            (first..first + width).map(|bit| written(bit).unwrap_or(self.circuit.bit(bit))).collect();
        self.circuit.equals(&bits, value.into())
    }

    /// Whether a step may change a variable.
    pub fn writes(&self, step: usize, variable: usize) -> bool {
        let Variable { first, width, .. } = self.variables[variable];
        self.steps[step].updates.iter().any(|(bit, _)| (first..first + width).contains(bit))
    }

    pub fn state(&self, cells: &[Cell]) -> State {
        let number = |variable: &Variable| {
            let cell = &self.encoding.cells()[variable.cell];
            let number = cell.number(cells[variable.cell]);
            let below = cell.first + cell.width - variable.first - variable.width;
            if variable.whole { number as u32 } else { (number >> below & 1) as u32 }
        };
        self.variables.iter().map(number).collect()
    }

    /// The content of a value of a variable that is a whole cell.
    pub fn content(&self, variable: usize, value: u32) -> Cell {
        self.encoding.cells()[self.variables[variable].cell].content(value.into())
    }
}

fn variables(encoding: &Encoding<'_>) -> Vec<Variable> {
    let mut variables = Vec::new();
    for (number, cell) in encoding.cells().iter().enumerate() {
        let values = cell.values + u64::from(cell.undefined);
        if values <= MOST_VALUES {
            let (first, width) = (cell.first, cell.width);
            variables.push(Variable { cell: number, first, width, values: values as u32, whole: true });
            continue;
        }
        let bit = |bit| Variable { cell: number, first: cell.first + bit, width: 1, values: 2, whole: false };
        variables.extend((0..cell.width).map(bit));
    }
    variables
}

/// The start states, and whether one goes wrong.
fn starts(model: &Model, semantics: Semantics) -> Result<(Vec<Vec<Cell>>, bool), Refusal> {
    let (mut starts, mut failed) = (std::collections::BTreeSet::new(), false);
    // The machine has no deadline.
    let _ = Machine::new(model, semantics).initial(&mut |step| {
        match step.outcome {
            Outcome::State(state) => drop(starts.insert(state.to_vec())),
            Outcome::Dropped => {}
            Outcome::Fault(_) | Outcome::GuardFault(_) => failed = true,
        }
        if starts.len() > MOST_STARTS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    if starts.len() > MOST_STARTS {
        let reason = format!("it has more than {MOST_STARTS} start states");
        return Err(Refusal { reason, span: None });
    }
    Ok((starts.into_iter().collect(), failed))
}

/// The start states and all their images, each with the permutation that leads there from a start state.
pub(crate) fn closed_starts(starts: &[Vec<Cell>], action: Option<&Action>) -> Vec<(Vec<Cell>, Permutation)> {
    let Some(action) = action else {
        return starts.iter().map(|start| (start.clone(), Permutation::identity(&[]))).collect();
    };
    let mut seen: std::collections::HashSet<Vec<Cell>> = starts.iter().cloned().collect();
    let mut closed: Vec<_> = starts.iter().map(|start| (start.clone(), action.identity())).collect();
    let (generators, mut at) = (action.generators(), 0);
    while at < closed.len() {
        for generator in &generators {
            let mut image = Vec::new();
            action.apply(generator, &closed[at].0, &mut image);
            if seen.insert(image.clone()) {
                let permutation = generator.compose(&closed[at].1);
                closed.push((image, permutation));
            }
        }
        at += 1;
    }
    closed
}
