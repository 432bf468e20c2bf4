//! The statistics of nodes: a table for every node that has children.

use crate::{Alarm, Side, Trace};

/// How often a move was played, and the sum of the rewards in the first player's view.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::rollout) struct Cell {
    pub(in crate::rollout) count: f32,
    pub(in crate::rollout) sum: f32,
}

impl Cell {
    /// Every `SAFE` simulations, counts of at least this are halved: four times as much would not be a
    /// whole number any more.
    pub(super) const SAFE: u64 = 1 << 22;

    #[inline(always)]
    pub(super) fn add(&mut self, reward: f32) {
        self.count += 1.0;
        self.sum += reward;
    }

    pub(super) fn halve(&mut self) {
        self.count *= 0.5;
        self.sum *= 0.5;
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

/// The moves of a simulation, from some node on, and what they add to statistics.
#[derive(Debug, Default)]
pub(super) struct Played {
    pub(super) trace: Trace,
    /// By side and slot: 1 and the reward for each move that was played, otherwise nothing. A table is
    /// added to a table much faster than bit by bit. Empty where few of many moves were played.
    cells: [Vec<Cell>; 2],
}

impl Played {
    /// Spreads the moves out, with their reward.
    pub(super) fn spread(&mut self, slots: usize, reward: f32) {
        for side in [Side::First, Side::Second] {
            let words = self.trace.words(side);
            let count: u32 = words.iter().map(|word| word.count_ones()).sum();
            let cells = &mut self.cells[side.index()];
            cells.clear();
            if slots <= 4 * count as usize {
                cells.resize(slots, Cell::default());
                count_all(cells, words, reward);
            }
        }
    }

    /// Adds a move.
    #[inline(always)]
    pub(super) fn add(&mut self, side: Side, slot: usize, reward: f32) {
        self.trace.add(side, slot);
        if let Some(cell) = self.cells[side.index()].get_mut(slot) {
            *cell = Cell { count: 1.0, sum: reward };
        }
    }
}

/// The node has no table: it has no children, or there was no room.
pub(in crate::rollout) const NO_TABLE: u32 = u32::MAX;

/// Tables of equal size, one after the other.
#[derive(Debug)]
pub(in crate::rollout) struct Tables {
    cells: Vec<Cell>,
    /// Moves that a table distinguishes: 0 if there are no tables.
    pub(super) slots: usize,
    /// Whether a table has the moves of both sides (GRAVE), not only of the side to move.
    both: bool,
}

impl Tables {
    /// Room for tables in `bytes` bytes, or less if the machine has less. Without slots there are none.
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

    /// What a table, if it is one, contains about the moves of a side, by slot.
    #[inline(always)]
    pub(in crate::rollout) fn of_side(&self, table: u32, side: Side) -> &[Cell] {
        if table == NO_TABLE {
            return &[];
        }
        let start = self.start(table, side);
        &self.cells[start..start + self.slots]
    }

    /// The same of one move.
    #[inline(always)]
    pub(in crate::rollout) fn cell(&self, table: u32, side: Side, slot: usize) -> Cell {
        self.of_side(table, side).get(slot).copied().unwrap_or_default()
    }

    /// Counts a simulation in a table, if it is one: what each side has played from a node on at which
    /// it is the turn of `mover`.
    #[inline(always)]
    pub(super) fn count(&mut self, table: u32, mover: Side, moves: &Played, reward: f32) {
        if table == NO_TABLE {
            return;
        }
        for side in [mover, mover.other()] {
            let start = self.start(table, side);
            let cells = &mut self.cells[start..start + self.slots];
            match &moves.cells[side.index()][..] {
                [] => count_all(cells, moves.trace.words(side), reward),
                added => {
                    for (cell, added) in cells.iter_mut().zip(added) {
                        cell.count += added.count;
                        cell.sum += added.sum;
                    }
                }
            }
            if !self.both {
                return;
            }
        }
    }

    /// Halves large counts, so that they stay whole numbers. Called every [`Cell::SAFE`] simulations.
    #[cold]
    pub(super) fn halve(&mut self) {
        self.cells.iter_mut().filter(|cell| cell.count >= Cell::SAFE as f32).for_each(Cell::halve);
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
