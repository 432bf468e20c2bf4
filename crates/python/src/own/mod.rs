//! Games of users: a Python object as a position of [`treegraft::Game`].

mod rules;
mod start;

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use treegraft::{Limits, Outcome, Side};

use crate::attend::Trouble;
pub(crate) use rules::{VALUE, points};
pub(crate) use start::OwnGame;

/// The four methods that make a game.
const METHODS: [&str; 4] = ["to_move", "legal_moves", "play", "outcome"];

/// Refuses what is no position.
fn check_methods(object: &Bound<'_, PyAny>) -> PyResult<()> {
    for name in METHODS {
        if !object.getattr(name).is_ok_and(|method| method.is_callable()) {
            let class = object.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "{class} is not a position: it has no method {name}; expected a treegraft.Position, \
                 or a class with the methods to_move, legal_moves, play and outcome"
            )));
        }
    }
    Ok(())
}

/// A text that lasts as long as the program: names of games and sides. Each is kept once.
pub(crate) fn lasting(text: &str) -> &'static str {
    static KEPT: Mutex<Option<HashMap<String, &'static str>>> = Mutex::new(None);
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let kept = kept.get_or_insert_default();
    if let Some(known) = kept.get(text) {
        return known;
    }
    let leaked: &'static str = Box::leak(text.to_owned().into_boxed_str());
    kept.insert(text.to_owned(), leaked);
    leaked
}

/// A move: its number among all moves that were met in the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct OwnMove(u32);

impl fmt::Debug for OwnMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "move {}", self.0)
    }
}

/// A position: a Python object, and what it has answered.
#[derive(Clone)]
pub(crate) struct OwnPosition(Arc<Asked>);

struct Asked {
    object: Py<PyAny>,
    book: Arc<Book>,
    to_move: OnceLock<Side>,
    outcome: OnceLock<Option<Outcome>>,
    moves: OnceLock<Vec<OwnMove>>,
    key: OnceLock<u64>,
}

/// What the positions of one game share.
struct Book {
    trouble: Trouble,
    class: String,
    has: Has,
    side_names: [&'static str; 2],
    limits: Limits,
    /// The number of every move that was met. Only touched with the GIL.
    numbers: Py<PyDict>,
    /// The moves by their numbers.
    moves: Py<PyList>,
    /// The number of every position whose key was requested. Python's own hashes will not do: those
    /// of -1 and -2 are equal, and texts have different ones every time Python starts.
    keys: Py<PyDict>,
    /// The next key of a position that is not remembered.
    more_keys: AtomicU64,
}

/// The optional methods that a game has.
#[derive(Clone, Copy)]
struct Has {
    evaluate: bool,
    order_hint: bool,
    margin: bool,
    margin_bounds: bool,
    loud_moves: bool,
    null_move: bool,
    move_text: bool,
}

/// More moves than any game has: an iterator that never ends.
const MAX_MOVES: usize = 1_000_000;

/// Positions whose keys are remembered. Beyond, equal positions may be searched twice.
const MAX_KEYS: usize = 1 << 22;

impl OwnPosition {
    /// The position of a game that `object` is. Exceptions in it are `trouble`.
    pub(crate) fn new(object: &Bound<'_, PyAny>, trouble: &Trouble) -> PyResult<OwnPosition> {
        check_methods(object)?;
        let py = object.py();
        let has = |name: &str| -> PyResult<bool> {
            Ok(match object.getattr_opt(name)? {
                Some(method) if method.is_callable() => true,
                Some(other) if !other.is_none() => {
                    let class = object.get_type().name()?;
                    return Err(PyTypeError::new_err(format!("{class}.{name} is not a method")));
                }
                _ => false,
            })
        };
        let limit = |name: &str, least: u32| -> PyResult<Option<u32>> {
            let Some(value) = object.getattr_opt(name)?.filter(|value| !value.is_none()) else {
                return Ok(None);
            };
            let limit = value.extract::<u32>().ok().filter(|&limit| limit >= least);
            let problem = || format!("{name} is {value}; expected a whole number from {least}");
            limit.map(Some).ok_or_else(|| PyValueError::new_err(problem()))
        };
        let names: Option<(String, String)> = match object.getattr_opt("side_names")? {
            Some(names) if !names.is_none() => Some(names.extract().map_err(|_| {
                PyTypeError::new_err("side_names must be the names of both players: two texts")
            })?),
            _ => None,
        };
        let book = Book {
            trouble: trouble.clone(),
            class: object.get_type().name()?.to_string(),
            has: Has {
                evaluate: has("evaluate")?,
                order_hint: has("order_hint")?,
                margin: has("margin")?,
                margin_bounds: has("margin_bounds")?,
                loud_moves: has("loud_moves")?,
                null_move: has("null_move")?,
                move_text: has("move_text")?,
            },
            side_names: match &names {
                Some((first, second)) => [lasting(first), lasting(second)],
                None => ["First", "Second"],
            },
            limits: Limits {
                playout_plies: limit("playout_plies", 1)?.unwrap_or(10_000),
                repetitions: limit("repetition_limit", 2)?,
                plies: limit("max_plies", 1)?,
            },
            numbers: PyDict::new(py).unbind(),
            moves: PyList::empty(py).unbind(),
            keys: PyDict::new(py).unbind(),
            more_keys: AtomicU64::new(MAX_KEYS as u64),
        };
        Ok(OwnPosition::at(object.clone().unbind(), Arc::new(book)))
    }

