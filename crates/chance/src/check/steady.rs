//! The long run: in every bottom component a mean value, and the probability to end there.
//!
//! The mean of a reward `r` in a component lies between the least and the greatest entry of `r + P h - h`, whatever `h` is:
//! a good `h` (a solution of Poisson's equation) only makes the two meet. So the numbers are right however `h` was found.
//! Small components are solved by elimination without subtractions (Grassmann, Taksar and Heyman).

use burnside_model::Span;
use burnside_model::chance::{Expr, Kind};
use dashu_ratio::RBig;
use std::collections::BTreeMap;

use super::column::Column;
use super::{Checked, Checker};
use crate::exact::Sparse;
use crate::graph::components;
use crate::solve::{NONE, Terms};

/// Components up to this size are solved by elimination.
const DIRECT: usize = 600;

impl Checker<'_> {
    pub(super) fn steady(&mut self, states: &Expr, span: Span) -> Checked<Column> {
        let set = self.states(states, span)?;
        // In discrete time a mean per step; in continuous time per unit of time.
        self.long_run(|state| f64::from(u8::from(set[state])), |state| RBig::from(u8::from(set[state])))
    }

    /// The mean of a reward in the long run, from every state.
    pub(super) fn long_run(
        &mut self,
        reward: impl Fn(usize) -> f64,
        exactly: impl Fn(usize) -> RBig,
    ) -> Checked<Column> {
        let chain = self.chain;
        let parts = components(chain.len(), |state, out| out.extend_from_slice(chain.successors(state)));
        let mut part_of = vec![0; chain.len()];
        for (index, part) in parts.iter().enumerate() {
            part.iter().for_each(|state| part_of[*state as usize] = index);
        }
        let bottom: Vec<bool> = parts
            .iter()
            .enumerate()
            .map(|(index, part)| {
                part.iter().all(|state| {
                    chain.successors(*state as usize).iter().all(|target| part_of[*target as usize] == index)
                })
            })
            .collect();
        let mut row_of = vec![NONE; chain.len()];
        let mut rows = 0;
        for state in 0..chain.len() {
            if !bottom[part_of[state]] {
                row_of[state] = rows;
                rows += 1;
            }
        }
        if self.exact() {
            let mut means = vec![RBig::ZERO; parts.len()];
            for (index, part) in parts.iter().enumerate().filter(|(index, _)| bottom[*index]) {
                means[index] = self.exact_mean(part, &exactly);
            }
            let known = |state: usize| means[part_of[state]].to_f64().value();
            let exactly_known = |state: usize| means[part_of[state]].clone();
            let terms = Terms {
                chain,
                row_of,
                rows: rows as usize,
                known: &known,
                exactly_known: &exactly_known,
                usable: None,
                earned: None,
                exactly_earned: None,
                maximise: true,
            };
            return Ok(self.solved(terms, |state| Some(exactly_known(state)), known));
        }
        let mut means = vec![(0.0, 0.0); parts.len()];
        for (index, part) in parts.iter().enumerate().filter(|(index, _)| bottom[*index]) {
            means[index] = self.mean(part, &reward);
        }
        let mut bounds = Vec::new();
        for upper in [false, true] {
            let known = |state: usize| {
                let (low, high) = means[part_of[state]];
                if upper { high } else { low }
            };
            let terms = Terms {
                chain,
                row_of: row_of.clone(),
                rows: rows as usize,
                known: &known,
                exactly_known: &|_| RBig::ZERO,
                usable: None,
                earned: None,
                exactly_earned: None,
                maximise: true,
            };
            bounds.push(self.solved(terms, |_| None, known));
        }
        let (Some(Column::Bounds(_, high)), Some(Column::Bounds(low, _))) = (bounds.pop(), bounds.pop())
        else {
            return Ok(Column::points(Vec::new()));
        };
        Ok(Column::Bounds(low, high))
    }

    /// The probabilities of a chain's steps, or of its uniformised form.
    fn local(&self, part: &[u32]) -> Vec<Vec<(u32, f64)>> {
        let chain = self.chain;
        let mut place = std::collections::HashMap::with_capacity(part.len());
        part.iter().enumerate().for_each(|(index, state)| {
            place.insert(*state, index as u32);
        });
        let rows = part.iter().map(|state| {
            let range = chain.branches_of(chain.rows[*state as usize] as usize);
            range.map(|branch| (place[&chain.targets[branch]], chain.weights[branch])).collect()
        });
        rows.collect()
    }

    fn mean(&mut self, part: &[u32], reward: &impl Fn(usize) -> f64) -> (f64, f64) {
        let rewards: Vec<f64> = part.iter().map(|state| reward(*state as usize)).collect();
        if rewards.iter().all(|r| *r == rewards[0]) {
            return (rewards[0], rewards[0]);
        }
        let rows = self.local(part);
        if part.len() <= DIRECT {
            let weights = stationary(&rows);
            let sum: f64 = weights.iter().zip(&rewards).map(|(w, r)| w * r).sum();
            return (sum * (1.0 - 1e-12), sum * (1.0 + 1e-12));
        }
        let continuous = self.chain.kind == Kind::Ctmc;
        let rate = if continuous {
            rows.iter().map(|row| row.iter().map(|(_, w)| w).sum::<f64>()).fold(0.0, f64::max)
        } else {
            1.0
        };
        // Poisson's equation, row by row: h = (r - g)/rate + P h, solved for the diagonal.
        let mut h = vec![0.0; part.len()];
        let (mut low, mut high): (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);
        let mut guess = rewards.iter().sum::<f64>() / rewards.len() as f64;
        for round in 0..200_000u64 {
            if self.chain.deadline.has_passed() {
                break;
            }
            self.sweeps += 1;
            for index in 0..rows.len() {
                let (mut sum, mut leaving) = (rewards[index] - guess, 0.0);
                for (target, weight) in &rows[index] {
                    if *target as usize != index {
                        sum += weight * h[*target as usize];
                        leaving += weight;
                    }
                }
                h[index] = sum / leaving;
            }
            let anchor = h[0];
            h.iter_mut().for_each(|value| *value -= anchor);
            if round % 8 == 7 {
                let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
                for (index, row) in rows.iter().enumerate() {
                    let drift: f64 = row.iter().map(|(t, w)| w * (h[*t as usize] - h[index])).sum();
                    let value = rewards[index] + drift;
                    least = least.min(value);
                    greatest = greatest.max(value);
                }
                low = low.max(least);
                high = high.min(greatest);
                guess = (low + high) / 2.0;
                if high - low <= self.precision / 4.0 * low.abs().max(1e-9) || rate == 0.0 {
                    break;
                }
            }
        }
        (low, high)
    }

    fn exact_mean(&self, part: &[u32], reward: &impl Fn(usize) -> RBig) -> RBig {
        let chain = self.chain;
        let Some(weights) = &chain.exact else { return RBig::ZERO };
        let mut place = std::collections::HashMap::with_capacity(part.len());
        part.iter().enumerate().for_each(|(index, state)| {
            place.insert(*state, index);
        });
        // Visits of the chain of jumps between two visits of the first state.
        let last = part.len() - 1;
        let mut system = Sparse { rows: vec![(BTreeMap::new(), RBig::ZERO); last], deadline: chain.deadline };
        let mut totals = Vec::with_capacity(part.len());
        for (index, state) in part.iter().enumerate() {
            let range = chain.branches_of(chain.rows[*state as usize] as usize);
            let total = weights[range.clone()].iter().fold(RBig::ZERO, |sum, weight| sum + weight);
            for branch in range {
                let target = place[&chain.targets[branch]];
                if target == last {
                    continue;
                }
                let probability = &weights[branch] / &total;
                let (terms, constant) = &mut system.rows[target];
                if index == last {
                    *constant += probability;
                } else {
                    *terms.entry(index as u32).or_insert(RBig::ZERO) += probability;
                }
            }
            totals.push(total);
        }
        let Some(mut visits) = system.solve() else { return RBig::ZERO };
        visits.push(RBig::ONE);
        let (mut mass, mut sum) = (RBig::ZERO, RBig::ZERO);
        for (index, state) in part.iter().enumerate() {
            // In continuous time, visits last one over the rate.
            let time = if chain.kind == Kind::Ctmc {
                &visits[index] / &totals[index]
            } else {
                visits[index].clone()
            };
            sum += &time * reward(*state as usize);
            mass += time;
        }
        sum / mass
    }
}

/// The stationary distribution of an irreducible chain, given by probabilities or rates.
fn stationary(rows: &[Vec<(u32, f64)>]) -> Vec<f64> {
    let size = rows.len();
    let mut matrix = vec![0.0; size * size];
    for (index, row) in rows.iter().enumerate() {
        for (target, weight) in row {
            if *target as usize != index {
                matrix[index * size + *target as usize] += weight;
            }
        }
    }
    for state in (1..size).rev() {
        let leaving: f64 = matrix[state * size..state * size + state].iter().sum();
        for before in 0..state {
            let factor = matrix[before * size + state] / leaving;
            matrix[before * size + state] = factor;
            if factor == 0.0 {
                continue;
            }
            for target in (0..state).filter(|target| *target != before) {
                matrix[before * size + target] += factor * matrix[state * size + target];
            }
        }
    }
    let mut weights = vec![1.0; size];
    for state in 1..size {
        weights[state] = (0..state).map(|before| weights[before] * matrix[before * size + state]).sum();
    }
    let total: f64 = weights.iter().sum();
    weights.iter_mut().for_each(|weight| *weight /= total);
    weights
}
