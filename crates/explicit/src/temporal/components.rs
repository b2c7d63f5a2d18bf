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

/// A component with a hop in it.
struct Component {
    nodes: Vec<Node>,
    /// The acceptance sets that no hop in it belongs to, as bits.
    missed: u64,
}

/// A node on the path of the search for components.
struct Frame {
    /// Its place.
    at: u32,
    /// Its own number.
    first: u32,
    /// The next hop.
    cursor: Cursor,
    /// Of what is known to be in its component below it: the acceptance sets that all hops miss, and whether there is one.
    missed: u64,
    stays: bool,
}

impl Frame {
    fn at(at: u32) -> Frame {
        Frame { at, first: 0, cursor: Cursor::default(), missed: u64::MAX, stays: false }
    }
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
        let nodes = arena.nodes().filter(|nodes| 40 * *nodes as u64 <= room);
        let nodes = nodes.ok_or(Stop::Limit(Limit::Memory))?;
        Ok(Components { arena, fairness, place: vec![NOWHERE; nodes], deadline, ticks: 0 })
    }

    /// Looks at the clock now and then.
    pub fn tick(&mut self) -> Result<(), Stop> {
        self.ticks = self.ticks.wrapping_add(1);
        let late = self.ticks.is_multiple_of(1 << 12) && self.deadline.has_passed();
        if late { Err(Stop::Limit(Limit::Time)) } else { Ok(()) }
    }

    /// The components within some nodes in which a fair run can stay.
    pub fn fair(&mut self, nodes: Vec<Node>) -> Result<Vec<Vec<Node>>, Stop> {
        self.settle(&nodes);
        let components = self.components(nodes, false)?;
        self.fair_among(components, true)
    }

    /// One of those among all nodes that can be reached from some.
    pub fn fair_from(&mut self, starts: &[Node]) -> Result<Option<Vec<Node>>, Stop> {
        self.settle(starts);
        let components = self.components(starts.to_vec(), true)?;
        Ok(self.fair_among(components, false)?.pop())
    }

    /// The parts of components in which a fair run can stay; if not `all`, one of them.
    fn fair_among(&mut self, mut open: Vec<Component>, all: bool) -> Result<Vec<Vec<Node>>, Stop> {
        let mut found = Vec::new();
        while let Some(component) = open.pop() {
            match self.judge(&component)? {
                Judged::Fair => found.push(component.nodes),
                Judged::Unfair => {}
                Judged::Within(rest) => {
                    self.settle(&rest);
                    open.extend(self.components(rest, false)?);
                }
            }
            if !all && !found.is_empty() {
                break;
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

    /// The strongly connected components that some nodes make, which have places, as far as there is a hop in them (Tarjan
    /// 1972, in the form of Pearce 2016, which has one number for each node). If it `grows`, all nodes that are met belong
    /// to them. Takes the places away.
    fn components(&mut self, mut nodes: Vec<Node>, grows: bool) -> Result<Vec<Component>, Stop> {
        let (arena, mut found) = (self.arena, Vec::new());
        // Before a node is met; while its component is not complete, its number or that of an earlier one it leads to; then.
        const NEW: u32 = 0;
        const COMPLETE: u32 = u32::MAX;
        let mut number = vec![NEW; nodes.len()];
        let (mut next, mut stack, mut path): (u32, Vec<u32>, Vec<Frame>) = (1, Vec::new(), Vec::new());
        for root in 0..nodes.len() {
            if number[root] == NEW {
                path.push(Frame::at(root as u32));
            }
            while let Some(mut frame) = path.pop() {
                let at = frame.at as usize;
                if number[at] == NEW {
                    number[at] = next;
                    frame.first = next;
                    next += 1;
                }
                let mut hops = arena.hops_after(nodes[at], frame.cursor);
                let mut deeper = None;
                loop {
                    let before = hops.cursor();
                    let Some(hop) = hops.next() else { break };
                    let to = match self.place[hop.to as usize] {
                        NOWHERE if grows => {
                            let place = nodes.len() as u32;
                            self.place[hop.to as usize] = place;
                            nodes.push(hop.to);
                            number.push(NEW);
                            place
                        }
                        NOWHERE => continue,
                        place => place,
                    };
                    match number[to as usize] {
                        NEW => {
                            // The hop is looked at again when it is known where it leads.
                            frame.cursor = before;
                            deeper = Some(to);
                            break;
                        }
                        COMPLETE => {}
                        earlier => {
                            number[at] = number[at].min(earlier);
                            (frame.missed, frame.stays) = (frame.missed & hop.missed, true);
                        }
                    }
                }
                if let Some(to) = deeper {
                    path.push(frame);
                    path.push(Frame::at(to));
                    continue;
                }
                self.tick()?;
                stack.push(frame.at);
                if number[at] < frame.first {
                    if let Some(before) = path.last_mut() {
                        before.missed &= frame.missed;
                        before.stays = true;
                    }
                    continue;
                }
                let first = stack.iter().rposition(|node| number[*node as usize] < frame.first);
                let members = stack.split_off(first.map_or(0, |first| first + 1));
                members.iter().for_each(|member| number[*member as usize] = COMPLETE);
                if frame.stays {
                    let nodes = members.into_iter().map(|member| nodes[member as usize]).collect();
                    found.push(Component { nodes, missed: frame.missed });
                }
            }
        }
        self.leave(&nodes);
        Ok(found)
    }

    /// Whether a run can stay in a component and be fair.
    fn judge(&mut self, component: &Component) -> Result<Judged, Stop> {
        if component.missed & self.arena.acceptance() != 0 {
            return Ok(Judged::Unfair);
        }
        if self.fairness.is_empty() {
            return Ok(Judged::Fair);
        }
        self.settle(&component.nodes);
        let judged = self.judge_settled(&component.nodes);
        self.leave(&component.nodes);
        judged
    }

    fn judge_settled(&mut self, component: &[Node]) -> Result<Judged, Stop> {
        let (arena, fairness) = (self.arena, self.fairness);
        let positions = self.positions(component)?;
        let width = fairness.who.len();
        // Of each name that a position has at the first node, what is known of it somewhere.
        let (mut disabled, mut executed) = (vec![false; width], vec![false; width]);
        let mut enabled = vec![false; width];
        let (mut classes, mut here) = (Classes::new(width), Vec::new());
        for (at, node) in component.iter().enumerate() {
            let names = &positions[at * width..(at + 1) * width];
            fairness.enabled(arena.graph, arena.facts, arena.parts(*node).0, &mut here);
            for (name, enabled_here) in names.iter().zip(&here) {
                if *enabled_here { enabled[*name as usize] = true } else { disabled[*name as usize] = true }
            }
            for hop in arena.hops(*node) {
                let Some(to) = self.place(hop.to) else { continue };
                for who in self.executed(hop) {
                    executed[names[*who as usize] as usize] = true;
                }
                let then = &positions[to * width..(to + 1) * width];
                for (name, image) in names.iter().zip(fairness.to(self.label(hop))) {
                    let other = then[*image as usize];
                    if *name != other {
                        classes.join(*name, other);
                    }
                }
            }
            // Then each class has someone, whatever else belongs to it.
            let served =
                |name: usize| executed[name] || fairness.strength[name] == Strength::Weak && disabled[name];
            if (0..width).all(served) {
                return Ok(Judged::Fair);
            }
            self.tick()?;
        }
        let of_class = |known: &[bool], class: usize| -> bool {
            (0..width).any(|name| known[name] && classes.root(name as u32) == class)
        };
        let mut bad = vec![false; width];
        for who in 0..width {
            let class = classes.root(who as u32);
            let executed = of_class(&executed, class);
            match fairness.strength[who] {
                Strength::Weak if !executed && !of_class(&disabled, class) => return Ok(Judged::Unfair),
                Strength::Strong => bad[class] = of_class(&enabled, class) && !executed,
                Strength::Weak => {}
            }
        }
        if !bad.contains(&true) {
            return Ok(Judged::Fair);
        }
        let mut rest = Vec::new();
        for (at, node) in component.iter().enumerate() {
            fairness.enabled(arena.graph, arena.facts, arena.parts(*node).0, &mut here);
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
        let (mut open, arena) = (vec![0], self.arena);
        while let Some(at) = open.pop() {
            for hop in arena.hops(component[at]) {
                let Some(to) = self.place(hop.to) else { continue };
                // All positions of a node are named at once.
                if positions[to * width] != NOWHERE {
                    continue;
                }
                for (who, image) in self.fairness.to(self.label(hop)).iter().enumerate() {
                    positions[to * width + *image as usize] = positions[at * width + who];
                }
                open.push(to);
            }
            self.tick()?;
        }
        Ok(positions)
    }

    /// The permutation of a hop.
    pub fn label(&self, hop: Hop) -> usize {
        hop.kind.map_or(0, |kind| self.arena.graph.kind(kind).label as usize)
    }

    /// Who is executed by a hop, by their positions where it begins.
    pub fn executed(&self, hop: Hop) -> &'a [u32] {
        hop.kind.map_or(&[], |kind| self.fairness.executed(self.arena.graph, kind))
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
