//! A row of the table: what every search knows of a node.

use super::Id;
use crate::Bounds;

/// What is known of a node.
#[derive(Clone, Copy, Debug)]
pub(in crate::rollout) struct Row<M> {
    /// Sum of rewards in the first player's view, each from -1 to 1.
    pub(in crate::rollout) sum: f64,
    pub(in crate::rollout) visits: u32,
    /// The first child's row.
    pub(in crate::rollout) first: Id,
    /// Number of children: 0 while the node is not expanded.
    pub(in crate::rollout) count: u16,
    /// Number of children, the first ones, that have been tried or are excluded.
    pub(in crate::rollout) tried: u16,
    /// The bounds on the outcome, two bits each, and whether the game is over here.
    state: u8,
    /// The place among its siblings of the child that is selected next, [`UNKNOWN`] or [`YOUNG`].
    pub(in crate::rollout) selected: u8,
    /// The move to the child that is tried next, drawn in advance. It is that child's in the column
    /// of moves, but here it has come with the rest of the row when it is needed.
    pub(in crate::rollout) next: M,
}

impl<M: Copy> Row<M> {
    /// A node that was never visited; `mv` is any move.
    pub(super) fn new(mv: M) -> Row<M> {
        let mut row = Row {
            sum: 0.0,
            visits: 0,
            first: 0,
            count: 0,
            tried: 0,
            state: 0,
            selected: UNKNOWN,
            next: mv,
        };
        row.set_bounds(Bounds::OUTCOME);
        row
    }

    /// What is proven about the outcome.
    #[inline(always)]
    pub(super) fn bounds(&self) -> Bounds {
        Bounds { lo: i64::from(self.state & 3) - 1, hi: i64::from(self.state >> 2 & 3) - 1 }
    }

    #[inline(always)]
    pub(super) fn set_bounds(&mut self, bounds: Bounds) {
        self.state = self.state & !BOUNDS | (bounds.lo + 1) as u8 | ((bounds.hi + 1) as u8) << 2;
    }

    /// Whether the game is over here.
    #[inline(always)]
    pub(in crate::rollout) fn finished(&self) -> bool {
        self.state & FINISHED != 0
    }

    pub(in crate::rollout) fn set_finished(&mut self) {
        self.state |= FINISHED;
    }

    /// Whether the children get rows only as they are tried; then `first` is a place in
    /// [`Tree::young`](super::Tree::young).
    #[inline(always)]
    pub(in crate::rollout) fn is_young(&self) -> bool {
        self.selected == YOUNG
    }

    /// The children have changed otherwise than by a simulation.
    pub(in crate::rollout) fn forget_selected(&mut self) {
        if !self.is_young() {
            self.selected = UNKNOWN;
        }
    }

    /// The rows of the children, if all of them have one.
    #[inline(always)]
    pub(in crate::rollout) fn children(&self) -> std::ops::Range<usize> {
        debug_assert!(!self.is_young(), "untried children have no rows");
        self.first as usize..self.first as usize + self.count as usize
    }
}

/// The children get rows only as they are tried.
pub(in crate::rollout) const YOUNG: u8 = u8::MAX;

/// The next child has not been selected, or is too far from the first.
pub(in crate::rollout) const UNKNOWN: u8 = YOUNG - 1;

const BOUNDS: u8 = 15;
const FINISHED: u8 = 16;
