//! The transposition table: buckets of a cache line, four entries each.
//!
//! It begins small and doubles as it fills, up to its limit: most searches are small, and a small
//! table stays in the processor's caches. An entry is two words. One holds both bounds on the
//! value, in the first player's view; the other a part of the key, how much work the search was,
//! how deep it went, and the best move's number in the order of generation.

use super::window::{INFINITY, Window};
use crate::Alarm;
use crate::bits::prefetch;

/// The depth of a result that does not depend on the depth: deeper than any search.
pub(super) const PROVEN: u32 = u32::MAX;

/// The same in an entry, where deeper searches than the number before it count as no deeper.
const STORED_PROVEN: u32 = 255;

/// Stands for no move. Moves with this number or a greater one are not remembered.
const NO_MOVE: u64 = 255;

/// From the low end: move 8, depth 8, work 4, key 44.
const DEPTH_AT: u32 = 8;
const WORK_AT: u32 = 16;
const KEY_AT: u32 = 20;

/// The low bits of a key give the bucket. The bits above the first table's are stored; as the table
/// grows, the two overlap, so that an entry knows its place among twice as many buckets.
const FIRST_BUCKETS: usize = 1 << FIRST_BITS;
const FIRST_BITS: u32 = 12;

const SLOTS: usize = 4;
const ENTRY_BYTES: u64 = 16;
const BUCKET_BYTES: u64 = ENTRY_BYTES * SLOTS as u64;

#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Bucket {
    /// Zero where nothing is stored: the depth of an entry is never zero.
    labels: [u64; SLOTS],
    bounds: [u64; SLOTS],
}

const EMPTY: Bucket = Bucket { labels: [0; SLOTS], bounds: [0; SLOTS] };

#[derive(Debug)]
pub(super) struct Table {
    /// The memory up to the limit is reserved, and touched only as the table grows.
    buckets: Vec<Bucket>,
    limit: usize,
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
        self.depth >= depth
    }
}

impl Table {
    /// A table of at most `bytes` bytes (but one bucket at least), or less if the machine has less.
    pub(super) fn new(bytes: u64) -> Table {
        let mut table = Table { buckets: Vec::new(), limit: Table::limit(bytes), used: 0 };
        while table.buckets.try_reserve_exact(table.limit).is_err() && table.limit > 1 {
            table.limit /= 2;
        }
        table.clear();
        table
    }

    /// The largest power of two that fits.
    fn limit(bytes: u64) -> usize {
        1 << (bytes / BUCKET_BYTES).clamp(1, 1 << 40).ilog2()
    }

    /// Whether a new table of `bytes` bytes would have the same limit.
    pub(super) fn fits(&self, bytes: u64) -> bool {
        Table::limit(bytes) == self.limit
    }

    /// Forgets everything and is small again.
    pub(super) fn clear(&mut self) {
        self.used = 0;
        self.buckets.clear();
        self.buckets.resize(FIRST_BUCKETS.min(self.limit), EMPTY);
    }

    /// Keeps everything for another search, but makes room for what that will find: entries count as
    /// less work than new ones.
    pub(super) fn age(&mut self) {
        const ONE: u64 = 4 << WORK_AT;
        for label in self.buckets.iter_mut().flat_map(|bucket| &mut bucket.labels) {
            let work = *label & (15 << WORK_AT);
            *label = *label - work + work.saturating_sub(ONE);
        }
    }

    /// Bytes of the table at its present size.
    pub(super) fn memory(&self) -> u64 {
        self.buckets.len() as u64 * BUCKET_BYTES
    }

    #[inline(always)]
    fn index(&self, key: u64) -> usize {
        key as usize & (self.buckets.len() - 1)
    }

    /// Prefetches the bucket of a key that will be looked up soon.
    #[inline(always)]
    pub(super) fn prefetch(&self, key: u64) {
        prefetch(&self.buckets, self.index(key));
    }

    #[inline(always)]
    pub(super) fn probe(&self, key: u64) -> Option<Entry> {
        let bucket = &self.buckets[self.index(key)];
        let slot = bucket.labels.iter().position(|&label| is_for(label, key))?;
        Some(unpack(bucket.labels[slot], bucket.bounds[slot]))
    }

