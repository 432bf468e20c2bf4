//! How the pairs of an experiment begin.

use std::collections::HashSet;
use std::sync::Arc;

use treegraft::derive_seed;
use treegraft_players::Start;

use crate::opening::Opening;
use crate::source::{ExperimentError, Source};

/// How the pairs of an experiment begin, in one game. Pair number *i* begins the same way for all
/// players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Openings {
    /// At the start of the game.
    None,
    /// With this many uniformly random moves, different in each pair.
    Random {
        /// How many.
        plies: u32,
    },
    /// With these lists of moves in turn: pair *i* has number *i* modulo their number.
    List(Arc<Vec<String>>),
    /// At a random start of the game, another one in each pair.
    RandomStarts {
        /// The parameter of the game that takes the seed of a random start.
        parameter: &'static str,
    },
}

impl Openings {
    /// The text of the game and the opening of a pair.
    pub(crate) fn of_pair(&self, game: &str, seed: u64, number: u64) -> (String, Opening) {
        /// The number under which an experiment's openings have their seed.
        const OPENINGS: u64 = 0x6f70_656e;
        let seed = derive_seed(derive_seed(seed, OPENINGS), number);
        let opening = match self {
            Openings::None => Opening::None,
            Openings::Random { plies } => Opening::Random { plies: *plies, seed },
            Openings::List(list) => {
                let at = number % (list.len() as u64).max(1);
                Opening::Moves(list[at as usize].clone())
            }
            Openings::RandomStarts { parameter } => {
                let separator = if game.contains(':') { ',' } else { ':' };
                return (format!("{game}{separator}{parameter}={seed}"), Opening::None);
            }
        };
        (game.to_owned(), opening)
    }
}

/// The openings that a text lists for a game, one per line: checked, in canonical notation, with
/// the number of moves of the longest.
///
/// `#` begins a comment; lines without moves do not count.
pub(crate) fn read_list(
    source: &Source<'_>,
    start: &Start,
) -> Result<(Vec<String>, usize), ExperimentError> {
    let mut list = Vec::new();
    let (mut longest, mut at) = (0, 0);
    for line in source.text.split_inclusive('\n') {
        let moves = line.split('#').next().unwrap_or_default();
        let first = at + (moves.len() - moves.trim_start().len());
        let span = first..first + moves.trim().len();
        at += line.len();
        if moves.trim().is_empty() {
            continue;
        }
        let opening = Opening::Moves(moves.trim().to_owned());
        let game = opening
            .play(&start.playthrough())
            .map_err(|problem| source.error(span, format!("{}: {problem}", start.text())))?;
        longest = longest.max(game.moves().len());
        list.push(game.move_texts().join(" "));
    }
    if list.is_empty() {
        return Err(source.whole("there are no openings; expected lines of moves"));
    }
    Ok((list, longest))
}

/// `count` openings of `plies` random moves that lead to different positions in which the game is
/// not over. The same seed gives the same openings.
pub(crate) fn generate(
    start: &Start,
    count: u32,
    plies: u32,
    seed: u64,
) -> Result<Vec<String>, String> {
    /// Most draws are repetitions where there are hardly more positions than are wanted.
    const TRIES: u64 = 50;
    let begin = start.playthrough();
    let (mut seen, mut list) = (HashSet::new(), Vec::new());
    for attempt in 0..TRIES * u64::from(count) + 1000 {
        let opening = Opening::Random { plies, seed: derive_seed(seed, attempt) };
        let game = opening.play(&begin).map_err(|error| error.to_string())?;
        if seen.insert(game.position().clone()) {
            list.push(game.move_texts().join(" "));
        }
        if list.len() == count as usize {
            return Ok(list);
        }
    }
    Err(format!(
        "only {} different positions after {plies} random moves were found; expected {count}",
        list.len()
    ))
}
