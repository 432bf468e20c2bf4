//! Static evaluations: discs, squares by worth, mobility.

use treegraft::bits::Cpu;
use treegraft::{EVAL_ONE, Evaluator};

use super::Othello;
use super::discs::Steps;
use crate::squash;

/// All evaluations that know this size of board.
pub(super) fn evaluators(position: &Othello) -> Vec<Evaluator<Othello>> {
    let mobility = Evaluator::plain(
        "mobility",
        "difference of the moves that the sides have, or would have if it were their turn",
        mobility,
    );
    let discs = Evaluator::plain("discs", "difference of discs, as a part of the board", discs);
    let wpc = Evaluator::plain(
        "wpc",
        "weighted piece counter: worth of every disc by its square, for 8x8",
        wpc,
    );
    if position.size == 8 { vec![wpc, discs, mobility] } else { vec![mobility, discs] }
}

fn discs(position: &Othello) -> i32 {
    EVAL_ONE / (position.size() * position.size()) as i32 * position.lead() as i32
}

/// Hundredths by row and column from the nearest edges: the standard heuristic player of the
/// literature on learning Othello.
const WEIGHTS: [[i16; 4]; 4] = [[100, -25, 10, 5], [-25, -25, 1, 1], [10, 1, 5, 2], [5, 1, 2, 1]];

/// More than any sum of weights: that of their absolute values, over the four quarters.
const ALL_WEIGHTS: i32 = 4 * 219 + 1;

/// The worth of all discs of a row, by the row from the nearest edge and the set of columns.
static ROWS: [[i16; 256]; 4] = {
    let mut rows = [[0; 256]; 4];
    let mut i = 0;
    while i < 4 * 256 {
        let (row, set) = (i / 256, i % 256);
        let mut column = 0;
        while column < 8 {
            let from_edge = if column < 4 { column } else { 7 - column };
            rows[row][set] += WEIGHTS[row][from_edge] * (set as i16 >> column & 1);
            column += 1;
        }
        i += 1;
    }
    rows
};

fn wpc(position: &Othello) -> i32 {
    let worth = |discs: u64| -> i32 {
        let rows = discs.to_le_bytes();
        (0..8).map(|r| i32::from(ROWS[r.min(7 - r)][usize::from(rows[r])])).sum()
    };
    let lead = worth(position.own) - worth(position.opp);
    position.mover.sign() as i32 * (EVAL_ONE / ALL_WEIGHTS) * lead
}

treegraft::dispatch! {
    fn mobility(position: &Othello) -> i32 = mobility_on;
}

#[inline(always)]
fn mobility_on<C: Cpu>(_: C, position: &Othello) -> i32 {
    let steps = Steps::new();
    let moves = |position: &Othello| position.placements_inlined(steps).count_ones() as i32;
    let lead = moves(position) - moves(&position.passed());
    position.mover.sign() as i32 * squash::share(lead, 2 * position.size() as i32)
}
