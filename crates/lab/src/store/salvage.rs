//! What is intact in a damaged store.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use rusqlite::types::Value;

use super::check::pair_problem;
use super::pages::Pages;
use super::record::Record;
use super::thoughts::{Kept, Thoughts};
use super::{COLUMNS, StoreError, StoredGame, beside};
use crate::content::Content;

/// What could be read from a damaged store.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Salvaged {
    /// The games whose rows are intact, in the order in which they were written.
    pub games: Vec<StoredGame>,
    /// What the players thought, where that was kept and is intact.
    pub thoughts: Thoughts,
    /// What is wrong with the rest, as far as it is known.
    pub problems: Vec<String>,
}

/// Reads every row that is still readable and has the right checksum from a store in any state.
///
/// It reads the pages of the file one by one, without SQLite, the file's header or the links
/// between pages: a damaged page costs only the rows on it. The store must not be open in this
/// process.
///
/// # Errors
///
/// If the file cannot be read at all, or is certainly something else.
pub fn salvage(path: &Path) -> Result<Salvaged, StoreError> {
    // Anything else may be what is left of a store.
    if Content::of(path).is_ok_and(Content::is_something_else) {
        return Err(StoreError::not_a_store(path, ""));
    }
    let failed = |source| StoreError::File { path: path.to_owned(), doing: "read", source };
    let file = fs::read(path).map_err(failed)?;
    let log = fs::read(beside(path, "-wal")).unwrap_or_default();
    // The row's number comes first, as a NULL: SQLite keeps it elsewhere. The checksum comes last.
    let columns = COLUMNS.len() + 2;
    let mut found = BTreeMap::new();
    let mut damaged = BTreeMap::new();
    let pages = Pages::new(&file, &log);
    for (number, mut values) in pages.records(columns) {
        values.remove(0);
        for (value, (_, kind)) in values.iter_mut().zip(COLUMNS) {
            // Numbers without a fraction are kept as integers in columns of any kind.
            if let (Value::Integer(whole), &"REAL") = (&*value, kind) {
                *value = Value::Real(*whole as f64);
            }
        }
        match StoredGame::from_values(&values) {
            Ok(game) => drop(found.insert((game.row.pair, game.row.number), (number, game))),
            Err(problem) => drop(damaged.insert(number, problem)),
        }
    }
    let thoughts = pages.records(Kept::COLUMNS.len() + 2).filter_map(|(_, mut values)| {
        values.remove(0);
        Kept::from_values(&values).and_then(Kept::thoughts).ok()
    });
    let thoughts: Thoughts = thoughts.collect();
    // An old image of a page may be damaged where the latest is not.
    let intact: BTreeSet<i64> = found.values().map(|(number, _)| *number).collect();
    damaged.retain(|number, _| !intact.contains(number));
    let mut problems = Vec::new();
    if pages.missing() > 0 {
        problems.push(format!("{} pages of the file are missing", pages.missing()));
    }
    // Rows are numbered from 1 without gaps, and never taken out.
    let last = intact.last().map_or(0, |&number| usize::try_from(number).unwrap_or(0));
    let before_last = damaged.keys().filter(|number| Some(*number) < intact.last()).count();
    let gone = last.saturating_sub(intact.len() + before_last);
    if gone > 0 {
        problems.push(format!("{gone} games before the last intact one are gone"));
    }
    let damaged = damaged.into_iter();
    problems.extend(damaged.map(|(number, problem)| format!("game {number}: {problem}")));
    let mut numbered: Vec<(i64, StoredGame)> = found.into_values().collect();
    // Both games of a pair were written one after the other, and the keys were sorted by pair.
    for games in numbered.chunk_by(|(_, a), (_, b)| a.row.pair == b.row.pair) {
        let games: Vec<StoredGame> = games.iter().map(|(_, game)| game.clone()).collect();
        problems.extend(pair_problem(games[0].row.pair, &games));
    }
    numbered.sort_by_key(|(number, _)| *number);
    let games = numbered.into_iter().map(|(_, game)| game).collect();
    Ok(Salvaged { games, thoughts, problems })
}
