//! The games once more, slow and plain: arrays and loops, no bits, no tables, nothing remembered.
//!
//! Every file here can be read beside the rules of its game, line by line. That is its whole
//! point: tests compare the fast games with these, position by position, and benches show how
//! much faster those are. Nothing is shared with the fast games but the contract
//! [`treegraft::Game`], of which these implement only what the rules and the notation demand.
//!
//! Constructors trust their caller: sizes that make no board panic.

mod board;
pub mod breakthrough;
pub mod connect4;
pub mod hex;
pub mod kalah;
pub mod lion;
pub mod loa;
pub mod othello;

pub use board::Square;
pub use breakthrough::Breakthrough;
pub use connect4::Connect4;
pub use hex::Hex;
pub use kalah::Kalah;
pub use lion::Lion;
pub use loa::Loa;
pub use othello::Othello;
