//! The tests of players, in one program: it is linked once.

mod audit;
mod board;
mod bridge;
mod cancel;
mod common;
mod constants;
mod players;
mod presets;
mod registry;
mod signature;
