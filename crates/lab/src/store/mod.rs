//! The store: one SQLite file with a row for every game that was played.
//!
//! Pairs of games are written whole or not at all, and [`Store::append`] returns only when they are
//! on the disk. Nothing is ever changed or deleted, and no totals are kept: every table is computed
//! from the rows. Readers and the one run that writes never block each other.
//!
//! SQLite notices when a file's structure is damaged, but not when a bit flips in a number or a
//! text. So every row has a checksum; [`Store::check`] looks at both, and [`salvage`] reads what is
//! intact.

mod check;
mod columns;
mod error;
mod lock;
mod pages;
mod place;
mod read;
mod record;
mod salvage;
mod schema;
pub(crate) mod session;
pub(crate) mod thoughts;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, ErrorCode, OpenFlags, params_from_iter};

use crate::ledger::is_ledger;
use crate::pair::FinishedPair;
pub use check::CheckReport;
pub(crate) use check::pair_problem;
pub use columns::{COLUMNS, LEDGER_OMITS, StoredGame};
pub(crate) use columns::{differences, known_values, shown};
pub use error::StoreError;
use lock::Lock;
use place::{Place, refuse_bad_place};
pub(crate) use read::Cast;
pub(crate) use record::Record;
pub use salvage::{Salvaged, salvage};
use schema::{create, open, put_meta};
pub use session::Session;
pub(crate) use session::{last_experiment, now_ms};
pub use thoughts::{GamePlace, Thoughts};

/// The name in the table `meta` of how many shards the plan was divided into.
const SHARDS: &str = "shards";

/// A store of games.
#[derive(Debug)]
pub struct Store {
    pub(crate) path: PathBuf,
    pub(crate) connection: Connection,
    /// Absent if the store is only read.
    _lock: Option<Lock>,
    /// Where it is expected to stay; absent if the store is only read.
    place: Option<Place>,
    /// The run that writes, once there is something to write.
    session: Option<i64>,
}

impl Store {
    /// The store at `path`, for a run to write to. If there is none, an empty one is created, which
    /// records the text of the `experiment`.
    ///
    /// # Errors
    ///
    /// If another run writes to it, the file is something else or damaged, has several names, or
    /// cannot be written.
    pub fn open_or_create(path: &Path, experiment: &str) -> Result<Store, StoreError> {
        refuse_bad_place(path)?;
        if is_ledger(path) {
            return Err(StoreError::IsLedger { path: path.to_owned() });
        }
        StoreError::unless_games(path)?;
        // Another path to the same file must lead to the same lock.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let failed = |doing| {
            let path = path.clone();
            move |source| failure(&path, doing, source)
        };
        let lock_path = beside(&path, ".lock");
        let lock = Lock::take(&lock_path).map_err(|source| failure(&lock_path, "lock", source))?;
        let Some(lock) = lock else {
            return Err(StoreError::InUse { holder: holder(&path), path });
        };
        if !path.exists() {
            create(&path, experiment)?;
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = open(&path, &path, flags)?;
        // Each commit waits for the disk; the default for WAL would not.
        connection
            .execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;")
            .map_err(failed("open"))?;
        // A file that cannot be written should be found out before hours of play, not after.
        connection.execute_batch("BEGIN IMMEDIATE; ROLLBACK;").map_err(failed("write"))?;
        let place = Some(Place::of(&path)?);
        Ok(Store { path, connection, _lock: Some(lock), place, session: None })
    }

