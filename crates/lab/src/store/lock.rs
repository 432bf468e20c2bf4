//! One run per store: a lock that ends with the process that holds it.

use std::path::Path;

use rusqlite::{Connection, ErrorCode};

/// The right to write to a store.
///
/// It is SQLite's own lock on an empty file beside the store, so that it works wherever the store
/// does, two runs of one process included. The file stays: if it were removed, another run could be
/// waiting for the lock of a file that is gone.
#[derive(Debug)]
pub(super) struct Lock {
    /// Never read: the lock lasts as long as the transaction that was begun here.
    _held: Connection,
}

impl Lock {
    /// Takes the lock at `path`; `None` if another run has it.
    pub(super) fn take(path: &Path) -> rusqlite::Result<Option<Lock>> {
        let connection = Connection::open(path)?;
        connection.busy_timeout(std::time::Duration::ZERO)?;
        match connection.execute_batch("BEGIN EXCLUSIVE") {
            Ok(()) => Ok(Some(Lock { _held: connection })),
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
