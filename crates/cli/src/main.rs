//! The program `treegraft`: arguments in, text or JSON out.

mod commands;
mod error;
mod input;
mod output;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use crate::commands::Command;

/// Two-player games: list them, look at positions, count moves, check rules
#[derive(Debug, Parser)]
#[command(name = "treegraft", version, after_help = AFTER_HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const AFTER_HELP: &str = "\
A GAME is a name, such as connect4, or a name with parameters, such as connect4:8x7.
`treegraft games` lists all of them; `treegraft COMMAND --help` explains a command.

Examples:
  treegraft games
  treegraft show connect4 --moves 4453
  treegraft perft connect4 --depth 8

Exit codes:
  0  all went well
  1  a game failed its check, or the output could not be written
  2  the input was wrong; the message says what and why";

fn main() -> ExitCode {
    if std::env::args_os().len() <= 1 {
        // A pipe closed by its reader is the reader's business, here and below.
        let _ = Cli::command().print_help();
        return ExitCode::SUCCESS;
    }
    match Cli::try_parse() {
        Ok(cli) => match cli.command.run() {
            Ok(output) => output.write(),
            Err(error) => error.report(),
        },
        Err(error) => {
            let _ = error.print();
            ExitCode::from(if error.use_stderr() { error::BAD_INPUT } else { 0 })
        }
    }
}

#[cfg(test)]
mod tests;
