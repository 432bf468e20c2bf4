//! `treegraft export`: the games of an experiment for other programs.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use treegraft_lab::Store;
use treegraft_lab::export::{write_csv, write_json_lines};
use treegraft_lab::store::{StoredGame, salvage};

use crate::error::CliError;
use crate::output::{NO_SUCCESS, Output, arrived, grouped};
use crate::output_file::{FileKind, OutputFiles};

/// Write all games of a store as CSV or JSON lines
///
/// The columns are those of the store's table of games, moves included; docs/store.md explains
/// them.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treegraft export examples/quick.toml > games.csv
  treegraft export examples/quick.db --format jsonl --output games.jsonl
  treegraft export broken.db --salvage --output intact.csv

Exit codes: 0 on success, 1 if the store is damaged or the output cannot be written.")]
pub(crate) struct Export {
    /// The experiment file, or the store itself
    file: PathBuf,

    /// The store of the games [default: the experiment file with the extension .db]
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,

    /// The format of the output
    #[arg(long, value_enum, default_value_t = Format::Csv)]
    format: Format,

    /// The file to write to [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Recover every game that is still intact in a damaged store
    #[arg(long)]
    salvage: bool,
}

/// The formats in which games are written.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// Comma-separated values with a header
    Csv,
    /// One JSON object per line
    Jsonl,
}

impl Format {
    fn kind(self) -> FileKind {
        match self {
            Format::Csv => FileKind::GamesCsv,
            Format::Jsonl => FileKind::GamesJsonLines,
        }
    }
}

impl Export {
    pub(crate) fn run(&self) -> Result<Output, CliError> {
        let path = store_of(&self.file, self.store.as_deref());
        let mut files = OutputFiles::default();
        files.keep_store(&path)?;
        files.keep("the experiment file", &self.file)?;
        if let Some(path) = &self.output {
            files.plan(path, self.format.kind())?;
        }
        let (games, problems) = if self.salvage {
            let mut salvaged = salvage(&path)?;
            if salvaged.problems.is_empty() {
                salvaged.problems.extend(damage(&path));
            }
            (salvaged.games, salvaged.problems)
        } else {
            (Store::open_read_only(&path)?.games()?, Vec::new())
        };
        match &self.output {
            None => arrived(self.write(&games, &mut BufWriter::new(io::stdout().lock())))?,
            Some(path) => {
                files.write(path, self.format.kind(), |mut out| self.write(&games, &mut out))?;
            }
        }
        let mut err = io::stderr();
        for problem in &problems {
            let _ = writeln!(err, "damaged: {problem}");
        }
        if self.salvage || self.output.is_some() {
            let _ = writeln!(err, "{} games written", grouped(games.len() as u64));
        }
        let code = if problems.is_empty() { 0 } else { NO_SUCCESS };
        Ok(Output { code, ..Output::nothing() })
    }

    fn write(&self, games: &[StoredGame], out: &mut impl Write) -> io::Result<()> {
        match self.format {
            Format::Csv => write_csv(games, out)?,
            Format::Jsonl => write_json_lines(games, out)?,
        }
        out.flush()
    }
}

/// What is wrong with a store, if anything is.
fn damage(path: &Path) -> Option<String> {
    match Store::open_read_only(path) {
        Ok(store) => store.check().problems.into_iter().next(),
        Err(error) => Some(error.to_string()),
    }
}

/// The store that a path stands for: the store of an experiment file, or the path itself.
pub(super) fn store_of(file: &Path, store: Option<&Path>) -> PathBuf {
    match store {
        Some(store) => store.to_owned(),
        None if file.extension().is_some_and(|ending| ending == "toml") => {
            file.with_extension("db")
        }
        None => file.to_owned(),
    }
}
