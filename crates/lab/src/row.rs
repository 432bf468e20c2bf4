//! A played game as a row of facts: what a store keeps and every table is made from.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use treegraft::Work;

use crate::as_text;

/// The name of a pair of games: a hash of everything that determines it, 32 hexadecimal digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PairId(pub u128);

impl fmt::Display for PairId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl FromStr for PairId {
    type Err = String;

    fn from_str(text: &str) -> Result<PairId, String> {
        let digits = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let id = digits.then(|| u128::from_str_radix(text, 16).ok()).flatten();
        id.map(PairId)
            .ok_or_else(|| format!("{text:?} is not a pair; expected 32 hexadecimal digits"))
    }
}

as_text!(PairId);

/// One game, with nothing in it that could not be read from the game itself and a clock.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GameRow {
    /// The pair that it belongs to.
    pub pair: PairId,
    /// 0, or 1 for the game with the sides swapped.
    pub number: u8,
    /// The canonical text of the game.
    pub game: String,
    /// Who had the first side and who the second, with what each did.
    pub sides: [SideRow; 2],
    /// All moves in the game's notation, separated by blanks, those of the opening included. Empty
    /// if only the digest is known.
    pub moves: String,
    /// Number of moves.
    pub plies: u32,
    /// How many moves belong to the opening.
    pub opening_plies: u32,
    /// 1 if the first side won, 0 for a draw, -1 if the second side won.
    pub outcome: i8,
    /// What ended the game: `rules`, `repetition`, `too-long`, or the name of a fault.
    pub end: String,
    /// What the fault was, in words; empty without one.
    pub fault: String,
    /// The final margin in the first side's view, where the game keeps count.
    pub margin: Option<i64>,
    /// The seed of the game.
    pub seed: u64,
    /// A number that is equal for equal games: over all positions.
    pub digest: u64,
    /// When it began, in milliseconds since 1970.
    pub started_ms: u64,
    /// How long it took, in seconds; NaN if only the digest is known.
    pub seconds: f64,
}

impl GameRow {
    /// Whether only its result, its counts and its digest are known: a ledger has neither moves nor
    /// times of games that follow from their seeds.
    #[must_use]
    pub fn is_digest_only(&self) -> bool {
        self.seconds.is_nan()
    }

    /// The result for the player who is first in the first game of the pair: 1 won, 0 drawn, -1
    /// lost.
    #[must_use]
    pub fn value_for_a(&self) -> i64 {
        self.result().value_for_a()
    }
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// Its pair.
    pub pair: PairId,
    /// Its number in the pair, 0 or 1.
    pub number: u8,
    /// 1 if the first side won, -1 if the second side won, 0 for a draw.
    pub outcome: i8,
    /// The digest of its moves.
    pub digest: u64,
}

impl GameResult {
    /// The result for the player who is first in the first game of the pair: 1 won, 0 drawn, -1
    /// lost.
    #[must_use]
    pub fn value_for_a(&self) -> i64 {
        // That player has the second side in the second game.
        i64::from(if self.number == 0 { self.outcome } else { -self.outcome })
    }
}

/// A game that is over: as much as a standing needs of it.
pub trait Played {
    /// Its result.
    fn result(&self) -> GameResult;
}

impl Played for GameRow {
    fn result(&self) -> GameResult {
        let GameRow { pair, number, outcome, digest, .. } = *self;
        GameResult { pair, number, outcome, digest }
    }
}

impl Played for GameResult {
    fn result(&self) -> GameResult {
        *self
    }
}

/// One side of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SideRow {
    /// The canonical text of the player, with the budget it had.
    pub player: String,
    /// Moves that it chose.
    pub moves: u64,
    /// Simulations, or completed depths, of all its moves.
    pub iterations: u64,
    /// Positions visited, or added to the tree.
    pub nodes: u64,
    /// Evaluations and playouts.
    pub evaluations: u64,
    /// Moves in playouts.
    pub playout_plies: u64,
    /// Playouts that were cut off by their limit.
    pub capped_playouts: u64,
    /// Moves played outside playouts.
    pub transitions: u64,
    /// Bytes of tree or table of the greediest move.
    pub memory: u64,
    /// Seconds on all its moves.
    pub seconds: f64,
    /// Seconds on the slowest of them.
    pub slowest: f64,
}

impl SideRow {
    /// Counts a move.
    pub fn add(&mut self, work: &Work) {
        let seconds = work.time.as_secs_f64();
        self.add_game(&SideRow {
            player: String::new(),
            moves: 1,
            iterations: work.iterations,
            nodes: work.nodes,
            evaluations: work.evaluations,
            playout_plies: work.playout_plies,
            capped_playouts: work.capped_playouts,
            transitions: work.transitions,
            memory: work.memory,
            seconds,
            slowest: seconds,
        });
    }

    /// Counts the moves of another game. What a file says may be any number: sums stop at the largest
    /// one.
    pub fn add_game(&mut self, other: &SideRow) {
        let add = |sum: &mut u64, count: u64| *sum = sum.saturating_add(count);
        add(&mut self.moves, other.moves);
        add(&mut self.iterations, other.iterations);
        add(&mut self.nodes, other.nodes);
        add(&mut self.evaluations, other.evaluations);
        add(&mut self.playout_plies, other.playout_plies);
        add(&mut self.capped_playouts, other.capped_playouts);
        add(&mut self.transitions, other.transitions);
        self.memory = self.memory.max(other.memory);
        self.seconds += other.seconds;
        self.slowest = self.slowest.max(other.slowest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_any_size_are_summed() {
        let most = SideRow { moves: 3, nodes: u64::MAX, seconds: 1.5, ..SideRow::default() };
        let mut sum = SideRow::default();
        (0..3).for_each(|_| sum.add_game(&most));
        assert_eq!((sum.moves, sum.nodes, sum.seconds), (9, u64::MAX, 4.5));
        sum.add(&Work { nodes: 1, iterations: 7, ..Work::default() });
        assert_eq!((sum.moves, sum.nodes, sum.iterations), (10, u64::MAX, 7));
    }
}
