//! Games for other programs, as comma-separated values or JSON lines.

use std::io::{self, Write};

use rusqlite::types::Value;
use treegraft_engine::Thought;
use treegraft_pictures::csv;

use crate::store::{COLUMNS, StoredGame, Thoughts, known_values};

/// Writes games as comma-separated values (RFC 4180, but with bare line feeds), the names of the
/// columns first. The columns are those of the store's table of games; `NULL`, and what a ledger
/// does not keep, is an empty field.
///
/// # Errors
///
/// If `out` cannot be written.
pub fn write_csv<'a>(
    games: impl IntoIterator<Item = &'a StoredGame>,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut line = |fields: Vec<String>| writeln!(out, "{}", csv::record(&fields));
    line(COLUMNS.iter().map(|(name, _)| csv::field(name)).collect())?;
    for game in games {
        line(known_values(game).iter().map(field).collect())?;
    }
    Ok(())
}

/// Writes games as JSON, one object per line, with the columns of the store's table of games, after
/// the name and version of what they mean: `docs/schemas/stored-game.json`. Games that recorded it
/// have what the players thought.
///
/// # Errors
///
/// If `out` cannot be written.
pub fn write_json_lines<'a>(
    games: impl IntoIterator<Item = &'a StoredGame>,
    thoughts: &Thoughts,
    out: &mut impl Write,
) -> io::Result<()> {
    for game in games {
        let fields = COLUMNS.iter().map(|(name, _)| (*name).to_owned());
        let mut object = serde_json::Map::new();
        object.insert("schema".to_owned(), "treegraft.stored-game/1".into());
        object.extend(fields.zip(known_values(game).iter().map(json)));
        if let Some(thoughts) = thoughts.get(&(game.row.pair, game.row.number)) {
            let thoughts = thoughts.iter().map(Thought::json).collect();
            object.insert("thinking".to_owned(), thoughts);
        }
        writeln!(out, "{}", serde_json::Value::Object(object))?;
    }
    Ok(())
}

fn field(value: &Value) -> String {
    match value {
        Value::Null | Value::Blob(_) => String::new(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Text(text) => csv::field(text),
    }
}

fn json(value: &Value) -> serde_json::Value {
    match value {
        Value::Null | Value::Blob(_) => serde_json::Value::Null,
        Value::Integer(number) => (*number).into(),
        Value::Real(number) => (*number).into(),
        Value::Text(text) => text.as_str().into(),
    }
}
