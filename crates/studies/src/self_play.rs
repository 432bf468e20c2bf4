//! Games of a player against itself, which several studies look at.

use treegraft_engine::{Fault, MemoryError, check_memory_of_games, check_seat};
use treegraft_lab::{GameEnd, GameError, GameRecord, processors};
use treegraft_players::{Player, PlayerError, Registry, Start};

/// Why not all games of a study were played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GamesError {
    /// The game cannot serve the player.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// The players may use more memory than there is.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// A game went wrong.
    #[error("game {number}: {error}")]
    Game {
        /// Its number, from 0.
        number: u32,
        /// What went wrong.
        error: GameError,
    },
    /// An external engine lost a game without being beaten, so there is no game to look at.
    #[error("game {number}: the player did not play it to its end: {fault}")]
    Fault {
        /// Its number, from 0.
        number: u32,
        /// What it did.
        fault: Fault,
    },
}

/// What the game cannot serve, and what has no room in memory, is said before anything is played.
pub(crate) fn check(
    registry: &Registry,
    start: &Start,
    player: &Player,
    games: u32,
    jobs: usize,
) -> Result<(), GamesError> {
    check_seat(registry, start, player)?;
    let jobs = if jobs == 0 { processors() } else { jobs };
    Ok(check_memory_of_games([[player, player]], jobs.min(games as usize))?)
}

/// A game that was played to its end; `None` if it was cancelled.
pub(crate) fn finished(
    number: u32,
    played: Result<GameRecord, GameError>,
) -> Result<Option<GameRecord>, GamesError> {
    match played {
        Ok(GameRecord { end: GameEnd::Fault(_, fault), .. }) => {
            Err(GamesError::Fault { number, fault })
        }
        Ok(record) => Ok(Some(record)),
        Err(GameError::Cancelled) => Ok(None),
        Err(error) => Err(GamesError::Game { number, error }),
    }
}
