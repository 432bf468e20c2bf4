//! Pairs of games: what determines them, their name, and what plays them.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use treegraft::GameTextError;
use treegraft_engine::Thought;
use treegraft_players::{Player, PlayerError, Registry, Start};

use crate::arena::{GameEnd, GameError, PairGames};
use crate::json::reason_key;
use crate::opening::Opening;
use crate::row::{GameRow, PairId};
use crate::store::now_ms;

/// Everything that determines two games: same opening, sides swapped.
///
/// ```
/// use treegraft_lab::{Opening, Pair, play_pair};
/// use treegraft_players::Registry;
///
/// let pair = Pair {
///     game: "connect4".to_owned(),
///     players: ["mcts-solver@50it".to_owned(), "random".to_owned()],
///     opening: Opening::Moves("4 4".to_owned()),
///     seed: 1,
///     max_plies: None,
/// };
/// let rows = play_pair(&Registry::standard(), &pair, None)?;
/// assert_eq!(rows[0].sides[0].player, rows[1].sides[1].player);
/// assert!(rows.iter().all(|row| row.pair == pair.id() && row.moves.starts_with("4 4 ")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// The canonical text of the game.
    pub game: String,
    /// The canonical texts of the player who is first in the first game and of the other one, with
    /// the budgets they actually have.
    pub players: [String; 2],
    /// How both games begin.
    pub opening: Opening,
    /// Where all random choices but those of the opening come from.
    pub seed: u64,
    /// A game is drawn after this many moves in all, including the opening.
    pub max_plies: Option<u32>,
}

/// Why a pair was not played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PairError {
    /// There is no such game.
    #[error(transparent)]
    Game(#[from] GameTextError),
    /// There is no such player.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// A game of it went wrong.
    #[error("{pairing}: {error}")]
    Play {
        /// The game and the players, in words.
        pairing: String,
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
    /// It is the first 128 bits of the SHA-256 of two lines in UTF-8, without a line feed behind
    /// the second: `treegraft pair 1`, and the pair as JSON without blanks, its keys in the order
    /// of the fields:
    ///
    /// ```text
    /// treegraft pair 1
    /// {"game":"connect4","players":["mcts@10it","random"],"opening":"none","seed":1,"max_plies":null}
    /// ```
    #[must_use]
    pub fn id(&self) -> PairId {
        let json = serde_json::to_string(self).expect("texts and numbers always become JSON");
        PairId(hash(format!("treegraft pair 1\n{json}")))
    }

    /// Whether both texts are players who do the same when they play again.
    pub(crate) fn is_repeatable(&self, registry: &Registry) -> bool {
        let player = |text: &String| registry.player(text).is_ok_and(|it| it.is_repeatable());
        self.players.iter().all(player)
    }
}

/// The first 128 bits of the SHA-256 of a text or of bytes.
#[must_use]
pub fn hash(text: impl AsRef<[u8]>) -> u128 {
    let bytes = Sha256::digest(text.as_ref());
    bytes.iter().take(16).fold(0, |number, &byte| number << 8 | u128::from(byte))
}

/// Both games of a pair, as they were played.
///
/// [`PairPlayer::play`] makes one and [`Store::append`](crate::Store::append) writes it. As JSON it
/// can travel in between, from a machine that plays to the one that writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FinishedPair {
    /// The pair as JSON: everything that is needed to play it again.
    pub setup: String,
    /// The games.
    pub rows: [GameRow; 2],
    /// What the players thought in each of them, if that is to be kept.
    pub thoughts: Option<[Vec<Thought>; 2]>,
}

/// Plays pairs, and reads the text of each player once: most pairs share theirs.
pub struct PairPlayer<'a> {
    registry: &'a Registry,
    players: HashMap<String, Player>,
}

