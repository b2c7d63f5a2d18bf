//! IC3 with orbit clauses.
//!
//! IC3 (Bradley, 2011; Eén, Mishchenko and Brayton, 2011) keeps frames: sets of clauses, the k-th of which holds in all
//! states that are reachable in at most k steps. A state of the last frame in which something is wrong becomes a proof
//! obligation: it is shown to be unreachable from the frame before, by a clause that is as general as possible, or it has
//! a predecessor there, which is the next obligation. When two neighbouring frames are equal, their clauses are an
//! inductive invariant.
//!
//! Where we deviate: a clause is learnt **with all its images** under the verified symmetry group. That is sound because
//! the start states (closed under the group first), the steps and what is wrong are: then so is each frame, and an image
//! of a clause that is inductive relative to a frame is inductive relative to it as well. Literals are values of cells.
//! A clause is generalised by dropping all that it says of an element first, then of a cell, then single values: clauses
//! then name few elements, which is what [`crate::prove`] needs. Predecessors are enlarged by unsatisfiable cores.
//!
//! Cost: queries stay about as many as the number of elements grows, where plain IC3 needs more and more of them.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use burnside_model::Deadline;
use burnside_model::code::Cell;
use burnside_symmetry::{Action, Permutation};

use crate::circuit::Ref;
use crate::cube::{self, Cube, Images, Literal, is_subset, value, variable};
use crate::relation::Relation;
use crate::solver::{Lit, Solver, TimeUp};
use crate::system::{State, System, closed_starts};

/// How far it has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    pub frames: usize,
    /// Clauses in them, images included.
    pub clauses: usize,
    /// Questions to the solver.
    pub queries: u64,
}

/// What it found.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Nothing wrong is reachable: no reachable state is in any of these cubes, and that is inductive.
    Invariant(Vec<Cube>),
    /// Something wrong is: a start state (of the closed set, with the permutation that leads there from a real one), then
    /// cubes, each of which all states of the one before step into; something is wrong in the last.
    Violated(Vec<Cell>, Permutation, Vec<Cube>),
}

/// A set of states from which something wrong is reachable.
struct Obligation {
    cube: Cube,
    /// The obligation into which all its states step.
    then: Option<usize>,
}

/// The state of the algorithm.
pub struct Ic3<'a, 'm> {
    system: &'a mut System<'m>,
    relation: Relation,
    /// Knows the circuit only; enlarges cubes.
    lift: Solver,
    images: &'a Images,
    /// The start states, closed under the group.
    starts: Vec<(State, usize)>,
    closed: Vec<(Vec<Cell>, Permutation)>,
    /// One literal per frame that turns its own clauses on.
    on: Vec<Lit>,
    /// For each frame the cubes that it excludes and later ones do not.
    frames: Vec<Vec<Cube>>,
    /// For each symmetry element the variables that it indexes.
    elements: Vec<Vec<usize>>,
    /// A solution was asked for so often.
    queries: u64,
}

impl<'a, 'm> Ic3<'a, 'm> {
    /// Starts with frame 0: the start states.
    pub fn new(
        system: &'a mut System<'m>,
        action: Option<&Action>,
        images: &'a Images,
        deadline: Deadline,
    ) -> Self {
        let closed = closed_starts(&system.starts, action.filter(|_| !images.is_trivial()));
        let starts: BTreeSet<(State, usize)> =
            closed.iter().enumerate().map(|(i, (cells, _))| (system.state(cells), i)).collect();
        let mut relation = Relation::new(system, deadline);
        let first = relation.solver.fresh();
        let mut one = vec![!first];
        for (state, _) in &starts {
            let here = relation.solver.choice();
            for (atoms, value) in relation.now.iter().zip(state) {
                relation.solver.clause(&[!here, atoms[*value as usize]]);
            }
            one.push(here);
        }
        relation.solver.clause(&one);
        let elements = elements(system);
        Ic3 {
            system,
            relation,
            lift: Solver::new(deadline),
            images,
            starts: starts.into_iter().collect(),
            closed,
            on: vec![first],
            frames: vec![Vec::new()],
            elements,
            queries: 0,
        }
    }

    pub fn queries(&self) -> u64 {
        self.queries
    }

