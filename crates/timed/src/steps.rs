//! The discrete steps of a network: which edges can be taken together in a discrete state, what they ask of the clocks,
//! and what they lead to.
//!
//! As UPPAAL defines it: a step is one edge without a channel, a sender and a receiver, or a sender of a broadcast and
//! one edge of every other process that can receive it. If a process is in a committed location, one such process takes
//! part. Guards are evaluated before the step; the sender's update is carried out first, then those of the receivers in
//! the order of the system line.

use burnside_model::code::{
    Cell, Expr, ExprKind, Interpreter, LogicOp, Place, PlaceKind, Semantics, UNDEFINED,
};
use burnside_model::network::{Channel, Location, Network, Process};
use burnside_symmetry::Permutation;

pub use burnside_model::network::Taken;

use crate::conditions::{Clocks, Conditions, Run};
use crate::symmetry::Representatives;
use crate::zone::{Constraint, Zone};

/// An instance of a process.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The process.
    pub process: u32,
    /// The values of its parameters.
    pub params: Vec<Cell>,
    /// The cell of its location.
    pub location: usize,
}

/// A step, before it is carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The edges, the sender's first.
    pub taken: Vec<Taken>,
    /// The cell of its channel.
    pub channel: Option<u32>,
    /// What it asks of the clocks.
    pub guard: Vec<Constraint>,
    /// Steps of a higher priority come first.
    pub priority: (u32, u32),
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
}

/// Takes discrete steps.
pub struct Stepper<'m> {
    /// The network.
    pub network: &'m Network,
    /// Its clocks.
    pub clocks: Clocks,
    /// Its process instances, in the order of the system line.
    pub instances: Vec<Instance>,
    /// The edges of each process by source location.
    leaving: Vec<Vec<Vec<u32>>>,
    /// What the invariant of each location asks of each instance, where no variable has a say.
    fixed: Vec<Vec<Option<Vec<Constraint>>>>,
    /// The guards of the edges.
    guards: Vec<Vec<Part<'m>>>,
    interpreter: Interpreter<'m>,
}

/// One of the conditions of which a guard is the conjunction.
struct Part<'m> {
    expr: &'m Expr,
    timed: bool,
    /// What it asks of the clocks of each instance, where no variable has a say.
    fixed: Vec<Option<Vec<Constraint>>>,
}

/// Adds the parts of a conjunction, in order.
fn parts<'m>(network: &Network, expr: &'m Expr, found: &mut Vec<Part<'m>>) {
    match &expr.kind {
        ExprKind::Logic(LogicOp::And, a, b) => {
            parts(network, a, found);
            parts(network, b, found);
        }
        _ => found.push(Part { expr, timed: network.reads_clock(expr), fixed: Vec::new() }),
    }
}

/// An enabled edge, and the channel it waits for.
struct Enabled {
    taken: Taken,
    sync: Option<(Channel, bool)>,
    guard: Vec<Constraint>,
    committed: bool,
}

/// The enabled edges that receive, by channel; those of a channel in their order.
struct Receivers<'e>(Vec<(u32, &'e Enabled)>);

impl<'e> Receivers<'e> {
    fn new(enabled: &'e [Enabled]) -> Self {
        let receives = |edge: &'e Enabled| match edge.sync {
            Some((channel, false)) => Some((channel.cell, edge)),
            _ => None,
        };
        let mut receivers: Vec<_> = enabled.iter().filter_map(receives).collect();
        receivers.sort_by_key(|(cell, _)| *cell);
        Receivers(receivers)
    }

    fn of(&self, channel: Channel) -> impl Iterator<Item = &'e Enabled> {
        let first = self.0.partition_point(|(cell, _)| *cell < channel.cell);
        self.0[first..].iter().take_while(move |(cell, _)| *cell == channel.cell).map(|(_, edge)| *edge)
    }
}

/// The most iterations of a loop in a function.
const LOOP_LIMIT: u64 = 1 << 20;

