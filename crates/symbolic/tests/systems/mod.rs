//! The papers' systems, built directly as decision diagrams: any number of components, no model text.
#![allow(dead_code, reason = "each user needs a part")]

use burnside_model::code::DomainKind;
use burnside_symbolic::bdd::{Bdd, Manager, OutOfNodes, Renaming, Result, Var};
use burnside_symbolic::reduce::space::{Cell, Domain, Index, Space, Which, equals_code};
use burnside_symbolic::reduce::{Image, Relations};

/// Steps that write some variables.
pub struct Step {
    relation: Bdd,
    written: Bdd,
    back: Renaming,
}

/// The steps of a component.
pub struct Part(pub Vec<Step>);

impl Image for Part {
    type Error = OutOfNodes;

    fn image(&self, set: &Bdd) -> Result<Bdd> {
        let image = |step: &Step| set.and_exists(&step.relation, &step.written)?.rename(&step.back);
        let (first, others) = self.0.split_first().unwrap();
        others.iter().try_fold(image(first)?, |all, step| all.or(&image(step)?))
    }
}

/// Makes the steps of a component.
pub type Make<'a> = dyn Fn(&Manager, &Space, usize) -> Result<Part> + 'a;

/// A system of components.
pub struct System<'a> {
    pub manager: &'a Manager,
    pub space: Space,
    pub initial: Bdd,
    pub parts: Vec<Option<Index>>,
    pub make: Box<Make<'a>>,
}

impl System<'_> {
    /// All steps, if those of each part write all bits.
    pub fn all_steps(&mut self) -> Bdd {
        let parts: Vec<Part> = (0..self.parts.len()).map(|at| self.part(at).unwrap()).collect();
        let steps = parts.iter().flat_map(|part| &part.0);
        steps.fold(self.manager.constant(false), |all, step| all.or(&step.relation).unwrap())
    }
}

impl Relations for System<'_> {
    type Error = OutOfNodes;
    type Part = Part;

    fn parts(&self) -> Vec<Option<Index>> {
        self.parts.clone()
    }

    fn part(&mut self, at: usize) -> Result<Part> {
        (self.make)(self.manager, &self.space, at)
    }
}

/// The step with this relation between the current and the next bits of the written cells.
pub fn step(manager: &Manager, space: &Space, relation: Bdd, written: &[usize]) -> Result<Step> {
    let bits =
        |which: Which| written.iter().flat_map(move |&cell| space.cells[cell].bits[which as usize].clone());
    Ok(Step {
        relation,
        written: manager.variables(bits(Which::Current))?,
        back: manager.renaming(&bits(Which::Next).zip(bits(Which::Current)).collect::<Vec<_>>())?,
    })
}

/// Whether a cell has a code.
pub fn is(manager: &Manager, space: &Space, which: Which, cell: usize, code: u64) -> Result<Bdd> {
    equals_code(manager, &space.cells[cell].bits[which as usize], code)
}

/// Gives variables in order: those of a bit are beside each other.
#[derive(Default)]
pub struct Variables {
    next: Var,
}

impl Variables {
    pub fn cell(&mut self, width: u32) -> [Vec<Var>; 2] {
        let first = self.next;
        self.next += 2 * width;
        [0, 1].map(|which| (0..width).map(|bit| first + 2 * bit + which).collect())
    }

    pub fn count(&self) -> usize {
        self.next as usize
    }
}

/// The bits that so many codes need.
pub fn width(codes: usize) -> u32 {
    codes.next_power_of_two().ilog2()
}

/// Local states: not trying or idle, trying, critical or reading or writing.
pub const N: u64 = 0;
pub const T: u64 = 1;
pub const C: u64 = 2;

