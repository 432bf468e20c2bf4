//! What is searched: a position, with the registry and the start that its search needs.

use std::sync::Arc;

use pyo3::prelude::*;
use treegraft::Outcome;
use treegraft_players::{Board, Player, Registry, Start};

use crate::attend::{Place, Trouble, safely};
use crate::game::Game;
use crate::own::OwnPosition;
use crate::position::Position;
use crate::registry::{Registered, value_error};

/// A position to be searched.
pub(crate) struct Subject {
    pub(crate) registry: Registry,
    pub(crate) start: Start,
    pub(crate) board: Board,
    /// How the game ended, if it has.
    pub(crate) over: Option<Outcome>,
    pub(crate) text: Option<String>,
    pub(crate) trouble: Trouble,
    registered: Registered,
}

impl Subject {
    /// What an argument stands for: a position, a game or its text, or an object of a user's game.
    pub(crate) fn of(argument: &Bound<'_, PyAny>, trouble: &Trouble) -> PyResult<Subject> {
        if let Ok(position) = argument.cast::<Position>() {
            return Subject::of_position(position.get(), trouble);
        }
        let game = Game::of(argument, &Registered::now())?;
        Subject::of_position(&game.begin(argument.py())?, trouble)
    }

    pub(crate) fn of_position(position: &Position, trouble: &Trouble) -> PyResult<Subject> {
        let mut registered = Registered::now();
        if let Some(own) = &position.own {
            registered.include(Arc::clone(own));
        }
        let registry = registered.registry(trouble, &[&position.game])?;
        let start = safely(trouble, || registry.start(&position.game))?.map_err(value_error)?;
        // Exceptions of the position's own code end this search, not another one.
        let board = match position.board().downcast::<OwnPosition>() {
            Some(own) => Python::attach(|py| OwnPosition::new(own.object().bind(py), trouble))
                .map(Board::new)?,
            None => position.board().clone(),
        };
        let (over, text) = safely(&position.trouble(), || {
            (position.node.ending().map(|ending| ending.outcome), position.node.text())
        })?;
        Ok(Subject { registry, start, board, over, text, trouble: trouble.clone(), registered })
    }

    /// Where a player should search: Python code belongs to the calling thread.
    pub(crate) fn place(&self, player: &Player) -> Place {
        match self.registered.is_asked(player, &self.board) {
            true => Place::Here,
            false => Place::Thread,
        }
    }

    /// The player that a text stands for.
    pub(crate) fn player(&self, text: &str) -> PyResult<Player> {
        self.registry.player(text).map_err(value_error)
    }
}