impl<'m> Stepper<'m> {
    /// A stepper for a network; an error if something goes wrong before the first state.
    pub fn new(network: &'m Network) -> Run<Self> {
        let semantics = Semantics { loop_limit: LOOP_LIMIT, ..Semantics::default() };
        let mut interpreter = Interpreter::new(&network.model, semantics);
        let mut instances = Vec::new();
        let mut leaving = Vec::new();
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
                    interpreter.set_local(&process.frame, burnside_model::code::LocalId(local), *value);
                }
                let location = interpreter.address(&process.frame, &process.location)?;
                instances.push(Instance { process: number, params, location });
            }
            let mut by_source = vec![Vec::new(); process.locations.len()];
            for (edge_number, edge) in (0u32..).zip(&network.edges).filter(|(_, edge)| edge.process == number)
            {
                by_source[edge.source as usize].push(edge_number);
            }
            leaving.push(by_source);
        }
        let clocks = Clocks::new(network);
        let guards = network.model.rules.iter().map(|rule| {
            let mut found = Vec::new();
            rule.guard.iter().for_each(|guard| parts(network, guard, &mut found));
            found
        });
        let guards = guards.collect();
        let mut stepper =
            Stepper { network, clocks, instances, leaving, fixed: Vec::new(), guards, interpreter };
        stepper.fix_invariants();
        stepper.fix_guards();
        Ok(stepper)
    }

    /// Evaluates the invariants that no variable has a say in, for all time. What goes wrong does so later.
    fn fix_invariants(&mut self) {
        let Ok(start) = self.start() else { return };
        let network = self.network;
        self.interpreter.load(&start.state);
        for number in 0..self.instances.len() {
            let process = &network.processes[self.instances[number].process as usize];
            let mut fixed = Vec::new();
            for location in &process.locations {
                fixed.push(match &location.invariant {
                    None => Some(Vec::new()),
                    Some(invariant) if !is_fixed(network, process, invariant) => None,
                    Some(invariant) => {
                        self.enter(&process.frame, number, &[]);
                        let mut asked = Vec::new();
                        let mut conditions =
                            Conditions { network, clocks: &self.clocks, interpreter: &mut self.interpreter };
                        let holds = conditions.conjunction(&process.frame, invariant, &mut asked);
                        matches!(holds, Ok(true)).then_some(asked)
                    }
                });
            }
            self.fixed.push(fixed);
        }
    }

    /// As [`fix_invariants`](Self::fix_invariants), for the parts of guards that bound clocks.
    fn fix_guards(&mut self) {
        let Ok(start) = self.start() else { return };
        let network = self.network;
        self.interpreter.load(&start.state);
        for edge in 0..self.guards.len() {
            let number = network.edges[edge].process;
            let (rule, process) = (&network.model.rules[edge], &network.processes[number as usize]);
            for part in 0..self.guards[edge].len() {
                let Part { expr, timed, .. } = self.guards[edge][part];
                if !timed || !is_fixed(network, process, expr) {
                    continue;
                }
                let mut fixed = Vec::new();
                for instance in 0..self.instances.len() {
                    if self.instances[instance].process != number {
                        fixed.push(None);
                        continue;
                    }
                    self.enter(&rule.frame, instance, &[]);
                    let mut asked = Vec::new();
                    let mut conditions =
                        Conditions { network, clocks: &self.clocks, interpreter: &mut self.interpreter };
                    let holds = conditions.conjunction(&rule.frame, expr, &mut asked);
                    fixed.push(matches!(holds, Ok(true)).then_some(asked));
                }
                self.guards[edge][part].fixed = fixed;
            }
        }
    }

    /// Whether the parts of an edge's guard without clocks hold, in the frame at hand; adds what it asks of the clocks.
    fn guard(&mut self, edge: usize, instance: usize, asked: &mut Vec<Constraint>) -> Run<bool> {
        let frame = &self.network.model.rules[edge].frame;
        for part in &self.guards[edge] {
            if let Some(Some(fixed)) = part.fixed.get(instance) {
                asked.extend_from_slice(fixed);
                continue;
            }
            let holds = if part.timed {
                let network = self.network;
                Conditions { network, clocks: &self.clocks, interpreter: &mut self.interpreter }
                    .conjunction(frame, part.expr, asked)?
            } else {
                self.interpreter.condition(frame, part.expr)?
            };
            if !holds {
                return Ok(false);
            }
        }
        Ok(true)
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
    fn enter(&mut self, frame: &burnside_model::code::Frame, instance: usize, selected: &[Cell]) {
        self.interpreter.enter(frame);
        let values = self.instances[instance].params.iter().chain(selected);
        for (local, value) in (0..).zip(values) {
            self.interpreter.set_local(frame, burnside_model::code::LocalId(local), *value);
        }
    }

    /// What holds in a discrete state.
    pub fn standing(&mut self, state: &[Cell]) -> Run<Standing> {
        self.interpreter.load(state);
        let invariant = Vec::with_capacity(self.instances.len());
        let mut standing = Standing { allowed: true, invariant, committed: false, still: false };
        let network = self.network;
        for number in 0..self.instances.len() {
            let process = &network.processes[self.instances[number].process as usize];
            let at = state[self.instances[number].location] as usize;
            let location = &process.locations[at];
            standing.committed |= location.committed;
            standing.still |= location.committed || location.urgent;
            if let Some(fixed) = self.fixed.get(number).and_then(|fixed| fixed[at].as_ref()) {
                standing.invariant.extend_from_slice(fixed);
            } else if let Some(invariant) = &location.invariant {
                self.enter(&process.frame, number, &[]);
                let mut conditions =
                    Conditions { network, clocks: &self.clocks, interpreter: &mut self.interpreter };
                if !conditions.conjunction(&process.frame, invariant, &mut standing.invariant)? {
                    standing.allowed = false;
                    return Ok(standing);
                }
            }
        }
        Ok(standing)
    }

    /// The steps that can be taken in a discrete state, if the clocks permit.
    pub fn steps(&mut self, state: &[Cell]) -> Run<Vec<Step>> {
        self.interpreter.load(state);
        let mut enabled = Vec::with_capacity(self.instances.len());
        let mut committed = false;
        for number in 0..self.instances.len() {
            self.enabled_edges(state, number, &mut enabled)?;
            let process = &self.network.processes[self.instances[number].process as usize];
            committed |= process.locations[state[self.instances[number].location] as usize].committed;
        }
        let receivers = Receivers::new(&enabled);
        let mut steps = Vec::new();
        for first in &enabled {
            match first.sync {
                None => self.add(&[first], None, committed, &mut steps),
                Some((_, false)) => {}
                Some((channel, true)) if channel.broadcast => {
                    self.broadcasts(first, channel, &enabled, committed, &mut steps);
                }
                Some((channel, true)) => {
                    for second in receivers.of(channel) {
                        if second.taken.instance != first.taken.instance {
                            self.add(&[first, second], Some(channel), committed, &mut steps);
                        }
                    }
                }
            }
        }
        Ok(steps)
    }

    /// Whether a step that can be taken has an urgent channel.
    pub fn is_urgent(&self, steps: &[Step]) -> bool {
        let urgent = |cell: u32| self.channel(cell).is_some_and(|channel| channel.urgent);
        steps.iter().any(|step| step.channel.is_some_and(urgent))
    }

    fn channel(&self, cell: u32) -> Option<Channel> {
        let at = self.network.channels.binary_search_by_key(&cell, |channel| channel.cell).ok()?;
        Some(self.network.channels[at])
    }

    fn enabled_edges(&mut self, state: &[Cell], number: usize, enabled: &mut Vec<Enabled>) -> Run<()> {
        let network = self.network;
        let (process, location) = (self.instances[number].process, state[self.instances[number].location]);
        let committed = network.processes[process as usize].locations[location as usize].committed;
        for at in 0..self.leaving[process as usize][location as usize].len() {
            let edge = self.leaving[process as usize][location as usize][at];
            let rule = &network.model.rules[edge as usize];
            let params = self.instances[number].params.len();
            let mut selections = vec![Vec::new()];
            for binder in &rule.binders[params..] {
                let burnside_model::system::Binder::Each(each) = binder else { continue };
                self.interpreter.enter(&rule.frame);
                let values: Vec<Cell> = self.interpreter.loop_values(&rule.frame, each)?.collect();
                selections = selections
                    .iter()
                    .flat_map(|chosen: &Vec<Cell>| {
                        values.iter().map(|value| chosen.iter().copied().chain([*value]).collect())
                    })
                    .collect();
            }
            for selected in selections {
                self.enter(&rule.frame, number, &selected);
                let mut guard = Vec::new();
                if !self.guard(edge as usize, number, &mut guard)? {
                    continue;
                }
                let sync = match &network.edges[edge as usize].sync {
                    None => None,
                    Some(sync) => {
                        let cell = self.interpreter.address(&rule.frame, &sync.channel)? as u32;
                        self.channel(cell).map(|channel| (channel, sync.sends))
                    }
                };
                let taken = Taken { instance: number as u32, edge, selected };
                enabled.push(Enabled { taken, sync, guard, committed });
            }
        }
        Ok(())
    }

    /// All ways in which the other processes receive a broadcast. One that can receive it does so; where this depends on
    /// clocks, there is also the way in which they say that it cannot.
    fn broadcasts(
        &self,
        sender: &Enabled,
        channel: Channel,
        enabled: &[Enabled],
        committed: bool,
        steps: &mut Vec<Step>,
    ) {
        let mut ways: Vec<(Vec<&Enabled>, Vec<Constraint>)> = vec![(vec![sender], Vec::new())];
        for edges in enabled.chunk_by(|a, b| a.taken.instance == b.taken.instance) {
            let receivers: Vec<&Enabled> =
                edges.iter().filter(|e| e.sync == Some((channel, false))).collect();
            if edges[0].taken.instance == sender.taken.instance || receivers.is_empty() {
                continue;
            }
            let passed_over = self.unable(&receivers);
            let mut longer = Vec::new();
            for (way, asked) in &ways {
                for receiver in &receivers {
                    longer.push((way.iter().copied().chain([*receiver]).collect(), asked.clone()));
                }
                for unable in &passed_over {
                    longer.push((way.clone(), asked.iter().chain(unable).copied().collect()));
                }
            }
            ways = longer;
        }
        for (way, asked) in ways {
            let before = steps.len();
            self.add(&way, Some(channel), committed, steps);
            steps[before..].iter_mut().for_each(|step| step.guard.extend_from_slice(&asked));
        }
    }

    /// Where the clocks let none of the edges be taken: of these conjunctions, at most one holds.
    fn unable(&self, edges: &[&Enabled]) -> Vec<Vec<Constraint>> {
        let mut unable = vec![Vec::new()];
        for edge in edges {
            let mut longer = Vec::new();
            for asked in &unable {
                for (number, constraint) in edge.guard.iter().enumerate() {
                    let mut refused: Vec<Constraint> = asked.clone();
                    refused.extend_from_slice(&edge.guard[..number]);
                    refused.push(constraint.negated());
                    if Zone::universal(self.clocks.count()).constrain_all(&refused) {
                        longer.push(refused);
                    }
                }
            }
            unable = longer;
        }
        unable
    }

    /// Whether an urgent channel keeps time from passing in a discrete state.
    pub fn urges(&mut self, state: &[Cell]) -> Run<bool> {
        if !self.network.channels.iter().any(|channel| channel.urgent) {
            return Ok(false);
        }
        let steps = self.steps(state)?;
        Ok(self.is_urgent(&steps))
    }

    fn add(&self, parts: &[&Enabled], channel: Option<Channel>, committed: bool, steps: &mut Vec<Step>) {
        if committed && !parts.iter().any(|part| part.committed) {
            return;
        }
        let process = |part: &&Enabled| {
            self.network.processes[self.instances[part.taken.instance as usize].process as usize].priority
        };
        let priority = (
            channel.map_or(self.network.priority, |channel| channel.priority),
            parts.iter().map(process).max().unwrap_or(0),
        );
        steps.push(Step {
            taken: parts.iter().map(|part| part.taken.clone()).collect(),
            channel: channel.map(|channel| channel.cell),
            guard: parts.iter().flat_map(|part| part.guard.iter().copied()).collect(),
            priority,
        });
    }

    /// The elements of symmetry domains that a step names, each once, in order.
    pub fn named(&self, step: &Step, representatives: &Representatives) -> Vec<(usize, u32)> {
        let mut named = Vec::new();
        for taken in &step.taken {
            let rule = &self.network.model.rules[taken.edge as usize];
            let values = self.instances[taken.instance as usize].params.iter().chain(&taken.selected);
            for (local, value) in rule.frame.locals.iter().zip(values) {
                if let Some(element) = representatives.element(local.ty, *value)
                    && !named.contains(&element)
                {
                    named.push(element);
                }
            }
        }
        named
    }

    /// A step as a permutation leaves it.
    pub fn permuted(
        &self,
        step: &Step,
        permutation: &Permutation,
        representatives: &Representatives,
    ) -> Vec<Taken> {
        let taken = step.taken.iter().map(|taken| {
            let rule = &self.network.model.rules[taken.edge as usize];
            let instance = &self.instances[taken.instance as usize];
            let values = instance.params.iter().chain(&taken.selected);
            let moved: Vec<Cell> = rule
                .frame
                .locals
                .iter()
                .zip(values)
                .map(|(local, value)| representatives.map_value(permutation, local.ty, *value))
                .collect();
            let (params, selected) = moved.split_at(instance.params.len());
            let same = |other: &Instance| other.process == instance.process && other.params == params;
            let to = self.instances.iter().position(same).unwrap_or(taken.instance as usize);
            Taken { instance: to as u32, edge: taken.edge, selected: selected.to_vec() }
        });
        let mut taken: Vec<Taken> = taken.collect();
        // Receivers come in the order of the system line.
        if let Some(receivers) = taken.get_mut(1..) {
            receivers.sort_by_key(|receiver| receiver.instance);
        }
        taken
    }

    /// Carries out a step.
    pub fn take(&mut self, state: &[Cell], step: &Step) -> Run<Outcome> {
        self.interpreter.load(state);
        let network = self.network;
        for taken in &step.taken {
            let rule = &network.model.rules[taken.edge as usize];
            self.enter(&rule.frame, taken.instance as usize, &taken.selected);
            self.interpreter.run(&rule.frame, &rule.body)?;
        }
        for taken in &step.taken {
            let location = self.instances[taken.instance as usize].location;
            let target = network.edges[taken.edge as usize].target;
            self.interpreter.poke(location, Cell::from(target));
        }
        Ok(self.settle())
    }
}

