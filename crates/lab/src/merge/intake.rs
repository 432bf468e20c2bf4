//! Games from other files, with their sessions and what the players thought.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use rusqlite::{OptionalExtension, Statement, Transaction, params, params_from_iter};

use super::MergeError;
use super::part::Contents;
use crate::row::GameRow;
use crate::store::{
    GamePlace, Record, Session, Store, StoreError, StoredGame, Thoughts, differences, failure,
    session, shown, thoughts,
};

/// What became of the games of a part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Taken {
    /// Games that were written.
    pub(super) new: usize,
    /// Games that were there already, and were played differently there.
    pub(super) differing: usize,
}

/// A store that takes in games from other files.
pub(super) struct Intake<'s> {
    pub(super) store: &'s mut Store,
    /// The sessions of the store, by what is in them.
    sessions: HashMap<Session, i64>,
    /// Games of the store, so that they need not be read: as many of them as fit into memory.
    there: HashMap<GamePlace, StoredGame>,
}

impl<'s> Intake<'s> {
    /// An intake of a store in which the games `there` are known to be.
    pub(super) fn new(
        store: &'s mut Store,
        there: Vec<StoredGame>,
    ) -> Result<Intake<'s>, StoreError> {
        let sessions = store.sessions()?.into_iter().map(|(id, session)| (session, id)).collect();
        let there = there.into_iter().map(|game| ((game.row.pair, game.row.number), game));
        Ok(Intake { store, sessions, there: there.collect() })
    }

    /// Writes the games of a part, all of them or none, and returns when they are on the disk. A game
    /// that is there stays as it is; one that was played differently must be among those that
    /// `may_differ`.
    pub(super) fn take(
        &mut self,
        part: &Path,
        contents: Contents,
        may_differ: &mut dyn FnMut(&StoredGame) -> bool,
    ) -> Result<Taken, MergeError> {
        let Intake { store, sessions, there } = self;
        let out = store.path.clone();
        let failed = |source| MergeError::Store(failure(&out, "write", source));
        let transaction = store.connection.transaction().map_err(failed)?;
        let Contents { sessions: arrived, games, thoughts } = contents;
        let mut writing = Writing {
            transaction: &transaction,
            part,
            out: &out,
            arrived: &arrived,
            thoughts: &thoughts,
            known: sessions,
            there,
            new: HashMap::new(),
            numbers: HashMap::new(),
        };
        let taken = writing.write(games, may_differ).map_err(|problem| match problem {
            Problem::Sqlite(source) => failed(source),
            Problem::Merge(error) => error,
        })?;
        let new = writing.new;
        transaction.commit().map_err(failed)?;
        sessions.extend(new);
        store.check_place()?;
        Ok(taken)
    }
}

/// Why the games of a part were not taken in.
#[derive(Debug, thiserror::Error)]
enum Problem {
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    #[error(transparent)]
    Merge(#[from] MergeError),
}

/// One transaction.
struct Writing<'a> {
    transaction: &'a Transaction<'a>,
    part: &'a Path,
    /// The store.
    out: &'a Path,
    arrived: &'a [(i64, Session)],
    thoughts: &'a Thoughts,
    /// The sessions that were there before.
    known: &'a HashMap<Session, i64>,
    /// Games that were there before, if they are in memory.
    there: &'a HashMap<GamePlace, StoredGame>,
    /// Sessions that have been written.
    new: HashMap<Session, i64>,
    /// The number here of each session that has arrived.
    numbers: HashMap<i64, i64>,
}

impl Writing<'_> {
    fn write(
        &mut self,
        games: Vec<StoredGame>,
        may_differ: &mut dyn FnMut(&StoredGame) -> bool,
    ) -> Result<Taken, Problem> {
        let transaction = self.transaction;
        if !self.thoughts.is_empty() && !thoughts::is_there(transaction)? {
            transaction.execute_batch(&thoughts::Kept::create())?;
        }
        let mut insert = transaction.prepare_cached(&StoredGame::insert())?;
        let one = StoredGame::select("WHERE pair = ? AND number = ?");
        let mut select = transaction.prepare_cached(&one)?;
        let mut taken = Taken::default();
        for mut game in games {
            let place = (game.row.pair, game.row.number);
            let there = match self.there.get(&place) {
                Some(there) => Some(Cow::Borrowed(there)),
                None => self.read(&mut select, place)?.map(Cow::Owned),
            };
            let same = if let Some(there) = there {
                let is_same = self.is_same(&there, &game, may_differ)?;
                taken.differing += usize::from(!is_same);
                is_same
            } else {
                game.session = self.session(game.session)?;
                insert.execute(params_from_iter(game.checked_values()))?;
                taken.new += 1;
                true
            };
            // Thoughts belong to the game that is there, which may have been another.
            if let (true, Some(thoughts)) = (same, self.thoughts.get(&place)) {
                thoughts::add(transaction, place, thoughts)?;
            }
        }
        Ok(taken)
    }

    /// The number of a session here. It is written with the first of its games.
    fn session(&mut self, arrived: i64) -> Result<i64, Problem> {
        if let Some(number) = self.numbers.get(&arrived) {
            return Ok(*number);
        }
        let session = self.arrived.iter().find(|(id, _)| *id == arrived);
        let (_, session) = session.ok_or_else(|| {
            let (path, problem) = (self.part.to_owned(), format!("there is no session {arrived}"));
            let source = Box::new(StoreError::Damaged { path, problem });
            MergeError::Damaged { part: self.part.to_owned(), source }
        })?;
        let number = match self.known.get(session).or_else(|| self.new.get(session)) {
            Some(number) => *number,
            None => {
                let number = session::insert(self.transaction, session)?;
                self.new.insert(session.clone(), number);
                number
            }
        };
        self.numbers.insert(arrived, number);
        Ok(number)
    }

    /// The game that is there, if there is one.
    fn read(
        &self,
        select: &mut Statement<'_>,
        (pair, number): GamePlace,
    ) -> Result<Option<StoredGame>, Problem> {
        let place = params![pair.to_string(), number];
        let game = select.query_row(place, |row| Ok(StoredGame::from_row(row))).optional()?;
        let game = game.transpose().map_err(|problem| StoreError::Damaged {
            path: self.out.to_owned(),
            problem: format!("game {number} of pair {pair}: {problem}"),
        });
        Ok(game.map_err(MergeError::Store)?)
    }

    /// Whether the game that is there is the same as one that has arrived.
    fn is_same(
        &self,
        there: &StoredGame,
        game: &StoredGame,
        may_differ: &mut dyn FnMut(&StoredGame) -> bool,
    ) -> Result<bool, MergeError> {
        let differences = differences(there, game);
        let Some((name, [is, other])) = differences.first() else { return Ok(true) };
        if may_differ(game) {
            return Ok(false);
        }
        let (part, out) = (self.part.to_owned(), self.out.to_owned());
        let GameRow { pair, number, .. } = game.row;
        let what = format!("{name} is {} and {}", shown(is), shown(other));
        Err(MergeError::Contradiction { part, out, pair, number, what })
    }
}
