//! Exact solutions of Bellman equations by rationals.
//!
//! The strategy is the one that the bounds of [`solve`](crate::solve) suggest; its equations are solved exactly, component
//! by component, by eliminating the unknown with the fewest neighbours next (as state elimination of parametric chains
//! does). Then every other choice is compared exactly: if one is better the strategy changes, until none is.

use std::collections::BTreeMap;

use burnside_model::Deadline;
use dashu_ratio::RBig;

use crate::graph::components;
use crate::solve::{Bellman, NONE};

impl Bellman {
    /// The exact solution; none if a strategy has no solution, which the graph analysis excludes.
    pub fn solve_exactly(&self) -> Option<Vec<RBig>> {
        let near = self.solve(1e-9);
        let all: Vec<u32> = (0..self.len() as u32).collect();
        let mut chosen = vec![NONE; self.len()];
        for component in self.components() {
            let found = self.strategy(&component, &near.low)?;
            component.iter().zip(found).for_each(|(row, choice)| chosen[*row as usize] = choice);
        }
        debug_assert!(chosen.len() == all.len());
        loop {
            if self.deadline.has_passed() {
                return None;
            }
            let x = self.values(&chosen)?;
            let mut improved = false;
            for row in 0..self.len() {
                for choice in self.choices_of(row).filter(|choice| *choice as u32 != chosen[row]) {
                    let value = self.exact_value(choice, &x)?;
                    let better = if self.maximise { value > x[row] } else { value < x[row] };
                    if better {
                        chosen[row] = choice as u32;
                        improved = true;
                        break;
                    }
                }
            }
            if !improved {
                return Some(x);
            }
        }
    }

    fn exact_value(&self, choice: usize, x: &[RBig]) -> Option<RBig> {
        let (weights, constants) = self.exact.as_ref()?;
        let mut sum = constants[choice].clone();
        for term in self.terms_of(choice) {
            sum += &weights[term] * &x[self.targets[term] as usize];
        }
        Some(sum)
    }

    /// The exact values of a strategy.
    fn values(&self, chosen: &[u32]) -> Option<Vec<RBig>> {
        let (weights, constants) = self.exact.as_ref()?;
        let parts = components(self.len(), |row, out| {
            out.extend_from_slice(&self.targets[self.terms_of(chosen[row] as usize)]);
        });
        let mut x = vec![RBig::ZERO; self.len()];
        for part in parts {
            let mut place = std::collections::HashMap::with_capacity(part.len());
            part.iter().enumerate().for_each(|(index, row)| {
                place.insert(*row, index as u32);
            });
            let mut system = Sparse { deadline: self.deadline, ..Sparse::default() };
            for row in &part {
                let choice = chosen[*row as usize] as usize;
                let mut constant = constants[choice].clone();
                let mut terms = BTreeMap::new();
                for term in self.terms_of(choice) {
                    match place.get(&self.targets[term]) {
                        Some(column) => *terms.entry(*column).or_insert(RBig::ZERO) += &weights[term],
                        None => constant += &weights[term] * &x[self.targets[term] as usize],
                    }
                }
                system.rows.push((terms, constant));
            }
            let values = system.solve()?;
            part.iter().zip(values).for_each(|(row, value)| x[*row as usize] = value);
        }
        Some(x)
    }
}

/// Equations `x_i = c_i + Σ a_ij x_j` with few terms.
#[derive(Default)]
pub struct Sparse {
    /// Terms and constant of each row.
    pub rows: Vec<(BTreeMap<u32, RBig>, RBig)>,
    /// When work on them must end.
    pub deadline: Deadline,
}

impl Sparse {
    /// The solution, if there is exactly one.
    pub fn solve(mut self) -> Option<Vec<RBig>> {
        let size = self.rows.len();
        let mut columns: Vec<std::collections::BTreeSet<u32>> = vec![std::collections::BTreeSet::new(); size];
        for (row, (terms, _)) in self.rows.iter().enumerate() {
            terms.keys().for_each(|column| {
                columns[*column as usize].insert(row as u32);
            });
        }
        let cost = |row: usize,
                    rows: &[(BTreeMap<u32, RBig>, RBig)],
                    columns: &[std::collections::BTreeSet<u32>]| {
            rows[row].0.len() * columns[row].len()
        };
        let mut queue: std::collections::BTreeSet<(usize, u32)> =
            (0..size).map(|row| (cost(row, &self.rows, &columns), row as u32)).collect();
        let mut costs: Vec<usize> = (0..size).map(|row| cost(row, &self.rows, &columns)).collect();
        let mut order = Vec::with_capacity(size);
        while let Some((_, pivot)) = queue.pop_first() {
            if self.deadline.has_passed() {
                return None;
            }
            let at = pivot as usize;
            // The row without itself.
            let (mut terms, mut constant) = std::mem::take(&mut self.rows[at]);
            if let Some(own) = terms.remove(&pivot) {
                let rest = RBig::ONE - own;
                if rest.is_zero() {
                    return None;
                }
                terms.values_mut().for_each(|weight| *weight = &*weight / &rest);
                constant /= rest;
                columns[at].remove(&pivot);
            }
            let users: Vec<u32> =
                columns[at].iter().copied().filter(|user| costs[*user as usize] != usize::MAX).collect();
            for user in users {
                let (other, other_constant) = &mut self.rows[user as usize];
                let Some(factor) = other.remove(&pivot) else { continue };
                *other_constant += &factor * &constant;
                for (column, weight) in &terms {
                    *other.entry(*column).or_insert(RBig::ZERO) += &factor * weight;
                    columns[*column as usize].insert(user);
                }
            }
            let touched: Vec<u32> = columns[at].iter().copied().chain(terms.keys().copied()).collect();
            columns[at].clear();
            costs[at] = usize::MAX;
            for column in terms.keys() {
                columns[*column as usize].remove(&pivot);
            }
            self.rows[at] = (terms, constant);
            order.push(pivot);
            for row in touched {
                let row = row as usize;
                if costs[row] != usize::MAX && queue.remove(&(costs[row], row as u32)) {
                    costs[row] = cost(row, &self.rows, &columns);
                    queue.insert((costs[row], row as u32));
                }
            }
        }
        let mut x = vec![RBig::ZERO; size];
        for row in order.into_iter().rev() {
            let (terms, constant) = &self.rows[row as usize];
            let mut sum = constant.clone();
            for (column, weight) in terms {
                sum += weight * &x[*column as usize];
            }
            x[row as usize] = sum;
        }
        Some(x)
    }
}