/// Whether an edge that receives a broadcast has a condition on clocks: others then ask where it does not hold.
pub fn hears_by_clock(network: &Network) -> bool {
    let cells = network.model.state_cells();
    let broadcast = |channel: &Place| {
        let mut kinds = network.channels.iter().filter(|other| cells[other.cell as usize].ty == channel.ty);
        kinds.next().is_some_and(|other| other.broadcast)
    };
    network.edges.iter().zip(&network.model.rules).any(|(edge, rule)| {
        edge.sync.as_ref().is_some_and(|sync| !sync.sends && broadcast(&sync.channel))
            && rule.guard.as_ref().is_some_and(|guard| network.reads_clock(guard))
    })
}

/// Whether a condition depends on nothing but clocks, constants and the parameters of the process.
fn is_fixed(network: &Network, process: &Process, expr: &Expr) -> bool {
    let place = |place: &Place| fixed_place(network, process, place);
    let all = |parts: &[&Expr]| parts.iter().all(|part| is_fixed(network, process, part));
    match &expr.kind {
        ExprKind::Const(_) => true,
        ExprKind::Read(read) => place(read),
        ExprKind::Not(e) | ExprKind::Neg(e) => all(&[e]),
        ExprKind::Arith(_, a, b)
        | ExprKind::Order(_, a, b)
        | ExprKind::Logic(_, a, b)
        | ExprKind::Eq(a, b)
        | ExprKind::Ne(a, b) => all(&[a, b]),
        ExprKind::Cond(c, a, b) => all(&[c, a, b]),
        _ => false,
    }
}

fn fixed_place(network: &Network, process: &Process, place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Local(local) => (local.0 as usize) < process.params.len(),
        // A clock's place is fixed though its value is not.
        PlaceKind::Global(global) => {
            let first = network.model.globals[global.0 as usize].offset;
            network.constant.contains(&first) || network.clocks.contains(&first)
        }
        PlaceKind::Index(base, index) => {
            fixed_place(network, process, base) && is_fixed(network, process, index)
        }
        PlaceKind::Field(base, _) => fixed_place(network, process, base),
        _ => false,
    }
}
