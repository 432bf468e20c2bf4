//! The fitted evaluation of the 7x6 board: all lines of four by what lies on them, columns, and
//! threats by the parity of their rows.
//!
//! An empty cell is one of two: a stone can be dropped into it now, or not yet. Everything has two
//! weights, one for each parity of the stones on the board: who has to move when only bad cells are
//! left depends on it (Allis 1988). `tune/connect4.toml` says how the weights were fitted.

use std::sync::LazyLock;

use treegraft::Evaluator;
use treegraft::linear::Weights;

use super::Connect4;
use crate::tuned::{self, Look, Seen};

/// The shipped weights.
static WEIGHTS: &[u8] = include_bytes!("weights.bin");

/// The same, read.
static SHIPPED: LazyLock<Option<Weights>> =
    LazyLock::new(|| tuned::read::<Connect4, Fours>(WEIGHTS));

/// The fitted evaluation, if it knows the board.
pub(super) fn evaluator(board: &Connect4) -> Option<Evaluator<Connect4>> {
    let about = "lines of four, columns and threats, fitted to the results of games, for 7x6";
    let tuned =
        Evaluator::plain("tuned", about, |it| tuned::evaluate::<_, Fours>(SHIPPED.as_ref(), it))
            .with_parts(|it| tuned::parts::<_, Fours>(SHIPPED.as_ref(), it))
            .with_features(tuned::features::<_, Fours>());
    ((board.width, board.height) == (7, 6)).then_some(tuned)
}

/// Bits of a column.
const STRIDE: u32 = 7;
const COLUMN: u64 = (1 << STRIDE) - 1;
/// The lowest cell of every column.
const BOTTOM: u64 = 0x0000_0408_1020_4081;
/// The lowest row, and every second one from there.
const ODD_ROWS: u64 = BOTTOM | BOTTOM << 2 | BOTTOM << 4;

/// What can lie on a line of four: four things on each cell.
const PATTERNS: usize = 256;

/// By parity of the stones, row, column of the first cell (0 or 1), and pattern. The other half of the
/// board is mirrored.
const FLAT: usize = 2;
const FLATS: usize = 6 * 2 * PATTERNS;
/// By parity, place and pattern of lines that rise to the right. Those that fall are mirrored.
const RISING: usize = FLAT + 2 * FLATS;
const RISINGS: usize = 12 * PATTERNS;
/// By parity, column, 0 to 3, and what lies in it: the stones of the mover, and a bit above the highest.
const COLUMNS: usize = RISING + 2 * RISINGS;
/// By parity and the cells that would complete a line, but cannot be filled yet: own ones in odd and
/// even rows, and those of the other side; two and more are one number.
const THREATS: usize = COLUMNS + 2 * 4 * 128;
/// By parity and the cells that complete a line now, of both sides.
const WINS: usize = THREATS + 2 * 81;

/// What the fitted evaluation looks at.
struct Fours;

impl Look<Connect4> for Fours {
    const NAME: &'static str = "fours-7x6";
    const COUNT: usize = WINS + 2 * 9;
    const GROUPS: &'static [(&'static str, usize)] = &[
        ("turn", 0),
        ("horizontal lines", FLAT),
        ("diagonal lines", RISING),
        ("columns", COLUMNS),
        ("threats", THREATS),
        ("wins", WINS),
    ];

    #[inline(always)]
    fn look(board: &Connect4, seen: &mut impl Seen) {
        let parity = (board.all.count_ones() & 1) as usize;
        let (own, theirs, open) = (board.own, board.all ^ board.own, board.open());
        seen.see(parity);
        // Two bits a cell: one is set for own stones, one for others, both where one can be dropped.
        let cells = [own | open, theirs | open];
        for [a, b] in [cells, cells.map(mirrored)] {
            for row in 0..6 {
                let (a, b) = (flat(a >> row), flat(b >> row));
                for column in 0..2 {
                    let place = FLATS * parity + PATTERNS * (2 * row + column);
                    seen.see(FLAT + place + pattern(a >> column, b >> column));
                }
            }
            for (start, length, before) in DIAGONALS {
                let (a, b) = (rising(a >> start), rising(b >> start));
                for at in 0..length - 3 {
                    let place = RISINGS * parity + PATTERNS * (before + at);
                    seen.see(RISING + place + pattern(a >> at, b >> at));
                }
            }
        }
        let columns = board.own + board.all + BOTTOM;
        for column in 0..7 {
            let stones = (columns >> (STRIDE * column) & COLUMN) as usize;
            let place = 4 * parity + column.min(6 - column) as usize;
            seen.see(COLUMNS + 128 * place + stones);
        }
        let (wins, losses) = (board.winning_cells(own), board.winning_cells(theirs));
        let count = |cells: u64| cells.count_ones().min(2) as usize;
        let threats = |wins: u64| {
            let later = wins & !open;
            3 * count(later & ODD_ROWS) + count(later & !ODD_ROWS)
        };
        seen.see(THREATS + 81 * parity + 9 * threats(wins) + threats(losses));
        seen.see(WINS + 9 * parity + 3 * count(wins & open) + count(losses & open));
    }
}

