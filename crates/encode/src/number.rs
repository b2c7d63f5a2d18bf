//! Integers as bit vectors: two's complement, least significant bit first, as wide as their interval asks for.
//!
//! The interval bounds the value wherever execution gets to; elsewhere (after an error) the bits mean nothing. Results
//! are computed exactly, so a sum of two 64-bit numbers has 65 bits, and what does not fit is the caller's error.

use crate::algebra::{Algebra, known};

/// An integer.
pub(crate) struct Number<A: Algebra> {
    /// At least one; the last is the sign.
    pub bits: Vec<A::F>,
    pub lo: i128,
    pub hi: i128,
}

impl<A: Algebra> Clone for Number<A> {
    fn clone(&self) -> Self {
        Number { bits: self.bits.clone(), lo: self.lo, hi: self.hi }
    }
}

/// How many bits the values of an interval need.
fn width(lo: i128, hi: i128) -> usize {
    let one = |value: i128| 129 - (if value < 0 { !value } else { value }).leading_zeros() as usize;
    one(lo).max(one(hi))
}

/// Bit `i` of a constant.
fn bit_of(value: i128, i: usize) -> bool {
    value >> i.min(127) & 1 == 1
}

impl<A: Algebra> Number<A> {
    pub fn constant(alg: &mut A, value: i128) -> Self {
        let bits = (0..width(value, value)).map(|i| alg.constant(bit_of(value, i))).collect();
        Number { bits, lo: value, hi: value }
    }

    /// Bits and interval; the bits are cut or extended to what the interval needs, the interval to what the bits show.
    pub fn new(alg: &A, mut bits: Vec<A::F>, lo: i128, hi: i128) -> Self {
        let width = width(lo, hi);
        bits.truncate(width);
        while bits.len() < width {
            bits.push(bits[bits.len() - 1].clone());
        }
        let mut value = 0i128;
        for (i, bit) in bits.iter().enumerate() {
            match known(alg, bit) {
                Some(true) if i + 1 == width => value |= -1 << i,
                Some(bit) => value |= i128::from(bit) << i,
                None => return Number { bits, lo, hi },
            }
        }
        Number { bits, lo: value, hi: value }
    }

    /// An unsigned vector, least significant bit first, plus a constant.
    pub fn unsigned(alg: &mut A, mut bits: Vec<A::F>, most: u64, plus: i64) -> Result<Self, A::Error> {
        bits.push(alg.constant(false));
        let number = Number::new(alg, bits, 0, i128::from(most));
        if plus == 0 {
            return Ok(number);
        }
        let plus = Number::constant(alg, i128::from(plus));
        number.add(alg, &plus)
    }

    /// The value, if it is known.
    pub fn known(&self) -> Option<i128> {
        (self.lo == self.hi).then_some(self.lo)
    }

    /// Bit `i`, the sign repeated.
    pub fn bit(&self, i: usize) -> &A::F {
        &self.bits[i.min(self.bits.len() - 1)]
    }

    fn sign(&self) -> &A::F {
        &self.bits[self.bits.len() - 1]
    }

    /// The same value, known to be in a smaller interval too.
    pub fn within(self, alg: &A, lo: i128, hi: i128) -> Self {
        let (lo, hi) = (self.lo.max(lo), self.hi.min(hi));
        // Empty only where execution does not get to.
        if lo > hi { self } else { Number::new(alg, self.bits, lo, hi) }
    }

    pub fn ite(alg: &mut A, c: &A::F, a: &Self, b: &Self) -> Result<Self, A::Error> {
        match known(alg, c) {
            Some(true) => return Ok(a.clone()),
            Some(false) => return Ok(b.clone()),
            None => {}
        }
        let (lo, hi) = (a.lo.min(b.lo), a.hi.max(b.hi));
        let bits = (0..width(lo, hi)).map(|i| mux(alg, c, a.bit(i), b.bit(i)));
        let bits = bits.collect::<Result<_, _>>()?;
        Ok(Number::new(alg, bits, lo, hi))
    }

    pub fn equal(&self, alg: &mut A, other: &Self) -> Result<A::F, A::Error> {
        if self.hi < other.lo || other.hi < self.lo {
            return Ok(alg.constant(false));
        }
        let mut same = alg.constant(true);
        for i in 0..self.bits.len().max(other.bits.len()) {
            if self.bit(i) != other.bit(i) {
                let differ = alg.xor(self.bit(i), other.bit(i))?;
                let alike = alg.not(&differ)?;
                same = alg.and(&same, &alike)?;
            }
        }
        Ok(same)
    }

