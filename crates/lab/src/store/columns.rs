//! The columns of the table of games: the only list, used for writing, reading, checking and
//! exporting.

use rusqlite::types::Value;
use sha2::{Digest, Sha256};

use crate::{GameRow, PairId, SideRow};

/// A game as the store keeps it.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredGame {
    /// The run that played it: the number of a [`Session`](super::Session).
    pub session: i64,
    /// The pair that it belongs to, as JSON: everything that is needed to play it again.
    pub setup: String,
    /// What was played.
    pub row: GameRow,
}

/// Name and type of every column but the row's number and its checksum, in the order of the table.
pub const COLUMNS: [(&str, &str); 38] = [
    ("pair", "TEXT"),
    ("number", "INTEGER"),
    ("game", "TEXT"),
    ("first_player", "TEXT"),
    ("second_player", "TEXT"),
    ("outcome", "INTEGER"),
    ("ended_by", "TEXT"),
    ("fault", "TEXT"),
    ("margin", "INTEGER"),
    ("plies", "INTEGER"),
    ("opening_plies", "INTEGER"),
    ("moves", "TEXT"),
    ("seed", "TEXT"),
    ("digest", "TEXT"),
    ("first_moves", "INTEGER"),
    ("first_iterations", "INTEGER"),
    ("first_nodes", "INTEGER"),
    ("first_evaluations", "INTEGER"),
    ("first_playout_plies", "INTEGER"),
    ("first_capped_playouts", "INTEGER"),
    ("first_transitions", "INTEGER"),
    ("first_memory", "INTEGER"),
    ("first_seconds", "REAL"),
    ("first_slowest", "REAL"),
    ("second_moves", "INTEGER"),
    ("second_iterations", "INTEGER"),
    ("second_nodes", "INTEGER"),
    ("second_evaluations", "INTEGER"),
    ("second_playout_plies", "INTEGER"),
    ("second_capped_playouts", "INTEGER"),
    ("second_transitions", "INTEGER"),
    ("second_memory", "INTEGER"),
    ("second_seconds", "REAL"),
    ("second_slowest", "REAL"),
    ("started_ms", "INTEGER"),
    ("seconds", "REAL"),
    ("session", "INTEGER"),
    ("setup", "TEXT"),
];

/// The columns about clocks and runs, in which a game that is played again may differ.
pub const CLOCK_COLUMNS: [&str; 7] = [
    "first_seconds",
    "first_slowest",
    "second_seconds",
    "second_slowest",
    "started_ms",
    "seconds",
    "session",
];

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

/// A game's values in the order of [`COLUMNS`].
#[must_use]
pub(crate) fn values(game: &StoredGame) -> Vec<Value> {
    let StoredGame { session, setup, row } = game;
    let [first, second] = &row.sides;
    let text = |text: &str| Value::Text(text.to_owned());
    let mut values = vec![
        text(&row.pair.to_string()),
        Value::Integer(row.number.into()),
        text(&row.game),
        text(&first.player),
        text(&second.player),
        Value::Integer(row.outcome.into()),
        text(&row.end),
        text(&row.fault),
        row.margin.map_or(Value::Null, Value::Integer),
        Value::Integer(row.plies.into()),
        Value::Integer(row.opening_plies.into()),
        text(&row.moves),
        text(&format!("{:016x}", row.seed)),
        text(&format!("{:016x}", row.digest)),
    ];
    for side in [first, second] {
        values.extend([
            count(side.moves),
            count(side.iterations),
            count(side.nodes),
            count(side.evaluations),
            count(side.playout_plies),
            count(side.capped_playouts),
            count(side.transitions),
            count(side.memory),
            seconds(side.seconds),
            seconds(side.slowest),
        ]);
    }
    values.extend([count(row.started_ms), seconds(row.seconds)]);
    values.extend([Value::Integer(*session), text(setup)]);
    values
}

/// The same, with `NULL` for what a ledger does not keep of the game.
pub(crate) fn known_values(game: &StoredGame) -> Vec<Value> {
    let mut values = values(game);
    if game.row.is_digest_only() {
        for (value, (name, _)) in values.iter_mut().zip(COLUMNS) {
            if LEDGER_OMITS.contains(&name) {
                *value = Value::Null;
            }
        }
    }
    values
}

/// The columns in which two games that should be the same differ, as far as both are known and no
/// clock is in them.
pub(crate) fn differences(a: &StoredGame, b: &StoredGame) -> Vec<(&'static str, [Value; 2])> {
    // Most are the same, and values take long to make.
    if timeless(a) == timeless(b) {
        return Vec::new();
    }
    let is_short = a.row.is_digest_only() || b.row.is_digest_only();
    let is_left_out =
        |name: &str| CLOCK_COLUMNS.contains(&name) || (is_short && LEDGER_OMITS.contains(&name));
    let columns = COLUMNS.iter().zip(known_values(a).into_iter().zip(known_values(b)));
    columns
        .filter(|((name, _), (a, b))| a != b && !is_left_out(name))
        .map(|((name, _), (a, b))| (*name, [a, b]))
        .collect()
}

/// A game without what [`CLOCK_COLUMNS`] say of it.
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

/// SQLite's integers end at 2^63 - 1, which no count reaches.
fn count(number: u64) -> Value {
    Value::Integer(i64::try_from(number).unwrap_or(i64::MAX))
}

/// What stands for seconds that are not known: SQLite has no NaN. Only games that came from a ledger
/// have it.
const UNKNOWN: f64 = -1.0;

