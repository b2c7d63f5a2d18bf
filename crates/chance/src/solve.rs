//! Systems of Bellman equations `x = opt (c + A x)` with bounds on both sides.
//!
//! Strongly connected components are solved one after the other, those that nothing else depends on last, so that acyclic
//! parts cost one pass. A component is iterated from below; then an upper bound is guessed slightly above and verified:
//! if one more sweep nowhere raises it, it is above the least solution (optimistic value iteration, Hartmanns and Kaminski
//! 2020). A small component is solved by strategy iteration with elimination instead, and its bounds are verified likewise:
//! chains that mix slowly cost no more than others. Rounding is not accounted for; it is below 1e-12 in all that was seen.

use burnside_model::Deadline;

use crate::chain::Chain;
use crate::graph::components;
use dashu_ratio::RBig;

/// No row.
pub const NONE: u32 = u32::MAX;

/// A system of equations, one row per unknown.
#[derive(Debug, Default)]
pub struct Bellman {
    /// By row, its first choice.
    pub rows: Vec<u32>,
    /// By choice, its first term.
    pub choices: Vec<u32>,
    /// By term, the row.
    pub targets: Vec<u32>,
    /// By term, the factor.
    pub weights: Vec<f64>,
    /// By choice.
    pub constants: Vec<f64>,
    /// Factors and constants exactly, if they are needed.
    pub exact: Option<(Vec<RBig>, Vec<RBig>)>,
    /// Whether the greatest choice counts.
    pub maximise: bool,
    /// By state of the chain, its row.
    pub row_of: Vec<u32>,
    /// When work on it must end; what is found then is not used.
    pub deadline: Deadline,
}

/// Where the equations come from.
pub struct Terms<'c> {
    pub chain: &'c Chain,
    /// By state, its row; states may share one.
    pub row_of: Vec<u32>,
    /// How many rows.
    pub rows: usize,
    /// The value of a state without a row.
    pub known: &'c dyn Fn(usize) -> f64,
    /// The same exactly.
    pub exactly_known: &'c dyn Fn(usize) -> RBig,
    /// By choice, whether it may be taken; none: all.
    pub usable: Option<&'c dyn Fn(usize) -> bool>,
    /// What a choice earns, the state's share included; none: nothing.
    pub earned: Option<&'c dyn Fn(usize, usize) -> f64>,
    /// The same exactly.
    pub exactly_earned: Option<&'c dyn Fn(usize, usize) -> RBig>,
    /// Whether the greatest choice counts.
    pub maximise: bool,
}

