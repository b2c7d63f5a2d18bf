//! Any number of threads: whether a configuration with at least some threads in some local states can be reached.
//!
//! The configurations from which the target is covered are upward closed: more threads never hurt, as no step asks that
//! a local state be empty. Such a set is given by its minimal elements, of which there are finitely many (Dickson). The
//! search goes backwards from the target: the minimal predecessors of a minimal element are computed, and kept if they
//! are not above one that is known. It ends, since every chain of growing upward-closed sets does (Abdulla, Cerans,
//! Jonsson, Tsay, "General decidability theorems for infinite-state systems", 1996; for threads Kaiser, Kroening, Wahl,
//! "Efficient coverability analysis by proof minimization", 2012).
//!
//! Beside it a forward search with a few threads looks for a short violation first (`forward`). Elements with a thread in
//! a local state that it can never have beside that shared state are left out: which pairs can occur is found first, by
//! forgetting how many threads there are (`pairs`). A safe verdict comes with the minimal elements and the pairs as its
//! certificate, which `certificate` checks with code of its own; an unsafe one with a run that is executed.

pub mod certificate;
pub mod forward;
mod pairs;

use std::collections::{BTreeSet, HashMap, VecDeque};

use burnside_model::threads::{Population, ThreadState, ThreadStep, ThreadSystem, ThreadTarget, covers};
use burnside_model::{Deadline, Limit};

pub use certificate::{Certificate, Flaw};
pub use forward::{Run, is_violation};
pub use pairs::Pairs;

/// What is known of the target.
#[derive(Clone, Debug, PartialEq)]
pub enum Coverability {
    /// It is never covered, with any number of threads.
    Safe(Certificate),
    /// It is covered by this run; `least` if no run with fewer threads at the start does.
    Unsafe {
        run: Run,
        /// Whether it is known that fewer threads do not suffice.
        least: bool,
    },
    /// A limit was hit.
    Unknown(Limit),
}

/// When to give up.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bounds {
    /// When it must end.
    pub deadline: Deadline,
    /// How many bytes the minimal elements may take.
    pub memory: Option<u64>,
}

/// Bytes of a minimal element without its threads, and of a local state with threads in it: guesses.
const ELEMENT_BYTES: (u64, u64) = (160, 32);
/// After so many elements whoever watches is told.
const TOLD_EVERY: usize = 256;

/// Figures of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Minimal elements at the end.
    pub elements: usize,
    /// Predecessors that were computed.
    pub predecessors: usize,
    /// Configurations that the forward search stored.
    pub configurations: usize,
}

/// A minimal element, and the step that leads from it towards the target.
struct Element {
    shared: ThreadState,
    locals: Population,
    /// The step, and the element it leads above; none for the target itself.
    next: Option<(usize, usize)>,
    alive: bool,
}

/// Decides whether the target of a system can be covered; `told` hears of the figures now and then.
pub fn decide(
    system: &ThreadSystem,
    bounds: Bounds,
    told: &mut dyn FnMut(&Figures),
) -> (Coverability, Figures) {
    let (mut figures, deadline) = (Figures::default(), bounds.deadline);
    let Some(target) = &system.target else {
        let pairs = pairs::reachable(system);
        return (Coverability::Safe(Certificate { elements: Vec::new(), pairs }), figures);
    };
    // Short violations with few threads are found fastest by looking for them.
    let fewest = system.start.fixed.values().sum::<u32>();
    let spawning = system.steps.iter().any(|step| step.spawned.is_some());
    let look = if spawning { forward::SPAWNING_LOOK } else { forward::FIRST_LOOK };
    let mut ruled_out = None;
    for threads in fewest.max(1)..fewest.max(1) + 4 {
        match forward::search(system, target, threads, look, deadline, &mut figures) {
            forward::Outcome::Found(run) => {
                let least = ruled_out.is_none_or(|most| most + 1 == threads);
                return (Coverability::Unsafe { run, least }, figures);
            }
            forward::Outcome::Exhausted => ruled_out = Some(threads),
            forward::Outcome::GaveUp => break,
        }
    }
    let pairs = pairs::reachable(system);
    let (elements, by_shared) = (Vec::new(), HashMap::new());
    let mut backward = Backward { system, pairs: &pairs, bounds, elements, by_shared, bytes: 0 };
    match backward.run(target, &mut figures, told) {
        Err(limit) => (Coverability::Unknown(limit), figures),
        Ok(None) => {
            let alive = backward.elements.iter().filter(|element| element.alive);
            let elements: Vec<(ThreadState, Population)> =
                alive.map(|element| (element.shared, element.locals.clone())).collect();
            figures.elements = elements.len();
            (Coverability::Safe(Certificate { elements, pairs }), figures)
        }
        Ok(Some(found)) => {
            let run = backward.replay(found, target);
            let threads = run.start.values().sum::<u32>();
            // Fewer threads may do: look with every number below.
            for fewer in ruled_out.map_or(fewest.max(1), |most| most + 1)..threads {
                match forward::search(system, target, fewer, forward::SECOND_LOOK, deadline, &mut figures) {
                    forward::Outcome::Found(run) => {
                        return (Coverability::Unsafe { run, least: true }, figures);
                    }
                    forward::Outcome::Exhausted => {}
                    forward::Outcome::GaveUp => return (Coverability::Unsafe { run, least: false }, figures),
                }
            }
            (Coverability::Unsafe { run, least: true }, figures)
        }
    }
}