fn seconds(seconds: f64) -> Value {
    Value::Real(match seconds {
        known if known.is_finite() => known,
        unknown if unknown.is_nan() => UNKNOWN,
        _ => 0.0,
    })
}

/// A number over the values of a row, 32 hexadecimal digits: half of a SHA-256.
#[must_use]
pub(super) fn checksum(values: &[Value]) -> String {
    // One piece: hashing many small ones takes longer than all the rest of reading a row.
    let mut bytes = Vec::with_capacity(1024);
    for value in values {
        // The kind and the length of each value, so that nothing can move from one to the next.
        match value {
            Value::Null => bytes.push(0),
            Value::Integer(number) => {
                bytes.push(1);
                bytes.extend_from_slice(&number.to_le_bytes());
            }
            Value::Real(number) => {
                bytes.push(2);
                bytes.extend_from_slice(&number.to_bits().to_le_bytes());
            }
            Value::Text(text) => {
                bytes.push(3);
                bytes.extend_from_slice(&(text.len() as u64).to_le_bytes());
                bytes.extend_from_slice(text.as_bytes());
            }
            Value::Blob(blob) => {
                bytes.push(4);
                bytes.extend_from_slice(&(blob.len() as u64).to_le_bytes());
                bytes.extend_from_slice(blob);
            }
        }
    }
    let digest = Sha256::digest(&bytes);
    let half = digest.iter().take(16).fold(0, |number, &byte| number << 8 | u128::from(byte));
    format!("{half:032x}")
}

/// Whether the last of the values is the checksum of those before it.
///
/// # Errors
///
/// If it is not.
pub(super) fn verify_checksum(values: &[Value]) -> Result<&[Value], String> {
    match values.split_last() {
        Some((Value::Text(found), rest)) if *found == checksum(rest) => Ok(rest),
        _ => Err("the checksum is wrong".to_owned()),
    }
}

/// The game that has these values, in the order of [`COLUMNS`] with the checksum at the end.
///
/// # Errors
///
/// If the checksum is wrong, or the values do not make a game.
pub(super) fn game_from(values: &[Value]) -> Result<StoredGame, String> {
    let mut fields = Fields { values: verify_checksum(values)?.iter(), number: 0 };
    let fields = &mut fields;
    let pair: PairId = fields.text()?.parse()?;
    let number = fields.whole()?;
    let game = fields.text()?;
    let players = [fields.text()?, fields.text()?];
    let outcome = fields.whole()?;
    let end = fields.text()?;
    let fault = fields.text()?;
    let margin = fields.optional()?;
    let plies = fields.whole()?;
    let opening_plies = fields.whole()?;
    let moves = fields.text()?;
    let seed = fields.hexadecimal()?;
    let digest = fields.hexadecimal()?;
    let [first, second] = players;
    let sides = [side(first, fields)?, side(second, fields)?];
    let started_ms = fields.whole()?;
    let seconds = fields.seconds()?;
    let row = GameRow {
        pair,
        number,
        game,
        sides,
        moves,
        plies,
        opening_plies,
        outcome,
        end,
        fault,
        margin,
        seed,
        digest,
        started_ms,
        seconds,
    };
    Ok(StoredGame { session: fields.whole()?, setup: fields.text()?, row })
}

fn side(player: String, fields: &mut Fields<'_>) -> Result<SideRow, String> {
    Ok(SideRow {
        player,
        moves: fields.whole()?,
        iterations: fields.whole()?,
        nodes: fields.whole()?,
        evaluations: fields.whole()?,
        playout_plies: fields.whole()?,
        capped_playouts: fields.whole()?,
        transitions: fields.whole()?,
        memory: fields.whole()?,
        seconds: fields.seconds()?,
        slowest: fields.seconds()?,
    })
}

/// Values that are taken one after the other.
pub(super) struct Fields<'a> {
    pub(super) values: std::slice::Iter<'a, Value>,
    /// Values taken.
    pub(super) number: usize,
}

impl Fields<'_> {
    fn next(&mut self) -> Result<&Value, String> {
        self.number += 1;
        self.values.next().ok_or_else(|| "a column is missing".to_owned())
    }

    fn wrong<T>(&self, expected: &str) -> Result<T, String> {
        Err(format!("value {} is not {expected}", self.number))
    }

    pub(super) fn text(&mut self) -> Result<String, String> {
        match self.next()? {
            Value::Text(text) => Ok(text.clone()),
            _ => self.wrong("text"),
        }
    }

    pub(super) fn whole<T: TryFrom<i64>>(&mut self) -> Result<T, String> {
        match self.next()? {
            Value::Integer(number) => {
                let number = *number;
                T::try_from(number).or_else(|_| self.wrong("a whole number of the right size"))
            }
            _ => self.wrong("a whole number"),
        }
    }

    fn optional(&mut self) -> Result<Option<i64>, String> {
        match self.next()? {
            Value::Integer(number) => Ok(Some(*number)),
            Value::Null => Ok(None),
            _ => self.wrong("a whole number or nothing"),
        }
    }

    /// Seconds; NaN if they are not known.
    fn seconds(&mut self) -> Result<f64, String> {
        match self.next()? {
            Value::Real(number) => Ok(if *number < 0.0 { f64::NAN } else { *number }),
            _ => self.wrong("a number"),
        }
    }

    fn hexadecimal(&mut self) -> Result<u64, String> {
        let text = self.text()?;
        u64::from_str_radix(&text, 16).or_else(|_| self.wrong("a hexadecimal number"))
    }
}
