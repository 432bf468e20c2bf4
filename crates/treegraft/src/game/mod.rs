//! The contract between a game and every search.

use std::fmt::Debug;
use std::hash::Hash;

use crate::weights::{best_first, draw_by_weight};
use crate::{Ipp, Outcome, Rng, Side, Trace};

#[macro_use]
mod declare;
pub mod erased;
mod groups;
#[cfg(test)]
mod tests;

pub use groups::{Exactness, Knowledge, Notation, Of, Plain, Speed};

/// A position of a two-player game with perfect information and no chance.
///
/// Four methods make a game: [`to_move`](Game::to_move), [`moves`](Game::moves),
/// [`play`](Game::play) and [`outcome`](Game::outcome). Everything else has a default that is
/// right, and that a game may replace by something faster or nicer. What belongs together is a
/// group, a trait of its own: [`Speed`], [`Notation`], [`Knowledge`] and [`Exactness`]. A game
/// implements the groups that it brings and names them in [`brings!`](crate::brings):
///
/// ```
/// use treegraft::{Game, Notation, Outcome, Side};
///
/// /// Two players take one, two or three of a heap in turn; whoever takes the last one wins.
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
///     treegraft::brings!(Notation);
/// }
///
/// impl Notation for Nim {
///     fn move_text(&self, take: u8) -> String { format!("take-{take}") }
/// }
///
/// let nim = Nim { heap: 5, mover: Side::First };
/// assert_eq!(nim.notation().move_text(2), "take-2");
/// assert_eq!(nim.notation().parse_move("take-3"), Ok(3)); // the default, by `move_text`
/// ```
///
/// Turns need not alternate: a move may leave the same side to move. A side that cannot move
/// but has not lost passes, and the pass is a move like any other.
///
/// Positions are cloned for every simulation, so keep them small; they are plain values, and
/// two positions are equal exactly when the same can happen from now on.
/// The conformance kit (`treegraft-conformance`) checks all of this for your game.
pub trait Game: Clone + Eq + Hash + Debug {
    /// A move: a small value, such as a column or two squares.
    type Move: Copy + Eq + Hash + Debug;

    // ---------------------------------------------------------------- the four methods

    /// The side whose turn it is. Any answer will do once the game is over.
    fn to_move(&self) -> Side;

    /// Appends all legal moves, each once, to `moves`.
    ///
    /// Only called while the game goes on, and then there is at least one. The order is part of
    /// the game: searches that look at moves from left to right see this one.
    fn moves(&self, moves: &mut Vec<Self::Move>);

    /// Plays a move, which the caller knows to be legal.
    fn play(&mut self, mv: Self::Move);

    /// How the game ended, or `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    // ---------------------------------------------------------------- more rules, and the groups

    /// When a game that could go on for ever is drawn.
    fn limits(&self) -> Limits {
        Limits::default()
    }

    /// Plays uniformly random moves until the game is over or `max_plies` have been played (a draw),
    /// leaves `self` in the final position, and adds the moves to `trace`, if there is one. `None`,
    /// having done nothing: the game has no fast way, or none that leaves a trace. Call
    /// [`playout`], which then plays move by move.
    ///
    /// Outcomes and margins have the same distribution as move by move. It may play on when the game
    /// is over, if that is faster and no move can change the outcome or margin; then it traces these
    /// moves too.
    #[inline(always)]
    fn fast_playout(
        &mut self,
        rng: &mut Rng,
        max_plies: u32,
        trace: Option<&mut Trace>,
    ) -> Option<Playout> {
        let _ = (rng, max_plies, trace);
        None
    }

    /// What searches do faster with the game's help.
    #[inline(always)]
    fn speed(&self) -> impl Speed<Self> {
        Plain(self)
    }

    /// What people read and write.
    #[inline(always)]
    fn notation(&self) -> impl Notation<Self> {
        Plain(self)
    }

    /// What the game knows about good play.
    #[inline(always)]
    fn knowledge(&self) -> impl Knowledge<Self> {
        Plain(self)
    }

