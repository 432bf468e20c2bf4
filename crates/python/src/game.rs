//! Games: what positions begin with.

use std::sync::Arc;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;
use treegraft::{Game as _, Notation};
use treegraft_players::Board;

use crate::attend::{Trouble, safely};
use crate::own::{OwnGame, OwnPosition};
use crate::position::Position;
use crate::registry::{Registered, value_error};

/// A game with its parameters.
///
/// >>> import treegraft as tg
/// >>> game = tg.game("breakthrough:6x6")
/// >>> game.name, game.text
/// ('breakthrough', 'breakthrough:6x6')
/// >>> game.start().to_move()
/// 0
#[pyclass(frozen, module = "treegraft")]
pub(crate) struct Game {
    text: Arc<str>,
    /// The rules in a line.
    #[pyo3(get)]
    rules: String,
    own: Option<Arc<OwnGame>>,
}

impl Game {
    /// The game that an argument stands for: a text, a game, or a user's own.
    pub(crate) fn of(game: &Bound<'_, PyAny>, registered: &Registered) -> PyResult<Game> {
        if let Ok(game) = game.cast::<Game>() {
            let Game { text, rules, own } = game.get();
            return Ok(Game { text: Arc::clone(text), rules: rules.clone(), own: own.clone() });
        }
        if let Ok(text) = game.cast::<PyString>() {
            return Game::named(text.to_str()?, registered);
        }
        let own = OwnGame::new(&class_name(game)?, "a Python class", game)?;
        Ok(Game::of_own(Arc::new(own)))
    }

    fn of_own(own: Arc<OwnGame>) -> Game {
        Game { text: Arc::from(own.name), rules: own.about.to_owned(), own: Some(own) }
    }

    fn named(text: &str, registered: &Registered) -> PyResult<Game> {
        if let Some(own) = registered.game(text) {
            return Ok(Game::of_own(own));
        }
        let trouble = Trouble::new();
        let registry = registered.registry(&trouble, &[])?;
        let start = safely(&trouble, || registry.start(text))?.map_err(value_error)?;
        let rules = start.info().rules.to_owned();
        Ok(Game { text: Arc::from(start.text()), rules, own: None })
    }

    /// The starting position.
    pub(crate) fn begin(&self, py: Python<'_>) -> PyResult<Position> {
        let trouble = Trouble::new();
        if let Some(own) = &self.own {
            let start = own.begin(py)?;
            let board = Board::new(OwnPosition::new(&start, &trouble)?);
            return Ok(Position::of_own(Arc::clone(own), board));
        }
        let registry = treegraft_players::Registry::standard();
        let start = registry.start(&self.text).map_err(value_error)?;
        Ok(Position::lone(Arc::clone(&self.text), start.board().clone()))
    }

    /// The position that a text stands for.
    pub(crate) fn at(&self, py: Python<'_>, text: &str) -> PyResult<Position> {
        let start = self.begin(py)?;
        if start.own.is_some() || start.board().notation().position_is_moves().is_some() {
            return start.play_line(text);
        }
        match start.board().notation().parse_position(text) {
            Ok(board) => Ok(Position::lone(Arc::clone(&self.text), board)),
            // Where positions have a notation of their own, moves will do too.
            Err(error) => start.play_line(text).map_err(|_| value_error(error)),
        }
    }
}

/// A name for the game of an object, by its class.
fn class_name(game: &Bound<'_, PyAny>) -> PyResult<String> {
    let of = match game.cast::<pyo3::types::PyType>() {
        Ok(class) => class.name()?.to_string(),
        Err(_) => {
            match game.getattr_opt("__name__")?.and_then(|name| name.extract::<String>().ok()) {
                Some(name) => name,
                None => game.get_type().name()?.to_string(),
            }
        }
    };
    let is_fine = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let name: String = of.chars().filter(|&c| is_fine(c)).take(30).collect();
    // Built-in games have no capitals, but classes may have none either.
    let is_taken = treegraft_games::GAMES.iter().any(|info| info.name == name);
    Ok(if name.is_empty() || is_taken { format!("{name}-python") } else { name })
}

