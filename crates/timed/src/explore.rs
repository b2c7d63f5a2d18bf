//! The search: discrete states with zones, forward from the start, each covered by what is stored or stored itself.

use std::cell::OnceCell;
use std::ops::Range;
use std::rc::Rc;

use burnside_model::code::{Cell, DomainId, Stop};
use burnside_model::{Deadline, Network};

use crate::ahead::{Ahead, Helper};
use crate::conditions::Run;
use crate::limits::Observed;
use crate::moves::Moves;
use crate::place::Place;
use crate::places::Places;
use crate::steps::Outcome;
use crate::store::{Node, Store};
use crate::symmetry::Representatives;
use crate::waiting::{Order, Waiting};
use crate::zone::{Extrapolation, Federation, Zone};

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

/// A stored state that is looked at.
pub struct Visit {
    /// Its number.
    pub node: u32,
    pub state: Vec<Cell>,
    pub zone: Zone,
    /// For each element, the first of those that it can be exchanged with; computed when first asked for.
    twins: OnceCell<Vec<Vec<u32>>>,
}

impl Visit {
    /// For each element, the first of those that it can be exchanged with.
    pub fn twins(&self, representatives: &Representatives) -> &[Vec<u32>] {
        self.twins.get_or_init(|| representatives.twins(&self.state, &self.zone))
    }
}

/// A search.
pub struct Explorer<'m> {
    /// Takes the steps.
    pub moves: Moves<'m>,
    /// The discrete states, in the order in which they were found.
    pub places: Places,
    /// The stored states.
    pub store: Store,
    /// Those whose successors are not yet computed.
    pub waiting: Waiting,
    /// The state whose successors are computed.
    pub at: Option<u32>,
    bytes: u64,
    /// When the time is over, which is looked at for every new state.
    deadline: Deadline,
    /// Other threads that compute successors, if there are any.
    ahead: Option<Ahead>,
    /// Memory for the zones that they find.
    arrived: Zone,
}

impl<'m> Explorer<'m> {
    /// A search of a network under the symmetry of some of its domains.
    pub fn new(network: &'m Network, domains: &[DomainId], abstraction: Abstraction) -> Run<Self> {
        Explorer::observing(network, domains, abstraction, &Observed::default())
    }

    /// A search in which the values of some clocks are told apart.
    pub fn observing(
        network: &'m Network,
        domains: &[DomainId],
        abstraction: Abstraction,
        observed: &Observed,
    ) -> Run<Self> {
        let (moves, start) = Moves::new(network, domains, abstraction, observed)?;
        let mut explorer = Explorer {
            places: Places::new(network, &start.state),
            store: Store::new(moves.stepper.clocks.count() + 1),
            arrived: Zone::zero(moves.stepper.clocks.count()),
            moves,
            waiting: Waiting::default(),
            at: None,
            bytes: 0,
            deadline: Deadline::NEVER,
            ahead: None,
        };
        explorer.begin(start)?;
        Ok(explorer)
    }

    /// The same search, which is to begin, in another order.
    pub fn in_order(mut self, order: Order) -> Self {
        let mut waiting = Waiting::new(order);
        while let Some(node) = self.waiting.next(self.store.nodes.len()) {
            waiting.add(node, &self.state_of(node).1);
        }
        self.waiting = waiting;
        self
    }

    /// The same search, which ends when the time is over.
    pub fn until(mut self, deadline: Deadline) -> Self {
        self.deadline = deadline;
        self
    }

