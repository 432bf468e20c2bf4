//! Games from other files, with their sessions and what the players thought.

use std::borrow::Cow;
use std::collections::HashMap;

use rusqlite::types::Value;
use rusqlite::{OptionalExtension, Statement, Transaction, params, params_from_iter};

use super::columns::{checksum, differences, game_from, shown, values};
use super::place::Place;
use super::schema::{insert_game, select_game};
use super::{
    COLUMNS, GamePlace, Session, Store, StoreError, StoredGame, Thoughts, failure, row_values,
    session, thoughts,
};
use crate::row::PairId;

/// Games that arrive from another file.
pub(crate) struct Arrivals<'a> {
    /// Who played them, with their numbers in that file.
    pub(crate) sessions: &'a [(i64, Session)],
    /// The games.
    pub(crate) games: Vec<StoredGame>,
    /// What the players thought in them, as far as that was kept.
    pub(crate) thoughts: &'a Thoughts,
}

/// What became of games that arrived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Taken {
    /// Games that were written.
    pub(crate) new: usize,
    /// Games that were there already, and were played differently there.
    pub(crate) differing: usize,
}

/// Why games were not taken in: none of those that arrived together is.
#[derive(Debug)]
pub(crate) enum IntakeError {
    Store(StoreError),
    /// A game that should be the same wherever it is played is not.
    Differs {
        pair: PairId,
        number: u8,
        what: String,
    },
    /// A game is of a session that did not arrive with it.
    NoSession(i64),
}

/// A store that takes in games from other files.
pub(crate) struct Intake<'s> {
    store: &'s mut Store,
    /// The sessions of the store, by what is in them.
    sessions: HashMap<Session, i64>,
    /// Games of the store, so that they need not be read: as many of them as fit into memory.
    there: HashMap<GamePlace, StoredGame>,
}

impl<'s> Intake<'s> {
    /// An intake of a store in which the games `there` are known to be.
    pub(crate) fn new(
        store: &'s mut Store,
        there: Vec<StoredGame>,
    ) -> Result<Intake<'s>, StoreError> {
        let sessions = store.sessions()?.into_iter().map(|(id, session)| (session, id)).collect();
        let there = there.into_iter().map(|game| ((game.row.pair, game.row.number), game));
        Ok(Intake { store, sessions, there: there.collect() })
    }

    pub(crate) fn store(&self) -> &Store {
        self.store
    }

    /// Writes games, all of them or none, and returns when they are on the disk. A game that is
    /// there stays as it is; one that was played differently must be among those that `may_differ`.
    pub(crate) fn take(
        &mut self,
        arrivals: Arrivals<'_>,
        may_differ: &mut dyn FnMut(&StoredGame) -> bool,
    ) -> Result<Taken, IntakeError> {
        let Intake { store, sessions, there } = self;
        let path = store.path.clone();
        let failed = |source| IntakeError::Store(failure(&path, "write", source));
        let transaction = store.connection.transaction().map_err(failed)?;
        let Arrivals { sessions: arrived, games, thoughts } = arrivals;
        let mut writing = Writing {
            transaction: &transaction,
            arrived,
            thoughts,
            known: sessions,
            there,
            new: HashMap::new(),
            numbers: HashMap::new(),
        };
        let result = writing.write(games, may_differ);
        let new = writing.new;
        let taken = result.map_err(|error| match error {
            Problem::Sqlite(source) => failed(source),
            Problem::Damaged(problem) => {
                IntakeError::Store(StoreError::Damaged { path: path.clone(), problem })
            }
            Problem::Differs { pair, number, what } => IntakeError::Differs { pair, number, what },
            Problem::NoSession(id) => IntakeError::NoSession(id),
        })?;
        transaction.commit().map_err(failed)?;
        sessions.extend(new);
        store.place.as_mut().map_or(Ok(()), Place::check).map_err(IntakeError::Store)?;
        Ok(taken)
    }
}

enum Problem {
    Sqlite(rusqlite::Error),
    Damaged(String),
    Differs { pair: PairId, number: u8, what: String },
    NoSession(i64),
}

impl From<rusqlite::Error> for Problem {
    fn from(error: rusqlite::Error) -> Problem {
        Problem::Sqlite(error)
    }
}

/// One transaction.
struct Writing<'a> {
    transaction: &'a Transaction<'a>,
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
            transaction.execute_batch(&thoughts::table())?;
        }
        let mut insert = transaction.prepare_cached(&insert_game())?;
        let mut select = transaction.prepare_cached(&select_game())?;
        let mut taken = Taken::default();
        for mut game in games {
            let place = (game.row.pair, game.row.number);
            let there = match self.there.get(&place) {
                Some(there) => Some(Cow::Borrowed(there)),
                None => read(&mut select, place)?.map(Cow::Owned),
            };
            let same = if let Some(there) = there {
                let is_same = is_same(&there, &game, may_differ)?;
                taken.differing += usize::from(!is_same);
                is_same
            } else {
                game.session = self.session(game.session)?;
                let mut values = values(&game);
                values.push(Value::Text(checksum(&values)));
                insert.execute(params_from_iter(values))?;
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
        let (_, session) = session.ok_or(Problem::NoSession(arrived))?;
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
}

/// The game that is there, if there is one.
fn read(
    select: &mut Statement<'_>,
    (pair, number): GamePlace,
) -> Result<Option<StoredGame>, Problem> {
    let values = select
        .query_row(params![pair.to_string(), number], |row| Ok(row_values(row, COLUMNS.len() + 1)))
        .optional()?;
    let game = values.map(|values| values.and_then(|values| game_from(&values))).transpose();
    game.map_err(|problem| Problem::Damaged(format!("game {number} of pair {pair}: {problem}")))
}

/// Whether the game that is there is the same as one that has arrived.
fn is_same(
    there: &StoredGame,
    game: &StoredGame,
    may_differ: &mut dyn FnMut(&StoredGame) -> bool,
) -> Result<bool, Problem> {
    let differences = differences(there, game);
    let Some((name, [is, other])) = differences.first() else { return Ok(true) };
    if may_differ(game) {
        return Ok(false);
    }
    let what = format!("{name} is {} and {}", shown(is), shown(other));
    Err(Problem::Differs { pair: game.row.pair, number: game.row.number, what })
}
