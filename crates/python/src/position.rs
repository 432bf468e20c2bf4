//! Positions: values that do not change, with the moves that led to them.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use treegraft::{Charset, EVAL_ONE, Ending, Exactness, Game as _, Notation, Playthrough, Reason};
use treegraft_pictures::svg::position_svg;
use treegraft_players::{Board, MoveIndex};

use crate::array::{Layout, to_numpy};
use crate::attend::{Trouble, safely};
use crate::game::Game;
use crate::own::{OwnGame, OwnPosition};
use crate::registry::{Registered, value_error};

/// A position of a game, with the moves that led to it.
///
/// Positions do not change: `play` returns a new one. Two are equal if the same can happen from now
/// on; the moves that led to them do not matter. In a notebook, a position is a picture.
///
/// >>> import treegraft as tg
/// >>> position = tg.game("connect4").start()
/// >>> position.legal_moves()
/// ['1', '2', '3', '4', '5', '6', '7']
/// >>> position = position.play("4").play("4")
/// >>> position.text, position.to_move(), position.outcome()
/// ('44', 0, None)
/// >>> position == tg.game("connect4").position("44")
/// True
/// >>> len({position, position.play("1"), tg.game("connect4").position("44")})
/// 2
#[pyclass(frozen, module = "treegraft", weakref)]
pub(crate) struct Position {
    pub(crate) game: Arc<str>,
    /// The user's game, if it is one.
    pub(crate) own: Option<Arc<OwnGame>>,
    pub(crate) node: Arc<Node>,
}

/// A position in the tree of those that were played from one start.
pub(crate) struct Node {
    board: Board,
    before: Option<(Arc<Node>, MoveIndex)>,
    plies: u32,
    ending: OnceLock<Option<Ending>>,
}

impl Drop for Node {
    fn drop(&mut self) {
        // Not by recursion: a game may be long.
        let mut before = self.before.take();
        while let Some((node, _)) = before {
            before = Arc::into_inner(node).and_then(|mut node| node.before.take());
        }
    }
}

impl Node {
    fn new(board: Board) -> Node {
        Node { board, before: None, plies: 0, ending: OnceLock::new() }
    }

    /// All positions since the start, which is the first.
    fn line(self: &Arc<Self>) -> Vec<Arc<Node>> {
        let mut line = vec![Arc::clone(self)];
        let mut node = self;
        while let Some((before, _)) = &node.before {
            line.push(Arc::clone(before));
            node = before;
        }
        line.reverse();
        line
    }

    /// The game so far.
    pub(crate) fn playthrough(self: &Arc<Self>) -> Playthrough<Board> {
        let line = self.line();
        let mut game = Playthrough::new(line[0].board.clone());
        for node in &line[1..] {
            if let Some((_, mv)) = &node.before {
                game.play(*mv);
            }
        }
        game
    }

    /// The position as people write it, if the game has a notation.
    pub(crate) fn text(self: &Arc<Self>) -> Option<String> {
        match self.board.notation().position_is_moves() {
            Some(_) => self.playthrough().position_text(),
            None => self.board.notation().position_text(),
        }
    }

    /// How the game ended, if it has.
    pub(crate) fn ending(self: &Arc<Self>) -> Option<Ending> {
        if let Some(known) = self.ending.get() {
            return *known;
        }
        let now = &self.board;
        // Only these depend on the moves that led here.
        let ending = match now.outcome() {
            Some(outcome) => Some(Ending { outcome, reason: Reason::Rules }),
            None if now.limits().repetitions.is_some() || now.limits().plies.is_some() => {
                self.playthrough().ending()
            }
            None => None,
        };
        let _ = self.ending.set(ending);
        ending
    }
}

impl Position {
    /// A position without a history.
    pub(crate) fn lone(game: Arc<str>, board: Board) -> Position {
        Position { game, own: None, node: Arc::new(Node::new(board)) }
    }

    /// A position of a user's game, without a history.
    pub(crate) fn of_own(game: Arc<OwnGame>, board: Board) -> Position {
        let own = Some(Arc::clone(&game));
        Position { game: Arc::from(game.name), own, node: Arc::new(Node::new(board)) }
    }

    /// The position itself.
    pub(crate) fn board(&self) -> &Board {
        &self.node.board
    }

