//! A Markov chain or decision process as sparse rows: states have choices, choices have branches.
//!
//! A chain has one choice per state. In continuous time the weights are rates, and a state leaves at the sum of them.

use burnside_model::Deadline;
use burnside_model::chance::Kind;
use dashu_ratio::RBig;

use crate::states::States;

/// A reward structure, evaluated.
#[derive(Clone, Debug, Default)]
pub struct Rewards {
    /// Which structure of the model.
    pub structure: u32,
    /// By state; empty if there are none.
    pub state: Vec<f64>,
    /// By choice, for each time that it is taken; in continuous time, the rate at which it is earned. Empty if there are none.
    pub choice: Vec<f64>,
    /// The same exactly, if that is asked for.
    pub exact_state: Vec<RBig>,
    /// The same exactly, if that is asked for.
    pub exact_choice: Vec<RBig>,
}

/// A model, explored.
#[derive(Clone, Debug)]
pub struct Chain {
    pub kind: Kind,
    /// The states, or representatives of their orbits.
    pub states: States,
    pub initial: Vec<u32>,
    /// By state, its first choice; one entry more than states.
    pub rows: Vec<u32>,
    /// By choice, its first branch; one entry more than choices.
    pub choices: Vec<u32>,
    /// By branch, where it leads.
    pub targets: Vec<u32>,
    /// By branch, the probability or rate.
    pub weights: Vec<f64>,
    /// The same exactly, if that is asked for.
    pub exact: Option<Vec<RBig>>,
    /// By state, whether nothing was enabled; it then has a step to itself.
    pub deadlock: Vec<bool>,
    /// The rewards that were asked for.
    pub rewards: Vec<Rewards>,
    /// When work on it must end. Loops are left then, and what they computed is not used.
    pub deadline: Deadline,
}

impl Chain {
    pub fn len(&self) -> usize {
        self.rows.len() - 1
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn choices_of(&self, state: usize) -> std::ops::Range<usize> {
        self.rows[state] as usize..self.rows[state + 1] as usize
    }

    pub fn branches_of(&self, choice: usize) -> std::ops::Range<usize> {
        self.choices[choice] as usize..self.choices[choice + 1] as usize
    }

    /// The targets of all branches of a state.
    pub fn successors(&self, state: usize) -> &[u32] {
        let first = self.choices[self.rows[state] as usize] as usize;
        let last = self.choices[self.rows[state + 1] as usize] as usize;
        &self.targets[first..last]
    }

    /// The sum of the weights of a choice: in continuous time, the rate at which the state is left.
    pub fn total(&self, choice: usize) -> f64 {
        self.weights[self.branches_of(choice)].iter().sum()
    }

    /// The rewards of a structure of the model.
    pub fn rewards_of(&self, structure: u32) -> Option<&Rewards> {
        self.rewards.iter().find(|rewards| rewards.structure == structure)
    }
}
