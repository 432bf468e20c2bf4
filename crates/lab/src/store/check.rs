//! Whether a store is intact.

use std::collections::{HashMap, HashSet};

use rusqlite::types::Value;
use rusqlite::{Connection, Row};

use super::record::{ALL, Record, row_values, verify_checksum};
use super::schema::tables;
use super::thoughts::{self, Kept};
use super::{SHARDS, Session, Store, StoredGame};
use crate::{Pair, PairId};

/// The result of checking a store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckReport {
    /// Games that are intact.
    pub games: usize,
    /// Everything that is not as it was written; empty for an intact store.
    pub problems: Vec<String>,
}

impl CheckReport {
    /// Whether the store is intact.
    #[must_use]
    pub fn is_intact(&self) -> bool {
        self.problems.is_empty()
    }
}

impl Store {
    /// Checks whether the store is intact, which reads all of it.
    #[must_use]
    pub fn check(&self) -> CheckReport {
        self.checked_games().0
    }

    /// Checks the file's structure and every row; also returns the games that are intact, those of a pair
    /// beside each other.
    pub(crate) fn checked_games(&self) -> (CheckReport, Vec<StoredGame>) {
        let connection = &self.connection;
        let mut report = CheckReport::default();
        let problems = &mut report.problems;
        // One view of everything: a run may write at the same time.
        let view = connection.unchecked_transaction();
        problems.extend(view.as_ref().err().map(ToString::to_string));
        structure(connection, problems);
        schema(connection, problems);
        let sessions = sessions(connection, problems);
        meta(connection, problems);
        let mut found: HashMap<PairId, Vec<StoredGame>> = HashMap::new();
        each_row(connection, "games", &StoredGame::select(ALL), problems, |row| {
            let game = StoredGame::from_row(row)?;
            if !sessions.contains(&game.session) {
                return Err(format!("there is no session {}", game.session));
            }
            found.entry(game.row.pair).or_default().push(game);
            Ok(())
        });
        thinking(connection, &found, problems);
        report.games = found.values().map(Vec::len).sum();
        let mut pairs: Vec<_> = found.into_iter().collect();
        pairs.sort_by_key(|(id, _)| *id);
        problems.extend(pairs.iter().filter_map(|(id, games)| pair_problem(*id, games)));
        (report, pairs.into_iter().flat_map(|(_, games)| games).collect())
    }
}

/// What is wrong with the games of a pair, each of which is intact.
pub(crate) fn pair_problem(id: PairId, games: &[StoredGame]) -> Option<String> {
    let mut numbers: Vec<u8> = games.iter().map(|game| game.row.number).collect();
    numbers.sort_unstable();
    if numbers != [0, 1] {
        return Some(format!("pair {id} has the games {numbers:?}; expected 0 and 1"));
    }
    if games[0].setup != games[1].setup {
        return Some(format!("pair {id}: its two games are of different pairs"));
    }
    // A setup of some other version may not be understood, but its checksum was right.
    let pair: Option<Pair> = serde_json::from_str(&games[0].setup).ok();
    match pair.map(|pair| pair.id()) {
        Some(other) if other != id => Some(format!("pair {id} has the setup of pair {other}")),
        _ => None,
    }
}

/// SQLite's own check.
fn structure(connection: &Connection, problems: &mut Vec<String>) {
    let mut messages = Vec::new();
    let result = connection.pragma_query(None, "integrity_check", |row| {
        messages.push(row.get::<_, String>(0)?);
        Ok(())
    });
    messages.retain(|message| message != "ok");
    // The first message begins with the name of the database, on a line of its own.
    let lines = messages.iter().flat_map(|message| message.lines());
    problems.extend(lines.filter(|line| !line.starts_with("***")).map(str::to_owned));
    problems.extend(result.err().map(|error| error.to_string()));
}

/// A table whose definition is damaged may be read as something that was never written.
fn schema(connection: &Connection, problems: &mut Vec<String>) {
    let mut found = Vec::new();
    let select = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid";
    each_row(connection, "the list of tables", select, problems, |row| {
        found.push(row.get::<_, String>(0).map_err(|error| error.to_string())?);
        Ok(())
    });
    let is_plain = found == tables();
    let is_thinking = found
        .split_last()
        .is_some_and(|(last, others)| *last == Kept::create() && others == tables());
    if !is_plain && !is_thinking {
        problems.push("the tables are not defined as they should be".to_owned());
    }
}

/// What players thought, where that was kept: of games that are there, and each once.
fn thinking(
    connection: &Connection,
    games: &HashMap<PairId, Vec<StoredGame>>,
    problems: &mut Vec<String>,
) {
    match thoughts::is_there(connection) {
        Ok(true) => {}
        Ok(false) => return,
        Err(error) => return problems.push(error.to_string()),
    }
    each_row(connection, "thinking", &Kept::select(ALL), problems, |row| {
        let ((pair, number), _) = Kept::from_row(row)?.thoughts()?;
        let is_there = |games: &Vec<StoredGame>| games.iter().any(|it| it.row.number == number);
        match games.get(&pair).is_some_and(is_there) {
            true => Ok(()),
            false => Err(format!("there is no game {number} of pair {pair}")),
        }
    });
}

/// The numbers of the sessions.
fn sessions(connection: &Connection, problems: &mut Vec<String>) -> HashSet<i64> {
    let mut ids = HashSet::new();
    each_row(connection, "sessions", &Session::select(ALL), problems, |row| {
        let values = row_values(row, Session::COLUMNS.len() + 1)?;
        ids.insert(row.get("id").map_err(|error| error.to_string())?);
        Session::from_values(&values).map(drop)
    });
    ids
}

fn meta(connection: &Connection, problems: &mut Vec<String>) {
    let mut found = Vec::new();
    let select = "SELECT name, value, checksum FROM meta ORDER BY name";
    each_row(connection, "meta", select, problems, |row| {
        let values = row_values(row, 3)?;
        found.extend(verify_checksum(&values)?.first().cloned());
        Ok(())
    });
    // Only stores of shards say how many there are.
    let known = ["experiment", "format", SHARDS].map(|name| Value::Text(name.to_owned()));
    if found != known && found != known[..2] {
        problems.push("meta does not say what it should".to_owned());
    }
}

/// Checks each row of a query, as far as SQLite can read them.
fn each_row(
    connection: &Connection,
    table: &str,
    select: &str,
    problems: &mut Vec<String>,
    mut look: impl FnMut(&Row<'_>) -> Result<(), String>,
) {
    let mut number = 0;
    let mut read = |problems: &mut Vec<String>| -> rusqlite::Result<()> {
        let mut statement = connection.prepare(select)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            number += 1;
            if let Err(problem) = look(row) {
                problems.push(format!("{table}, row {number}: {problem}"));
            }
        }
        Ok(())
    };
    if let Err(error) = read(problems) {
        problems.push(format!("{table} cannot be read after row {number}: {error}"));
    }
}
