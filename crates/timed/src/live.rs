//! Runs in which a condition holds forever: what `E[]` asks for, and what violates `A<>` and `-->`.
//!
//! As UPPAAL defines it, a run counts if it has infinitely many steps, or ends where it may stay forever, or where no
//! step can ever be taken again; zeno runs count too. The condition holds at every moment in between. The search goes
//! through the states and zones in which it does: of the points of a zone, those that time reaches before the condition
//! fails. Zones are extrapolated by Extra⁺M, which keeps runs, also infinite ones (S. Tripakis, *Checking timed Büchi
//! automata emptiness on simulation graphs*, TOCL 2009), and are told apart: covering by a larger zone would close
//! loops that are none. With symmetry, a loop of representatives is a run that comes back to a permuted state; repeated
//! often enough it comes back to the same.

use std::collections::HashMap;
use std::rc::Rc;

use burnside_model::code::{Cell, Expr, Frame};
use burnside_symmetry::Permutation;
use foldhash::fast::RandomState;

use crate::conditions::{Run, mentions_deadlock};
use crate::explore::Explorer;
use crate::moves::Piece;
use crate::place::Place;
use crate::run::Ending;
use crate::steps::{Standing, Stepper, Taken};
use crate::stuck::stuck_at;
use crate::times::Stay;
use crate::zone::{Federation, PackedZone, Zone};

/// So many discrete states are remembered with where the condition holds.
const MOST_GROUNDS: usize = 1 << 12;

/// A condition, or its contrary.
#[derive(Clone, Copy)]
pub struct Claim<'m> {
    /// The variables bound inside.
    pub frame: &'m Frame,
    pub expr: &'m Expr,
    /// Whether it holds, or does not.
    pub holds: bool,
}

impl Claim<'_> {
    /// The points of a zone where the claim is true.
    pub fn points(&self, stepper: &mut Stepper, state: &[Cell], zone: &Zone) -> Run<Federation> {
        let stuck = if mentions_deadlock(stepper.network, self.expr) {
            stuck_at(stepper, state, zone)?
        } else {
            Federation::none()
        };
        let mut conditions = stepper.conditions(state);
        conditions.interpreter.enter(self.frame);
        conditions.points(self.frame, self.expr, self.holds, zone, &|| stuck.clone())
    }
}

/// Where a condition holds in a discrete state, of all that the invariant allows.
struct Ground {
    good: Federation,
    bad: Federation,
    still: bool,
    standing: Standing,
}

impl Ground {
    fn new(explorer: &mut Explorer, claim: Claim, state: &[Cell]) -> Run<Ground> {
        let standing = explorer.moves.stepper.standing(state)?;
        let still = explorer.moves.is_still(state, &standing)?;
        let mut all = Zone::universal(explorer.moves.stepper.clocks.count());
        all.constrain_all(&standing.invariant);
        let good = claim.points(&mut explorer.moves.stepper, state, &all)?;
        let mut bad = Federation::from(all);
        good.zones().iter().for_each(|zone| bad.subtract(zone));
        Ok(Ground { good, bad, still, standing })
    }

    /// The points that are reached from those of a zone, in which the condition holds, before it fails. On each line
    /// that time follows, the zone is an interval, so that all of it fails at the same moment.
    fn lasting(&self, mut from: Zone) -> Federation {
        if self.still {
            return Federation::from(from);
        }
        from.up();
        from.constrain_all(&self.standing.invariant);
        let mut reached = Federation::from(from.clone());
        for bad in self.bad.zones() {
            let mut after = bad.clone();
            if after.intersect(&from) {
                after.up();
                reached.subtract(&after);
            }
        }
        reached
    }

    /// The points of a zone from which the condition never fails, as long as time can pass.
    fn never_fails(&self, zone: Zone) -> Federation {
        let mut safe = Federation::from(zone);
        if !self.still {
            for bad in self.bad.zones() {
                let mut before = bad.clone();
                before.down();
                safe.subtract(&before);
            }
        }
        safe
    }

