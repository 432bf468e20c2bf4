//! `treegraft man`: the help as manual pages.

use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory};
use treegraft_players::nearest;

use crate::Cli;
use crate::prelude::*;

/// Print a manual page, or write all of them into a folder
///
/// The pages are in the format of the program `man` and say what --help says.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treegraft man > treegraft.1
  treegraft man show > treegraft-show.1
  treegraft man --dir man1")]
pub(crate) struct Man {
    /// The command to print the page of; without it, the page of treegraft itself
    command: Option<String>,

    /// Write all pages into this folder, creating it if necessary
    #[arg(long, conflicts_with = "command")]
    dir: Option<PathBuf>,
}

impl Man {
    pub(crate) fn run(&self, _: &Registry) -> Result<Output> {
        let mut program = Cli::command().disable_help_subcommand(true);
        program.build();
        if let Some(dir) = &self.dir {
            return write_all(&program, dir);
        }
        let mut text = Vec::new();
        let command = match &self.command {
            None => &program,
            Some(name) => find(&program, name)?,
        };
        page(command).render(&mut text).map_err(CliError::about("the page cannot be made"))?;
        Ok(Output::data(String::from_utf8_lossy(&text).into_owned()))
    }
}

fn page(command: &Command) -> clap_mangen::Man {
    clap_mangen::Man::new(command.clone())
        .source(concat!("treegraft ", env!("CARGO_PKG_VERSION")))
        .manual("Treegraft")
}

fn find<'a>(program: &'a Command, name: &str) -> Result<&'a Command> {
    program.find_subcommand(name).ok_or_else(|| {
        let names: Vec<&str> = program.get_subcommands().map(Command::get_name).collect();
        let known = names.join(", ");
        let error = CliError::new(format!(
            "command {name:?}: there is no such command; expected one of {known}"
        ));
        match nearest(name, names) {
            Some(meant) => error.hint(format!("`treegraft man {meant}`")),
            None => error,
        }
    })
}

fn write_all(program: &Command, dir: &Path) -> Result<Output> {
    let commands = || std::iter::once(program).chain(program.get_subcommands());
    make_folder(dir)?;
    let mut files = OutputFiles::default();
    let path_of = |page: &clap_mangen::Man| dir.join(page.get_filename());
    let pages: Vec<clap_mangen::Man> = commands().map(page).collect();
    files.plan(pages.iter().map(path_of), FileKind::MAN_PAGE)?;
    for page in &pages {
        files.write(&path_of(page), FileKind::MAN_PAGE, |mut out| page.render(&mut out))?;
    }
    Ok(Output::text(format!("{} pages are in {}", commands().count(), dir.display())))
}