    fn at(object: Py<PyAny>, book: Arc<Book>) -> OwnPosition {
        let (to_move, outcome) = (OnceLock::new(), OnceLock::new());
        let (moves, key) = (OnceLock::new(), OnceLock::new());
        OwnPosition(Arc::new(Asked { object, book, to_move, outcome, moves, key }))
    }

    /// The object.
    pub(crate) fn object(&self) -> &Py<PyAny> {
        &self.0.object
    }

    /// What its exceptions are.
    pub(crate) fn trouble(&self) -> &Trouble {
        &self.0.book.trouble
    }

    /// The legal move with this place in the list of them, as an object.
    pub(crate) fn move_object<'py>(
        &self,
        py: Python<'py>,
        place: usize,
    ) -> Option<Bound<'py, PyAny>> {
        let mv = *self.listed().get(place)?;
        self.0.book.moves.bind(py).get_item(mv.0 as usize).ok()
    }

    /// The place of a move in the list of the legal ones.
    pub(crate) fn place_of(&self, mv: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        let number = self.0.book.numbers.bind(mv.py()).get_item(mv)?;
        let Some(number) = number else { return Ok(None) };
        let mv = OwnMove(number.extract()?);
        Ok(self.listed().iter().position(|&legal| legal == mv))
    }

    /// Runs code of the user; what it raises ends the search.
    fn ask<T>(&self, ask: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> T {
        let trouble = &self.0.book.trouble;
        if trouble.is_over() {
            trouble.leave();
        }
        trouble.enter();
        Python::attach(|py| {
            ask(self.0.object.bind(py)).unwrap_or_else(|error| trouble.raise(py, error))
        })
    }

    /// The answer that was given before, unless the game is being checked.
    fn once<T: Clone>(&self, known: &OnceLock<T>, ask: impl FnOnce() -> T) -> T {
        if self.0.book.trouble.is_check() {
            return ask();
        }
        if let Some(known) = known.get() {
            return known.clone();
        }
        // Not while the lock is held: another thread could wait for it with the GIL in its hands.
        let answer = ask();
        let _ = known.set(answer.clone());
        answer
    }

    fn wrong(&self, method: &str, answer: &Bound<'_, PyAny>, expected: &str) -> PyErr {
        let answer = answer.repr().map_or_else(|_| "something".to_owned(), |text| text.to_string());
        let class = &self.0.book.class;
        PyValueError::new_err(format!("{class}.{method}() returned {answer}; expected {expected}"))
    }

    /// The moves that a method lists, as numbers.
    fn list(&self, object: &Bound<'_, PyAny>, method: &str) -> PyResult<Vec<OwnMove>> {
        let py = object.py();
        let (numbers, all) = (self.0.book.numbers.bind(py), self.0.book.moves.bind(py));
        let listed = object.call_method0(PyString::intern(py, method))?;
        if listed.is_none() {
            return Err(self.wrong(method, &listed, "the moves, such as a list"));
        }
        let mut moves = Vec::new();
        for mv in listed.try_iter()? {
            let mv = mv?;
            let number = match numbers.get_item(&mv)? {
                Some(number) => number.extract()?,
                None => {
                    let number = all.len() as u32;
                    all.append(&mv)?;
                    numbers.set_item(&mv, number)?;
                    number
                }
            };
            moves.push(OwnMove(number));
            if moves.len() > MAX_MOVES {
                let class = &self.0.book.class;
                let problem = format!("{class}.{method}() has more than {MAX_MOVES} moves");
                return Err(PyValueError::new_err(problem));
            }
        }
        Ok(moves)
    }

    fn listed(&self) -> Vec<OwnMove> {
        self.once(&self.0.moves, || {
            self.ask(|object| {
                let moves = self.list(object, "legal_moves")?;
                if moves.is_empty() && !self.0.book.trouble.is_check() {
                    let class = &self.0.book.class;
                    return Err(PyValueError::new_err(format!(
                        "{class}.legal_moves() has no move although {class}.outcome() is None; a \
                         game without a move must be over, or have a move that passes"
                    )));
                }
                Ok(moves)
            })
        })
    }

    fn mv<'py>(&self, py: Python<'py>, mv: OwnMove) -> PyResult<Bound<'py, PyAny>> {
        self.0.book.moves.bind(py).get_item(mv.0 as usize)
    }

    fn next(&self, object: &Bound<'_, PyAny>, next: Bound<'_, PyAny>) -> PyResult<OwnPosition> {
        if next.is(object) {
            return Err(PyValueError::new_err(format!(
                "{}.play() returned the position itself; expected a new one: positions are values \
                 that do not change",
                self.0.book.class
            )));
        }
        check_methods(&next)
            .map_err(|_| self.wrong("play", &next, "the position after the move"))?;
        Ok(OwnPosition::at(next.unbind(), Arc::clone(&self.0.book)))
    }

    /// The answer of an optional method that is a whole number.
    fn whole(&self, method: &str, argument: Option<OwnMove>) -> i64 {
        self.ask(|object| {
            let py = object.py();
            let answer = match argument {
                Some(mv) => {
                    object.call_method1(PyString::intern(py, method), (self.mv(py, mv)?,))?
                }
                None => object.call_method0(PyString::intern(py, method))?,
            };
            answer.extract().map_err(|_| self.wrong(method, &answer, "a whole number"))
        })
    }
}
