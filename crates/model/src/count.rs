//! Numbers of states, exact however large.

use std::fmt;
use std::ops::{Add, Shl, Shr};

/// A natural number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// In base 2⁶⁴, least significant first, no leading zeros.
    digits: Vec<u64>,
}

impl Count {
    /// As a machine number, where it fits.
    #[must_use]
    pub fn to_u128(&self) -> Option<u128> {
        match self.digits[..] {
            [] => Some(0),
            [low] => Some(u128::from(low)),
            [low, high] => Some(u128::from(low) | u128::from(high) << 64),
            _ => None,
        }
    }

    /// As a machine number, where it fits.
    #[must_use]
    pub fn to_u64(&self) -> Option<u64> {
        self.to_u128()?.try_into().ok()
    }

    /// Nearly.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        self.digits.iter().rev().fold(0.0, |value, &digit| value * 2f64.powi(64) + digit as f64)
    }

    /// So many times as large.
    #[must_use]
    pub fn times(&self, factor: u64) -> Self {
        let mut carry = 0;
        let mut digits = Vec::with_capacity(self.digits.len() + 1);
        for digit in &self.digits {
            let wide = u128::from(*digit) * u128::from(factor) + carry;
            digits.push(wide as u64);
            carry = wide >> 64;
        }
        digits.push(carry as u64);
        Self::trimmed(digits)
    }

    fn trimmed(mut digits: Vec<u64>) -> Self {
        while digits.last() == Some(&0) {
            digits.pop();
        }
        Self { digits }
    }
}

impl Ord for Count {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let length = self.digits.len().cmp(&other.digits.len());
        length.then_with(|| self.digits.iter().rev().cmp(other.digits.iter().rev()))
    }
}

impl PartialOrd for Count {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl From<u128> for Count {
    fn from(value: u128) -> Self {
        Self::trimmed(vec![value as u64, (value >> 64) as u64])
    }
}

impl From<u32> for Count {
    fn from(value: u32) -> Self {
        Self::trimmed(vec![u64::from(value)])
    }
}

impl From<u64> for Count {
    fn from(value: u64) -> Self {
        Self::trimmed(vec![value])
    }
}

impl PartialEq<u64> for Count {
    fn eq(&self, other: &u64) -> bool {
        self.to_u64() == Some(*other)
    }
}

impl Add for Count {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let (mut sum, other) = if self.digits.len() < other.digits.len() {
            (other.digits, self.digits)
        } else {
            (self.digits, other.digits)
        };
        let mut carry = false;
        for (index, digit) in sum.iter_mut().enumerate() {
            let (partial, first) = digit.overflowing_add(other.get(index).copied().unwrap_or(0));
            let (total, second) = partial.overflowing_add(u64::from(carry));
            *digit = total;
            carry = first || second;
            if !carry && index >= other.len() {
                break;
            }
        }
        if carry {
            sum.push(1);
        }
        Self { digits: sum }
    }
}

impl Shl<u32> for Count {
    type Output = Self;

    fn shl(self, bits: u32) -> Self {
        let (words, bits) = (bits as usize / 64, bits % 64);
        let mut digits = vec![0; words];
        let mut carry = 0;
        for digit in self.digits {
            let wide = u128::from(digit) << bits | carry;
            digits.push(wide as u64);
            carry = wide >> 64;
        }
        digits.push(carry as u64);
        Self::trimmed(digits)
    }
}

impl Shr<u32> for Count {
    type Output = Self;

    fn shr(self, bits: u32) -> Self {
        let (words, bits) = (bits as usize / 64, bits % 64);
        let kept = self.digits.get(words..).unwrap_or(&[]);
        let digits = (0..kept.len()).map(|index| {
            let above = kept.get(index + 1).copied().unwrap_or(0);
            ((u128::from(above) << 64 | u128::from(kept[index])) >> bits) as u64
        });
        Self::trimmed(digits.collect())
    }
}

impl fmt::Display for Count {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        const GROUP: u64 = 10_000_000_000_000_000_000;
        let mut rest = self.digits.clone();
        let mut groups = Vec::new();
        while !rest.is_empty() {
            let mut remainder = 0u64;
            for digit in rest.iter_mut().rev() {
                let wide = u128::from(remainder) << 64 | u128::from(*digit);
                *digit = (wide / u128::from(GROUP)) as u64;
                remainder = (wide % u128::from(GROUP)) as u64;
            }
            groups.push(remainder);
            rest = Self::trimmed(rest).digits;
        }
        let first = groups.pop().unwrap_or(0);
        let mut text = first.to_string();
        for group in groups.iter().rev() {
            text += &format!("{group:019}");
        }
        out.pad_integral(true, "", &text)
    }
}

#[cfg(test)]
mod tests {
    use super::Count;

    /// Powers of two beyond machine words, there and back.
    #[test]
    fn arithmetic_on_large_numbers() {
        let one = Count::from(1u32);
        let big = one.clone() << 200;
        assert_eq!(big.to_string(), "1606938044258990275541962092341162602522202993782792835301376");
        assert_eq!(big.clone() >> 200, one);
        assert_eq!(
            Count::from(u128::MAX).times(u64::MAX) + Count::from(u128::MAX),
            Count::from(u128::MAX) << 64
        );
        assert_eq!((big.clone() + big.clone()) >> 1, big);
        assert_eq!(
            (Count::from(u128::MAX) + one.clone()).to_string(),
            "340282366920938463463374607431768211456"
        );
        assert_eq!((Count::from(u128::from(u64::MAX)) + one).to_u128(), Some(1 << 64));
        assert_eq!(Count::default().to_string(), "0");
        assert_eq!(Count::from(10_000_000_000_000_000_000u128).to_string(), "10000000000000000000");
        assert_eq!(Count::from(3u32).to_u64(), Some(3));
    }
}
