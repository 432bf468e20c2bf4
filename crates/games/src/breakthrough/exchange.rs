//! Exchanges: what a step wins or loses.

use super::{Breakthrough, Step, Word};

/// The worth of a piece.
const PIECE: i32 = 100;

impl<B: Word> Breakthrough<B> {
    /// The squares diagonally before a square (`UP`: above it) that are on the board.
    #[inline(always)]
    fn diagonals<const UP: bool>(&self, square: B) -> B {
        let last_column = self.column_a << (self.width() - 1);
        let (left, right) = (square & !self.column_a, square & !last_column);
        let w = self.width();
        if UP { left << (w - 1) | right << (w + 1) } else { left >> (w + 1) | right >> (w - 1) }
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
        let attackers = if UP { self.diagonals::<true>(to) } else { self.diagonals::<false>(to) };
        let defenders = if UP { self.diagonals::<false>(to) } else { self.diagonals::<true>(to) };
        let attackers = (attackers & other).count();
        let defenders = (defenders & (own ^ from)).count();
        let gain = captured - i32::from(attackers > defenders);
        (captured == 1 || gain < 0).then_some(PIECE * gain)
    }
}
