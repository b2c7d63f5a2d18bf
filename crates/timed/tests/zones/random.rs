//! Random numbers, constraints, points and limits.

use burnside_timed::zone::{Bound, Constraint, Limits};

use crate::oracle::{Guards, feasible};

/// A generator of pseudo-random numbers (xorshift).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        let mut random = Random(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        (0..4).for_each(|_| _ = random.below(2));
        random
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// How large the zones of a case are: one to three clocks, the more of them, the smaller the constants.
    pub fn size(&mut self) -> Size {
        match self.below(10) {
            0 => Size { clocks: 1, greatest: 4 },
            1..=4 => Size { clocks: 2, greatest: 2 },
            5..=7 => Size { clocks: 2, greatest: 4 },
            _ => Size { clocks: 3, greatest: 2 },
        }
    }

    pub fn constraint(&mut self, size: Size) -> Constraint {
        let left = self.below(size.clocks + 1);
        let right = (left + 1 + self.below(size.clocks)) % (size.clocks + 1);
        let range = size.greatest as usize;
        let value = match (left, right) {
            (0, _) => -(self.below(range + 1) as i32),
            (_, 0) => self.below(range + 1) as i32,
            _ => self.below(2 * range + 1) as i32 - size.greatest,
        };
        Constraint::new(left, right, if self.chance(50) { Bound::le(value) } else { Bound::lt(value) })
    }

    /// Constraints that are mostly satisfied by some point.
    pub fn constraints(&mut self, size: Size) -> Vec<Constraint> {
        loop {
            let count = self.below(2 * size.clocks + 2);
            let constraints: Vec<_> = (0..count).map(|_| self.constraint(size)).collect();
            if self.chance(10) || feasible(size.clocks, &constraints, 1) {
                return constraints;
            }
        }
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    pub fn limits(&mut self, size: Size) -> Guards {
        let mut limit = || (!self.chance(20)).then(|| self.below(size.greatest as usize + 1) as i32);
        let mut limits =
            || (0..=size.clocks).map(|clock| if clock == 0 { Some(0) } else { limit() }).collect();
        Guards { lower: limits(), upper: limits() }
    }

    /// A point of the grid, mostly where the constants are.
    pub fn point(&mut self, size: Size) -> Vec<i64> {
        let far = self.chance(20);
        let range = (if far { size.far() } else { size.greatest as i64 + 1 }) * size.step() + 1;
        (0..=size.clocks)
            .map(|clock| if clock == 0 { 0 } else { self.below(range as usize) as i64 })
            .collect()
    }
}

/// How many clocks there are, and the greatest constant.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub clocks: usize,
    pub greatest: i32,
}

impl Size {
    /// The grid has points at multiples of one over this: there are some in every region.
    pub fn step(self) -> i64 {
        self.clocks as i64 + 1
    }

    /// Beyond this nothing changes.
    pub fn far(self) -> i64 {
        self.clocks as i64 * i64::from(self.greatest) + 1
    }

    /// All points of the grid.
    pub fn grid(self) -> impl Iterator<Item = Vec<i64>> {
        let side = (self.far() * self.step() + 1) as usize;
        (0..side.pow(self.clocks as u32)).map(move |mut number| {
            let mut point = vec![0];
            for _ in 0..self.clocks {
                point.push((number % side) as i64);
                number /= side;
            }
            point
        })
    }
}

impl Guards {
    pub fn limits(&self) -> Limits {
        let mut limits = Limits::none(self.lower.len() - 1);
        for clock in 1..self.lower.len() {
            self.lower[clock].into_iter().for_each(|constant| limits.raise_lower(clock, constant));
            self.upper[clock].into_iter().for_each(|constant| limits.raise_upper(clock, constant));
        }
        limits
    }
}
