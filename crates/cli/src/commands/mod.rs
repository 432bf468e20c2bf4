//! One file a command: its arguments with their help, and what it does.

mod analyze;
mod check;
mod completions;
mod games;
mod man;
mod matches;
mod perft;
mod play;
mod players;
mod show;
mod solve;
mod traps;

use clap::Subcommand;

use crate::error::CliError;
use crate::output::Output;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Games(games::Games),
    Players(players::Players),
    Show(show::Show),
    Analyze(analyze::Analyze),
    Solve(solve::Solve),
    Match(matches::MatchArgs),
    Traps(Box<traps::Traps>),
    Play(play::Play),
    Perft(perft::Perft),
    Check(check::Check),
    Completions(completions::Completions),
    Man(man::Man),
}

impl Command {
    pub(crate) fn run(&self) -> Result<Output, CliError> {
        match self {
            Command::Games(args) => args.run(),
            Command::Players(args) => args.run(),
            Command::Show(args) => args.run(),
            Command::Analyze(args) => args.run(),
            Command::Solve(args) => args.run(),
            Command::Match(args) => args.run(),
            Command::Traps(args) => args.run(),
            Command::Play(args) => args.run(),
            Command::Perft(args) => args.run(),
            Command::Check(args) => args.run(),
            Command::Completions(args) => Ok(args.run()),
            Command::Man(args) => args.run(),
        }
    }
}
