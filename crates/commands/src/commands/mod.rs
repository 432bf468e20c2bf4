//! One file per command: its arguments with their help, and what it does.

mod accuracy;
mod analyze;
mod annotate;
mod categories;
mod check;
mod cluster;
mod completions;
mod engine;
mod eval;
mod export;
mod games;
mod ladder;
mod man;
mod matches;
mod merge;
mod perft;
mod play;
mod players;
mod replay;
mod report;
mod reproduce;
mod run;
mod serve;
mod show;
mod solve;
mod status;
mod trace;
mod traps;
mod trees;
mod tune;
mod verify;
mod watch;

use std::sync::Arc;

use clap::Subcommand;
use treegraft_players::Registry;

pub(crate) use show::result;

use crate::error::CliError;
use crate::output::Output;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Games(games::Games),
    Players(players::Players),
    Show(show::Show),
    Eval(eval::Eval),
    Analyze(analyze::Analyze),
    Trace(trace::Trace),
    Solve(solve::Solve),
    Match(matches::MatchArgs),
    Run(run::RunArgs),
    Merge(merge::MergeArgs),
    Cluster(cluster::Cluster),
    Status(status::Status),
    Report(report::ReportArgs),
    Export(export::Export),
    Replay(replay::Replay),
    Annotate(Box<annotate::AnnotateArgs>),
    Verify(verify::Verify),
    Accuracy(Box<accuracy::Accuracy>),
    Ladder(Box<ladder::Ladder>),
    Traps(Box<traps::Traps>),
    Trees(trees::Trees),
    Reproduce(reproduce::Reproduce),
    Categories(categories::Categories),
    Tune(Box<tune::Tune>),
    Play(play::Play),
    Watch(watch::Watch),
    Serve(serve::Serve),
    Engine(engine::Engine),
    Perft(perft::Perft),
    Check(check::Check),
    Completions(completions::Completions),
    Man(man::Man),
}

impl Command {
    pub(crate) fn run(&self, registry: &Arc<Registry>) -> Result<Output, CliError> {
        match self {
            Command::Games(args) => args.run(registry),
            Command::Players(args) => args.run(registry),
            Command::Show(args) => args.run(registry),
            Command::Eval(args) => args.run(registry),
            Command::Analyze(args) => args.run(registry),
            Command::Trace(args) => args.run(registry),
            Command::Solve(args) => args.run(registry),
            Command::Match(args) => args.run(registry),
            Command::Run(args) => args.run(registry),
            Command::Merge(args) => args.run(registry),
            Command::Cluster(args) => args.run(registry),
            Command::Status(args) => args.run(registry),
            Command::Report(args) => args.run(registry),
            Command::Export(args) => args.run(registry),
            Command::Replay(args) => args.run(registry),
            Command::Annotate(args) => args.run(registry),
            Command::Verify(args) => args.run(registry),
            Command::Accuracy(args) => args.run(registry),
            Command::Ladder(args) => args.run(registry),
            Command::Traps(args) => args.run(registry),
            Command::Trees(args) => args.run(),
            Command::Reproduce(args) => args.run(registry),
            Command::Categories(args) => args.run(registry),
            Command::Tune(args) => args.run(registry),
            Command::Play(args) => args.run(registry),
            Command::Watch(args) => args.run(registry),
            Command::Serve(args) => args.run(registry),
            Command::Engine(args) => args.run(registry),
            Command::Perft(args) => args.run(registry),
            Command::Check(args) => args.run(registry),
            Command::Completions(args) => Ok(args.run()),
            Command::Man(args) => args.run(),
        }
    }
}
