//! Evaluations of built-in games that are written in Python: of one position, or of many at once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use treegraft::{Evaluate, Evaluator, Game, Knowledge, Notation, is_evaluation_name};
use treegraft_games::{AnyGame, Visitor};
use treegraft_players::{Board, Registry};

use crate::array::{Layout, to_numpy};
use crate::attend::Trouble;
use crate::own::{VALUE, lasting, points};
use crate::position::Position;
use crate::registry::value_error;

/// One text for every type of positions that a game has.
const TYPES: &[(&str, &[&str])] = &[
    ("connect4", &["connect4"]),
    ("breakthrough", &["breakthrough:8x8", "breakthrough:10x10"]),
    ("othello", &["othello"]),
    ("lion", &["lion"]),
    ("hex", &["hex:7", "hex:11", "hex:19"]),
    ("kalah", &["kalah"]),
    ("loa", &["loa"]),
];

/// An evaluation as it was registered.
pub(crate) struct OwnEvaluation {
    name: &'static str,
    game: &'static str,
    /// One text for every type of its positions.
    starts: &'static [&'static str],
    about: String,
    slope: f64,
    batch: bool,
    function: Py<PyAny>,
}

impl OwnEvaluation {
    /// Refuses what cannot be an evaluation.
    pub(crate) fn new(
        name: &str,
        game: &str,
        function: &Bound<'_, PyAny>,
        batch: bool,
        slope: f64,
    ) -> PyResult<OwnEvaluation> {
        if !is_evaluation_name(name) {
            return Err(PyValueError::new_err(format!(
                "evaluation {name:?}: expected a name of up to 40 letters, digits, dashes, dots and \
                 underscores, other than auto and none"
            )));
        }
        let Some(&(game, starts)) = TYPES.iter().find(|(known, _)| *known == game) else {
            let known: Vec<&str> = TYPES.iter().map(|(known, _)| *known).collect();
            return Err(PyValueError::new_err(format!(
                "game {game:?}: there is no such built-in game with boards; expected one of {}. A \
                 game of your own has a method evaluate",
                known.join(", ")
            )));
        };
        if !function.is_callable() {
            return Err(PyTypeError::new_err("an evaluation must be a function"));
        }
        if !(slope >= 0.0 && slope.is_finite()) {
            return Err(PyValueError::new_err(format!("slope is {slope}; expected 0 or more")));
        }
        for text in starts {
            let start = Registry::standard().start(text).map_err(value_error)?;
            if start.board().knowledge().evaluators().iter().any(|own| own.name == name) {
                return Err(PyValueError::new_err(format!(
                    "evaluation {name:?}: {game} has one of this name; expected another name"
                )));
            }
        }
        let about = function.getattr_opt("__doc__")?.and_then(|doc| doc.extract::<String>().ok());
        let about = about.as_deref().and_then(|doc| doc.trim().lines().next());
        Ok(OwnEvaluation {
            name: lasting(name),
            game,
            starts,
            about: about.unwrap_or("a Python function").to_owned(),
            slope,
            batch,
            function: function.clone().unbind(),
        })
    }

    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    pub(crate) fn has_name_and_game_of(&self, other: &OwnEvaluation) -> bool {
        (self.name, self.game) == (other.name, other.game)
    }

    /// Adds it for all types of positions that its game has.
    pub(crate) fn add_to(
        self: &Arc<Self>,
        registry: &mut Registry,
        trouble: &Trouble,
        texts: &[&str],
    ) -> PyResult<()> {
        let mine = |text: &&&str| treegraft::with_colon(text).split(':').next() == Some(self.game);
        // Positions know the text of their game, if there is only one it can be.
        let text = match texts.iter().filter(mine).collect::<Vec<_>>().as_slice() {
            [only] => (**only).to_owned(),
            _ => self.game.to_owned(),
        };
        for start in self.starts {
            let game = AnyGame::parse(start).map_err(value_error)?;
            let board = registry.start(start).map_err(value_error)?.board().clone();
            let add = Add { evaluation: self, text: &text, board, trouble, registry };
            game.visit(add).map_err(value_error)?;
        }
        Ok(())
    }
}

/// Adds an evaluation for the type of a position.
struct Add<'a> {
    evaluation: &'a Arc<OwnEvaluation>,
    text: &'a str,
    board: Board,
    trouble: &'a Trouble,
    registry: &'a mut Registry,
}

