//! A game that can be named in a text.

use treegraft::{Game, GameInfo, GameTextError, Params};

use crate::board::Board;
use crate::player::Best;

/// A game that can be named in a text.
pub struct GameEntry {
    pub(crate) info: GameInfo,
    pub(crate) best: Best,
    pub(crate) start: Box<StartFrom>,
}

/// From a text to the canonical text and the starting position.
pub(crate) type StartFrom = dyn Fn(&str) -> Result<(String, Board), GameTextError> + Send + Sync;

impl GameEntry {
    /// A game without parameters, which begins at `start`.
    pub fn new<G>(info: GameInfo, start: G) -> GameEntry
    where
        G: Game<Move: Send + Sync> + Send + Sync + 'static,
    {
        GameEntry::with(info, move |text| {
            Params::new(text, info.syntax)?.finish()?;
            Ok((info.name.to_owned(), Board::new(start.clone())))
        })
    }

    /// A game with parameters. `start` is passed the whole text, and returns the canonical text,
    /// which it must read as the same start, and the start; [`treegraft::Params`] helps with
    /// reading and [`treegraft::Canonical`] with writing.
    pub fn with(
        info: GameInfo,
        start: impl Fn(&str) -> Result<(String, Board), GameTextError> + Send + Sync + 'static,
    ) -> GameEntry {
        GameEntry { info, best: Best::USUAL, start: Box::new(start) }
    }

    /// The same with the player that `best` stands for; without it, that is MCTS-Solver.
    #[must_use]
    pub fn with_best(self, best: Best) -> GameEntry {
        GameEntry { best, ..self }
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
}
