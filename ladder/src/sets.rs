//! The solved positions that the program carries.

use treegraft_players::Registry;
use treegraft_studies::accuracy::SolvedSet;

/// Names and texts of the files.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/sets.rs"));

/// The games that have a set, in the order of their names.
pub fn set_games() -> impl Iterator<Item = &'static str> {
    let game = |text: &'static str| text.lines().find_map(|line| line.strip_prefix("game "));
    FILES.iter().filter_map(move |(_, text)| game(text))
}

/// The set of a game, by its canonical text; `None` if there is none. A test reads them all.
#[must_use]
pub fn solved_set(registry: &Registry, game: &str) -> Option<SolvedSet> {
    let at = set_games().position(|known| known == game)?;
    SolvedSet::parse(FILES[at].1, registry).ok().map(|(_, set)| set)
}
