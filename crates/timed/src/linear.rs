//! Exact solutions of linear inequalities: the simplex method over fractions.
//!
//! With stopwatches a clock is a sum of some delays and not of others, so that bounds on clocks are linear inequalities
//! between delays, no longer bounds on differences of times. A run that was found among zones may then have no times at
//! all; whether it has is decided here. Strict inequalities are met by a distance that is made as great as possible, up
//! to 1. Bland's rule chooses the pivots, so that it ends. Numbers that outgrow 128 bits end it without a solution.

use crate::zone::Point;

/// Larger systems are given up.
const MOST_CELLS: usize = 1 << 15;
/// So are those that take more steps.
const MOST_PIVOTS: usize = 2000;

/// A sum of variables with coefficients is at most a constant, or below it.
#[derive(Clone, Debug)]
pub struct Inequality {
    /// By variable.
    pub coefficients: Vec<i64>,
    /// What the sum is compared with.
    pub constant: i64,
    /// Whether it must be below.
    pub strict: bool,
}

/// A fraction in lowest terms with a positive denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ratio(i128, i128);

impl Ratio {
    const ZERO: Ratio = Ratio(0, 1);
    const ONE: Ratio = Ratio(1, 1);

    fn new(numerator: i128, denominator: i128) -> Option<Ratio> {
        let divisor = gcd(numerator.checked_abs()?, denominator.checked_abs()?).max(1);
        let sign = if denominator < 0 { -1 } else { 1 };
        Some(Ratio(sign * numerator / divisor, sign * denominator / divisor))
    }

    fn plus(self, other: Ratio) -> Option<Ratio> {
        let (a, b) = (self.0.checked_mul(other.1)?, other.0.checked_mul(self.1)?);
        Ratio::new(a.checked_add(b)?, self.1.checked_mul(other.1)?)
    }

    fn times(self, other: Ratio) -> Option<Ratio> {
        Ratio::new(self.0.checked_mul(other.0)?, self.1.checked_mul(other.1)?)
    }

    fn over(self, other: Ratio) -> Option<Ratio> {
        self.times(Ratio(other.1, other.0)).and_then(|ratio| Ratio::new(ratio.0, ratio.1))
    }

    fn negated(self) -> Ratio {
        Ratio(-self.0, self.1)
    }

    fn is_positive(self) -> bool {
        self.0 > 0
    }

