//! A starting position with the text that names it.

use treegraft::{GameInfo, Playthrough};

use crate::board::Board;
use crate::entry::GameEntry;
use crate::player::Best;

/// The start of a registered game, with its parameters.
#[derive(Clone, Debug)]
pub struct Start {
    info: GameInfo,
    best: Best,
    text: String,
    board: Board,
}

impl Start {
    pub(crate) fn new(game: &GameEntry, text: String, board: Board) -> Start {
        Start { info: game.info, best: game.best, text, board }
    }

    /// What there is to know about the game.
    #[must_use]
    pub fn info(&self) -> &GameInfo {
        &self.info
    }

    /// What `best` stands for in this game.
    #[must_use]
    pub fn best(&self) -> &Best {
        &self.best
    }

    /// The canonical text, which [`Registry::start`](crate::Registry::start) reads back.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The position.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// A game that begins here.
    #[must_use]
    pub fn playthrough(&self) -> Playthrough<Board> {
        Playthrough::new(self.board.clone())
    }

    /// Whether the position was drawn at random, so that its text means something to this program
    /// only.
    #[must_use]
    pub fn is_random(&self) -> bool {
        self.rules() != self.text
    }

    /// The canonical text without the seed of a random start: the rules.
    #[must_use]
    pub fn rules(&self) -> String {
        let Some(seed) = self.info.random_start else { return self.text.clone() };
        let Some((name, params)) = self.text.split_once(':') else { return self.text.clone() };
        let is_seed = |item: &&str| item.split('=').next() == Some(seed);
        let kept: Vec<&str> = params.split(',').filter(|item| !is_seed(item)).collect();
        match kept.as_slice() {
            [] => name.to_owned(),
            kept => format!("{name}:{}", kept.join(",")),
        }
    }
}
