//! Sorting networks: the fewest comparisons for up to eight keys, and no branches.

/// The key of an element.
pub(super) trait Key: Copy + Ord + Default {
    /// Sets bits, where there are none yet.
    fn add(&mut self, bits: u64, at: u32);

    /// The 64 bits from there on.
    fn bits(self, at: u32) -> u64;
}

impl Key for u64 {
    #[inline]
    fn add(&mut self, bits: u64, at: u32) {
        *self |= bits << at;
    }

    #[inline]
    fn bits(self, at: u32) -> u64 {
        self >> at
    }
}

impl Key for u128 {
    #[inline]
    fn add(&mut self, bits: u64, at: u32) {
        *self |= Self::from(bits) << at;
    }

    #[inline]
    fn bits(self, at: u32) -> u64 {
        (self >> at) as u64
    }
}

/// Sorts the keys of two to eight elements.
#[inline]
pub(super) fn network<K: Key, const N: usize>(keys: &mut [K; N]) {
    macro_rules! exchange {
        ($($i:literal $j:literal),*) => {$(
            let (a, b) = (keys[$i], keys[$j]);
            (keys[$i], keys[$j]) = if b < a { (b, a) } else { (a, b) };
        )*};
    }
    match N {
        2 => {
            exchange!(0 1);
        }
        3 => {
            exchange!(0 2, 0 1, 1 2);
        }
        4 => {
            exchange!(0 2, 1 3, 0 1, 2 3, 1 2);
        }
        5 => {
            exchange!(0 3, 1 4, 0 2, 1 3, 0 1, 2 4, 1 2, 3 4, 2 3);
        }
        6 => {
            exchange!(0 5, 1 3, 2 4, 1 2, 3 4, 0 3, 2 5, 0 1, 2 3, 4 5, 1 2, 3 4);
        }
        7 => {
            exchange!(0 6, 2 3, 4 5, 0 2, 1 4, 3 6, 0 1, 2 5, 3 4, 1 2, 4 6, 2 3, 4 5, 1 2, 3 4, 5 6);
        }
        8 => {
            exchange!(0 2, 1 3, 4 6, 5 7, 0 4, 1 5, 2 6, 3 7, 0 1, 2 3, 4 5, 6 7, 2 4, 3 5, 1 4, 3 6, 1 2, 3 4, 5 6);
        }
        _ => keys.sort_unstable(),
    }
}

/// Sorts any number of words.
#[inline]
pub(super) fn sort(words: &mut [u64]) {
    macro_rules! by_size {
        ($($size:literal)*) => {
            match words.len() {
                $($size => if let Ok(words) = <&mut [u64; $size]>::try_from(words) {
                    network(words);
                },)*
                _ => words.sort_unstable(),
            }
        };
    }
    by_size!(2 3 4 5 6 7 8);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the 0-1 principle, a network that sorts all sequences of 0 and 1 sorts everything.
    fn sorts<const N: usize>() {
        for set in 0..1u64 << N {
            let mut keys: [u64; N] = std::array::from_fn(|i| set >> i & 1);
            network(&mut keys);
            assert!(keys.is_sorted(), "{N}: {set:b}");
            assert_eq!(keys.iter().sum::<u64>(), u64::from(set.count_ones()));
        }
    }

    #[test]
    fn networks_sort() {
        sorts::<2>();
        sorts::<3>();
        sorts::<4>();
        sorts::<5>();
        sorts::<6>();
        sorts::<7>();
        sorts::<8>();
        sorts::<9>();
    }
}
