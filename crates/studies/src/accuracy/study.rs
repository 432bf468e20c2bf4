//! Players choose a move in every position of a set.

use std::sync::atomic::AtomicBool;

use treegraft::{Playthrough, derive_seed};
use treegraft_engine::{
    Answer, Fault, MemoryError, MoveRequest, NoAnswer, check_memory_of_games, check_seat, seat,
};
use treegraft_lab::{ThreadsError, processors};
use treegraft_players::{Board, DEFAULT_BUDGET, Player, PlayerError, Registry, Start};

use super::solved::SolvedSet;
use crate::watch::Watch;

/// Which players choose moves, and in which positions.
#[derive(Clone, Debug)]
pub struct AccuracyStudy {
    /// The start of the game.
    pub start: Start,
    /// The positions.
    pub set: SolvedSet,
    /// The players.
    pub players: Vec<Player>,
    /// Where all random choices of players come from.
    pub seed: u64,
    /// Searches at once; 0: one per processor.
    pub jobs: usize,
}

/// The move that a player chose in a position, and what it cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The number of the move among the legal ones.
    pub mv: usize,
    /// Iterations, as the search counts them.
    pub iterations: u64,
    /// Nodes.
    pub nodes: u64,
    /// Wall-clock time.
    pub seconds: f64,
}

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AccuracyError {
    /// The game cannot serve a player.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// The players may use more memory than there is.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The moves to a position are illegal.
    #[error("position {number}: {error}")]
    Position {
        /// Its number, from 1.
        number: usize,
        /// What is wrong.
        error: String,
    },
    /// An external engine gave no move.
    #[error("{player} gave no move in position {number}: {fault}")]
    Fault {
        /// The engine.
        player: String,
        /// The number of the position, from 1.
        number: usize,
        /// What it did.
        fault: Fault,
    },
    /// A search found no move although there is one, or one that is not legal.
    #[error("{player} found no legal move in position {number}")]
    NoMove {
        /// The player.
        player: String,
        /// The number of the position, from 1.
        number: usize,
    },
    /// The threads could not be started.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
}

/// What every player chose: for each player a choice for each position, in their order. There are fewer
/// positions than in the set if that was cancelled; all players have chosen in those that count.
///
/// Every choice is a search of its own, by a new searcher: nothing is known from another position. Its
/// seed follows from that of the study and the number of the position, so that players with a budget
/// of work choose the same at any number of jobs.
///
/// # Errors
///
/// If a player cannot play the game, or gives no legal move.
pub fn measure(
    registry: &Registry,
    study: &AccuracyStudy,
    watch: Watch<'_>,
) -> Result<Vec<Vec<Choice>>, AccuracyError> {
    let AccuracyStudy { start, set, players, .. } = study;
    // What the game cannot serve is said before anything is searched.
    for player in players {
        check_seat(registry, start, player)?;
    }
    let jobs = if study.jobs == 0 { processors() } else { study.jobs };
    check_memory_of_games(players.iter().map(|player| [player, player]), jobs)?;
    let mut games = Vec::with_capacity(set.positions.len());
    for number in 0..set.positions.len() {
        let game = set.playthrough(start, number);
        let position = |error: treegraft::NotationError| AccuracyError::Position {
            number: number + 1,
            error: error.to_string(),
        };
        games.push(game.map_err(position)?);
    }
    // All players at a position before the next one, so that what is there after a while can be compared.
    let tasks: Vec<[usize; 2]> =
        (0..games.len()).flat_map(|at| (0..players.len()).map(move |of| [at, of])).collect();
    let choose = |(): &mut (), &[at, of]: &[usize; 2]| {
        let choice = study.choose(registry, &games[at], at, of, watch.cancel)?;
        Ok::<_, AccuracyError>(choice.map(|choice| (at, of, choice)))
    };
    let mut found = vec![Vec::new(); players.len()];
    for (at, of, choice) in watch.collect(study.jobs, &tasks, || (), choose)? {
        // What comes after a position that was cancelled does not count.
        if found[of].len() == at {
            found[of].push(choice);
        }
    }
    let complete = found.iter().map(Vec::len).min().unwrap_or(0);
    found.iter_mut().for_each(|choices| choices.truncate(complete));
    Ok(found)
}

impl AccuracyStudy {
    /// The choice of one player in one position; `None` if that was cancelled.
    fn choose(
        &self,
        registry: &Registry,
        game: &Playthrough<Board>,
        at: usize,
        of: usize,
        cancel: Option<&AtomicBool>,
    ) -> Result<Option<Choice>, AccuracyError> {
        let player = &self.players[of];
        let mut asked = seat(registry, &self.start, player)?;
        let budget = player.budget_or(DEFAULT_BUDGET);
        let seed = derive_seed(self.seed, at as u64);
        let request = MoveRequest { budget, seed, cancel, record: false };
        let (name, number) = (|| player.to_string(), at + 1);
        let fault = |fault| AccuracyError::Fault { player: name(), number, fault };
        asked.new_game().map_err(fault)?;
        match asked.next_move(game, request) {
            Ok(Answer { mv, work, .. }) => {
                let mv = game.legal_moves().iter().position(|&legal| legal == mv);
                let mv = mv.ok_or_else(|| AccuracyError::NoMove { player: name(), number })?;
                let seconds = work.time.as_secs_f64();
                Ok(Some(Choice { mv, iterations: work.iterations, nodes: work.nodes, seconds }))
            }
            Err(NoAnswer::Cancelled) => Ok(None),
            Err(NoAnswer::NoMove) => Err(AccuracyError::NoMove { player: name(), number }),
            Err(NoAnswer::Fault(found)) => Err(fault(found)),
        }
    }
}
