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
mod intake;
mod lock;
mod pages;
mod place;
mod salvage;
mod schema;
mod session;
mod thoughts;

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use rusqlite::types::Value;
use rusqlite::{Connection, ErrorCode, OpenFlags, Row, params_from_iter};
use serde::{Deserialize, Serialize};
use treegraft_players::Registry;

use crate::ledger::is_ledger;
use crate::pair::{Pair, PairError, play_pair, play_pair_thinking};
use crate::{GameRow, PairId, Played, Thought};
pub use check::CheckReport;
pub(crate) use check::pair_problem;
pub use columns::{CLOCK_COLUMNS, COLUMNS, LEDGER_OMITS, StoredGame};
pub(crate) use columns::{differences, known_values, shown, values};
pub use error::StoreError;
pub(crate) use intake::{Arrivals, Intake, IntakeError, Taken};
use lock::Lock;
use place::{Place, refuse_bad_place};
pub use salvage::{Salvaged, salvage};
use schema::{create, insert_game, names, prepare, select_games};
use session::SESSION_COLUMNS;
pub use session::Session;
pub(crate) use session::now_ms;
pub use thoughts::{GamePlace, Thoughts};

/// Both games of a pair, as they were played.
///
/// [`FinishedPair::play`] makes one and [`Store::append`] writes it. As JSON it can travel in
/// between, from a machine that plays to the one that writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FinishedPair {
    /// The pair as JSON: everything that is needed to play it again.
    pub setup: String,
    /// The games.
    pub rows: [GameRow; 2],
    /// What the players thought in each of them, if that is to be kept.
    pub thoughts: Option<[Vec<Thought>; 2]>,
}

impl FinishedPair {
    /// Plays a pair. What the players think is kept if `record` says so.
    ///
    /// # Errors
    ///
    /// As [`play_pair`].
    pub fn play(
        registry: &Registry,
        pair: &Pair,
        record: bool,
        cancel: Option<&AtomicBool>,
    ) -> Result<FinishedPair, PairError> {
        let setup = serde_json::to_string(pair).expect("texts and numbers always become JSON");
        Ok(if record {
            let [(first, of_first), (second, of_second)] =
                play_pair_thinking(registry, pair, cancel)?;
            FinishedPair { setup, rows: [first, second], thoughts: Some([of_first, of_second]) }
        } else {
            FinishedPair { setup, rows: play_pair(registry, pair, cancel)?, thoughts: None }
        })
    }
}

/// A store of games.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    connection: Connection,
    /// Absent if the store is only read.
    _lock: Option<Lock>,
    /// Where it is expected to stay; absent if the store is only read.
    place: Option<Place>,
    /// The run that writes, once there is something to write.
    session: Option<i64>,
}

/// A session, a game, and two players who met there.
pub(crate) type Cast = (i64, String, [String; 2]);

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// Its pair.
    pub pair: PairId,
    /// Its number in the pair, 0 or 1.
    pub number: u8,
    /// 1 if the first side won, -1 if the second side won, 0 for a draw.
    pub outcome: i8,
    /// The digest of its moves.
    pub digest: u64,
}

impl From<&GameRow> for GameResult {
    fn from(row: &GameRow) -> GameResult {
        let GameRow { pair, number, outcome, digest, .. } = *row;
        GameResult { pair, number, outcome, digest }
    }
}

impl Played for GameResult {
    fn place(&self) -> (PairId, u8) {
        (self.pair, self.number)
    }

    fn value_for_a(&self) -> i64 {
        let value = i64::from(self.outcome);
        if self.number == 0 { value } else { -value }
    }

