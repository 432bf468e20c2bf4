//! What can go wrong with a store.

use std::path::{Path, PathBuf};

use rusqlite::ffi;

use crate::content::Content;

/// Why a store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another run writes to it.
    #[error("{path} is being written by another run{holder}; wait for it, or choose another store")]
    InUse {
        /// The store.
        path: PathBuf,
        /// Who that is, as far as it is known.
        holder: String,
    },
    /// There is no such file.
    #[error("there is no store {path}; `treegraft run` creates it")]
    Missing {
        /// The store.
        path: PathBuf,
    },
    /// The file is something else.
    #[error("{}", not_a_store(path, *content, problem))]
    NotAStore {
        /// The file.
        path: PathBuf,
        /// What it seems to be.
        content: Content,
        /// What was found.
        problem: String,
    },
    /// The file was written by a later version.
    #[error("{path} has format {found}; this version reads format {expected}")]
    Format {
        /// The store.
        path: PathBuf,
        /// The format of the store.
        found: i64,
        /// The format that is understood.
        expected: i64,
    },
    /// What is in the file is not what was written.
    #[error("{path} is damaged: {problem}")]
    Damaged {
        /// The store.
        path: PathBuf,
        /// What was found first.
        problem: String,
    },
    /// A ledger holds games that are over; only a store can be played into.
    #[error("{path} is a ledger, which is read and verified but not played into")]
    IsLedger {
        /// The ledger.
        path: PathBuf,
    },
    /// A ledger is not what was written.
    #[error("{path} is damaged in line {line}: {problem}")]
    DamagedLedger {
        /// The ledger.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// A file is left over from a store that is gone.
    #[error("{left_over} is there without its store {path}; put the store back, or remove it")]
    LeftOver {
        /// The store that is gone.
        path: PathBuf,
        /// The file that is left.
        left_over: PathBuf,
    },
    /// The path is a symbolic link to nothing.
    #[error(
        "{path} is a symbolic link to {target}, which does not exist; let it lead to a store, or \
         remove it"
    )]
    Dangling {
        /// The link.
        path: PathBuf,
        /// Where it leads to.
        target: PathBuf,
    },
    /// The file has several names.
    #[error(
        "{path} has another name as well (a hard link), and games written under one name could be \
         missing under the other; remove the other name, or copy the store and use the copy"
    )]
    SeveralNames {
        /// One of its names.
        path: PathBuf,
    },
    /// The file was removed, renamed or replaced after it was opened.
    #[error("{path} was removed, renamed or replaced during the run: {problem}")]
    Gone {
        /// The store, or its log.
        path: PathBuf,
        /// What was found instead.
        problem: String,
    },
    /// Games that were written are not there any more.
    #[error("{path} has {found} games, but should have {expected}: another program has changed it")]
    Incomplete {
        /// The store.
        path: PathBuf,
        /// Games in it.
        found: usize,
        /// Games that were found and written by the run.
        expected: usize,
    },
    /// SQLite could not do it. Nothing that was acknowledged is lost.
    #[error("cannot {doing} {path}: {}", reason(source))]
    Sqlite {
        /// The store.
        path: PathBuf,
        /// What was tried.
        doing: &'static str,
        /// What SQLite said.
        source: rusqlite::Error,
    },
    /// The system could not do it.
    #[error("cannot {doing} {path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// What was tried.
        doing: &'static str,
        /// What the system said.
        source: std::io::Error,
    },
}

impl StoreError {
    /// For a file that is no store, whose content is looked at.
    pub(crate) fn not_a_store(path: &Path, problem: impl Into<String>) -> StoreError {
        let content = Content::of(path).unwrap_or(Content::Unknown);
        StoreError::NotAStore { path: path.to_owned(), content, problem: problem.into() }
    }

    /// Fails if a file is neither a database nor a ledger, with what it is instead. A file that
    /// cannot be read passes: whoever opens it has a better message.
    pub(crate) fn unless_games(path: &Path) -> Result<(), StoreError> {
        match Content::of(path) {
            Ok(Content::Database | Content::Ledger) | Err(_) => Ok(()),
            Ok(content) => {
                let problem = "it does not begin as stores and ledgers do".to_owned();
                Err(StoreError::NotAStore { path: path.to_owned(), content, problem })
            }
        }
    }
}

/// What SQLite said, and what it means.
fn reason(error: &rusqlite::Error) -> String {
    let meaning = match error.sqlite_error().map(|error| error.extended_code) {
        Some(
            ffi::SQLITE_IOERR_WRITE
            | ffi::SQLITE_IOERR_SHMSIZE
            | ffi::SQLITE_IOERR_TRUNCATE
            | ffi::SQLITE_IOERR_FSYNC,
        ) => ": the disk is full or broken, or no file may become this large (ulimit -f)",
        _ => "",
    };
    format!("{error}{meaning}")
}

fn not_a_store(path: &Path, content: Content, problem: &str) -> String {
    let path = path.display();
    match content {
        Content::Database | Content::Ledger | Content::Unknown => {
            format!("{path} is not a store of games, or its beginning is damaged: {problem}")
        }
        content => format!("{path} is {content}, not a store or a ledger of games"),
    }
}
