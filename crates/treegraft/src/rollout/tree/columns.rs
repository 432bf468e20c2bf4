//! Side tables: what only some searches know of a node.
//!
//! A side table is declared once, in the list below. From the declaration follows everything that
//! happens to whole rows: reserving, clearing, swapping and copying them, and counting their bytes.

use std::fmt::Debug;
use std::ops::{Deref, DerefMut, Range};

use crate::Bounds;
use crate::bits::MAX_LANES;
use crate::rollout::Channel;
use crate::rollout::alpha_beta::{Bonus, Intervals};
use crate::rollout::amaf::NO_TABLE;

/// The side tables a search needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::rollout) struct Needs {
    /// Squares of rewards, for UCB1-Tuned.
    pub(in crate::rollout) squares: bool,
    /// Bounds on the margin.
    pub(in crate::rollout) margins: bool,
    /// Which nodes MCTS-MB has searched.
    pub(in crate::rollout) searched: bool,
    /// Which nodes have priors, for MCTS-IP.
    pub(in crate::rollout) priors: bool,
    /// The channels, in the order of [`Channel::ALL`].
    pub(in crate::rollout) channels: [bool; Channel::ALL.len()],
    /// Progressive biases.
    pub(in crate::rollout) biases: bool,
    /// RAVE: the moves that the tables of nodes distinguish, or 0 for none; and whether a table has
    /// those of both sides.
    pub(in crate::rollout) slots: u32,
    pub(in crate::rollout) both: bool,
    /// Number of depths that have intervals, or 0 for none.
    pub(in crate::rollout) depths: u32,
    /// Room for the moves of young families.
    pub(in crate::rollout) pool: bool,
}

/// What can happen to the rows of a side table. If the search does not have it, nothing does.
pub(in crate::rollout) trait SideTable {
    /// The most bytes that a row takes; 0 if there is no such table.
    fn row_bytes(&self) -> usize;

    /// Reserves room for `rows` rows; `false` if the machine has none.
    fn reserve(&mut self, rows: usize) -> bool;

    /// Makes room for rows in use, `len` in all.
    fn lengthen(&mut self, len: usize);

    /// Clears rows: their nodes were never visited.
    fn clear(&mut self, rows: Range<usize>);

    /// Exchanges two untried siblings, whose family begins at row `first`.
    fn swap(&mut self, first: usize, a: usize, b: usize);

    /// Copies a row.
    fn copy(&mut self, from: usize, to: usize);

    /// Whether a row is that of a node that was never visited, or there is no such table.
    fn is_new(&self, row: usize) -> bool;

    /// Forgets whatever is not in a row; all rows are cleared before they are used again.
    fn forget(&mut self) {}

    /// What stands in a row.
    #[cfg(test)]
    fn cell(&self, row: usize) -> String;
}

