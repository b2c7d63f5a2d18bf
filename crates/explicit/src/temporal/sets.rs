//! Sets of nodes, for the fixpoints of CTL.

use burnside_logic::graph::Bits;
use burnside_logic::{Atom, Constraint, Path, StateSets, Step};
use burnside_model::code::LocalId;

use super::Stop;
use super::arena::{Arena, Node};
use super::components::Components;
use super::loops::Way;
use super::silent::Silent;
use super::tuples::{Renaming, Tuples};
use crate::liveness::StateId;

/// The sets of nodes of an arena without automaton.
pub struct Sets<'a> {
    search: Components<'a>,
    /// The variables whose values are followed.
    locals: Vec<LocalId>,
    count: usize,
    /// Where nothing can happen.
    stuck: Bits,
    /// If it matters: the symmetries of the stored states, and per permutation, what it makes of each tuple.
    silent: Option<(&'a Silent, Tuples)>,
}

impl<'a> Sets<'a> {
    /// The sets that a search works on.
    pub fn new(search: Components<'a>, locals: Vec<LocalId>) -> Self {
        let arena = search.arena;
        let count = arena.nodes().unwrap_or(0);
        let mut stuck = Bits::none(count);
        for stored in 0..arena.graph.states() as StateId {
            if arena.graph.out(stored).is_empty() {
                (0..arena.tuples.list.len()).for_each(|t| stuck.insert(arena.node(stored, t, 0) as usize));
            }
        }
        Sets { search, locals, count, stuck, silent: None }
    }

    /// The same with the symmetries of the stored states, for formulas that look back.
    pub fn with_silent(mut self, silent: Option<&'a Silent>, renaming: Renaming<'_>) -> Result<Self, Stop> {
        let tuples = self.arena().tuples;
        if let Some(silent) = silent {
            let all = Renaming { labels: &silent.permutations, ..renaming };
            let moved = Tuples::new(all, tuples.types.clone(), tuples.list.clone());
            let moved = moved.ok_or_else(|| Stop::Refused("its values are not symmetric".to_owned()))?;
            self.silent = Some((silent, moved));
        }
        Ok(self)
    }

    pub fn arena(&self) -> Arena<'a> {
        self.search.arena
    }

    /// A set of one node.
    pub fn one(&self, node: Node) -> Bits {
        let mut one = Bits::none(self.count);
        one.insert(node as usize);
        one
    }

    /// A run of nodes along one of sets.
    pub fn way(&self, path: &Path<Bits>) -> Way {
        let node = |at: usize| path.steps[at].state.states().next().unwrap_or(0) as Node;
        let hop = |from: usize, to: usize, by: Option<usize>| {
            let wanted = |edge: Option<u64>| by.is_none_or(|by| edge == Some(by as u64));
            self.arena().hops(node(from)).find(|hop| hop.to == node(to) && wanted(hop.edge))
        };
        let last = path.steps.len() - 1;
        let hops: Vec<_> = (1..=last).filter_map(|to| hop(to - 1, to, path.steps[to].by)).collect();
        let back = path.back.unwrap_or(last);
        let (stem, round) = hops.split_at(back.min(hops.len()));
        let mut round = round.to_vec();
        round.extend(path.back.and_then(|back| hop(last, back, None)));
        Way { start: node(0), stem: stem.to_vec(), round }
    }
}

