//! The transposition table: buckets of a cache line, four entries each.
//!
//! An entry is two words. One holds both bounds on the value, in the first player's view. The other
//! holds a part of the key, how deep the search was, how much work it was, the best move's number in
//! the order of generation, and the generation: the search it belongs to.

use super::window::{INFINITY, Window};
use crate::bits::prefetch;

/// The depth of a result that does not depend on the depth.
pub(super) const PROVEN: u32 = 255;

/// The number of no move; moves beyond it are not remembered.
const NO_MOVE: u64 = 255;

const WORDS: usize = 8;
const BUCKET_BYTES: u64 = 64;
const ENTRY_BYTES: u64 = 16;

/// From the low end: move 8, depth 8, work 5, generation 7, key 36.
const DEPTH_AT: u32 = 8;
const WORK_AT: u32 = 16;
const GENERATION_AT: u32 = 21;
const KEY_AT: u32 = 28;
const GENERATIONS: u64 = 1 << (KEY_AT - GENERATION_AT);

#[derive(Debug)]
pub(super) struct Table {
    words: Vec<u64>,
    /// Where the first bucket begins, so that buckets are cache lines.
    offset: usize,
    mask: usize,
    /// Entries of other generations count as empty. Never 0, which is fresh memory.
    generation: u64,
    used: u64,
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// In the first player's view.
    pub(super) bounds: Window,
    pub(super) depth: u32,
    /// The best move's number in the order of generation.
    pub(super) best: Option<u32>,
}

impl Entry {
    /// Whether it answers for a search of this depth.
    #[inline(always)]
    pub(super) fn serves(&self, depth: u32) -> bool {
        self.depth == PROVEN || self.depth >= depth
    }
}

impl Table {
    /// A table of at most so many bytes (but one bucket at least). The memory is touched only where
    /// something is stored.
    pub(super) fn new(bytes: u64) -> Table {
        Table::with_buckets(Table::buckets(bytes))
    }

    fn with_buckets(buckets: usize) -> Table {
        let words = vec![0; buckets * WORDS + WORDS - 1];
        let offset = words.as_ptr().align_offset(BUCKET_BYTES as usize).min(WORDS - 1);
        Table { words, offset, mask: buckets - 1, generation: 1, used: 0 }
    }

    /// The largest power of two that fits.
    fn buckets(bytes: u64) -> usize {
        1 << (bytes / BUCKET_BYTES).clamp(1, 1 << 40).ilog2()
    }

    /// Whether a new table of so many bytes would be of the same size.
    pub(super) fn fits(&self, bytes: u64) -> bool {
        Table::buckets(bytes) == self.mask + 1
    }

    /// Forgets everything, without touching the memory.
    pub(super) fn clear(&mut self) {
        self.used = 0;
        self.generation += 1;
        if self.generation == GENERATIONS {
            // New memory is zero where it has not been touched; cleaning the old would touch it all.
            *self = Table::with_buckets(self.mask + 1);
        }
    }