    /// The store at `path` for reading, whether or not a run is writing to it.
    ///
    /// # Errors
    ///
    /// If there is none, or the file is something else or damaged.
    pub fn open_read_only(path: &Path) -> Result<Store, StoreError> {
        if !path.exists() {
            refuse_bad_place(path)?;
            return Err(StoreError::Missing { path: path.to_owned() });
        }
        StoreError::unless_games(path)?;
        // A reader that may not write at all could not clean up after itself: SQLite's files beside
        // the store would stay.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let queries = |connection: Connection| {
            let pragma = connection.execute_batch("PRAGMA query_only = ON;");
            pragma.map_err(|source| failure(path, "open", source))?;
            Ok(Store::reader(path, connection))
        };
        match open(path, path, flags).and_then(queries) {
            // Where no file can be made beside it, in a folder of others or on a full disk, SQLite
            // reads a store only as one that no run writes to, which is true if the last writer
            // left no log.
            Err(StoreError::Sqlite { source, .. })
                if cannot_make_files(&source) && !has_log(path) =>
            {
                let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
                let uri = PathBuf::from(immutable_uri(path));
                Ok(Store::reader(path, open(path, &uri, flags)?))
            }
            opened => opened,
        }
    }

    fn reader(path: &Path, connection: Connection) -> Store {
        Store { path: path.to_owned(), connection, _lock: None, place: None, session: None }
    }

    /// Says that the store is of a plan that was divided into so many shards: its own, or those that
    /// it is merged of.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn record_shards(&mut self, shards: u32) -> Result<(), StoreError> {
        if self.shards()? == Some(shards) {
            return Ok(());
        }
        let written = put_meta(&self.connection, SHARDS, &shards.to_string());
        written.map_err(|source| failure(&self.path, "write", source))
    }

    /// From now on games are written as those of this session.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn begin_session(&mut self, session: &Session) -> Result<i64, StoreError> {
        let result = session::insert(&self.connection, session);
        let id = result.map_err(|source| failure(&self.path, "write", source))?;
        self.session = Some(id);
        Ok(id)
    }

    /// Writes pairs of the session that began last, all of them or none, and returns when they are
    /// on the disk. A pair that is already there is left as it is.
    ///
    /// # Errors
    ///
    /// If they cannot be written, and nothing that was written before is lost; or if the store is
    /// not where it was, because it was removed, renamed or replaced since it was opened.
    ///
    /// # Panics
    ///
    /// Without [`Store::begin_session`].
    pub fn append(&mut self, pairs: &[FinishedPair]) -> Result<(), StoreError> {
        let session = self.session.expect("a session has begun");
        self.append_as(session, pairs)
    }

    /// Writes pairs of any session, whose number [`Store::begin_session`] returned: for a driver
    /// that is the only writer of a store, and whose pairs are played by several machines.
    ///
    /// # Errors
    ///
    /// As [`Store::append`].
    pub fn append_as(&mut self, session: i64, pairs: &[FinishedPair]) -> Result<(), StoreError> {
        let mut write = || -> rusqlite::Result<()> {
            let transaction = self.connection.transaction()?;
            {
                let mut insert = transaction.prepare_cached(&StoredGame::insert())?;
                for FinishedPair { setup, rows, thoughts } in pairs {
                    for (index, row) in rows.iter().enumerate() {
                        let setup = setup.clone();
                        let game = StoredGame { session, setup, row: row.clone() };
                        let is_new = insert.execute(params_from_iter(game.checked_values()))? > 0;
                        // Thoughts belong to the game that is there, which may have been another.
                        if let (Some(thoughts), true) = (thoughts, is_new) {
                            let place = (row.pair, row.number);
                            thoughts::insert(&transaction, place, &thoughts[index])?;
                        }
                    }
                }
            }
            transaction.commit()
        };
        write().map_err(|source| failure(&self.path, "write", source))?;
        self.check_place()
    }

    /// Fails if the store is not where it was: a file without a name cannot be found, so
    /// what is in it does not count as written.
    pub(crate) fn check_place(&mut self) -> Result<(), StoreError> {
        self.place.as_mut().map_or(Ok(()), Place::check)
    }

    /// Fails unless a reader that opens the store at its path finds at least `games` games.
    ///
    /// # Errors
    ///
    /// If the store is not where it was, cannot be read, or has fewer games.
    pub fn confirm(&mut self, games: usize) -> Result<(), StoreError> {
        self.check_place()?;
        let found = Store::open_read_only(&self.path)?.count()?;
        if found < games {
            let path = self.path.clone();
            return Err(StoreError::Incomplete { path, found, expected: games });
        }
        Ok(())
    }
}

/// The path with a suffix.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    PathBuf::from(name)
}

/// Whether SQLite fails because it cannot make the files that it needs beside a store.
fn cannot_make_files(error: &rusqlite::Error) -> bool {
    let codes = [ErrorCode::CannotOpen, ErrorCode::SystemIoFailure, ErrorCode::DiskFull];
    error.sqlite_error_code().is_some_and(|code| codes.contains(&code))
}

/// Whether there is a log with something in it.
fn has_log(path: &Path) -> bool {
    fs::metadata(beside(path, "-wal")).is_ok_and(|log| log.len() > 0)
}

/// The URI with which SQLite opens a file that nothing writes to.
fn immutable_uri(path: &Path) -> String {
    let path = path.to_string_lossy();
    let escaped = path.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    format!("file:{escaped}?immutable=1")
}

/// What SQLite's errors mean for a store.
pub(crate) fn failure(path: &Path, doing: &'static str, source: rusqlite::Error) -> StoreError {
    let path = path.to_owned();
    match source.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt) => {
            StoreError::Damaged { path, problem: source.to_string() }
        }
        Some(ErrorCode::NotADatabase) => StoreError::not_a_store(&path, source.to_string()),
        _ => StoreError::Sqlite { path, doing, source },
    }
}

/// The process that writes to a store, according to its last session.
fn holder(path: &Path) -> String {
    let sessions = Store::open_read_only(path).and_then(|store| store.sessions());
    let Some((_, last)) = sessions.ok().and_then(|sessions| sessions.into_iter().next_back())
    else {
        return String::new();
    };
    let seconds = now_ms().saturating_sub(last.started_ms) / 1000;
    format!(" (process {}, begun {seconds} s ago)", last.process)
}
