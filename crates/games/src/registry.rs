//! The games of this crate by name.

use treegraft::{Game, GameTextError};

use crate::start;
use crate::visitor::Visitor;

/// A text that names a starting position of a game of this crate: the step from text to type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnyGame {
    canonical: String,
}

impl AnyGame {
    /// The game that a text such as `breakthrough:6x6` names.
    ///
    /// # Errors
    ///
    /// If no game has that name, or the game cannot have those parameters.
    pub fn parse(text: &str) -> Result<AnyGame, GameTextError> {
        start(text, Nothing).map(|(canonical, ())| AnyGame { canonical })
    }

    /// The canonical text: [`AnyGame::parse`] reads it back.
    #[must_use]
    pub fn canonical(&self) -> &str {
        &self.canonical
    }

    /// Runs code that works for every game on the start of this one.
    pub fn visit<V: Visitor>(&self, visitor: V) -> V::Output {
        start(&self.canonical, visitor).expect("a canonical text is read back").1
    }
}

/// Leaves a game alone.
struct Nothing;

impl Visitor for Nothing {
    type Output = ();

    fn visit<G: Game>(self, _: G) {}
}