    /// Adds a state to start from, with the clocks that are not 0 there.
    pub fn begin(&mut self, start: Outcome) -> Run<()> {
        match self.moves.entry(start)? {
            Some((state, zone, standing)) => {
                for (state, zone, _) in self.moves.settle(state, zone, &standing)? {
                    let Explorer { moves, places, store, waiting, bytes, .. } = self;
                    Storing { places, store, waiting, bytes }.add(moves, &state, &zone, (0, 0));
                }
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Takes the next state and stores its successors; the numbers of the new ones, or nothing if there is none left.
    pub fn expand(&mut self) -> Run<Option<Range<u32>>> {
        let first = self.store.nodes.len() as u32;
        let Some(node) = self.take_next() else { return Ok(None) };
        let visit = self.visit(node);
        self.expand_from(&visit)?;
        Ok(Some(first..self.store.nodes.len() as u32))
    }

    /// The next state to look at.
    pub fn take_next(&mut self) -> Option<u32> {
        self.at = self.waiting.next(self.store.nodes.len());
        if let Some(ahead) = &mut self.ahead {
            ahead.taken();
            self.give_away();
        }
        self.at
    }

    /// Lets other threads compute successors from now on, if states are taken in the order in which they come; they do so
    /// with the result.
    pub(crate) fn ahead(&mut self) -> Option<Helper> {
        if !self.waiting.in_line() {
            return None;
        }
        Some(self.ahead.get_or_insert_with(|| Ahead::new(self.places.layout())).helper())
    }

    /// Gives waiting states to other threads, while they have not enough.
    fn give_away(&mut self) {
        let Some(ahead) = &mut self.ahead else { return };
        while let Some(given) = ahead.wants() {
            let Some(node) = self.waiting.after(given) else { return };
            let Node { discrete, superseded, .. } = self.store.nodes[node as usize];
            if superseded {
                ahead.pass();
            } else {
                ahead.give((node, discrete), self.places.bytes_of(discrete), self.store.bytes_of(node));
            }
        }
    }

    /// Stores the successors of a state that were computed ahead, if they were.
    fn arrive_ahead(&mut self, node: u32) -> Option<Run<()>> {
        let Explorer { moves, places, store, waiting, bytes, ahead, arrived, .. } = self;
        let batch = ahead.as_mut()?.batch_of(node, moves, self.deadline)?;
        let mut storing = Storing { places, store, waiting, bytes };
        batch.successors(node, arrived, |state, zone, step| storing.add(moves, state, zone, (node, step)))
    }

    /// A stored state, to look at.
    pub fn visit(&mut self, node: u32) -> Visit {
        let (state, zone) = self.state_of(node);
        Visit { node, state, zone, twins: OnceCell::new() }
    }

    /// Stores the successors of a state, unless those of a larger one are stored.
    pub fn expand_from(&mut self, visit: &Visit) -> Run<()> {
        if self.store.nodes[visit.node as usize].superseded {
            return Ok(());
        }
        if let Some(arrived) = self.arrive_ahead(visit.node) {
            return arrived;
        }
        let place = self.place(self.store.nodes[visit.node as usize].discrete, &visit.zone)?;
        let twins = self.moves.representatives.as_ref().map(|representatives| visit.twins(representatives));
        let Explorer { moves, places, store, waiting, bytes, deadline, .. } = self;
        moves.expand(&place, &visit.zone, twins, &mut |moves, state, zone, step| {
            if deadline.has_passed() {
                return Err(Stop::Deadline);
            }
            let mut storing = Storing { places, store, waiting, bytes };
            storing.add(moves, &state, &zone, (visit.node, step));
            moves.spare.give(state, zone);
            Ok(())
        })
    }

    /// A discrete state with all that belongs to it.
    pub fn place(&mut self, discrete: u32, zone: &Zone) -> Run<Rc<Place>> {
        let places = &self.places;
        self.moves.place(discrete, || places.state(discrete), zone)
    }

    /// The points of a zone from which no step can ever be taken, however long one waits.
    pub fn stuck(&mut self, discrete: u32, zone: &Zone) -> Run<Federation> {
        let place = self.place(discrete, zone)?;
        self.moves.stuck(&place, zone)
    }

    /// Whether some step can be taken now or later in a discrete state, wherever its invariant holds.
    pub fn is_never_stuck(&mut self, discrete: u32) -> Run<bool> {
        if self.moves.hears_by_clock {
            // In all zones together there may be too many ways to hear a broadcast.
            return Ok(false);
        }
        let state = self.places.state(discrete);
        let mut all = Zone::universal(self.moves.stepper.clocks.count());
        all.constrain_all(&self.moves.stepper.standing(&state)?.invariant);
        Ok(self.stuck(discrete, &all)?.is_empty())
    }

    /// A zone with all points of a discrete state that a stored zone stands for, and more.
    pub fn around(&mut self, discrete: u32, zone: &Zone) -> Run<Zone> {
        if self.moves.abstraction.covering != Covering::Simulation {
            return Ok(zone.clone());
        }
        let state = self.places.state(discrete);
        let standing = self.moves.stepper.standing(&state)?;
        let mut around = zone.simulated(&self.moves.limits.at(&state, &self.moves.stepper.instances));
        around.constrain_all(&self.moves.limits.differences.sides(zone));
        if !self.moves.is_still(&state, &standing)? {
            around.up_but(&standing.stopped);
        }
        around.constrain_all(&standing.invariant);
        Ok(around)
    }

    /// The number of a discrete state, for zones on the same side of all differences as this one.
    pub fn intern(&mut self, state: &[Cell], zone: &Zone) -> u32 {
        let Explorer { moves, places, store, waiting, bytes, .. } = self;
        Storing { places, store, waiting, bytes }.intern(moves, state, zone)
    }

    /// How many states the orbit of a stored state has, zones told apart; too many saturate.
    pub fn orbit(&mut self, node: usize) -> u128 {
        let (state, zone) = self.state_of(node as u32);
        match &mut self.moves.representatives {
            Some(representatives) => representatives.orbit(&state, &zone),
            None => 1,
        }
    }

    /// A stored state.
    pub fn state_of(&mut self, node: u32) -> (Vec<Cell>, Zone) {
        let zone = self.store.zone(node).clone();
        (self.places.state(self.store.nodes[node as usize].discrete), zone)
    }

    /// How many bytes the stored states take, about.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// How many states are stored that no other covers.
    pub fn stored(&self) -> usize {
        self.store.alive()
    }
}

/// The parts of a search that grow when a state arrives.
struct Storing<'s> {
    places: &'s mut Places,
    store: &'s mut Store,
    waiting: &'s mut Waiting,
    bytes: &'s mut u64,
}

impl Storing<'_> {
    fn intern(&mut self, moves: &Moves, state: &[Cell], zone: &Zone) -> u32 {
        let sector = moves.limits.differences.sector(zone);
        let (number, new) = self.places.intern(state, &sector);
        if new {
            *self.bytes += self.places.bytes_each() as u64;
            self.store.add_place();
        }
        number
    }

    /// Stores a state unless it is covered.
    fn add(&mut self, moves: &mut Moves, state: &[Cell], zone: &Zone, parent: (u32, u32)) {
        let discrete = self.intern(moves, state, zone);
        let how = (moves.abstraction.covering, moves.limits_here(state));
        if let Some(bytes) = self.store.add((discrete, zone), how, parent, self.waiting) {
            *self.bytes += bytes;
            self.store.grow(*self.bytes);
        }
    }
}
