//! The table of what players thought: a row for each game that recorded it.
//!
//! A store gets the table with the first such game and not before, so that other stores stay what
//! they were. Programs that do not know the table read everything else; only their checks of the
//! whole file complain.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension, Transaction};
use treegraft_engine::Thought;

use super::record::{Record, record};
use crate::row::PairId;

/// The pair of a game and its number in it.
pub type GamePlace = (PairId, u8);

/// What players thought of the moves of games.
pub type Thoughts = HashMap<GamePlace, Vec<Thought>>;

/// What players thought in a game, as a row of the table.
#[derive(Default)]
pub(crate) struct Kept {
    pair: PairId,
    number: u8,
    moves: String,
}

record! {
    Kept, "thinking", "pair, number";
    pair TEXT text(pair),
    number INTEGER whole(number),
    moves TEXT text(moves),
}

/// Whether the store has the table.
pub(crate) fn is_there(connection: &Connection) -> rusqlite::Result<bool> {
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
        transaction.execute_batch(&Kept::create())?;
    }
    add(transaction, (pair, number), thoughts)
}

/// Writes what was thought in a game to the table, which is there. A game that has thoughts keeps
/// them.
pub(crate) fn add(
    transaction: &Transaction<'_>,
    (pair, number): GamePlace,
    thoughts: &[Thought],
) -> rusqlite::Result<()> {
    Kept { pair, number, moves: Thought::write_all(thoughts) }.add_to(transaction)
}

impl Kept {
    /// The place of the game, and what was thought in it.
    pub(super) fn thoughts(self) -> Result<(GamePlace, Vec<Thought>), String> {
        Ok(((self.pair, self.number), Thought::read_all(&self.moves)?))
    }
}
