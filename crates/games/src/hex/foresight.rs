//! What can be told a ply or two ahead.

use treegraft::bits::Cpu;
use treegraft::{Rng, Side};

use super::{Cells, Hex};

impl<W: Cells> Hex<W> {
    /// The empty cells with which a side would join its edges: those next to what is joined to one
    /// edge and next to what is joined to the other.
    #[inline(always)]
    fn winning_cells(&self, side: Side) -> W {
        let (start, goal) = self.edges(side);
        let (own, before) = (self.stones[side.index()], self.reached[side.index()]);
        let near_start = (start | self.around(before)) & self.empty();
        if near_start == W::NONE {
            return W::NONE;
        }
        let from_goal = self.spread(own & goal, own);
        near_start & (goal | self.around(from_goal))
    }

    /// The value for the side to move within some plies, if it can be told.
    #[inline(always)]
    pub(super) fn see_ahead(&self, plies: u32) -> Option<i64> {
        if self.swap_ahead() {
            None
        } else if self.winning_cells(self.mover) != W::NONE {
            Some(1)
        } else if plies > 1 && self.winning_cells(self.mover.other()).count() > 1 {
            // One of them can be taken, not two.
            Some(-1)
        } else {
            (plies <= 2).then_some(0)
        }
    }
}

treegraft::dispatch! {
    /// A random cell for someone who looks one or two plies ahead.
    pub(super) fn careful_cell<W: Cells>(position: &Hex<W>, plies: u32, rng: &mut Rng) -> u16
        = careful_cell_on;
}

#[inline(always)]
fn careful_cell_on<C: Cpu, W: Cells>(cpu: C, position: &Hex<W>, plies: u32, rng: &mut Rng) -> u16 {
    let mut cells = position.winning_cells(position.mover);
    if cells == W::NONE && plies == 2 {
        cells = position.winning_cells(position.mover.other());
        if cells.count() > 1 {
            cells = W::NONE;
        }
    }
    if cells == W::NONE {
        cells = position.empty();
    }
    let cell = cells.nth(cpu, rng.below(cells.count())).lowest();
    cell.map_or(super::SWAP, |cell| cell as u16)
}
