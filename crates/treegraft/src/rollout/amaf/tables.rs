//! The statistics of nodes: a table for every node that has children.

use crate::{Alarm, Side, Trace};

/// How often a move was played, and what rewards that brought in the first player's view.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::rollout) struct Cell {
    pub(in crate::rollout) count: f32,
    pub(in crate::rollout) sum: f32,
}

impl Cell {
    /// Greater counts would not be whole numbers any more. So that statistics go on, they are halved.
    const MOST: f32 = (1 << 23) as f32;

    #[inline(always)]
    pub(super) fn add(&mut self, reward: f32) {
        self.count += 1.0;
        self.sum += reward;
        if self.count >= Self::MOST {
            self.count *= 0.5;
            self.sum *= 0.5;
        }
    }

    #[inline(always)]
    pub(super) fn mean(self) -> f32 {
        self.sum / self.count
    }
}

/// Counts a reward in the cells whose bits are set.
#[inline(always)]
pub(super) fn count_all(cells: &mut [Cell], words: &[u64], reward: f32) {
    for (cells, &word) in cells.chunks_mut(64).zip(words) {
        let mut bits = word;
        while bits != 0 {
            // A slot that the game does not have is none of the cells.
            if let Some(cell) = cells.get_mut(bits.trailing_zeros() as usize) {
                cell.add(reward);
            }
            bits &= bits - 1;
        }
    }
}

/// The node has no table: it has no children, or there was no room.
pub(in crate::rollout) const NO_TABLE: u32 = u32::MAX;

/// Tables of equal size, one after the other.
#[derive(Debug)]
pub(in crate::rollout) struct Tables {
    cells: Vec<Cell>,
    /// Moves that a table tells apart.
    slots: usize,
    /// Whether a table has the moves of both sides (GRAVE), not only of the side to move.
    both: bool,
}

impl Tables {
    /// Room for tables in so many bytes, or less if the machine has less. Without slots there are none.
    pub(in crate::rollout) fn new(slots: usize, both: bool, bytes: u64) -> Tables {
        let mut tables = Tables { cells: Vec::new(), slots, both };
        let mut room = if slots == 0 { 0 } else { bytes / tables.bytes_of_one() };
        room = room.min(u64::from(NO_TABLE));
        while room > 0 && tables.cells.try_reserve_exact(room as usize * tables.len()).is_err() {
            room /= 2;
        }
        tables
    }

    /// Cells of a table.
    fn len(&self) -> usize {
        if self.both { 2 * self.slots } else { self.slots }
    }

    pub(in crate::rollout) fn bytes_of_one(&self) -> u64 {
        (self.len() * size_of::<Cell>()) as u64
    }

    /// Bytes in use.
    pub(in crate::rollout) fn bytes(&self) -> u64 {
        (self.cells.len() * size_of::<Cell>()) as u64
    }

    pub(in crate::rollout) fn forget(&mut self) {
        self.cells.clear();
    }

    /// A new table, or [`NO_TABLE`] if there is no room.
    pub(in crate::rollout) fn add(&mut self) -> u32 {
        let end = self.cells.len() + self.len();
        if self.slots == 0 || end > self.cells.capacity() {
            return NO_TABLE;
        }
        self.cells.resize(end, Cell::default());
        (end / self.len() - 1) as u32
    }

    /// Where the moves of a side begin.
    #[inline(always)]
    fn start(&self, table: u32, side: Side) -> usize {
        let skipped = if self.both { side.index() * self.slots } else { 0 };
        table as usize * self.len() + skipped
    }

    /// What a table, if it is one, tells of a move of a side.
    #[inline(always)]
    pub(in crate::rollout) fn cell(&self, table: u32, side: Side, slot: usize) -> Cell {
        if table == NO_TABLE || slot >= self.slots {
            return Cell::default();
        }
        self.cells[self.start(table, side) + slot]
    }

    /// Counts a simulation in a table, if it is one: what each side has played from a node on at which
    /// it is the turn of `mover`.
    #[inline]
    pub(super) fn count(&mut self, table: u32, mover: Side, trace: &Trace, reward: f32) {
        if table == NO_TABLE {
            return;
        }
        for side in [mover, mover.other()] {
            let start = self.start(table, side);
            count_all(&mut self.cells[start..start + self.slots], trace.words(side), reward);
            if !self.both {
                return;
            }
        }
    }

    /// Keeps these tables, in ascending order, and drops all others; `false` if the alarm rings before
    /// that is done.
    pub(in crate::rollout) fn keep(
        &mut self,
        tables: impl Iterator<Item = u32>,
        alarm: &mut Alarm<'_>,
    ) -> bool {
        let (len, mut kept) = (self.len(), 0);
        for table in tables {
            if alarm.rings_before(1 + len / 64) {
                return false;
            }
            let from = table as usize * len;
            self.cells.copy_within(from..from + len, kept);
            kept += len;
        }
        self.cells.truncate(kept);
        true
    }
}
