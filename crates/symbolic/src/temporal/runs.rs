//! Runs of states from runs of representatives.
//!
//! From a state, a step is taken to one whose representative is the next one; whichever it is, the rest of the run
//! exists from there too. Where a run of representatives returns to where it was, the state may be another of the orbit:
//! the loop is then gone round again, until a state is met where it began before.

use burnside_logic::Path;

use crate::algebra::Failed;
use crate::bdd::Bdd;
use crate::system::System;

use super::world::World;

/// A run of states.
pub struct Run {
    /// Its states, as sets of one.
    pub states: Vec<Bdd>,
    /// Per state, the agent whose step led there, where that matters.
    pub agents: Vec<Option<usize>>,
    /// After the last state it goes on with this one.
    pub back: Option<usize>,
}

/// A run from a state along a run of representatives, of which the first is that state's.
pub fn concrete(system: &System<'_>, world: &World<'_>, path: &Path<Bdd>, start: Bdd) -> Result<Run, Failed> {
    let mut run = Run { states: vec![start], agents: vec![None], back: None };
    let none = system.diagrams.manager.constant(false);
    for step in &path.steps[1..] {
        run.step(system, world, &step.state, step.by, &none)?;
    }
    let Some(back) = path.back else { return Ok(run) };
    // Where the loop began each time.
    let (mut heads, mut known) = (vec![back], run.states[back].clone());
    loop {
        run.step(system, world, &path.steps[back].state, None, &known)?;
        let last = run.states.len() - 1;
        if let Some(head) = heads.iter().find(|head| run.states[**head] == run.states[last]) {
            run.back = Some(*head);
            run.states.pop();
            run.agents.pop();
            return Ok(run);
        }
        heads.push(last);
        known = known.or(&run.states[last])?;
        for step in &path.steps[back + 1..] {
            run.step(system, world, &step.state, step.by, &none)?;
        }
    }
}

impl Run {
    /// Goes on to a state with this representative; to a preferred one if possible.
    fn step(
        &mut self,
        system: &System<'_>,
        world: &World<'_>,
        representative: &Bdd,
        agent: Option<usize>,
        preferred: &Bdd,
    ) -> Result<(), Failed> {
        let next = match world.is_unreduced() {
            true => representative.clone(),
            false => {
                let successors = world.successors(&self.states[self.states.len() - 1], agent)?;
                let good = successors.and(preferred)?;
                let mut next = None;
                for mut left in [good, successors] {
                    while next.is_none() && !left.is_false() {
                        let state = system.pick(&left)?;
                        left = left.minus(&state)?;
                        next = Some(state)
                            .filter(|state| world.is_represented(state, representative) == Ok(true));
                    }
                }
                // There always is one; if not, whoever executes the run will notice.
                next.unwrap_or_else(|| representative.clone())
            }
        };
        self.states.push(next);
        self.agents.push(agent);
        Ok(())
    }
}