    /// Whether time can pass forever: no clock is bounded from above.
    fn endless(&self) -> bool {
        !self.still && self.standing.invariant.iter().all(|c| c.right != 0 || c.bound.is_infinite())
    }

    /// Everything that time reaches from a zone.
    fn future(&self, zone: &Zone) -> Zone {
        let mut future = zone.clone();
        if !self.still {
            future.up();
            future.constrain_all(&self.standing.invariant);
        }
        future
    }
}

/// A state of the search.
struct Node {
    discrete: u32,
    zone: PackedZone,
    /// From which root, or from which node by which step.
    parent: Result<(u32, u32), usize>,
    /// Steps and where they lead.
    out: Vec<(u32, u32)>,
}

/// Where runs begin: a state and its points, under the names of a stored state if it is one.
pub struct Root {
    /// The stored state, if it is not the start.
    pub node: Option<u32>,
    pub state: Vec<Cell>,
    pub zone: Zone,
}

/// A run that was found: which steps of which nodes.
pub struct Found {
    root: usize,
    path: Vec<u32>,
    /// The step after each node but the last.
    steps: Vec<u32>,
    /// How it goes on; for a loop, `back` is a position in the path.
    pub ending: Ending,
}

/// How a search ends.
pub enum Outcome {
    Found(Found),
    None,
    Limit(burnside_model::Limit),
}

/// A search for runs in which a condition holds forever.
pub struct Live<'e, 'm> {
    explorer: &'e mut Explorer<'m>,
    claim: Claim<'m>,
    roots: Vec<Root>,
    nodes: Vec<Node>,
    seen: HashMap<(u32, PackedZone), u32, RandomState>,
    /// Where the condition holds in the discrete states that were looked at lately.
    grounds: HashMap<Vec<Cell>, Rc<Ground>, RandomState>,
    bytes: u64,
}

impl<'e, 'm> Live<'e, 'm> {
    /// A search from some states on. The explorer gives steps and representatives.
    pub fn new(explorer: &'e mut Explorer<'m>, claim: Claim<'m>, roots: Vec<Root>) -> Self {
        let (seen, grounds) = (HashMap::default(), HashMap::default());
        Live { explorer, claim, roots, nodes: Vec::new(), seen, grounds, bytes: 0 }
    }

