//! The search: discrete states with zones, forward from the start, each covered by what is stored or stored itself.

use std::collections::{HashMap, VecDeque};

use burnside_model::Network;
use burnside_model::code::{Cell, DomainId};
use foldhash::fast::RandomState;

use crate::conditions::Run;
use crate::limits::LocalLimits;
use crate::steps::{Outcome, Standing, Step, Stepper};
use crate::symmetry::Representatives;
use crate::zone::{Extrapolation, Limits, PackedZone, Zone};

/// When a stored zone makes a new one superfluous.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Covering {
    /// If they are equal.
    Equality,
    /// If it includes the new one.
    Inclusion,
    /// If it simulates the new one: inclusion up to what guards can tell apart.
    Simulation,
}

/// How zones are stored and compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abstraction {
    /// How zones are made finitely many.
    pub extrapolation: Option<Extrapolation>,
    /// Whether the limits of the locations are used, or those of the whole network.
    pub local: bool,
    /// When a zone is superfluous.
    pub covering: Covering,
}

impl Default for Abstraction {
    fn default() -> Self {
        Abstraction { extrapolation: None, local: true, covering: Covering::Simulation }
    }
}

/// A stored state.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its discrete state.
    pub discrete: u32,
    /// Its zone.
    pub zone: PackedZone,
    /// From which node and by which step of its discrete state; itself for the first.
    pub parent: (u32, u32),
    /// Whether a larger one was stored later.
    pub superseded: bool,
}

/// A discrete state with what is the same for all its zones.
pub struct Discrete {
    /// Its cells.
    pub state: Vec<Cell>,
    /// What holds there.
    pub standing: Standing,
    /// The steps that can be taken, and what they lead to.
    pub steps: Vec<(Step, Outcome, Standing)>,
    /// Whether time stands still.
    pub still: bool,
    limits: Limits,
    /// The nodes with this discrete state that are not superseded.
    nodes: Vec<u32>,
}

/// A search.
pub struct Explorer<'m> {
    /// Takes the steps.
    pub stepper: Stepper<'m>,
    /// The discrete states, in the order in which they were found.
    pub discrete: Vec<Discrete>,
    /// The stored states, in the order in which they were found.
    pub nodes: Vec<Node>,
    /// Chooses representatives, if symmetry is used.
    pub representatives: Option<Representatives>,
    limits: LocalLimits,
    global: Limits,
    abstraction: Abstraction,
    known: HashMap<Box<[i32]>, u32, RandomState>,
    waiting: VecDeque<u32>,
    room: Zone,
}

impl<'m> Explorer<'m> {
    /// A search of a network under the symmetry of some of its domains.
    pub fn new(network: &'m Network, domains: &[DomainId], abstraction: Abstraction) -> Run<Self> {
        let mut stepper = Stepper::new(network)?;
        let start = stepper.start()?;
        let limits = LocalLimits::new(network, &stepper.clocks, &stepper.instances, &start.state);
        let representatives =
            (!domains.is_empty()).then(|| Representatives::new(network, &stepper.clocks, domains));
        let clocks = stepper.clocks.count();
        let mut explorer = Explorer {
            stepper,
            discrete: Vec::new(),
            nodes: Vec::new(),
            representatives,
            global: limits.global(),
            limits,
            abstraction,
            known: HashMap::default(),
            waiting: VecDeque::new(),
            room: Zone::zero(clocks),
        };
        let standing = explorer.stepper.standing(&start.state)?;
        let mut zone = Zone::zero(clocks);
        start.resets.iter().for_each(|(clock, value)| zone.reset(*clock, *value));
        if standing.allowed && zone.constrain_all(&standing.invariant) {
            explorer.arrive(start.state, zone, (0, 0))?;
        }
        Ok(explorer)
    }

    /// Takes the next state and stores its successors; the numbers of the new ones, or nothing if there is none left.
    pub fn expand(&mut self) -> Run<Option<std::ops::Range<u32>>> {
        let node = loop {
            let Some(node) = self.waiting.pop_front() else { return Ok(None) };
            if !self.nodes[node as usize].superseded {
                break node;
            }
        };
        let first = self.nodes.len() as u32;
        let discrete = self.nodes[node as usize].discrete as usize;
        let zone = self.nodes[node as usize].zone.unpack();
        for number in 0..self.discrete[discrete].steps.len() {
            if let Some((state, zone)) = self.successor(discrete, number, &zone) {
                self.arrive(state, zone, (node, number as u32))?;
            }
        }
        Ok(Some(first..self.nodes.len() as u32))
    }

