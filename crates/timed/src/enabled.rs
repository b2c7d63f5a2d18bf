//! The steps that can be taken in a discrete state: the enabled actions, and which of them are taken together.

use std::ops::{Deref, Range};

use burnside_model::code::{Cell, LocalId};
use burnside_model::network::{Channel, Taken};
use burnside_model::system::Binder;

use crate::actions::{Origin, Source, Test};
use crate::conditions::{Conditions, Run};
use crate::steps::{Stepper, Within};
use crate::zone::Constraint;

/// A step, before it is carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The actions, the sender's first.
    pub actions: Joint,
    /// The cell of its channel.
    pub channel: Option<u32>,
    /// What it asks of the clocks.
    pub guard: Vec<Constraint>,
    /// Steps of a higher priority come first.
    pub priority: (u32, u32),
}

/// Actions that are taken together: one or two as a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Joint {
    /// One.
    One([u32; 1]),
    /// Two.
    Two([u32; 2]),
    /// More.
    More(Box<[u32]>),
}

impl Deref for Joint {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        match self {
            Joint::One(one) => one,
            Joint::Two(two) => two,
            Joint::More(more) => more,
        }
    }
}

/// An enabled action.
#[derive(Clone, Debug)]
pub struct Enabled {
    /// Which.
    pub action: u32,
    /// Its instance.
    pub instance: u32,
    /// The channel it waits for, and whether it sends.
    pub sync: Option<(Channel, bool)>,
    /// Whether it leaves a committed location.
    committed: bool,
    /// Where what it asks of the clocks is.
    asked: Range<usize>,
}

/// The enabled actions of a discrete state; kept for the next one.
#[derive(Debug, Default)]
pub struct Found {
    /// By instance, in order.
    pub enabled: Vec<Enabled>,
    /// What they ask of the clocks.
    asked: Vec<Constraint>,
    /// Those that receive: the channel and which; those of a channel in their order.
    receivers: Vec<(u32, u32)>,
}

impl Found {
    /// What an action asks of the clocks.
    pub fn guard(&self, enabled: &Enabled) -> &[Constraint] {
        &self.asked[enabled.asked.clone()]
    }

    fn clear(&mut self) {
        self.enabled.clear();
        self.asked.clear();
        self.receivers.clear();
    }

    fn sort_receivers(&mut self) {
        for (number, enabled) in (0..).zip(&self.enabled) {
            if let Some((channel, false)) = enabled.sync {
                self.receivers.push((channel.cell, number));
            }
        }
        self.receivers.sort_unstable();
    }

    fn receivers_of(&self, channel: Channel) -> impl Iterator<Item = &Enabled> {
        let first = self.receivers.partition_point(|(cell, _)| *cell < channel.cell);
        let all = self.receivers[first..].iter().take_while(move |(cell, _)| *cell == channel.cell);
        all.map(|(_, number)| &self.enabled[*number as usize])
    }
}

