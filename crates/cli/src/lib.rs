//! The program `treegraft` as a library.
//!
//! [`main_with`] is a whole program. With a registry that has a game, a search or an evaluation of
//! your own, every command works for it: `examples/your_program.rs` shows it.

pub use treegraft_commands::main_with;