/// Declares the struct of all side tables, and what happens to a row in each of them. Untried
/// children may differ in the tables of the first list, not in those of the second.
macro_rules! side_tables {
    (
        $needs:ident;
        untried: { $($(#[$doc_u:meta])* $untried:ident: $kind_u:ty = $new_u:expr;)* }
        tried: { $($(#[$doc_t:meta])* $tried:ident: $kind_t:ty = $new_t:expr;)* }
    ) => {
        /// All side tables.
        #[derive(Debug)]
        pub(in crate::rollout) struct SideTables {
            $($(#[$doc_u])* pub(in crate::rollout) $untried: $kind_u,)*
            $($(#[$doc_t])* pub(in crate::rollout) $tried: $kind_t,)*
            /// Whether the search has a table of the first list, and of the second: many have none,
            /// and need not check each.
            has_untried: bool,
            has_tried: bool,
        }

        impl SideTables {
            pub(super) fn new($needs: Needs) -> SideTables {
                let mut tables = SideTables {
                    $($untried: $new_u,)* $($tried: $new_t,)* has_untried: false, has_tried: false
                };
                tables.has_untried = 0 < 0 $(+ tables.$untried.row_bytes())*;
                tables.has_tried = 0 < 0 $(+ tables.$tried.row_bytes())*;
                tables
            }

            pub(super) fn row_bytes(&self) -> usize {
                0 $(+ self.$untried.row_bytes())* $(+ self.$tried.row_bytes())*
            }

            pub(super) fn reserve(&mut self, rows: usize) -> bool {
                true $(&& self.$untried.reserve(rows))* $(&& self.$tried.reserve(rows))*
            }

            pub(super) fn lengthen(&mut self, len: usize) {
                $(self.$untried.lengthen(len);)*
                $(self.$tried.lengthen(len);)*
            }

            #[inline(always)]
            pub(super) fn clear(&mut self, rows: &Range<usize>) {
                if self.has_untried {
                    $(self.$untried.clear(rows.clone());)*
                }
                if self.has_tried {
                    $(self.$tried.clear(rows.clone());)*
                }
            }

            /// Exchanges two untried siblings, whose family begins at row `first`.
            #[inline(always)]
            pub(super) fn swap_untried(&mut self, first: usize, a: usize, b: usize) {
                if self.has_untried {
                    $(self.$untried.swap(first, a, b);)*
                }
                $(debug_assert!(self.$tried.is_new(a) && self.$tried.is_new(b), "not new");)*
            }

            #[inline(always)]
            pub(super) fn copy(&mut self, from: usize, to: usize) {
                $(self.$untried.copy(from, to);)*
                $(self.$tried.copy(from, to);)*
            }

            pub(super) fn forget(&mut self) {
                $(self.$untried.forget();)*
                $(self.$tried.forget();)*
            }

            #[cfg(test)]
            fn cells(&self, row: usize) -> Vec<(&'static str, String)> {
                vec![
                    $((stringify!($untried), self.$untried.cell(row)),)*
                    $((stringify!($tried), self.$tried.cell(row)),)*
                ]
            }
        }
    };
}

side_tables! {
    needs;
    untried: {
        /// Score-bounded search: bounds on the margin.
        margins: Column<Bounds> = Column::new(needs.margins, Bounds::MARGIN);
        /// Channels: the value in the first player's view, or [`NO_VALUE`].
        channels: [Column<f32>; Channel::ALL.len()] =
            needs.channels.map(|is_on| Column::new(is_on, NO_VALUE));
        /// Progressive bias: weight times probability, positive for moves of the first player.
        biases: Column<f32> = Column::new(needs.biases, 0.0);
        /// MCTS-αβ: what alpha-beta rollouts know.
        intervals: Intervals = Intervals::new(needs.depths);
        /// MCTS-αβ: virtual visits for what alpha-beta finds.
        bonuses: Column<Bonus> = Column::new(needs.depths > 0, Bonus::default());
    }
    tried: {
        /// UCB1-Tuned: sums of squared rewards.
        squares: Column<f64> = Column::new(needs.squares, 0.0);
        /// UCB1-Tuned: the variances that it compares.
        variance: Column<f32> = Column::new(needs.squares, 0.0).read_in_blocks();
        /// MCTS-MB: whether a search has looked at all moves of the node that were not proven.
        searched: Column<bool> = Column::new(needs.searched, false);
        /// RAVE: the number of the table, or [`NO_TABLE`].
        tables: Column<u32> = Column::new(needs.slots > 0, NO_TABLE);
        /// MCTS-IP: the marks [`PRIMED`] and [`HAS_PRIOR`].
        priors: Column<u8> = Column::new(needs.priors, 0);
    }
}

/// The value of a node that a channel says nothing of. Comparisons ignore it.
pub(in crate::rollout) const NO_VALUE: f32 = f32::NAN;

/// The children of the node have been given priors.
pub(super) const PRIMED: u8 = 1;

/// The node has been given a prior: its sum of rewards includes those of virtual visits.
pub(super) const HAS_PRIOR: u8 = 2;

/// A side table of one value per node.
#[derive(Debug)]
pub(in crate::rollout) struct Column<T> {
    cells: Vec<T>,
    /// The value of a node that was never visited.
    new: T,
    is_present: bool,
    /// Extra cells after the last row, so that its block can be read as a whole.
    behind: usize,
}

impl<T: Copy> Column<T> {
    fn new(is_present: bool, new: T) -> Column<T> {
        Column { cells: Vec::new(), new, is_present, behind: 0 }
    }

    fn read_in_blocks(self) -> Column<T> {
        Column { behind: MAX_LANES, ..self }
    }

    /// Whether the search has this column.
    #[inline(always)]
    pub(in crate::rollout) fn is_present(&self) -> bool {
        self.is_present
    }
}

impl<T> Deref for Column<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.cells
    }
}

impl<T> DerefMut for Column<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.cells
    }
}

impl<T: Copy + Debug + PartialEq> SideTable for Column<T> {
    fn row_bytes(&self) -> usize {
        if self.is_present { size_of::<T>() } else { 0 }
    }

    fn reserve(&mut self, rows: usize) -> bool {
        !self.is_present || self.cells.try_reserve_exact(rows + self.behind).is_ok()
    }

    fn lengthen(&mut self, len: usize) {
        if self.is_present {
            self.cells.resize(len + self.behind, self.new);
        }
    }

    #[inline(always)]
    fn clear(&mut self, rows: Range<usize>) {
        if self.is_present {
            self.cells[rows].fill(self.new);
        }
    }

    #[inline(always)]
    fn swap(&mut self, _: usize, a: usize, b: usize) {
        if self.is_present {
            self.cells.swap(a, b);
        }
    }

    #[inline(always)]
    fn copy(&mut self, from: usize, to: usize) {
        if self.is_present {
            self.cells[to] = self.cells[from];
        }
    }

    fn is_new(&self, row: usize) -> bool {
        !self.is_present || self.cells[row] == self.new
    }

    #[cfg(test)]
    fn cell(&self, row: usize) -> String {
        format!("{:?}", self.cells[row])
    }
}

/// Several tables of the same kind.
impl<T: SideTable, const N: usize> SideTable for [T; N] {
    fn row_bytes(&self) -> usize {
        self.iter().map(T::row_bytes).sum()
    }

    fn reserve(&mut self, rows: usize) -> bool {
        self.iter_mut().all(|table| table.reserve(rows))
    }

    fn lengthen(&mut self, len: usize) {
        self.iter_mut().for_each(|table| table.lengthen(len));
    }

    #[inline(always)]
    fn clear(&mut self, rows: Range<usize>) {
        self.iter_mut().for_each(|table| table.clear(rows.clone()));
    }

    #[inline(always)]
    fn swap(&mut self, first: usize, a: usize, b: usize) {
        self.iter_mut().for_each(|table| table.swap(first, a, b));
    }

    #[inline(always)]
    fn copy(&mut self, from: usize, to: usize) {
        self.iter_mut().for_each(|table| table.copy(from, to));
    }

    fn is_new(&self, row: usize) -> bool {
        self.iter().all(|table| table.is_new(row))
    }

    fn forget(&mut self) {
        self.iter_mut().for_each(T::forget);
    }

    #[cfg(test)]
    fn cell(&self, row: usize) -> String {
        self.iter().map(|table| table.cell(row)).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rollout::tree::{Id, ROOT, Tree};

    const ALL: Needs = Needs {
        squares: true,
        margins: true,
        searched: true,
        priors: true,
        channels: [true; Channel::ALL.len()],
        biases: true,
        slots: 2,
        both: false,
        depths: 3,
        pool: false,
    };

    /// A tree whose root has nine children, with something different in every row of every table.
    fn scribbled() -> Tree<u8> {
        let mut tree = Tree::new(1 << 16, ALL);
        tree.plant(0);
        assert!(tree.add_children(ROOT, &[1, 2, 3, 4, 5, 6, 7, 8, 9]));
        for row in 0..tree.used {
            tree.set_bonus(row, 1.0 + row as f64);
            let side = &mut tree.side;
            side.squares[row] = 1.0 + row as f64;
            side.variance[row] = 1.0 + row as f32;
            side.margins[row] = Bounds::exactly(row as i64);
            side.searched[row] = row % 2 == 0;
            side.priors[row] = 1 + row as u8;
            side.tables[row] = row as u32;
            side.channels.iter_mut().for_each(|channel| channel[row] = row as f32);
            side.biases[row] = 1.0 + row as f32;
            assert!(side.intervals.add_block(row));
        }
        for row in 1..tree.used {
            // A new table has to be scribbled in above.
            for (before, cell) in tree.side.cells(row - 1).iter().zip(tree.side.cells(row)) {
                assert_ne!(*before, cell, "row {row}");
            }
        }
        tree
    }

    #[test]
    fn every_table_is_copied() {
        let mut tree = scribbled();
        let (from, kept) = (tree.side.cells(3), tree.side.cells(4));
        tree.copy_row(3, 7);
        assert_eq!(tree.side.cells(7), from);
        assert_eq!((tree.side.cells(3), tree.side.cells(4)), (from, kept));
    }

    #[test]
    fn tables_in_which_untried_children_differ_are_swapped() {
        let mut tree = scribbled();
        tree.side.squares.fill(0.0);
        tree.side.variance.fill(0.0);
        tree.side.searched.fill(false);
        tree.side.priors.fill(0);
        tree.side.tables.fill(NO_TABLE);
        let (a, b, kept) = (tree.side.cells(2), tree.side.cells(8), tree.side.cells(5));
        tree.swap_untried(1, 2, 8);
        assert_eq!((tree.side.cells(8), tree.side.cells(2), tree.side.cells(5)), (a, b, kept));
    }

    /// A table that is not swapped must have nothing to swap.
    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "not new")]
    fn no_untried_child_differs_in_another_table() {
        let mut tree = scribbled();
        tree.swap_untried(1, 2, 8);
    }

    #[test]
    fn every_table_is_cleared() {
        let mut fresh = Tree::<u8>::new(1 << 16, ALL);
        fresh.plant(0);
        let mut tree = scribbled();
        let kept = tree.side.cells(6);
        tree.clear(2..6, 0);
        for row in 2..6 {
            assert_eq!(tree.side.cells(row), fresh.side.cells(0));
        }
        assert_eq!(tree.side.cells(6), kept);
        tree.plant(0);
        assert_eq!(tree.side.cells(0), fresh.side.cells(0));
        assert!(tree.add_children(ROOT, &[1, 2]));
        assert_eq!(tree.side.cells(2), fresh.side.cells(0), "no row remembers an earlier search");
    }

    /// The promise about memory: every table counts, and none that a search does without.
    #[test]
    fn every_table_is_counted() {
        let bytes = |needs| SideTables::new(needs).row_bytes();
        assert_eq!(bytes(Needs::default()), 0);
        let each = [
            Needs { squares: true, ..Needs::default() },
            Needs { margins: true, ..Needs::default() },
            Needs { searched: true, ..Needs::default() },
            Needs { priors: true, ..Needs::default() },
            Needs { channels: ALL.channels, ..Needs::default() },
            Needs { biases: true, ..Needs::default() },
            Needs { slots: 2, ..Needs::default() },
            Needs { depths: 3, ..Needs::default() },
        ];
        assert_eq!(each.map(bytes).iter().sum::<usize>(), bytes(ALL));
        assert_eq!(each.map(bytes)[..4], [12, 16, 1, 1]);
        let tree = scribbled();
        let row = size_of::<crate::rollout::tree::Row<u8>>() + 8 + 1 + bytes(ALL);
        assert_eq!(tree.memory(), (tree.used * row) as u64);
        let rows = tree.capacity as Id;
        assert!(u64::from(rows) * row as u64 <= 1 << 16);
    }
}