impl Terms<'_> {
    /// The equations. In continuous time, those of the chain of jumps.
    pub fn equations(self) -> Bellman {
        let chain = self.chain;
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); self.rows];
        for (state, row) in self.row_of.iter().enumerate() {
            if *row != NONE {
                members[*row as usize].push(state as u32);
            }
        }
        let mut found = Bellman {
            rows: vec![0],
            choices: vec![0],
            exact: chain.exact.as_ref().map(|_| (Vec::new(), Vec::new())),
            maximise: self.maximise,
            deadline: chain.deadline,
            ..Bellman::default()
        };
        for (row, states) in members.iter().enumerate() {
            for state in states.iter().map(|s| *s as usize) {
                for choice in chain.choices_of(state) {
                    if self.usable.is_some_and(|usable| !usable(choice)) {
                        continue;
                    }
                    self.choice(state, choice, row as u32, &mut found);
                }
            }
            found.rows.push((found.choices.len() - 1) as u32);
        }
        found.row_of = self.row_of;
        found
    }

    fn choice(&self, state: usize, choice: usize, row: u32, found: &mut Bellman) {
        let chain = self.chain;
        let range = chain.branches_of(choice);
        let total = if chain.kind == burnside_model::chance::Kind::Ctmc { chain.total(choice) } else { 1.0 };
        let mut constant = self.earned.map_or(0.0, |earned| earned(state, choice));
        let begin = found.targets.len();
        for branch in range.clone() {
            let target = chain.targets[branch] as usize;
            let weight = chain.weights[branch] / total;
            match self.row_of[target] {
                NONE => constant += weight * (self.known)(target),
                to => {
                    found.targets.push(to);
                    found.weights.push(weight);
                }
            }
        }
        // Within merged states, a choice that only stays is none.
        if constant == 0.0 && found.targets[begin..].iter().all(|t| *t == row) && found.targets.len() > begin
        {
            let stays = range.clone().all(|branch| self.row_of[chain.targets[branch] as usize] == row);
            if stays {
                found.targets.truncate(begin);
                found.weights.truncate(begin);
                return;
            }
        }
        if let (Some(weights), Some((exact_weights, exact_constants))) = (&chain.exact, &mut found.exact) {
            let total = if chain.kind == burnside_model::chance::Kind::Ctmc {
                weights[range.clone()].iter().fold(RBig::ZERO, |sum, w| sum + w)
            } else {
                RBig::ONE
            };
            let mut exact = self.exactly_earned.map_or(RBig::ZERO, |earned| earned(state, choice));
            for branch in range {
                let target = chain.targets[branch] as usize;
                let weight = &weights[branch] / &total;
                match self.row_of[target] {
                    NONE => exact += weight * (self.exactly_known)(target),
                    _ => exact_weights.push(weight),
                }
            }
            exact_constants.push(exact);
        }
        found.constants.push(constant);
        found.choices.push(found.targets.len() as u32);
    }
}

/// Lower and upper bounds of all unknowns.
pub struct Solution {
    /// Lower bounds.
    pub low: Vec<f64>,
    /// Upper bounds.
    pub high: Vec<f64>,
    /// Sweeps over components.
    pub sweeps: u64,
}

/// Components up to this size are solved by elimination.
const DIRECT: usize = 150;

/// Differences that rounding explains.
const ROUNDING: f64 = 1e-15;

