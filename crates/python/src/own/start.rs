//! How to get to the start of a user's game.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyType;
use treegraft::GameInfo;
use treegraft_players::{Board, GameEntry};

use super::{OwnPosition, check_methods, lasting};
use crate::attend::Trouble;

/// A game of a user: how to get to its start.
pub(crate) struct OwnGame {
    /// The name under which it is found.
    pub(crate) name: &'static str,
    /// What it is, in a line.
    pub(crate) about: &'static str,
    /// The start itself, or what makes it when it is called.
    pub(crate) start: Py<PyAny>,
}

impl OwnGame {
    /// A game that begins with this object. A class, or anything else that can be called and is no
    /// position, makes the start.
    pub(crate) fn new(name: &str, about: &str, start: &Bound<'_, PyAny>) -> PyResult<OwnGame> {
        if !is_maker(start) {
            check_methods(start)?;
        }
        Ok(OwnGame { name: lasting(name), about: lasting(about), start: start.clone().unbind() })
    }

    /// The object that the game begins with.
    pub(crate) fn begin<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let start = self.start.bind(py);
        if !is_maker(start) {
            return Ok(start.clone());
        }
        let start = start.call0()?;
        check_methods(&start)?;
        Ok(start)
    }

    /// An entry of a registry. Exceptions in its positions are `trouble`.
    pub(crate) fn entry(self: &Arc<Self>, trouble: &Trouble) -> GameEntry {
        let (game, trouble) = (Arc::clone(self), trouble.clone());
        let info = GameInfo::new(game.name, game.about);
        GameEntry::with(info, move |text| {
            treegraft::Params::new(text, info.syntax)?.finish()?;
            let start = Python::attach(|py| {
                let wrapped = game.begin(py).and_then(|start| OwnPosition::new(&start, &trouble));
                wrapped.unwrap_or_else(|error| trouble.raise(py, error))
            });
            Ok((game.name.to_owned(), Board::new(start)))
        })
    }
}

fn is_maker(start: &Bound<'_, PyAny>) -> bool {
    start.is_instance_of::<PyType>() || (start.is_callable() && check_methods(start).is_err())
}