    /// Runs until it is decided or the time is up.
    pub fn run(&mut self, told: &mut dyn FnMut(Progress)) -> Result<Outcome, TimeUp> {
        if self.relation.solver.solve(&[self.on[0], self.relation.bad])? {
            let state = self.relation.state();
            let start = self.starts.iter().find(|(start, _)| *start == state).map_or(0, |(_, i)| *i);
            let (cells, permutation) = self.closed[start].clone();
            return Ok(Outcome::Violated(cells, permutation, Vec::new()));
        }
        self.new_frame();
        loop {
            if let Some(violated) = self.block_bad()? {
                return Ok(violated);
            }
            self.new_frame();
            if let Some(invariant) = self.propagate()? {
                return Ok(Outcome::Invariant(invariant));
            }
            told(Progress {
                frames: self.frames.len(),
                clauses: self.frames.iter().map(Vec::len).sum(),
                queries: self.queries,
            });
        }
    }

    fn new_frame(&mut self) {
        self.on.push(self.relation.solver.fresh());
        self.frames.push(Vec::new());
    }

    /// Shows that nothing is wrong in the last frame, or that something wrong is reachable.
    fn block_bad(&mut self) -> Result<Option<Outcome>, TimeUp> {
        let last = self.frames.len() - 1;
        loop {
            self.queries += 1;
            if !self.relation.solver.solve(&[self.on[last], self.relation.bad])? {
                return Ok(None);
            }
            let state = self.relation.state();
            let bad = self.system.bad;
            let cube = self.enlarge(&state, bad)?;
            if let Some(violated) = self.block(cube, last)? {
                return Ok(Some(violated));
            }
        }
    }