impl Bellman {
    /// How many unknowns.
    pub fn len(&self) -> usize {
        self.rows.len() - 1
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn choices_of(&self, row: usize) -> std::ops::Range<usize> {
        self.rows[row] as usize..self.rows[row + 1] as usize
    }

    pub fn terms_of(&self, choice: usize) -> std::ops::Range<usize> {
        self.choices[choice] as usize..self.choices[choice + 1] as usize
    }

    fn value(&self, choice: usize, x: &[f64]) -> f64 {
        let range = self.terms_of(choice);
        let mut sum = self.constants[choice];
        for (target, weight) in self.targets[range.clone()].iter().zip(&self.weights[range]) {
            sum += weight * x[*target as usize];
        }
        sum
    }

    fn best(&self, row: usize, x: &[f64]) -> f64 {
        let mut choices = self.choices_of(row);
        let Some(first) = choices.next() else { return 0.0 };
        let mut best = self.value(first, x);
        for choice in choices {
            let value = self.value(choice, x);
            best = if self.maximise { best.max(value) } else { best.min(value) };
        }
        best
    }

    /// Strongly connected components, each after those that it depends on.
    pub fn components(&self) -> Vec<Vec<u32>> {
        components(self.len(), |row, out| {
            let (first, last) = (self.rows[row] as usize, self.rows[row + 1] as usize);
            out.extend_from_slice(&self.targets[self.choices[first] as usize..self.choices[last] as usize]);
        })
    }

    /// Bounds whose distance is at most `precision` times the value.
    pub fn solve(&self, precision: f64) -> Solution {
        let components = self.components();
        let mut eps = precision / 16.0;
        let mut sweeps = 0;
        loop {
            let mut found = Solution { low: vec![0.0; self.len()], high: vec![0.0; self.len()], sweeps };
            for component in &components {
                if self.deadline.has_passed() {
                    return found;
                }
                self.component(component, eps, &mut found);
            }
            sweeps = found.sweeps;
            let near = |(low, high): (&f64, &f64)| high - low <= precision * high.abs() + 1e-300;
            if found.low.iter().zip(&found.high).all(near) || eps < 1e-13 {
                return found;
            }
            eps /= 32.0;
        }
    }

    fn component(&self, component: &[u32], eps: f64, found: &mut Solution) {
        if let [row] = component {
            let row = *row as usize;
            let own = |choice: usize| {
                let range = self.terms_of(choice);
                let terms = self.targets[range.clone()].iter().zip(&self.weights[range]);
                terms.filter(|(t, _)| **t as usize == row).map(|(_, w)| w).sum::<f64>()
            };
            let without = |choice: usize, x: &[f64]| {
                let stay = own(choice);
                if stay == 0.0 {
                    return Some(self.value(choice, x));
                }
                let rest = self.value(choice, x) - stay * x[row];
                if stay < 1.0 - ROUNDING {
                    Some(rest / (1.0 - stay))
                } else {
                    // Staying for ever: nothing is reached by it.
                    None
                }
            };
            let optimum = |x: &[f64]| {
                let values = self.choices_of(row).filter_map(|choice| without(choice, x));
                values.reduce(if self.maximise { f64::max } else { f64::min }).unwrap_or(0.0)
            };
            (found.low[row], found.high[row]) = (0.0, 0.0);
            (found.low[row], found.high[row]) = (optimum(&found.low), optimum(&found.high));
            return;
        }
        if component.len() <= DIRECT && self.direct(component, eps, found) {
            return;
        }
        if !self.may_stay(component) && self.accelerated(component, eps, found) {
            return;
        }
        self.iterate(component, eps, found);
    }

    /// Whether some strategy stays in a component for ever.
    fn may_stay(&self, component: &[u32]) -> bool {
        let mut inside = vec![false; self.len()];
        component.iter().for_each(|row| inside[*row as usize] = true);
        loop {
            let mut left = 0;
            let mut changed = false;
            for row in component.iter().map(|row| *row as usize) {
                if !inside[row] {
                    continue;
                }
                let stays = self.choices_of(row).any(|choice| {
                    let range = self.terms_of(choice);
                    let mass: f64 = self.weights[range.clone()].iter().sum();
                    mass >= 1.0 - 1e-9 && self.targets[range].iter().all(|target| inside[*target as usize])
                });
                if stays {
                    left += 1;
                } else {
                    inside[row] = false;
                    changed = true;
                }
            }
            if left == 0 || !changed {
                return left > 0;
            }
        }
    }

    /// Iteration with extrapolation, verified afterwards on both sides; false if that fails. What is verified is right however
    /// it was guessed: where no strategy stays for ever there is only one solution, so that values which no sweep lowers
    /// are below it, and values which no sweep raises are above.
    fn accelerated(&self, component: &[u32], eps: f64, found: &mut Solution) -> bool {
        let order: Vec<usize> = component.iter().map(|row| *row as usize).collect();
        let mut y: Vec<f64> =
            found.low.iter().zip(&found.high).map(|(low, high)| (low + high) / 2.0).collect();
        order.iter().for_each(|row| y[*row] = 0.0);
        let both_ways = |x: &mut Vec<f64>| {
            for row in &order {
                x[*row] = self.best(*row, x);
            }
            for row in order.iter().rev() {
                x[*row] = self.best(*row, x);
            }
        };
        let (mut before, mut last): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
        let mut near = false;
        for _ in 0..10_000 {
            if self.deadline.has_passed() {
                return false;
            }
            for _ in 0..4 {
                both_ways(&mut y);
            }
            found.sweeps += 8;
            let now: Vec<f64> = order.iter().map(|row| y[*row]).collect();
            if !before.is_empty() {
                let (mut product, mut square, mut own, mut change) = (0.0, 0.0, 0.0, 0.0f64);
                for ((a, b), c) in before.iter().zip(&last).zip(&now) {
                    product += (b - a) * (c - b);
                    square += (b - a) * (b - a);
                    own += (c - b) * (c - b);
                    change = change.max((c - b).abs() / c.abs().max(1e-300));
                }
                let ratio = if square > 0.0 { product / square } else { 0.0 };
                if change == 0.0
                    || change * ratio.clamp(0.5, 0.999_99) / (1.0 - ratio.clamp(0.5, 0.999_99)) < eps / 16.0
                {
                    near = true;
                    break;
                }
                // One mode is left if the last two changes point the same way: jump to its limit.
                let aligned = product * product >= 0.995 * square * own;
                if aligned && ratio > 0.1 && ratio < 0.999_999 {
                    for ((row, b), c) in order.iter().zip(&last).zip(&now) {
                        y[*row] = (c + (c - b) * ratio / (1.0 - ratio)).max(0.0);
                    }
                    (before, last) = (Vec::new(), Vec::new());
                    continue;
                }
            }
            before = std::mem::replace(&mut last, now);
        }
        if !near {
            return false;
        }
        let mut width: f64 = 0.0;
        let mut inside = vec![false; self.len()];
        order.iter().for_each(|row| inside[*row] = true);
        for row in &order {
            for choice in self.choices_of(*row) {
                for target in
                    self.targets[self.terms_of(choice)].iter().map(|t| *t as usize).filter(|t| !inside[*t])
                {
                    if found.high[target] > 0.0 {
                        width = width.max((found.high[target] - found.low[target]) / found.high[target]);
                    }
                }
            }
        }
        let margin = (eps / 2.0 + width) * 1.0001;
        let start: Vec<(f64, f64)> = order.iter().map(|row| (found.low[*row], found.high[*row])).collect();
        for row in &order {
            (found.low[*row], found.high[*row]) = (y[*row] * (1.0 - margin), y[*row] * (1.0 + margin));
        }
        let (mut above, mut below) = (false, false);
        for _ in 0..3000 {
            if self.deadline.has_passed() {
                break;
            }
            found.sweeps += 2;
            if !above {
                above = !self.moves(&order, &mut found.high, 1.0);
            }
            if !below {
                below = !self.moves(&order, &mut found.low, -1.0);
            }
            if above && below {
                for row in &order {
                    // Rounding hides tiny moves; they add up along long runs, to far less than this.
                    found.high[*row] *= 1.0 + eps / 4.0;
                    found.low[*row] *= 1.0 - eps / 4.0;
                }
                return true;
            }
        }
        order.iter().zip(start).for_each(|(row, bounds)| (found.low[*row], found.high[*row]) = bounds);
        false
    }

    /// One sweep; whether a value moved up (`sign` 1) or down (-1).
    fn moves(&self, order: &[usize], x: &mut [f64], sign: f64) -> bool {
        let mut moved = false;
        for row in order {
            let value = self.best(*row, x);
            moved |= (value - x[*row]) * sign > x[*row] * ROUNDING;
            x[*row] = value;
        }
        moved
    }

    fn iterate(&self, component: &[u32], eps: f64, found: &mut Solution) {
        let mut delta = eps;
        // Tarjan lists a component from its end: values flow the other way.
        let order: Vec<usize> = component.iter().map(|row| *row as usize).collect();
        let mut rounds = 0u32;
        loop {
            loop {
                found.sweeps += 1;
                let mut change: f64 = 0.0;
                let mut raise = |row: usize| {
                    let value = self.best(row, &found.low);
                    let before = found.low[row];
                    if value > before {
                        change = change.max((value - before) / value);
                        found.low[row] = value;
                    }
                };
                // To and fro: values flow along the order in one direction at least.
                if found.sweeps.is_multiple_of(2) {
                    order.iter().for_each(|row| raise(*row));
                } else {
                    order.iter().rev().for_each(|row| raise(*row));
                }
                if self.deadline.has_passed() {
                    return;
                }
                if change < delta {
                    break;
                }
            }
            rounds += 1;
            for row in &order {
                found.high[*row] = found.low[*row] * (1.0 + eps);
            }
            let tries = 20 + (found.sweeps / 20).min(1000);
            for _ in 0..tries {
                if self.deadline.has_passed() {
                    return;
                }
                found.sweeps += 1;
                let (mut raised, mut below) = (false, false);
                for row in &order {
                    let value = self.best(*row, &found.high);
                    let before = found.high[*row];
                    raised |= value > before * (1.0 + ROUNDING);
                    below |= value < found.low[*row] * (1.0 - ROUNDING);
                    found.high[*row] = value;
                }
                if !raised {
                    for row in &order {
                        // Rounding hides tiny rises; they add up along long runs, to far less than this.
                        found.high[*row] = found.high[*row].max(found.low[*row]) * (1.0 + eps / 4.0);
                    }
                    return;
                }
                if below {
                    break;
                }
            }
            delta /= 4.0;
            if delta < 1e-17 || rounds > 60 {
                // Nothing moves any more at the precision of the machine: a generous bound, so that it shows.
                for row in &order {
                    found.high[*row] = found.low[*row] * (1.0 + 1e-3) + 1e-12;
                }
                return;
            }
        }
    }

    /// A strategy for some rows that nearly attains `x`, and from every row leaves the component with positive probability.
    pub fn strategy(&self, component: &[u32], x: &[f64]) -> Option<Vec<u32>> {
        let mut place = std::collections::HashMap::with_capacity(component.len());
        for (index, row) in component.iter().enumerate() {
            place.insert(*row, index);
        }
        let mut chosen = vec![NONE; component.len()];
        for tolerance in [1e-12, 1e-9, 1e-6, f64::INFINITY] {
            loop {
                let mut grown = false;
                for (index, row) in component.iter().enumerate().filter(|(index, _)| *index < usize::MAX) {
                    if chosen[index] != NONE {
                        continue;
                    }
                    let best = self.best(*row as usize, x);
                    let fits = |choice: &usize| {
                        let leaves = |t: &u32| place.get(t).is_none_or(|at| chosen[*at] != NONE);
                        let range = self.terms_of(*choice);
                        let mass: f64 = self.weights[range.clone()].iter().sum();
                        (self.value(*choice, x) - best).abs() <= tolerance * best.abs()
                            && (mass < 1.0 - ROUNDING || self.targets[range].iter().any(leaves))
                    };
                    if let Some(choice) = self.choices_of(*row as usize).find(fits) {
                        chosen[index] = choice as u32;
                        grown = true;
                    }
                }
                if !grown {
                    break;
                }
            }
            if chosen.iter().all(|choice| *choice != NONE) {
                return Some(chosen);
            }
        }
        None
    }

    /// Strategy iteration with elimination; false if its bounds cannot be verified.
    fn direct(&self, component: &[u32], eps: f64, found: &mut Solution) -> bool {
        // A few sweeps lead to a good first strategy, and to values of the right size.
        for _ in 0..8 {
            for row in component {
                let row = *row as usize;
                found.low[row] = found.low[row].max(self.best(row, &found.low));
            }
        }
        let Some(mut chosen) = self.strategy(component, &found.low) else { return false };
        let start: Vec<f64> = component.iter().map(|row| found.low[*row as usize]).collect();
        let mut middle: Vec<f64> = found.low.clone();
        for (m, h) in middle.iter_mut().zip(&found.high) {
            *m = (*m + m.max(*h)) / 2.0;
        }
        for _ in 0..100 {
            if self.deadline.has_passed() {
                return false;
            }
            let Some(x) = self.eliminate(component, &chosen, &middle) else { return false };
            component.iter().zip(&x).for_each(|(row, value)| middle[*row as usize] = *value);
            let mut improved = false;
            for (index, row) in component.iter().enumerate() {
                let own = middle[*row as usize];
                for choice in self.choices_of(*row as usize) {
                    let value = self.value(choice, &middle);
                    let gain = if self.maximise { value - own } else { own - value };
                    if gain > 1e-11 * own.abs() && choice as u32 != chosen[index] {
                        chosen[index] = choice as u32;
                        improved = true;
                        break;
                    }
                }
            }
            if !improved {
                break;
            }
        }
        // How far apart the bounds of the rows are that this component depends on.
        let mut width: f64 = 0.0;
        let inside: std::collections::HashSet<u32> = component.iter().copied().collect();
        for row in component {
            for choice in self.choices_of(*row as usize) {
                for target in self.targets[self.terms_of(choice)].iter().filter(|t| !inside.contains(t)) {
                    let (low, high) = (found.low[*target as usize], found.high[*target as usize]);
                    if high > 0.0 {
                        width = width.max((high - low) / high);
                    }
                }
            }
        }
        let margin = (eps + width) * 1.0001;
        for row in component {
            let x = middle[*row as usize];
            (found.low[*row as usize], found.high[*row as usize]) = (x * (1.0 - margin), x * (1.0 + margin));
        }
        let verified = component.iter().zip(&chosen).all(|(row, choice)| {
            let row = *row as usize;
            let (low, high) = (found.low[row], found.high[row]);
            let attained = if self.maximise {
                self.value(*choice as usize, &found.low)
            } else {
                self.best(row, &found.low)
            };
            low.is_finite()
                && low >= 0.0
                && attained >= low * (1.0 - ROUNDING)
                && self.best(row, &found.high) <= high * (1.0 + ROUNDING)
        });
        found.sweeps += 8;
        if !verified {
            component.iter().zip(&start).for_each(|(row, value)| {
                (found.low[*row as usize], found.high[*row as usize]) = (*value, *value);
            });
        }
        verified
    }

    /// The values of a strategy, given those of all other rows.
    fn eliminate(&self, component: &[u32], chosen: &[u32], x: &[f64]) -> Option<Vec<f64>> {
        let size = component.len();
        let mut place = std::collections::HashMap::with_capacity(size);
        component.iter().enumerate().for_each(|(index, row)| {
            place.insert(*row, index);
        });
        let width = size + 1;
        let mut matrix = vec![0.0; size * width];
        for (index, choice) in chosen.iter().enumerate() {
            let choice = *choice as usize;
            matrix[index * width + index] = 1.0;
            matrix[index * width + size] = self.constants[choice];
            for term in self.terms_of(choice) {
                match place.get(&self.targets[term]) {
                    Some(column) => matrix[index * width + column] -= self.weights[term],
                    None => {
                        matrix[index * width + size] += self.weights[term] * x[self.targets[term] as usize]
                    }
                }
            }
        }
        for column in 0..size {
            let pivot = (column..size).max_by(|a, b| {
                let (a, b) = (matrix[a * width + column].abs(), matrix[b * width + column].abs());
                a.total_cmp(&b)
            })?;
            if matrix[pivot * width + column].abs() < 1e-300 {
                return None;
            }
            for at in 0..width {
                matrix.swap(pivot * width + at, column * width + at);
            }
            for row in column + 1..size {
                let factor = matrix[row * width + column] / matrix[column * width + column];
                if factor != 0.0 {
                    for at in column..width {
                        matrix[row * width + at] -= factor * matrix[column * width + at];
                    }
                }
            }
        }
        let mut result = vec![0.0; size];
        for row in (0..size).rev() {
            let mut sum = matrix[row * width + size];
            for column in row + 1..size {
                sum -= matrix[row * width + column] * result[column];
            }
            result[row] = sum / matrix[row * width + row];
        }
        Some(result)
    }
}
