//! What can be learnt about searches and games beyond who wins: how a search proceeds ([`trace`]),
//! how often a player keeps the value of a position ([`accuracy`]), where games have traps
//! ([`traps`]), how many leaves exact searches read in synthetic trees ([`trees`]), which kinds of
//! moves are good ([`categories`]), where a game was decided ([`annotate`]), and which weights make
//! an evaluation strong ([`tune`]).

pub mod accuracy;
pub mod annotate;
pub mod categories;
mod guarantee;
pub mod json;
mod self_play;
pub mod solve;
pub mod trace;
pub mod traps;
mod tree_view;
pub mod trees;
pub mod tune;
mod watch;

pub use guarantee::StatedGuarantee;
pub use self_play::GamesError;
pub use tree_view::TreeView;
pub use watch::Watch;
