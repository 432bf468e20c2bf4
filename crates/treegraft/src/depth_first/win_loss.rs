//! Minimax without an evaluation: won, lost, or neither within a number of plies.
//!
//! The search inside the MCTS-minimax hybrids of Baier & Winands (2015). Draws and positions at the
//! horizon both have the value 0.

use super::embedded::{Embedded, Leaf};
use crate::{Alarm, Exactness, Game, Side};

/// What a win-loss search must find out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WinLossQuestion {
    /// Win, loss or neither: the full window.
    Value,
    /// Loss or not: the null window [-1, 0]. The answer to a win is 0 or 1.
    IsLost,
}

/// A win-loss search.
///
/// The default looks at all moves, in the game's order, and uses the game's quick answers where it
/// has them ([`Exactness::win_loss`]). Moves that [`k`](Embedded::k) leaves out may be better, so a
/// position with more than k moves is never found lost.
pub type WinLoss<M> = Embedded<M, Unknown>;

/// Leaves have the value 0, unless the game knows more.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unknown;

impl<M: Copy> Default for WinLoss<M> {
    fn default() -> WinLoss<M> {
        Embedded::with(Unknown)
    }
}

impl<M: Copy> WinLoss<M> {
    /// The value of `position` for `me` within `depth` plies: 1 if it is won, -1 if it is lost, 0
    /// if neither (a draw, or undecided within these plies).
    #[inline]
    pub fn value<G: Game<Move = M>>(
        &mut self,
        position: &G,
        depth: u32,
        me: Side,
        question: WinLossQuestion,
    ) -> i64 {
        self.value_until(position, depth, me, question, &mut Alarm::default()).unwrap_or(0)
    }

    /// The same, but `None` if the alarm rings before it is known, or has rung already. A
    /// caller with many positions announces their number to the alarm ([`Alarm::rings_before`]).
    #[inline]
    pub fn value_until<G: Game<Move = M>>(
        &mut self,
        position: &G,
        depth: u32,
        me: Side,
        question: WinLossQuestion,
        alarm: &mut Alarm<'_>,
    ) -> Option<i64> {
        let window = match question {
            WinLossQuestion::Value => (-1, 1),
            WinLossQuestion::IsLost => (-1, 0),
        };
        self.value_within(window, position, depth, me, alarm)
    }
}

impl<G: Game> Leaf<G> for Unknown {
    const WIN: i64 = 1;
    const LEFT_OUT: i64 = 0;

    #[inline]
    fn value(search: &mut WinLoss<G::Move>, position: &G, depth: u32, _: Side) -> Option<i64> {
        match depth {
            0 => Some(0),
            _ if search.k.is_some() || search.slow => None,
            _ => position.exactness().win_loss(depth),
        }
    }
}