struct Backward<'s> {
    system: &'s ThreadSystem,
    pairs: &'s Pairs,
    bounds: Bounds,
    elements: Vec<Element>,
    /// The elements of every shared state.
    by_shared: HashMap<ThreadState, Vec<usize>>,
    /// What the elements take, about.
    bytes: u64,
}

impl Backward<'_> {
    /// Computes all minimal elements; the element that covers a start, if one does.
    fn run(
        &mut self,
        target: &ThreadTarget,
        figures: &mut Figures,
        told: &mut dyn FnMut(&Figures),
    ) -> Result<Option<usize>, Limit> {
        let mut into: HashMap<ThreadState, Vec<usize>> = HashMap::new();
        for (number, step) in self.system.steps.iter().enumerate() {
            into.entry(step.shared.1).or_default().push(number);
        }
        let (mut open, mut done) = (VecDeque::new(), 0usize);
        if let Some(first) = self.add(target.shared, target.locals.clone(), None) {
            open.push_back(first);
        }
        while let Some(number) = open.pop_front() {
            if !self.elements[number].alive {
                continue;
            }
            if self.is_start(number) {
                return Ok(Some(number));
            }
            if self.bounds.deadline.has_passed() {
                return Err(Limit::Time);
            }
            if self.bounds.memory.is_some_and(|most| self.bytes > most) {
                return Err(Limit::Memory);
            }
            done += 1;
            if done.is_multiple_of(TOLD_EVERY) {
                figures.elements = self.elements.len();
                told(figures);
            }
            let (shared, locals) = (self.elements[number].shared, self.elements[number].locals.clone());
            for step in into.get(&shared).into_iter().flatten() {
                for before in predecessors(&self.system.steps[*step], &locals) {
                    figures.predecessors += 1;
                    let from = self.system.steps[*step].shared.0;
                    open.extend(self.add(from, before, Some((*step, number))));
                }
            }
        }
        Ok(None)
    }

    /// Keeps an element that is not above another; those above it are dropped.
    fn add(
        &mut self,
        shared: ThreadState,
        locals: Population,
        next: Option<(usize, usize)>,
    ) -> Option<usize> {
        if !self.pairs.allows(shared, &locals) {
            return None;
        }
        let mine = self.by_shared.entry(shared).or_default();
        if mine.iter().any(|other| covers(&locals, &self.elements[*other].locals)) {
            return None;
        }
        for other in mine.iter() {
            if covers(&self.elements[*other].locals, &locals) {
                self.elements[*other].alive = false;
            }
        }
        mine.retain(|other| self.elements[*other].alive);
        mine.push(self.elements.len());
        self.bytes += ELEMENT_BYTES.0 + ELEMENT_BYTES.1 * locals.len() as u64;
        self.elements.push(Element { shared, locals, next, alive: true });
        Some(self.elements.len() - 1)
    }

    fn is_start(&self, number: usize) -> bool {
        let Element { shared, locals, .. } = &self.elements[number];
        *shared == self.system.start.shared && self.system.can_begin_with(locals)
    }

    /// The run from an element that covers a start to the target.
    fn replay(&self, found: usize, target: &ThreadTarget) -> Run {
        let mut start = self.system.start.fixed.clone();
        for (local, count) in &self.elements[found].locals {
            let mine = start.entry(*local).or_default();
            *mine = (*mine).max(*count);
        }
        let (mut steps, mut at) = (Vec::new(), found);
        while let Some((step, next)) = self.elements[at].next {
            steps.push(step);
            at = next;
        }
        let wanted: Vec<Population> = {
            let (mut all, mut at) = (Vec::new(), found);
            while let Some((_, next)) = self.elements[at].next {
                all.push(self.elements[next].locals.clone());
                at = next;
            }
            all
        };
        forward::execute(self.system, start, &steps, &wanted, target)
    }
}

/// Whether threads can begin so.
pub trait Begins {
    /// Whether some start has at least these threads.
    fn can_begin_with(&self, locals: &Population) -> bool;
}

impl Begins for ThreadSystem {
    fn can_begin_with(&self, locals: &Population) -> bool {
        let start = &self.start;
        locals.iter().all(|(local, count)| {
            start.unbounded.contains(local) || start.fixed.get(local).copied().unwrap_or(0) >= *count
        })
    }
}

/// The minimal populations from which a step leads above these threads.
fn predecessors(step: &ThreadStep, locals: &Population) -> Vec<Population> {
    let mut rest = locals.clone();
    let cover = |rest: &mut Population, local: ThreadState| {
        if let Some(count) = rest.get_mut(&local) {
            *count -= 1;
            if *count == 0 {
                rest.remove(&local);
            }
        }
    };
    cover(&mut rest, step.spawned.unwrap_or(step.local.1));
    if step.spawned.is_some() {
        // The thread that starts another may itself be one of those that are wanted.
        cover(&mut rest, step.local.1);
    }
    let mut ways: BTreeSet<Population> = BTreeSet::from([Population::new()]);
    for (local, count) in rest {
        let mut origins: Vec<ThreadState> =
            step.passive.iter().filter(|(_, to)| to.contains(&local)).map(|(from, _)| *from).collect();
        if !step.passive.contains_key(&local) {
            origins.push(local);
        }
        for _ in 0..count {
            let mut longer = BTreeSet::new();
            for way in &ways {
                for origin in &origins {
                    let mut one = way.clone();
                    *one.entry(*origin).or_default() += 1;
                    longer.insert(one);
                }
            }
            ways = longer;
        }
    }
    let with_mover = ways.into_iter().map(|mut way| {
        *way.entry(step.local.0).or_default() += 1;
        way
    });
    with_mover.collect()
}

#[cfg(test)]
mod tests;
