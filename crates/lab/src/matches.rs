//! Matches: many games between two players, in parallel.

mod result;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use rayon::prelude::*;
use treegraft::{Game, Playthrough};
use treegraft_games::{AnyGame, Visitor};

use crate::arena::side_of_a;
use crate::stats::Tally;
use crate::{DEFAULT_BUDGET, GameError, GameRecord, Pairing, Player, PlayerError};
use result::summarise;
pub use result::{MatchResult, PerMove};

/// What is to be played.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// The game.
    pub game: AnyGame,
    /// The player whose wins are counted; first in the first game.
    pub a: Player,
    /// The other player.
    pub b: Player,
    /// How many games: pairs in which the players swap sides, and one more if it is odd.
    pub games: u32,
    /// Where all random choices come from.
    pub seed: u64,
    /// Games at a time; 0: as many as there are processors.
    pub jobs: usize,
    /// So many uniformly random moves begin every pair, the same for both games of it.
    pub opening_plies: u32,
}

impl Match {
    /// A hundred games, one at a time, from the start.
    #[must_use]
    pub fn new(game: AnyGame, a: Player, b: Player) -> Match {
        Match { game, a, b, games: 100, seed: 0, jobs: 1, opening_plies: 0 }
    }
}

/// How to look on, and how to end a match before its time.
#[derive(Clone, Copy, Default)]
pub struct Watch<'a> {
    /// Called after every game, from the threads that play.
    pub progress: Option<&'a (dyn Fn(&Progress) + Sync)>,
    /// Set from another thread to end the match soon; games that are not over do not count.
    pub cancel: Option<&'a AtomicBool>,
}

/// How far a match is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Games to be played.
    pub games: u32,
    /// Games that are over, in the view of player A.
    pub tally: Tally,
}

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MatchError {
    /// The game cannot serve a player.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// A game went wrong.
    #[error("game {number}: {error}")]
    Game {
        /// Its number, from 1.
        number: u32,
        /// What went wrong.
        error: GameError,
    },
    /// There was nothing to play.
    #[error("games is 0; expected at least one game")]
    NoGames,
    /// The match was cancelled before a game was over.
    #[error("the match was cancelled before a game was over")]
    Cancelled,
    /// The threads could not be started.
    #[error("cannot start {jobs} threads: {problem}")]
    Threads {
        /// The number asked for.
        jobs: usize,
        /// What the system said.
        problem: String,
    },
}

/// Plays a match of a game of the registry.
///
/// # Errors
///
/// As [`play_match`].
pub fn run_match(setup: &Match, watch: Watch<'_>) -> Result<MatchResult, MatchError> {
    setup.game.clone().visit(Run { setup, watch })
}

struct Run<'a> {
    setup: &'a Match,
    watch: Watch<'a>,
}

impl Visitor for Run<'_> {
    type Output = Result<MatchResult, MatchError>;

    fn visit<G: Game + Send + Sync + 'static>(self, start: G) -> Self::Output
    where
        G::Move: Send + Sync,
    {
        let setup = self.setup;
        let pairing = Pairing {
            game: setup.game.canonical(),
            start: Playthrough::new(start),
            players: [setup.a.clone(), setup.b.clone()],
            seed: setup.seed,
            opening_plies: setup.opening_plies,
        };
        play_match(pairing, setup.games, setup.jobs, self.watch)
    }
}

/// Plays a match of any game, from any position: games 0, 1, 2, … of the pairing, `jobs` of them at a
/// time (0: as many as there are processors).
///
/// Players without a budget get [`DEFAULT_BUDGET`]. Each game depends on the seed and its number
/// only, so that work budgets give the same result at any number of jobs.
///
/// # Errors
///
/// If the game cannot serve a player, a game goes wrong, or nothing was played.
pub fn play_match<G>(
    mut pairing: Pairing<G>,
    games: u32,
    jobs: usize,
    watch: Watch<'_>,
) -> Result<MatchResult, MatchError>
where
    G: Game + Send + Sync + 'static,
    G::Move: Send + Sync,
{
    let begun = Instant::now();
    if games == 0 {
        return Err(MatchError::NoGames);
    }
    for player in &mut pairing.players {
        player.budget = player.budget_or(DEFAULT_BUDGET);
    }
    pairing.check()?;
    let records = play_all(&pairing, games, jobs, watch)?;
    let mut result = summarise(pairing, games, &records)?;
    result.seconds = begun.elapsed().as_secs_f64();
    Ok(result)
}

/// All games in the order of their numbers; `None` for those that were cancelled.
fn play_all<G>(
    pairing: &Pairing<G>,
    games: u32,
    jobs: usize,
    watch: Watch<'_>,
) -> Result<Vec<Option<GameRecord<G::Move>>>, MatchError>
where
    G: Game + Send + Sync + 'static,
    G::Move: Send + Sync,
{
    // Depth-first searches recurse: as much stack as a main thread has.
    const STACK_BYTES: usize = 8 << 20;
    let threads = rayon::ThreadPoolBuilder::new()
        .num_threads(jobs)
        .stack_size(STACK_BYTES)
        .build()
        .map_err(|error| MatchError::Threads { jobs, problem: error.to_string() })?;
    let so_far = Mutex::new(Tally::default());
    let is_cancelled = || watch.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed));
    let play = |number: u32| match pairing.play(u64::from(number), watch.cancel) {
        Ok(record) => {
            let mut tally = so_far.lock().unwrap_or_else(PoisonError::into_inner);
            tally.add(value_for_a(number, &record));
            if let Some(progress) = watch.progress {
                progress(&Progress { games, tally: *tally });
            }
            Ok(Some(record))
        }
        Err(GameError::Cancelled) => Ok(None),
        Err(error) => Err(MatchError::Game { number: number + 1, error }),
    };
    // Making the players of a game takes longer than looking at the flag.
    let play = |number: u32| if is_cancelled() { Ok(None) } else { play(number) };
    threads.install(|| (0..games).into_par_iter().with_max_len(1).map(play).collect())
}

/// 1 if A won the game, 0 if it was drawn, -1 if A lost it.
fn value_for_a<M>(number: u32, record: &GameRecord<M>) -> i64 {
    side_of_a(u64::from(number)).sign() * record.outcome.value()
}
