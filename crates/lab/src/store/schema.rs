//! The tables of a store, and how they are created.

use std::fs;
use std::path::Path;
use std::time::Duration;

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use super::columns::{COLUMNS, checksum};
use super::session::SESSION_COLUMNS;
use super::{StoreError, beside, failure, has_log};

/// The application number in the header that marks a store: "tgft".
const APPLICATION_ID: i64 = 0x7467_6674;

/// The version of the tables. It changes when a reader would have to.
const FORMAT: i64 = 1;

/// The size of the file's pages, which [`salvage`] has to know even when the header is gone.
pub(super) const PAGE_BYTES: usize = 4096;

/// Creates an empty store, under another name first, so that no kill leaves half of one.
pub(super) fn create(path: &Path, experiment: &str) -> Result<(), StoreError> {
    if has_log(path) {
        let left_over = beside(path, "-wal");
        return Err(StoreError::LeftOver { path: path.to_owned(), left_over });
    }
    let new = beside(path, ".new");
    for suffix in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(beside(&new, suffix));
    }
    let fill = || -> rusqlite::Result<()> {
        let mut connection = Connection::open(&new)?;
        connection.execute_batch(&format!(
            "PRAGMA page_size = {PAGE_BYTES}; PRAGMA journal_mode = WAL;
             PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {FORMAT};"
        ))?;
        let transaction = connection.transaction()?;
        for table in tables() {
            transaction.execute_batch(&table)?;
        }
        for (name, value) in [("format", FORMAT.to_string().as_str()), ("experiment", experiment)] {
            let mut values = vec![Value::Text(name.to_owned()), Value::Text(value.to_owned())];
            values.push(Value::Text(checksum(&values)));
            transaction.execute("INSERT INTO meta VALUES (?, ?, ?)", params_from_iter(values))?;
        }
        transaction.commit()?;
        connection.close().map_err(|(_, error)| error)
    };
    fill().map_err(|source| failure(path, "make", source))?;
    let publish = || -> std::io::Result<()> {
        fs::File::open(&new)?.sync_all()?;
        fs::rename(&new, path)?;
        // The name is on the disk when the directory is. Not every system lets it be opened.
        let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        fs::File::open(directory.unwrap_or(Path::new(".")))
            .and_then(|dir| dir.sync_all())
            .or(Ok(()))
    };
    publish().map_err(|source| StoreError::File { path: path.to_owned(), doing: "make", source })
}

/// Checks whether the file is a store that this version can read.
pub(super) fn prepare(path: &Path, connection: &Connection) -> Result<(), StoreError> {
    let failed = |source| failure(path, "open", source);
    connection.busy_timeout(Duration::from_secs(10)).map_err(failed)?;
    connection.execute_batch("PRAGMA cell_size_check = ON;").map_err(failed)?;
    let pragma = |name: &str| -> Result<i64, StoreError> {
        connection.pragma_query_value(None, name, |row| row.get(0)).map_err(failed)
    };
    let not_a_store = |problem: &str| StoreError::NotAStore {
        path: path.to_owned(),
        problem: problem.to_owned(),
    };
    if pragma("application_id")? != APPLICATION_ID {
        let empty = fs::metadata(path).is_ok_and(|file| file.len() == 0);
        let problem = if empty { "it is empty" } else { "another program's number is in it" };
        return Err(not_a_store(problem));
    }
    let found = pragma("user_version")?;
    if found != FORMAT {
        return Err(StoreError::Format { path: path.to_owned(), found, expected: FORMAT });
    }
    if pragma("page_size")? != PAGE_BYTES as i64 {
        return Err(not_a_store("its pages have the wrong size"));
    }
    Ok(())
}

/// The tables of a store.
pub(super) fn tables() -> [String; 3] {
    let columns = |columns: &[(&str, &str)]| {
        let column = |(name, kind): &(&str, &str)| {
            // Not every game keeps count; everything else is always known.
            let optional = *name == "margin";
            format!("{name} {kind}{}", if optional { "" } else { " NOT NULL" })
        };
        columns.iter().map(column).collect::<Vec<_>>().join(", ")
    };
    [
        "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL, checksum TEXT NOT NULL)"
            .to_owned(),
        format!(
            "CREATE TABLE sessions (id INTEGER PRIMARY KEY, {}, checksum TEXT NOT NULL)",
            columns(&SESSION_COLUMNS)
        ),
        format!(
            "CREATE TABLE games (id INTEGER PRIMARY KEY, {}, checksum TEXT NOT NULL, \
             UNIQUE (pair, number))",
            columns(&COLUMNS)
        ),
    ]
}

pub(super) fn names(columns: &[(&str, &str)]) -> String {
    columns.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

pub(super) fn insert_into(table: &str, columns: &[(&str, &str)]) -> String {
    let marks = vec!["?"; columns.len() + 1].join(", ");
    format!("INSERT INTO {table} ({}, checksum) VALUES ({marks})", names(columns))
}

pub(super) fn insert_game() -> String {
    format!("{} ON CONFLICT (pair, number) DO NOTHING", insert_into("games", &COLUMNS))
}

/// The query for one game by its pair and its number.
pub(super) fn select_game() -> String {
    format!("SELECT {}, checksum FROM games WHERE pair = ? AND number = ?", names(&COLUMNS))
}

pub(super) fn select_games() -> String {
    format!("SELECT {}, checksum, id FROM games ORDER BY id", names(&COLUMNS))
}
