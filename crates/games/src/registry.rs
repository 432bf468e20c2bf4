//! The games of this crate by name.

use treegraft::{Game, GameInfo, GameTextError};

use crate::visitor::{Started, Visitor};
use crate::{breakthrough, connect4, hex, kalah, lion, loa, othello, tree};

/// Lists the modules of the games. Each has an `INFO`, and a function `start` from a text to the
/// position that it names.
macro_rules! games {
    ($($game:ident),* $(,)?) => {
        /// All games, in the order in which they are listed.
        pub const GAMES: &[GameInfo] = &[$($game::INFO),*];

        fn start<V: Visitor>(text: &str, visitor: V) -> Started<V> {
            let name = text.split(':').next().unwrap_or_default();
            $(if name == $game::INFO.name {
                return $game::start(text, visitor);
            })*
            let names: Vec<&str> = GAMES.iter().map(|info| info.name).collect();
            let expected = format!("one of {}", names.join(", "));
            Err(GameTextError::new(text, "there is no such game", expected))
        }
    };
}

games!(connect4, breakthrough, othello, lion, hex, kalah, loa, tree);

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
