//! The only place where games between players are played.

use std::sync::atomic::AtomicBool;

use treegraft::bits::mix;
use treegraft::{
    Budget, Ending, Exactness, Game, Outcome, Playthrough, Reason, Side, Speed, derive_seed,
};
use treegraft_engine::{
    Answer, Fault, MemoryError, MoveRequest, NoAnswer, Seat, Thought, check_memory_of_games, seat,
};
use treegraft_players::{Board, DEFAULT_BUDGET, MoveIndex, Player, PlayerError, Registry, Start};

use crate::opening::{Opening, OpeningProblem};
use crate::row::SideRow;

/// What a game is played under, besides its rules.
#[derive(Clone, Copy, Debug, Default)]
pub struct Terms<'a> {
    /// What a move may cost the first and the second side. The default has no limit: it is for
    /// seats that end by themselves.
    pub budgets: [Budget; 2],
    /// Where all random choices come from.
    pub seed: u64,
    /// The game is drawn after this many plies in all, unless the game's own limit is lower.
    pub max_plies: Option<u32>,
    /// Set from another thread to end the game soon; it then does not count.
    pub cancel: Option<&'a AtomicBool>,
    /// Whether to keep what the players thought. The game is the same either way.
    pub record: bool,
}

/// A game that was played to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    /// All moves, those of the opening included.
    pub moves: Vec<MoveIndex>,
    /// How many of them belong to the opening.
    pub opening_plies: usize,
    /// The result.
    pub outcome: Outcome,
    /// What ended the game.
    pub end: GameEnd,
    /// The final margin in the first player's view, where the game keeps count.
    pub margin: Option<i64>,
    /// What the first and the second side spent.
    pub sides: [SideRow; 2],
    /// A number over all positions that is equal for equal games.
    pub digest: u64,
    /// What the players thought of each move that they chose, if that was to be kept.
    pub thoughts: Vec<Thought>,
}

/// What ended a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameEnd {
    /// The rules, those on repetition and length included.
    Rules(Reason),
    /// A fault of this side, which loses the game.
    Fault(Side, Fault),
}

/// Why a game was not played to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// The game cannot serve a player.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// A searcher found no move although there is one.
    #[error("no move was found at ply {ply}, although the game is not over")]
    NoMove {
        /// Moves played before.
        ply: usize,
    },
    /// A searcher's move was not legal.
    #[error("the move {mv} at ply {ply} is not legal")]
    IllegalMove {
        /// Moves played before.
        ply: usize,
        /// The move.
        mv: String,
    },
    /// The players may use more memory than there is.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The opening cannot be played.
    #[error(transparent)]
    Opening(#[from] OpeningProblem),
    /// The game was cancelled.
    #[error("the game was cancelled")]
    Cancelled,
}

/// Plays a game to its end. `seats` are the first and the second side of the game, regardless of
/// who is to move; `opening` holds the moves played before theirs.
///
/// The seed of each move follows from the game's seed and the number of moves before it.
///
/// # Errors
///
/// If a searcher gives no legal move, or the game is cancelled. Nothing is kept of the game then.
pub fn play_game(
    opening: Playthrough<Board>,
    mut seats: [&mut dyn Seat; 2],
    terms: Terms<'_>,
) -> Result<GameRecord, GameError> {
    let Terms { budgets, seed, max_plies, cancel, record } = terms;
    let mut game = opening;
    let opening_plies = game.moves().len();
    let mut sides = [SideRow::default(), SideRow::default()];
    let mut digest = 0;
    let mut fault = None;
    let mut thoughts = Vec::new();
    for (side, seat) in [Side::First, Side::Second].into_iter().zip(&mut seats) {
        if let Err(reason) = seat.new_game() {
            fault.get_or_insert((side, reason));
        }
    }
    let (outcome, end) = loop {
        digest = mix(digest ^ game.position().speed().key());
        if let Some((side, fault)) = fault.take() {
            break (Outcome::Win(side.other()), GameEnd::Fault(side, fault));
        }
        if let Some(Ending { outcome, reason }) = game.ending() {
            break (outcome, GameEnd::Rules(reason));
        }
        let ply = game.moves().len();
        if max_plies.is_some_and(|limit| ply >= limit as usize) {
            break (Outcome::Draw, GameEnd::Rules(Reason::TooLong));
        }
        let side = game.position().to_move();
        let budget = budgets[side.index()];
        let request = MoveRequest { budget, seed: derive_seed(seed, ply as u64), cancel, record };
        let Answer { mv, work, thought } = match seats[side.index()].next_move(&game, request) {
            Ok(answer) => answer,
            Err(NoAnswer::Cancelled) => return Err(GameError::Cancelled),
            Err(NoAnswer::NoMove) => return Err(GameError::NoMove { ply }),
            Err(NoAnswer::Fault(reason)) => {
                fault = Some((side, reason));
                continue;
            }
        };
        if !game.legal_moves().contains(&mv) {
            return Err(GameError::IllegalMove { ply, mv: format!("{mv:?}") });
        }
        sides[side.index()].add(&work);
        if record {
            thoughts.push(thought.unwrap_or_else(|| Thought::of_work(ply, &work)));
        }
        game.play(mv);
    };
    let margin = game.position().exactness().margin();
    let moves = game.moves().to_vec();
    Ok(GameRecord { moves, opening_plies, outcome, end, margin, sides, digest, thoughts })
}

/// The two games of a pair: one opening, sides swapped.
#[derive(Clone, Copy, Debug)]
pub struct PairGames<'a> {
    /// Where games and players come from.
    pub registry: &'a Registry,
    /// The game.
    pub start: &'a Start,
    /// The player who has the first side in game 0, and the other one.
    pub players: [&'a Player; 2],
    /// How both games begin.
    pub opening: &'a Opening,
    /// Where all random choices but those of the opening come from.
    pub seed: u64,
    /// A game is drawn after this many plies in all.
    pub max_plies: Option<u32>,
    /// Whether to keep what the players thought.
    pub record: bool,
}

impl PairGames<'_> {
    /// Plays game 0 or 1.
    ///
    /// # Errors
    ///
    /// If a player cannot play the game, needs too much memory or finds no legal move, the opening
    /// cannot be played, or `cancel` is set.
    pub fn play(&self, number: u8, cancel: Option<&AtomicBool>) -> Result<GameRecord, GameError> {
        check_memory_of_games([self.players], 1)?;
        let opening = self.opening.play(&self.start.playthrough())?;
        let [a, b] = self.players;
        let sides = match side_of_a(number.into()) {
            Side::First => [a, b],
            Side::Second => [b, a],
        };
        // New searchers for every game: what one has learnt must not depend on who played before.
        let mut first = seat(self.registry, self.start, sides[0])?;
        let mut second = seat(self.registry, self.start, sides[1])?;
        let budgets = sides.map(|player| player.budget_or(DEFAULT_BUDGET));
        let seed = self.game_seed(number);
        let Self { max_plies, record, .. } = *self;
        let terms = Terms { budgets, seed, max_plies, cancel, record };
        let mut record = play_game(opening, [&mut *first, &mut *second], terms)?;
        for (row, player) in record.sides.iter_mut().zip(sides) {
            row.player = player.with_budget_or(DEFAULT_BUDGET).to_string();
        }
        Ok(record)
    }

    /// The seed of game 0 or 1.
    #[must_use]
    pub fn game_seed(&self, number: u8) -> u64 {
        derive_seed(self.seed, number.into())
    }
}

/// The side that the first of two players has in a numbered game.
pub(crate) fn side_of_a(number: u64) -> Side {
    if number.is_multiple_of(2) { Side::First } else { Side::Second }
}
