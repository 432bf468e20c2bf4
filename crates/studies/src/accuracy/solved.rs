//! Positions with the exact value of every move.

use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use treegraft::depth_first::Scores;
use treegraft::{Budget, Exactness, Game, Playthrough, Reason, Request};
use treegraft_players::{Analyst, Board, MoveIndex, PlayerError, Registry, Start};

use super::DrawingError;
use crate::solve::solver;
use crate::watch::Watch;

/// A move and its value to the side that plays it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MoveValue {
    /// The move in the game's notation.
    #[serde(rename = "move")]
    pub text: String,
    /// 1 if it wins, 0 if it draws, -1 if it loses; or the final margin.
    pub value: i64,
}

/// A position with the exact value of every legal move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SolvedPosition {
    /// The moves that lead there from the start, in the game's notation, separated by blanks.
    pub moves: String,
    /// Every legal move, in the game's order.
    pub values: Vec<MoveValue>,
}

impl SolvedPosition {
    /// The value of the position to the side to move: that of its best move.
    #[must_use]
    pub fn value(&self) -> i64 {
        self.values.iter().map(|mv| mv.value).max().unwrap_or(0)
    }

    /// Whether a move keeps the value of the position.
    #[must_use]
    pub fn keeps(&self, number: usize) -> bool {
        self.values.get(number).is_some_and(|mv| mv.value == self.value())
    }

    /// The share of the moves that keep the value: what choosing at random would do.
    #[must_use]
    pub fn share(&self) -> f64 {
        let kept = (0..self.values.len()).filter(|&number| self.keeps(number)).count();
        kept as f64 / self.values.len().max(1) as f64
    }

    /// Whether there is a move that does not keep the value.
    #[must_use]
    pub fn is_a_choice(&self) -> bool {
        (0..self.values.len()).any(|number| !self.keeps(number))
    }
}

/// Solved positions of a game. JSON says where they come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SolvedSet {
    /// The canonical text of the game.
    #[serde(skip)]
    pub game: String,
    /// What values are: outcomes, or margins.
    #[serde(rename = "values")]
    pub scores: Scores,
    /// Where the positions come from.
    pub seed: u64,
    /// Maximum number of nodes of the solver for each move.
    pub limit: u64,
    /// Positions that the side to move wins within this number of plies are left out.
    pub beyond: u32,
    /// How many positions were drawn, and what became of them.
    pub drawn: Drawn,
    /// The positions.
    #[serde(skip)]
    pub positions: Vec<SolvedPosition>,
}

/// What became of positions that were drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drawn {
    /// Kept: all moves are solved, and the choice matters.
    pub kept: u64,
    /// A move could not be solved within the limit.
    pub unsolved: u64,
    /// All moves have the same value: a win.
    pub all_won: u64,
    /// All moves have the same value: a draw.
    pub all_drawn: u64,
    /// All moves have the same value: a loss.
    pub all_lost: u64,
    /// The side to move wins within a few plies.
    pub short: u64,
    /// The position had been drawn before, and kept.
    pub repeated: u64,
}

impl Drawn {
    /// All of them.
    #[must_use]
    pub fn all(mut self) -> u64 {
        self.counts().map(|(_, count)| *count).iter().sum()
    }

    /// The counts with their names in files.
    pub(super) fn counts(&mut self) -> [(&'static str, &mut u64); 7] {
        [
            ("kept", &mut self.kept),
            ("unsolved", &mut self.unsolved),
            ("all won", &mut self.all_won),
            ("all drawn", &mut self.all_drawn),
            ("all lost", &mut self.all_lost),
            ("short", &mut self.short),
            ("repeated", &mut self.repeated),
        ]
    }
}

/// A position whose values are not those of the solver.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WrongPosition {
    /// A value differs.
    #[error("position {number}, after {moves:?}: the value of {mv} is {found}, not {stated}")]
    Value {
        /// Its number, from 1.
        number: usize,
        /// The moves that lead there.
        moves: String,
        /// The move.
        mv: String,
        /// Its value by the solver.
        found: i64,
        /// Its value by the set.
        stated: i64,
    },
    /// The solver gave up.
    #[error("position {number}, after {moves:?}: not solved within {limit} nodes per move")]
    Unsolved {
        /// Its number, from 1.
        number: usize,
        /// The moves that lead there.
        moves: String,
        /// The nodes.
        limit: u64,
    },
}

impl SolvedSet {
    /// The game in which the moves to a position have been played.
    ///
    /// # Errors
    ///
    /// If they are illegal.
    pub fn playthrough(
        &self,
        start: &Start,
        number: usize,
    ) -> Result<Playthrough<Board>, treegraft::NotationError> {
        let mut game = start.playthrough();
        game.play_text(&self.positions[number].moves)?;
        Ok(game)
    }

