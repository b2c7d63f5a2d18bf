//! Runs of nodes that end in a fair loop.
//!
//! Within a fair component, one after the other, everybody is taken to where he is disabled or executed, from wherever the
//! hops so far have put him; then back to the first node. There, permutations may have been left over: the loop of states
//! closes only after some more rounds, but whoever was served in the first is served in all of them together.

use std::collections::{HashMap, VecDeque};

use burnside_model::system::Strength;

use super::Stop;
use super::arena::{Hop, Node};
use super::components::Components;

/// A run of nodes.
pub struct Way {
    pub start: Node,
    /// To the loop, or to the end.
    pub stem: Vec<Hop>,
    /// The loop; empty if it just ends.
    pub round: Vec<Hop>,
}

/// How the search for a loop goes on.
struct Round<'c, 'a> {
    search: &'c mut Components<'a>,
    hops: Vec<Hop>,
    at: Node,
    /// Where everybody is now, who had his number in the first node.
    now: Vec<u32>,
    served: Vec<bool>,
    /// The acceptance sets that every hop so far misses.
    missed: u64,
}

impl Components<'_> {
    /// A shortest way from one of some nodes to a goal, within a region.
    pub fn way(
        &mut self,
        starts: &[Node],
        inside: &dyn Fn(Node) -> bool,
        goal: &dyn Fn(Node) -> bool,
    ) -> Result<Option<(Node, Vec<Hop>)>, Stop> {
        let arena = self.arena;
        let mut came: HashMap<Node, Option<Hop>> = starts.iter().map(|start| (*start, None)).collect();
        let mut open: VecDeque<Node> = starts.iter().copied().collect();
        while let Some(node) = open.pop_front() {
            if goal(node) {
                let (mut hops, mut at) = (Vec::new(), node);
                while let Some(Some(hop)) = came.get(&at) {
                    hops.push(*hop);
                    at = hop.from;
                }
                hops.reverse();
                return Ok(Some((at, hops)));
            }
            for hop in arena.hops(node) {
                if inside(hop.to) && !came.contains_key(&hop.to) {
                    came.insert(hop.to, Some(hop));
                    open.push_back(hop.to);
                }
            }
            self.tick()?;
        }
        Ok(None)
    }

    /// A fair loop through a node of a fair component. The last hop is none that matters.
    pub fn round(&mut self, component: &[Node], head: Node) -> Result<Option<Vec<Hop>>, Stop> {
        self.settle(component);
        let width = self.fairness.who.len();
        let missed = self.arena.acceptance();
        let mut round = Round {
            search: self,
            hops: Vec::new(),
            at: head,
            now: (0..width as u32).collect(),
            served: vec![false; width],
            missed,
        };
        let found = round.complete(head);
        let hops = round.hops;
        self.leave(component);
        Ok(found?.then_some(hops))
    }
}

impl Round<'_, '_> {
    fn complete(&mut self, head: Node) -> Result<bool, Stop> {
        while self.missed != 0 {
            let missed = self.missed;
            if !self.go(None, &|_, _| false, &|hop, _| hop.missed & missed != missed)? {
                return Ok(false);
            }
        }
        for who in 0..self.served.len() {
            if self.served[who] {
                continue;
            }
            let weak = self.search.fairness.strength[who] == Strength::Weak;
            let (arena, fairness) = (self.search.arena, self.search.fairness);
            let disabled = |node: Node, position: u32| {
                let mut enabled = Vec::new();
                fairness.enabled(arena.graph, arena.facts, arena.parts(node).0, &mut enabled);
                weak && !enabled[position as usize]
            };
            let executed = |hop: Hop, position: u32| {
                let kind = hop.edge.map(|edge| arena.graph.edge(edge).kind);
                kind.is_some_and(|kind| fairness.executed(arena.graph, kind).contains(&position))
            };
            // A strongly fair scheduler need not care for who is never enabled here.
            if !self.go(Some(who), &disabled, &executed)? && weak {
                return Ok(false);
            }
        }
        // Home, by at least one hop that nothing depends on.
        let first = self.search.arena.hops(self.at).find(|hop| self.search.place(hop.to).is_some());
        let Some(first) = first else { return Ok(false) };
        self.take(first);
        self.go(None, &|node, _| node == head, &|_, _| false)
    }

    fn take(&mut self, hop: Hop) {
        let fairness = self.search.fairness;
        let (executed, label) = (self.search.executed(hop), self.search.label(hop));
        let mut enabled = Vec::new();
        let arena = self.search.arena;
        fairness.enabled(arena.graph, arena.facts, arena.parts(hop.from).0, &mut enabled);
        for (who, now) in self.now.iter_mut().enumerate() {
            let disabled = fairness.strength[who] == Strength::Weak && !enabled[*now as usize];
            self.served[who] |= disabled || executed.contains(now);
            *now = fairness.to(label)[*now as usize];
        }
        self.missed &= hop.missed;
        self.at = hop.to;
        self.hops.push(hop);
    }

    /// Takes the shortest way to a node, or over a hop, that is wanted where someone is in that position.
    fn go(
        &mut self,
        whom: Option<usize>,
        node_is: &dyn Fn(Node, u32) -> bool,
        hop_is: &dyn Fn(Hop, u32) -> bool,
    ) -> Result<bool, Stop> {
        type Pair = (Node, u32);
        let start: Pair = (self.at, whom.map_or(0, |who| self.now[who]));
        let mut came: HashMap<Pair, Option<(Pair, Hop)>> = HashMap::from([(start, None)]);
        let mut open = VecDeque::from([start]);
        let mut end: Option<(Pair, Option<Hop>)> = None;
        while let (Some(pair), None) = (open.pop_front(), &end) {
            if node_is(pair.0, pair.1) {
                end = Some((pair, None));
                break;
            }
            for hop in self.search.arena.hops(pair.0) {
                if self.search.place(hop.to).is_none() {
                    continue;
                }
                if hop_is(hop, pair.1) {
                    end = Some((pair, Some(hop)));
                    break;
                }
                let label = self.search.label(hop);
                let then = whom.map_or(0, |_| self.search.fairness.to(label)[pair.1 as usize]);
                came.entry((hop.to, then)).or_insert_with(|| {
                    open.push_back((hop.to, then));
                    Some((pair, hop))
                });
            }
            self.search.tick()?;
        }
        let Some((mut at, last)) = end else { return Ok(false) };
        let mut hops: Vec<Hop> = last.into_iter().collect();
        while let Some(Some((before, hop))) = came.get(&at) {
            hops.push(*hop);
            at = *before;
        }
        hops.into_iter().rev().for_each(|hop| self.take(hop));
        Ok(true)
    }
}
