//! The hash of a packed state: the mixing step of rapidhash (and wyhash before it) on whole words.
//!
//! It depends on the words alone, so it is the same in every run and on every machine: checkpoints and, one day, the
//! owner of a state in a search on several machines rest on it.

const SECRETS: [u64; 4] =
    [0x2d35_8dcc_aa6c_78a5, 0x8bb8_4b93_962e_acc9, 0x4b33_a62e_d433_d4a3, 0x4d5a_2da5_1de1_aa47];

/// The two halves of the product, folded together.
#[inline]
fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// The hash of a sequence of words.
#[inline]
pub fn hash(words: &[u64]) -> u64 {
    let two = |seed: u64, a: &u64, b: &u64| mix(a ^ SECRETS[1], b ^ seed);
    let one = |seed: u64, last: &u64| mix(last ^ SECRETS[2], seed ^ SECRETS[1]);
    let seed = SECRETS[0] ^ words.len() as u64;
    let seed = match words {
        // Most states are small.
        [last] => one(seed, last),
        [a, b] => two(seed, a, b),
        _ => {
            let (pairs, rest) = words.as_chunks::<2>();
            let seed = pairs.iter().fold(seed, |seed, [a, b]| two(seed, a, b));
            rest.iter().fold(seed, one)
        }
    };
    mix(seed ^ SECRETS[3], SECRETS[0] ^ seed.rotate_left(32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn neighbours_differ_in_every_part() {
        for part in [0, 32] {
            let low: HashSet<u32> = (0..10_000).map(|i| (hash(&[i, 1]) >> part) as u32).collect();
            assert!(low.len() > 9_990, "{}", low.len());
        }
        assert_ne!(hash(&[0]), hash(&[0, 0]));
        assert_ne!(hash(&[1, 2, 3]), hash(&[3, 2, 1]));
    }

    #[test]
    fn it_is_the_same_everywhere() {
        // Checkpoints of earlier versions rest on it.
        assert_eq!(hash(&[0x1234]), 2_090_529_054_964_551_815);
        assert_eq!(hash(&[1, 2]), 18_063_996_922_621_990_050);
        assert_eq!(hash(&[1, 2, 3]), 5_126_802_224_666_018_401);
    }
}