    pub fn is(&self, alg: &mut A, value: i128) -> Result<A::F, A::Error> {
        let value = Number::constant(alg, value);
        self.equal(alg, &value)
    }

    /// `self < other`
    pub fn less(&self, alg: &mut A, other: &Self) -> Result<A::F, A::Error> {
        if self.hi < other.lo {
            return Ok(alg.constant(true));
        }
        if self.lo >= other.hi {
            return Ok(alg.constant(false));
        }
        // From the least significant bit on: a higher bit that differs overrules. The sign counts the other way round.
        let mut less = alg.constant(false);
        let top = self.bits.len().max(other.bits.len()) - 1;
        for i in 0..=top {
            let (a, b) = (self.bit(i), other.bit(i));
            let differ = alg.xor(a, b)?;
            less = mux(alg, &differ, if i == top { a } else { b }, &less)?;
        }
        Ok(less)
    }

    /// Whether it lies outside an interval.
    pub fn outside(&self, alg: &mut A, lo: i128, hi: i128) -> Result<A::F, A::Error> {
        if lo <= self.lo && self.hi <= hi {
            return Ok(alg.constant(false));
        }
        let (lo, hi) = (Number::constant(alg, lo), Number::constant(alg, hi));
        let (below, above) = (self.less(alg, &lo)?, hi.less(alg, self)?);
        alg.or(&below, &above)
    }

    pub fn add(&self, alg: &mut A, other: &Self) -> Result<Self, A::Error> {
        let carry = alg.constant(false);
        self.sum(alg, other, carry, false)
    }

    pub fn sub(&self, alg: &mut A, other: &Self) -> Result<Self, A::Error> {
        let carry = alg.constant(true);
        self.sum(alg, other, carry, true)
    }

    pub fn neg(&self, alg: &mut A) -> Result<Self, A::Error> {
        Number::constant(alg, 0).sub(alg, self)
    }

    /// `!self`, which is `-self - 1`.
    pub fn bit_not(&self, alg: &mut A) -> Result<Self, A::Error> {
        let bits = self.bits.iter().map(|bit| alg.not(bit)).collect::<Result<_, _>>()?;
        Ok(Number::new(alg, bits, !self.hi, !self.lo))
    }

    /// `self + other + carry`, or `self + !other + carry`.
    fn sum(&self, alg: &mut A, other: &Self, carry: A::F, minus: bool) -> Result<Self, A::Error> {
        let (lo, hi) = match minus {
            false => (self.lo + other.lo, self.hi + other.hi),
            true => (self.lo - other.hi, self.hi - other.lo),
        };
        if let (Some(a), Some(b)) = (self.known(), other.known()) {
            return Ok(Number::constant(alg, if minus { a - b } else { a + b }));
        }
        let mut carry = carry;
        let mut bits = Vec::new();
        for i in 0..width(lo, hi) {
            let a = self.bit(i);
            let b = if minus { alg.not(other.bit(i))? } else { other.bit(i).clone() };
            let differ = alg.xor(a, &b)?;
            bits.push(alg.xor(&differ, &carry)?);
            carry = mux(alg, &differ, &carry, a)?;
        }
        Ok(Number::new(alg, bits, lo, hi))
    }

    /// The value without its sign.
    fn magnitude(&self, alg: &mut A) -> Result<Self, A::Error> {
        if self.lo >= 0 {
            return Ok(self.clone());
        }
        let negated = self.neg(alg)?;
        let positive = Number::ite(alg, self.sign(), &negated, self)?;
        Ok(positive.within(alg, 0, self.hi.max(-self.lo)))
    }

    pub fn mul(&self, alg: &mut A, other: &Self) -> Result<Self, A::Error> {
        let ends = [self.lo * other.lo, self.lo * other.hi, self.hi * other.lo, self.hi * other.hi];
        let (lo, hi) = (*ends.iter().min().unwrap_or(&0), *ends.iter().max().unwrap_or(&0));
        if lo == hi {
            return Ok(Number::constant(alg, lo));
        }
        // Modulo 2^width, with the signs of both factors repeated that far.
        let width = width(lo, hi);
        let zero = alg.constant(false);
        let mut total = vec![zero.clone(); width];
        for i in 0..width {
            let factor = other.bit(i).clone();
            if alg.is_false(&factor) {
                continue;
            }
            let mut carry = zero.clone();
            for (j, sum) in total[i..].iter_mut().enumerate() {
                let row = alg.and(self.bit(j), &factor)?;
                let differ = alg.xor(sum, &row)?;
                let next = mux(alg, &differ, &carry, &row)?;
                *sum = alg.xor(&differ, &carry)?;
                carry = next;
            }
        }
        Ok(Number::new(alg, total, lo, hi))
    }

