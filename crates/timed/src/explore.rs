//! The search: discrete states with zones, forward from the start, each covered by what is stored or stored itself.

use std::cell::OnceCell;
use std::ops::Range;
use std::rc::Rc;

use burnside_model::code::{Cell, DomainId, Stop};
use burnside_model::{Deadline, Network};
use burnside_symmetry::Permutation;

use crate::broadcast::hears_by_clock;
use crate::conditions::Run;
use crate::kept::Spare;
use crate::limits::{LocalLimits, Observed};
use crate::places::{Place, Places, Reached};
use crate::steps::{Outcome, Standing, Stepper, Taken, Within};
use crate::store::Store;
use crate::symmetry::Representatives;
use crate::waiting::{Order, Waiting};
use crate::zone::{Bound, Constraint, Extrapolation, Federation, Limits, Zone};

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

/// What a step leads to, and the zone there.
pub type Successor = (Reached, Zone);

/// A representative with a part of a zone, and the permutation that led to it.
pub type Piece = (Vec<Cell>, Zone, Option<Permutation>);

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
    pub stepper: Stepper<'m>,
    /// The discrete states, in the order in which they were found.
    pub places: Places,
    /// The stored states.
    pub store: Store,
    /// Chooses representatives, if symmetry is used.
    pub representatives: Option<Representatives<'m>>,
    limits: LocalLimits,
    here: Here,
    /// The clocks that no condition reads before they are set.
    freed: Vec<bool>,
    spare: Spare,
    abstraction: Abstraction,
    /// Those whose successors are not yet computed.
    pub waiting: Waiting,
    /// The state whose successors are computed.
    pub at: Option<u32>,
    bytes: u64,
    /// When the time is over, which is looked at for every new state.
    deadline: Deadline,
    /// Whether there are urgent channels.
    urgent: bool,
    /// Whether steps have different priorities.
    priorities: bool,
    /// Whether clocks decide who hears a broadcast.
    hears_by_clock: bool,
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
        let mut stepper = Stepper::new(network)?;
        let start = stepper.start()?;
        let mut limits =
            LocalLimits::new(network, &stepper.clocks, &stepper.instances, &start.state, observed);
        let priorities = network.channels.iter().any(|channel| channel.priority != network.priority)
            || network.processes.iter().any(|process| process.priority != network.processes[0].priority);
        let hears_by_clock = hears_by_clock(network);
        if priorities || hears_by_clock {
            // A step is also taken where the guard of another does not hold.
            limits.both();
        }
        if network.has_stopwatches() {
            limits.differences.give_up();
        }
        let mut abstraction = abstraction;
        if limits.differences.too_many() {
            // Neither keeps what guards on differences tell apart.
            abstraction.extrapolation = None;
            if abstraction.covering == Covering::Simulation {
                abstraction.covering = Covering::Inclusion;
            }
        }
        let representatives =
            (!domains.is_empty()).then(|| Representatives::new(network, &stepper.clocks, domains));
        let clocks = stepper.clocks.count();
        let urgent = network.channels.iter().any(|channel| channel.urgent);
        let mut explorer = Explorer {
            places: Places::new(network, &start.state),
            store: Store::new(clocks + 1),
            stepper,
            representatives,
            here: Here { limits: limits.global(), global: limits.global() },
            freed: Vec::new(),
            spare: Spare::default(),
            limits,
            abstraction,
            waiting: Waiting::default(),
            at: None,
            bytes: 0,
            deadline: Deadline::NEVER,
            urgent,
            priorities,
            hears_by_clock,
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
        match self.entry(start)? {
            Some((state, zone, standing)) => self.arrive(state, zone, &standing, (0, 0)),
            None => Ok(()),
        }
    }

    /// A state to start from and its zone before time passes, unless its invariant forbids it.
    pub fn entry(&mut self, start: Outcome) -> Run<Option<(Vec<Cell>, Zone, Standing)>> {
        let standing = self.stepper.standing(&start.state)?;
        let mut zone = Zone::zero(self.stepper.clocks.count());
        start.resets.iter().for_each(|(clock, value)| zone.reset(*clock, *value));
        let allowed = standing.allowed && zone.constrain_all(&standing.invariant);
        Ok(allowed.then_some((start.state, zone, standing)))
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
        self.at
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
        let place = self.place(self.store.nodes[visit.node as usize].discrete, &visit.zone)?;
        for step in 0..place.steps.len() {
            if let Some(representatives) = &self.representatives
                && !names_first(&place.named[step], visit.twins(representatives))
            {
                continue;
            }
            for (outcome, zone) in self.successors(&place, step, &visit.zone)? {
                let mut state = self.spare.state();
                state.extend_from_slice(&outcome.0.state);
                self.arrive(state, zone, &outcome.1, (visit.node, step as u32))?;
            }
        }
        Ok(())
    }

    /// A discrete state with all that belongs to it. If clocks decide who hears a broadcast, it has the steps that can be
    /// taken in a zone; they are the same, in the same order, whenever they are asked for.
    pub fn place(&mut self, discrete: u32, zone: &Zone) -> Run<Rc<Place>> {
        if self.hears_by_clock {
            let (stepper, representatives) = (&mut self.stepper, self.representatives.as_ref());
            let place = self.places.place_within(discrete, stepper, representatives, Within::Zone(zone))?;
            return Ok(Rc::new(place));
        }
        self.places.place(discrete, &mut self.stepper, self.representatives.as_ref())
    }

    /// The steps of a discrete state; of those that differ only in which of exchangeable elements take part, one.
    pub fn distinct_steps(&self, place: &Place, zone: &Zone) -> Vec<usize> {
        let all = 0..place.steps.len();
        match &self.representatives {
            Some(representatives) => {
                let twins = representatives.twins(&place.state, zone);
                all.filter(|step| names_first(&place.named[*step], &twins)).collect()
            }
            None => all.collect(),
        }
    }

    /// What a step makes of a zone, before time passes.
    pub fn successors(&mut self, place: &Place, step: usize, zone: &Zone) -> Run<Vec<Successor>> {
        // Most steps are refused by a look at the guard.
        if !place.steps[step].guard.iter().all(|constraint| zone.admits(*constraint)) {
            return Ok(Vec::new());
        }
        let mut enabled = self.spare.zone(zone);
        if !enabled.constrain_all(&place.steps[step].guard) {
            return Ok(Vec::new());
        }
        let mut from = vec![enabled];
        if self.priorities {
            let mut free = Federation::from(from.remove(0));
            for other in 0..place.steps.len() {
                if place.steps[other].priority > place.steps[step].priority
                    && let Some(first) = self.enabled(place, other, zone)?
                {
                    free.subtract(&first);
                }
            }
            from = free.zones().to_vec();
        }
        let outcome = place.outcome(&mut self.stepper, step)?;
        if !outcome.1.allowed {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        for mut next in from {
            outcome.0.resets.iter().for_each(|(clock, value)| next.reset(*clock, *value));
            if next.constrain_all(&outcome.1.invariant) {
                found.push((outcome.clone(), next));
            }
        }
        Ok(found)
    }

    /// The points of a zone where a step can be taken, if there are any.
    fn enabled(&mut self, place: &Place, step: usize, zone: &Zone) -> Run<Option<Zone>> {
        let mut enabled = zone.clone();
        if !enabled.constrain_all(&place.steps[step].guard) {
            return Ok(None);
        }
        let outcome = place.outcome(&mut self.stepper, step)?;
        Ok(enabled_before(enabled, &outcome.0, &outcome.1))
    }

    /// The points of a zone from which no step can ever be taken, however long one waits.
    pub fn stuck(&mut self, discrete: u32, zone: &Zone) -> Run<Federation> {
        let place = self.place(discrete, zone)?;
        let mut stuck = Federation::from(zone.clone());
        // Those that ask least leave least.
        let mut steps: Vec<usize> = (0..place.steps.len()).collect();
        steps.sort_by_key(|step| place.steps[*step].guard.len());
        for step in steps {
            if stuck.is_empty() {
                break;
            }
            if let Some(mut enabled) = self.enabled(&place, step, zone)? {
                if !place.still {
                    enabled.down();
                }
                stuck.subtract(&enabled);
            }
        }
        Ok(stuck)
    }

    /// Whether some step can be taken now or later in a discrete state, wherever its invariant holds.
    pub fn is_never_stuck(&mut self, discrete: u32) -> Run<bool> {
        if self.hears_by_clock {
            // In all zones together there may be too many ways to hear a broadcast.
            return Ok(false);
        }
        let state = self.places.state(discrete);
        let mut all = Zone::universal(self.stepper.clocks.count());
        all.constrain_all(&self.stepper.standing(&state)?.invariant);
        Ok(self.stuck(discrete, &all)?.is_empty())
    }

    /// The edges of a step under other names than those of the representative.
    pub fn named_back(&self, place: &Place, step: usize, back: Option<&Permutation>) -> Vec<Taken> {
        let step = &place.steps[step];
        match (back, &self.representatives) {
            (Some(back), Some(representatives)) => {
                self.stepper.permuted(&self.stepper.taken(step), back, representatives)
            }
            _ => self.stepper.taken(step),
        }
    }

    /// A state has been entered: time passes, and it is stored unless it is covered.
    fn arrive(&mut self, state: Vec<Cell>, zone: Zone, standing: &Standing, parent: (u32, u32)) -> Run<()> {
        if self.deadline.has_passed() {
            return Err(Stop::Deadline);
        }
        for (state, zone, _) in self.settle(state, zone, standing)? {
            let discrete = self.intern(&state, &zone);
            self.store(discrete, &state, &zone, parent);
            self.spare.give(state, zone);
        }
        Ok(())
    }

    /// Lets time pass, and abstracts.
    pub fn settle(&mut self, state: Vec<Cell>, mut zone: Zone, standing: &Standing) -> Run<Vec<Piece>> {
        if !self.is_still(&state, standing)? {
            zone.up_but(&standing.stopped);
            zone.constrain_all(&standing.invariant);
        }
        Ok(self.abstracted(state, zone))
    }

    /// Whether time stands still in a discrete state.
    pub fn is_still(&mut self, state: &[Cell], standing: &Standing) -> Run<bool> {
        Ok(standing.still || self.urgent && self.stepper.urges(state)?)
    }

    /// Splits a zone along the differences that are compared, extrapolates, and chooses representatives.
    pub fn abstracted(&mut self, state: Vec<Cell>, zone: Zone) -> Vec<Piece> {
        if !self.limits.differences.any() {
            return vec![self.abstracted_part(state, zone)];
        }
        let parts = self.limits.differences.split(zone);
        parts.into_iter().map(|part| self.abstracted_part(state.clone(), part)).collect()
    }

    fn abstracted_part(&mut self, mut state: Vec<Cell>, mut zone: Zone) -> Piece {
        let mut freed = std::mem::take(&mut self.freed);
        freed.clear();
        freed.resize(zone.dimension(), false);
        if !self.limits.differences.too_many() {
            let limits = self.here.at(&state, self.abstraction.local, &self.limits, &self.stepper);
            (1..zone.dimension()).for_each(|clock| freed[clock] = limits.both(clock).is_none());
            zone.free_all(&freed);
            if let Some(how) = self.abstraction.extrapolation {
                let sides = self.limits.differences.sides(&zone);
                zone.extrapolate(how, limits);
                zone.constrain_all(&sides);
            }
        }
        let mut chosen = None;
        if let Some(representatives) = self.representatives.as_mut() {
            let permutation = representatives.choose(&state, &zone, &freed);
            if !permutation.is_identity() {
                let (mut moved, mut renamed) = (self.spare.state(), self.spare.any_zone(&zone));
                representatives.apply(&permutation, (&state, &zone), (&mut moved, &mut renamed));
                self.spare.give(std::mem::replace(&mut state, moved), std::mem::replace(&mut zone, renamed));
            }
            chosen = Some(permutation);
        }
        self.freed = freed;
        (state, zone, chosen)
    }

    /// A zone with all points of a discrete state that a stored zone stands for, and more.
    pub fn around(&mut self, discrete: u32, zone: &Zone) -> Run<Zone> {
        if self.abstraction.covering != Covering::Simulation {
            return Ok(zone.clone());
        }
        let state = self.places.state(discrete);
        let standing = self.stepper.standing(&state)?;
        let mut around = zone.simulated(&self.limits.at(&state, &self.stepper.instances));
        around.constrain_all(&self.limits.differences.sides(zone));
        if !self.is_still(&state, &standing)? {
            around.up_but(&standing.stopped);
        }
        around.constrain_all(&standing.invariant);
        Ok(around)
    }

    /// Whether differences of clocks are compared.
    pub fn compares_differences(&self) -> bool {
        self.limits.differences.any()
    }

    /// The limits of the clocks in a discrete state.
    pub fn limits_at(&self, state: &[Cell]) -> Limits {
        self.limits.at(state, &self.stepper.instances)
    }

    /// The number of a discrete state, for zones on the same side of all differences as this one.
    pub fn intern(&mut self, state: &[Cell], zone: &Zone) -> u32 {
        let sector = self.limits.differences.sector(zone);
        let (number, new) = self.places.intern(state, &sector);
        if new {
            self.bytes += self.places.bytes_each() as u64;
            self.store.add_place();
        }
        number
    }

    fn store(&mut self, discrete: u32, state: &[Cell], zone: &Zone, parent: (u32, u32)) {
        let limits = self.here.at(state, self.abstraction.local, &self.limits, &self.stepper);
        let how = (self.abstraction.covering, limits);
        if let Some(bytes) = self.store.add((discrete, zone), how, parent, &mut self.waiting) {
            self.bytes += bytes;
            self.store.grow(self.bytes);
        }
    }

    /// How many states the orbit of a stored state has, zones told apart; too many saturate.
    pub fn orbit(&mut self, node: usize) -> u128 {
        let (state, zone) = self.state_of(node as u32);
        match &mut self.representatives {
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

/// The limits of the state at hand.
struct Here {
    limits: Limits,
    global: Limits,
}

impl Here {
    /// The limits in a discrete state, or those of the whole network.
    fn at(&mut self, state: &[Cell], local: bool, limits: &LocalLimits, stepper: &Stepper) -> &Limits {
        if !local {
            return &self.global;
        }
        limits.write(state, &stepper.instances, &mut self.limits);
        &self.limits
    }
}

/// The points from which a step leads to where the invariant holds, of those where its guard does.
pub fn enabled_before(mut enabled: Zone, outcome: &Outcome, standing: &Standing) -> Option<Zone> {
    if !standing.allowed {
        return None;
    }
    // What the invariant of the target asks of the clocks before they are set.
    let set = |clock: usize| {
        outcome.resets.iter().rev().find(|(reset, _)| *reset == clock).map(|(_, value)| *value)
    };
    let mut asked = Vec::new();
    for Constraint { left, right, bound } in &standing.invariant {
        let (a, b) = (set(*left), set(*right));
        let Some(value) = bound.value() else { continue };
        let value = value - a.unwrap_or(0) + b.unwrap_or(0);
        let bound = if bound.is_strict() { Bound::lt(value) } else { Bound::le(value) };
        let side = |clock: usize, set: Option<i32>| if set.is_some() { 0 } else { clock };
        let (left, right) = (side(*left, a), side(*right, b));
        if left != right {
            asked.push(Constraint::new(left, right, bound));
        } else if bound < Bound::LE_ZERO {
            return None;
        }
    }
    enabled.constrain_all(&asked).then_some(enabled)
}

/// As [`Explorer::stuck`], for a state that is not stored.
pub fn stuck_at(stepper: &mut Stepper, state: &[Cell], zone: &Zone) -> Run<Federation> {
    let mut stuck = Federation::from(zone.clone());
    let still = stepper.standing(state)?.still;
    let mut steps = stepper.steps_within(state, Within::Zone(zone))?;
    let still = still || stepper.is_urgent(&steps);
    steps.sort_by_key(|step| step.guard.len());
    for step in steps {
        if stuck.is_empty() {
            break;
        }
        let mut enabled = zone.clone();
        if !enabled.constrain_all(&step.guard) {
            continue;
        }
        let outcome = stepper.take(state, &step)?;
        let standing = stepper.standing(&outcome.state)?;
        if let Some(mut enabled) = enabled_before(enabled, &outcome, &standing) {
            if !still {
                enabled.down();
            }
            stuck.subtract(&enabled);
        }
    }
    Ok(stuck)
}

/// Whether the elements that a step names are, of those that can be exchanged with them, the first: another step does
/// the same with other names otherwise.
fn names_first(named: &[(usize, u32)], twins: &[Vec<u32>]) -> bool {
    for (at, (domain, element)) in named.iter().enumerate() {
        let first = twins[*domain][*element as usize];
        // Those of the same set that were named before.
        let before =
            named[..at].iter().filter(|(d, e)| d == domain && twins[*d][*e as usize] == first).count() as u32;
        if *element != first + before {
            return false;
        }
    }
    true
}
