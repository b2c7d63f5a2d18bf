//! The induction check: small, separate, and all that a proof rests on.
//!
//! However clauses were found, they are believed only after this: no start state is in a cube that they exclude; no step
//! from a state outside all cubes leads into one; and nothing is wrong in a state outside all cubes. There are no frames
//! and no selectors here: each rule instance is a circuit of its own, and each question is about one of them.

use std::collections::HashMap;

use burnside_model::Deadline;

use crate::circuit::Ref;
use crate::cube::{Cube, value, variable};
use crate::solver::{Lit, Solver, TimeUp};
use crate::system::{State, System};

/// Cubes that are assumed to be excluded, in groups; and the system in which that is checked.
pub struct Induction<'s, 'm> {
    pub system: &'s mut System<'m>,
    solver: Solver,
    /// One literal per group that turns it on.
    on: Vec<Lit>,
    /// For each variable and value, whether it has it.
    now: Vec<Vec<Lit>>,
    /// For each step, variable and value, whether it has it afterwards.
    after: HashMap<(usize, usize, u32), Lit>,
    /// Values that variables never have: neither before nor after a step.
    impossible: Cube,
}

/// Whether something follows: from which groups, or else a state that shows that it does not.
pub type Answer = Result<Result<Vec<usize>, State>, TimeUp>;

impl<'s, 'm> Induction<'s, 'm> {
    /// Groups of cubes in a system. `impossible` are values that variables do not have.
    pub fn new(
        system: &'s mut System<'m>,
        groups: &[Vec<Cube>],
        impossible: Cube,
        deadline: Deadline,
    ) -> Self {
        let mut solver = Solver::new(deadline);
        let valid = solver.function(&system.circuit, system.valid);
        solver.clause(&[valid]);
        let mut now = Vec::with_capacity(system.atoms.len());
        for atoms in &system.atoms {
            now.push(atoms.iter().map(|atom| solver.function(&system.circuit, *atom)).collect::<Vec<_>>());
        }
        for never in &impossible {
            solver.clause(&[!now[variable(*never)][value(*never) as usize]]);
        }
        let mut on = Vec::with_capacity(groups.len());
        for group in groups {
            let active = solver.fresh();
            for cube in group {
                let mut clause: Vec<Lit> =
                    cube.iter().map(|one| now[variable(*one)][value(*one) as usize]).collect();
                clause.push(!active);
                solver.clause(&clause);
            }
            on.push(active);
        }
        Induction { system, solver, on, now, after: HashMap::new(), impossible }
    }

    /// Cubes that are excluded for good.
    pub fn certain(system: &'s mut System<'m>, cubes: &[Cube], impossible: Cube, deadline: Deadline) -> Self {
        let mut induction = Induction::new(system, &[], impossible, deadline);
        for cube in cubes {
            let clause: Vec<Lit> =
                cube.iter().map(|one| induction.now[variable(*one)][value(*one) as usize]).collect();
            induction.solver.clause(&clause);
        }
        induction
    }

    /// Whether a step from outside the cubes that are excluded for good never leads into one of some cubes.
    pub fn keeps_out_of_all(&mut self, step: usize, cubes: &[Cube]) -> Result<bool, TimeUp> {
        let possible = self.system.steps[step].next;
        let mut assumptions = vec![self.solver.function(&self.system.circuit, possible)];
        for one in self.impossible.clone() {
            let lit = self.after(step, variable(one), value(one));
            assumptions.push(!lit);
        }
        let mut into = Vec::new();
        for cube in cubes {
            if !cube.iter().any(|one| self.system.writes(step, variable(*one))) {
                continue;
            }
            let mut inside = Vec::with_capacity(cube.len());
            for one in cube {
                inside.push(!self.after(step, variable(*one), value(*one)));
            }
            // One direction is enough: whoever says that the state is in this cube must show it.
            let here = self.solver.choice();
            for lit in inside {
                self.solver.clause(&[!here, lit]);
            }
            into.push(here);
        }
        if into.is_empty() {
            return Ok(true);
        }
        let asked = self.solver.fresh();
        into.push(!asked);
        self.solver.clause(&into);
        assumptions.push(asked);
        let leads = self.solver.solve(&assumptions)?;
        self.solver.clause(&[!asked]);
        Ok(!leads)
    }

    /// Whether a function holds in no state outside the cubes of some groups.
    pub fn never(&mut self, function: Ref, groups: &[usize]) -> Answer {
        let wrong = self.solver.function(&self.system.circuit, function);
        self.ask(vec![wrong], groups)
    }

    /// Whether a step from outside the cubes of some groups never leads into a cube.
    pub fn keeps_out(&mut self, step: usize, cube: &Cube, groups: &[usize]) -> Answer {
        if !cube.iter().any(|one| self.system.writes(step, variable(*one))) {
            return Ok(Ok(Vec::new()));
        }
        let possible = self.system.steps[step].next;
        let mut assumptions = vec![self.solver.function(&self.system.circuit, possible)];
        for one in self.impossible.clone().iter().chain(cube) {
            let lit = self.after(step, variable(*one), value(*one));
            assumptions.push(!lit);
        }
        self.ask(assumptions, groups)
    }

    fn after(&mut self, step: usize, variable: usize, value: u32) -> Lit {
        if let Some(lit) = self.after.get(&(step, variable, value)) {
            return *lit;
        }
        let function = self.system.after(step, variable, value);
        let lit = self.solver.function(&self.system.circuit, function);
        self.after.insert((step, variable, value), lit);
        lit
    }

    fn ask(&mut self, mut assumptions: Vec<Lit>, groups: &[usize]) -> Answer {
        assumptions.extend(groups.iter().map(|group| self.on[*group]));
        if self.solver.solve(&assumptions)? {
            let value = |atoms: &Vec<Lit>| atoms.iter().position(|atom| self.solver.holds(*atom));
            return Ok(Err(self.now.iter().map(|atoms| value(atoms).unwrap_or(0) as u32).collect()));
        }
        Ok(Ok(groups.iter().copied().filter(|group| self.solver.needed(self.on[*group])).collect()))
    }

    pub fn queries(&self) -> u64 {
        self.solver.queries
    }
}

/// Whether cubes, all of them, are an inductive invariant of a system in whose states outside them nothing is wrong.
/// This is what is asked after IC3 before its result is believed.
pub fn is_proof(system: &mut System<'_>, cubes: &[Cube], deadline: Deadline) -> Result<bool, TimeUp> {
    let starts = system.starts.clone();
    for start in &starts {
        let start = system.state(start);
        if cubes.iter().any(|cube| crate::cube::contains(cube, &start)) {
            return Ok(false);
        }
    }
    let bad = system.bad;
    let mut induction = Induction::new(system, &[cubes.to_vec()], Vec::new(), deadline);
    if induction.never(bad, &[0])?.is_err() {
        return Ok(false);
    }
    for step in 0..induction.system.steps.len() {
        let mut into = Vec::new();
        for cube in cubes {
            if cube.iter().any(|one| induction.system.writes(step, variable(*one))) {
                let after: Vec<Ref> = cube
                    .iter()
                    .map(|one| induction.system.after(step, variable(*one), value(*one)) ^ 1)
                    .collect();
                into.push(induction.system.circuit.all(after));
            }
        }
        let into = induction.system.circuit.any(into);
        let possible = induction.system.steps[step].next;
        let leads = induction.system.circuit.both(possible, into);
        if induction.never(leads, &[0])?.is_err() {
            return Ok(false);
        }
    }
    Ok(true)
}
