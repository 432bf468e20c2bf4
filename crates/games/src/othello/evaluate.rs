//! Hints, and static evaluations: discs, squares by value, mobility.

use treegraft::bits::Cpu;
use treegraft::{EVAL_ONE, Evaluator, Knowledge, Part};

use super::discs::Steps;
use super::{Othello, PASS, SIDES, greedy, tuned};
use crate::squash;

impl Knowledge for Othello {
    /// Corners are never turned back; the squares beside them give them away.
    fn order_hint(&self, mv: u8) -> i32 {
        /// By distance from the two nearest edges.
        const WORTH: [[i32; 4]; 4] =
            [[100, -20, 10, 5], [-20, -50, -2, -2], [10, -2, 1, 1], [5, -2, 1, 0]];
        if mv == PASS {
            return 0;
        }
        let from_edge = |x: u8| usize::from(x.min(self.size - 1 - x));
        WORTH[from_edge(mv / 8)][from_edge(mv % 8)]
    }

    /// All evaluations that know this size of board.
    fn evaluators(&self) -> Vec<Evaluator<Othello>> {
        let mobility = Evaluator::plain(
            "mobility",
            "difference of the moves that the sides have, or would have if it were their turn",
            mobility,
        )
        .with_parts(mobility_parts)
        .with_greedy(greedy::by_mobility)
        .with_playouts(greedy::playouts_by_mobility);
        let discs = Evaluator::plain("discs", "difference of discs, as a part of the board", discs)
            .with_parts(|it| vec![Part::new("discs", SIDES.map(|side| it.discs(side)), 1.0)])
            .with_greedy(greedy::by_discs)
            .with_playouts(greedy::playouts_by_discs);
        let wpc = Evaluator::plain(
            "wpc",
            "weighted piece counter: value of every disc by its square, for 8x8",
            wpc,
        )
        .with_parts(wpc_parts)
        .with_greedy(greedy::by_wpc)
        .with_playouts(greedy::playouts_by_wpc);
        let own_mobility = Evaluator::plain(
            "own-mobility",
            "moves that the side which has just moved would have if it were its turn again: for playouts",
            own_mobility,
        )
        .with_parts(own_mobility_parts)
        .with_greedy(greedy::by_own_mobility)
        .with_playouts(greedy::playouts_by_own_mobility);
        if self.size == 8 {
            vec![wpc, discs, mobility, own_mobility, tuned::evaluator()]
        } else {
            vec![mobility, discs, own_mobility]
        }
    }

    /// Passes do not count: there are few.
    #[inline]
    fn plies_left(&self) -> Option<u32> {
        Some(self.empty_cells().count_ones())
    }
}

pub(super) fn discs(position: &Othello) -> i32 {
    EVAL_ONE / (position.size() * position.size()) as i32 * position.lead() as i32
}

/// Hundredths by row from the nearest edge and by column: the standard heuristic player of the
/// literature on learning Othello.
const WEIGHTS: [[i16; 8]; 4] = [
    [100, -25, 10, 5, 5, 10, -25, 100],
    [-25, -25, 1, 1, 1, 1, -25, -25],
    [10, 1, 5, 2, 2, 5, 1, 10],
    [5, 1, 2, 1, 1, 2, 1, 5],
];

/// More than any sum of weights: that of their absolute values, over the four quarters.
const ALL_WEIGHTS: i32 = 4 * 219 + 1;

/// The value of all discs of a row, by the row from the nearest edge and the set of columns.
static ROWS: [[i16; 256]; 4] = squash::rows(WEIGHTS);

/// The value of a set of discs, in hundredths.
#[inline(always)]
pub(super) fn worth(discs: u64) -> i32 {
    let rows = discs.to_le_bytes();
    (0..8).map(|r| i32::from(ROWS[r.min(7 - r)][usize::from(rows[r])])).sum()
}

pub(super) fn wpc(position: &Othello) -> i32 {
    let lead = worth(position.own) - worth(position.opp);
    position.mover.sign() as i32 * (EVAL_ONE / ALL_WEIGHTS) * lead
}

/// The squares of a quarter of the board by name, and where in the quarter they are.
const GROUPS: [(&str, &[(usize, usize)]); 8] = [
    ("corners", &[(0, 0)]),
    ("beside corners", &[(0, 1), (1, 0), (1, 1)]),
    ("edge, third from a corner", &[(0, 2), (2, 0)]),
    ("edge, fourth from a corner", &[(0, 3), (3, 0)]),
    ("second line", &[(1, 2), (1, 3), (2, 1), (3, 1)]),
    ("third line, corners", &[(2, 2)]),
    ("third line", &[(2, 3), (3, 2)]),
    ("centre", &[(3, 3)]),
];

fn wpc_parts(position: &Othello) -> Vec<Part> {
    let part = |&(name, squares): &(&'static str, &[(usize, usize)])| {
        let is_one = |cell: u32| {
            let from_edge = |x: u32| x.min(7 - x) as usize;
            squares.contains(&(from_edge(cell / 8), from_edge(cell % 8)))
        };
        let discs = SIDES.map(|side| {
            let discs = position.discs_of(side);
            (0..64).filter(|&cell| discs >> cell & 1 == 1 && is_one(cell)).count() as u32
        });
        let (row, column) = squares[0];
        Part::new(name, discs, f64::from(WEIGHTS[row][column]) / 100.0)
    };
    GROUPS.iter().map(part).collect()
}

treegraft::dispatch! {
    pub(super) fn mobility(position: &Othello) -> i32 = mobility_on;
}

#[inline(always)]
fn mobility_on<C: Cpu>(_: C, position: &Othello) -> i32 {
    let steps = Steps::new();
    let moves = |position: &Othello| position.placements_inlined(steps).count_ones() as i32;
    let lead = moves(position) - moves(&position.passed());
    position.mover.sign() as i32 * squash::share(lead, 2 * position.size() as i32)
}

treegraft::dispatch! {
    pub(super) fn own_mobility(position: &Othello) -> i32 = own_mobility_on;
}

#[inline(always)]
fn own_mobility_on<C: Cpu>(_: C, position: &Othello) -> i32 {
    let moves = position.passed().placements_inlined(Steps::new()).count_ones() as i32;
    -(position.mover.sign() as i32) * squash::share(moves, 2 * position.size() as i32)
}

fn own_mobility_parts(position: &Othello) -> Vec<Part> {
    let moves = position.passed().placements_inlined(Steps::new()).count_ones();
    let counts = SIDES.map(|side| if side == position.mover { 0 } else { moves });
    vec![Part::new("moves of the side that has just moved", counts, 1.0)]
}

fn mobility_parts(position: &Othello) -> Vec<Part> {
    let moves = SIDES.map(|side| {
        let turn = if side == position.mover { *position } else { position.passed() };
        turn.placements_inlined(Steps::new()).count_ones()
    });
    vec![Part::new("moves", moves, 1.0)]
}