    /// Stores a result (`bounds` in the first player's view) that took `work` nodes. It replaces
    /// the entry of the same position, an empty one, or the one with the least work. Returns
    /// whether the table is due to [`grow`](Table::grow).
    #[inline(always)]
    pub(super) fn store(
        &mut self,
        key: u64,
        depth: u32,
        mut bounds: Window,
        best: Option<u32>,
        work: u64,
    ) -> bool {
        let index = self.index(key);
        let bucket = &mut self.buckets[index];
        let (mut victim, mut least) = (0, u64::MAX);
        let mut best = best.map_or(NO_MOVE, |best| u64::from(best).min(NO_MOVE));
        for slot in 0..SLOTS {
            let label = bucket.labels[slot];
            if is_for(label, key) {
                let old = unpack(label, bucket.bounds[slot]);
                if old.serves(depth) && depth != PROVEN || old.depth == depth {
                    bounds = bounds.and(old.bounds);
                }
                if best == NO_MOVE {
                    best = label & 0xff;
                }
                (victim, least) = (slot, 1);
                break;
            }
            let worth = if label == 0 { 0 } else { 1 + (label >> WORK_AT & 15) };
            if worth < least {
                (victim, least) = (slot, worth);
            }
        }
        let depth = if depth == PROVEN { STORED_PROVEN } else { depth.min(STORED_PROVEN - 1) };
        let work = u64::from(work.max(1).ilog2() / 2).min(15);
        bucket.labels[victim] =
            stored_key(key) | work << WORK_AT | u64::from(depth) << DEPTH_AT | best;
        bucket.bounds[victim] = pack(bounds);
        if least > 0 {
            return false;
        }
        self.used += 1;
        self.used > 2 * self.buckets.len() as u64 && self.buckets.len() < self.limit
    }

    /// Doubles the number of buckets: an entry stays, or moves up by the old number of them. A
    /// large table takes longer for that than a search may overrun its time: if the alarm rings,
    /// the table keeps its size, and loses entries, which it may at any time.
    #[cold]
    pub(super) fn grow(&mut self, alarm: &mut Alarm<'_>) {
        /// Some 100 microseconds, most of them for the system to hand out memory.
        const AT_ONCE: usize = 4096;
        let old = self.buckets.len();
        // The bit of the key that now belongs to the index. A table below the first size is at its
        // limit and never grows.
        let bit = 1 << (KEY_AT + old.ilog2() - FIRST_BITS);
        for first in (0..old).step_by(AT_ONCE) {
            if alarm.rings_before(AT_ONCE) {
                self.buckets.truncate(old);
                return;
            }
            let end = old.min(first + AT_ONCE);
            self.buckets.resize(old + end, EMPTY);
            let (lower, upper) = self.buckets.split_at_mut(old);
            for (from, to) in lower[first..end].iter_mut().zip(&mut upper[first..end]) {
                for slot in 0..SLOTS {
                    if from.labels[slot] & bit != 0 {
                        to.labels[slot] = std::mem::take(&mut from.labels[slot]);
                        to.bounds[slot] = from.bounds[slot];
                    }
                }
            }
        }
    }
}

/// The part of a key that an entry keeps, in its place.
#[inline(always)]
fn stored_key(key: u64) -> u64 {
    key >> FIRST_BITS << KEY_AT
}

