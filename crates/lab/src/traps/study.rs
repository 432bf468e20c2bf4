//! Games of a player against itself, with the traps of every position.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use treegraft::{Game, Playthrough, Rng};
use treegraft_games::{AnyGame, Visitor};

use super::file::{TrapFile, TrapFileError, TrapHeader};
use super::find::{TrapSearch, misled};
use super::levels::Levels;
use crate::arena::derive;
use crate::{DEFAULT_BUDGET, GameError, Pairing, Player, PlayerError};

/// What is to be played and looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct TrapStudy {
    /// The game.
    pub game: AnyGame,
    /// Who plays both sides.
    pub player: Player,
    /// How many games.
    pub games: u32,
    /// Where all random choices come from.
    pub seed: u64,
    /// Games at a time; 0: as many as there are processors.
    pub jobs: usize,
    /// The levels of the traps.
    pub levels: Levels,
    /// Random playouts after every trap.
    pub playouts: u32,
}

impl TrapStudy {
    /// What its games depend on.
    #[must_use]
    pub fn header(&self) -> TrapHeader {
        let player =
            Player { budget: self.player.budget_or(DEFAULT_BUDGET), ..self.player.clone() };
        TrapHeader::new(self.game.canonical(), player, self.levels, self.playouts, self.seed)
    }
}

/// A game and its traps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrapGame {
    /// Its number, from 0. With the seed it stands for the whole game.
    pub number: u32,
    /// 1 if the first side won, 0 for a draw, -1 if the second side won.
    pub outcome: i8,
    /// The moves in the game's notation, separated by blanks.
    pub moves: String,
    /// The positions in which they were played.
    pub positions: Vec<TrapPosition>,
}

/// A position and its traps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Row", into = "Row")]
pub struct TrapPosition {
    /// Who is to move: 0 or 1.
    pub side: u8,
    /// Number of legal moves.
    pub moves: u32,
    /// For every trap its level, and how many playouts after it were not lost by the mover.
    pub traps: Vec<(u32, u32)>,
}

/// A position as it is written: without the names of its members, which would be most of a file.
type Row = (u8, u32, Vec<(u32, u32)>);

impl From<Row> for TrapPosition {
    fn from((side, moves, traps): Row) -> TrapPosition {
        TrapPosition { side, moves, traps }
    }
}

impl From<TrapPosition> for Row {
    fn from(position: TrapPosition) -> Row {
        (position.side, position.moves, position.traps)
    }
}

/// How to look on, and how to end a study before its time.
#[derive(Clone, Copy, Default)]
pub struct TrapWatch<'a> {
    /// Called with the number of finished games, from the threads that play.
    pub progress: Option<&'a (dyn Fn(u32) + Sync)>,
    /// Set from another thread to end soon; games that are not over do not count.
    pub cancel: Option<&'a AtomicBool>,
}

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum TrapError {
    /// The game cannot serve the player.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// A game went wrong.
    #[error("game {number}: {error}")]
    Game {
        /// Its number, from 0.
        number: u32,
        /// What went wrong.
        error: GameError,
    },
    /// The file of games cannot be used.
    #[error(transparent)]
    File(#[from] TrapFileError),
    /// The threads could not be started.
    #[error("cannot start {jobs} threads: {problem}")]
    Threads {
        /// The number asked for.
        jobs: usize,
        /// What the system said.
        problem: String,
    },
}

/// Plays games and looks for traps in every position. The games come in the order of their numbers;
/// there are fewer than asked for if the study was cancelled.
///
/// With a file, every game is kept there as soon as it is finished, and those that it holds already
/// are not played again. Each game depends on the seed and its number only, so that players with a
/// work budget give the same result at any number of jobs.
///
/// # Errors
///
/// If the game cannot serve the player, a game goes wrong, or the file cannot be used.
pub fn study_traps(
    study: &TrapStudy,
    file: Option<&Path>,
    watch: TrapWatch<'_>,
) -> Result<Vec<TrapGame>, TrapError> {
    study.game.clone().visit(Run { study, file, watch })
}

struct Run<'a> {
    study: &'a TrapStudy,
    file: Option<&'a Path>,
    watch: TrapWatch<'a>,
}

