//! Runs of states from runs of nodes.
//!
//! The state at a node r is θ·r; after a hop by π it is θ·π⁻¹·r'. Where a loop of nodes comes back to where it began, the
//! state may be another of its orbit: the loop is gone round again until the state is the same.

use std::ops::ControlFlow;

use burnside_model::code::Cell;
use burnside_model::system::{Agent, TimeUp};
use burnside_model::{Limit, Model};
use burnside_symmetry::{Action, Permutation};

use super::Stop;
use super::arena::{Arena, Hop};
use super::fairness::{Who, renamed};
use super::labelled::Labelled;
use super::loops::Way;
use super::tuples::Renaming;
use crate::Indexed;
use crate::liveness::{StateId, States};

/// A loop that does not close after so many rounds never does.
const MOST_ROUNDS: usize = 1 << 16;

/// A run of states.
pub struct Run {
    pub path: Vec<Vec<Cell>>,
    /// Per state, who led there; one more if there is a loop, for the step that closes it.
    pub agents: Vec<Vec<Agent>>,
    /// After the last state it goes on with this one.
    pub back: Option<usize>,
    /// What takes the first stored state to the first state.
    pub from: Permutation,
}

/// Makes runs of states.
pub struct Runs<'r, 's, S> {
    pub system: &'r mut S,
    pub states: &'r mut States<'s>,
    pub model: &'r Model,
    pub graph: &'r Labelled,
    pub action: Option<&'r Action>,
}

impl<S: Indexed> Runs<'_, '_, S> {
    /// The run of states along a run of nodes.
    pub fn run(&mut self, arena: &Arena<'_>, way: &Way) -> Result<Run, Stop> {
        let stored = arena.parts(way.start).0;
        let start = self.graph.initial.iter().find(|start| start.stored == stored);
        let from = start.map_or_else(|| self.graph.labels[0].clone(), |start| start.by.inverse());
        let mut at = from.clone();
        let mut run = Run { path: vec![self.state(&at, stored)], agents: vec![Vec::new()], back: None, from };
        for hop in &way.stem {
            self.step(arena, *hop, &mut at, &mut run)?;
        }
        let head = run.path.len() - 1;
        for _ in 0..if way.round.is_empty() { 0 } else { MOST_ROUNDS } {
            for hop in &way.round {
                self.step(arena, *hop, &mut at, &mut run)?;
            }
            if run.path.last() == run.path.get(head) {
                run.path.pop();
                run.back = Some(head);
                break;
            }
        }
        Ok(run)
    }

    /// An image of a stored state.
    fn state(&mut self, by: &Permutation, stored: StateId) -> Vec<Cell> {
        let (mut state, mut image) = (Vec::new(), Vec::new());
        self.states.read(stored, &mut state);
        match self.action {
            Some(action) => action.apply(by, &state, &mut image),
            None => image = state,
        }
        image
    }

    fn step(&mut self, arena: &Arena<'_>, hop: Hop, at: &mut Permutation, run: &mut Run) -> Result<(), Stop> {
        let mut agents = Vec::new();
        if let Some(number) = hop.edge {
            let edge = self.graph.edge(number);
            let kind = self.graph.kind(edge.kind);
            let renaming = Renaming { action: self.action, labels: &[] };
            for agent in &self.graph.lists[kind.agents as usize] {
                if let Who::Agent(image) = renamed(self.model, renaming, at, &Who::Agent(agent.clone())) {
                    agents.push(image);
                }
            }
            let by = match self.graph.tracked {
                true => self.graph.labels[kind.label as usize].clone(),
                false => self.label(arena.parts(hop.from).0, edge.to)?,
            };
            *at = at.compose(&by.inverse());
        }
        let state = self.state(at, arena.parts(hop.to).0);
        run.path.push(state);
        run.agents.push(agents);
        Ok(())
    }

    /// The permutation of some step, where they are not kept.
    fn label(&mut self, from: StateId, to: StateId) -> Result<Permutation, Stop> {
        let (mut source, mut target) = (Vec::new(), Vec::new());
        self.states.read(from, &mut source);
        self.states.read(to, &mut target);
        let mut found = None;
        let stepped = self.system.moves(Some(&source), &mut |step| {
            if step.form == target {
                found = Some(step.by.clone());
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        stepped.map_err(|TimeUp| Stop::Limit(Limit::Time))?;
        found.ok_or_else(Stop::unstored)
    }
}