#[pymethods]
impl Game {
    /// The text that names the game with its parameters.
    #[getter]
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The name without the parameters.
    #[getter]
    fn name(&self) -> &str {
        self.text.split(':').next().unwrap_or_default()
    }

    /// The names of the evaluations that searches can use, the usual one first.
    ///
    /// >>> import treegraft as tg
    /// >>> "auto" in tg.game("othello").evaluations
    /// False
    #[getter]
    fn evaluations(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let subject = crate::subject::Subject::of_position(&self.begin(py)?, &Trouble::new())?;
        safely(&subject.trouble, || {
            let all = subject.registry.evaluators(&subject.start);
            all.iter().map(|evaluator| evaluator.name.to_string()).collect()
        })
    }

    /// The starting position.
    fn start(&self, py: Python<'_>) -> PyResult<Position> {
        self.begin(py)
    }

    /// The position that a text stands for: the game's notation for positions, or the moves that lead
    /// to it.
    ///
    /// >>> import treegraft as tg
    /// >>> tg.game("connect4").position("4453").to_move()
    /// 0
    /// >>> tg.game("breakthrough:6x6").position("a2a3 b5b4").history
    /// ['a2a3', 'b5b4']
    /// >>> tg.game("connect4").position("9")
    /// Traceback (most recent call last):
    /// ...
    /// ValueError: move "9": it is move 1: not a column; expected one of 1, 2, 3, 4, 5, 6, 7
    fn position(&self, py: Python<'_>, text: &str) -> PyResult<Position> {
        self.at(py, text)
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<Game {}>", self.text)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Game>().is_ok_and(|other| other.get().text == self.text)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyString::new(py, &self.text).hash()
    }
}

/// The game that a text such as 'connect4' or 'breakthrough:6x6' names, or a game of your own: a class
/// with the methods to_move, legal_moves, play and outcome.
///
/// >>> import treegraft as tg
/// >>> tg.game("breakthrough:6x6").start().legal_moves()[:3]
/// ['b2a3', 'c2b3', 'd2c3']
/// >>> tg.game("conect4")
/// Traceback (most recent call last):
/// ...
/// ValueError: game "conect4": there is no such game; expected one of connect4, breakthrough, ...
#[pyfunction]
pub(crate) fn game(text: &Bound<'_, PyAny>) -> PyResult<Game> {
    Game::of(text, &Registered::now())
}

/// Registers a game of your own under a name, so that matches and experiment files can use it.
///
/// start is a class or function that makes the starting position when it is called, or the starting
/// position. A game that you have registered under the same name before is replaced.
#[pyfunction]
#[pyo3(signature = (name, start, about = ""))]
pub(crate) fn register_game(name: &str, start: &Bound<'_, PyAny>, about: &str) -> PyResult<()> {
    if start.is_none() || start.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err("start must be a class, a function or a position"));
    }
    if treegraft_games::GAMES.iter().any(|info| info.name == name) {
        let problem = format!("game {name:?}: the name is taken; expected another one");
        return Err(PyValueError::new_err(problem));
    }
    let about = if about.is_empty() { "a Python class" } else { about };
    crate::registry::add_game(OwnGame::new(name, about, start)?)
}

/// Forgets games and evaluations that were registered under a name; whether there were any.
#[pyfunction]
pub(crate) fn unregister(name: &str) -> PyResult<bool> {
    crate::registry::remove(name)
}

/// Registers an evaluation for a built-in game: treegraft.evaluation does it nicely.
#[pyfunction]
pub(crate) fn register_evaluation(
    name: &str,
    game: &str,
    function: &Bound<'_, PyAny>,
    batch: bool,
    slope: f64,
) -> PyResult<()> {
    let evaluation = crate::evaluation::OwnEvaluation::new(name, game, function, batch, slope)?;
    crate::registry::add_evaluation(evaluation)
}
