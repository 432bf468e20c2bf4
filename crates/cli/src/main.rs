//! The program `treegraft`.

use std::process::ExitCode;

use treegraft_players::Registry;

fn main() -> ExitCode {
    treegraft_cli::main_with(Registry::standard())
}
