//! Static evaluations of positions.

use crate::Game;

/// One whole point of an evaluation: the worth of a won game.
pub const EVAL_ONE: i32 = 1_000_000;

/// A static evaluation: how good an unfinished position looks, without searching.
///
/// * **Viewpoint**: always the first player's, whoever is to move. A position that is good for
///   the second player has a negative value.
/// * **Scale**: integers, strictly between `-EVAL_ONE` and `EVAL_ONE`, where `EVAL_ONE` is the
///   worth of a won game. Integers, because windows and bounds must compare exactly; fixed
///   point, so that a value squashed by `tanh` keeps six digits.
/// * Finished games are never evaluated: their outcome is known.
///
/// ```
/// use treegraft::{EVAL_ONE, Evaluate, Game, Outcome, Side};
///
/// /// Two players take one, two or three of a heap in turn; who takes the last one wins.
/// #[derive(Clone, Debug, PartialEq, Eq, Hash)]
/// struct Nim { heap: u8, mover: Side }
///
/// impl Game for Nim {
///     type Move = u8;
///     fn to_move(&self) -> Side { self.mover }
///     fn moves(&self, moves: &mut Vec<u8>) { moves.extend(1..=self.heap.min(3)) }
///     fn play(&mut self, take: u8) { self.heap -= take; self.mover = self.mover.other(); }
///     fn outcome(&self) -> Option<Outcome> {
///         (self.heap == 0).then_some(Outcome::Win(self.mover.other()))
///     }
/// }
///
/// struct MultiplesOfFour;
///
/// impl Evaluate<Nim> for MultiplesOfFour {
///     fn evaluate(&self, position: &Nim) -> i32 {
///         let good_for = if position.heap % 4 == 0 { position.mover.other() } else { position.mover };
///         good_for.sign() as i32 * EVAL_ONE / 2
///     }
/// }
///
/// let nim = Nim { heap: 8, mover: Side::First };
/// assert!(MultiplesOfFour.evaluate(&nim) < 0);
/// ```
pub trait Evaluate<G: Game> {
    /// The value of an unfinished `position` in the first player's view.
    fn evaluate(&self, position: &G) -> i32;
}

impl<G: Game, F: Fn(&G) -> i32> Evaluate<G> for F {
    fn evaluate(&self, position: &G) -> i32 {
        self(position)
    }
}

/// A static evaluation with its name, as games list them ([`Game::evaluators`]).
#[derive(Clone, Copy, Debug)]
pub struct Evaluator<G> {
    /// What players call it: `eval=NAME`.
    pub name: &'static str,
    /// What it counts, in a few words.
    pub about: &'static str,
    /// The evaluation; see [`Evaluate`] for viewpoint and scale.
    pub evaluate: fn(&G) -> i32,
}

impl<G: Game> Evaluate<G> for Evaluator<G> {
    fn evaluate(&self, position: &G) -> i32 {
        (self.evaluate)(position)
    }
}
