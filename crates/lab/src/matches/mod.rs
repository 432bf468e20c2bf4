//! Matches: an experiment of one pairing, in memory.

mod result;

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use treegraft_players::{DEFAULT_BUDGET, Player, PlayerError, Registry, Start};

use crate::experiment::PlannedPairing;
use crate::openings::Openings;
use crate::pair::{PairError, ResolvedPair};
use crate::row::GameRow;
use crate::workers::{ThreadsError, Workers, processors};
pub use result::{MatchResult, PerMove};
use treegraft_engine::{MemoryError, check_memory_of_games, check_seat};
use treegraft_stats::{Interval, Repeats, Tally};

/// What is to be played.
#[derive(Clone, Debug)]
pub struct Match {
    /// Where every game begins.
    pub start: Start,
    /// The player whose wins are counted; first in the first game.
    pub a: Player,
    /// The other player.
    pub b: Player,
    /// How many games: pairs in which the players swap sides, and one more if it is odd.
    pub games: u32,
    /// Where all random choices come from.
    pub seed: u64,
    /// Games played at once; 0: one per processor.
    pub jobs: usize,
    /// How many uniformly random moves begin a pair; they are the same in both of its games.
    pub opening_plies: u32,
}

impl Match {
    /// A hundred games, one after the other, from the start of the game.
    #[must_use]
    pub fn new(start: Start, a: Player, b: Player) -> Match {
        Match { start, a, b, games: 100, seed: 0, jobs: 1, opening_plies: 0 }
    }

    /// The match as the pairing of an experiment. Players without a budget get [`DEFAULT_BUDGET`].
    #[must_use]
    pub fn pairing(&self) -> PlannedPairing {
        let players = [&self.a, &self.b].map(|player| player.with_budget_or(DEFAULT_BUDGET));
        PlannedPairing {
            game: self.start.text().to_owned(),
            names: players.each_ref().map(Player::to_string),
            players,
            parameters: Vec::new(),
            openings: match self.opening_plies {
                0 => Openings::None,
                plies => Openings::Random { plies },
            },
            seed: self.seed,
            max_plies: None,
        }
    }
}

/// How to watch a match, and how to end it early.
#[derive(Default)]
pub struct Watch<'a> {
    /// Called after every game.
    pub progress: Option<&'a mut dyn FnMut(&Progress)>,
    /// Set from another thread to end the match soon; games that are not over do not count.
    pub cancel: Option<&'a AtomicBool>,
}

/// The progress of a match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Games to be played.
    pub games: u32,
    /// Games that are over, in the view of player A.
    pub tally: Tally,
    /// A 95 % interval of A's score: games that repeat each other count by their effective number.
    pub ci95: Interval,
}

/// Why a match has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MatchError {
    /// The game cannot serve a player.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// The players may use more memory than there is.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// A game went wrong.
    #[error("game {number}: {error}")]
    Game {
        /// Its number, from 1.
        number: u32,
        /// What went wrong.
        error: PairError,
    },
    /// There was nothing to play.
    #[error("games is 0; expected at least one game")]
    NoGames,
    /// The match was cancelled before a game was over.
    #[error("the match was cancelled before a game was over")]
    Cancelled,
    /// The threads could not be started.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
}

/// Plays a match: the pairs of [`Match::pairing`], game by game.
///
/// Each game depends on the seed and its number only, so that work budgets give the same result at
/// any number of jobs.
///
/// # Errors
///
/// If the game cannot serve a player, the players may use more memory than there is, a game goes
/// wrong, or nothing was played.
pub fn run_match(
    registry: &Registry,
    setup: &Match,
    mut watch: Watch<'_>,
) -> Result<MatchResult, MatchError> {
    let begun = Instant::now();
    let Match { games, jobs, .. } = *setup;
    if games == 0 {
        return Err(MatchError::NoGames);
    }
    let pairing = setup.pairing();
    for player in &pairing.players {
        check_seat(registry, &setup.start, player)?;
    }
    let at_once = if jobs == 0 { processors() } else { jobs }.min(games as usize);
    check_memory_of_games([pairing.players.each_ref()], at_once)?;
    let halt = AtomicBool::new(false);
    let numbers: Vec<u32> = (0..games).collect();
    let mut rows: BTreeMap<u32, GameRow> = BTreeMap::new();
    let (mut tally, mut repeats) = (Tally::default(), Repeats::default());
    let play = |number: u32| {
        let pair = pairing.pair(u64::from(number / 2));
        let players = pairing.players.each_ref();
        let resolved = ResolvedPair { registry, pair: &pair, start: &setup.start, players };
        resolved.play((number % 2) as u8, false, Some(&halt)).map(|(row, _)| row)
    };
    Workers { jobs, cancel: watch.cancel, halt: &halt }.run(
        &numbers,
        || (),
        |(), &number| (number, play(number)),
        &mut |played: Vec<(u32, Result<GameRow, PairError>)>| {
            for (number, row) in played {
                let row = match row {
                    Ok(row) => row,
                    Err(PairError::Cancelled) => continue,
                    Err(error) => return Err(MatchError::Game { number: number + 1, error }),
                };
                tally.add(row.value_for_a());
                // Either side of the pair is a game of its own here.
                repeats.add([row.digest, u64::from(row.number)]);
                rows.insert(number, row);
                if let Some(progress) = &mut watch.progress {
                    let ci95 = tally.wilson95_worth(repeats.worth());
                    progress(&Progress { games, tally, ci95 });
                }
            }
            Ok(())
        },
    )?;
    let rows: Vec<GameRow> = rows.into_values().collect();
    let mut result = MatchResult::new(&pairing, setup, &rows).ok_or(MatchError::Cancelled)?;
    result.seconds = begun.elapsed().as_secs_f64();
    Ok(result)
}