/// The lines from the lower left to the upper right of at least four cells: the first cell, the number
/// of cells, and the places of lines of four before.
const DIAGONALS: [(u32, usize, usize); 6] =
    [(0, 6, 0), (7, 6, 3), (14, 5, 6), (21, 4, 8), (1, 5, 9), (2, 4, 11)];

/// Four cells from the lowest bit on, each in two bits.
#[inline(always)]
fn pattern(a: u64, b: u64) -> usize {
    (a & 15 | (b & 15) << 4) as usize
}

/// The cells of the lowest row side by side.
#[inline(always)]
fn flat(cells: u64) -> u64 {
    // Bit 7c is multiplied by 2^(42 - 6c); no other product falls on bits 42 to 48.
    const GATHER: u64 = 1 << 42 | 1 << 36 | 1 << 30 | 1 << 24 | 1 << 18 | 1 << 12 | 1 << 6;
    (cells & BOTTOM).wrapping_mul(GATHER) >> 42 & COLUMN
}

/// The cells of the diagonal that rises from the lowest bit side by side; there are at most six.
#[inline(always)]
fn rising(cells: u64) -> u64 {
    const DIAGONAL: u64 = 0x0000_0101_0101_0101;
    // Bit 8i is multiplied by 2^(35 - 7i).
    const GATHER: u64 = 1 << 35 | 1 << 28 | 1 << 21 | 1 << 14 | 1 << 7 | 1;
    (cells & DIAGONAL).wrapping_mul(GATHER) >> 35 & 63
}

/// The columns in the opposite order.
#[inline(always)]
fn mirrored(cells: u64) -> u64 {
    let mut mirrored = 0;
    for column in 0..7 {
        mirrored |= (cells >> (STRIDE * column) & COLUMN) << (STRIDE * (6 - column));
    }
    mirrored
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuned::tests::{check, positions};

    fn start() -> Connect4 {
        Connect4::new(7, 6).expect("a board")
    }

    #[test]
    fn fast_is_slow() {
        check::<Connect4, Fours>(WEIGHTS, &positions(&start(), 100));
        assert!(evaluator(&Connect4::new(6, 7).expect("a board")).is_none());
    }

    #[test]
    fn colours_and_columns_can_be_swapped() {
        let value = |it: &Connect4| tuned::evaluate::<_, Fours>(SHIPPED.as_ref(), it);
        for board in positions(&start(), 100) {
            let swapped = Connect4 { mover: board.mover.other(), ..board };
            assert_eq!(value(&swapped), -value(&board), "{board:?}");
            let (own, all) = (mirrored(board.own), mirrored(board.all));
            assert_eq!(value(&Connect4 { own, all, ..board }), value(&board), "{board:?}");
        }
    }

    #[test]
    fn lines_are_gathered_cell_by_cell() {
        for board in positions(&start(), 20) {
            for row in 0..6 {
                let expected = (0..7).map(|c| (board.all >> (7 * c + row) & 1) << c).sum::<u64>();
                assert_eq!(flat(board.all >> row), expected);
            }
            for (start, length, _) in DIAGONALS {
                let cells = (0..length).map(|i| (board.all >> (start + 8 * i as u32) & 1) << i);
                let all = (1 << length) - 1;
                assert_eq!(rising(board.all >> start) & all, cells.sum::<u64>());
            }
        }
    }
}