    /// What the game knows for certain.
    #[inline(always)]
    fn exactness(&self) -> impl Exactness<Self> {
        Plain(self)
    }
}

/// When a game that could go on for ever is drawn: the same all game long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// A random playout is given up after this many plies, at least one, and is a draw.
    pub playout_plies: u32,
    /// A game that is played (not searched) is drawn when a position occurs for this time, at least
    /// the second. `None`: repetition means nothing. See [`Playthrough`](crate::Playthrough).
    pub repetitions: Option<u32>,
    /// A game that is played (not searched) is drawn after this many plies, at least one.
    pub plies: Option<u32>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { playout_plies: 10_000, repetitions: None, plies: None }
    }
}

/// The end of a random playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playout {
    /// How the game ended; a draw if it was cut off.
    pub outcome: Outcome,
    /// Number of moves played.
    pub plies: u32,
    /// Whether the playout was cut off by its limit on plies.
    pub capped: bool,
}

/// Plays uniformly random moves until the game is over or `max_plies` have been played, which is a
/// draw: by the game's [fast way](Game::fast_playout), if it has one. The moves are added to
/// `trace`, if there is one; with a trace, other random numbers may be drawn than without.
///
/// `buffer` is scratch space that may hold anything.
#[inline(always)]
pub fn playout<G: Game>(
    position: &mut G,
    rng: &mut Rng,
    buffer: &mut Vec<G::Move>,
    max_plies: u32,
    mut trace: Option<&mut Trace>,
) -> Playout {
    if let Some(playout) = position.fast_playout(rng, max_plies, trace.as_deref_mut()) {
        return playout;
    }
    let mut plies = 0;
    loop {
        if let Some(outcome) = position.outcome() {
            return Playout { outcome, plies, capped: false };
        }
        if plies == max_plies {
            return Playout { outcome: Outcome::Draw, plies, capped: true };
        }
        let mv = position.speed().random_move(rng, buffer);
        if let Some(trace) = &mut trace {
            trace.add_move(position, mv);
        }
        position.play(mv);
        plies += 1;
    }
}

/// Upper limit for [`Speed::move_slots`].
pub const MAX_SLOTS: usize = 1 << 20;

/// A [`playout`] within the game's own [limit](Limits::playout_plies).
pub fn random_playout<G: Game>(position: &mut G, rng: &mut Rng) -> Playout {
    let limit = position.limits().playout_plies;
    playout(position, rng, &mut Vec::new(), limit, None)
}

/// The default of [`Speed::guided_move`], for games that replace it for weights only, or for hints.
#[inline(always)]
pub fn guided_move<G: Game>(
    position: &G,
    ipp: Option<Ipp>,
    rng: &mut Rng,
    buffer: &mut Vec<G::Move>,
) -> G::Move {
    buffer.clear();
    position.moves(buffer);
    if let Some(ipp) = ipp {
        return draw_by_weight(position, ipp, buffer, rng);
    }
    let best = best_first(buffer, i32::MIN, |mv| position.knowledge().order_hint(mv));
    buffer[rng.below(best as u32) as usize]
}

/// The legal moves of a position, none if the game is over.
#[must_use]
pub fn legal_moves<G: Game>(position: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    if position.outcome().is_none() {
        position.moves(&mut moves);
    }
    moves
}

/// The position after a legal move.
#[must_use]
pub fn played<G: Game>(position: &G, mv: G::Move) -> G {
    let mut next = position.clone();
    next.play(mv);
    next
}

/// "one of a, b, c" for error messages; long lists are cut.
pub(crate) fn one_of<G: Game>(position: &G, moves: &[G::Move]) -> String {
    const SHOWN: usize = 40;
    if moves.is_empty() {
        return "no move: the game is over".to_owned();
    }
    let mut texts: Vec<String> =
        moves.iter().take(SHOWN).map(|&mv| position.notation().move_text(mv)).collect();
    if moves.len() > SHOWN {
        texts.push(format!("… ({} in all)", moves.len()));
    }
    format!("one of {}", texts.join(", "))
}
