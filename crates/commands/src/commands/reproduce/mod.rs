//! `treegraft reproduce`: the experiments of five papers, and what they come to beside the papers.

mod list;
mod play;
mod report;

use std::path::PathBuf;

use clap::Subcommand;
use treegraft_papers::{BudgetMode, Catalogue, Entry, Folder};

use crate::prelude::*;

/// Reproduce the numbers of five papers, and compare them with what was published
///
/// The papers are baier-2018 (MCTS-αβ), baier-winands-2015 (MCTS-minimax hybrids), lanctot-2014
/// (implicit minimax backups), mandziuk-walczak (strategy switching) and weinstein-2012 (FSSS);
/// open-questions is what they leave open. Each of their tables and figures is an experiment of the
/// program. An ID is an experiment such as weinstein-2012/uniform, a paper, or `all`.
///
/// Results go into the folder of --dir, each experiment's with its file, so that `treegraft report`,
/// `status` and `verify` work on them too. An experiment that was interrupted continues.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    override_usage = "treegraft reproduce list [OPTIONS]\n       \
                      treegraft reproduce [OPTIONS] <ID>...\n       \
                      treegraft reproduce report [OPTIONS] [ID]..."
)]
#[command(after_help = "\
Examples:
  treegraft reproduce list
  treegraft reproduce weinstein-2012
  treegraft reproduce baier-2018/ic-500 --scale smoke
  treegraft reproduce report --html out

Exit codes: 0 if everything is done, 1 if a file cannot be written or read, 2 if the input is
wrong, 130 after Ctrl-C (143 after SIGTERM); the same command continues.")]
pub(crate) struct Reproduce {
    #[command(subcommand)]
    command: Option<ReproduceCommand>,

    #[command(flatten)]
    play: play::Play,
}

#[derive(Debug, Subcommand)]
enum ReproduceCommand {
    List(list::List),
    Report(report::Report),
}

/// What all parts of the command share.
#[derive(Debug, Args)]
pub(crate) struct Where {
    /// The folder of all results
    #[arg(long, value_name = "DIR", default_value = "reproduce")]
    dir: PathBuf,

    /// The budget of a move: the number of simulations that the paper's players made in the paper's
    /// time, or a share of it (emulated); for all players that of the one they are compared with
    /// (equal); or for all the same time on this machine (time)
    #[arg(long, value_name = "BUDGET", default_value_t = BudgetMode::Emulated)]
    budget: BudgetMode,
}

impl Where {
    fn folder(&self) -> Folder {
        Folder::new(&self.dir)
    }
}

impl Reproduce {
    pub(crate) fn run(&self, registry: &Registry) -> Result<Output> {
        // A test reads the whole catalogue.
        let catalogue = Catalogue::new().map_err(CliError::of)?;
        match &self.command {
            None => self.play.run(registry, &catalogue),
            Some(ReproduceCommand::List(list)) => list.run(registry, &catalogue),
            Some(ReproduceCommand::Report(report)) => report.run(registry, &catalogue),
        }
    }
}

/// The experiments that the texts name, each once.
fn entries<'a>(catalogue: &'a Catalogue, ids: &[String]) -> Result<Vec<&'a Entry>> {
    catalogue
        .entries(ids)
        .map_err(|error| CliError::from(error).hint("`treegraft reproduce list` shows all of them"))
}
