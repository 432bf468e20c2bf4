//! Hints, and the static evaluation: lines of four that can still be completed.

use treegraft::{Evaluator, Knowledge, Part, Side};

use super::{Connect4, tuned};
use crate::squash;

impl Knowledge for Connect4 {
    /// More threats are better; then columns in the middle, which are part of more lines.
    #[inline]
    fn order_hint(&self, column: u8) -> i32 {
        let cell = self.open() & self.column(column);
        let threats = self.winning_cells(self.own | cell) & !cell;
        let off_centre = (2 * i32::from(column) - (i32::from(self.width) - 1)).abs();
        64 * threats.count_ones() as i32 - off_centre
    }

    /// All evaluations that know this size of board, the usual one first: another order would change
    /// the searches that use it.
    fn evaluators(&self) -> Vec<Evaluator<Connect4>> {
        let about = "lines of four still open to each side, by the stones they hold";
        let lines = Evaluator::plain("lines", about, lines).with_parts(lines_parts);
        [lines].into_iter().chain(tuned::evaluator(self)).collect()
    }

    #[inline]
    fn plies_left(&self) -> Option<u32> {
        Some((self.cells() ^ self.all).count_ones())
    }
}

/// The value of a line with one, two and three stones; empty ones are open to both sides.
const WORTH: [i32; 3] = [1, 4, 16];

fn lines(position: &Connect4) -> i32 {
    /// The lead with the value of half a won game.
    const HALF: i32 = 40;
    let theirs = position.own ^ position.all;
    let worth = |own, theirs| -> i32 {
        let lines = position.open_lines(own, theirs);
        (0..3).map(|i| WORTH[i] * lines[i + 1] as i32).sum()
    };
    let lead = worth(position.own, theirs) - worth(theirs, position.own);
    position.mover.sign() as i32 * squash::share(lead, HALF)
}

fn lines_parts(position: &Connect4) -> Vec<Part> {
    let theirs = position.own ^ position.all;
    let [first, second] = [Side::First, Side::Second].map(|side| match side == position.mover {
        true => position.open_lines(position.own, theirs),
        false => position.open_lines(theirs, position.own),
    });
    let names = ["lines with one stone", "lines with two stones", "lines with three stones"];
    let part = |i: usize| Part::new(names[i], [first[i + 1], second[i + 1]], WORTH[i].into());
    (0..3).map(part).collect()
}
