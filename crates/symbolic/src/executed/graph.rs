//! The steps from some states, one by one: what predecessors are found in.
//!
//! A step takes eight bytes here. As diagrams, the pairs of states would take hundreds of nodes each.

use std::collections::HashMap;
use std::ops::ControlFlow;

use burnside_model::system::Outcome;

use crate::bdd::rows::{Columns, Rows};
use crate::bdd::{Bdd, Manager, OutOfNodes, Result};
use crate::search::Stop;

use super::Executed;
use crate::layout::Layout;

/// The part of the memory for diagrams that a graph may take as well.
const MOST_OF_MEMORY: usize = 4;

/// The steps from some states.
pub struct Graph {
    /// The states that steps lead from.
    from: Bdd,
    columns: Columns,
    /// The same states, in order.
    states: Rows,
    /// Other states that steps lead to, with numbers after those.
    others: HashMap<Vec<u64>, u32>,
    /// Pairs of numbers of states.
    steps: Vec<(u32, u32)>,
}

impl Graph {
    pub fn new(executed: &Executed<'_>, from: &Bdd, layout: Layout<'_>) -> std::result::Result<Self, Stop> {
        let manager = executed.diagrams.manager;
        let most = manager.memory() / MOST_OF_MEMORY;
        let too_large = || Stop::Memory(OutOfNodes { nodes: manager.nodes() });
        let mut machine = executed.machine();
        let mut graph = Graph {
            from: from.clone(),
            columns: layout.columns().clone(),
            states: from
                .assignments(manager, layout.columns())
                .take(most / (8 * layout.columns().words().max(1)) + 1),
            others: HashMap::new(),
            steps: Vec::new(),
        };
        let (mut state, mut row) = (Vec::new(), Vec::new());
        for number in 0..graph.states.len() {
            let Graph { states, others, steps, .. } = &mut graph;
            layout.unpack(states.row(number), &mut state);
            executed.each_step(&mut machine, &state, &mut |step| {
                if let Outcome::State(next) = step.outcome {
                    layout.pack(next, &mut row);
                    let after = (states.len() + others.len()) as u32;
                    let next = states.position(&row).map(|at| at as u32);
                    let next = next.unwrap_or_else(|| *others.entry(row.clone()).or_insert(after));
                    steps.push((number as u32, next));
                }
                ControlFlow::Continue(())
            })?;
            if graph.bytes() > most {
                return Err(too_large());
            }
        }
        graph.steps.sort_unstable();
        graph.steps.dedup();
        Ok(graph)
    }

    fn bytes(&self) -> usize {
        let others = self.others.len() * (8 * self.columns.words() + 64);
        self.states.bytes() + 8 * self.steps.len() + others
    }

    /// Whether it has the steps from these states, written in this way.
    pub fn is_of(&self, from: &Bdd, layout: &Layout<'_>) -> bool {
        self.from == *from && self.columns == *layout.columns()
    }

    /// Which of all states are among these.
    fn among(&self, manager: &Manager, states: &Bdd) -> Vec<bool> {
        let mut among = vec![false; self.states.len() + self.others.len()];
        if states.count(self.columns.vars().len()).to_u64().is_none_or(|count| count > among.len() as u64) {
            let others = self.others.iter().map(|(row, number)| (*number as usize, &row[..]));
            for (number, row) in self.states.iter().enumerate().chain(others) {
                among[number] = states.holds_in(&self.columns, row);
            }
            return among;
        }
        let mut left = states.assignments(manager, &self.columns);
        while let Some(row) = left.next_row() {
            let other = || self.others.get(row).map(|other| *other as usize);
            if let Some(number) = self.states.position(row).or_else(other) {
                among[number] = true;
            }
        }
        among
    }

    /// The states from which a step leads to these states.
    pub fn preimage(&self, manager: &Manager, states: &Bdd) -> Result<Bdd> {
        let among = self.among(manager, states);
        let mut found = Rows::new(&self.columns);
        let leads = |steps: &&[(u32, u32)]| steps.iter().any(|(_, to)| among[*to as usize]);
        for steps in self.steps.chunk_by(|one, other| one.0 == other.0).filter(leads) {
            found.push(self.states.row(steps[0].0 as usize));
        }
        manager.listed(&self.columns, &found)
    }
}