    /// Gives steps and representatives.
    pub fn explorer(&mut self) -> &mut Explorer<'m> {
        self.explorer
    }

    pub fn stored(&self) -> usize {
        self.nodes.len()
    }

    /// Where the condition holds in a discrete state.
    fn ground(&mut self, state: &[Cell]) -> Run<Rc<Ground>> {
        if let Some(known) = self.grounds.get(state) {
            return Ok(known.clone());
        }
        let ground = Rc::new(Ground::new(self.explorer, self.claim, state)?);
        if self.grounds.len() >= MOST_GROUNDS {
            self.grounds.clear();
        }
        self.grounds.insert(state.to_vec(), ground.clone());
        Ok(ground)
    }

    /// Looks for a run.
    pub fn search(&mut self, bounds: crate::check::Bounds) -> Run<Outcome> {
        for root in 0..self.roots.len() {
            let (state, zone) = (self.roots[root].state.clone(), self.roots[root].zone.clone());
            self.arrive(&state, &zone, Err(root))?;
        }
        let mut at = 0;
        while at < self.nodes.len() {
            let zone = self.nodes[at].zone.unpack();
            let place = self.explorer.place(self.nodes[at].discrete, &zone)?;
            let ends = Ends(self.ground(&place.state)?);
            if let Some((ending, _)) = ends.at(self.explorer, &place.state, Some(&place), &zone)? {
                return Ok(Outcome::Found(self.found(at as u32, ending)));
            }
            for step in self.explorer.moves.distinct_steps(&place, &zone) {
                for (outcome, zone) in self.explorer.moves.successors(&place, step, &zone)? {
                    self.arrive(&outcome.0.state, &zone, Ok((at as u32, step as u32)))?;
                }
            }
            if bounds.deadline.has_passed() {
                return Ok(Outcome::Limit(burnside_model::Limit::Time));
            }
            if bounds.memory.is_some_and(|limit| self.bytes + self.explorer.bytes() > limit) {
                return Ok(Outcome::Limit(burnside_model::Limit::Memory));
            }
            at += 1;
        }
        Ok(self.infinite().map_or(Outcome::None, Outcome::Found))
    }

    /// A state has been entered: what time makes of it while the condition holds is stored, unless it is known.
    fn arrive(&mut self, state: &[Cell], entry: &Zone, parent: Result<(u32, u32), usize>) -> Run<()> {
        for (state, zone, _) in self.pieces(state, entry)? {
            let discrete = self.explorer.intern(&state, &zone);
            let packed = PackedZone::new(&zone);
            let next = self.nodes.len() as u32;
            let number = *self.seen.entry((discrete, packed.clone())).or_insert(next);
            if number == next {
                self.bytes += 2 * (packed.bytes() + size_of::<Node>()) as u64;
                self.nodes.push(Node { discrete, zone: packed, parent, out: Vec::new() });
            }
            if let Ok((node, step)) = parent {
                self.bytes += 8;
                self.nodes[node as usize].out.push((step, number));
            }
        }
        Ok(())
    }

    /// What time makes of a state while the condition holds: representatives, and the permutations to them.
    fn pieces(&mut self, state: &[Cell], entry: &Zone) -> Run<Vec<Piece>> {
        let ground = self.ground(state)?;
        let mut pieces = Vec::new();
        for good in ground.good.zones() {
            let mut from = entry.clone();
            if !from.intersect(good) {
                continue;
            }
            for zone in ground.lasting(from).zones() {
                pieces.extend(self.explorer.moves.abstracted(state.to_vec(), zone.clone()));
            }
        }
        Ok(pieces)
    }

    fn found(&self, node: u32, ending: Ending) -> Found {
        let mut path = vec![node];
        let mut steps = Vec::new();
        let mut at = node;
        let root = loop {
            match self.nodes[at as usize].parent {
                Ok((before, step)) => {
                    steps.push(step);
                    path.push(before);
                    at = before;
                }
                Err(root) => break root,
            }
        };
        path.reverse();
        steps.reverse();
        Found { root, path, steps, ending }
    }

    /// A run with infinitely many steps, if there is one: those nodes that lead nowhere are taken away until every node
    /// leads to another one.
    fn infinite(&self) -> Option<Found> {
        let mut left: Vec<usize> = self.nodes.iter().map(|node| node.out.len()).collect();
        let mut into: Vec<Vec<u32>> = vec![Vec::new(); self.nodes.len()];
        for (number, node) in (0..).zip(&self.nodes) {
            node.out.iter().for_each(|(_, to)| into[*to as usize].push(number));
        }
        let mut dead: Vec<usize> = (0..left.len()).filter(|node| left[*node] == 0).collect();
        while let Some(node) = dead.pop() {
            for before in &into[node] {
                left[*before as usize] -= 1;
                if left[*before as usize] == 0 {
                    dead.push(*before as usize);
                }
            }
        }
        let first = left.iter().position(|left| *left > 0)?;
        let mut found = self.found(first as u32, Ending::Open);
        loop {
            let at = *found.path.last()? as usize;
            let (step, next) =
                self.nodes[at].out.iter().filter(|(_, to)| left[*to as usize] > 0).min_by_key(|out| out.1)?;
            found.steps.push(*step);
            if let Some(back) = found.path.iter().position(|node| node == next) {
                found.path.push(*next);
                found.ending = Ending::Loop { back, exact: false };
                return Some(found);
            }
            found.path.push(*next);
        }
    }

    /// The steps of a run that was found, from its root on, its loop taken a number of times: under the names that the
    /// root had before `back`, which sends them to the names of the run.
    pub fn steps(&mut self, found: &Found, back: Option<Permutation>, times: usize) -> Run<Vec<Vec<Taken>>> {
        let (mut nodes, mut steps) = (found.path.clone(), found.steps.clone());
        if let Ending::Loop { back, .. } = found.ending {
            for _ in 1..times {
                nodes.extend_from_slice(&found.path[back + 1..]);
                steps.extend_from_slice(&found.steps[back..]);
            }
        }
        let root = &self.roots[found.root];
        let (state, zone) = (root.state.clone(), root.zone.clone());
        let mut back = self.followed(&state, &zone, nodes[0], back)?.unwrap_or(None);
        let mut taken = Vec::new();
        for (at, step) in steps.iter().enumerate() {
            let zone = self.nodes[nodes[at] as usize].zone.unpack();
            let place = self.explorer.place(self.nodes[nodes[at] as usize].discrete, &zone)?;
            taken.push(self.explorer.moves.named_back(&place, *step as usize, back.as_ref()));
            for (outcome, zone) in self.explorer.moves.successors(&place, *step as usize, &zone)? {
                if let Some(next) = self.followed(&outcome.0.state, &zone, nodes[at + 1], back.clone())? {
                    back = next;
                    break;
                }
            }
        }
        Ok(taken)
    }

    /// If entering a state leads to a node: what sends the names of the node to those of the run.
    fn followed(
        &mut self,
        state: &[Cell],
        entry: &Zone,
        node: u32,
        back: Option<Permutation>,
    ) -> Run<Option<Option<Permutation>>> {
        let node = &self.nodes[node as usize];
        let (target, stored) = (self.explorer.places.state(node.discrete), node.zone.unpack());
        for (state, zone, moved) in self.pieces(state, entry)? {
            if state == target && zone == stored {
                return Ok(Some(back.zip(moved).map(|(back, moved)| back.compose(&moved.inverse()))));
            }
        }
        Ok(None)
    }

    /// Where a run that was found begins.
    pub fn root(&self, found: &Found) -> &Root {
        &self.roots[found.root]
    }

    /// What staying in a discrete state asks of the clocks, if the condition holds all the time; if the run ends there,
    /// the stay ends where it may.
    pub fn stays(&mut self, state: &[Cell], ending: Option<Ending>) -> Run<Vec<Stay>> {
        let ends = Ends::new(self.explorer, self.claim, state)?;
        let mut stays = Vec::new();
        for good in ends.0.good.zones() {
            for zone in ends.0.lasting(good.clone()).zones() {
                let entry = good.minimal_constraints();
                let exits = match ending {
                    None => Federation::from(zone.clone()),
                    Some(ending) => match ends.at(self.explorer, state, None, zone)? {
                        Some((found, zones)) if found == ending => zones,
                        _ => Federation::none(),
                    },
                };
                stays.extend(
                    exits
                        .zones()
                        .iter()
                        .map(|exit| Stay { entry: entry.clone(), exit: exit.minimal_constraints() }),
                );
            }
        }
        Ok(stays)
    }
}

