//! `treegraft export`: the games of an experiment for other programs.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use treegraft_lab::export::{write_csv, write_json_lines};
use treegraft_lab::ledger::is_ledger;
use treegraft_lab::store::{Thoughts, salvage};
use treegraft_lab::{GameFile, Ledger, Store, StoreError};

use crate::prelude::*;

/// Write all games of a store as CSV, JSON lines or a ledger
///
/// The columns are those of the store's table of games, moves included; docs/store.md explains
/// them. JSON lines also contain what the players thought, where it was recorded. A ledger is a
/// small text for version control, which `report`, `status`, `verify` and `export` read like a
/// store: games that follow from their seeds are kept without their moves, and `verify` plays them
/// again.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treegraft export examples/quick.toml > games.csv
  treegraft export examples/quick.db --format jsonl --output games.jsonl
  treegraft export examples/quick.db --format ledger --output quick.ledger
  treegraft export broken.db --salvage --output intact.csv

Exit codes: 0 on success, 1 if the store is damaged or the output cannot be written.")]
pub(crate) struct Export {
    /// The experiment file, or the store or ledger itself
    file: PathBuf,

    /// The store or ledger of the games [default: the experiment file with the extension .db]
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
    /// A ledger: results and digests, in the order of the plan
    Ledger,
}

impl Format {
    fn kind(self) -> FileKind {
        match self {
            Format::Csv => FileKind::GAMES_CSV,
            Format::Jsonl => FileKind::GAMES_JSON_LINES,
            Format::Ledger => FileKind::LEDGER,
        }
    }
}

impl Export {
    pub(crate) fn run(&self, registry: &Registry) -> Result<Output> {
        let path = store_of(&self.file, self.store.as_deref());
        let mut files = OutputFiles::default();
        files.keep_store(&path)?;
        files.keep("the experiment file", &self.file)?;
        files.plan(&self.output, self.format.kind())?;
        if matches!(self.format, Format::Ledger) {
            return self.write_ledger(registry, &path, &mut files);
        }
        if self.salvage && is_ledger(&path) {
            let message = format!("{} is a ledger; --salvage recovers stores", path.display());
            return Err(CliError::new(message));
        }
        let (games, thoughts, problems) = if self.salvage {
            let mut salvaged = salvage(&path)?;
            if salvaged.problems.is_empty() {
                salvaged.problems.extend(damage(&path));
            }
            (salvaged.games, salvaged.thoughts, salvaged.problems)
        } else {
            let file = GameFile::open(&path)?;
            let has_thoughts = matches!(self.format, Format::Jsonl);
            // The games first: a run that writes may add more of them in between.
            let games = file.games()?;
            let thoughts = if has_thoughts { file.thoughts()? } else { Thoughts::new() };
            (games, thoughts, Vec::new())
        };
        self.put(&mut files, |mut out| match self.format {
            Format::Jsonl => write_json_lines(&games, &thoughts, &mut out),
            _ => write_csv(&games, &mut out),
        })?;
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

    fn write_ledger(
        &self,
        registry: &Registry,
        path: &Path,
        files: &mut OutputFiles,
    ) -> Result<Output> {
        if self.salvage {
            return Err(CliError::new("a ledger is made of intact stores only")
                .hint("--format csv or --format jsonl for what can be recovered"));
        }
        let ledger = ledger_of(registry, path, &self.file)?;
        self.put(files, |mut out| ledger.write(&mut out))?;
        if self.output.is_some() {
            let games = grouped(ledger.games.len() as u64);
            let _ = writeln!(io::stderr(), "{games} games written");
        }
        Ok(Output::nothing())
    }

    /// Writes to the file or to standard output.
    fn put(
        &self,
        files: &mut OutputFiles,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<()> {
        match &self.output {
            None => {
                let mut out = BufWriter::new(io::stdout().lock());
                let written = write(&mut out).and_then(|()| out.flush());
                // It holds a lock that is needed to see whether everything arrived.
                drop(out);
                arrived(written)
            }
            Some(path) => files.write(path, self.format.kind(), write),
        }
    }
}

/// The games of a store as a ledger, in the folder of a file.
pub(super) fn ledger_of(registry: &Registry, path: &Path, beside: &Path) -> Result<Ledger> {
    let file = GameFile::open(path)?;
    let folder = beside.parent().unwrap_or(Path::new(""));
    // The games first: a run that writes may begin another session in between.
    let (games, sessions) = (file.games()?, file.sessions()?);
    let ledger = Ledger::new(registry, folder, file.experiment()?, sessions, games);
    Ok(ledger.map_err(|problem| StoreError::Damaged { path: path.to_owned(), problem })?)
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
