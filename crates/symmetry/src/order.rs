//! Sizes of groups and orbits: products and quotients of factorials, which soon exceed any machine word.
//!
//! An orbit may be small although the group and the stabiliser are huge (forty identical processes: one state), so the
//! quotient is taken on prime factors when the numbers themselves do not fit.

use burnside_model::code::DomainKind;

/// The product of the factorials; `None` if it does not fit.
pub(crate) fn factorials(sizes: &[u32]) -> Option<u128> {
    let factors = sizes.iter().flat_map(|size| 2..=u128::from(*size));
    factors.into_iter().try_fold(1u128, |product, factor| product.checked_mul(factor))
}

/// The sizes of the scalarsets, and those of the rings.
fn split(domains: &[(DomainKind, u32)]) -> (Vec<u32>, Vec<u32>) {
    let of = |wanted| domains.iter().filter(|(kind, _)| *kind == wanted).map(|(_, size)| *size).collect();
    (of(DomainKind::Full), of(DomainKind::Ring))
}

/// The order of the product of the domains' groups; `None` if it does not fit.
pub(crate) fn product(domains: &[(DomainKind, u32)]) -> Option<u128> {
    domains.iter().try_fold(1u128, |product, (kind, size)| {
        product.checked_mul(match kind {
            DomainKind::Full => factorials(&[*size])?,
            DomainKind::Ring => u128::from(*size).max(1),
        })
    })
}

/// Factorials of larger numbers are written as such: they have thousands of digits.
const MAX_DECIMAL: u32 = 1000;

/// The order of the product of the domains' groups, in decimal, or as a product with factorials (`5000! * 3!`) if that
/// is too long.
pub(crate) fn product_string(domains: &[(DomainKind, u32)]) -> String {
    let (full, rings) = split(domains);
    if full.iter().any(|size| *size > MAX_DECIMAL) {
        let factorials = full.iter().map(|size| format!("{size}!"));
        return factorials.chain(rings.iter().map(u32::to_string)).collect::<Vec<_>>().join(" * ");
    }
    let factors = full.iter().flat_map(|size| 2..=u64::from(*size));
    decimal(factors.chain(rings.iter().map(|size| u64::from(*size).max(1))))
}

/// The product of factors below 2³², in decimal.
pub(crate) fn decimal(factors: impl Iterator<Item = u64>) -> String {
    const BASE: u64 = 1_000_000_000;
    // Digits in base 10⁹, the least first; no product of a digit and a factor overflows.
    let mut digits = vec![1u64];
    for factor in factors {
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

/// The order of the product of the domains' groups, over the factorials of `ties` times `others`: |G| / |Stab|, where
/// the ties are those of scalarsets.
pub(crate) fn quotient(domains: &[(DomainKind, u32)], ties: &[u32], others: u128) -> Option<u128> {
    if let Some(order) = product(domains)
        && let Some(stabiliser) = factorials(ties).and_then(|ties| ties.checked_mul(others))
    {
        return order.checked_div(stabiliser);
    }
    let (full, rings) = split(domains);
    let rings =
        rings.iter().try_fold(1u128, |product, size| product.checked_mul(u128::from(*size).max(1)))?;
    // What is left of `others` divides the rest, having no factor in common with what is left of the rings.
    let common = gcd(rings, others);
    full_quotient(&full, ties, others / common)?.checked_mul(rings / common)
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

/// The product of the factorials of `sizes`, over that of `ties` times `leaves`.
fn full_quotient(sizes: &[u32], ties: &[u32], mut leaves: u128) -> Option<u128> {
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

    fn full(sizes: &[u32]) -> Vec<(DomainKind, u32)> {
        sizes.iter().map(|size| (DomainKind::Full, *size)).collect()
    }

    #[test]
    fn decimal_products() {
        assert_eq!(product_string(&[]), "1");
        assert_eq!(product_string(&full(&[5, 3])), "720");
        assert_eq!(product_string(&full(&[20])), factorials(&[20]).unwrap().to_string());
        assert_eq!(product_string(&full(&[30, 4])), factorials(&[30, 4]).unwrap().to_string());
        assert_eq!(factorials(&[40]), None);
        assert_eq!(product_string(&full(&[40])), "815915283247897734345611269596115894272000000000");
        assert_eq!(product_string(&[(DomainKind::Full, 4), (DomainKind::Ring, 6)]), "144");
        assert_eq!(product_string(&[(DomainKind::Full, 4000), (DomainKind::Ring, 6)]), "4000! * 6");
    }

    #[test]
    fn quotients_beyond_128_bits() {
        assert_eq!(quotient(&full(&[5]), &[3, 2], 1), Some(10));
        assert_eq!(quotient(&full(&[40]), &[40], 1), Some(1));
        assert_eq!(quotient(&full(&[40]), &[39], 1), Some(40));
        assert_eq!(quotient(&full(&[40]), &[20, 20], 2), Some(137_846_528_820 / 2));
        assert_eq!(quotient(&full(&[100]), &[], 1), None);
        assert_eq!(quotient(&full(&[100, 7]), &[98, 7], 2), Some(4950));
        let both = [(DomainKind::Full, 40), (DomainKind::Ring, 6)];
        assert_eq!(quotient(&both, &[20, 20], 4), Some(137_846_528_820 / 2 * 3));
        assert_eq!(quotient(&both, &[39], 30), Some(8));
    }
}
