//! Continuous time by uniformisation: a chain that jumps at one constant rate, and a Poisson number of jumps.
//!
//! Weights are computed outwards from the most probable number of jumps, as Fox and Glynn do, until what is left is below
//! 1e-18 of the largest; all that is cut off, and rounding, is in the bounds.

use crate::chain::Chain;
use crate::graph::Set;

/// The probabilities of so many jumps, from `first` on; they sum up to one.
fn poisson(mean: f64) -> (usize, Vec<f64>) {
    if mean == 0.0 {
        return (0, vec![1.0]);
    }
    const CUT: f64 = 1e-18;
    let mode = mean.floor();
    let mut left = Vec::new();
    let (mut weight, mut at) = (1.0, mode);
    while at > 0.0 && weight > CUT {
        weight *= at / mean;
        at -= 1.0;
        left.push(weight);
    }
    let first = mode as usize - left.len();
    let mut weights: Vec<f64> = left.into_iter().rev().collect();
    weights.push(1.0);
    let (mut weight, mut at) = (1.0, mode);
    while weight > CUT || at < mean {
        at += 1.0;
        weight *= mean / at;
        weights.push(weight);
    }
    // Small ones first, so that the sum is accurate.
    let mut sorted = weights.clone();
    sorted.sort_by(f64::total_cmp);
    let total: f64 = sorted.iter().sum();
    weights.iter_mut().for_each(|weight| *weight /= total);
    (first, weights)
}

/// What is cut off, and rounding, relative to the greatest value.
const MARGIN: f64 = 1e-13;

/// One jump backwards; states that do not move keep their value.
fn jump(chain: &Chain, rate: f64, moving: &Set, x: &[f64], after: &mut [f64]) {
    for state in 0..chain.len() {
        if !moving[state] {
            after[state] = x[state];
            continue;
        }
        let range = chain.branches_of(chain.rows[state] as usize);
        let mut sum = 0.0;
        let own = x[state];
        for (target, weight) in chain.targets[range.clone()].iter().zip(&chain.weights[range]) {
            sum += weight * (x[*target as usize] - own);
        }
        after[state] = own + sum / rate;
    }
}

fn fastest(chain: &Chain, moving: &Set) -> f64 {
    let rates =
        (0..chain.len()).filter(|state| moving[*state]).map(|state| chain.total(chain.rows[state] as usize));
    rates.fold(0.0, f64::max)
}

/// The expected value at a time of what states are worth then; states that do not move stay for ever.
pub fn at_time(
    chain: &Chain,
    low: Vec<f64>,
    high: Vec<f64>,
    moving: &Set,
    time: f64,
) -> (Vec<f64>, Vec<f64>) {
    let point = low == high;
    let below = mixed(chain, low, moving, time);
    let above = if point { below.clone() } else { mixed(chain, high, moving, time) };
    let margin = MARGIN * above.iter().copied().fold(0.0, f64::max);
    (
        below.iter().map(|value| (value * (1.0 - MARGIN) - margin).max(0.0)).collect(),
        above.iter().map(|value| value * (1.0 + MARGIN) + if *value == 0.0 { 0.0 } else { margin }).collect(),
    )
}

fn mixed(chain: &Chain, mut x: Vec<f64>, moving: &Set, time: f64) -> Vec<f64> {
    let rate = fastest(chain, moving) * 1.02;
    if rate == 0.0 || time == 0.0 {
        return x;
    }
    let (first, weights) = poisson(rate * time);
    let mut after = vec![0.0; x.len()];
    let mut sum = vec![0.0; x.len()];
    let last = first + weights.len() - 1;
    for jumps in 0..=last {
        if chain.deadline.has_passed() {
            break;
        }
        if jumps >= first {
            let weight = weights[jumps - first];
            sum.iter_mut().zip(&x).for_each(|(sum, value)| *sum += weight * value);
        }
        if jumps == last {
            break;
        }
        jump(chain, rate, moving, &x, &mut after);
        if x == after {
            // Nothing changes any more.
            let rest: f64 = weights[(jumps + 1).saturating_sub(first)..].iter().sum();
            sum.iter_mut().zip(&x).for_each(|(sum, value)| *sum += rest * value);
            break;
        }
        std::mem::swap(&mut x, &mut after);
    }
    sum
}

/// What is earned up to a time, at so much per unit of time in every state.
pub fn accumulated(chain: &Chain, mut x: Vec<f64>, time: f64) -> (Vec<f64>, Vec<f64>) {
    let all = vec![true; chain.len()];
    let rate = fastest(chain, &all) * 1.02;
    let (first, weights) = poisson(rate * time);
    let mut after = vec![0.0; x.len()];
    let mut sum = vec![0.0; x.len()];
    // The probability of more jumps than this.
    let mut more = 1.0;
    let last = first + weights.len() - 1;
    for jumps in 0..=last {
        if chain.deadline.has_passed() {
            break;
        }
        if jumps >= first {
            more = weights[jumps + 1 - first..].iter().sum();
        }
        sum.iter_mut().zip(&x).for_each(|(sum, value)| *sum += more / rate * value);
        if jumps == last {
            break;
        }
        jump(chain, rate, &all, &x, &mut after);
        std::mem::swap(&mut x, &mut after);
    }
    let margin = 1e-12;
    (
        sum.iter().map(|value| value * (1.0 - margin)).collect(),
        sum.iter().map(|value| value * (1.0 + margin)).collect(),
    )
}