    /// Whose exceptions the user's code raises, if there is any.
    pub(crate) fn trouble(&self) -> Trouble {
        self.board()
            .downcast::<OwnPosition>()
            .map_or_else(Trouble::new, |own| own.trouble().clone())
    }

    fn safely<T>(&self, ask: impl FnOnce() -> T) -> PyResult<T> {
        safely(&self.trouble(), ask)
    }

    /// Another position of the game.
    fn at(&self, node: Arc<Node>) -> Position {
        Position { game: Arc::clone(&self.game), own: self.own.clone(), node }
    }

    fn after(&self, mv: MoveIndex) -> Position {
        let mut board = self.board().clone();
        board.play(mv);
        let before = Some((Arc::clone(&self.node), mv));
        let plies = self.node.plies + 1;
        self.at(Arc::new(Node { board, before, plies, ending: OnceLock::new() }))
    }

    /// The legal move that an argument stands for.
    fn read_move(&self, mv: &Bound<'_, PyAny>) -> PyResult<MoveIndex> {
        if let Some(own) = self.board().downcast::<OwnPosition>() {
            // The list must have been made, so that its moves have numbers.
            self.safely(|| own.outcome().is_none() && !treegraft::legal_moves(own).is_empty())?;
            let place = self.safely(|| own.place_of(mv))??;
            if let Some(place) = place {
                return Ok(MoveIndex(place as u32));
            }
        }
        let Ok(text) = mv.cast::<PyString>() else {
            let mv = mv.repr()?;
            return Err(match self.own {
                Some(_) => PyValueError::new_err(format!("move {mv}: not legal here")),
                None => PyTypeError::new_err(format!(
                    "move {mv}: expected a text, such as one of legal_moves()"
                )),
            });
        };
        let text = text.to_str()?;
        self.safely(|| self.board().notation().parse_move(text))?.map_err(value_error)
    }
}

/// A legal move as Python has it: a text, or the object of the user's game.
pub(crate) fn move_object<'py>(
    py: Python<'py>,
    board: &Board,
    mv: MoveIndex,
) -> PyResult<Bound<'py, PyAny>> {
    if let Some(own) = board.downcast::<OwnPosition>()
        && let Some(object) = own.move_object(py, mv.0 as usize)
    {
        return Ok(object);
    }
    Ok(PyString::new(py, &board.notation().move_text(mv)).into_any())
}

/// A line of legal moves as Python has them.
pub(crate) fn line_objects<'py>(
    py: Python<'py>,
    board: &Board,
    line: &[MoveIndex],
) -> PyResult<Bound<'py, PyList>> {
    let (objects, mut board) = (PyList::empty(py), board.clone());
    for &mv in line {
        objects.append(move_object(py, &board, mv)?)?;
        board.play(mv);
    }
    Ok(objects)
}

#[pymethods]
impl Position {
    /// The text of the game, such as 'breakthrough:6x6'.
    #[getter]
    fn game(&self) -> &str {
        &self.game
    }

    /// The position as people write it: moves or a notation such as FEN. None if the game has neither.
    #[getter]
    fn text(&self) -> PyResult<Option<String>> {
        self.safely(|| self.node.text())
    }

