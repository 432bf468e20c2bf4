//! Alpha-beta of a few plies with an evaluation at the horizon, for use inside other searches.
//!
//! The search inside MCTS-IR-M, MCTS-IC-M and MCTS-IP-M (Baier & Winands 2014). A depth of 0 is the
//! evaluation.

use super::embedded::{Embedded, Leaf};
use crate::{Alarm, Evaluator, Game, Side};

/// A search to a fixed depth with an evaluation at the horizon.
///
/// Values are those of [`Evaluate`](crate::Evaluate) in the view of the caller's side; a finished
/// game scores [`Shallow::WIN`](Embedded::WIN), its negative or 0, whatever the depth. Moves that
/// [`k`](Embedded::k) leaves out are ignored.
pub type Shallow<G> = Embedded<<G as Game>::Move, Evaluated<G>>;

/// Leaves are evaluated.
#[derive(Debug)]
pub struct Evaluated<G: Game>(Option<Evaluator<G>>);

impl<G: Game> Embedded<G::Move, Evaluated<G>> {
    /// A won game: more than any evaluation.
    pub const WIN: i64 = super::WIN;

    /// A search that looks at all moves, in the game's order. Without an evaluation, unfinished
    /// positions at the horizon have the value 0.
    #[must_use]
    pub fn new(evaluator: Option<Evaluator<G>>) -> Shallow<G> {
        Embedded::with(Evaluated(evaluator))
    }

    /// The static value of an unfinished position in the first player's view.
    pub fn evaluate(&mut self, position: &G) -> i64 {
        self.evaluations += 1;
        self.leaf.0.as_ref().map_or(0, |evaluator| i64::from(evaluator.evaluate(position)))
    }

    /// The minimax value of `position` for `me` after `depth` plies.
    pub fn value(&mut self, position: &G, depth: u32, me: Side) -> i64 {
        self.value_above(-Self::WIN, position, depth, me, &mut Alarm::default()).unwrap_or(0)
    }

    /// The same if it is greater than `alpha`, else an upper bound that is not; `None` if the alarm
    /// rings before it is known, or has rung already. A caller with many positions announces their
    /// number to the alarm ([`Alarm::rings_before`]).
    pub fn value_above(
        &mut self,
        alpha: i64,
        position: &G,
        depth: u32,
        me: Side,
        alarm: &mut Alarm<'_>,
    ) -> Option<i64> {
        self.value_within((alpha, Self::WIN), position, depth, me, alarm)
    }
}

impl<G: Game> Leaf<G> for Evaluated<G> {
    const WIN: i64 = super::WIN;
    const LEFT_OUT: i64 = -super::WIN;

    #[inline]
    fn value(search: &mut Shallow<G>, position: &G, depth: u32, mover: Side) -> Option<i64> {
        (depth == 0).then(|| mover.sign() * search.evaluate(position))
    }
}