impl StateSets for Sets<'_> {
    type Set = Bits;
    type Error = Stop;

    fn universe(&mut self) -> Result<Bits, Stop> {
        let mut all = Bits::none(self.count);
        (0..self.count).for_each(|node| all.insert(node));
        Ok(all)
    }

    fn empty(&mut self) -> Result<Bits, Stop> {
        Ok(Bits::none(self.count))
    }

    fn initial(&mut self) -> Result<Bits, Stop> {
        let (arena, mut initial) = (self.arena(), Bits::none(self.count));
        for start in &arena.graph.initial {
            let nodes = (0..arena.tuples.list.len()).map(|tuple| arena.node(start.stored, tuple, 0));
            nodes.for_each(|node| initial.insert(node as usize));
        }
        Ok(initial)
    }

    fn and(&mut self, a: &Bits, b: &Bits) -> Result<Bits, Stop> {
        Ok(a.with(b, |a, b| a & b))
    }

    fn or(&mut self, a: &Bits, b: &Bits) -> Result<Bits, Stop> {
        Ok(a.with(b, |a, b| a | b))
    }

    fn not(&mut self, a: &Bits) -> Result<Bits, Stop> {
        let universe = self.universe()?;
        Ok(universe.with(a, |all, a| all & !a))
    }

    fn pre(&mut self, a: &Bits) -> Result<Bits, Stop> {
        let arena = self.arena();
        let mut found = a.with(&self.stuck, |a, stuck| a & stuck);
        for node in a.states() {
            let (stored, tuple, _) = arena.parts(node as Node);
            for edge in arena.graph.into(stored) {
                let label = arena.graph.kind(edge.kind).label as usize;
                let before = arena.tuples.from(label, tuple);
                found.insert(arena.node(edge.to, before, 0) as usize);
            }
            self.search.tick()?;
        }
        Ok(found)
    }

    fn post(&mut self, a: &Bits) -> Result<Bits, Stop> {
        let (arena, mut found) = (self.arena(), Bits::none(self.count));
        for node in a.states() {
            arena.hops(node as Node).for_each(|hop| found.insert(hop.to as usize));
            self.search.tick()?;
        }
        Ok(found)
    }

    fn image(&mut self, a: &Bits) -> Result<Bits, Stop> {
        let found = self.post(a)?;
        let Some((silent, moved)) = &self.silent else { return Ok(found) };
        let (arena, mut closed) = (self.arena(), Bits::none(self.count));
        for node in found.states() {
            let (stored, tuple, _) = arena.parts(node as Node);
            for permutation in &silent.of[stored as usize] {
                let alike = moved.to(*permutation as usize, tuple);
                closed.insert(arena.node(stored, alike, 0) as usize);
            }
        }
        Ok(closed)
    }

    fn pre_by(&mut self, _: usize, _: &Bits) -> Result<Bits, Stop> {
        // Who is fair to whom is looked at in components as a whole.
        Err(Stop::Refused("steps of one process alone are not looked at".to_owned()))
    }

    fn atom(&mut self, atom: &Atom<'_>) -> Result<Bits, Stop> {
        let (arena, mut found) = (self.arena(), Bits::none(self.count));
        for (number, tuple) in arena.tuples.list.iter().enumerate() {
            let bindings = self.locals.iter().copied().zip(tuple.iter().copied()).collect();
            let Some(condition) = arena.facts.number(atom.condition, &bindings) else {
                return Err(Stop::Refused("a condition was not evaluated".to_owned()));
            };
            for stored in (0..arena.graph.states() as StateId).filter(|s| arena.facts.holds(condition, *s)) {
                found.insert(arena.node(stored, number, 0) as usize);
            }
        }
        Ok(found)
    }

    fn is_empty(&mut self, a: &Bits) -> Result<bool, Stop> {
        Ok(a.is_empty())
    }

    fn same(&mut self, a: &Bits, b: &Bits) -> Result<bool, Stop> {
        Ok(a == b)
    }

    fn pick(&mut self, a: &Bits) -> Result<Option<Bits>, Stop> {
        Ok(a.states().next().map(|node| self.one(node as Node)))
    }

    fn feasible(&mut self, _: &[Constraint<Bits>], set: &Bits) -> Result<Bits, Stop> {
        let nodes = set.states().map(|node| node as Node).collect();
        let mut found = Bits::none(self.count);
        for node in self.search.fair(nodes)?.into_iter().flatten() {
            found.insert(node as usize);
        }
        Ok(found)
    }

    fn lasso(
        &mut self,
        _: &[Constraint<Bits>],
        start: &Bits,
        region: &Bits,
        _: &Bits,
    ) -> Result<Option<Path<Bits>>, Stop> {
        let nodes = region.states().map(|node| node as Node).collect();
        let components = self.search.fair(nodes)?;
        let mut fair = Bits::none(self.count);
        components.iter().flatten().for_each(|node| fair.insert(*node as usize));
        let starts: Vec<Node> = start.states().map(|node| node as Node).collect();
        let inside = |node: Node| region.contains(node as usize);
        let Some((first, stem)) = self.search.way(&starts, &inside, &|node| fair.contains(node as usize))?
        else {
            return Ok(None);
        };
        let head = stem.last().map_or(first, |hop| hop.to);
        let Some(component) = components.iter().find(|component| component.contains(&head)) else {
            return Ok(None);
        };
        let Some(round) = self.search.round(component, head)? else { return Ok(None) };
        let mut path = Path::at(self.one(first));
        path.back = Some(stem.len());
        for hop in stem.iter().chain(&round[..round.len() - 1]) {
            path.steps.push(Step { state: self.one(hop.to), by: hop.edge.map(|edge| edge as usize) });
        }
        Ok(Some(path))
    }
}