/// Where runs may end in a discrete state.
struct Ends(Rc<Ground>);

impl Ends {
    fn new(explorer: &mut Explorer, claim: Claim, state: &[Cell]) -> Run<Ends> {
        Ok(Ends(Rc::new(Ground::new(explorer, claim, state)?)))
    }

    /// The points of a zone where a run may end, and how: stay forever, or be stuck. If its steps are known, `place` has them.
    fn at(
        &self,
        explorer: &mut Explorer,
        state: &[Cell],
        place: Option<&Place>,
        zone: &Zone,
    ) -> Run<Option<(Ending, Federation)>> {
        let safe = self.0.never_fails(zone.clone());
        if safe.is_empty() {
            return Ok(None);
        }
        if self.0.endless() {
            return Ok(Some((Ending::Stays, safe)));
        }
        let future = self.0.future(zone);
        let stuck = match place.filter(|_| !explorer.moves.hears_by_clock) {
            Some(place) => explorer.moves.stuck(place, &future)?,
            // Who hears a broadcast may be others later.
            None => stuck_at(&mut explorer.moves.stepper, state, &future)?,
        };
        let mut both = Federation::none();
        for safe in safe.zones() {
            for stuck in stuck.zones() {
                let mut zone = safe.clone();
                zone.intersect(stuck);
                both.add(zone);
            }
        }
        Ok((!both.is_empty()).then_some((Ending::Stuck, both)))
    }
}
