//! Files of games that can be read: stores and ledgers.

use std::collections::HashSet;
use std::path::Path;

use treegraft_engine::Thought;

use crate::ledger::{Ledger, is_ledger};
use crate::row::{GameResult, GameRow, PairId, Played};
use crate::store::{
    Cast, CheckReport, GamePlace, Session, Store, StoreError, StoredGame, Thoughts,
};

/// A file of games, opened for reading: a store or a ledger, whichever it is.
#[derive(Debug)]
pub enum GameFile {
    /// A store.
    Store(Box<Store>),
    /// A ledger, read and found intact.
    Ledger(Ledger),
}

impl GameFile {
    /// The file at `path`. What it is follows from its content, not from its name.
    ///
    /// # Errors
    ///
    /// If there is none, or the file is something else or damaged.
    pub fn open(path: &Path) -> Result<GameFile, StoreError> {
        if is_ledger(path) {
            return Ok(GameFile::Ledger(Ledger::open(path)?));
        }
        Ok(GameFile::Store(Box::new(Store::open_read_only(path)?)))
    }

    /// All games: those of a store in the order in which they were written, those of a ledger in
    /// that of the plan.
    ///
    /// # Errors
    ///
    /// If the store cannot be read, or a row is damaged.
    pub fn games(&self) -> Result<Vec<StoredGame>, StoreError> {
        match self {
            GameFile::Store(store) => store.games(),
            GameFile::Ledger(ledger) => Ok(ledger.games.clone()),
        }
    }

    /// The game with this number, counted from 1 in the order of [`games`](GameFile::games); `None`
    /// if there are fewer.
    ///
    /// # Errors
    ///
    /// If the store cannot be read, or the row is damaged.
    pub fn game(&self, number: usize) -> Result<Option<StoredGame>, StoreError> {
        match self {
            GameFile::Store(store) => store.game(number),
            GameFile::Ledger(ledger) => {
                Ok(number.checked_sub(1).and_then(|before| ledger.games.get(before).cloned()))
            }
        }
    }

    /// What the players thought in all games that recorded it; a ledger keeps nothing of it.
    ///
    /// # Errors
    ///
    /// If the store cannot be read, or a row is damaged.
    pub fn thoughts(&self) -> Result<Thoughts, StoreError> {
        match self {
            GameFile::Store(store) => store.thoughts(),
            GameFile::Ledger(_) => Ok(Thoughts::new()),
        }
    }

    /// What the players thought in one game; `None` if that is not kept.
    ///
    /// # Errors
    ///
    /// If the store cannot be read, or the row is damaged.
    pub fn thoughts_of(&self, place: GamePlace) -> Result<Option<Vec<Thought>>, StoreError> {
        match self {
            GameFile::Store(store) => store.thoughts_of(place),
            GameFile::Ledger(_) => Ok(None),
        }
    }

    /// All games, without what a store adds to them.
    ///
    /// # Errors
    ///
    /// If the store cannot be read, or a row is damaged.
    pub fn rows(&self) -> Result<Vec<GameRow>, StoreError> {
        Ok(self.games()?.into_iter().map(|game| game.row).collect())
    }

    /// The results of all games: those of a store are read without the rest of their rows.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    pub fn results(&self) -> Result<Vec<GameResult>, StoreError> {
        match self {
            GameFile::Store(store) => store.results(),
            GameFile::Ledger(ledger) => {
                Ok(ledger.games.iter().map(|game| game.row.result()).collect())
            }
        }
    }

    /// The pairs with both games.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    pub fn pairs_done(&self) -> Result<HashSet<PairId>, StoreError> {
        match self {
            GameFile::Store(store) => store.pairs_done(),
            GameFile::Ledger(ledger) => Ok(ledger.games.iter().map(|game| game.row.pair).collect()),
        }
    }

    /// Who played, with their numbers.
    ///
    /// # Errors
    ///
    /// If the store cannot be read, or a row is damaged.
    pub fn sessions(&self) -> Result<Vec<(i64, Session)>, StoreError> {
        match self {
            GameFile::Store(store) => store.sessions(),
            GameFile::Ledger(ledger) => Ok(ledger.sessions.clone()),
        }
    }

    /// The text of the experiment.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    pub fn experiment(&self) -> Result<String, StoreError> {
        match self {
            GameFile::Store(store) => store.experiment(),
            GameFile::Ledger(ledger) => Ok(ledger.experiment.clone()),
        }
    }

    /// How many shards the plan was divided into when this was played; `None` if that is not known,
    /// as in all ledgers.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    pub fn shards(&self) -> Result<Option<u32>, StoreError> {
        match self {
            GameFile::Store(store) => store.shards(),
            GameFile::Ledger(_) => Ok(None),
        }
    }

    /// Checks whether it is intact, and returns all games that are.
    pub(crate) fn checked_games(&self) -> (CheckReport, Vec<StoredGame>) {
        match self {
            GameFile::Store(store) => store.checked_games(),
            GameFile::Ledger(Ledger { games, .. }) => {
                (CheckReport { games: games.len(), problems: Vec::new() }, games.clone())
            }
        }
    }

    /// Who played in which game: each session with its games and players, once.
    pub(crate) fn casts(&self) -> Result<Vec<Cast>, StoreError> {
        match self {
            GameFile::Store(store) => store.casts(),
            GameFile::Ledger(ledger) => {
                let cast = |StoredGame { session, row, .. }: &StoredGame| {
                    (*session, row.game.clone(), row.sides.each_ref().map(|it| it.player.clone()))
                };
                let all: HashSet<Cast> = ledger.games.iter().map(cast).collect();
                Ok(all.into_iter().collect())
            }
        }
    }

    /// Checks whether it is intact. A ledger that could be opened is.
    #[must_use]
    pub fn check(&self) -> CheckReport {
        self.checked_games().0
    }
}
