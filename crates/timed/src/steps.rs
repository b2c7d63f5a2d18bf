//! The discrete steps of a network: which edges can be taken together in a discrete state, what they ask of the clocks,
//! and what they lead to.
//!
//! As UPPAAL defines it: a step is one edge without a channel, a sender and a receiver, or a sender of a broadcast and
//! one edge of every other process that can receive it. If a process is in a committed location, one such process takes
//! part. Guards are evaluated before the step; the sender's update is carried out first, then those of the receivers in
//! the order of the system line.

use burnside_model::code::{
    Cell, Fault, FaultKind, Frame, Interpreter, LocalId, Loop, Semantics, Stop, UNDEFINED,
};
use burnside_model::network::{Channel, Location, Network, Process, Rate};

pub use burnside_model::network::Taken;

use crate::actions::{Actions, Origin, Part};
use crate::conditions::{Clocks, Conditions, Run};
use crate::enabled::Found;
pub use crate::enabled::Step;
use crate::zone::{Constraint, Zone};

/// An instance of a process.
#[derive(Clone, Debug)]
pub struct Instance {
    pub process: u32,
    /// The values of its parameters.
    pub params: Vec<Cell>,
    /// The cell of its location.
    pub location: usize,
}

/// What a step leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The discrete state; clocks and channels have no value.
    pub state: Vec<Cell>,
    /// The clocks that are set, and to what.
    pub resets: Vec<(usize, i32)>,
}

/// What holds in a discrete state whatever the clocks, and what its invariants ask of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Whether the invariants hold as far as they do not speak of clocks.
    pub allowed: bool,
    /// What they ask of the clocks.
    pub invariant: Vec<Constraint>,
    /// Whether some process is in a committed location.
    pub committed: bool,
    /// Whether time stands still, as some location is urgent or committed.
    pub still: bool,
    /// The clocks that stand still while time passes, ascending.
    pub stopped: Vec<usize>,
}