impl Visitor for Add<'_> {
    type Output = Result<(), treegraft_players::RegistryError>;

    fn visit<G: Game<Move: Send + Sync> + Send + Sync + 'static>(self, _: G) -> Self::Output {
        let of = Arc::clone(self.evaluation);
        let (name, about, slope) = (of.name, of.about.clone(), of.slope);
        let text = Arc::from(self.text);
        let (board, trouble) = (self.board, self.trouble.clone());
        let evaluate = Asking::<G> { of, text, board, trouble, known: Mutex::default() };
        self.registry.add_evaluation(Evaluator::shared(name, about, evaluate).with_slope(slope))
    }
}

/// An evaluation of positions of the type `G`.
struct Asking<G> {
    of: Arc<OwnEvaluation>,
    text: Arc<str>,
    /// Some board with such a position. `Board::new` would compile all searches again.
    board: Board,
    trouble: Trouble,
    /// The values of positions that were evaluated together, and may be wanted one by one.
    known: Mutex<HashMap<G, i32>>,
}

/// Values that are kept; then all are forgotten.
const MAX_KNOWN: usize = 1 << 18;

impl<G: Game<Move: Send + Sync> + Send + Sync + 'static> Asking<G> {
    fn known(&self) -> MutexGuard<'_, HashMap<G, i32>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn one(&self, py: Python<'_>, position: &G) -> PyResult<i32> {
        let mut board = self.board.clone();
        if let Some(inside) = board.downcast_mut() {
            *inside = position.clone();
        }
        let position = Position::lone(Arc::clone(&self.text), board);
        let answer = self.of.function.bind(py).call1((position,))?;
        self.value(&answer)
    }

    fn many(&self, py: Python<'_>, positions: &[G]) -> PyResult<Vec<i32>> {
        let picture = positions.first().and_then(|first| first.notation().picture());
        let layout = picture.and_then(|picture| Layout::of(self.of.game, &picture));
        let Some(layout) = layout else {
            let problem = format!("{} has no layout as an array", self.of.game);
            return Err(PyValueError::new_err(problem));
        };
        let mut numbers = Vec::new();
        for position in positions {
            layout.append(position, &mut numbers);
        }
        let [planes, rows, columns] = layout.shape();
        let shape = [positions.len(), planes, rows, columns];
        let answers = self.of.function.bind(py).call1((to_numpy(py, &numbers, &shape)?,))?;
        let mut values = Vec::with_capacity(positions.len());
        for answer in answers.try_iter()? {
            values.push(self.value(&answer?)?);
            if values.len() > positions.len() {
                break;
            }
        }
        if values.len() != positions.len() {
            return Err(PyValueError::new_err(format!(
                "evaluation {:?} was asked for {} values and returned {}{}",
                self.of.name,
                positions.len(),
                if values.len() > positions.len() { "more than " } else { "" },
                values.len().min(positions.len()),
            )));
        }
        Ok(values)
    }

    fn value(&self, answer: &Bound<'_, PyAny>) -> PyResult<i32> {
        let value = answer.extract::<f64>().ok().and_then(points);
        value.ok_or_else(|| {
            let name = self.of.name;
            let answer =
                answer.repr().map_or_else(|_| "something".to_owned(), |text| text.to_string());
            PyValueError::new_err(format!(
                "evaluation {name:?} returned {answer}; expected {VALUE}"
            ))
        })
    }
}

impl<G: Game<Move: Send + Sync> + Send + Sync + 'static> Evaluate<G> for Asking<G> {
    fn evaluate(&self, position: &G) -> i32 {
        if !self.of.batch {
            self.trouble.enter();
            return Python::attach(|py| {
                self.one(py, position).unwrap_or_else(|error| self.trouble.raise(py, error))
            });
        }
        if let Some(&value) = self.known().get(position) {
            return value;
        }
        self.foresee(std::slice::from_ref(position));
        self.known().get(position).copied().unwrap_or(0)
    }

    fn foresees(&self) -> bool {
        self.of.batch
    }

    fn foresee(&self, positions: &[G]) {
        let unknown: Vec<G> = {
            let known = self.known();
            positions.iter().filter(|position| !known.contains_key(position)).cloned().collect()
        };
        if unknown.is_empty() {
            return;
        }
        self.trouble.enter();
        let values = Python::attach(|py| {
            self.many(py, &unknown).unwrap_or_else(|error| self.trouble.raise(py, error))
        });
        let mut known = self.known();
        if known.len() + unknown.len() > MAX_KNOWN {
            known.clear();
        }
        known.extend(unknown.into_iter().zip(values));
    }
}
