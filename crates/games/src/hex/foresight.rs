//! What can be seen a ply or two ahead.

use treegraft::bits::Cpu;
use treegraft::{Exactness, Rng, Side};

use super::playout::{random_cell, random_move};
use super::{Cells, Hex, SWAP};

impl<W: Cells> Hex<W> {
    /// The empty cells with which a side would join its edges: those next to what is joined to one
    /// edge and next to what is joined to the other.
    #[inline(always)]
    pub(super) fn winning_cells(&self, side: Side) -> W {
        let (start, goal) = self.edges(side);
        let (own, before) = (self.stones[side.index()], self.reached[side.index()]);
        let near_start = (start | self.around(before)) & self.empty();
        if near_start == W::NONE {
            return W::NONE;
        }
        let from_goal = self.spread(own & goal, own);
        near_start & (goal | self.around(from_goal))
    }
}

impl<W: Cells> Exactness for Hex<W> {
    #[inline]
    fn win_loss(&self, plies: u32) -> Option<i64> {
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

/// 2 for a cell that wins, 1 for one with which the other side would win, 0 for others.
pub(super) fn urgency<W: Cells>(position: &Hex<W>, mv: u16) -> u8 {
    let is_in =
        |side: Side| mv != SWAP && position.winning_cells(side) & W::one(mv.into()) != W::NONE;
    match position.mover {
        mover if is_in(mover) => 2,
        mover if is_in(mover.other()) => 1,
        _ => 0,
    }
}

treegraft::dispatch! {
    /// One of the most urgent moves.
    pub(super) fn urgent_move<W: Cells>(position: &Hex<W>, rng: &mut Rng) -> u16 = urgent_move_on;
}

#[inline(always)]
fn urgent_move_on<C: Cpu, W: Cells>(cpu: C, position: &Hex<W>, rng: &mut Rng) -> u16 {
    let mover = position.mover;
    for side in [mover, mover.other()] {
        let cells = position.winning_cells(side);
        if cells != W::NONE {
            return random_cell(cpu, cells, rng);
        }
    }
    random_move(position, rng)
}

treegraft::dispatch! {
    /// A random cell for a player who looks one or two plies ahead.
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
    random_cell(cpu, cells, rng)
}