/// Which steps are asked for: of those that differ in who hears a broadcast, not all may be wanted.
#[derive(Clone, Copy)]
pub enum Within<'w> {
    /// All that some clocks permit.
    Anything,
    /// Those that can be taken at some point of a zone.
    Zone(&'w Zone),
    /// Those that can be taken at one point, in parts of a time unit.
    Point(&'w [i64], i64),
    /// Those with these edges.
    Like(&'w [Taken]),
}

/// Takes discrete steps.
pub struct Stepper<'m> {
    pub network: &'m Network,
    pub clocks: Clocks,
    /// Its process instances, in the order of the system line.
    pub instances: Vec<Instance>,
    /// What the invariant of each location asks of each instance, where no variable has a say.
    pub(crate) fixed: Vec<Vec<Option<Vec<Constraint>>>>,
    /// The guards of the edges.
    pub(crate) guards: Vec<Vec<Part<'m>>>,
    /// The edges of the instances.
    pub(crate) actions: Actions,
    /// The first state; empty if it cannot be computed.
    pub(crate) first: Vec<Cell>,
    /// Whether code is folded.
    pub(crate) folds: bool,
    pub(crate) interpreter: Interpreter<'m>,
    /// Whether the interpreter has the state at hand.
    pub(crate) loaded: bool,
    /// Memory for enabled actions.
    pub(crate) found: Found,
}

/// The most iterations of a loop in a function.
const LOOP_LIMIT: u64 = 1 << 20;

impl<'m> Stepper<'m> {
    /// A stepper for a network; an error if something goes wrong before the first state.
    pub fn new(network: &'m Network) -> Run<Self> {
        Stepper::folding(network, true)
    }

    /// The same without folded code, all of which is interpreted: what folded code is compared with.
    pub fn interpreting(network: &'m Network) -> Run<Self> {
        Stepper::folding(network, false)
    }

    fn folding(network: &'m Network, folds: bool) -> Run<Self> {
        let semantics = Semantics { loop_limit: LOOP_LIMIT, ..Semantics::default() };
        let mut interpreter = Interpreter::new(&network.model, semantics);
        let mut instances = Vec::new();
        for (number, process) in (0..).zip(&network.processes) {
            let mut values = vec![Vec::new()];
            for ty in &process.params {
                let (lo, hi) = network.model.types.bounds(*ty);
                let longer = |values: &Vec<Cell>| -> Vec<Vec<Cell>> {
                    (lo..=hi).map(|value| values.iter().copied().chain([value]).collect()).collect()
                };
                values = values.iter().flat_map(longer).collect();
            }
            for params in values {
                interpreter.enter(&process.frame);
                for (local, value) in (0..).zip(&params) {
                    interpreter.set_local(&process.frame, LocalId(local), *value);
                }
                let location = interpreter.address(&process.frame, &process.location)?;
                instances.push(Instance { process: number, params, location });
            }
        }
        let clocks = Clocks::new(network);
        let guards = network.model.rules.iter().map(|rule| {
            let mut found = Vec::new();
            rule.guard.iter().for_each(|guard| Part::all(network, guard, &mut found));
            found
        });
        let guards = guards.collect();
        let mut stepper = Stepper {
            network,
            clocks,
            instances,
            fixed: Vec::new(),
            guards,
            actions: Actions::default(),
            first: Vec::new(),
            folds,
            interpreter,
            loaded: false,
            found: Found::default(),
        };
        match stepper.start() {
            Ok(start) => stepper.first = start.state,
            // What goes wrong does so again.
            Err(_) => stepper.folds = false,
        }
        stepper.fix_invariants();
        stepper.fix_guards();
        stepper.actions = Actions::new(Origin {
            network,
            clocks: &stepper.clocks,
            instances: &stepper.instances,
            guards: &stepper.guards,
            start: &stepper.first,
            folds: stepper.folds,
        });
        Ok(stepper)
    }

    /// Gives the interpreter the state at hand, unless it has it.
    pub(crate) fn load(&mut self, state: &[Cell]) {
        if !self.loaded {
            self.interpreter.load(state);
            self.loaded = true;
        }
    }

    /// Conditions, evaluated in a discrete state.
    pub fn conditions(&mut self, state: &[Cell]) -> Conditions<'_, 'm> {
        self.interpreter.load(state);
        Conditions { network: self.network, clocks: &self.clocks, interpreter: &mut self.interpreter }
    }

    /// The initial discrete state, and the clocks that do not start from 0.
    pub fn start(&mut self) -> Run<Outcome> {
        let start = &self.network.model.starts[0];
        self.interpreter.reset();
        self.interpreter.enter(&start.frame);
        self.interpreter.run(&start.frame, &start.body)?;
        Ok(self.settle())
    }

    /// The process and its location whose invariant does not hold at the start, if there is one.
    pub fn forbidden_start(&mut self) -> Run<Option<(&'m Process, &'m Location)>> {
        let start = self.start()?;
        let network = self.network;
        let mut zone = Zone::zero(self.clocks.count());
        start.resets.iter().for_each(|(clock, value)| zone.reset(*clock, *value));
        self.interpreter.load(&start.state);
        for number in 0..self.instances.len() {
            let process = &network.processes[self.instances[number].process as usize];
            let location = &process.locations[start.state[self.instances[number].location] as usize];
            let Some(invariant) = &location.invariant else { continue };
            self.enter(&process.frame, number, &[]);
            let mut asked = Vec::new();
            let mut conditions =
                Conditions { network, clocks: &self.clocks, interpreter: &mut self.interpreter };
            let holds = conditions.conjunction(&process.frame, invariant, &mut asked)?;
            if !holds || !zone.constrain_all(&asked) {
                return Ok(Some((process, location)));
            }
        }
        Ok(None)
    }

    /// What the interpreter's state has come to: clocks that have a value are set to it.
    fn settle(&mut self) -> Outcome {
        let mut state = self.interpreter.state().to_vec();
        let mut resets = Vec::new();
        for (number, cell) in (1..).zip(&self.network.clocks) {
            let value = std::mem::replace(&mut state[*cell as usize], UNDEFINED);
            if value != UNDEFINED {
                // Within 2^29, the range of a clock.
                resets.push((number, value as i32));
            }
        }
        Outcome { state, resets }
    }

    /// Enters a frame of an instance.
    pub(crate) fn enter(&mut self, frame: &Frame, instance: usize, selected: &[Cell]) {
        self.interpreter.enter(frame);
        let values = self.instances[instance].params.iter().chain(selected);
        for (local, value) in (0..).zip(values) {
            self.interpreter.set_local(frame, LocalId(local), *value);
        }
    }

    /// What holds in a discrete state.
    pub fn standing(&mut self, state: &[Cell]) -> Run<Standing> {
        self.loaded = false;
        let invariant = Vec::with_capacity(self.instances.len());
        let mut standing =
            Standing { allowed: true, invariant, committed: false, still: false, stopped: Vec::new() };
        let network = self.network;
        for number in 0..self.instances.len() {
            let process = &network.processes[self.instances[number].process as usize];
            let at = state[self.instances[number].location] as usize;
            let location = &process.locations[at];
            standing.committed |= location.committed;
            standing.still |= location.committed || location.urgent;
            if !location.rates.is_empty() {
                self.load(state);
                self.enter(&process.frame, number, &[]);
                for rate in &location.rates {
                    self.stopped(&process.frame, rate, &rate.each, &mut standing.stopped)?;
                }
            }
            if let Some(fixed) = self.fixed.get(number).and_then(|fixed| fixed[at].as_ref()) {
                standing.invariant.extend_from_slice(fixed);
            } else if let Some(invariant) = &location.invariant {
                self.load(state);
                self.enter(&process.frame, number, &[]);
                let mut conditions =
                    Conditions { network, clocks: &self.clocks, interpreter: &mut self.interpreter };
                if !conditions.conjunction(&process.frame, invariant, &mut standing.invariant)? {
                    standing.allowed = false;
                    return Ok(standing);
                }
            }
        }
        standing.stopped.sort_unstable();
        standing.stopped.dedup();
        Ok(standing)
    }

    /// Adds the clocks that a rate stops, for each value of some variables.
    fn stopped(&mut self, frame: &Frame, rate: &Rate, each: &[Loop], stopped: &mut Vec<usize>) -> Run<()> {
        if let Some((first, rest)) = each.split_first() {
            for value in self.interpreter.loop_values(frame, first)? {
                self.interpreter.set_local(frame, first.local, value);
                self.stopped(frame, rate, rest, stopped)?;
            }
            return Ok(());
        }
        match self.interpreter.eval(frame, &rate.rate)? {
            0 => stopped.push(self.clocks.at(self.interpreter.address(frame, &rate.clock)?)),
            1 => {}
            other => {
                let message = format!("the rate of a clock is {other}, which is neither 0 nor 1");
                let fault = Fault { kind: FaultKind::Range, message, span: rate.rate.span };
                return Err(Stop::Fault(Box::new(fault)));
            }
        }
        Ok(())
    }

    /// Whether a step that can be taken has an urgent channel.
    pub fn is_urgent(&self, steps: &[Step]) -> bool {
        let urgent = |cell: u32| self.channel(cell).is_some_and(|channel| channel.urgent);
        steps.iter().any(|step| step.channel.is_some_and(urgent))
    }

    pub(crate) fn channel(&self, cell: u32) -> Option<Channel> {
        let at = self.network.channels.binary_search_by_key(&cell, |channel| channel.cell).ok()?;
        Some(self.network.channels[at])
    }

    /// Whether an urgent channel keeps time from passing in a discrete state.
    pub fn urges(&mut self, state: &[Cell]) -> Run<bool> {
        if !self.network.channels.iter().any(|channel| channel.urgent) {
            return Ok(false);
        }
        // Who hears which broadcast matters only if a broadcast is urgent; then no condition on clocks tells.
        let broadcast = self.network.channels.iter().any(|channel| channel.urgent && channel.broadcast);
        let within = if broadcast { Within::Anything } else { Within::Like(&[]) };
        let steps = self.steps_within(state, within)?;
        Ok(self.is_urgent(&steps))
    }

    pub fn take(&mut self, state: &[Cell], step: &Step) -> Run<Outcome> {
        match self.take_folded(state, step) {
            Some(outcome) => Ok(outcome),
            None => self.take_interpreted(state, step),
        }
    }

    /// Carries out a step by folded code; nothing if there is some that the interpreter must execute.
    fn take_folded(&self, state: &[Cell], step: &Step) -> Option<Outcome> {
        let updates = step.actions.iter().map(|action| self.actions.get(*action).update.as_ref());
        let mut outcome = Outcome { state: state.to_vec(), resets: Vec::new() };
        for update in updates {
            for write in update? {
                write.carry_out(&mut outcome.state, &mut outcome.resets)?;
            }
        }
        outcome.resets.sort_unstable();
        for action in step.actions.iter().map(|action| self.actions.get(*action)) {
            outcome.state[action.location] = action.target;
        }
        Some(outcome)
    }

    fn take_interpreted(&mut self, state: &[Cell], step: &Step) -> Run<Outcome> {
        self.interpreter.load(state);
        let network = self.network;
        for action in &*step.actions {
            self.enter_action(*action);
            let rule = &network.model.rules[self.actions.get(*action).taken.edge as usize];
            self.interpreter.run(&rule.frame, &rule.body)?;
        }
        for action in step.actions.iter().map(|action| self.actions.get(*action)) {
            self.interpreter.poke(action.location, action.target);
        }
        Ok(self.settle())
    }
}
