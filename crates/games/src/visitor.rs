//! Code that works for every game, and what a game's module makes of a text with it.

use treegraft::{Game, GameTextError};

/// Code that works for every game.
pub trait Visitor {
    /// The result.
    type Output;

    /// Does the work for one game, given its starting position.
    fn visit<G: Game + Send + Sync + 'static>(self, start: G) -> Self::Output
    where
        G::Move: Send + Sync;
}

/// A canonical text, and what a visitor made of the start that it names.
pub(crate) type Started<V> = Result<(String, <V as Visitor>::Output), GameTextError>;
