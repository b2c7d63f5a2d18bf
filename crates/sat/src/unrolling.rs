//! Runs of so many steps as copies of one circuit: bounded search and k-induction ask about them.
//!
//! Bounded model checking (Biere, Cimatti, Clarke and Zhu, 1999): the state after k steps is a copy of the circuit whose
//! inputs are the bits that the k-th step leaves. The next step is added when it is asked for, and the solver keeps what it
//! has learnt.
//!
//! Under a symmetry group it is enough to look at runs whose *last* state is a representative of its orbit (Tang, Malik,
//! Gupta and Ivancic, 2005): any run, its start included, can be permuted so that its end is one. Only the end may be
//! chosen so; the states before it are then what they are. A representative is here a state that no generator makes
//! smaller. An orbit may have several of them; it has at least one, its least state, and that is all that is needed.

use burnside_model::Deadline;
use burnside_model::code::Cell;

use crate::circuit::{Circuit, FALSE, Ref, TRUE};
use crate::cube::{Images, literal, value, variable};
use crate::relation::{Taken, take_step};
use crate::solver::{Frame, Lit, Solver, TimeUp};
use crate::system::{State, System};

/// A run, as far as it was asked about.
pub struct Unrolling {
    solver: Solver,
    /// One copy of the circuit per state.
    frames: Vec<Frame>,
    /// And the bits of the state.
    bits: Vec<Vec<Lit>>,
    /// For each step, the literal that it is taken.
    taken: Vec<Lit>,
}

impl Unrolling {
    /// A run of no steps, from any state.
    pub fn new(system: &System<'_>, deadline: Deadline) -> Self {
        let (mut solver, mut frame) = (Solver::new(deadline), Frame::default());
        let circuit = &system.circuit;
        let valid = solver.function_in(&mut frame, circuit, system.valid);
        solver.clause(&[valid]);
        let bits = 0..system.encoding.bits().len();
        let bits = bits.map(|bit| solver.function_in(&mut frame, circuit, circuit.bit(bit))).collect();
        Unrolling { solver, frames: vec![frame], bits: vec![bits], taken: Vec::new() }
    }

    /// A literal that the first state is one of these.
    pub fn starts_in(&mut self, system: &System<'_>, states: &[State]) -> Lit {
        let starts = self.solver.fresh();
        let mut one = vec![!starts];
        for state in states {
            let here = self.solver.choice();
            for (atoms, value) in system.atoms.iter().zip(state) {
                let lit = self.function(system, 0, atoms[*value as usize]);
                self.solver.clause(&[!here, lit]);
            }
            one.push(here);
        }
        self.solver.clause(&one);
        starts
    }

    /// The literal of a function of the state after so many steps.
    pub fn function(&mut self, system: &System<'_>, at: usize, f: Ref) -> Lit {
        while self.frames.len() <= at {
            let last = self.frames.len() - 1;
            let Taken { after, steps, .. } = take_step(&mut self.solver, &mut self.frames[last], system);
            self.taken.push(steps);
            self.frames.push(Frame::of_bits(&after));
            self.bits.push(after);
        }
        self.solver.function_in(&mut self.frames[at], &system.circuit, f)
    }

    /// Whether there is a run of so many steps under these assumptions.
    pub fn is_possible(&mut self, steps: usize, assumptions: &[Lit]) -> Result<bool, TimeUp> {
        let mut all = self.taken[..steps].to_vec();
        all.extend(assumptions);
        self.solver.solve(&all)
    }

    /// A literal that none of some functions holds.
    pub fn none_of(&mut self, lits: &[Lit]) -> Lit {
        let negated: Vec<Lit> = lits.iter().map(|lit| !*lit).collect();
        self.solver.all(&negated)
    }

    /// Demands, for good, that a literal holds.
    pub fn demand(&mut self, lit: Lit) {
        self.solver.clause(&[lit]);
    }

    /// Demands, for good, that the states after `one` and `other` steps differ, and that no generator maps the first to the
    /// second.
    pub fn tell_apart(&mut self, system: &System<'_>, images: &Images, one: usize, other: usize) {
        let mut differ: Vec<Vec<Lit>> = vec![Vec::new(); 1 + images.maps().len()];
        for (number, atoms) in system.atoms.iter().enumerate() {
            for (now, atom) in atoms.iter().enumerate() {
                let has = self.function(system, one, *atom);
                for (map, differ) in (0..).zip(&mut differ) {
                    let image = match map {
                        0 => literal(number, now as u32),
                        _ => images.maps()[map - 1][literal(number, now as u32) as usize],
                    };
                    let there = system.atoms[variable(image)][value(image) as usize];
                    let has_there = self.function(system, other, there);
                    // Different in this value: one has it and the other not.
                    let here = self.solver.choice();
                    self.solver.clause(&[!here, has]);
                    self.solver.clause(&[!here, !has_there]);
                    differ.push(here);
                }
            }
        }
        differ.iter().for_each(|clause| self.solver.clause(clause));
    }

    /// After *yes*: the states of the run.
    pub fn run(&self, system: &System<'_>, steps: usize) -> Vec<Vec<Cell>> {
        let state = |bits: &Vec<Lit>| {
            let bits: Vec<bool> = bits.iter().map(|bit| self.solver.holds(*bit)).collect();
            system.encoding.unpack(&bits)
        };
        self.bits[..=steps].iter().map(state).collect()
    }

    pub fn queries(&self) -> u64 {
        self.solver.queries
    }
}

/// Where no generator makes a state smaller: variable by variable, the first that differs decides.
pub fn representative(system: &mut System<'_>, images: &Images) -> Ref {
    let mut all = Vec::new();
    for map in images.maps() {
        // Where the image of the state has a value of a variable, by literal.
        let mut of_image = vec![FALSE; map.len()];
        for (number, atoms) in system.atoms.iter().enumerate() {
            for (now, atom) in atoms.iter().enumerate() {
                of_image[map[literal(number, now as u32) as usize] as usize] = *atom;
            }
        }
        let (atoms, circuit) = (&system.atoms, &mut system.circuit);
        let mut least = TRUE;
        for (number, atoms) in atoms.iter().enumerate().rev() {
            let image = |now: usize| of_image[literal(number, now as u32) as usize];
            if atoms.iter().enumerate().all(|(now, atom)| *atom == image(now)) {
                continue;
            }
            least = smaller_or(circuit, atoms, &image, least);
        }
        all.push(least);
    }
    system.circuit.all(all)
}

/// Whether one value is smaller than another one, or equal and `rest` holds.
fn smaller_or(circuit: &mut Circuit, atoms: &[Ref], image: &dyn Fn(usize) -> Ref, rest: Ref) -> Ref {
    let (mut larger, mut found) = (FALSE, Vec::new());
    for (now, atom) in atoms.iter().enumerate().rev() {
        let equal = circuit.both(image(now), rest);
        let fine = circuit.either(equal, larger);
        found.push(circuit.both(*atom, fine));
        larger = circuit.either(larger, image(now));
    }
    circuit.any(found)
}
