//! Pairs of games: what determines them, their name, and the entry that plays them.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use treegraft::{Game, Outcome, Playthrough, Reason};
use treegraft_games::{AnyGame, GameTextError, Visitor};

use crate::arena::Duel;
use crate::{End, GameError, GameRecord, GameRow, PairId, Player};

/// Everything that determines two games: same opening, sides swapped.
///
/// ```
/// use treegraft_lab::{Opening, Pair, play_pair};
///
/// let pair = Pair {
///     game: "connect4".to_owned(),
///     players: ["mcts-solver@50it".parse()?, "random".parse()?],
///     opening: Opening::Moves("4 4".to_owned()),
///     seed: 1,
///     max_plies: None,
/// };
/// let rows = play_pair(&pair, None)?;
/// assert_eq!(rows[0].sides[0].player, rows[1].sides[1].player);
/// assert!(rows.iter().all(|row| row.pair == pair.id() && row.moves.starts_with("4 4 ")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// The canonical text of the game.
    pub game: String,
    /// The player who is first in the first game, and the other one, with the budgets they really
    /// have.
    pub players: [Player; 2],
    /// How both games begin.
    pub opening: Opening,
    /// Where all random choices but those of the opening come from.
    pub seed: u64,
    /// A game is drawn after so many moves in all, those of the opening included.
    pub max_plies: Option<u32>,
}

/// How a game begins. As text: `none`, `random PLIES SEED`, `moves MOVE MOVE …`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
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

/// A text that is no opening.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("opening {0:?}; expected none, random PLIES SEED or moves MOVE MOVE …")]
pub struct OpeningError(String);

/// Why a pair was not played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PairError {
    /// There is no such game.
    #[error(transparent)]
    Game(#[from] GameTextError),
    /// A game of it went wrong.
    #[error("{meeting}: {error}")]
    Play {
        /// The game and the players, in words.
        meeting: String,
        /// What went wrong.
        error: GameError,
    },
    /// The pair was cancelled.
    #[error("the games were cancelled")]
    Cancelled,
}

impl Pair {
    /// The name of the pair.
    ///
    /// It is the first 128 bits of the SHA-256 of two lines in UTF-8, without a line feed behind the
    /// second: `treegraft pair 1`, and the pair as JSON without blanks, its keys in the order of the
    /// fields:
    ///
    /// ```text
    /// treegraft pair 1
    /// {"game":"connect4","players":["mcts@10it","random"],"opening":"none","seed":1,"max_plies":null}
    /// ```
    #[must_use]
    pub fn id(&self) -> PairId {
        let json = serde_json::to_string(self).expect("texts and numbers always become JSON");
        PairId(hash(&format!("treegraft pair 1\n{json}")))
    }

    /// Whether playing it again gives the same games: nobody is limited by time, and nobody is
    /// somebody else's program.
    #[must_use]
    pub fn is_repeatable(&self) -> bool {
        self.players.iter().all(Player::is_repeatable)
    }
}

/// The first 128 bits of the SHA-256 of a text.
pub(crate) fn hash(text: &str) -> u128 {
    let bytes = Sha256::digest(text.as_bytes());
    bytes.iter().take(16).fold(0, |number, &byte| number << 8 | u128::from(byte))
}

/// Plays the two games of a pair: the one entry for whoever keeps rows.
///
/// The rows depend on the pair alone, but for what a clock says, if the pair
/// [is repeatable](Pair::is_repeatable).
///
/// # Errors
///
/// If there is no such game, the opening cannot be played, a player cannot play the game or finds no
/// legal move, or `cancel` is set. A fault of a foreign engine is no error: it loses the game.
pub fn play_pair(pair: &Pair, cancel: Option<&AtomicBool>) -> Result<[GameRow; 2], PairError> {
    AnyGame::parse(&pair.game)?.visit(Play { pair, cancel }).map_err(|error| match error {
        GameError::Cancelled => PairError::Cancelled,
        error => {
            let [a, b] = &pair.players;
            PairError::Play { meeting: format!("{}, {a} against {b}", pair.game), error }
        }
    })
}

struct Play<'a> {
    pair: &'a Pair,
    cancel: Option<&'a AtomicBool>,
}

impl Visitor for Play<'_> {
    type Output = Result<[GameRow; 2], GameError>;

    fn visit<G: Game + Send + Sync + 'static>(self, start: G) -> Self::Output
    where
        G::Move: Send + Sync,
    {
        let Pair { game, players: [a, b], opening, seed, max_plies } = self.pair;
        let start = &Playthrough::new(start);
        let (seed, max_plies) = (*seed, *max_plies);
        let duel = Duel { game, start, players: [a, b], opening, seed, max_plies };
        let id = self.pair.id();
        let row = |number| -> Result<GameRow, GameError> {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            let begun = Instant::now();
            let record = duel.play(number, self.cancel)?;
            Ok(GameRow {
                pair: id,
                number,
                game: game.clone(),
                seed: duel.game_seed(number),
                started_ms: now.as_millis() as u64,
                seconds: begun.elapsed().as_secs_f64(),
                ..facts(start, record)
            })
        };
        Ok([row(0)?, row(1)?])
    }
}

/// The row of a game, as far as the record tells.
fn facts<G: Game>(start: &Playthrough<G>, record: GameRecord<G::Move>) -> GameRow {
    let mut game = start.clone();
    record.moves.iter().for_each(|&mv| game.play(mv));
    let (end, fault) = match record.end {
        End::Rules(Reason::Rules) => ("rules", String::new()),
        End::Rules(Reason::Repetition) => ("repetition", String::new()),
        End::Rules(Reason::TooLong) => ("too-long", String::new()),
        End::Fault(_, fault) => (fault.kind.name(), fault.detail),
    };
    GameRow {
        pair: PairId(0),
        number: 0,
        game: String::new(),
        sides: record.sides,
        moves: game.move_texts().join(" "),
        plies: record.moves.len() as u32,
        opening_plies: record.opening_plies as u32,
        outcome: match record.outcome {
            Outcome::Draw => 0,
            Outcome::Win(side) => side.sign() as i8,
        },
        end: end.to_owned(),
        fault,
        margin: record.margin,
        seed: 0,
        digest: record.digest,
        started_ms: 0,
        seconds: 0.0,
    }
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

impl TryFrom<String> for Opening {
    type Error = OpeningError;

    fn try_from(text: String) -> Result<Opening, OpeningError> {
        text.parse()
    }
}

impl From<Opening> for String {
    fn from(opening: Opening) -> String {
        opening.to_string()
    }
}
