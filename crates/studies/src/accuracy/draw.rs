//! Drawing random positions that can be solved.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};

use treegraft::depth_first::Scores;
use treegraft::{Game, Playthrough, Rng, Speed, derive_seed};
use treegraft_lab::{ThreadsError, Workers};
use treegraft_players::{Board, PlayerError, Registry, Start};

use super::solved::{Drawn, MoveSolver, SolvedPosition, SolvedSet, named};
use crate::watch::Watch;

/// Which positions are wanted.
///
/// A random game is played to its end, and one of the positions in which it was not over is drawn. It
/// is kept if every move of it can be solved, moves of different value exist, and the side to move does
/// not win within a few plies: random games are full of obvious wins.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// Where every random game begins.
    pub start: Start,
    /// What values are: outcomes, or margins.
    pub scores: Scores,
    /// How many positions.
    pub positions: usize,
    /// Maximum number of nodes of the solver for each move.
    pub limit: u64,
    /// Positions that the side to move wins within this number of plies are left out; 0: none is.
    pub beyond: u32,
    /// Maximum number of positions that are drawn.
    pub draws: u64,
    /// Where all random choices come from.
    pub seed: u64,
    /// Positions solved at once; 0: one per processor.
    pub jobs: usize,
}

impl Drawing {
    /// A hundred positions of a game by their outcomes.
    #[must_use]
    pub fn new(start: Start) -> Drawing {
        let (scores, limit, beyond) = (Scores::Outcome, Drawing::LIMIT, Drawing::BEYOND);
        Drawing { start, scores, positions: 100, limit, beyond, draws: 100_000, seed: 0, jobs: 0 }
    }

    /// The usual limit of nodes for a move.
    pub const LIMIT: u64 = 200_000;

    /// The usual number of plies within which wins are left out: a move, a reply, and a move.
    pub const BEYOND: u32 = 3;
}

/// Why there are no positions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DrawingError {
    /// The game has no margins.
    #[error("{game} has no margin; its positions are won, drawn or lost")]
    NoMargin {
        /// The text of the game.
        game: String,
    },
    /// The solver cannot be made.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// The threads could not be started.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
}

/// What became of one draw.
enum Fate {
    Kept(Box<Board>, SolvedPosition),
    Unsolved,
    Short,
    /// All moves have this value.
    Equal(i64),
    Cancelled,
}

/// Draws and solves positions. The same drawing gives the same set, for any number of jobs; it has
/// fewer positions than requested if too few of those drawn could be used, or if it was cancelled.
///
/// # Errors
///
/// If the game has no margin and margins are wanted, or no thread can be started.
pub fn draw_positions(
    registry: &Registry,
    drawing: &Drawing,
    watch: Watch<'_>,
) -> Result<SolvedSet, DrawingError> {
    let Drawing { ref start, scores, limit, beyond, seed, .. } = *drawing;
    let game = start.text().to_owned();
    if scores == Scores::Margin && !start.board().keeps_count() {
        return Err(DrawingError::NoMargin { game });
    }
    let (halt, numbers): (_, Vec<u64>) = (AtomicBool::new(false), (0..drawing.draws).collect());
    let (drawn, positions) = (Drawn::default(), Vec::new());
    let mut set = SolvedSet { game, scores, seed, limit, beyond, drawn, positions };
    let mut seen = HashSet::new();
    // Results are taken in the order of the draws, whenever they come.
    let (mut waiting, mut next) = (BTreeMap::new(), 0);
    Workers { jobs: drawing.jobs, cancel: watch.cancel, halt: &halt }.run(
        &numbers,
        || MoveSolver::new(registry, start, scores),
        |solver, &number| match solver {
            Ok(solver) => Ok((number, draw(drawing, solver, number, watch))),
            Err(error) => Err(error.clone()),
        },
        &mut |fates: Vec<Result<(u64, Fate), PlayerError>>| -> Result<(), DrawingError> {
            for fate in fates {
                let (number, fate) = fate?;
                waiting.insert(number, fate);
            }
            while let Some(fate) = waiting.remove(&next) {
                next += 1;
                if set.positions.len() < drawing.positions {
                    take(&mut set, &mut seen, fate);
                }
            }
            watch.tell(set.positions.len() as u64);
            if set.positions.len() >= drawing.positions {
                halt.store(true, Ordering::Relaxed);
            }
            Ok(())
        },
    )?;
    Ok(set)
}

fn take(set: &mut SolvedSet, seen: &mut HashSet<Board>, fate: Fate) {
    let drawn = &mut set.drawn;
    match fate {
        Fate::Cancelled => {}
        Fate::Unsolved => drawn.unsolved += 1,
        Fate::Short => drawn.short += 1,
        Fate::Equal(value) => match value.signum() {
            1 => drawn.all_won += 1,
            0 => drawn.all_drawn += 1,
            _ => drawn.all_lost += 1,
        },
        Fate::Kept(board, _) if seen.contains(&*board) => drawn.repeated += 1,
        Fate::Kept(board, position) => {
            drawn.kept += 1;
            seen.insert(*board);
            set.positions.push(position);
        }
    }
}

/// One position of a random game, and its moves.
fn draw(drawing: &Drawing, solver: &mut MoveSolver, number: u64, watch: Watch<'_>) -> Fate {
    let mut rng = Rng::new(derive_seed(drawing.seed, number));
    let mut game = random_game(&drawing.start, &mut rng);
    let kept = rng.below(game.moves().len().max(1) as u32) as usize;
    while game.moves().len() > kept {
        game.undo();
    }
    let position = game.position();
    if drawing.beyond > 0 && position.forced(position.to_move(), drawing.beyond) > 0 {
        return Fate::Short;
    }
    let Some(values) = solver.values(&game, drawing.limit, watch.cancel) else {
        return if watch.is_cancelled() { Fate::Cancelled } else { Fate::Unsolved };
    };
    let moves = game.move_texts().join(" ");
    let position = SolvedPosition { moves, values: named(&game, values) };
    match position.is_a_choice() {
        true => Fate::Kept(Box::new(game.position().clone()), position),
        false => Fate::Equal(position.value()),
    }
}

/// A game of random moves, played to its end.
fn random_game(start: &Start, rng: &mut Rng) -> Playthrough<Board> {
    let mut game = start.playthrough();
    let mut buffer = Vec::new();
    while game.ending().is_none() {
        let mv = game.position().speed().random_move(rng, &mut buffer);
        game.play(mv);
    }
    game
}
