//! Starting positions, to be compared.

use treegraft::Game;
use treegraft_games::{AnyGame, GAMES, Visitor};

/// Writes a position out, with the name of its type.
struct Shown;

impl Visitor for Shown {
    type Output = String;

    fn visit<G: Game>(self, start: G) -> String {
        format!("{} {start:?}", std::any::type_name::<G>())
    }
}

/// The type and the value of the start that a text names.
pub(crate) fn shown(text: &str) -> String {
    AnyGame::parse(text).unwrap_or_else(|error| panic!("{error}")).visit(Shown)
}

#[test]
fn every_game_is_listed_once_under_its_own_name() {
    for (i, info) in GAMES.iter().enumerate() {
        assert_eq!(AnyGame::parse(info.name).expect(info.name).canonical(), info.name);
        assert!(GAMES[..i].iter().all(|other| other.name != info.name), "{}", info.name);
    }
}
