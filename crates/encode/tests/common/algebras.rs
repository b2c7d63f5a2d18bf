//! Two algebras of functions on a list of states: each function is its values there.

use std::convert::Infallible;
use std::rc::Rc;

use burnside_encode::Algebra;

/// Functions as their values on samples; whether one is false everywhere is decided.
pub struct Samples {
    /// Values of each bit of the state, one bit per sample.
    vars: Vec<Rc<[u64]>>,
    /// Every sample.
    ones: Rc<[u64]>,
    zeros: Rc<[u64]>,
}

impl Samples {
    /// The samples, each a state's bits.
    pub fn new(samples: &[Vec<bool>]) -> Self {
        let words = samples.len().div_ceil(64);
        let column = |value: &dyn Fn(&Vec<bool>) -> bool| {
            let mut column = vec![0; words];
            for (number, sample) in samples.iter().enumerate() {
                column[number / 64] |= u64::from(value(sample)) << (number % 64);
            }
            Rc::from(column)
        };
        let bits = samples.first().map_or(0, Vec::len);
        let vars = (0..bits).map(|bit| column(&|sample| sample[bit])).collect();
        Samples { vars, ones: column(&|_| true), zeros: column(&|_| false) }
    }

    /// The value of a function on one sample.
    pub fn at(f: &Rc<[u64]>, sample: usize) -> bool {
        f[sample / 64] >> (sample % 64) & 1 == 1
    }

    fn zip(f: &Rc<[u64]>, g: &Rc<[u64]>, op: impl Fn(u64, u64) -> u64) -> Rc<[u64]> {
        f.iter().zip(g.iter()).map(|(f, g)| op(*f, *g)).collect()
    }
}

impl Algebra for Samples {
    type F = Rc<[u64]>;
    type Error = Infallible;

    fn constant(&mut self, value: bool) -> Self::F {
        if value { self.ones.clone() } else { self.zeros.clone() }
    }

    fn var(&mut self, bit: usize) -> Result<Self::F, Infallible> {
        Ok(self.vars[bit].clone())
    }

    fn not(&mut self, f: &Self::F) -> Result<Self::F, Infallible> {
        Ok(Self::zip(f, &self.ones, |f, ones| !f & ones))
    }

    fn and(&mut self, f: &Self::F, g: &Self::F) -> Result<Self::F, Infallible> {
        Ok(Self::zip(f, g, |f, g| f & g))
    }

    fn or(&mut self, f: &Self::F, g: &Self::F) -> Result<Self::F, Infallible> {
        Ok(Self::zip(f, g, |f, g| f | g))
    }

    fn xor(&mut self, f: &Self::F, g: &Self::F) -> Result<Self::F, Infallible> {
        Ok(Self::zip(f, g, |f, g| f ^ g))
    }

    fn ite(&mut self, c: &Self::F, f: &Self::F, g: &Self::F) -> Result<Self::F, Infallible> {
        Ok((0..c.len()).map(|i| c[i] & f[i] | !c[i] & g[i]).collect())
    }

    fn is_false(&self, f: &Self::F) -> bool {
        f.iter().all(|word| *word == 0)
    }

    fn is_true(&self, f: &Self::F) -> bool {
        *f == self.ones
    }
}

/// Values on one state that know only now and then that they are constant: as with circuits, both sides of conditions
/// are executed and joined although one is dead.
pub struct Hidden {
    state: Vec<bool>,
    /// Of so many questions about a false function, one is answered.
    candour: u32,
    asked: std::cell::Cell<u32>,
}

/// A value, and whether it is a constant.
#[derive(Clone, Copy, Debug)]
pub struct Veiled {
    pub value: bool,
    known: bool,
}

/// As with functions that are not canonical, equality is known of constants only.
impl PartialEq for Veiled {
    fn eq(&self, other: &Self) -> bool {
        self.known && other.known && self.value == other.value
    }
}

impl Hidden {
    pub fn new(state: Vec<bool>, candour: u32) -> Self {
        Hidden { state, candour, asked: 0.into() }
    }

    fn veiled(value: bool) -> Result<Veiled, Infallible> {
        Ok(Veiled { value, known: false })
    }
}

impl Algebra for Hidden {
    type F = Veiled;
    type Error = Infallible;

    fn constant(&mut self, value: bool) -> Veiled {
        Veiled { value, known: true }
    }

    fn var(&mut self, bit: usize) -> Result<Veiled, Infallible> {
        Self::veiled(self.state[bit])
    }

    fn not(&mut self, f: &Veiled) -> Result<Veiled, Infallible> {
        Ok(Veiled { value: !f.value, known: f.known })
    }

    fn and(&mut self, f: &Veiled, g: &Veiled) -> Result<Veiled, Infallible> {
        match (f.known, g.known) {
            (true, _) => Ok(if f.value { *g } else { *f }),
            (_, true) => Ok(if g.value { *f } else { *g }),
            _ => Self::veiled(f.value && g.value),
        }
    }

    fn or(&mut self, f: &Veiled, g: &Veiled) -> Result<Veiled, Infallible> {
        let (f, g) = (self.not(f)?, self.not(g)?);
        let neither = self.and(&f, &g)?;
        self.not(&neither)
    }

    fn xor(&mut self, f: &Veiled, g: &Veiled) -> Result<Veiled, Infallible> {
        Ok(Veiled { value: f.value != g.value, known: f.known && g.known })
    }

    fn ite(&mut self, c: &Veiled, f: &Veiled, g: &Veiled) -> Result<Veiled, Infallible> {
        match c.known {
            true => Ok(if c.value { *f } else { *g }),
            false if f == g => Ok(*f),
            false => Self::veiled(if c.value { f.value } else { g.value }),
        }
    }

    fn is_false(&self, f: &Veiled) -> bool {
        self.asked.set(self.asked.get() + 1);
        !f.value && (f.known || self.asked.get().is_multiple_of(self.candour))
    }

    fn is_true(&self, f: &Veiled) -> bool {
        f.known && f.value
    }
}
