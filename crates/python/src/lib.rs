//! Treegraft for Python: the module `treegraft._treegraft`, which the package in
//! `crates/python/python` dresses up.
//!
//! Searches of built-in games run on a thread of their own without the GIL, while the calling
//! thread looks for signals and makes callbacks (`attend`). A user's game is a Python object behind
//! [`treegraft::Game`] (`own`); what its code raises ends the search and comes out as itself.

mod arena;
mod array;
mod attend;
mod cluster;
mod evaluation;
mod game;
mod json;
mod own;
mod position;
mod registry;
mod reproduce;
mod search;
mod subject;
mod threads;

/// The part of Treegraft that is written in Rust.
#[pyo3::pymodule]
mod _treegraft {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::arena::{games, play_match, players, report, run};
    #[pymodule_export]
    use crate::cluster::{_Driver, _play_pairs, _session};
    #[pymodule_export]
    use crate::game::{Game, game, register_evaluation, register_game, unregister};
    #[pymodule_export]
    use crate::position::{_restore, Position};
    #[pymodule_export]
    use crate::reproduce::{_Paper, _papers};
    #[pymodule_export]
    use crate::search::{Tree, analyze, check, player_text, solve, trace};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::attend::silence_panics();
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
