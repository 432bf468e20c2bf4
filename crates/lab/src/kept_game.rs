//! A game of a store or a ledger, ready to be looked at move by move.

use std::sync::atomic::AtomicBool;

use treegraft::{
    Ending, Exactness, Game, Notation, NotationError, Outcome, Playthrough, Reason, Side,
};
use treegraft_engine::{FaultKind, Thought};
use treegraft_players::{Board, Registry, Start};

use crate::game_file::GameFile;
use crate::pair::{Pair, PairError, PairPlayer};
use crate::row::GameRow;
use crate::store::StoreError;

/// A game of a store or a ledger, with its positions.
#[derive(Clone, Debug)]
pub struct KeptGame {
    /// Its number, from 1, in the order in which `export` writes the games.
    pub number: usize,
    /// What is kept of it; its moves in any case.
    pub row: GameRow,
    /// The game that was played.
    pub start: Start,
    /// All moves, with the positions between them.
    pub game: Playthrough<Board>,
    /// What the players thought: one for each move that they chose, or none.
    pub thoughts: Vec<Thought>,
    /// Whether the moves come from playing the game again, because they are not kept.
    pub was_played_again: bool,
}

/// Why a game cannot be looked at.
#[derive(Debug, thiserror::Error)]
pub enum KeptGameError {
    /// Something is wrong with the file.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is no such game.
    #[error("there is no game {number}; {}", count_text(*.games))]
    Missing {
        /// The requested number.
        number: usize,
        /// How many games there are.
        games: usize,
    },
    /// This program does not know the game or its players.
    #[error("game {number}: {error}")]
    Unknown {
        /// The number of the game.
        number: usize,
        /// What is wrong.
        error: String,
    },
    /// The moves cannot be played.
    #[error("game {number} cannot be played: {error}")]
    Moves {
        /// The number of the game.
        number: usize,
        /// The move that cannot be played.
        error: NotationError,
    },
    /// The moves are not kept, and playing again gives another game.
    #[error(
        "the moves of game {number} are not kept, and played again from its seed it is another \
         game: {players} play differently today"
    )]
    Changed {
        /// The number of the game.
        number: usize,
        /// Its players.
        players: String,
    },
    /// The game was being played again when it was cancelled.
    #[error("cancelled before game {number} had been played again")]
    Cancelled {
        /// The number of the game.
        number: usize,
    },
}

fn count_text(games: usize) -> String {
    match games {
        0 => "the file has none".to_owned(),
        1 => "there is one, with the number 1".to_owned(),
        games => format!("expected a number from 1 to {games}"),
    }
}

impl KeptGame {
    /// The game with this number, from 1, in the order of [`GameFile::games`].
    ///
    /// A ledger does not keep the moves of games that follow from their seeds: such a game is played
    /// again, which takes as long as it took, and must have the digest that is kept.
    ///
    /// # Errors
    ///
    /// If there is no such game, it is damaged, this program does not know it, or it has to be
    /// played again and comes out differently or `cancel` is set.
    pub fn read(
        registry: &Registry,
        file: &GameFile,
        number: usize,
        cancel: Option<&AtomicBool>,
    ) -> Result<KeptGame, KeptGameError> {
        let Some(stored) = file.game(number)? else {
            return Err(KeptGameError::Missing { number, games: file.results()?.len() });
        };
        let mut row = stored.row;
        let unknown = |error: String| KeptGameError::Unknown { number, error };
        let start = registry.start(&row.game).map_err(|error| unknown(error.to_string()))?;
        let was_played_again = row.is_digest_only();
        let thoughts = if was_played_again {
            let pair: Pair =
                serde_json::from_str(&stored.setup).map_err(|error| unknown(error.to_string()))?;
            let played = PairPlayer::new(registry).play_one(&pair, row.number, true, cancel);
            let (again, thoughts) = played.map_err(|error| match error {
                PairError::Cancelled => KeptGameError::Cancelled { number },
                error => unknown(error.to_string()),
            })?;
            if again.digest != row.digest {
                let [first, second] = row.sides.each_ref().map(|side| side.player.as_str());
                let players = format!("{first} or {second}");
                return Err(KeptGameError::Changed { number, players });
            }
            row.moves = again.moves;
            thoughts
        } else {
            file.thoughts_of((row.pair, row.number))?.unwrap_or_default()
        };
        let mut game = start.playthrough();
        game.play_text(&row.moves).map_err(|error| KeptGameError::Moves { number, error })?;
        Ok(KeptGame { number, row, start, game, thoughts, was_played_again })
    }

    /// What was thought before the move with this number of moves before it, if that is known.
    #[must_use]
    pub fn thought(&self, ply: usize) -> Option<&Thought> {
        self.thoughts.iter().find(|thought| thought.ply as usize == ply)
    }

    /// The player who has a side.
    #[must_use]
    pub fn player(&self, side: Side) -> &str {
        &self.row.sides[side.index()].player
    }

    /// The result.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        Outcome::from_margin(i64::from(self.row.outcome))
    }

    /// The game as far as this many moves.
    #[must_use]
    pub fn at(&self, ply: usize) -> Playthrough<Board> {
        let mut game = Playthrough::new(self.game.start().clone());
        self.game.moves().iter().take(ply).for_each(|&mv| game.play(mv));
        game
    }

    /// How the game ended, in words: "X wins by 3, by the rules of the game".
    #[must_use]
    pub fn result_text(&self) -> String {
        let position = self.game.position();
        if FaultKind::is_name(&self.row.end) {
            let winner = self
                .outcome()
                .winner()
                .map_or("nobody", |side| position.notation().side_name(side));
            return format!("{winner} wins by a fault: {}: {}", self.row.end, self.row.fault);
        }
        match self.game.ending() {
            Some(ending) => ending_text(position, ending),
            None => format!("a draw, adjudicated after {} moves", self.row.plies),
        }
    }
}

/// How a game ended, in words: "Black wins by 12, by the rules of the game".
#[must_use]
pub fn ending_text(position: &Board, ending: Ending) -> String {
    let won = match (ending.outcome, position.exactness().margin()) {
        (Outcome::Win(side), None) => format!("{} wins", position.notation().side_name(side)),
        (Outcome::Win(side), Some(margin)) => {
            format!("{} wins by {}", position.notation().side_name(side), margin.unsigned_abs())
        }
        (Outcome::Draw, _) => "a draw".to_owned(),
    };
    let why = match ending.reason {
        Reason::Rules => "by the rules of the game".to_owned(),
        Reason::Repetition => format!(
            "by repetition: the position has occurred {} times",
            position.limits().repetitions.unwrap_or_default()
        ),
        Reason::TooLong => format!(
            "because the game is too long: it ends after {} moves",
            position.limits().plies.unwrap_or_default()
        ),
    };
    format!("{won}, {why}")
}
