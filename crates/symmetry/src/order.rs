//! Sizes of groups and orbits: products and quotients of factorials, which soon exceed any machine word.
//!
//! An orbit may be small although the group and the stabiliser are huge (forty identical processes: one state), so the
//! quotient is taken on prime factors when the numbers themselves do not fit.

/// The product of the factorials; `None` if it does not fit.
pub(crate) fn factorials(sizes: &[u32]) -> Option<u128> {
    let factors = sizes.iter().flat_map(|size| 2..=u128::from(*size));
    factors.into_iter().try_fold(1u128, |product, factor| product.checked_mul(factor))
}

/// Factorials of larger numbers are written as such: they have thousands of digits.
const MAX_DECIMAL: u32 = 1000;

/// The product of the factorials, in decimal, or as a product of factorials (`5000! * 3!`) if that is too long.
pub(crate) fn factorials_string(sizes: &[u32]) -> String {
    if sizes.iter().any(|size| *size > MAX_DECIMAL) {
        return sizes.iter().map(|size| format!("{size}!")).collect::<Vec<_>>().join(" * ");
    }
    const BASE: u64 = 1_000_000_000;
    // Digits in base 10⁹, the least first; factors are below 2³², so that no product overflows.
    let mut digits = vec![1u64];
    for factor in sizes.iter().flat_map(|size| 2..=u64::from(*size)) {
        let mut carry = 0;
        for digit in &mut digits {
            let product = *digit * factor + carry;
            *digit = product % BASE;
            carry = product / BASE;
        }
        while carry > 0 {
            digits.push(carry % BASE);
            carry /= BASE;
        }
    }
    let mut text = String::new();
    for (i, digit) in digits.iter().rev().enumerate() {
        text.push_str(&if i == 0 { digit.to_string() } else { format!("{digit:09}") });
    }
    text
}

/// The product of the factorials of `sizes`, over that of `ties` times `leaves`: |G| / |Stab|.
pub(crate) fn quotient(sizes: &[u32], ties: &[u32], mut leaves: u128) -> Option<u128> {
    if let Some(order) = factorials(sizes)
        && let Some(stabiliser) = factorials(ties).and_then(|t| t.checked_mul(leaves))
    {
        return order.checked_div(stabiliser);
    }
    let mut orbit = 1u128;
    for prime in (2..=sizes.iter().copied().max().unwrap_or(0)).filter(|n| is_prime(*n)) {
        let exponent = |sizes: &[u32]| sizes.iter().map(|size| i64::from(in_factorial(*size, prime))).sum();
        let mut left: i64 = exponent(sizes);
        left -= exponent(ties);
        while leaves.is_multiple_of(u128::from(prime)) && leaves > 1 {
            leaves /= u128::from(prime);
            left -= 1;
        }
        orbit = orbit.checked_mul(u128::from(prime).checked_pow(u32::try_from(left).ok()?)?)?;
    }
    (leaves == 1).then_some(orbit)
}

fn is_prime(n: u32) -> bool {
    (2..).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d))
}

/// How often a prime divides a factorial (Legendre).
fn in_factorial(mut size: u32, prime: u32) -> u32 {
    let mut exponent = 0;
    while size > 0 {
        size /= prime;
        exponent += size;
    }
    exponent
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_products() {
        assert_eq!(factorials_string(&[]), "1");
        assert_eq!(factorials_string(&[5, 3]), "720");
        assert_eq!(factorials_string(&[20]), factorials(&[20]).unwrap().to_string());
        assert_eq!(factorials_string(&[30, 4]), factorials(&[30, 4]).unwrap().to_string());
        assert_eq!(factorials(&[40]), None);
        assert_eq!(factorials_string(&[40]), "815915283247897734345611269596115894272000000000");
    }

    #[test]
    fn quotients_beyond_128_bits() {
        assert_eq!(quotient(&[5], &[3, 2], 1), Some(10));
        assert_eq!(quotient(&[40], &[40], 1), Some(1));
        assert_eq!(quotient(&[40], &[39], 1), Some(40));
        assert_eq!(quotient(&[40], &[20, 20], 2), Some(137_846_528_820 / 2));
        assert_eq!(quotient(&[100], &[], 1), None);
        assert_eq!(quotient(&[100, 7], &[98, 7], 2), Some(4950));
    }
}