    /// Quotient, towards zero, and remainder, with the sign of the dividend. The divisor is not 0.
    pub fn divide(&self, alg: &mut A, other: &Self) -> Result<(Self, Self), A::Error> {
        if let (Some(a), Some(b)) = (self.known(), other.known()) {
            let (quotient, remainder) = if b == 0 { (0, 0) } else { (a / b, a % b) };
            return Ok((Number::constant(alg, quotient), Number::constant(alg, remainder)));
        }
        let (a, b) = (self.magnitude(alg)?, other.magnitude(alg)?);
        let mut quotient = Vec::new();
        let mut rest = Number::constant(alg, 0);
        for i in (0..a.bits.len() - 1).rev() {
            // Bring down the next bit; subtract the divisor if it fits.
            let mut bits = vec![a.bits[i].clone()];
            bits.extend(rest.bits.iter().cloned());
            rest = Number::new(alg, bits, 0, 2 * rest.hi + 1);
            let smaller = rest.less(alg, &b)?;
            let reduced = rest.sub(alg, &b)?;
            quotient.push(alg.not(&smaller)?);
            let most = (b.hi - 1).clamp(0, rest.hi);
            rest = Number::ite(alg, &smaller, &rest, &reduced)?.within(alg, 0, most);
        }
        quotient.reverse();
        quotient.push(alg.constant(false));
        let quotient = Number::new(alg, quotient, 0, a.hi);
        let opposite = alg.xor(self.sign(), other.sign())?;
        let negative = self.sign().clone();
        let mut signed = |number: Self, sign: A::F| {
            let negated = number.neg(alg)?;
            Number::ite(alg, &sign, &negated, &number)
        };
        Ok((signed(quotient, opposite)?, signed(rest, negative)?))
    }

    /// Shifted to the left by a constant, or by a negative number to the right; 64 bits are kept, as in
    /// [`burnside_model::code::shift_left`].
    pub fn shifted(&self, alg: &mut A, by: i128) -> Self {
        if by <= 0 {
            let by = (-by).min(63) as usize;
            let bits =
                if by < self.bits.len() { self.bits[by..].to_vec() } else { vec![self.sign().clone()] };
            return Number::new(alg, bits, self.lo >> by, self.hi >> by);
        }
        if by >= 64 {
            return Number::constant(alg, 0);
        }
        let zero = alg.constant(false);
        let mut bits = vec![zero; by as usize];
        bits.extend(self.bits.iter().cloned());
        let (lo, hi) = (self.lo << by, self.hi << by);
        match width(lo, hi) <= 64 {
            true => Number::new(alg, bits, lo, hi),
            false => Number::new(alg, bits, i128::from(i64::MIN), i128::from(i64::MAX)),
        }
    }

    /// Shifted to the left by a number.
    pub fn shift(&self, alg: &mut A, by: &Self) -> Result<Self, A::Error> {
        let (least, most) = (by.lo.clamp(-63, 64), by.hi.clamp(-63, 64));
        let mut result = self.shifted(alg, most);
        for amount in (least..most).rev() {
            // Whatever lies beyond the ends is like the ends.
            let limit = Number::constant(alg, amount);
            let more = limit.less(alg, by)?;
            let here = self.shifted(alg, amount);
            result = Number::ite(alg, &more, &result, &here)?;
        }
        Ok(result)
    }

    /// Bit by bit.
    pub fn bitwise(
        &self,
        alg: &mut A,
        other: &Self,
        op: impl Fn(&mut A, &A::F, &A::F) -> Result<A::F, A::Error>,
    ) -> Result<Self, A::Error> {
        let width = self.bits.len().max(other.bits.len());
        let bits: Vec<_> =
            (0..width).map(|i| op(alg, self.bit(i), other.bit(i))).collect::<Result<_, _>>()?;
        let most = (1i128 << (width - 1)) - 1;
        let least = if self.lo >= 0 && other.lo >= 0 { 0 } else { -most - 1 };
        Ok(Number::new(alg, bits, least, most))
    }
}

/// `if c then f else g`, without asking the algebra where it is plain.
pub(crate) fn mux<A: Algebra>(alg: &mut A, c: &A::F, f: &A::F, g: &A::F) -> Result<A::F, A::Error> {
    if f == g { Ok(f.clone()) } else { alg.ite(c, f, g) }
}
