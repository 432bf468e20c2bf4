//! Reading a store.

use std::collections::HashSet;

use rusqlite::Row;
use treegraft_engine::Thought;

use super::record::{ALL, Record};
use super::thoughts::{self, Kept};
use super::{GamePlace, SHARDS, Session, Store, StoreError, StoredGame, Thoughts, failure};
use crate::row::GameResult;
use crate::shard::MAX_SHARDS;
use crate::{GameRow, PairId};

/// A session, a game, and two players who met there.
pub(crate) type Cast = (i64, String, [String; 2]);

impl Store {
    /// How many games there are.
    pub(super) fn count(&self) -> Result<usize, StoreError> {
        let count = self.connection.query_row("SELECT count(*) FROM games", [], |row| row.get(0));
        let count: i64 = count.map_err(|source| failure(&self.path, "read", source))?;
        Ok(usize::try_from(count).unwrap_or(0))
    }

    /// All games in the order in which they were written.
    ///
    /// # Errors
    ///
    /// If the store cannot be read, or a row is damaged.
    pub fn games(&self) -> Result<Vec<StoredGame>, StoreError> {
        self.read(&StoredGame::select(ALL), StoredGame::from_row)
    }

    /// The game with this number, counted from 1 in the order in which they were written; `None` if
    /// there are fewer.
    ///
    /// # Errors
    ///
    /// If the store cannot be read, or the row is damaged.
    pub fn game(&self, number: usize) -> Result<Option<StoredGame>, StoreError> {
        let Some(before) = number.checked_sub(1) else { return Ok(None) };
        let select = StoredGame::select(&format!("{ALL} LIMIT 1 OFFSET {before}"));
        Ok(self.read(&select, StoredGame::from_row)?.pop())
    }

    /// What the players thought in all games that recorded it.
    ///
    /// # Errors
    ///
    /// If the store cannot be read, or a row is damaged.
    pub fn thoughts(&self) -> Result<Thoughts, StoreError> {
        Ok(self.read_thoughts(ALL)?.into_iter().collect())
    }

    /// What the players thought in one game; `None` if that was not kept.
    ///
    /// # Errors
    ///
    /// If the store cannot be read, or the row is damaged.
    pub fn thoughts_of(
        &self,
        (pair, number): GamePlace,
    ) -> Result<Option<Vec<Thought>>, StoreError> {
        let one = format!("WHERE pair = '{pair}' AND number = {number}");
        let mut found = self.read_thoughts(&one)?;
        Ok(found.pop().map(|(_, thoughts)| thoughts))
    }

    fn read_thoughts(&self, which: &str) -> Result<Vec<(GamePlace, Vec<Thought>)>, StoreError> {
        let is_there = thoughts::is_there(&self.connection)
            .map_err(|source| failure(&self.path, "read", source))?;
        if !is_there {
            return Ok(Vec::new());
        }
        self.read(&Kept::select(which), |row| Kept::from_row(row)?.thoughts())
    }

    /// All games in the order in which they were written, without what the store adds to them.
    ///
    /// # Errors
    ///
    /// If the store cannot be read, or a row is damaged.
    pub fn rows(&self) -> Result<Vec<GameRow>, StoreError> {
        Ok(self.games()?.into_iter().map(|game| game.row).collect())
    }

    /// The results of all games in the order in which they were written. Nothing else of a game is
    /// read, and no checksum is compared: that is several times as fast as [`rows`](Store::rows).
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    pub fn results(&self) -> Result<Vec<GameResult>, StoreError> {
        self.read("SELECT pair, number, outcome, digest FROM games ORDER BY id", |row| {
            let wrong = |error: rusqlite::Error| error.to_string();
            let pair = row.get_ref(0).map_err(wrong)?;
            let pair = pair.as_str().map_err(|error| error.to_string())?.parse()?;
            let (number, outcome) = (row.get(1).map_err(wrong)?, row.get(2).map_err(wrong)?);
            let digest = row.get_ref(3).map_err(wrong)?;
            let digest = digest.as_str().map_err(|error| error.to_string())?;
            let digest = u64::from_str_radix(digest, 16).map_err(|error| error.to_string())?;
            match (number, outcome) {
                (0..=1, -1..=1) => Ok(GameResult { pair, number, outcome, digest }),
                _ => Err(format!("number {number} and outcome {outcome} are no game's")),
            }
        })
    }

    /// The pairs with both games.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    pub fn pairs_done(&self) -> Result<HashSet<PairId>, StoreError> {
        let select = "SELECT pair FROM games GROUP BY pair HAVING count(*) = 2";
        let ids = self.read(select, |row| {
            let text: String = row.get(0).map_err(|error| error.to_string())?;
            text.parse()
        })?;
        Ok(ids.into_iter().collect())
    }

    /// All runs that have written to it, with their numbers.
    ///
    /// # Errors
    ///
    /// If the store cannot be read, or a row is damaged.
    pub fn sessions(&self) -> Result<Vec<(i64, Session)>, StoreError> {
        self.read(&Session::select(ALL), |row| {
            let session = Session::from_row(row)?;
            Ok((row.get("id").map_err(|error| error.to_string())?, session))
        })
    }

    /// The text of the experiment that the store was made for.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    pub fn experiment(&self) -> Result<String, StoreError> {
        let select = "SELECT value FROM meta WHERE name = 'experiment'";
        let text = self.connection.query_row(select, [], |row| row.get(0));
        text.map_err(|source| failure(&self.path, "read", source))
    }

    /// How many shards the plan was divided into when the store, or what was merged into it, was
    /// played; `None` if that is not known.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    pub fn shards(&self) -> Result<Option<u32>, StoreError> {
        let select = format!("SELECT value FROM meta WHERE name = '{SHARDS}'");
        let number = self.read(&select, |row| {
            let text: String = row.get(0).map_err(|error| error.to_string())?;
            let number = text.parse().ok().filter(|number| (1..=MAX_SHARDS).contains(number));
            number.ok_or_else(|| format!("{text} is no number of shards"))
        })?;
        Ok(number.into_iter().next())
    }

    /// Who played in which game: each session with its games and players, once. No checksum is
    /// compared.
    pub(crate) fn casts(&self) -> Result<Vec<Cast>, StoreError> {
        let select = "SELECT DISTINCT session, game, first_player, second_player FROM games";
        self.read(select, |row| {
            let text = |column: usize| row.get(column).map_err(|error| error.to_string());
            let session = row.get(0).map_err(|error| error.to_string())?;
            Ok((session, text(1)?, [text(2)?, text(3)?]))
        })
    }

    /// What `convert` makes of each row of a query.
    fn read<T>(
        &self,
        select: &str,
        mut convert: impl FnMut(&Row<'_>) -> Result<T, String>,
    ) -> Result<Vec<T>, StoreError> {
        let failed = |source| failure(&self.path, "read", source);
        let mut statement = self.connection.prepare(select).map_err(failed)?;
        let mut rows = statement.query([]).map_err(failed)?;
        let mut all = Vec::new();
        while let Some(row) = rows.next().map_err(failed)? {
            let converted = convert(row).map_err(|problem| StoreError::Damaged {
                path: self.path.clone(),
                problem: format!("row {}: {problem}", all.len() + 1),
            });
            all.push(converted?);
        }
        Ok(all)
    }
}