    /// Bytes of the entries in use.
    pub(super) fn memory(&self) -> u64 {
        self.used * ENTRY_BYTES
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> usize {
        self.offset + (key as usize & self.mask) * WORDS
    }

    /// Asks for the bucket of a key that will be looked up soon.
    #[inline(always)]
    pub(super) fn prefetch(&self, key: u64) {
        prefetch(&self.words, self.bucket(key));
    }

    /// The part of an entry that says whose it is: generation and key.
    #[inline(always)]
    fn label(&self, key: u64) -> u64 {
        key >> KEY_AT << KEY_AT | self.generation << GENERATION_AT
    }

    #[inline(always)]
    pub(super) fn probe(&self, key: u64) -> Option<Entry> {
        let label = self.label(key);
        let at = self.bucket(key);
        let bucket = &self.words[at..at + WORDS];
        let slot =
            (0..WORDS / 2).find(|&i| bucket[2 * i] >> GENERATION_AT == label >> GENERATION_AT)?;
        Some(unpack(bucket[2 * slot], bucket[2 * slot + 1]))
    }

    /// Remembers a result (`bounds` in the first player's view) that took `work` nodes. It takes the
    /// place of the same position's entry, an empty one, or the one with the least work.
    #[inline(always)]
    pub(super) fn store(
        &mut self,
        key: u64,
        depth: u32,
        mut bounds: Window,
        best: Option<u32>,
        work: u64,
    ) {
        let label = self.label(key);
        let generation = self.generation;
        let at = self.bucket(key);
        let bucket = &mut self.words[at..at + WORDS];
        let (mut victim, mut least) = (0, u64::MAX);
        let mut best = best.map_or(NO_MOVE, |best| u64::from(best).min(NO_MOVE));
        for slot in 0..WORDS / 2 {
            let word = bucket[2 * slot];
            if word >> GENERATION_AT == label >> GENERATION_AT {
                let old = unpack(word, bucket[2 * slot + 1]);
                if old.serves(depth) && depth != PROVEN || old.depth == depth {
                    bounds = bounds.and(old.bounds);
                }
                if best == NO_MOVE {
                    best = word & 0xff;
                }
                victim = slot;
                least = 1;
                break;
            }
            let is_live = word >> GENERATION_AT & (GENERATIONS - 1) == generation;
            let worth = if is_live { 1 + (word >> WORK_AT & 31) } else { 0 };
            if worth < least {
                (victim, least) = (slot, worth);
            }
        }
        self.used += u64::from(least == 0);
        let depth = if depth == PROVEN { PROVEN } else { depth.min(PROVEN - 1) };
        let work = u64::from(work.max(1).ilog2()).min(31);
        bucket[2 * victim] = label | work << WORK_AT | u64::from(depth) << DEPTH_AT | best;
        bucket[2 * victim + 1] = pack(bounds);
    }
}

const LARGEST: i64 = i32::MAX as i64 - 1;

/// Both bounds in 32 bits each. Scores that do not fit make the bounds wider, never wrong.
#[inline(always)]
fn pack(bounds: Window) -> u64 {
    let lo = if bounds.lo < -LARGEST { i32::MIN } else { bounds.lo.min(LARGEST) as i32 };
    let hi = if bounds.hi > LARGEST { i32::MAX } else { bounds.hi.max(-LARGEST) as i32 };
    u64::from(lo as u32) << 32 | u64::from(hi as u32)
}

#[inline(always)]
fn unpack(word: u64, bounds: u64) -> Entry {
    let (lo, hi) = ((bounds >> 32) as i32, bounds as i32);
    let lo = if lo == i32::MIN { -INFINITY } else { i64::from(lo) };
    let hi = if hi == i32::MAX { INFINITY } else { i64::from(hi) };
    let best = word & 0xff;
    Entry {
        bounds: Window { lo, hi },
        depth: (word >> DEPTH_AT & 0xff) as u32,
        best: (best != NO_MOVE).then_some(best as u32),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(lo: i64, hi: i64) -> Window {
        Window { lo, hi }
    }

    #[test]
    fn what_was_stored_is_found_until_the_table_is_cleared() {
        let mut table = Table::new(1 << 10);
        table.clear();
        assert!(table.probe(0).is_none());
        table.store(77, 3, window(-5, INFINITY), Some(6), 10);
        let entry = table.probe(77).unwrap();
        assert_eq!((entry.bounds, entry.depth, entry.best), (window(-5, INFINITY), 3, Some(6)));
        assert!(entry.serves(3) && !entry.serves(4));
        assert!(table.probe(77 | 1 << 40).is_none(), "another key of the same bucket");
        assert_eq!(table.memory(), 16);
        for _ in 0..300 {
            table.clear();
            assert!(table.probe(77).is_none() && table.memory() == 0);
        }
    }

    #[test]
    fn bounds_of_one_depth_add_up_and_a_known_move_stays() {
        let mut table = Table::new(64);
        table.clear();
        table.store(1, 4, window(2, INFINITY), Some(3), 1);
        table.store(1, 4, window(-INFINITY, 9), None, 1);
        let entry = table.probe(1).unwrap();
        assert_eq!((entry.bounds, entry.best), (window(2, 9), Some(3)));
        table.store(1, 5, window(1, INFINITY), Some(0), 1);
        assert_eq!(table.probe(1).unwrap().bounds, window(1, INFINITY), "deeper: a new result");
        table.store(1, PROVEN, window(0, 7), None, 1);
        assert_eq!(table.probe(1).unwrap().bounds, window(0, 7));
        table.store(1, 6, window(-INFINITY, 3), None, 1);
        assert_eq!(table.probe(1).unwrap().bounds, window(0, 3), "proofs hold at every depth");
    }

    #[test]
    fn the_least_work_makes_room() {
        let mut table = Table::new(64);
        table.clear();
        for (i, work) in [100, 4, 1000, 50].into_iter().enumerate() {
            table.store((i as u64) << 40, 1, window(0, 0), None, work);
        }
        table.store(9 << 40, 1, window(0, 0), None, 1);
        let kept = [0, 1, 2, 3, 9].map(|i| table.probe(i << 40).is_some());
        assert_eq!(kept, [true, false, true, true, true]);
        assert_eq!(table.memory(), 64);
    }

    #[test]
    fn scores_beyond_32_bits_only_weaken_the_bounds() {
        for value in [0, -7, 1 << 20, 1 << 31, -(1 << 31), 1 << 53, -(1 << 53), LARGEST, -LARGEST] {
            for bounds in [window(value, value), window(-INFINITY, value), window(value, INFINITY)]
            {
                let Window { lo, hi } = unpack(0, pack(bounds)).bounds;
                assert!(lo <= bounds.lo && hi >= bounds.hi, "{bounds:?}");
                assert!(value.abs() > LARGEST || (lo, hi) == (bounds.lo, bounds.hi), "{bounds:?}");
            }
        }
    }
}
