//! Seeds of the parts of something that has a seed.

use treegraft::bits::mix;

/// The seed of part `number` of something that has the seed `seed`.
pub(crate) fn derive(seed: u64, number: u64) -> u64 {
    mix(mix(seed) ^ number)
}
