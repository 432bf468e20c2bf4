//! The one source of randomness: seeded, portable, and the same for ever.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng};

use crate::bits::mix;

/// A seeded random number generator (xoshiro256++).
///
/// The same seed gives the same numbers on every machine and in every version: sampling is
/// done here and not by a library whose distributions may change.
#[derive(Clone, Debug)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// A generator whose whole sequence follows from `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Rng {
        Rng(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// The next 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number in `0..n`, uniform up to a bias below `n / 2^64`.
    ///
    /// `n` must not be zero.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        self.below_many(u64::from(n)) as u32
    }

    /// The same for large numbers: up to a bias below `n / 2^64`, which is felt only by huge ones.
    #[inline]
    pub fn below_many(&mut self, n: u64) -> u64 {
        debug_assert!(n > 0, "below_many(0) has no answer");
        ((u128::from(self.next_u64()) * u128::from(n)) >> 64) as u64
    }

    /// A number in `[0, 1)` with 53 random bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// One of the items, uniformly; `None` if there are none.
    #[inline]
    pub fn draw_from<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() {
            return None;
        }
        items.get(self.below(items.len() as u32) as usize)
    }

    /// Puts the items into a uniformly random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }
}

/// The seed of part `number` of something that has the seed `seed`.
#[must_use]
pub fn derive_seed(seed: u64, number: u64) -> u64 {
    mix(mix(seed) ^ number)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Golden values: a change here changes every seeded result ever published.
    #[test]
    fn the_sequence_is_pinned() {
        let mut rng = Rng::new(1);
        let raw: Vec<u64> = (0..3).map(|_| rng.next_u64()).collect();
        assert_eq!(raw, GOLDEN_RAW);
        let mut rng = Rng::new(42);
        let bounded: Vec<u32> = (0..12).map(|_| rng.below(10)).collect();
        assert_eq!(bounded, GOLDEN_BELOW_10);
        let mut items = [0, 1, 2, 3, 4, 5, 6, 7];
        Rng::new(7).shuffle(&mut items);
        assert_eq!(items, GOLDEN_SHUFFLE);
    }

    const GOLDEN_RAW: [u64; 3] =
        [14_971_601_782_005_023_387, 13_781_649_495_232_077_965, 1_847_458_086_238_483_744];
    const GOLDEN_BELOW_10: [u32; 12] = [8, 3, 9, 7, 7, 5, 1, 6, 2, 9, 5, 8];
    const GOLDEN_SHUFFLE: [u32; 8] = [7, 5, 6, 3, 2, 4, 1, 0];

    #[test]
    fn bounded_numbers_are_uniform() {
        let mut rng = Rng::new(3);
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[rng.below(7) as usize] += 1;
        }
        // Standard deviation about 93: five of them either way.
        assert!(counts.iter().all(|&c| (9_535..=10_465).contains(&c)), "{counts:?}");
        assert!((0..1000).map(|_| rng.unit()).all(|u| (0.0..1.0).contains(&u)));
    }

    #[test]
    fn drawing_from_nothing_is_none() {
        assert_eq!(Rng::new(1).draw_from::<u8>(&[]), None);
        assert_eq!(Rng::new(1).draw_from(&[5]), Some(&5));
    }
}
