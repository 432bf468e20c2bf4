//! Everything that can be named: built-in games and searches, and what users have registered.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use treegraft::{Game, Knowledge};
use treegraft_players::{Board, Player, Registry, Search};

use crate::attend::Trouble;
use crate::evaluation::OwnEvaluation;
use crate::own::{OwnGame, OwnPosition};

/// What users have registered, in order.
#[derive(Clone)]
pub(crate) struct Registered {
    games: Vec<Arc<OwnGame>>,
    evaluations: Vec<Arc<OwnEvaluation>>,
}

static REGISTERED: Mutex<Registered> =
    Mutex::new(Registered { games: Vec::new(), evaluations: Vec::new() });

fn registered() -> MutexGuard<'static, Registered> {
    REGISTERED.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Registered {
    /// What there is now.
    pub(crate) fn now() -> Registered {
        registered().clone()
    }

    /// Whether there are evaluations.
    pub(crate) fn has_evaluations(&self) -> bool {
        !self.evaluations.is_empty()
    }

    /// The user's game with this name.
    pub(crate) fn game(&self, name: &str) -> Option<Arc<OwnGame>> {
        self.games.iter().find(|game| game.name == name).cloned()
    }

    /// Adds a game for this use only; it takes the place of one with the same name.
    pub(crate) fn include(&mut self, game: Arc<OwnGame>) {
        self.games.retain(|known| known.name != game.name);
        self.games.push(game);
    }

    /// A registry in which exceptions of the users' code are `trouble`. `texts` are the games that it
    /// is made for.
    pub(crate) fn registry(&self, trouble: &Trouble, texts: &[&str]) -> PyResult<Registry> {
        let mut registry = Registry::standard();
        for game in &self.games {
            registry.add_game(game.entry(trouble)).map_err(value_error)?;
        }
        for evaluation in &self.evaluations {
            evaluation.add_to(&mut registry, trouble, texts)?;
        }
        Ok(registry)
    }

    /// Whether a player may ask the user's code about positions of a game.
    pub(crate) fn is_asked(&self, player: &Player, board: &Board) -> bool {
        if board.downcast::<OwnPosition>().is_some() {
            return true;
        }
        if matches!(player.search, Search::Random | Search::Engine(_)) {
            return false;
        }
        let text = player.to_string();
        let has_none = board.knowledge().evaluators().is_empty();
        self.evaluations.iter().any(|evaluation| has_none || text.contains(evaluation.name()))
    }
}

/// Adds a game; one of the same name that a user has added before is replaced.
pub(crate) fn add_game(game: OwnGame) -> PyResult<()> {
    let mut next = Registered::now();
    next.include(Arc::new(game));
    replace(next)
}

/// Adds an evaluation; one of the same name and game that a user has added before is replaced.
pub(crate) fn add_evaluation(evaluation: OwnEvaluation) -> PyResult<()> {
    let mut next = Registered::now();
    next.evaluations.retain(|known| !known.has_name_and_game_of(&evaluation));
    next.evaluations.push(Arc::new(evaluation));
    replace(next)
}

/// Removes games and evaluations with this name; whether there were any.
pub(crate) fn remove(name: &str) -> PyResult<bool> {
    let before = Registered::now();
    let mut next = before.clone();
    next.games.retain(|game| game.name != name);
    next.evaluations.retain(|evaluation| evaluation.name() != name);
    let is_known = (next.games.len(), next.evaluations.len())
        != (before.games.len(), before.evaluations.len());
    replace(next)?;
    Ok(is_known)
}

/// Replaces what is registered, unless it makes no registry.
fn replace(next: Registered) -> PyResult<()> {
    next.registry(&Trouble::new(), &[])?;
    let before = std::mem::replace(&mut *registered(), next);
    // Not while the lock is held: objects that go may run Python code.
    drop(before);
    Ok(())
}

/// Bad input: an error with the program's message.
pub(crate) fn value_error(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}
