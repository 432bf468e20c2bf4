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

pub(crate) use show::result;

use crate::prelude::*;

/// The commands in the order of the help.
macro_rules! commands {
    ($($name:ident($args:ty),)*) => {
        #[derive(Debug, Subcommand)]
        pub(crate) enum Command {
            $($name($args),)*
        }

        impl Command {
            pub(crate) fn run(&self, registry: &Arc<Registry>) -> Result<Output> {
                match self {
                    $(Command::$name(args) => args.run(registry),)*
                }
            }
        }
    };
}

commands! {
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
