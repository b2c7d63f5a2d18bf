//! The transition relation of a system as clauses.
//!
//! There is one selector per rule instance, and at most one is on. A selector implies where its instance leads to a state
//! and what the bits that it writes become; a bit that no selected instance writes keeps its value. The whole relation
//! is behind one literal, so that the same solver also answers questions about single states.

use std::collections::HashMap;

use burnside_model::Deadline;

use crate::cube::{Cube, value, variable};
use crate::solver::{Frame, Lit, Solver};
use crate::system::{State, System};

/// A solver that knows the current state, the next one, and the steps between them.
pub struct Relation {
    pub solver: Solver,
    /// For each variable and value, whether it has it now.
    pub now: Vec<Vec<Lit>>,
    /// And after the step.
    pub next: Vec<Vec<Lit>>,
    /// One per rule instance.
    pub selectors: Vec<Lit>,
    /// Whether a step is taken.
    pub steps: Lit,
    /// Whether something is wrong now.
    pub bad: Lit,
}

impl Relation {
    pub fn new(system: &System<'_>, deadline: Deadline) -> Self {
        let (mut solver, mut frame) = (Solver::new(deadline), Frame::default());
        let circuit = &system.circuit;
        let valid = solver.function_in(&mut frame, circuit, system.valid);
        solver.clause(&[valid]);
        let mut now = Vec::with_capacity(system.atoms.len());
        for atoms in &system.atoms {
            let lits = atoms.iter().map(|atom| solver.function_in(&mut frame, circuit, *atom));
            now.push(lits.collect::<Vec<_>>());
        }
        let Taken { selectors, after, steps } = take_step(&mut solver, &mut frame, system);
        let next = next_atoms(&mut solver, system, &after);
        let bad = solver.function_in(&mut frame, circuit, system.bad);
        Relation { solver, now, next, selectors, steps, bad }
    }

    /// The literals of a cube in the current state.
    pub fn cube_now(&self, cube: &Cube) -> Vec<Lit> {
        cube.iter().map(|literal| !self.now[variable(*literal)][value(*literal) as usize]).collect()
    }

    /// The literals of a cube after the step.
    pub fn cube_next(&self, cube: &Cube) -> Vec<Lit> {
        cube.iter().map(|literal| !self.next[variable(*literal)][value(*literal) as usize]).collect()
    }

    /// Adds that the current state is outside a cube, if a literal holds.
    pub fn exclude(&mut self, cube: &Cube, guard: Lit) {
        let mut clause: Vec<Lit> = self.cube_now(cube).into_iter().map(|lit| !lit).collect();
        clause.push(!guard);
        self.solver.clause(&clause);
    }

    /// After *yes*: the current state.
    pub fn state(&self) -> State {
        let value = |atoms: &Vec<Lit>| atoms.iter().position(|atom| self.solver.holds(*atom)).unwrap_or(0);
        self.now.iter().map(|atoms| value(atoms) as u32).collect()
    }

    /// After *yes*: the rule instance of the step.
    pub fn selected(&self) -> Option<usize> {
        self.selectors.iter().position(|selector| self.solver.holds(*selector))
    }
}

/// A step from one state to another.
pub struct Taken {
    /// One per rule instance.
    pub selectors: Vec<Lit>,
    /// The bits of the state after it.
    pub after: Vec<Lit>,
    /// Whether a step is taken at all; if not, the states are equal.
    pub steps: Lit,
}

/// Adds the clauses of a step from the state of a frame.
pub fn take_step(solver: &mut Solver, frame: &mut Frame, system: &System<'_>) -> Taken {
    let circuit = &system.circuit;
    let bits = system.encoding.bits().len();
    let before: Vec<Lit> =
        (0..bits).map(|bit| solver.function_in(frame, circuit, circuit.bit(bit))).collect();
    let after: Vec<Lit> = (0..bits).map(|_| solver.fresh()).collect();
    let steps = solver.fresh();
    let selectors: Vec<Lit> = system.steps.iter().map(|_| solver.choice()).collect();
    let mut writers: HashMap<usize, Vec<Lit>> = HashMap::new();
    for (step, selector) in system.steps.iter().zip(&selectors) {
        let possible = solver.function_in(frame, circuit, step.next);
        solver.clause(&[!*selector, possible]);
        for (bit, f) in &step.updates {
            let becomes = solver.function_in(frame, circuit, *f);
            solver.clause(&[!*selector, !after[*bit], becomes]);
            solver.clause(&[!*selector, after[*bit], !becomes]);
            writers.entry(*bit).or_default().push(*selector);
        }
    }
    for bit in 0..bits {
        let mut kept = writers.remove(&bit).unwrap_or_default();
        kept.extend([after[bit], !before[bit]]);
        solver.clause(&kept);
        let last = kept.len() - 2;
        kept[last] = !after[bit];
        kept[last + 1] = before[bit];
        solver.clause(&kept);
    }
    one_at_most(solver, &selectors);
    let mut one: Vec<Lit> = selectors.clone();
    one.push(!steps);
    solver.clause(&one);
    Taken { selectors, after, steps }
}

/// At most one of them, by a chain of "one so far".
fn one_at_most(solver: &mut Solver, lits: &[Lit]) {
    let mut before: Option<Lit> = None;
    for lit in lits {
        let so_far = solver.fresh();
        solver.clause(&[!*lit, so_far]);
        if let Some(before) = before {
            solver.clause(&[!before, so_far]);
            solver.clause(&[!before, !*lit]);
        }
        before = Some(so_far);
    }
}

/// For each variable and value, whether the bits after the step are those of it.
fn next_atoms(solver: &mut Solver, system: &System<'_>, after: &[Lit]) -> Vec<Vec<Lit>> {
    let mut next = Vec::with_capacity(system.variables.len());
    for variable in &system.variables {
        let bits = &after[variable.first..variable.first + variable.width];
        let atom = |solver: &mut Solver, value: u32| {
            let places = (0..bits.len()).rev();
            let literals: Vec<Lit> =
                bits.iter().zip(places).map(|(b, p)| if value >> p & 1 == 1 { *b } else { !*b }).collect();
            solver.all(&literals)
        };
        next.push((0..variable.values).map(|value| atom(solver, value)).collect());
    }
    next
}
