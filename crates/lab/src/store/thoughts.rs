//! The table of what players thought: a row for each game of which that was asked.
//!
//! A store gets the table with the first such game and not before, so that other stores stay what
//! they were. Programs that do not know the table read everything else; only their checks of the
//! whole file complain.

use std::collections::HashMap;

use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Transaction, params_from_iter};
use treegraft_engine::{self, Thought};

use super::columns::{Fields, checksum, verify_checksum};
use super::row_values;
use super::schema::{insert_into, names};
use crate::row::PairId;

/// The pair of a game and its number in it.
pub type GamePlace = (PairId, u8);

/// What players thought of the moves of games.
pub type Thoughts = HashMap<GamePlace, Vec<Thought>>;

/// Name and type of every column but the row's number and its checksum.
pub(super) const THOUGHT_COLUMNS: [(&str, &str); 3] =
    [("pair", "TEXT"), ("number", "INTEGER"), ("moves", "TEXT")];

/// What makes the table.
pub(super) fn table() -> String {
    let columns = THOUGHT_COLUMNS.map(|(name, kind)| format!("{name} {kind} NOT NULL")).join(", ");
    format!(
        "CREATE TABLE thinking (id INTEGER PRIMARY KEY, {columns}, checksum TEXT NOT NULL, \
         UNIQUE (pair, number))"
    )
}

/// Whether the store has the table.
pub(super) fn is_there(connection: &Connection) -> rusqlite::Result<bool> {
    let select = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'thinking'";
    Ok(connection.query_row(select, [], |_| Ok(())).optional()?.is_some())
}

/// Writes what was thought in a game, together with the game.
pub(super) fn insert(
    transaction: &Transaction<'_>,
    (pair, number): GamePlace,
    thoughts: &[Thought],
) -> rusqlite::Result<()> {
    if !is_there(transaction)? {
        transaction.execute_batch(&table())?;
    }
    add(transaction, (pair, number), thoughts)
}

/// Writes what was thought in a game to the table, which is there. A game that has thoughts keeps
/// them.
pub(super) fn add(
    transaction: &Transaction<'_>,
    (pair, number): GamePlace,
    thoughts: &[Thought],
) -> rusqlite::Result<()> {
    let mut values = vec![
        Value::Text(pair.to_string()),
        Value::Integer(number.into()),
        Value::Text(Thought::write_all(thoughts)),
    ];
    values.push(Value::Text(checksum(&values)));
    let insert = insert_into("thinking", &THOUGHT_COLUMNS);
    let insert = format!("{insert} ON CONFLICT (pair, number) DO NOTHING");
    transaction.prepare_cached(&insert)?.execute(params_from_iter(values)).map(drop)
}

/// The query for all rows.
pub(super) fn select() -> String {
    format!("SELECT {}, checksum FROM thinking ORDER BY id", names(&THOUGHT_COLUMNS))
}

/// The query for the row of one game.
pub(super) fn select_one((pair, number): GamePlace) -> String {
    let columns = names(&THOUGHT_COLUMNS);
    format!("SELECT {columns}, checksum FROM thinking WHERE pair = '{pair}' AND number = {number}")
}

/// What a row says.
pub(super) fn from_row(row: &rusqlite::Row<'_>) -> Result<(GamePlace, Vec<Thought>), String> {
    from_values(&row_values(row, THOUGHT_COLUMNS.len() + 1)?)
}

/// What the values of a row say, the checksum at their end.
pub(super) fn from_values(values: &[Value]) -> Result<(GamePlace, Vec<Thought>), String> {
    let mut fields = Fields { values: verify_checksum(values)?.iter(), number: 0 };
    let place = (fields.text()?.parse()?, fields.whole()?);
    Ok((place, Thought::read_all(&fields.text()?)?))
}
