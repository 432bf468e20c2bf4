//! `treegraft completions`: the tab key.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::Cli;
use crate::prelude::*;

/// Print a script that lets your shell complete commands and options
///
/// Load the script when your shell starts, or put it where your shell looks for completions.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treegraft completions bash > treegraft.bash
  treegraft completions zsh > _treegraft
  treegraft completions fish > treegraft.fish")]
pub(crate) struct Completions {
    /// The shell the script is for
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self, _: &Registry) -> Result<Output> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "treegraft", &mut script);
        Ok(Output::data(String::from_utf8_lossy(&script).into_owned()))
    }
}
