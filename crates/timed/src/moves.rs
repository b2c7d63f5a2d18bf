//! What a network does in one state with a zone: the steps that can be taken, what they lead to, and what time and
//! abstraction make of it.

use std::rc::Rc;

use burnside_model::Network;
use burnside_model::code::{Cell, DomainId};
use burnside_symmetry::Permutation;

use crate::broadcast::hears_by_clock;
use crate::conditions::Run;
use crate::explore::{Abstraction, Covering};
use crate::kept::Spare;
use crate::limits::{LocalLimits, Observed};
use crate::place::{Known, Place, Reached};
use crate::steps::{Outcome, Standing, Stepper, Taken, Within};
use crate::stuck::enabled_before;
use crate::symmetry::Representatives;
use crate::zone::{Federation, Limits, Zone};

/// What a step leads to, and the zone there.
pub type Successor = (Reached, Zone);

/// A representative with a part of a zone, and the permutation that led to it.
pub type Piece = (Vec<Cell>, Zone, Option<Permutation>);

/// Takes a successor: its cells and its zone, and the number of the step to it.
pub type Arrive<'m, 'a> = dyn FnMut(&mut Moves<'m>, Vec<Cell>, Zone, u32) -> Run<()> + 'a;

/// Takes steps of states with zones.
pub struct Moves<'m> {
    /// Takes the discrete steps.
    pub stepper: Stepper<'m>,
    /// Chooses representatives, if symmetry is used.
    pub representatives: Option<Representatives<'m>>,
    pub(crate) limits: LocalLimits,
    here: Here,
    /// The clocks that no condition reads before they are set.
    freed: Vec<bool>,
    pub(crate) spare: Spare,
    pub(crate) abstraction: Abstraction,
    /// What is known of discrete states.
    pub known: Known,
    /// Whether there are urgent channels.
    urgent: bool,
    /// Whether steps have different priorities.
    priorities: bool,
    /// Whether clocks decide who hears a broadcast.
    pub(crate) hears_by_clock: bool,
}

impl<'m> Moves<'m> {
    /// Those of a network under the symmetry of some of its domains; the values of some clocks are told apart. With the first
    /// state.
    pub fn new(
        network: &'m Network,
        domains: &[DomainId],
        abstraction: Abstraction,
        observed: &Observed,
    ) -> Run<(Self, Outcome)> {
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
        let urgent = network.channels.iter().any(|channel| channel.urgent);
        let here = Here { limits: limits.global(), global: limits.global() };
        let moves = Moves {
            stepper,
            representatives,
            limits,
            here,
            freed: Vec::new(),
            spare: Spare::default(),
            abstraction,
            known: Known::default(),
            urgent,
            priorities,
            hears_by_clock,
        };
        Ok((moves, start))
    }

    /// A state to start from and its zone before time passes, unless its invariant forbids it.
    pub fn entry(&mut self, start: Outcome) -> Run<Option<(Vec<Cell>, Zone, Standing)>> {
        let standing = self.stepper.standing(&start.state)?;
        let mut zone = Zone::zero(self.stepper.clocks.count());
        start.resets.iter().for_each(|(clock, value)| zone.reset(*clock, *value));
        let allowed = standing.allowed && zone.constrain_all(&standing.invariant);
        Ok(allowed.then_some((start.state, zone, standing)))
    }

    /// A discrete state with all that belongs to it, by its number; `state` gives its cells. If clocks decide who hears a
    /// broadcast, it has the steps that can be taken in a zone; they are the same, in the same order, whenever they are asked
    /// for.
    pub fn place(&mut self, number: u32, state: impl FnOnce() -> Vec<Cell>, zone: &Zone) -> Run<Rc<Place>> {
        let Moves { stepper, representatives, known, .. } = self;
        if self.hears_by_clock {
            let place = Place::new(state(), stepper, representatives.as_ref(), Within::Zone(zone))?;
            return Ok(Rc::new(place));
        }
        known.place(number, state, stepper, representatives.as_ref())
    }

    /// All successors of a state, after time has passed there, given away one by one with the number of the step; of steps that
    /// differ only in which of exchangeable elements take part, one. `twins` are these elements.
    pub fn expand(
        &mut self,
        place: &Place,
        zone: &Zone,
        twins: Option<&[Vec<u32>]>,
        arrive: &mut Arrive<'m, '_>,
    ) -> Run<()> {
        for step in 0..place.steps.len() {
            if twins.is_some_and(|twins| !names_first(&place.named[step], twins)) {
                continue;
            }
            for (outcome, zone) in self.successors(place, step, zone)? {
                let mut state = self.spare.state();
                state.extend_from_slice(&outcome.0.state);
                for (state, zone, _) in self.settle(state, zone, &outcome.1)? {
                    arrive(self, state, zone, step as u32)?;
                }
            }
        }
        Ok(())
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
    pub fn stuck(&mut self, place: &Place, zone: &Zone) -> Run<Federation> {
        let mut stuck = Federation::from(zone.clone());
        // Those that ask least leave least.
        let mut steps: Vec<usize> = (0..place.steps.len()).collect();
        steps.sort_by_key(|step| place.steps[*step].guard.len());
        for step in steps {
            if stuck.is_empty() {
                break;
            }
            if let Some(mut enabled) = self.enabled(place, step, zone)? {
                if !place.still {
                    enabled.down();
                }
                stuck.subtract(&enabled);
            }
        }
        Ok(stuck)
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

    /// Whether differences of clocks are compared.
    pub fn compares_differences(&self) -> bool {
        self.limits.differences.any()
    }

    /// The limits of the clocks in a discrete state.
    pub fn limits_at(&self, state: &[Cell]) -> Limits {
        self.limits.at(state, &self.stepper.instances)
    }

    /// The limits of the clocks in a discrete state, or those of the whole network.
    pub(crate) fn limits_here(&mut self, state: &[Cell]) -> &Limits {
        self.here.at(state, self.abstraction.local, &self.limits, &self.stepper)
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
