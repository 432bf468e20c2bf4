//! The program `treegraft`.

use std::process::ExitCode;

use treegraft_players::Registry;

fn main() -> ExitCode {
    treegraft_commands::main_with(Registry::standard())
}