impl<'a> PairPlayer<'a> {
    /// Nothing has been read yet.
    #[must_use]
    pub fn new(registry: &'a Registry) -> PairPlayer<'a> {
        PairPlayer { registry, players: HashMap::new() }
    }

    /// Plays the two games of a pair. What the players think is kept if `record` says so.
    ///
    /// If the players are repeatable, the rows depend only on the pair, except for times.
    ///
    /// # Errors
    ///
    /// If there is no such game or player, the opening cannot be played, a player cannot play the
    /// game or finds no legal move, or `cancel` is set. A fault of an engine is not an error: it
    /// loses the game.
    pub fn play(
        &mut self,
        pair: &Pair,
        record: bool,
        cancel: Option<&AtomicBool>,
    ) -> Result<FinishedPair, PairError> {
        let (first, of_first) = self.play_one(pair, 0, record, cancel)?;
        let (second, of_second) = self.play_one(pair, 1, record, cancel)?;
        let setup = serde_json::to_string(pair).expect("texts and numbers always become JSON");
        let thoughts = record.then_some([of_first, of_second]);
        Ok(FinishedPair { setup, rows: [first, second], thoughts })
    }

    /// Plays game 0 or 1 of a pair.
    pub(crate) fn play_one(
        &mut self,
        pair: &Pair,
        number: u8,
        record: bool,
        cancel: Option<&AtomicBool>,
    ) -> Result<(GameRow, Vec<Thought>), PairError> {
        let start = self.registry.start(&pair.game)?;
        for text in &pair.players {
            if !self.players.contains_key(text) {
                self.players.insert(text.clone(), self.registry.player(text)?);
            }
        }
        let players = pair.players.each_ref().map(|text| &self.players[text]);
        ResolvedPair { registry: self.registry, pair, start: &start, players }
            .play(number, record, cancel)
    }
}

/// Plays the two games of a pair; see [`PairPlayer::play`].
///
/// # Errors
///
/// As [`PairPlayer::play`].
pub fn play_pair(
    registry: &Registry,
    pair: &Pair,
    cancel: Option<&AtomicBool>,
) -> Result<[GameRow; 2], PairError> {
    Ok(PairPlayer::new(registry).play(pair, false, cancel)?.rows)
}

/// A pair with the game and the players that its texts name.
pub(crate) struct ResolvedPair<'a> {
    pub(crate) registry: &'a Registry,
    pub(crate) pair: &'a Pair,
    pub(crate) start: &'a Start,
    pub(crate) players: [&'a Player; 2],
}

impl ResolvedPair<'_> {
    /// Plays game 0 or 1. What the players thought is kept if `record` says so.
    pub(crate) fn play(
        &self,
        number: u8,
        record: bool,
        cancel: Option<&AtomicBool>,
    ) -> Result<(GameRow, Vec<Thought>), PairError> {
        let Pair { game, players: [a, b], opening, seed, max_plies } = self.pair;
        let games = PairGames {
            registry: self.registry,
            start: self.start,
            players: self.players,
            opening,
            seed: *seed,
            max_plies: *max_plies,
            record,
        };
        let (started_ms, begun) = (now_ms(), Instant::now());
        let record = games.play(number, cancel).map_err(|error| match error {
            GameError::Cancelled => PairError::Cancelled,
            error => PairError::Play { pairing: format!("{game}, {a} against {b}"), error },
        })?;
        let seconds = begun.elapsed().as_secs_f64();
        let mut played = self.start.playthrough();
        record.moves.iter().for_each(|&mv| played.play(mv));
        let (end, fault) = match record.end {
            GameEnd::Rules(reason) => (reason_key(reason), String::new()),
            GameEnd::Fault(_, fault) => (fault.kind.name(), fault.detail),
        };
        let row = GameRow {
            pair: self.pair.id(),
            number,
            game: game.clone(),
            sides: record.sides,
            moves: played.move_texts().join(" "),
            plies: record.moves.len() as u32,
            opening_plies: record.opening_plies as u32,
            outcome: record.outcome.value() as i8,
            end: end.to_owned(),
            fault,
            margin: record.margin,
            seed: games.game_seed(number),
            digest: record.digest,
            started_ms,
            seconds,
        };
        Ok((row, record.thoughts))
    }
}