    /// The moves that led here from where the position was made.
    #[getter]
    fn history<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let objects = PyList::empty(py);
        for node in self.node.line() {
            if let Some((before, mv)) = &node.before {
                objects.append(self.safely(|| move_object(py, &before.board, *mv))??)?;
            }
        }
        Ok(objects)
    }

    /// The object of your own game that the position wraps; None for built-in games.
    #[getter]
    fn wrapped(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.board().downcast::<OwnPosition>().map(|own| own.object().clone_ref(py))
    }

    /// Whose turn it is: 0 for the first player, 1 for the second. Any of them once the game is over.
    fn to_move(&self) -> PyResult<usize> {
        self.safely(|| self.board().to_move().index())
    }

    /// What the side to move is called, such as 'White'.
    #[getter]
    fn mover(&self) -> PyResult<&'static str> {
        self.safely(|| self.board().notation().side_name(self.board().to_move()))
    }

    /// All legal moves, in the game's order; none once the game is over.
    ///
    /// They are texts in the game's notation; in games of your own, your moves.
    fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if self.safely(|| self.node.ending())?.is_some() {
            return Ok(PyList::empty(py).into_any());
        }
        if self.board().downcast::<OwnPosition>().is_none() {
            let texts = self.safely(|| self.board().move_texts())?;
            return Ok(PyList::new(py, texts)?.into_any());
        }
        let objects = PyList::empty(py);
        let moves = self.safely(|| treegraft::legal_moves(self.board()))?;
        for mv in moves {
            objects.append(self.safely(|| move_object(py, self.board(), mv))??)?;
        }
        Ok(objects.into_any())
    }

    /// The position after a legal move.
    ///
    /// Raises ValueError if the move is not legal here.
    ///
    /// >>> import treegraft as tg
    /// >>> tg.game("othello").start().play("f5").text
    /// '---------------------------OX------XXX-------------------------- O'
    /// >>> tg.game("connect4").start().play("8")
    /// Traceback (most recent call last):
    /// ...
    /// ValueError: move "8": not a column; expected a column from 1 to 7 that is not full
    #[pyo3(name = "play")]
    fn play(&self, r#move: &Bound<'_, PyAny>) -> PyResult<Position> {
        if self.safely(|| self.node.ending())?.is_some() {
            let problem = format!("move {}: the game is over", r#move.str()?);
            return Err(PyValueError::new_err(problem));
        }
        let mv = self.read_move(r#move)?;
        self.safely(|| self.after(mv))
    }

    /// The position after several moves, separated by blanks or commas, or run together.
    ///
    /// >>> import treegraft as tg
    /// >>> tg.game("breakthrough:6x6").start().play_line("a2a3 b5b4").history
    /// ['a2a3', 'b5b4']
    pub(crate) fn play_line(&self, moves: &str) -> PyResult<Position> {
        let played = self.safely(|| {
            let mut game = self.node.playthrough();
            let before = game.moves().len();
            game.play_text(moves)?;
            let mut position = self.at(Arc::clone(&self.node));
            for &mv in &game.moves()[before..] {
                position = position.after(mv);
            }
            Ok::<Position, treegraft::NotationError>(position)
        })?;
        played.map_err(value_error)
    }

    /// How the game ended: 1 if the first player won, -1 if the second did, 0 for a draw; None while
    /// it goes on.
    ///
    /// Draws by repetition and by length count, as far back as the history goes.
    fn outcome(&self) -> PyResult<Option<i64>> {
        Ok(self.safely(|| self.node.ending())?.map(|ending| ending.outcome.value()))
    }

    /// Why the game is over: 'rules', 'repetition' or 'too-long'; None while it goes on.
    #[getter]
    fn ended_by(&self) -> PyResult<Option<&'static str>> {
        Ok(self.safely(|| self.node.ending())?.map(|ending| match ending.reason {
            Reason::Rules => "rules",
            Reason::Repetition => "repetition",
            Reason::TooLong => "too-long",
        }))
    }

    /// By how much a finished game was won, in the first player's view, where the game keeps count;
    /// else None.
    fn margin(&self) -> PyResult<Option<i64>> {
        self.safely(|| self.board().outcome().and_then(|_| self.board().exactness().margin()))
    }

    /// The value of an evaluation, from -1 to 1 in the first player's view: the game's usual one, or
    /// the one with this name. The value of a finished game is its outcome.
    ///
    /// >>> import treegraft as tg
    /// >>> tg.game("breakthrough:6x6").position("a2a3 f5f4 a3a4 f4f3 a4b5").evaluate() > 0
    /// True
    #[pyo3(signature = (name = None))]
    fn evaluate(&self, name: Option<&str>) -> PyResult<f64> {
        if let Some(ending) = self.safely(|| self.node.ending())? {
            return Ok(ending.outcome.value() as f64);
        }
        let subject = crate::subject::Subject::of_position(self, &Trouble::new())?;
        let found = safely(&subject.trouble, || {
            let all = subject.registry.evaluators(&subject.start);
            let names: Vec<String> = all.iter().map(|known| known.name.to_string()).collect();
            let mut found =
                all.into_iter().filter(|known| name.is_none_or(|name| known.name == name));
            let value = found.next().map(|found| found.evaluate(&subject.board));
            value.ok_or(names)
        })?;
        found.map(|value| f64::from(value) / f64::from(EVAL_ONE)).map_err(|names| {
            let game = &self.game;
            PyValueError::new_err(match (name, names.as_slice()) {
                (_, []) => format!("{game} has no evaluations"),
                (name, names) => format!(
                    "{game} has no evaluation {:?}; expected one of {}",
                    name.unwrap_or("auto"),
                    names.join(", ")
                ),
            })
        })
    }

    /// The position as a NumPy array of 32-bit floats with the axes plane, row and column, as
    /// evaluations get them in batches. docs/python.md has the planes of every game.
    ///
    /// >>> import treegraft as tg
    /// >>> tg.game("connect4").position("44").array().shape
    /// (3, 6, 7)
    fn array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let name = self.game.split(':').next().unwrap_or_default();
        let picture = self.safely(|| self.board().notation().picture())?;
        let layout = match (&self.own, picture) {
            (None, Some(picture)) => Layout::of(name, &picture),
            _ => None,
        };
        let Some(layout) = layout else {
            let problem = format!("{} has no layout as an array", self.game);
            return Err(PyValueError::new_err(problem));
        };
        let mut numbers = Vec::new();
        layout.append(self.board(), &mut numbers);
        to_numpy(py, &numbers, &layout.shape())
    }

    /// A picture of the position as SVG, the last move marked: what notebooks show.
    #[pyo3(signature = (title = None))]
    fn svg(&self, py: Python<'_>, title: Option<&str>) -> PyResult<String> {
        if let Some(object) = self.wrapped(py)
            && let Some(drawn) = object.bind(py).getattr_opt("_repr_svg_")?
        {
            return drawn.call0()?.extract();
        }
        let title = title.unwrap_or(&self.game);
        self.safely(|| {
            // The last move is all that the picture needs of the history.
            let game = match &self.node.before {
                Some((before, mv)) => {
                    let mut game = Playthrough::new(before.board.clone());
                    game.play(*mv);
                    game
                }
                None => Playthrough::new(self.board().clone()),
            };
            position_svg(&game, title)
        })
    }

    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        self.svg(py, None)
    }

    fn __str__(&self) -> PyResult<String> {
        self.safely(|| self.board().notation().diagram(Charset::Unicode))
    }

    fn __repr__(&self) -> PyResult<String> {
        let text = match self.text()? {
            Some(text) => text,
            None => self.safely(|| self.node.playthrough().move_texts().join(" "))?,
        };
        Ok(format!("<Position of {}: {text:?}>", self.game))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<Position>() else { return Ok(false) };
        self.safely(|| self.board() == other.get().board())
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        if let Some(object) = self.wrapped(py) {
            return object.bind(py).hash();
        }
        let mut hasher = std::hash::DefaultHasher::new();
        self.safely(|| self.board().hash(&mut hasher))?;
        Ok(hasher.finish() as isize)
    }

    /// Pickles keep the game, where the history begins, and the moves since.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Py<PyAny>, Pickled)> {
        let game: Py<PyAny> = match &self.own {
            Some(own) => own.start.clone_ref(py),
            None => PyString::new(py, &self.game).into_any().unbind(),
        };
        let (start, moves) = self.safely(|| {
            let played = self.node.playthrough();
            let start = played.start().notation().position_text().filter(|text| !text.is_empty());
            (start, played.move_texts())
        })?;
        let start = if self.own.is_some() { None } else { start };
        let restore = py.import("treegraft._treegraft")?.getattr("_restore")?.unbind();
        Ok((restore, (game, start, moves)))
    }
}

/// The game, where the history begins if not at its start, and the moves since.
type Pickled = (Py<PyAny>, Option<String>, Vec<String>);

/// A position from what its pickle keeps.
#[pyfunction]
pub(crate) fn _restore(
    py: Python<'_>,
    game: &Bound<'_, PyAny>,
    start: Option<&str>,
    moves: Vec<String>,
) -> PyResult<Position> {
    let game = Game::of(game, &Registered::now())?;
    let mut position = match start {
        Some(text) => game.at(py, text)?,
        None => game.begin(py)?,
    };
    for text in moves {
        let mv = position
            .safely(|| position.board().notation().parse_move(&text))?
            .map_err(value_error)?;
        position = position.safely(|| position.after(mv))?;
    }
    Ok(position)
}
