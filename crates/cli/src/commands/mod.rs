//! One file a command: its arguments with their help, and what it does.

mod check;
mod completions;
mod games;
mod man;
mod perft;
mod show;

use clap::Subcommand;

use crate::error::CliError;
use crate::output::Output;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Games(games::Games),
    Show(show::Show),
    Perft(perft::Perft),
    Check(check::Check),
    Completions(completions::Completions),
    Man(man::Man),
}

impl Command {
    pub(crate) fn run(&self) -> Result<Output, CliError> {
        match self {
            Command::Games(args) => args.run(),
            Command::Show(args) => args.run(),
            Command::Perft(args) => args.run(),
            Command::Check(args) => args.run(),
            Command::Completions(args) => Ok(args.run()),
            Command::Man(args) => args.run(),
        }
    }
}
