//! Expected rewards: until a goal, up to a bound, at a time, for ever, in the long run.
//!
//! A reward is infinite exactly where the graph says so: for the greatest one where some strategy may miss the goal, for the
//! least one where every strategy may. For the least one, end components that earn nothing are merged into one state first:
//! staying in them for ever costs nothing and reaches nothing, so that the equations alone would be satisfied by too little.

use burnside_model::Span;
use burnside_model::chance::{Kind, Optimum, Real, RewardPath};
use dashu_ratio::RBig;

use super::column::Column;
use super::paths::negated;
use super::{Checked, Checker};
use crate::chain::Rewards;
use crate::graph::{self, Set};
use crate::solve::{NONE, Terms};
use crate::step::{ProblemKind, problem};
use crate::transient;

impl Checker<'_> {
    /// The expected reward in all states.
    pub(super) fn reward(
        &mut self,
        structure: u32,
        optimum: Option<Optimum>,
        path: &RewardPath,
        span: Span,
    ) -> Checked<Column> {
        let chain = self.chain;
        let Some(rewards) = chain.rewards_of(structure) else {
            let message = "this reward structure was not built".to_owned();
            return Err(problem(ProblemKind::Property, message, span, &[]).into());
        };
        let maximise = optimum != Some(Optimum::Min);
        match path {
            RewardPath::Reach(goal) => {
                let goal = self.states(goal, span)?;
                Ok(self.until_goal(rewards, &goal, maximise))
            }
            RewardPath::Cumulative(None) => Ok(self.total(rewards, maximise)),
            RewardPath::Cumulative(Some(bound)) if chain.kind == Kind::Ctmc => {
                let rates: Vec<f64> = (0..chain.len())
                    .map(|state| rewards.state[state] + rewards.choice[chain.rows[state] as usize])
                    .collect();
                let (low, high) = transient::accumulated(chain, rates, bound.to_f64());
                Ok(Column::Bounds(low, high))
            }
            RewardPath::Instant(at) if chain.kind == Kind::Ctmc => {
                let all = vec![true; chain.len()];
                let start = rewards.state.clone();
                let (low, high) = transient::at_time(chain, start.clone(), start, &all, at.to_f64());
                Ok(Column::Bounds(low, high))
            }
            RewardPath::Cumulative(Some(bound)) => Ok(self.stepwise(rewards, bound, maximise, true)),
            RewardPath::Instant(at) => Ok(self.stepwise(rewards, at, maximise, false)),
            RewardPath::Steady => self.long_run(
                |state| {
                    let choice = chain.rows[state] as usize;
                    rewards.state[state] + rewards.choice[choice]
                },
                |state| {
                    let choice = chain.rows[state] as usize;
                    &rewards.exact_state[state] + &rewards.exact_choice[choice]
                },
            ),
        }
    }

    /// Step by step: what is earned up to a step (`sum`), or the state reward at it.
    fn stepwise(&mut self, rewards: &Rewards, bound: &Real, maximise: bool, sum: bool) -> Column {
        let chain = self.chain;
        let count = bound.floor().unwrap_or(0).max(0) as u64;
        if let Some(weights) = &chain.exact {
            let mut x = if sum { vec![RBig::ZERO; chain.len()] } else { rewards.exact_state.clone() };
            for _ in 0..count {
                if chain.deadline.has_passed() {
                    break;
                }
                let step = |state: usize| {
                    let values = chain.choices_of(state).map(|choice| {
                        let mut value = if sum {
                            &rewards.exact_state[state] + &rewards.exact_choice[choice]
                        } else {
                            RBig::ZERO
                        };
                        for branch in chain.branches_of(choice) {
                            value += &weights[branch] * &x[chain.targets[branch] as usize];
                        }
                        value
                    });
                    if maximise { values.max() } else { values.min() }.unwrap_or(RBig::ZERO)
                };
                x = (0..chain.len()).map(step).collect();
            }
            return Column::Exact(x.into_iter().map(Some).collect());
        }
        let mut x = if sum { vec![0.0; chain.len()] } else { rewards.state.clone() };
        for _ in 0..count {
            if chain.deadline.has_passed() {
                break;
            }
            let step = |state: usize| {
                let values = chain.choices_of(state).map(|choice| {
                    let mut value = if sum { rewards.state[state] + rewards.choice[choice] } else { 0.0 };
                    for branch in chain.branches_of(choice) {
                        value += chain.weights[branch] * x[chain.targets[branch] as usize];
                    }
                    value
                });
                values.reduce(if maximise { f64::max } else { f64::min }).unwrap_or(0.0)
            };
            x = (0..chain.len()).map(step).collect();
        }
        self.sweeps += count;
        Column::points(x)
    }

    /// `F goal`.
    fn until_goal(&mut self, rewards: &Rewards, goal: &Set, maximise: bool) -> Column {
        let chain = self.chain;
        let all = vec![true; chain.len()];
        let finite = if maximise {
            graph::surely_all(chain, &self.back, goal, &all)
        } else {
            graph::surely_some(chain, &self.back, goal, &all)
        };
        self.finite_rewards(rewards, goal, &finite, maximise)
    }

    /// Rewards until a goal in the states where they are finite; infinite elsewhere.
    fn finite_rewards(&mut self, rewards: &Rewards, goal: &Set, finite: &Set, maximise: bool) -> Column {
        let chain = self.chain;
        let inside: Set = (0..chain.len()).map(|state| finite[state] && !goal[state]).collect();
        let stays = |choice: usize| {
            chain.targets[chain.branches_of(choice)].iter().all(|target| finite[*target as usize])
        };
        let mut row_of = vec![NONE; chain.len()];
        let mut rows = 0;
        if !maximise {
            let earns_nothing = |choice: usize| {
                let state = self.back.owner[choice] as usize;
                rewards.state[state] == 0.0 && rewards.choice[choice] == 0.0
            };
            for component in graph::end_components(chain, &inside, &earns_nothing) {
                component.iter().for_each(|state| row_of[*state as usize] = rows);
                rows += 1;
            }
        }
        for state in 0..chain.len() {
            if inside[state] && row_of[state] == NONE {
                row_of[state] = rows;
                rows += 1;
            }
        }
        let per = |choice: usize| if chain.kind == Kind::Ctmc { chain.total(choice) } else { 1.0 };
        let earned =
            |state: usize, choice: usize| (rewards.state[state] + rewards.choice[choice]) / per(choice);
        let exactly_earned = |state: usize, choice: usize| {
            let sum = &rewards.exact_state[state] + &rewards.exact_choice[choice];
            match (&chain.exact, chain.kind) {
                (Some(weights), Kind::Ctmc) => {
                    let rates = &weights[chain.branches_of(choice)];
                    sum / rates.iter().fold(RBig::ZERO, |sum, rate| sum + rate)
                }
                _ => sum,
            }
        };
        let terms = Terms {
            chain,
            row_of,
            rows: rows as usize,
            known: &|_| 0.0,
            exactly_known: &|_| RBig::ZERO,
            usable: Some(&stays),
            earned: Some(&earned),
            exactly_earned: Some(&exactly_earned),
            maximise,
        };
        self.solved(
            terms,
            |state| goal_or_finite(finite, state).then_some(RBig::ZERO),
            |state| if goal_or_finite(finite, state) { 0.0 } else { f64::INFINITY },
        )
    }

    /// `C`: everything that is ever earned.
    fn total(&mut self, rewards: &Rewards, maximise: bool) -> Column {
        let chain = self.chain;
        let all = vec![true; chain.len()];
        let earns = |choice: usize| {
            let state = self.back.owner[choice] as usize;
            rewards.state[state] > 0.0 || rewards.choice[choice] > 0.0
        };
        // States in which nothing needs to be earned any more.
        let mut idle = vec![false; chain.len()];
        for component in graph::end_components(chain, &all, &|choice| !earns(choice)) {
            component.iter().for_each(|state| idle[*state as usize] = true);
        }
        if !maximise {
            return self.until_goal(rewards, &idle, false);
        }
        let mut earning = vec![false; chain.len()];
        for component in graph::end_components(chain, &all, &|_| true) {
            let inside: std::collections::HashSet<u32> = component.iter().copied().collect();
            let gains = component.iter().any(|state| {
                chain.choices_of(*state as usize).any(|choice| {
                    earns(choice)
                        && chain.targets[chain.branches_of(choice)].iter().all(|t| inside.contains(t))
                })
            });
            if gains {
                component.iter().for_each(|state| earning[*state as usize] = true);
            }
        }
        let finite = negated(&graph::can_reach(&self.back, &earning, &all));
        // Every run ends in a component that earns nothing; those that cannot earn anything any more are the goal.
        let useful: Set = (0..chain.len()).map(|state| chain.choices_of(state).any(earns)).collect();
        let goal = negated(&graph::can_reach(&self.back, &useful, &all));
        self.finite_rewards(rewards, &goal, &finite, true)
    }
}

fn goal_or_finite(finite: &Set, state: usize) -> bool {
    finite[state]
}