    fn digest(&self) -> u64 {
        self.digest
    }
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
        let connection = Connection::open_with_flags(&path, flags).map_err(failed("open"))?;
        prepare(&path, &connection)?;
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
        // A reader that may not write at all could not clean up after itself: SQLite's files beside
        // the store would stay.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let open = || -> Result<Store, StoreError> {
            let connection = Connection::open_with_flags(path, flags)
                .map_err(|source| failure(path, "open", source))?;
            prepare(path, &connection)?;
            connection
                .execute_batch("PRAGMA query_only = ON;")
                .map_err(|source| failure(path, "open", source))?;
            Ok(Store::reader(path, connection))
        };
        match open() {
            // Where no file can be made beside it, SQLite reads a store only if it is told that no
            // run writes to it, which is true if the last writer left no log.
            Err(StoreError::Sqlite { source, .. })
                if source.sqlite_error_code() == Some(ErrorCode::CannotOpen) && !has_log(path) =>
            {
                let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
                let connection = Connection::open_with_flags(immutable_uri(path), flags)
                    .map_err(|source| failure(path, "open", source))?;
                prepare(path, &connection)?;
                Ok(Store::reader(path, connection))
            }
            opened => opened,
        }
    }

    fn reader(path: &Path, connection: Connection) -> Store {
        Store { path: path.to_owned(), connection, _lock: None, place: None, session: None }
    }

    /// The path of the store.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
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
                let mut insert = transaction.prepare_cached(&insert_game())?;
                for FinishedPair { setup, rows, thoughts } in pairs {
                    for (index, row) in rows.iter().enumerate() {
                        let setup = setup.clone();
                        let mut values = values(&StoredGame { session, setup, row: row.clone() });
                        values.push(Value::Text(columns::checksum(&values)));
                        let is_new = insert.execute(params_from_iter(values))? > 0;
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
        // Nobody finds what is in a file without a name, so it does not count as written.
        self.place.as_mut().map_or(Ok(()), Place::check)
    }

    /// Fails unless whoever opens the store at its path finds at least so many games.
    ///
    /// # Errors
    ///
    /// If the store is not where it was, cannot be read, or has fewer games.
    pub fn confirm(&mut self, games: usize) -> Result<(), StoreError> {
        self.place.as_mut().map_or(Ok(()), Place::check)?;
        let found = Store::open_read_only(&self.path)?.count()?;
        if found < games {
            let path = self.path.clone();
            return Err(StoreError::Incomplete { path, found, expected: games });
        }
        Ok(())
    }

    /// How many games there are.
    fn count(&self) -> Result<usize, StoreError> {
        let count = self.connection.query_row("SELECT count(*) FROM games", [], |row| row.get(0));
        let count: i64 = count.map_err(|source| failure(&self.path, "read", source))?;
        Ok(usize::try_from(count).unwrap_or(0))
    }

    /// All games in the order in which they were written.
    ///
    /// # Errors
    ///
    /// If the store cannot be read, or a row is damaged.
    pub fn games(&self) -> Result<Vec<StoredGame>, StoreError> {
        self.read(&select_games(), |row| columns::game_from(&row_values(row, COLUMNS.len() + 1)?))
    }

    /// The game with this number, counted from 1 in the order in which they were written; `None` if
    /// there are fewer.
    ///
    /// # Errors
    ///
    /// If the store cannot be read, or the row is damaged.
    pub fn game(&self, number: usize) -> Result<Option<StoredGame>, StoreError> {
        let Some(before) = number.checked_sub(1) else { return Ok(None) };
        let select = format!("{} LIMIT 1 OFFSET {before}", select_games());
        let row = |row: &Row<'_>| columns::game_from(&row_values(row, COLUMNS.len() + 1)?);
        Ok(self.read(&select, row)?.pop())
    }

    /// What the players thought in all games of which that was kept.
    ///
    /// # Errors
    ///
    /// If the store cannot be read, or a row is damaged.
    pub fn thoughts(&self) -> Result<Thoughts, StoreError> {
        Ok(self.read_thoughts(&thoughts::select())?.into_iter().collect())
    }

    /// What the players thought in one game; `None` if that was not kept.
    ///
    /// # Errors
    ///
    /// If the store cannot be read, or the row is damaged.
    pub fn thoughts_of(&self, place: GamePlace) -> Result<Option<Vec<Thought>>, StoreError> {
        let mut found = self.read_thoughts(&thoughts::select_one(place))?;
        Ok(found.pop().map(|(_, thoughts)| thoughts))
    }

    fn read_thoughts(&self, select: &str) -> Result<Vec<(GamePlace, Vec<Thought>)>, StoreError> {
        let is_there = thoughts::is_there(&self.connection)
            .map_err(|source| failure(&self.path, "read", source))?;
        if is_there { self.read(select, thoughts::from_row) } else { Ok(Vec::new()) }
    }

    /// All games in the order in which they were written, without what the store adds to them.
    ///
    /// # Errors
    ///
    /// If the store cannot be read, or a row is damaged.
    pub fn rows(&self) -> Result<Vec<GameRow>, StoreError> {
        Ok(self.games()?.into_iter().map(|game| game.row).collect())
    }

    /// The results of all games in the order in which they were written. Nothing else of a game is
    /// read, and no checksum is compared: that is several times as fast as [`rows`](Store::rows).
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    pub fn results(&self) -> Result<Vec<GameResult>, StoreError> {
        self.read("SELECT pair, number, outcome, digest FROM games ORDER BY id", |row| {
            let wrong = |error: rusqlite::Error| error.to_string();
            let pair = row.get_ref(0).map_err(wrong)?;
            let pair = pair.as_str().map_err(|error| error.to_string())?.parse()?;
            let (number, outcome) = (row.get(1).map_err(wrong)?, row.get(2).map_err(wrong)?);
            let digest = row.get_ref(3).map_err(wrong)?;
            let digest = digest.as_str().map_err(|error| error.to_string())?;
            let digest = u64::from_str_radix(digest, 16).map_err(|error| error.to_string())?;
            match (number, outcome) {
                (0..=1, -1..=1) => Ok(GameResult { pair, number, outcome, digest }),
                _ => Err(format!("number {number} and outcome {outcome} are no game's")),
            }
        })
    }

    /// The pairs of which both games are there.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    pub fn pairs_done(&self) -> Result<HashSet<PairId>, StoreError> {
        let select = "SELECT pair FROM games GROUP BY pair HAVING count(*) = 2";
        let ids = self.read(select, |row| {
            let text: String = row.get(0).map_err(|error| error.to_string())?;
            text.parse()
        })?;
        Ok(ids.into_iter().collect())
    }

    /// All runs that have written to it, with their numbers.
    ///
    /// # Errors
    ///
    /// If the store cannot be read, or a row is damaged.
    pub fn sessions(&self) -> Result<Vec<(i64, Session)>, StoreError> {
        let columns = names(&SESSION_COLUMNS);
        let select = format!("SELECT {columns}, checksum, id FROM sessions ORDER BY id");
        self.read(&select, |row| {
            let session = Session::from_values(&row_values(row, SESSION_COLUMNS.len() + 1)?)?;
            let id = row.get(SESSION_COLUMNS.len() + 1).map_err(|error| error.to_string())?;
            Ok((id, session))
        })
    }

    /// The text of the experiment that the store was made for.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    pub fn experiment(&self) -> Result<String, StoreError> {
        let select = "SELECT value FROM meta WHERE name = 'experiment'";
        let text = self.connection.query_row(select, [], |row| row.get(0));
        text.map_err(|source| failure(&self.path, "read", source))
    }

    /// Who played in which game: each session with its games and players, once. No checksum is
    /// compared.
    pub(crate) fn casts(&self) -> Result<Vec<Cast>, StoreError> {
        let select = "SELECT DISTINCT session, game, first_player, second_player FROM games";
        self.read(select, |row| {
            let text = |column: usize| row.get(column).map_err(|error| error.to_string());
            let session = row.get(0).map_err(|error| error.to_string())?;
            Ok((session, text(1)?, [text(2)?, text(3)?]))
        })
    }

    /// Checks whether the store is intact, which reads all of it.
    #[must_use]
    pub fn check(&self) -> CheckReport {
        check::check(&self.connection).0
    }

    /// The same, with all games that are intact: whoever needs them need not read the store twice.
    pub(crate) fn checked_games(&self) -> (CheckReport, Vec<StoredGame>) {
        check::check(&self.connection)
    }

    /// What `convert` makes of each row of a query.
    fn read<T>(
        &self,
        select: &str,
        mut convert: impl FnMut(&Row<'_>) -> Result<T, String>,
    ) -> Result<Vec<T>, StoreError> {
        let failed = |source| failure(&self.path, "read", source);
        let mut statement = self.connection.prepare(select).map_err(failed)?;
        let mut rows = statement.query([]).map_err(failed)?;
        let mut all = Vec::new();
        while let Some(row) = rows.next().map_err(failed)? {
            let converted = convert(row).map_err(|problem| StoreError::Damaged {
                path: self.path.clone(),
                problem: format!("row {}: {problem}", all.len() + 1),
            });
            all.push(converted?);
        }
        Ok(all)
    }
}

/// The first `columns` values of a row.
fn row_values(row: &Row<'_>, columns: usize) -> Result<Vec<Value>, String> {
    (0..columns).map(|column| row.get(column).map_err(|error| error.to_string())).collect()
}

/// The path with a suffix.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    PathBuf::from(name)
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
fn failure(path: &Path, doing: &'static str, source: rusqlite::Error) -> StoreError {
    let path = path.to_owned();
    match source.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt) => {
            StoreError::Damaged { path, problem: source.to_string() }
        }
        Some(ErrorCode::NotADatabase) => {
            StoreError::NotAStore { path, problem: source.to_string() }
        }
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