    /// Shows that a cube is unreachable within so many steps, or that it is reachable.
    fn block(&mut self, cube: Cube, last: usize) -> Result<Option<Outcome>, TimeUp> {
        let mut all = vec![Obligation { cube, then: None }];
        let mut queue = BinaryHeap::from([Reverse((last, 0, 0))]);
        while let Some(Reverse((level, depth, at))) = queue.pop() {
            let cube = all[at].cube.clone();
            if let Some(start) = self.start_in(&cube) {
                let mut cubes = Vec::new();
                let mut next = all[at].then;
                while let Some(at) = next {
                    cubes.push(all[at].cube.clone());
                    next = all[at].then;
                }
                let (cells, permutation) = self.closed[start].clone();
                return Ok(Some(Outcome::Violated(cells, permutation, cubes)));
            }
            if self.is_excluded(&cube, level) {
                continue;
            }
            match self.step_into(&cube, level)? {
                Err((state, step)) => {
                    let leads = self.leads_into(step, &cube);
                    let before = self.enlarge(&state, leads)?;
                    all.push(Obligation { cube: before, then: Some(at) });
                    queue.push(Reverse((level - 1, depth + 1, all.len() - 1)));
                    queue.push(Reverse((level, depth, at)));
                }
                Ok(mut core) => {
                    self.keep_off_starts(&mut core, &cube);
                    let general = self.generalise(core, level)?;
                    let mut at_level = level;
                    while at_level < last && self.step_into(&general, at_level + 1)?.is_ok() {
                        at_level += 1;
                    }
                    self.learn(&general, at_level);
                    if at_level < last {
                        queue.push(Reverse((at_level + 1, depth, at)));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Whether no step leads from the frame below into a cube from outside it. If none, the part of the cube that is
    /// needed to show it; otherwise a state and the step from there.
    fn step_into(&mut self, cube: &Cube, level: usize) -> Result<Result<Cube, (State, usize)>, TimeUp> {
        self.queries += 1;
        let relation = &mut self.relation;
        let outside = relation.solver.fresh();
        relation.exclude(cube, outside);
        let mut assumptions = vec![relation.steps, outside];
        assumptions.extend(&self.on[level - 1..]);
        let next = relation.cube_next(cube);
        assumptions.extend(&next);
        let answer = if relation.solver.solve(&assumptions)? {
            Err((relation.state(), relation.selected().unwrap_or(0)))
        } else {
            let needed = cube.iter().zip(&next).filter(|(_, lit)| relation.solver.needed(**lit));
            Ok(needed.map(|(literal, _)| *literal).collect())
        };
        relation.solver.clause(&[!outside]);
        Ok(answer)
    }

    /// Where a step leads into a cube.
    fn leads_into(&mut self, step: usize, cube: &Cube) -> Ref {
        let mut all = vec![self.system.steps[step].next];
        for literal in cube {
            all.push(self.system.after(step, variable(*literal), value(*literal)) ^ 1);
        }
        self.system.circuit.all(all)
    }

    /// A cube around a state in which a function holds everywhere.
    fn enlarge(&mut self, state: &State, function: Ref) -> Result<Cube, TimeUp> {
        self.queries += 1;
        let cube = cube::of_state(self.system, state);
        let circuit = &self.system.circuit;
        let fails = self.lift.function(circuit, function ^ 1);
        let mut assumptions = vec![fails];
        for excluded in &cube {
            let atom = self.system.atoms[variable(*excluded)][value(*excluded) as usize];
            assumptions.push(!self.lift.function(circuit, atom));
        }
        // A number beyond the last value counts as it: all excluded means the last one.
        if self.lift.solve(&assumptions)? {
            return Ok(cube);
        }
        let needed = cube.iter().zip(&assumptions[1..]).filter(|(_, lit)| self.lift.needed(**lit));
        Ok(needed.map(|(literal, _)| *literal).collect())
    }

    /// Puts literals back until no start state is in the core of a cube.
    fn keep_off_starts(&self, core: &mut Cube, cube: &Cube) {
        for (start, _) in &self.starts {
            if cube::contains(core, start)
                && let Some(apart) =
                    cube.iter().find(|literal| start[variable(**literal)] == value(**literal))
                && let Err(at) = core.binary_search(apart)
            {
                core.insert(at, *apart);
            }
        }
    }

    /// Drops what is not needed: elements, then cells, then single values.
    fn generalise(&mut self, mut cube: Cube, level: usize) -> Result<Cube, TimeUp> {
        let of = |cube: &Cube, wanted: &dyn Fn(usize) -> bool| -> Vec<Literal> {
            cube.iter().copied().filter(|literal| wanted(variable(*literal))).collect()
        };
        let mut groups: Vec<Vec<Literal>> =
            self.elements.iter().map(|indexed| of(&cube, &|v| indexed.contains(&v))).collect();
        let mut named: Vec<usize> = cube.iter().map(|literal| variable(*literal)).collect();
        named.dedup();
        groups.extend(named.into_iter().map(|of_one| of(&cube, &|v| v == of_one)));
        groups.extend(cube.iter().map(|literal| vec![*literal]));
        for group in groups {
            let smaller: Cube = cube.iter().copied().filter(|literal| !group.contains(literal)).collect();
            if smaller.is_empty() || smaller.len() == cube.len() || self.start_in(&smaller).is_some() {
                continue;
            }
            if let Ok(mut core) = self.step_into(&smaller, level)? {
                self.keep_off_starts(&mut core, &smaller);
                cube = core;
            }
        }
        Ok(cube)
    }

    /// Excludes a cube and all its images from a frame and those before.
    fn learn(&mut self, cube: &Cube, level: usize) {
        let images = self.images.of(cube);
        for frame in &mut self.frames[1..=level] {
            frame.retain(|old| !images.iter().any(|image| is_subset(image, old)));
        }
        for image in images {
            self.relation.exclude(&image, self.on[level]);
            self.frames[level].push(image);
        }
    }

    /// Whether a frame excludes all of a cube.
    fn is_excluded(&self, cube: &Cube, level: usize) -> bool {
        self.frames[level..].iter().flatten().any(|excluded| is_subset(excluded, cube))
    }

    /// A start state in a cube.
    fn start_in(&self, cube: &Cube) -> Option<usize> {
        self.starts.iter().find(|(start, _)| cube::contains(cube, start)).map(|(_, i)| *i)
    }

    /// Moves clauses to later frames; the invariant, if two frames are equal then.
    fn propagate(&mut self) -> Result<Option<Vec<Cube>>, TimeUp> {
        for level in 1..self.frames.len() - 1 {
            let mut done: BTreeSet<Cube> = BTreeSet::new();
            for cube in self.frames[level].clone() {
                if done.contains(&cube) || !self.frames[level].contains(&cube) {
                    continue;
                }
                done.extend(self.images.of(&cube));
                if self.step_into(&cube, level + 1)?.is_ok() {
                    self.learn(&cube, level + 1);
                }
            }
            if self.frames[level].is_empty() {
                let invariant: BTreeSet<Cube> = self.frames[level + 1..].iter().flatten().cloned().collect();
                return Ok(Some(invariant.into_iter().collect()));
            }
        }
        Ok(None)
    }
}

/// For each symmetry element the variables that it indexes.
fn elements(system: &System<'_>) -> Vec<Vec<usize>> {
    let cells = system.encoding.model.state_cells();
    let all: BTreeSet<_> = cells.iter().flat_map(|cell| cell.indices.iter().copied()).collect();
    let indexed = |element| {
        let of = |(_, variable): &(usize, &crate::system::Variable)| {
            cells[variable.cell].indices.contains(&element)
        };
        system.variables.iter().enumerate().filter(of).map(|(i, _)| i).collect()
    };
    all.into_iter().map(indexed).collect()
}

/// The literals of a clause as variable and value, for tests and printing.
pub fn literals(cube: &Cube) -> impl Iterator<Item = (usize, u32)> + '_ {
    cube.iter().map(|excluded| (variable(*excluded), value(*excluded)))
}
