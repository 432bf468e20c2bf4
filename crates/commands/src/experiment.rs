//! What the commands on experiments share: the file and its store.

use std::path::{Path, PathBuf};

use clap::Args;
use treegraft_lab::{Content, GameFile, GameResult, GameRow, LoadedExperiment, StoreError};
use treegraft_players::Registry;

use crate::error::{CliError, Result};
use crate::output::NO_SUCCESS;
use crate::output_file::OutputFiles;

/// An experiment file and its store.
#[derive(Debug, Args)]
pub(crate) struct ExperimentArgs {
    /// The experiment file (TOML); examples/quick.toml is one
    pub(crate) file: PathBuf,

    /// The store of the games, or a ledger where games are only read [default: the experiment file
    /// with the extension .db]
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
}

impl ExperimentArgs {
    /// Reads the file.
    pub(crate) fn load(&self, registry: &Registry) -> Result<LoadedExperiment> {
        Ok(LoadedExperiment::load(&self.file, registry)?)
    }

    /// The path of the store.
    pub(crate) fn store_path(&self) -> PathBuf {
        self.store.clone().unwrap_or_else(|| self.file.with_extension("db"))
    }

    /// What no output of a command may replace.
    pub(crate) fn kept(&self) -> Result<OutputFiles> {
        let mut files = OutputFiles::default();
        files.keep("the experiment file", &self.file)?;
        files.keep_store(&self.store_path())?;
        Ok(files)
    }

    /// The store or ledger, opened for reading; `None` if there is none yet.
    pub(crate) fn open(&self) -> Result<Option<GameFile>> {
        Ok(open_if_any(&self.store_path())?)
    }

    /// All games in the store.
    pub(crate) fn rows(&self) -> Result<Vec<GameRow>> {
        Ok(self.open()?.map(|store| store.rows()).transpose()?.unwrap_or_default())
    }

    /// The results of all games in the store.
    pub(crate) fn results(&self) -> Result<Vec<GameResult>> {
        Ok(self.open()?.map(|store| store.results()).transpose()?.unwrap_or_default())
    }

    /// The command line that resumes the experiment.
    pub(crate) fn command(&self, name: &str) -> String {
        let file = self.file.display();
        let store = self.store.as_ref().map(|path| format!(" --store {}", path.display()));
        format!("treegraft {name} {file}{}", store.unwrap_or_default())
    }
}

/// The store or ledger at a path, if there is one.
pub(crate) fn open_if_any(path: &Path) -> Result<Option<GameFile>, StoreError> {
    match GameFile::open(path) {
        Err(StoreError::Missing { .. }) => Ok(None),
        opened => opened.map(Some),
    }
}

/// What to do about games of other versions, where --store says which store.
pub(crate) const FILE: &str = "--store FILE for another store, or --mix-versions";

/// The same where --dir says in which folder it lies.
pub(crate) const FOLDER: &str = "--dir DIR for another folder, or --mix-versions";

/// What to do about a damaged store.
pub(crate) fn salvage_hint(store: &Path) -> String {
    let store = store.display();
    format!("`treegraft export {store} --salvage > games.csv` writes the games that are intact")
}

/// What would be right where a file is given that holds no games.
fn instead_of(path: &Path, content: Content) -> String {
    let store = path.with_extension("db");
    match content {
        Content::Experiment => format!(
            "the store of this experiment: {}, unless `run` was told otherwise. `treegraft run {}` \
             makes it",
            store.display(),
            path.display()
        ),
        Content::DatabaseLog => {
            "the store that the log belongs to; it is read along with it".into()
        }
        Content::Svg | Content::Png | Content::Json | Content::GamesCsv if store.exists() => {
            format!("{}, the store beside it", store.display())
        }
        Content::Svg | Content::Png | Content::Json | Content::GamesCsv => {
            "the store or ledger that it was made from: what is exported is not read back".into()
        }
        Content::Folder => format!("a store or ledger in it, such as {}/FILE.db", path.display()),
        Content::Empty => "another file; remove this one, and `treegraft run` makes a store".into(),
        Content::Device => "a file: stores and ledgers are not read from pipes and devices".into(),
        Content::Text | Content::Gzip => {
            "another file: a store is what `treegraft run` makes, and a ledger begins with \
             \"treegraft ledger\""
                .into()
        }
        Content::Database | Content::Ledger | Content::Unknown => {
            "--store FILE to use another file, or export --salvage if it was a store".into()
        }
    }
}

/// What is wrong with a store in the folder of a command that has --dir, and no --store.
pub(crate) fn in_folder(error: StoreError) -> CliError {
    let hint = match &error {
        StoreError::NotAStore { path, .. } => {
            format!(
                "--dir DIR for another folder, or move the file away; if it was a store, {}",
                salvage_hint(path)
            )
        }
        StoreError::IsLedger { .. } => "--dir DIR for another folder".to_owned(),
        _ => return error.into(),
    };
    CliError::from(error).hint(hint)
}

impl From<StoreError> for CliError {
    fn from(error: StoreError) -> CliError {
        let message = CliError::of(&error);
        match error {
            StoreError::Damaged { path, .. } => message.code(NO_SUCCESS).hint(salvage_hint(&path)),
            StoreError::NotAStore { path, content, .. } => message.hint(instead_of(&path, content)),
            StoreError::InUse { .. } | StoreError::Incomplete { .. } => message.code(NO_SUCCESS),
            StoreError::Gone { path, .. } => message.code(NO_SUCCESS).hint(format!(
                "if it was moved, move it back to {} with everything that was beside it, and the \
                 same command resumes the experiment; otherwise the games of this run are lost",
                path.display()
            )),
            StoreError::IsLedger { .. } => message.hint("--store FILE for a store to play into"),
            StoreError::DamagedLedger { .. } => message
                .code(NO_SUCCESS)
                .hint("an intact copy, such as the one under version control"),
            StoreError::Sqlite { .. } | StoreError::File { .. } => message.code(NO_SUCCESS).hint(
                "an existing, writable folder with room on the disk; games that were written are \
                 safe, and the same command resumes the experiment",
            ),
            _ => message,
        }
    }
}
