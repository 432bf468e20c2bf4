//! The tests of players, in one program: it is linked once.

mod amaf;
mod audit;
mod blocks;
mod board;
mod bridge;
mod campaign;
mod cancel;
mod common;
mod constants;
mod exact;
mod golden;
mod levels;
mod limits;
mod live;
mod mcts_ab;
mod observed;
mod players;
mod presets;
mod prove;
mod registry;
mod signature;