/// The token mutex of paper 000, Figure 1: cells 0 to n-1 are the local states, cell n is the token.
pub fn mutex_space(n: usize, token_first: bool) -> (Space, usize) {
    let mut variables = Variables::default();
    let mut token = token_first.then(|| variables.cell(width(n)));
    let local = |index: usize| (index, variables.cell(2));
    let mut cells: Vec<Cell> = (0..n)
        .map(local)
        .map(|(index, bits)| Cell { family: 0, indices: vec![(0, index)], bits, ids: vec![] })
        .collect();
    let bits = token.take().unwrap_or_else(|| variables.cell(width(n)));
    let ids = (0..n).map(|index| (index as u64, (0, index))).collect();
    cells.push(Cell { family: 1, indices: vec![], bits, ids });
    (Space::new(vec![Domain { kind: DomainKind::Full, size: n }], cells).unwrap(), variables.count())
}

/// The steps and start of the mutex.
pub fn mutex(manager: &Manager, space: Space) -> Result<System<'_>> {
    let n = space.domains[0].size;
    let mut initial = manager.constant(true);
    for cell in 0..n {
        initial = initial.and(&is(manager, &space, Which::Current, cell, N)?)?;
    }
    initial = initial.and(&is(manager, &space, Which::Current, n, 0)?)?;
    let make = move |manager: &Manager, space: &Space, i: usize| {
        let now = |cell, code| is(manager, space, Which::Current, cell, code);
        let then = |cell, code| is(manager, space, Which::Next, cell, code);
        let mut anyone = manager.constant(false);
        for index in 0..n {
            anyone = anyone.or(&then(n, index as u64)?)?;
        }
        Ok(Part(vec![
            step(manager, space, now(i, N)?.and(&then(i, T)?)?, &[i])?,
            step(manager, space, now(i, T)?.and(&now(n, i as u64)?)?.and(&then(i, C)?)?, &[i])?,
            step(manager, space, now(i, C)?.and(&then(i, N)?)?.and(&anyone)?, &[i, n])?,
        ]))
    };
    let parts = (0..n).map(|index| Some((0, index))).collect();
    Ok(System { manager, space, initial, parts, make: Box::new(make) })
}

/// The readers and writers of paper 000, n of each: cells 0 to n-1 are readers, n to 2n-1 writers.
pub fn readers_writers_space(n: usize) -> (Space, usize) {
    let mut variables = Variables::default();
    let cell = |at: usize| Cell {
        family: at / n,
        indices: vec![(at / n, at % n)],
        bits: variables.cell(2),
        ids: vec![],
    };
    let cells = (0..2 * n).map(cell).collect();
    let domain = Domain { kind: DomainKind::Full, size: n };
    (Space::new(vec![domain, domain], cells).unwrap(), variables.count())
}

/// The steps and start of readers and writers.
pub fn readers_writers(manager: &Manager, space: Space) -> Result<System<'_>> {
    let n = space.domains[0].size;
    let mut initial = manager.constant(true);
    for cell in 0..2 * n {
        initial = initial.and(&is(manager, &space, Which::Current, cell, N)?)?;
    }
    let make = move |manager: &Manager, space: &Space, i: usize| {
        let now = |cell, code| is(manager, space, Which::Current, cell, code);
        let then = |cell, code| is(manager, space, Which::Next, cell, code);
        // A reader waits for writers, a writer for all others.
        let others = if i < n { n..2 * n } else { 0..2 * n };
        let mut free = manager.constant(true);
        for other in others.rev().filter(|&other| other != i) {
            free = free.minus(&now(other, C)?)?;
        }
        Ok(Part(vec![
            step(manager, space, now(i, N)?.and(&then(i, T)?)?, &[i])?,
            step(manager, space, now(i, T)?.and(&free)?.and(&then(i, C)?)?, &[i])?,
            step(manager, space, now(i, C)?.and(&then(i, N)?)?, &[i])?,
        ]))
    };
    let parts = (0..2 * n).map(|at| Some((at / n, at % n))).collect();
    Ok(System { manager, space, initial, parts, make: Box::new(make) })
}

/// How many states a set has; it does not depend on next states.
pub fn states(space: &Space, set: &Bdd) -> u64 {
    set.count(space.variables(Which::Current).count()).to_u64().unwrap()
}
