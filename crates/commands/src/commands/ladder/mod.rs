//! `treegraft ladder`: our players and other people's programs, and the page of all results.

mod atlas;
mod faults;
mod play;
mod report;

use std::path::{Path, PathBuf};

use clap::Subcommand;

use crate::prelude::*;

/// Rate our players and other people's programs in a game
///
/// Plays a round robin of our players and of the external programs that are installed: one core each,
/// two random opening moves, every opening twice with the sides swapped, all with the same time per
/// move. Prints ratings with 95 % intervals. Programs that are not installed are named with their
/// package and left out; those that lose games by faults, and not on the board, are named too.
///
/// Every pair of games is on the disk before it counts: after Ctrl-C the same command resumes the
/// ladder. `ladder atlas` measures how often every search keeps the value of solved positions, in
/// all games that have such positions, and `ladder report` makes the page docs/strength.md.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    override_usage = "treegraft ladder [OPTIONS] <GAME>\n       \
                      treegraft ladder atlas [OPTIONS]\n       \
                      treegraft ladder report [OPTIONS]"
)]
#[command(after_help = "\
Examples:
  treegraft ladder othello
  treegraft ladder connect4 --time 10ms --games 4
  treegraft ladder breakthrough --players mcts-solver ab@1000nodes 'engine:\"./mine\"'
  treegraft ladder atlas
  treegraft ladder report --page docs/strength.md

Exit codes: 0 if everything is done, 1 if a file cannot be written or read or a requested program
cannot be started, 2 if the input is wrong, 130 after Ctrl-C (143 after SIGTERM); the same command
continues.")]
pub(crate) struct Ladder {
    #[command(subcommand)]
    command: Option<LadderCommand>,

    #[command(flatten)]
    play: play::Play,
}

#[derive(Debug, Subcommand)]
enum LadderCommand {
    Atlas(atlas::AtlasArgs),
    Report(report::Report),
}

/// Where results lie.
#[derive(Debug, Args)]
pub(crate) struct Where {
    /// The folder of all results
    #[arg(long, value_name = "DIR", default_value = "ladder-results")]
    dir: PathBuf,
}

impl Where {
    /// Makes the folder.
    fn create(&self) -> Result<&Path> {
        make_folder(&self.dir)?;
        Ok(&self.dir)
    }
}

impl Ladder {
    pub(crate) fn run(&self, registry: &Registry) -> Result<Output> {
        match &self.command {
            None => self.play.run(registry),
            Some(LadderCommand::Atlas(atlas)) => atlas.run(registry),
            Some(LadderCommand::Report(report)) => report.run(registry),
        }
    }
}