    /// How a random mover would do: the mean share of moves that keep the value.
    #[must_use]
    pub fn random_share(&self) -> f64 {
        let sum: f64 = self.positions.iter().map(SolvedPosition::share).sum();
        sum / self.positions.len().max(1) as f64
    }

    /// Solves every position again, within the same limit, and compares. All that are wrong
    /// are returned, in order; fewer positions are looked at if that is cancelled.
    ///
    /// # Errors
    ///
    /// If the solver cannot be made, or no thread started.
    pub fn check(
        &self,
        registry: &Registry,
        start: &Start,
        jobs: usize,
        watch: Watch<'_>,
    ) -> Result<Vec<WrongPosition>, DrawingError> {
        let numbers: Vec<usize> = (0..self.positions.len()).collect();
        let checked = watch.collect(
            jobs,
            &numbers,
            || MoveSolver::new(registry, start, self.scores),
            |solver, &number| match solver {
                Ok(solver) => Ok(Some(self.check_one(start, solver, number, watch))),
                Err(error) => Err(DrawingError::from(error.clone())),
            },
        )?;
        Ok(checked.into_iter().flatten().collect())
    }

    fn check_one(
        &self,
        start: &Start,
        solver: &mut MoveSolver,
        number: usize,
        watch: Watch<'_>,
    ) -> Option<WrongPosition> {
        let position = &self.positions[number];
        let (moves, limit) = (position.moves.clone(), self.limit);
        // A set has been read, so its moves are legal.
        let game = self.playthrough(start, number).ok()?;
        let Some(found) = solver.values(&game, limit, watch.cancel) else {
            let unsolved = WrongPosition::Unsolved { number: number + 1, moves, limit };
            return (!watch.is_cancelled()).then_some(unsolved);
        };
        let (stated, found) =
            position.values.iter().zip(found).find(|(it, found)| it.value != *found)?;
        let (mv, stated) = (stated.text.clone(), stated.value);
        Some(WrongPosition::Value { number: number + 1, moves, mv, found, stated })
    }
}

/// The exact value of every legal move of a position, in the game's order; `None` if one cannot be solved
/// within `limit` nodes, or ends the game by repetition or length, of which a solver knows nothing.
///
/// # Errors
///
/// If the solver cannot be made.
pub fn move_values(
    registry: &Registry,
    start: &Start,
    game: &Playthrough<Board>,
    scores: Scores,
    limit: u64,
) -> Result<Option<Vec<MoveValue>>, PlayerError> {
    let values = MoveSolver::new(registry, start, scores)?.values(game, limit, None);
    Ok(values.map(|values| named(game, values)))
}

/// The values with the moves that they are of.
pub(super) fn named(game: &Playthrough<Board>, values: Vec<i64>) -> Vec<MoveValue> {
    let texts = game.position().move_texts().into_iter();
    texts.zip(values).map(|(text, value)| MoveValue { text, value }).collect()
}

/// A solver of all moves of a position.
pub(super) struct MoveSolver {
    solver: Analyst,
    scores: Scores,
}

impl MoveSolver {
    pub(super) fn new(
        registry: &Registry,
        start: &Start,
        scores: Scores,
    ) -> Result<MoveSolver, PlayerError> {
        let player = solver(start.board(), scores);
        Ok(MoveSolver { solver: registry.searcher(start, &player)?, scores })
    }

    /// The value of every legal move for the side to move, in the game's order; `None` if one takes more
    /// than `limit` nodes, or was cancelled, or ends the game by repetition or length, of which a solver
    /// knows nothing.
    pub(super) fn values(
        &mut self,
        game: &Playthrough<Board>,
        limit: u64,
        cancel: Option<&AtomicBool>,
    ) -> Option<Vec<i64>> {
        let mover = game.position().to_move();
        let mut value = |mv: MoveIndex| {
            let mut after = game.clone();
            after.play(mv);
            let first = match after.ending() {
                Some(ending) if ending.reason != Reason::Rules => return None,
                Some(ending) => match self.scores {
                    Scores::Outcome => ending.outcome.value(),
                    Scores::Margin => after.position().exactness().margin()?,
                },
                None => {
                    let request = Request { cancel, ..Request::new(Budget::nodes(limit), 0) };
                    let report = self.solver.search(after.position(), request);
                    match self.scores {
                        Scores::Outcome => report.proof?.value(),
                        Scores::Margin => report.margin?,
                    }
                }
            };
            Some(mover.sign() * first)
        };
        game.legal_moves().into_iter().map(&mut value).collect()
    }
}
