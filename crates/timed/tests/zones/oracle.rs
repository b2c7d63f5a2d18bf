//! What the kernel is compared with: sets of points as lists of constraints, looked at point by point, and definitions
//! written down as they are. Points are numerators; the denominator is given beside them.

use burnside_timed::zone::{Bound, Constraint, Extrapolation, Zone};

/// Whether a point satisfies a constraint.
pub fn holds(constraint: &Constraint, point: &[i64], step: i64) -> bool {
    let Some(value) = constraint.bound.value() else { return true };
    let (difference, limit) = (point[constraint.left] - point[constraint.right], i64::from(value) * step);
    difference < limit || (difference == limit && !constraint.bound.is_strict())
}

/// Whether a point satisfies all constraints, and no clock is negative.
pub fn satisfies(constraints: &[Constraint], point: &[i64], step: i64) -> bool {
    point.iter().all(|value| *value >= 0)
        && constraints.iter().all(|constraint| holds(constraint, point, step))
}

/// Whether some values satisfy the constraints, whose constants are in units of one over `step`: no cycle of them is
/// negative. A strict bound is one less, where a whole unit is more than all of them.
pub fn feasible(clocks: usize, constraints: &[Constraint], step: i64) -> bool {
    let scaled: Vec<_> = constraints.iter().filter_map(|c| scaled(c, step)).collect();
    feasible_scaled(clocks, &scaled)
}

/// A bound on the difference of two clocks, in small units.
type Scaled = (usize, usize, i64, bool);

fn scaled(constraint: &Constraint, step: i64) -> Option<Scaled> {
    let value = constraint.bound.value()?;
    Some((constraint.left, constraint.right, i64::from(value) * step, constraint.bound.is_strict()))
}

fn feasible_scaled(clocks: usize, constraints: &[Scaled]) -> bool {
    const FAR: i64 = i64::MAX / 4;
    let mut distance = [[FAR; 4]; 4];
    distance[0] = [0; 4];
    for &(left, right, limit, strict) in constraints {
        let cell = &mut distance[left][right];
        *cell = (*cell).min(limit * 8 - i64::from(strict));
    }
    for via in 0..=clocks {
        for left in 0..=clocks {
            for right in 0..=clocks {
                let sum = distance[left][via].saturating_add(distance[via][right]);
                distance[left][right] = distance[left][right].min(sum);
            }
        }
    }
    (0..=clocks).all(|clock| distance[clock][clock] >= 0)
}

/// The greatest constants of guards from below and from above; none for a clock that has no such guard.
#[derive(Clone, Debug)]
pub struct Guards {
    pub lower: Vec<Option<i32>>,
    pub upper: Vec<Option<i32>>,
}

impl Guards {
    /// One constant for both kinds.
    pub fn merged(&self) -> Guards {
        let both: Vec<_> =
            self.lower.iter().zip(&self.upper).map(|(lower, upper)| *lower.max(upper)).collect();
        Guards { lower: both.clone(), upper: both }
    }
}

/// Whether a point that satisfies the constraints simulates the given one: each clock is the same, or smaller and above
/// the lower limit, or greater where the given one is above the upper limit.
pub fn simulated(constraints: &[Constraint], guards: &Guards, point: &[i64], step: i64) -> bool {
    let mut all: Vec<_> = constraints.iter().filter_map(|c| scaled(c, step)).collect();
    for (clock, &value) in point.iter().enumerate().skip(1) {
        match guards.lower[clock].map(|limit| i64::from(limit) * step) {
            None => {}
            Some(limit) if limit < value => all.push((0, clock, -limit, true)),
            Some(_) => all.push((0, clock, -value, false)),
        }
        if guards.upper[clock].is_some_and(|limit| i64::from(limit) * step >= value) {
            all.push((clock, 0, value, false));
        }
    }
    feasible_scaled(point.len() - 1, &all)
}

/// A matrix of bounds: constants, and whether they are excluded.
pub type Matrix = Vec<Vec<Option<(i64, bool)>>>;

pub fn matrix(zone: &Zone) -> Matrix {
    let cell = |bound: Bound| bound.value().map(|value| (i64::from(value), bound.is_strict()));
    (0..zone.dimension()).map(|left| zone.row(left).iter().map(|bound| cell(*bound)).collect()).collect()
}

/// The tighter of two bounds.
fn tighter(a: Option<(i64, bool)>, b: Option<(i64, bool)>) -> Option<(i64, bool)> {
    match (a, b) {
        (Some(a), Some(b)) if (a.0, !a.1) <= (b.0, !b.1) => Some(a),
        (Some(_), Some(b)) => Some(b),
        (a, b) => a.or(b),
    }
}

/// Every bound tightened by all paths.
pub fn closed(mut matrix: Matrix) -> Matrix {
    for via in 0..matrix.len() {
        for left in 0..matrix.len() {
            for right in 0..matrix.len() {
                let sum = matrix[left][via].zip(matrix[via][right]).map(|(a, b)| (a.0 + b.0, a.1 || b.1));
                matrix[left][right] = tighter(matrix[left][right], sum);
            }
        }
    }
    matrix
}

/// The extrapolation as Behrmann, Bouyer, Larsen and Pelánek define it, and no clock negative.
pub fn extrapolated(zone: &Zone, how: Extrapolation, guards: &Guards) -> Matrix {
    let old = matrix(zone);
    let guards = match how {
        Extrapolation::M | Extrapolation::MPlus => guards.merged(),
        Extrapolation::LU | Extrapolation::LUPlus => guards.clone(),
    };
    let limit = |limit: Option<i32>| limit.map_or(i64::MIN, i64::from);
    let (lower, upper) =
        (|clock: usize| limit(guards.lower[clock]), |clock: usize| limit(guards.upper[clock]));
    // Finite bounds only: no definition weakens an infinite one.
    let constant = |left: usize, right: usize| old[left][right].map(|cell| cell.0);
    let floor = |clock: usize| if upper(clock) == i64::MIN { None } else { Some((-upper(clock), true)) };
    let mut new = old.clone();
    for left in 0..old.len() {
        for right in (0..old.len()).filter(|right| *right != left) {
            let above = constant(left, right).is_some_and(|c| c > lower(left));
            let below = constant(left, right).is_some_and(|c| -c > upper(right));
            let left_beyond = constant(0, left).is_some_and(|c| -c > lower(left));
            let right_beyond = constant(0, right).is_some_and(|c| -c > upper(right));
            new[left][right] = match how {
                Extrapolation::M | Extrapolation::LU => match () {
                    () if above => None,
                    () if below => floor(right),
                    () => old[left][right],
                },
                Extrapolation::MPlus | Extrapolation::LUPlus => match () {
                    () if above || left_beyond => None,
                    () if right_beyond && left != 0 => None,
                    () if right_beyond => floor(right),
                    () => old[left][right],
                },
            };
        }
    }
    for cell in &mut new[0] {
        *cell = tighter(*cell, Some((0, false)));
    }
    closed(new)
}
