//! The sum of all weights of a position in a few dozen lookups.
//!
//! Every window of 2x3 or 3x2 squares lies in one of 3x3, so one table for each place of a 3x3 window
//! has the weights of all that it stands for.

use treegraft::bits::Cpu;
use treegraft::linear::{Weights, value_of};

use super::{COUNT, PIECES, RUNNERS, SQUARE, Shape, TALL, TURN, View, WIDE};

/// What can stand in three squares, and in nine.
const LINE: usize = 27;
const CELLS: usize = LINE * LINE * LINE;

/// Weights by what stands in each 3x3 window, by the runners, and by the pieces.
pub(super) struct Tables {
    windows: Vec<[i16; CELLS]>,
    runners: [i32; 9 * 9],
    /// With the weight of the turn.
    pieces: [i32; 17 * 17],
}

impl Tables {
    /// The tables of these weights, if they are for these features and not too large.
    pub(super) fn new(weights: &Weights) -> Option<Tables> {
        let units = &weights.units;
        if weights.features != "windows-8x8" || units.len() != COUNT {
            return None;
        }
        let mut windows = Vec::with_capacity(36);
        for (row, column) in (0..6).flat_map(|row| (0..6).map(move |column| (row, column))) {
            windows.push(window(units, row, column)?);
        }
        let runners = std::array::from_fn(|at| units[RUNNERS + at]);
        let pieces = std::array::from_fn(|at| units[PIECES + at].saturating_add(units[TURN]));
        Some(Tables { windows, runners, pieces })
    }
}

/// The table of the window with its lower left corner here.
fn window(units: &[i32], row: usize, column: usize) -> Option<[i16; CELLS]> {
    // The parts that no window before has: the lowest ones and the leftmost ones, and at the upper
    // and the right edge those that no window follows.
    let ends = |at: usize| if at == 5 { 2 } else { 1 };
    let mut table = [0; CELLS];
    for (code, entry) in table.iter_mut().enumerate() {
        let cell = |r: usize, c: usize| code / 3usize.pow((8 - 3 * r - c) as u32) % 3;
        let part = |shape: &Shape, up: usize, right: usize| {
            let feature = shape.feature(row + up, column + right, |r, c| cell(r + up, c + right));
            i64::from(units[feature])
        };
        let wide: i64 = (0..ends(row)).map(|up| part(&WIDE, up, 0)).sum();
        let tall: i64 = (0..ends(column)).map(|right| part(&TALL, 0, right)).sum();
        *entry = i16::try_from(wide + tall + part(&SQUARE, 0, 0)).ok()?;
    }
    Some(table)
}

/// For every set of squares of a row the codes of three squares in a line, that of the leftmost three
/// in the lowest byte: 9, 3 and 1 for each that is there.
static CODES: [u64; 256] = {
    let mut codes = [0; 256];
    let mut set = 0;
    while set < 256 {
        let mut column = 0;
        while column < 6 {
            let three = set as u64 >> column;
            let code = 9 * (three & 1) + 3 * (three >> 1 & 1) + (three >> 2 & 1);
            codes[set] |= code << (8 * column);
            column += 1;
        }
        set += 1;
    }
    codes
};

treegraft::dispatch! {
    /// The value of a position in the first player's view.
    pub(super) fn value(view: &View, tables: &Tables) -> i32 = value_on;
}

#[inline(always)]
fn value_on<C: Cpu>(_: C, view: &View, tables: &Tables) -> i32 {
    let (own, opp) = (view.own.to_le_bytes(), view.opp.to_le_bytes());
    // No byte overflows: a code is at most 13, and 26 for the other side.
    let lines: [[u8; 8]; 8] = std::array::from_fn(|row| {
        let [own, opp] = [own, opp].map(|rows| CODES[usize::from(rows[row])]);
        (own + 2 * opp).to_le_bytes()
    });
    let mut sum = 0;
    for (row, windows) in tables.windows.chunks_exact(6).enumerate() {
        for (column, window) in windows.iter().enumerate() {
            let [low, middle, high] =
                [0, 1, 2].map(|up| usize::from(lines[(row + up) & 7][column]));
            let code = (low * LINE + middle) * LINE + high;
            sum += i32::from(window.get(code).copied().unwrap_or(0));
        }
    }
    let [own, opp] = view.runners();
    sum += tables.runners[9 * own + opp];
    let [own, opp] = [view.own, view.opp].map(|pieces| pieces.count_ones() as usize);
    sum += tables.pieces.get(17 * own + opp).copied().unwrap_or(0);
    view.mover.sign() as i32 * value_of(sum)
}
