//! The columns of the table of games: the only list, used for writing, reading, checking and
//! exporting.

use rusqlite::types::Value;

use super::record::{Record, record};
use crate::{GameRow, SideRow};

/// A game as the store keeps it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StoredGame {
    /// The run that played it: the number of a [`Session`](super::Session).
    pub session: i64,
    /// The pair that it belongs to, as JSON: everything that is needed to play it again.
    pub setup: String,
    /// What was played.
    pub row: GameRow,
}

record! {
    StoredGame, "games", "pair, number";
    pair TEXT text(row.pair),
    number INTEGER in_pair(row.number),
    game TEXT text(row.game),
    first_player TEXT text(row.sides[0].player),
    second_player TEXT text(row.sides[1].player),
    outcome INTEGER outcome(row.outcome),
    ended_by TEXT text(row.end),
    fault TEXT text(row.fault),
    margin INTEGER optional(row.margin),
    plies INTEGER whole(row.plies),
    opening_plies INTEGER whole(row.opening_plies),
    moves TEXT text(row.moves),
    seed TEXT hexadecimal(row.seed),
    digest TEXT hexadecimal(row.digest),
    first_moves INTEGER whole(row.sides[0].moves),
    first_iterations INTEGER whole(row.sides[0].iterations),
    first_nodes INTEGER whole(row.sides[0].nodes),
    first_evaluations INTEGER whole(row.sides[0].evaluations),
    first_playout_plies INTEGER whole(row.sides[0].playout_plies),
    first_capped_playouts INTEGER whole(row.sides[0].capped_playouts),
    first_transitions INTEGER whole(row.sides[0].transitions),
    first_memory INTEGER whole(row.sides[0].memory),
    first_seconds REAL seconds(row.sides[0].seconds),
    first_slowest REAL seconds(row.sides[0].slowest),
    second_moves INTEGER whole(row.sides[1].moves),
    second_iterations INTEGER whole(row.sides[1].iterations),
    second_nodes INTEGER whole(row.sides[1].nodes),
    second_evaluations INTEGER whole(row.sides[1].evaluations),
    second_playout_plies INTEGER whole(row.sides[1].playout_plies),
    second_capped_playouts INTEGER whole(row.sides[1].capped_playouts),
    second_transitions INTEGER whole(row.sides[1].transitions),
    second_memory INTEGER whole(row.sides[1].memory),
    second_seconds REAL seconds(row.sides[1].seconds),
    second_slowest REAL seconds(row.sides[1].slowest),
    started_ms INTEGER whole(row.started_ms),
    seconds REAL seconds(row.seconds),
    session INTEGER whole(session),
    setup TEXT text(setup),
}

/// Name and type of every column but the row's number and its checksum, in the order of the table.
pub const COLUMNS: &[(&str, &str)] = StoredGame::COLUMNS;

/// The columns that a ledger does not keep of a game that follows from its seed.
pub const LEDGER_OMITS: [&str; 13] = [
    "moves",
    "first_capped_playouts",
    "first_transitions",
    "first_memory",
    "first_seconds",
    "first_slowest",
    "second_capped_playouts",
    "second_transitions",
    "second_memory",
    "second_seconds",
    "second_slowest",
    "started_ms",
    "seconds",
];

/// A game's values in the order of [`COLUMNS`], with `NULL` for what a ledger does not keep of it.
pub(crate) fn known_values(game: &StoredGame) -> Vec<Value> {
    let mut values = game.values();
    if game.row.is_digest_only() {
        for (value, (name, _)) in values.iter_mut().zip(COLUMNS) {
            if LEDGER_OMITS.contains(name) {
                *value = Value::Null;
            }
        }
    }
    values
}

/// The columns in which two games that should be the same differ, as far as both are known and no
/// clock is in them.
pub(crate) fn differences(a: &StoredGame, b: &StoredGame) -> Vec<(&'static str, [Value; 2])> {
    let is_short = a.row.is_digest_only() || b.row.is_digest_only();
    let (a, b) = (timeless(a), timeless(b));
    // Most are the same, and values take long to make.
    if a == b {
        return Vec::new();
    }
    let is_left_out = |name: &str| is_short && LEDGER_OMITS.contains(&name);
    let columns = COLUMNS.iter().zip(a.values().into_iter().zip(b.values()));
    columns
        .filter(|((name, _), (a, b))| a != b && !is_left_out(name))
        .map(|((name, _), (a, b))| (*name, [a, b]))
        .collect()
}

/// A game without what depends on clocks and runs, in which one that is played again may differ.
fn timeless(game: &StoredGame) -> StoredGame {
    let StoredGame { setup, row, .. } = game;
    let side = |side: &SideRow| SideRow { seconds: 0.0, slowest: 0.0, ..side.clone() };
    let sides = row.sides.each_ref().map(side);
    let row = GameRow { sides, started_ms: 0, seconds: 0.0, ..row.clone() };
    StoredGame { session: 0, setup: setup.clone(), row }
}

/// A value as people write it.
pub(crate) fn shown(value: &Value) -> String {
    match value {
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Text(text) => format!("{text:?}"),
        Value::Null | Value::Blob(_) => "nothing".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::checksum;
    use super::*;

    /// A column of a row with another value, and with the right checksum.
    fn forged(column: &str, value: i64) -> Result<StoredGame, String> {
        let pair = format!("{:032x}", 7);
        let row = GameRow { pair: pair.parse()?, ..GameRow::default() };
        let game = StoredGame { row, ..StoredGame::default() };
        let mut values = game.values();
        let at = StoredGame::COLUMNS.iter().position(|(name, _)| *name == column);
        values[at.expect("a column")] = Value::Integer(value);
        values.push(Value::Text(checksum(&values)));
        StoredGame::from_values(&values)
    }

    #[test]
    fn numbers_that_no_game_has_are_refused() {
        for (column, right, wrong) in [
            ("number", &[0, 1][..], &[2, 7, 255, 256, -1, i64::MAX][..]),
            ("outcome", &[-1, 0, 1], &[2, -2, 127, -128, i64::MIN]),
            ("plies", &[0, u32::MAX.into()], &[-1, 1 << 32]),
            ("first_nodes", &[0, i64::MAX], &[-1, i64::MIN]),
            ("margin", &[i64::MIN, i64::MAX], &[]),
        ] {
            for &value in right {
                assert!(forged(column, value).is_ok(), "{column} {value}");
            }
            for &value in wrong {
                let error = forged(column, value).expect_err(column);
                assert!(error.contains(" is not "), "{column} {value}: {error}");
            }
        }
    }
}
