//! The tables of a store, and how they are created.

use std::fs;
use std::path::Path;
use std::time::Duration;

use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, params_from_iter};

use super::record::{Record, checksum};
use super::{Session, StoreError, StoredGame, beside, failure, has_log};

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
    remove(&new);
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
            put_meta(&transaction, name, value)?;
        }
        transaction.commit()?;
        // Closing does the same, but does not say so if there is no room: then everything would be
        // in a log that has the wrong name for the store.
        connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE);")?;
        connection.close().map_err(|(_, error)| error)
    };
    fill().map_err(|source| {
        remove(&new);
        failure(path, "make", source)
    })?;
    let publish = || -> std::io::Result<()> {
        fs::File::open(&new)?.sync_all()?;
        fs::rename(&new, path)?;
        // The name is on the disk when the directory is. Not every system lets it be opened.
        let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        fs::File::open(directory.unwrap_or(Path::new(".")))
            .and_then(|dir| dir.sync_all())
            .or(Ok(()))
    };
    publish().map_err(|source| {
        remove(&new);
        StoreError::File { path: path.to_owned(), doing: "make", source }
    })
}

/// Removes what there is of a database.
fn remove(path: &Path) {
    for suffix in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(beside(path, suffix));
    }
}

/// Says something about the store; what was said by this name before is replaced.
pub(super) fn put_meta(connection: &Connection, name: &str, value: &str) -> rusqlite::Result<()> {
    let mut values = vec![Value::Text(name.to_owned()), Value::Text(value.to_owned())];
    values.push(Value::Text(checksum(&values)));
    let insert = "INSERT OR REPLACE INTO meta VALUES (?, ?, ?)";
    connection.execute(insert, params_from_iter(values)).map(drop)
}

/// Opens the store at `path` by this name, if it is one that this version can read.
pub(super) fn open(path: &Path, name: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
    let failed = |source| failure(path, "open", source);
    let connection = Connection::open_with_flags(name, flags).map_err(failed)?;
    connection.busy_timeout(Duration::from_secs(10)).map_err(failed)?;
    connection.execute_batch("PRAGMA cell_size_check = ON;").map_err(failed)?;
    let pragma = |name: &str| -> Result<i64, StoreError> {
        connection.pragma_query_value(None, name, |row| row.get(0)).map_err(failed)
    };
    let not_a_store = |problem: &str| StoreError::not_a_store(path, problem);
    if pragma("application_id")? != APPLICATION_ID {
        return Err(not_a_store("another program's number is in it"));
    }
    let found = pragma("user_version")?;
    if found != FORMAT {
        return Err(StoreError::Format { path: path.to_owned(), found, expected: FORMAT });
    }
    if pragma("page_size")? != PAGE_BYTES as i64 {
        return Err(not_a_store("its pages have the wrong size"));
    }
    Ok(connection)
}

/// What makes the tables of a store.
pub(super) fn tables() -> [String; 3] {
    let meta =
        "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL, checksum TEXT NOT NULL)";
    [meta.to_owned(), Session::create(), StoredGame::create()]
}