    fn below(self, other: Ratio) -> Option<bool> {
        Some(self.0.checked_mul(other.1)? < other.0.checked_mul(self.1)?)
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Values from 0 on for so many variables, numbered from 1 on as in a [`Point`], that satisfy all inequalities; those
/// that are strict, too. The coefficient of variable `i` is at position `i - 1`.
pub fn solution(variables: usize, inequalities: &[Inequality]) -> Option<Point> {
    // What no values can violate is not looked at.
    let certain =
        |i: &&Inequality| i.coefficients.iter().all(|c| *c <= 0) && i.constant >= i64::from(i.strict);
    let inequalities: Vec<&Inequality> = inequalities.iter().filter(|i| !certain(i)).collect();
    if variables.saturating_mul(inequalities.len()) > MOST_CELLS {
        return None;
    }
    // Behind the variables come the distance from strict bounds, and what is lacking at first.
    let (distance, lacking) = (variables, variables + 1);
    let slacks = inequalities.len() + 1;
    let mut tableau = Tableau { rows: Vec::new(), basis: Vec::new(), columns: variables + 2, slacks };
    for Inequality { coefficients, constant, strict } in &inequalities {
        let mut row: Vec<Ratio> = coefficients.iter().map(|c| Ratio(i128::from(*c), 1)).collect();
        row.push(if *strict { Ratio::ONE } else { Ratio::ZERO });
        row.push(Ratio::ONE.negated());
        tableau.add(row, Ratio(i128::from(*constant), 1));
    }
    let mut most = vec![Ratio::ZERO; variables + 2];
    most[distance] = Ratio::ONE;
    tableau.add(most, Ratio::ONE);
    let least = (0..tableau.rows.len()).try_fold(0, |least, row| {
        Some(if tableau.constant(row).below(tableau.constant(least))? { row } else { least })
    })?;
    if tableau.constant(least).0 < 0 {
        tableau.pivot(least, lacking)?;
        let mut goal = vec![Ratio::ZERO; tableau.columns];
        goal[lacking] = Ratio::ONE.negated();
        tableau.maximise(&goal, None)?;
        if tableau.value(lacking).is_positive() {
            return None;
        }
        // If it is still in the basis, at 0, anything can take its place.
        if let Some(row) = tableau.basis.iter().position(|basic| *basic == lacking) {
            let column = (0..tableau.width()).find(|c| *c != lacking && tableau.rows[row][*c].0 != 0)?;
            tableau.pivot(row, column)?;
        }
    }
    let mut goal = vec![Ratio::ZERO; tableau.columns];
    goal[distance] = Ratio::ONE;
    tableau.maximise(&goal, Some(lacking))?;
    if inequalities.iter().any(|inequality| inequality.strict) && !tableau.value(distance).is_positive() {
        return None;
    }
    let values: Vec<Ratio> = (0..variables).map(|variable| tableau.value(variable)).collect();
    let denominator =
        values.iter().try_fold(1i128, |all, value| (all / gcd(all, value.1)).checked_mul(value.1))?;
    let scaled = values.iter().map(|value| i64::try_from(value.0.checked_mul(denominator / value.1)?).ok());
    let numerators = std::iter::once(Some(0)).chain(scaled).collect::<Option<Vec<i64>>>()?;
    Some(Point { denominator: i64::try_from(denominator).ok()?, numerators })
}

/// Equations with a slack variable each: the row of a basic variable gives it by the others.
struct Tableau {
    /// The coefficients of all variables, slacks behind the others, then the constant.
    rows: Vec<Vec<Ratio>>,
    /// The basic variable of each row.
    basis: Vec<usize>,
    /// How many variables there are beside the slacks.
    columns: usize,
    /// How many slacks there are: one for each row.
    slacks: usize,
}

impl Tableau {
    fn add(&mut self, mut row: Vec<Ratio>, constant: Ratio) {
        let slack = self.rows.len();
        row.extend(std::iter::repeat_n(Ratio::ZERO, self.slacks));
        row[self.columns + slack] = Ratio::ONE;
        row.push(constant);
        self.rows.push(row);
        self.basis.push(self.columns + slack);
    }

    fn width(&self) -> usize {
        self.columns + self.slacks
    }

    fn constant(&self, row: usize) -> Ratio {
        self.rows[row][self.width()]
    }

    fn value(&self, variable: usize) -> Ratio {
        self.basis.iter().position(|basic| *basic == variable).map_or(Ratio::ZERO, |row| self.constant(row))
    }

    /// Makes a variable basic in a row.
    fn pivot(&mut self, row: usize, column: usize) -> Option<()> {
        let by = self.rows[row][column];
        for cell in &mut self.rows[row] {
            *cell = cell.over(by)?;
        }
        let pivot = self.rows[row].clone();
        for (other, cells) in self.rows.iter_mut().enumerate() {
            let factor = cells[column].negated();
            if other != row && factor.0 != 0 {
                for (cell, pivot) in cells.iter_mut().zip(&pivot) {
                    *cell = cell.plus(factor.times(*pivot)?)?;
                }
            }
        }
        self.basis[row] = column;
        Some(())
    }

    /// Moves to where a sum of the first variables is greatest; one variable may be kept out of the basis. Nothing if it has
    /// no greatest value, or numbers become too large.
    fn maximise(&mut self, goal: &[Ratio], but: Option<usize>) -> Option<()> {
        for _ in 0..MOST_PIVOTS {
            let mut entering = None;
            for column in (0..self.width()).filter(|column| Some(*column) != but) {
                let mut gain = goal.get(column).copied().unwrap_or(Ratio::ZERO);
                for (row, basic) in self.rows.iter().zip(&self.basis) {
                    let weight = goal.get(*basic).copied().unwrap_or(Ratio::ZERO);
                    gain = gain.plus(weight.times(row[column])?.negated())?;
                }
                if gain.is_positive() {
                    entering = Some(column);
                    break;
                }
            }
            let Some(column) = entering else { return Some(()) };
            let mut leaving: Option<(Ratio, usize)> = None;
            for row in 0..self.rows.len() {
                let step = self.rows[row][column];
                if !step.is_positive() {
                    continue;
                }
                let limit = self.constant(row).over(step)?;
                let better = match leaving {
                    None => true,
                    Some((least, other)) => {
                        limit.below(least)? || limit == least && self.basis[row] < self.basis[other]
                    }
                };
                if better {
                    leaving = Some((limit, row));
                }
            }
            self.pivot(leaving?.1, column)?;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(coefficients: &[i64], constant: i64, strict: bool) -> Inequality {
        Inequality { coefficients: coefficients.to_vec(), constant, strict }
    }

    fn satisfied(point: &Point, all: &[Inequality]) -> bool {
        all.iter().all(|inequality| {
            let terms = inequality.coefficients.iter().zip(&point.numerators[1..]);
            let sum: i64 = terms.map(|(coefficient, value)| coefficient * value).sum();
            let most = inequality.constant * point.denominator;
            if inequality.strict { sum < most } else { sum <= most }
        })
    }

    /// Every system of random inequalities that some half integers satisfy has a solution, and what is found is one.
    #[test]
    fn solutions_are_found() {
        let mut seed = 7u64;
        let mut random = |most: i64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as i64 % most
        };
        let (mut some, mut none) = (0, 0);
        for _ in 0..2000 {
            let all: Vec<Inequality> = (0..4 + random(3))
                .map(|_| {
                    let row: Vec<i64> = (0..3).map(|_| random(3) - 1).collect();
                    asked(&row, random(9) - 4, random(2) == 0)
                })
                .collect();
            let values = || 0..13i64;
            let exists = values().any(|a| {
                values().any(|b| {
                    values().any(|c| satisfied(&Point { denominator: 2, numerators: vec![0, a, b, c] }, &all))
                })
            });
            match solution(3, &all) {
                Some(point) => {
                    assert!(satisfied(&point, &all), "{point:?} {all:?}");
                    assert!(point.numerators.iter().all(|value| *value >= 0));
                    some += 1;
                }
                None => {
                    assert!(!exists, "{all:?}");
                    none += 1;
                }
            }
        }
        assert!(some > 300 && none > 300, "{some} {none}");
    }
}
