//! Evaluations that approach a won or lost game without ever reaching it.

use treegraft::EVAL_ONE;

/// The hyperbolic tangent as an evaluation: the same number on every machine.
pub(crate) fn tanh(x: f64) -> i32 {
    // The standard library calls the system's tangent, and systems differ in the last digit.
    let value = libm::round(libm::tanh(x) * f64::from(EVAL_ONE)) as i32;
    value.clamp(1 - EVAL_ONE, EVAL_ONE - 1)
}

/// A lead as an evaluation: half a game for a lead of `half`, more for more.
#[inline(always)]
pub(crate) fn share(lead: i32, half: i32) -> i32 {
    EVAL_ONE / (lead.abs() + half) * lead
}

/// The value of all pieces of a row, by the row and the set of their columns; `by_square` has the value
/// of single pieces.
pub(crate) const fn rows<const N: usize>(by_square: [[i16; 8]; N]) -> [[i16; 256]; N] {
    let mut rows = [[0; 256]; N];
    let mut i = 0;
    while i < N * 256 {
        let (row, set) = (i / 256, i % 256);
        let mut column = 0;
        while column < 8 {
            rows[row][set] += by_square[row][column] * (set as i16 >> column & 1);
            column += 1;
        }
        i += 1;
    }
    rows
}
