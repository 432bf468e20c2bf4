//! The games of `treegraft-games`, registered as users' games are.

use treegraft::{Game, GameInfo};
use treegraft_games::{AnyGame, GAMES, Visitor};

use crate::board::Board;
use crate::entry::GameEntry;
use crate::player::Best;

/// An entry for every game.
pub(crate) fn entries() -> Vec<GameEntry> {
    let entry = |&info: &GameInfo| {
        GameEntry::with(info, |text| {
            let game = AnyGame::parse(text)?;
            Ok((game.canonical().to_owned(), game.visit(ToBoard)))
        })
        .with_best(Best::of_game(info.name))
    };
    GAMES.iter().map(entry).collect()
}

/// From the type of a position to a board: all searches are compiled for all games here.
struct ToBoard;

impl Visitor for ToBoard {
    type Output = Board;

    fn visit<G: Game<Move: Send + Sync> + Send + Sync + 'static>(self, start: G) -> Board {
        Board::new(start)
    }
}
