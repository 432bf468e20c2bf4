//! One file a command: its arguments with their help, and what it does.

mod analyze;
mod check;
mod completions;
mod engine;
mod export;
mod games;
mod man;
mod matches;
mod perft;
mod play;
mod players;
mod report;
mod run;
mod show;
mod solve;
mod status;
mod traps;
mod trees;
mod verify;

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
    Run(run::RunArgs),
    Status(status::Status),
    Report(report::ReportArgs),
    Export(export::Export),
    Verify(verify::Verify),
    Traps(Box<traps::Traps>),
    Trees(trees::Trees),
    Play(play::Play),
    Engine(engine::Engine),
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
            Command::Run(args) => args.run(),
            Command::Status(args) => args.run(),
            Command::Report(args) => args.run(),
            Command::Export(args) => args.run(),
            Command::Verify(args) => args.run(),
            Command::Traps(args) => args.run(),
            Command::Trees(args) => args.run(),
            Command::Play(args) => args.run(),
            Command::Engine(args) => args.run(),
            Command::Perft(args) => args.run(),
            Command::Check(args) => args.run(),
            Command::Completions(args) => Ok(args.run()),
            Command::Man(args) => args.run(),
        }
    }
}
