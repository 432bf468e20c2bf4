//! Exchanges: what a step wins or loses.

use super::{Breakthrough, Step, Word};

/// The value of a piece.
const PIECE: i32 = 100;

impl<B: Word> Breakthrough<B> {
    /// The squares diagonally above or below some squares that are on the board.
    #[inline(always)]
    pub(super) fn diagonals(&self, up: bool, squares: B) -> B {
        let last_column = self.column_a << (self.width() - 1);
        let (left, right) = (squares & !self.column_a, squares & !last_column);
        let w = self.width();
        if up { left << (w - 1) | right << (w + 1) } else { left >> (w + 1) | right >> (w - 1) }
    }

    /// What a step wins or loses if both sides go on to capture on its square; `None` if it captures
    /// nothing and loses nothing. A step to the goal wins.
    #[inline(always)]
    pub(super) fn exchange_on<const UP: bool>(&self, mv: Step) -> Option<i32> {
        let (own, other) = if UP { (self.white, self.black) } else { (self.black, self.white) };
        let (from, to) = (B::ONE << u32::from(mv.from), B::ONE << u32::from(mv.to));
        if to & self.goal(Self::mover_of::<UP>()) != B::NONE {
            return Some(16 * PIECE);
        }
        let captured = i32::from(other & to != B::NONE);
        let attackers = (self.diagonals(UP, to) & other).count();
        let defenders = (self.diagonals(!UP, to) & (own ^ from)).count();
        let gain = captured - i32::from(attackers > defenders);
        (captured == 1 || gain < 0).then_some(PIECE * gain)
    }
}
