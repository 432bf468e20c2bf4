//! How the pairs of an experiment begin.

use std::collections::HashSet;
use std::sync::Arc;

use treegraft::{Game, Playthrough};
use treegraft_games::{AnyGame, Visitor};

use crate::arena::derive;
use crate::experiment::{ExperimentError, Source};
use crate::{GameError, Opening};

/// How the pairs of an experiment begin, in one game. Pair number *i* begins the same way whoever
/// plays it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Openings {
    /// At the start of the game.
    None,
    /// With so many uniformly random moves, others in each pair.
    Random {
        /// How many.
        plies: u32,
    },
    /// With these lists of moves in turn: pair *i* has number *i* modulo their number.
    List(Arc<Vec<String>>),
    /// On a board of Kalah with randomly placed stones, another one in each pair.
    KalahBoards,
}

impl Openings {
    /// The text of the game and the opening of a pair.
    pub(crate) fn of_pair(&self, game: &str, seed: u64, number: u64) -> (String, Opening) {
        /// The number under which an experiment's openings have their seed.
        const OPENINGS: u64 = 0x6f70_656e;
        let seed = derive(derive(seed, OPENINGS), number);
        let opening = match self {
            Openings::None => Opening::None,
            Openings::Random { plies } => Opening::Random { plies: *plies, seed },
            Openings::List(list) => {
                let at = number % (list.len() as u64).max(1);
                Opening::Moves(list[at as usize].clone())
            }
            Openings::KalahBoards => {
                let separator = if game.contains(':') { ',' } else { ':' };
                return (format!("{game}{separator}random-start={seed}"), Opening::None);
            }
        };
        (game.to_owned(), opening)
    }
}

/// The openings that a text lists, one a line, for a game: checked, in the usual notation, and the
/// number of moves of the longest.
///
/// `#` begins a comment; lines without moves do not count.
pub(crate) fn read_list(
    source: &Source<'_>,
    game: &AnyGame,
) -> Result<(Vec<String>, usize), ExperimentError> {
    let mut list = Vec::new();
    let (mut longest, mut at) = (0, 0);
    for line in source.text.split_inclusive('\n') {
        let moves = line.split('#').next().unwrap_or_default();
        let start = at + (moves.len() - moves.trim_start().len());
        let span = start..start + moves.trim().len();
        at += line.len();
        if moves.trim().is_empty() {
            continue;
        }
        let (text, plies) = game
            .clone()
            .visit(ReadMoves(moves.trim()))
            .map_err(|problem| source.error(span, format!("{}: {problem}", game.canonical())))?;
        longest = longest.max(plies);
        list.push(text);
    }
    if list.is_empty() {
        return Err(source.whole("there are no openings; expected lines of moves"));
    }
    Ok((list, longest))
}

struct ReadMoves<'a>(&'a str);

impl Visitor for ReadMoves<'_> {
    type Output = Result<(String, usize), GameError>;

    fn visit<G: Game + Send + Sync + 'static>(self, start: G) -> Self::Output
    where
        G::Move: Send + Sync,
    {
        let game = Opening::Moves(self.0.to_owned()).play(&Playthrough::new(start))?;
        Ok((game.move_texts().join(" "), game.moves().len()))
    }
}

/// `count` openings of `plies` random moves that lead to different positions in which the game goes
/// on; the same for the same seed.
pub(crate) fn generate(
    game: &AnyGame,
    count: u32,
    plies: u32,
    seed: u64,
) -> Result<Vec<String>, String> {
    game.clone().visit(Generate { count: count as usize, plies, seed })
}

struct Generate {
    count: usize,
    plies: u32,
    seed: u64,
}

impl Visitor for Generate {
    type Output = Result<Vec<String>, String>;

    fn visit<G: Game + Send + Sync + 'static>(self, start: G) -> Self::Output
    where
        G::Move: Send + Sync,
    {
        /// Most draws are repetitions where there are hardly more positions than are wanted.
        const TRIES: u64 = 50;
        let Generate { count, plies, seed } = self;
        let start = Playthrough::new(start);
        let (mut seen, mut list) = (HashSet::new(), Vec::new());
        for attempt in 0..TRIES * count as u64 + 1000 {
            let opening = Opening::Random { plies, seed: derive(seed, attempt) };
            let game = opening.play(&start).map_err(|error| error.to_string())?;
            if seen.insert(game.position().clone()) {
                list.push(game.move_texts().join(" "));
            }
            if list.len() == count {
                return Ok(list);
            }
        }
        Err(format!(
            "only {} different positions after {plies} random moves were found; expected {count}",
            list.len()
        ))
    }
}
