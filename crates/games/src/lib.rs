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
mod visitor;

pub use breakthrough::Breakthrough;
pub use connect4::Connect4;
pub use hex::Hex;
pub use kalah::Kalah;
pub use lion::Lion;
pub use loa::Loa;
pub use othello::Othello;
pub use registry::{AnyGame, GAMES};
pub use tree::{ExplicitTree, SyntheticTree, TrapTree};
pub(crate) use treegraft::{Canonical, Constants, GameInfo, GameTextError, Param, Params};
pub(crate) use visitor::Started;
pub use visitor::Visitor;
