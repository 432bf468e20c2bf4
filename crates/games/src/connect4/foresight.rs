//! What can be seen a few plies ahead: cells that win, cells that do not lose.

use treegraft::bits::Cpu;
use treegraft::{Exactness, Outcome, Rng};

use super::{Connect4, ending};

impl Connect4 {
    /// The empty cells that complete a line of four of these stones, reachable yet or not.
    #[inline(always)]
    pub(super) fn winning_cells(&self, stones: u64) -> u64 {
        let stride = self.stride();
        // Three stones in a vertical line win above only.
        let mut cells = (stones << 1) & (stones << 2) & (stones << 3);
        for step in [stride - 1, stride, stride + 1] {
            let pair_below = (stones << step) & (stones << (2 * step));
            cells |= pair_below & (stones << (3 * step));
            cells |= pair_below & (stones >> step);
            let pair_above = (stones >> step) & (stones >> (2 * step));
            cells |= pair_above & (stones << step);
            cells |= pair_above & (stones >> (3 * step));
        }
        cells & (self.cells() ^ self.all)
    }

    /// The open cells that do not lose at once, where the side to move cannot win at once: those
    /// that block, and do not let the other side complete a line on top of them.
    #[inline(always)]
    pub(super) fn safe_cells(&self) -> u64 {
        let (open, threats) = (self.open(), self.winning_cells(self.own ^ self.all));
        let forced = open & threats;
        let playable = match (forced, forced & forced.wrapping_sub(1)) {
            (0, _) => open,
            (_, 0) => forced,
            _ => 0,
        };
        playable & !(threats >> 1)
    }

    /// Those of the safe cells after which every answer loses at once.
    #[inline(always)]
    fn safe_cells_that_win(&self) -> u64 {
        let (mut cells, mut wins) = (self.safe_cells(), 0);
        while cells != 0 {
            let cell = cells & cells.wrapping_neg();
            let mut next = *self;
            next.drop_into(cell);
            // On a full board there is no answer.
            if next.safe_cells() == 0 && next.all != next.cells() {
                wins |= cell;
            }
            cells ^= cell;
        }
        wins
    }
}

impl Exactness for Connect4 {
    #[inline]
    fn foregone(&self) -> Option<Outcome> {
        if self.winning_cells(self.own) & self.open() != 0 {
            Some(Outcome::Win(self.mover))
        } else if self.safe_cells() == 0 {
            Some(Outcome::Win(self.mover.other()))
        } else {
            None
        }
    }

    #[inline]
    fn ending(&self, plies: u32, least: i64, nodes: &mut u64) -> Option<bool> {
        ending::reaches(self, plies, least, nodes)
    }

    #[inline]
    fn candidate_moves(&self, moves: &mut Vec<u8>) {
        self.push_columns(self.safe_cells(), moves);
    }

    #[inline]
    fn win_loss(&self, plies: u32) -> Option<i64> {
        if self.winning_cells(self.own) & self.open() != 0 {
            Some(1)
        } else if plies > 1 && self.safe_cells() == 0 {
            Some(-1)
        } else if plies == 3 {
            // A win in three: a safe cell that leaves the other side none.
            Some(i64::from(self.safe_cells_that_win() != 0))
        } else {
            (plies <= 2).then_some(0)
        }
    }
}

treegraft::dispatch! {
    pub(super) fn careful_column(board: &Connect4, plies: u32, rng: &mut Rng) -> u8 = careful_column_on;
}

/// A column for a player who looks one, two or three plies ahead.
#[inline(always)]
fn careful_column_on<C: Cpu>(cpu: C, board: &Connect4, plies: u32, rng: &mut Rng) -> u8 {
    let open = board.open();
    let mut cells = board.winning_cells(board.own) & open;
    if plies == 3 {
        cells |= board.safe_cells_that_win();
    }
    if cells == 0 && plies > 1 {
        cells = board.safe_cells();
    }
    if cells == 0 {
        cells = open;
    }
    let cell = cpu.nth_bit(cells, rng.below(cells.count_ones()));
    (cell.trailing_zeros() / board.stride()) as u8
}