#[inline(always)]
fn is_for(label: u64, key: u64) -> bool {
    (label ^ stored_key(key)) >> KEY_AT == 0 && label != 0
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
    let depth = (word >> DEPTH_AT & 0xff) as u32;
    Entry {
        bounds: Window { lo, hi },
        depth: if depth == STORED_PROVEN { PROVEN } else { depth },
        best: (best != NO_MOVE).then_some(best as u32),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::{Meter, Request};

    fn window(lo: i64, hi: i64) -> Window {
        Window { lo, hi }
    }

    #[test]
    fn what_was_stored_is_found_until_the_table_is_cleared() {
        let mut table = Table::new(1 << 10);
        assert!(table.probe(0).is_none());
        table.store(77, 3, window(-5, INFINITY), Some(6), 10);
        let entry = table.probe(77).unwrap();
        assert_eq!((entry.bounds, entry.depth, entry.best), (window(-5, INFINITY), 3, Some(6)));
        assert!(entry.serves(3) && !entry.serves(4));
        assert!(table.probe(77 | 1 << 40).is_none(), "another key of the same bucket");
        table.clear();
        assert!(table.probe(77).is_none());
    }

    #[test]
    fn bounds_of_one_depth_add_up_and_a_known_move_stays() {
        let mut table = Table::new(64);
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

    /// A deep search is no proof, however deep it is.
    #[test]
    fn depths_that_do_not_fit_are_stored_as_smaller_ones() {
        for depth in [254, 255, 256, 300, 100_000] {
            let mut table = Table::new(64);
            table.store(1, depth, window(0, 0), None, 1);
            let entry = table.probe(1).unwrap();
            assert!(entry.serves(254) && !entry.serves(255), "{depth}: {entry:?}");
        }
        let mut table = Table::new(64);
        table.store(1, PROVEN, window(0, 0), None, 1);
        assert!(table.probe(1).unwrap().serves(100_000));
    }

    #[test]
    fn the_least_work_makes_room() {
        let mut table = Table::new(64);
        for (i, work) in [100, 4, 1000, 50].into_iter().enumerate() {
            table.store((i as u64) << 40, 1, window(0, 0), None, work);
        }
        table.store(9 << 40, 1, window(0, 0), None, 1);
        let kept = [0, 1, 2, 3, 9].map(|i| table.probe(i << 40).is_some());
        assert_eq!(kept, [true, false, true, true, true]);
        assert_eq!(table.memory(), 64);
    }

    #[test]
    fn growing_loses_nothing_and_keeps_the_limit() {
        let mut table = Table::new(1 << 22);
        let keys: Vec<u64> = (1..=20_000).map(crate::bits::mix).collect();
        for (i, &key) in keys.iter().enumerate() {
            if table.store(key, 1, Window::exactly(i as i64), None, 1) {
                table.grow(&mut Alarm::default());
            }
        }
        assert_eq!(table.memory(), 1 << 20);
        let value = |&key: &u64| table.probe(key).map(|entry| entry.bounds.lo);
        let found = keys.iter().map(value).zip(0..).filter(|&(found, i)| found == Some(i)).count();
        // Full buckets lose a few.
        assert!(found > 19_000, "{found}");
        for key in (1..=200_000).map(crate::bits::mix) {
            if table.store(key, 1, Window::exactly(0), None, 1) {
                table.grow(&mut Alarm::default());
            }
        }
        assert_eq!(table.memory(), 1 << 22);
    }

    /// A table that must not grow any more loses entries, but has none that is wrong.
    #[test]
    fn growing_can_be_given_up() {
        let flag = AtomicBool::new(true);
        let mut table = Table::new(1 << 22);
        let keys: Vec<u64> = (1..=50_000).map(crate::bits::mix).collect();
        for (i, &key) in keys.iter().enumerate() {
            if table.store(key, 1, Window::exactly(i as i64), None, 1) {
                let request = Request { cancel: Some(&flag), ..Request::default() };
                table.grow(&mut Meter::<()>::start(request).alarm());
            }
        }
        assert_eq!(table.memory(), FIRST_BUCKETS as u64 * BUCKET_BYTES);
        let value = |&key: &u64| table.probe(key).map(|entry| entry.bounds.lo);
        let mut found = keys.iter().map(value).zip(0..);
        assert!(found.all(|(value, i)| value.is_none_or(|value| value == i)));
    }

    #[test]
    fn what_the_machine_cannot_give_is_not_taken() {
        for bytes in [u64::MAX, 1 << 50] {
            let mut table = Table::new(bytes);
            table.store(77, 3, window(0, 0), None, 1);
            assert!(table.probe(77).is_some());
        }
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