impl Visitor for Run<'_> {
    type Output = Result<Vec<TrapGame>, TrapError>;

    fn visit<G: Game + Send + Sync + 'static>(self, start: G) -> Self::Output
    where
        G::Move: Send + Sync,
    {
        let TrapStudy { games, seed, jobs, .. } = *self.study;
        let header = self.study.header();
        let pairing = Pairing {
            game: header.game.clone(),
            start: Playthrough::new(start),
            players: [header.player.clone(), header.player.clone()],
            seed,
            opening_plies: 0,
        };
        pairing.check()?;
        let (file, mut found) = match self.file {
            None => (None, Vec::new()),
            Some(path) => {
                let (file, found) = TrapFile::open(path, &header)?;
                (Some(file), found)
            }
        };
        found.retain(|game| game.number < games);
        let known: Vec<u32> = found.iter().map(|game| game.number).collect();
        let missing: Vec<u32> = (0..games).filter(|n| known.binary_search(n).is_err()).collect();
        let kept = Mutex::new((file, found));
        let keep = |game: TrapGame| -> Result<(), TrapError> {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(file) = &mut kept.0 {
                file.append(&game)?;
            }
            kept.1.push(game);
            if let Some(progress) = self.watch.progress {
                progress(kept.1.len() as u32);
            }
            Ok(())
        };
        // As in matches: depth-first players recurse.
        let threads = rayon::ThreadPoolBuilder::new()
            .num_threads(jobs)
            .stack_size(8 << 20)
            .build()
            .map_err(|error| TrapError::Threads { jobs, problem: error.to_string() })?;
        let play = |&number: &u32| match self.look_at(&pairing, number) {
            Ok(Some(game)) => keep(game),
            Ok(None) => Ok(()),
            Err(error) => Err(TrapError::Game { number, error }),
        };
        threads.install(|| missing.par_iter().with_max_len(1).try_for_each(play))?;
        let (_, mut found) = kept.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.sort_by_key(|game| game.number);
        Ok(found)
    }
}

impl Run<'_> {
    fn is_cancelled(&self) -> bool {
        self.watch.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Plays a game and finds its traps; `None` if that was cancelled.
    fn look_at<G: Game + Send + 'static>(
        &self,
        pairing: &Pairing<G>,
        number: u32,
    ) -> Result<Option<TrapGame>, GameError>
    where
        G::Move: Send,
    {
        if self.is_cancelled() {
            return Ok(None);
        }
        let record = match pairing.play(u64::from(number), self.watch.cancel) {
            Ok(record) => record,
            Err(GameError::Cancelled) => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut search = TrapSearch::new(self.watch.cancel);
        let mut rng = Rng::new(derive(derive(self.study.seed, PLAYOUTS), u64::from(number)));
        let mut buffer = Vec::new();
        let mut game = pairing.start.clone();
        let mut positions = Vec::with_capacity(record.moves.len());
        for &mv in &record.moves {
            let at = game.position();
            let found = search.find(at, self.study.levels.high());
            let mut misled = |trap| misled(at, trap, self.study.playouts, &mut rng, &mut buffer);
            let traps = found.into_iter().map(|trap| (trap.level, misled(trap))).collect();
            let (side, moves) = (at.to_move().index() as u8, game.legal_moves().len() as u32);
            positions.push(TrapPosition { side, moves, traps });
            game.play(mv);
        }
        if self.is_cancelled() {
            return Ok(None);
        }
        let (outcome, moves) = (record.outcome.value() as i8, game.move_texts().join(" "));
        Ok(Some(TrapGame { number, outcome, moves, positions }))
    }
}

/// Tells the seed of the playouts from those of the games, which have small numbers.
const PLAYOUTS: u64 = u64::MAX;
