//! Strongly connected components in which a run can stay and be fair.
//!
//! A component of nodes stands for components of states, which are all alike. In them, someone a scheduler is fair to wanders
//! through positions: who is j at a node u is π(j) after a hop by π. All positions that he can have in the component are one
//! class, found by joining (th[u](j), th[v](π(j))) for each hop from u to v, where th names positions at a node as they are
//! called at the first one. A run that stays can take each member of a class to each of its positions. So it can be weakly
//! fair if each class has a position where it is disabled, or that is executed; strongly fair if each class that is enabled
//! somewhere is executed somewhere. If some are not, the run must stay away from where they are enabled: what is left is
//! searched again. This needs no product with the processes.

use burnside_model::system::Strength;
use burnside_model::{Deadline, Limit};

use super::Stop;
use super::arena::{Arena, Cursor, Hop, Node};
use super::fairness::Fairness;

/// No place.
const NOWHERE: u32 = u32::MAX;

/// Looks for fair components.
pub struct Components<'a> {
    pub arena: Arena<'a>,
    pub fairness: &'a Fairness,
    /// Where a node is in the nodes at hand.
    place: Vec<u32>,
    deadline: Deadline,
    ticks: u32,
}

/// What is found of a component.
enum Judged {
    Fair,
    Unfair,
    /// Nothing fair goes through the other nodes.
    Within(Vec<Node>),
}

impl<'a> Components<'a> {
    /// A search on an arena; `room` is how many bytes there are for it.
    pub fn new(
        arena: Arena<'a>,
        fairness: &'a Fairness,
        deadline: Deadline,
        room: u64,
    ) -> Result<Self, Stop> {
        // The places, and what the search for components has.
        let nodes = arena.nodes().filter(|nodes| 24 * *nodes as u64 <= room);
        let nodes = nodes.ok_or(Stop::Limit(Limit::Memory))?;
        Ok(Components { arena, fairness, place: vec![NOWHERE; nodes], deadline, ticks: 0 })
    }

    /// Looks at the clock now and then.
    pub fn tick(&mut self) -> Result<(), Stop> {
        self.ticks = self.ticks.wrapping_add(1);
        let late = self.ticks.is_multiple_of(1 << 12) && self.deadline.has_passed();
        if late { Err(Stop::Limit(Limit::Time)) } else { Ok(()) }
    }

    /// The components within some nodes in which a fair run can stay; if not `all`, one of them.
    pub fn fair(&mut self, nodes: Vec<Node>, all: bool) -> Result<Vec<Vec<Node>>, Stop> {
        let mut found = Vec::new();
        let mut open = vec![nodes];
        while let Some(nodes) = open.pop() {
            for component in self.components(&nodes)? {
                match self.judge(&component)? {
                    Judged::Fair => found.push(component),
                    Judged::Unfair => {}
                    Judged::Within(rest) => open.push(rest),
                }
                if !all && !found.is_empty() {
                    return Ok(found);
                }
            }
        }
        Ok(found)
    }

    /// Gives nodes places; those of others are gone.
    pub fn settle(&mut self, nodes: &[Node]) {
        for (place, node) in (0..).zip(nodes) {
            self.place[*node as usize] = place;
        }
    }

    /// Takes the places away.
    pub fn leave(&mut self, nodes: &[Node]) {
        for node in nodes {
            self.place[*node as usize] = NOWHERE;
        }
    }

    /// Where a node is among those at hand.
    pub fn place(&self, node: Node) -> Option<usize> {
        Some(self.place[node as usize]).filter(|place| *place != NOWHERE).map(|place| place as usize)
    }

    /// The strongly connected components that some nodes make, as far as there is a hop in them (Tarjan 1972).
    fn components(&mut self, nodes: &[Node]) -> Result<Vec<Vec<Node>>, Stop> {
        self.settle(nodes);
        let mut found = Vec::new();
        let (mut index, mut low) = (vec![0u32; nodes.len()], vec![0u32; nodes.len()]);
        let mut done = vec![false; nodes.len()];
        let (mut next, mut stack, mut path) = (0, Vec::new(), Vec::new());
        for root in 0..nodes.len() {
            if index[root] > 0 {
                continue;
            }
            path.push((root, Cursor::default(), false));
            while let Some((at, cursor, looped)) = path.last_mut() {
                let at = *at;
                if index[at] == 0 {
                    next += 1;
                    (index[at], low[at]) = (next, next);
                    stack.push(at);
                }
                let hop = self.arena.next(nodes[at], cursor);
                match hop.map(|hop| self.place(hop.to)) {
                    Some(None) => {}
                    Some(Some(to)) if index[to] == 0 => path.push((to, Cursor::default(), false)),
                    Some(Some(to)) => {
                        *looped |= to == at;
                        if !done[to] {
                            low[at] = low[at].min(index[to]);
                        }
                    }
                    None => {
                        let looped = *looped;
                        path.pop();
                        if let Some((before, ..)) = path.last() {
                            low[*before] = low[*before].min(low[at]);
                        }
                        if low[at] == index[at] {
                            let first = stack.iter().rposition(|node| *node == at).unwrap_or(0);
                            let members = stack.split_off(first);
                            members.iter().for_each(|member| done[*member] = true);
                            if members.len() > 1 || looped {
                                found.push(members.into_iter().map(|member| nodes[member]).collect());
                            }
                        }
                        self.tick()?;
                    }
                }
            }
        }
        self.leave(nodes);
        Ok(found)
    }