    /// What a step makes of a zone, before time passes.
    pub fn successor(&self, discrete: usize, step: usize, zone: &Zone) -> Option<(Vec<Cell>, Zone)> {
        let (step, outcome, standing) = &self.discrete[discrete].steps[step];
        if !standing.allowed {
            return None;
        }
        let mut next = zone.clone();
        if !next.constrain_all(&step.guard) {
            return None;
        }
        outcome.resets.iter().for_each(|(clock, value)| next.reset(*clock, *value));
        next.constrain_all(&standing.invariant).then(|| (outcome.state.clone(), next))
    }

    /// A state has been reached: time passes, and it is stored unless it is covered.
    fn arrive(&mut self, state: Vec<Cell>, zone: Zone, parent: (u32, u32)) -> Run<()> {
        let (mut state, mut zone) = (state, zone);
        self.settle(&mut state, &mut zone)?;
        let discrete = self.intern(&state)?;
        self.store(discrete, zone, parent);
        Ok(())
    }

    /// Lets time pass, extrapolates, and chooses the representative; gives the permutation that led to it.
    pub fn settle(&mut self, state: &mut Vec<Cell>, zone: &mut Zone) -> Run<Option<burnside_symmetry::Permutation>> {
        let standing = self.stepper.standing(state)?;
        let still = standing.still || {
            let steps = self.stepper.steps(state)?;
            self.stepper.is_urgent(&steps)
        };
        if !still {
            zone.up();
            zone.constrain_all(&standing.invariant);
        }
        let limits = if self.abstraction.local {
            self.limits.at(state, &self.stepper.instances)
        } else {
            self.global.clone()
        };
        if self.abstraction.local {
            for clock in 1..zone.dimension() {
                if limits.both(clock).is_none() && !self.limits.differences {
                    zone.free(clock);
                }
            }
        }
        if let Some(how) = self.abstraction.extrapolation.filter(|_| !self.limits.differences) {
            zone.extrapolate(how, &limits);
        }
        let Some(representatives) = &mut self.representatives else { return Ok(None) };
        let permutation = representatives.choose(state, zone);
        let (moved, moved_zone) = representatives.apply(&permutation, state, zone);
        (*state, *zone) = (moved, moved_zone);
        Ok(Some(permutation))
    }

    fn intern(&mut self, state: &[Cell]) -> Run<u32> {
        let key: Box<[i32]> = state.iter().map(|cell| i32::try_from(*cell).unwrap_or(i32::MIN)).collect();
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let standing = self.stepper.standing(state)?;
        let steps = self.stepper.steps(state)?;
        let still = standing.still || self.stepper.is_urgent(&steps);
        let mut taken = Vec::with_capacity(steps.len());
        for step in steps {
            let outcome = self.stepper.take(state, &step)?;
            let standing = self.stepper.standing(&outcome.state)?;
            taken.push((step, outcome, standing));
        }
        let limits = self.limits.at(state, &self.stepper.instances);
        let number = self.discrete.len() as u32;
        self.discrete.push(Discrete { state: state.to_vec(), standing, steps: taken, still, limits, nodes: Vec::new() });
        self.known.insert(key, number);
        Ok(number)
    }

    fn store(&mut self, discrete: u32, zone: Zone, parent: (u32, u32)) {
        let place = &mut self.discrete[discrete as usize];
        let limits = if self.abstraction.local { &place.limits } else { &self.global };
        let (room, nodes) = (&mut self.room, &mut self.nodes);
        let covered = |node: &Node, room: &mut Zone| match self.abstraction.covering {
            Covering::Equality => {
                node.zone.unpack_into(room);
                *room == zone
            }
            Covering::Inclusion => node.zone.includes(&zone),
            Covering::Simulation => node.zone.simulates(&zone, limits, room),
        };
        if place.nodes.iter().any(|node| covered(&nodes[*node as usize], room)) {
            return;
        }
        if self.abstraction.covering != Covering::Equality {
            place.nodes.retain(|node| {
                let node = &mut nodes[*node as usize];
                node.zone.unpack_into(room);
                node.superseded = match self.abstraction.covering {
                    Covering::Inclusion => zone.includes(room),
                    _ => zone.simulates(room, limits),
                };
                !node.superseded
            });
        }
        let number = nodes.len() as u32;
        nodes.push(Node { discrete, zone: PackedZone::new(&zone), parent, superseded: false });
        place.nodes.push(number);
        self.waiting.push_back(number);
    }

    /// How many states are stored and not superseded.
    pub fn stored(&self) -> usize {
        self.discrete.iter().map(|discrete| discrete.nodes.len()).sum()
    }
}
