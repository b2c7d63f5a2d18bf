//! What a cell of memory holds: an integer, or nothing.

use crate::algebra::{Algebra, known};
use crate::number::{Number, mux};

/// A simple value.
pub(crate) struct Value<A: Algebra> {
    /// Whether there is none.
    pub undefined: A::F,
    pub number: Number<A>,
}

impl<A: Algebra> Clone for Value<A> {
    fn clone(&self) -> Self {
        Value { undefined: self.undefined.clone(), number: self.number.clone() }
    }
}

impl<A: Algebra> Value<A> {
    pub fn undefined(alg: &mut A) -> Self {
        Value { undefined: alg.constant(true), number: Number::constant(alg, 0) }
    }

    pub fn constant(alg: &mut A, value: i64) -> Self {
        Number::constant(alg, value.into()).defined(alg)
    }

    /// A truth value as 0 or 1.
    pub fn truth(alg: &mut A, f: A::F) -> Self {
        let zero = alg.constant(false);
        Number::new(alg, vec![f, zero], 0, 1).defined(alg)
    }

    pub fn ite(alg: &mut A, c: &A::F, a: &Self, b: &Self) -> Result<Self, A::Error> {
        let undefined = mux(alg, c, &a.undefined, &b.undefined)?;
        // Where one side is surely undefined, its number does not matter.
        let number = match (known(alg, &a.undefined), known(alg, &b.undefined)) {
            (Some(true), _) => b.number.clone(),
            (_, Some(true)) => a.number.clone(),
            _ => Number::ite(alg, c, &a.number, &b.number)?,
        };
        Ok(Value { undefined, number })
    }

    /// Whether both are undefined, or both the same number.
    pub fn same(&self, alg: &mut A, other: &Self) -> Result<A::F, A::Error> {
        let both = alg.and(&self.undefined, &other.undefined)?;
        let some = alg.or(&self.undefined, &other.undefined)?;
        let equal = self.number.equal(alg, &other.number)?;
        mux(alg, &some, &both, &equal)
    }

    /// Whether it is less; undefined is less than everything.
    pub fn less(&self, alg: &mut A, other: &Self) -> Result<A::F, A::Error> {
        let less = self.number.less(alg, &other.number)?;
        let defined = alg.not(&other.undefined)?;
        let below = mux(alg, &self.undefined, &defined, &less)?;
        alg.and(&defined, &below)
    }
}

impl<A: Algebra> Number<A> {
    /// As a value.
    pub fn defined(self, alg: &mut A) -> Value<A> {
        Value { undefined: alg.constant(false), number: self }
    }
}
