//! The games of Treegraft: rules on bitboards, notation, and one registry that turns a text such
//! as `kalah:6,4,capture-empty=false` into a position.
//!
//! Every game is a [`treegraft::Game`] in a module of its own. Code that must work for all of
//! them writes a [`Visitor`] and hands it to [`AnyGame::visit`].

pub mod breakthrough;
mod by_moves;
pub mod connect4;
mod fen;
mod grid;
pub mod hex;
pub mod kalah;
pub mod lion;
pub mod loa;
pub mod othello;
mod registry;
mod square;
mod squash;
pub mod tree;
mod tuned;
mod visitor;

pub use breakthrough::Breakthrough;
pub use connect4::Connect4;
pub use hex::Hex;
pub use kalah::Kalah;
pub use lion::Lion;
pub use loa::Loa;
pub use othello::Othello;
pub use registry::AnyGame;
pub use tree::{ExplicitTree, SyntheticTree, TrapTree, Tree};
pub(crate) use treegraft::{Canonical, Constants, GameInfo, GameTextError, Param, Params};
pub(crate) use visitor::Started;
pub use visitor::Visitor;

/// Makes the list of all games. Each is a module with an `INFO`, and a function `start` from a text
/// to the position that it names.
macro_rules! games {
    ($($game:ident),* $(,)?) => {
        /// All games, in the order in which they are listed.
        pub const GAMES: &[GameInfo] = &[$($game::INFO),*];

        /// The canonical text of a game, and what a visitor makes of the start that it names.
        pub(crate) fn start<V: Visitor>(text: &str, visitor: V) -> Started<V> {
            let text = &*treegraft::with_colon(text);
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
