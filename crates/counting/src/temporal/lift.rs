//! Runs of states from runs of populations.
//!
//! From a state, a step is taken to one with the next population; whichever it is, the rest of the run exists from there,
//! too. Where a run of populations returns to where it was, the elements may have changed places: the loop is then gone
//! round again, until a state is met where it began before.

use std::ops::ControlFlow;

use burnside_model::code::Cell;
use burnside_model::system::{Machine, Outcome, System, TimeUp};

use super::decide::Shown;
use crate::counters::Counting;
use crate::population::Population;

/// How often a loop is gone round.
const MOST_ROUNDS: usize = 200;

/// A run of states.
pub(super) struct Run {
    pub states: Vec<Vec<Cell>>,
    /// Per state, the rule whose step led there, where that matters.
    pub agents: Vec<Option<u32>>,
    /// After the last state it goes on with this one.
    pub back: Option<usize>,
    /// Whether it is all of what was to be shown.
    pub complete: bool,
}

/// A run from a state along a run of populations, of which the first is that state's.
pub(super) fn lift(
    counting: &Counting<'_>,
    machine: &mut Machine<'_>,
    start: Vec<Cell>,
    shown: &Shown,
) -> Result<Run, TimeUp> {
    let mut run = Run { states: vec![start], agents: vec![None], back: None, complete: shown.complete };
    let rest = shown.populations.iter().zip(&shown.agents);
    for (population, agent) in rest.clone().skip(1) {
        run.step(counting, machine, population, *agent, &[])?;
    }
    let Some(back) = shown.back else { return Ok(run) };
    // Where the loop began each time.
    let mut heads = vec![back];
    for _ in 0..MOST_ROUNDS {
        run.step(counting, machine, &shown.populations[back], None, &heads)?;
        let last = run.states.len() - 1;
        if let Some(head) = heads.iter().find(|head| run.states[**head] == run.states[last]) {
            run.back = Some(*head);
            run.states.pop();
            run.agents.pop();
            return Ok(run);
        }
        heads.push(last);
        for (population, agent) in rest.clone().skip(back + 1) {
            run.step(counting, machine, population, *agent, &[])?;
        }
    }
    // It does close some time, but nobody would want to see that.
    run.states.truncate(shown.populations.len());
    run.agents.truncate(shown.populations.len());
    run.complete = false;
    Ok(run)
}

impl Run {
    /// Goes on to a state with this population; to one of these states of the run if possible.
    fn step(
        &mut self,
        counting: &Counting<'_>,
        machine: &mut Machine<'_>,
        wanted: &Population,
        agent: Option<u32>,
        preferred: &[usize],
    ) -> Result<(), TimeUp> {
        let last = &self.states[self.states.len() - 1];
        let (mut next, mut stuck) = (None, true);
        machine.successors(last, &mut |step| {
            let Outcome::State(state) = step.outcome else { return ControlFlow::Continue(()) };
            stuck = false;
            let good = preferred.iter().any(|head| self.states[*head] == state);
            if (good || next.is_none())
                && agent.is_none_or(|rule| rule == step.rule)
                && counting.register.population(counting.model, &counting.parts, state) == *wanted
            {
                next = Some(state.to_vec());
            }
            let done = next.is_some() && (good || preferred.is_empty());
            if done { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        // Where nothing can happen, the state stays; whoever executes the run notices if it is another.
        let next = next.or_else(|| stuck.then(|| last.clone())).unwrap_or_else(|| counting.state(wanted));
        self.states.push(next);
        self.agents.push(agent);
        Ok(())
    }
}
