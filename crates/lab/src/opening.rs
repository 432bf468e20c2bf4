//! How a game begins.

use std::fmt;
use std::str::FromStr;

use treegraft::{Game, NotationError, Playthrough, Rng, Speed, derive_seed};
use treegraft_players::Board;

use crate::as_text;

/// How a game begins. As text: `none`, `random PLIES SEED`, `moves MOVE MOVE …`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Opening {
    /// At the start.
    #[default]
    None,
    /// With uniformly random moves that do not end it.
    Random {
        /// How many.
        plies: u32,
        /// Where they come from.
        seed: u64,
    },
    /// With these moves, in the game's notation.
    Moves(String),
}

/// A text that is not an opening.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("opening {0:?}; expected none, random PLIES SEED or moves MOVE MOVE …")]
pub struct OpeningError(String);

/// Why an opening cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningProblem {
    /// No opening of the requested length leaves a game to play.
    #[error(
        "{tries} random openings of {plies} plies all ended the game; choose a shorter opening"
    )]
    TooLong {
        /// The requested length.
        plies: u32,
        /// Openings tried.
        tries: u32,
    },
    /// The opening has an illegal move.
    #[error("the opening {moves:?} cannot be played: {error}")]
    Illegal {
        /// The opening.
        moves: String,
        /// What is wrong with it.
        error: Box<NotationError>,
    },
    /// The opening leaves no game to play.
    #[error("the opening {moves:?} ends the game")]
    EndsTheGame {
        /// The opening.
        moves: String,
    },
}

impl Opening {
    /// The game from `start` with the opening played.
    ///
    /// # Errors
    ///
    /// If the opening has an illegal move or ends the game.
    pub fn play(&self, start: &Playthrough<Board>) -> Result<Playthrough<Board>, OpeningProblem> {
        match self {
            Opening::None | Opening::Random { plies: 0, .. } => Ok(start.clone()),
            Opening::Random { plies, seed } => random_opening(start, *plies, *seed),
            Opening::Moves(moves) => {
                let mut game = start.clone();
                let moves = moves.clone();
                if let Err(error) = game.play_text(&moves) {
                    return Err(OpeningProblem::Illegal { moves, error: Box::new(error) });
                }
                match game.ending() {
                    Some(_) => Err(OpeningProblem::EndsTheGame { moves }),
                    None => Ok(game),
                }
            }
        }
    }
}

/// Random moves that do not end the game.
fn random_opening(
    start: &Playthrough<Board>,
    plies: u32,
    seed: u64,
) -> Result<Playthrough<Board>, OpeningProblem> {
    const TRIES: u32 = 100;
    let mut buffer = Vec::new();
    for attempt in 0..TRIES {
        let mut rng = Rng::new(derive_seed(seed, u64::from(attempt)));
        let mut game = start.clone();
        for _ in 0..plies {
            if game.ending().is_some() {
                break;
            }
            let mv = game.position().speed().random_move(&mut rng, &mut buffer);
            game.play(mv);
        }
        if game.ending().is_none() {
            return Ok(game);
        }
    }
    Err(OpeningProblem::TooLong { plies, tries: TRIES })
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Opening::None => f.write_str("none"),
            Opening::Random { plies, seed } => write!(f, "random {plies} {seed}"),
            Opening::Moves(moves) => write!(f, "moves {moves}"),
        }
    }
}

impl FromStr for Opening {
    type Err = OpeningError;

    fn from_str(text: &str) -> Result<Opening, OpeningError> {
        let random = |rest: &str| {
            let (plies, seed) = rest.split_once(' ')?;
            Some(Opening::Random { plies: plies.parse().ok()?, seed: seed.parse().ok()? })
        };
        let opening = match text.split_once(' ') {
            None if text == "none" => Some(Opening::None),
            Some(("random", rest)) => random(rest),
            Some(("moves", rest)) => Some(Opening::Moves(rest.to_owned())),
            _ => None,
        };
        opening.ok_or_else(|| OpeningError(text.to_owned()))
    }
}

as_text!(Opening);