impl Stepper<'_> {
    /// The steps that can be taken in a discrete state, if the clocks permit.
    pub fn steps(&mut self, state: &[Cell]) -> Run<Vec<Step>> {
        self.steps_within(state, Within::Anything)
    }

    /// As [`steps`](Self::steps), but only those that are asked for.
    pub fn steps_within(&mut self, state: &[Cell], within: Within) -> Run<Vec<Step>> {
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        let steps = self.steps_of(state, within, &mut found);
        self.found = found;
        steps
    }

    fn steps_of(&mut self, state: &[Cell], within: Within, found: &mut Found) -> Run<Vec<Step>> {
        self.loaded = false;
        let mut committed = false;
        for number in 0..self.instances.len() {
            committed |= self.enabled_actions(state, number, found)?;
        }
        found.sort_receivers();
        let mut steps = Vec::with_capacity(found.enabled.len());
        for first in &found.enabled {
            match first.sync {
                None => self.add(found, &[first], None, committed, &mut steps),
                Some((_, false)) => {}
                Some((channel, true)) if channel.broadcast => {
                    self.broadcasts((first, channel), found, within, committed, &mut steps);
                }
                Some((channel, true)) => {
                    for second in found.receivers_of(channel) {
                        if second.instance != first.instance {
                            self.add(found, &[first, second], Some(channel), committed, &mut steps);
                        }
                    }
                }
            }
        }
        Ok(steps)
    }

    /// The edges of a step, the sender's first.
    pub fn taken(&self, step: &Step) -> Vec<Taken> {
        step.actions.iter().map(|action| self.actions.get(*action).taken.clone()).collect()
    }

    /// Whether a step has these edges.
    pub fn is(&self, step: &Step, taken: &[Taken]) -> bool {
        step.actions.iter().map(|action| &self.actions.get(*action).taken).eq(taken)
    }

    pub(crate) fn taken_by(&self, enabled: &Enabled) -> &Taken {
        &self.actions.get(enabled.action).taken
    }

    /// Adds the enabled actions of an instance; whether it is in a committed location.
    fn enabled_actions(&mut self, state: &[Cell], number: usize, found: &mut Found) -> Run<bool> {
        let instance = &self.instances[number];
        let location = state[instance.location];
        let committed =
            self.network.processes[instance.process as usize].locations[location as usize].committed;
        for at in 0..self.actions.leaving(number, location).len() {
            match self.actions.leaving(number, location)[at].clone() {
                Source::These(range) => {
                    for action in range {
                        self.enable(state, action, committed, found)?;
                    }
                }
                Source::Selected(edge) => {
                    for selected in self.selections(state, number, edge)? {
                        let taken = Taken { instance: number as u32, edge, selected };
                        let origin = Origin {
                            network: self.network,
                            clocks: &self.clocks,
                            instances: &self.instances,
                            guards: &self.guards,
                            start: &self.first,
                            folds: self.folds,
                        };
                        let action = self.actions.number(taken, origin);
                        self.enable(state, action, committed, found)?;
                    }
                }
            }
        }
        Ok(committed)
    }

    /// All choices of an edge's selection, in order.
    fn selections(&mut self, state: &[Cell], number: usize, edge: u32) -> Run<Vec<Vec<Cell>>> {
        self.load(state);
        let rule = &self.network.model.rules[edge as usize];
        let params = self.instances[number].params.len();
        let mut selections = vec![Vec::new()];
        for binder in &rule.binders[params..] {
            let Binder::Each(each) = binder else { continue };
            self.enter(&rule.frame, number, &[]);
            let values: Vec<Cell> = self.interpreter.loop_values(&rule.frame, each)?.collect();
            let longer = |chosen: &Vec<Cell>| -> Vec<Vec<Cell>> {
                values.iter().map(|value| chosen.iter().copied().chain([*value]).collect()).collect()
            };
            selections = selections.iter().flat_map(longer).collect();
        }
        Ok(selections)
    }

    /// Adds an action if its guard holds, as far as it does not speak of clocks.
    fn enable(&mut self, state: &[Cell], number: u32, committed: bool, found: &mut Found) -> Run<()> {
        let first = found.asked.len();
        if !self.holds(state, number, &mut found.asked)? {
            found.asked.truncate(first);
            return Ok(());
        }
        let action = self.actions.get(number);
        let (instance, edge) = (action.taken.instance, action.taken.edge);
        let sync = match (action.sync, &self.network.edges[edge as usize].sync) {
            (Some(known), _) => known,
            (None, None) => None,
            (None, Some(sync)) => {
                let frame = &self.network.model.rules[edge as usize].frame;
                self.load(state);
                self.enter_action(number);
                let cell = self.interpreter.address(frame, &sync.channel)? as u32;
                self.channel(cell).map(|channel| (channel, sync.sends))
            }
        };
        let asked = first..found.asked.len();
        found.enabled.push(Enabled { action: number, instance, sync, committed, asked });
        Ok(())
    }

    /// Whether the parts of an action's guard without clocks hold; adds what it asks of the clocks.
    fn holds(&mut self, state: &[Cell], number: u32, asked: &mut Vec<Constraint>) -> Run<bool> {
        let first = asked.len();
        for at in 0..self.actions.get(number).guard.len() {
            let holds = match &self.actions.get(number).guard[at] {
                Test::Asks(constraints) => {
                    asked.extend_from_slice(constraints);
                    true
                }
                Test::Folded(folded) => match folded.value(state) {
                    Some(value) => value != 0,
                    None => {
                        asked.truncate(first);
                        return self.holds_interpreted(state, number, asked);
                    }
                },
                Test::Interpreted(part) => {
                    let part = *part;
                    self.load(state);
                    self.enter_action(number);
                    self.holds_part(number, part, asked)?
                }
            };
            if !holds {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn holds_interpreted(&mut self, state: &[Cell], number: u32, asked: &mut Vec<Constraint>) -> Run<bool> {
        self.load(state);
        self.enter_action(number);
        let edge = self.actions.get(number).taken.edge as usize;
        for part in 0..self.guards[edge].len() {
            if !self.holds_part(number, part, asked)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a part of a guard holds, in the frame at hand.
    fn holds_part(&mut self, number: u32, part: usize, asked: &mut Vec<Constraint>) -> Run<bool> {
        let taken = &self.actions.get(number).taken;
        let frame = &self.network.model.rules[taken.edge as usize].frame;
        let part = &self.guards[taken.edge as usize][part];
        if let Some(Some(fixed)) = part.fixed.get(taken.instance as usize) {
            asked.extend_from_slice(fixed);
            return Ok(true);
        }
        if !part.timed {
            return self.interpreter.condition(frame, part.expr);
        }
        let (network, clocks) = (self.network, &self.clocks);
        Conditions { network, clocks, interpreter: &mut self.interpreter }
            .conjunction(frame, part.expr, asked)
    }

    /// Enters the frame of an action's code.
    pub(crate) fn enter_action(&mut self, number: u32) {
        let taken = &self.actions.get(number).taken;
        let frame = &self.network.model.rules[taken.edge as usize].frame;
        self.interpreter.enter(frame);
        let params = &self.instances[taken.instance as usize].params;
        for (local, value) in (0..).zip(params.iter().chain(&taken.selected)) {
            self.interpreter.set_local(frame, LocalId(local), *value);
        }
    }

    pub(crate) fn add(
        &self,
        found: &Found,
        parts: &[&Enabled],
        channel: Option<Channel>,
        committed: bool,
        steps: &mut Vec<Step>,
    ) {
        if committed && !parts.iter().any(|part| part.committed) {
            return;
        }
        let process = |part: &&Enabled| {
            self.network.processes[self.instances[part.instance as usize].process as usize].priority
        };
        let priority = (
            channel.map_or(self.network.priority, |channel| channel.priority),
            parts.iter().map(process).max().unwrap_or(0),
        );
        let actions = match parts {
            [one] => Joint::One([one.action]),
            [one, other] => Joint::Two([one.action, other.action]),
            more => Joint::More(more.iter().map(|part| part.action).collect()),
        };
        let guard = parts.iter().flat_map(|part| found.guard(part)).copied().collect();
        steps.push(Step { actions, channel: channel.map(|channel| channel.cell), guard, priority });
    }
}