    /// Whether a run can stay in a component and be fair.
    fn judge(&mut self, component: &[Node]) -> Result<Judged, Stop> {
        self.settle(component);
        let judged = self.judge_settled(component);
        self.leave(component);
        judged
    }

    fn judge_settled(&mut self, component: &[Node]) -> Result<Judged, Stop> {
        let arena = self.arena;
        let missed = |hop: Hop| if self.place(hop.to).is_some() { hop.missed } else { u64::MAX };
        let all_miss =
            component.iter().flat_map(|node| arena.hops(*node)).fold(u64::MAX, |all, hop| all & missed(hop));
        if all_miss & arena.acceptance() != 0 {
            return Ok(Judged::Unfair);
        }
        if self.fairness.is_empty() {
            return Ok(Judged::Fair);
        }
        let positions = self.positions(component)?;
        let width = self.fairness.who.len();
        let mut classes = Classes::new(width);
        let (mut enabled, mut here) = (vec![false; width], Vec::new());
        for (at, node) in component.iter().enumerate() {
            for hop in arena.hops(*node) {
                let Some(to) = self.place(hop.to) else { continue };
                let label = self.label(hop);
                for who in 0..width {
                    let image = self.fairness.to[label][who] as usize;
                    classes.join(positions[at * width + who], positions[to * width + image]);
                }
            }
        }
        let (mut disabled, mut executed) = (vec![false; width], vec![false; width]);
        for (at, node) in component.iter().enumerate() {
            self.fairness.enabled(arena.graph, arena.facts, arena.parts(*node).0, &mut here);
            for (who, enabled_here) in here.iter().enumerate() {
                let class = classes.of(positions[at * width + who]);
                if *enabled_here { enabled[class] = true } else { disabled[class] = true }
            }
            for hop in arena.hops(*node).filter(|hop| self.place(hop.to).is_some()) {
                for who in self.executed(hop) {
                    executed[classes.of(positions[at * width + *who as usize])] = true;
                }
            }
        }
        let mut bad = vec![false; width];
        for who in 0..width {
            let class = classes.of(who as u32);
            match self.fairness.strength[who] {
                Strength::Weak if !disabled[class] && !executed[class] => return Ok(Judged::Unfair),
                Strength::Strong => bad[class] = enabled[class] && !executed[class],
                Strength::Weak => {}
            }
        }
        if !bad.contains(&true) {
            return Ok(Judged::Fair);
        }
        let mut rest = Vec::new();
        for (at, node) in component.iter().enumerate() {
            self.fairness.enabled(arena.graph, arena.facts, arena.parts(*node).0, &mut here);
            let refused = |who: usize| here[who] && bad[classes.root(positions[at * width + who])];
            if !(0..width).any(refused) {
                rest.push(*node);
            }
        }
        Ok(Judged::Within(rest))
    }

    /// Per node of the settled component and position there, what it is called at the first node.
    fn positions(&mut self, component: &[Node]) -> Result<Vec<u32>, Stop> {
        let width = self.fairness.who.len();
        let mut positions = vec![NOWHERE; component.len() * width];
        (0..width).for_each(|who| positions[who] = who as u32);
        let (mut open, mut reached) = (vec![0], vec![false; component.len()]);
        reached[0] = true;
        while let Some(at) = open.pop() {
            for hop in self.arena.hops(component[at]) {
                let Some(to) = self.place(hop.to) else { continue };
                if std::mem::replace(&mut reached[to], true) {
                    continue;
                }
                let label = self.label(hop);
                for who in 0..width {
                    let image = self.fairness.to[label][who] as usize;
                    positions[to * width + image] = positions[at * width + who];
                }
                open.push(to);
            }
            self.tick()?;
        }
        Ok(positions)
    }

    /// The permutation of a hop.
    pub fn label(&self, hop: Hop) -> usize {
        let graph = self.arena.graph;
        hop.edge.map_or(0, |edge| graph.kind(graph.edge(edge).kind).label as usize)
    }

    /// Who is executed by a hop, by their positions where it begins.
    pub fn executed(&self, hop: Hop) -> &'a [u32] {
        let graph = self.arena.graph;
        hop.edge.map_or(&[], |edge| self.fairness.executed(graph, graph.edge(edge).kind))
    }
}

/// Classes of positions.
struct Classes(Vec<u32>);

impl Classes {
    fn new(count: usize) -> Self {
        Classes((0..count as u32).collect())
    }

    /// The class of a position, without making the way shorter.
    fn root(&self, position: u32) -> usize {
        let mut at = position;
        while self.0[at as usize] != at {
            at = self.0[at as usize];
        }
        at as usize
    }

    /// The class of a position.
    fn of(&mut self, position: u32) -> usize {
        let root = self.root(position);
        self.0[position as usize] = root as u32;
        root
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.of(a), self.of(b));
        self.0[a] = b as u32;
    }
}
