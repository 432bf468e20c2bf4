//! Asking a search about a position: analyses, exact values, traces, and checks of games.

use std::ops::RangeInclusive;
use std::sync::atomic::Ordering;
use std::time::Duration;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde_json::{Value, json};
use treegraft::observe::Event;
use treegraft::{Budget, Charset, Game as _, Listener, Notation, Report, Request, Side};
use treegraft_conformance::{Law, Options, Verdict};
use treegraft_engine::{Findings, ValueKind, check_memory};
use treegraft_players::{Analyst, Board, DEFAULT_BUDGET, MoveIndex, Player};
use treegraft_studies::solve::{exact_player, is_solved};
use treegraft_studies::trace::{
    Scale, SearchTrace, TracePicture, exact_player as exact_trace_player,
};
use treegraft_studies::{StatedGuarantee, TreeView};

use crate::attend::{Place, Trouble, attended, attended_quietly, listen, safely};
use crate::json::to_python;
use crate::own::OwnPosition;
use crate::position::{line_objects, move_object};
use crate::registry::value_error;
use crate::subject::Subject;

/// The top of a search tree.
#[pyclass(frozen, module = "treegraft._treegraft")]
pub(crate) struct Tree {
    view: TreeView,
    title: String,
    subtitle: String,
    sides: [&'static str; 2],
}

#[pymethods]
impl Tree {
    /// The tree as a picture.
    fn svg(&self) -> String {
        self.view.svg(self.title.clone(), self.subtitle.clone(), self.sides)
    }

    /// The tree as nested dicts.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.view.json())
    }
}

/// The reports of one search as dicts.
struct Words<'a> {
    board: &'a Board,
    kind: ValueKind,
    trouble: &'a Trouble,
}

impl Words<'_> {
    /// What a search has found; moves of users' games are their objects.
    fn dict<'py>(
        &self,
        py: Python<'py>,
        report: &Report<MoveIndex>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let findings = safely(self.trouble, || Findings::new(self.board, report, self.kind))?;
        let mut members = findings.json();
        let strategies = members.remove("strategies");
        members.insert("strategies".to_owned(), strategies.unwrap_or(Value::Array(Vec::new())));
        members.remove("peak_resident");
        members.insert("mover".to_owned(), json!(findings.mover.index()));
        let dict = to_python(py, &Value::Object(members))?.cast_into::<PyDict>()?;
        if self.board.downcast::<OwnPosition>().is_some() {
            safely(self.trouble, || self.put_objects(py, report, &dict))??;
        }
        Ok(dict)
    }

    fn put_objects(
        &self,
        py: Python<'_>,
        report: &Report<MoveIndex>,
        dict: &Bound<'_, PyDict>,
    ) -> PyResult<()> {
        if let Some(best) = report.best_move {
            dict.set_item("best_move", move_object(py, self.board, best)?)?;
        }
        dict.set_item("pv", line_objects(py, self.board, &report.pv)?)?;
        let Some(rows) = dict.get_item("moves")? else { return Ok(()) };
        for (row, of) in rows.try_iter()?.zip(&report.moves) {
            let row = row?;
            row.set_item("move", move_object(py, self.board, of.mv)?)?;
            row.set_item("pv", line_objects(py, self.board, &of.pv)?)?;
        }
        Ok(())
    }
}

/// Searches, while Python stays responsive, and calls `on_progress` with what is found on the way.
/// A listener that returns False ends the search.
fn think(
    py: Python<'_>,
    subject: &Subject,
    player: &Player,
    request: (u64, u32),
    on_progress: Option<&Py<PyAny>>,
    analyst: &mut Analyst,
) -> PyResult<Report<MoveIndex>> {
    check_memory(&player.budget).map_err(value_error)?;
    let Subject { board, trouble, .. } = subject;
    let (place, (seed, lines)) = (subject.place(player), request);
    let words = Words { board, kind: player.search.value_kind(), trouble };
    let hear = |py: Python<'_>, so_far: Report<MoveIndex>| {
        listen(py, on_progress, trouble, || Ok(words.dict(py, &so_far)?.into_any()))
    };
    attended(py, place, trouble, hear, |tell| {
        let is_heard = on_progress.is_some();
        let mut progress = |so_far: &Report<MoveIndex>| tell(is_heard.then(|| so_far.clone()));
        let listener: Listener<'_, MoveIndex> = &mut progress;
        let progress = (is_heard || place == Place::Here).then_some(listener);
        let cancel = Some(trouble.cancel());
        let budget = player.budget;
        analyst.search(board, Request { budget, seed, lines, cancel, progress, tree: None })
    })
}

/// Searches with a player: the search, its report, and that as a dict with what was searched.
fn find<'py>(
    py: Python<'py>,
    subject: &Subject,
    player: &Player,
    request: (u64, u32),
    on_progress: Option<&Py<PyAny>>,
) -> PyResult<(Analyst, Report<MoveIndex>, Bound<'py, PyDict>)> {
    let Subject { registry, start, board, trouble, .. } = subject;
    let mut analyst = safely(trouble, || registry.searcher(start, player))?.map_err(value_error)?;
    let report = match subject.over {
        Some(outcome) => finished(board, trouble, outcome)?,
        None => think(py, subject, player, request, on_progress, &mut analyst)?,
    };
    let dict = Words { board, kind: player.search.value_kind(), trouble }.dict(py, &report)?;
    dict.set_item("game", start.text())?;
    dict.set_item("player", player.to_string())?;
    dict.set_item("position", subject.text.as_deref())?;
    Ok((analyst, report, dict))
}

/// What the search vouches for, if that leaves something open.
fn open_guarantee(
    subject: &Subject,
    player: &Player,
    analyst: &Analyst,
) -> Option<StatedGuarantee> {
    let guarantee = analyst.guarantee().filter(|_| subject.over.is_none());
    StatedGuarantee::new(&subject.board, player, guarantee).filter(StatedGuarantee::is_open)
}

/// What a search found, as a dict, and the top of its tree.
#[pyfunction]
#[pyo3(signature = (position, player, seed, lines, on_progress, tree_depth, tree_width))]
pub(crate) fn analyze<'py>(
    position: &Bound<'py, PyAny>,
    player: &str,
    seed: u64,
    lines: u32,
    on_progress: Option<Py<PyAny>>,
    tree_depth: u32,
    tree_width: usize,
) -> PyResult<(Bound<'py, PyDict>, Option<Tree>)> {
    let py = position.py();
    let subject = Subject::of(position, &Trouble::new())?;
    let mut player = subject.player(player)?;
    player.budget = player.budget_or(DEFAULT_BUDGET);
    check_number("lines", u64::from(lines), 1..=1000)?;
    check_number("tree_depth", u64::from(tree_depth), 0..=100)?;
    check_number("tree_width", tree_width as u64, 1..=1000)?;
    let Subject { start, board, trouble, .. } = &subject;
    let (analyst, _, dict) = find(py, &subject, &player, (seed, lines), on_progress.as_ref())?;
    let tree = safely(trouble, || {
        let root = analyst.tree(tree_depth, tree_width).filter(|_| subject.over.is_none())?;
        let mover = board.notation().side_name(board.to_move());
        Some(Tree {
            view: TreeView::new(board, &root),
            title: format!("{} · {player}", start.text()),
            subtitle: format!("{mover}, who is to move: visits and chance to win"),
            sides: [Side::First, Side::Second].map(|side| board.notation().side_name(side)),
        })
    })?;
    let guarantee = safely(trouble, || open_guarantee(&subject, &player, &analyst))?;
    dict.set_item("bounds", to_python(py, &guarantee.map(|it| it.json()))?)?;
    dict.set_item("seed", seed)?;
    dict.set_item("repeatable", player.budget.is_repeatable())?;
    Ok((dict, tree))
}

fn check_number(name: &str, value: u64, range: RangeInclusive<u64>) -> PyResult<()> {
    if range.contains(&value) {
        return Ok(());
    }
    let (least, most) = range.into_inner();
    let problem = format!("{name} is {value}; expected a number from {least} to {most}");
    Err(PyValueError::new_err(problem))
}

/// The report about a game that is over.
fn finished(
    board: &Board,
    trouble: &Trouble,
    outcome: treegraft::Outcome,
) -> PyResult<Report<MoveIndex>> {
    let (value, proof) = (outcome.value() as f64, Some(outcome));
    let report = safely(trouble, || Report::of_move(board, None))?;
    Ok(Report { value, proof, ..report })
}

/// The exact value of a position, as a dict.
#[pyfunction]
#[pyo3(signature = (position, player, seconds, memory, on_progress))]
pub(crate) fn solve<'py>(
    position: &Bound<'py, PyAny>,
    player: Option<&str>,
    seconds: Option<f64>,
    memory: Option<u64>,
    on_progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let py = position.py();
    let subject = Subject::of(position, &Trouble::new())?;
    let with = player.map(|text| subject.player(text)).transpose()?;
    if let Some(player) = with.as_ref().filter(|player| !player.search.can_prove()) {
        return Err(PyValueError::new_err(format!(
            "player {:?}: this search proves nothing; expected ab, mtd(f), sss, dual, fsss, \
             mcts-solver or mcts-sb",
            player.to_string()
        )));
    }
    let Subject { board, trouble, .. } = &subject;
    let mut player = safely(trouble, || exact_player(board, with))?;
    if let Some(seconds) = seconds {
        let time = Duration::try_from_secs_f64(seconds).map_err(|_| {
            PyValueError::new_err(format!("seconds is {seconds}; expected a positive number"))
        })?;
        player.budget.time = Some(time);
    }
    if let Some(memory) = memory {
        player.budget.memory = Some(memory);
    }
    let (analyst, report, dict) = find(py, &subject, &player, (0, 1), on_progress.as_ref())?;
    let (proven, bounds) = safely(trouble, || {
        let findings = Findings::new(board, &report, player.search.value_kind());
        let guarantee = open_guarantee(&subject, &player, &analyst);
        (is_solved(&findings, guarantee.as_ref()), guarantee.map(|it| it.json()))
    })?;
    dict.set_item("proven", proven)?;
    dict.set_item("bounds", to_python(py, &bounds)?)?;
    Ok(dict)
}

/// Every step of a search, as a dict.
#[pyfunction]
#[pyo3(signature = (position, player, seed, limit))]
pub(crate) fn trace<'py>(
    position: &Bound<'py, PyAny>,
    player: &str,
    seed: u64,
    limit: u64,
) -> PyResult<Bound<'py, PyDict>> {
    let py = position.py();
    check_number("limit", limit, 1..=1_000_000)?;
    let subject = Subject::of(position, &Trouble::new())?;
    let Subject { registry, start, board, trouble, .. } = &subject;
    let text = player;
    let mut player = subject.player(text)?;
    safely(trouble, || registry.check_trace(start, &player))?.map_err(value_error)?;
    if subject.over.is_some() {
        return Err(PyValueError::new_err("the game is over: there is nothing to search"));
    }
    if let Some(exact) = safely(trouble, || exact_trace_player(board, &player, text))? {
        player = exact;
    }
    // A trace ends with the last event anyway.
    let most = Budget { iterations: Some(100_000), ..Budget::nodes(1_000_000) };
    let budget = player.budget_or(most);
    let has_budget = budget == player.budget;
    check_memory(&budget).map_err(value_error)?;
    let traced = attended_quietly(py, subject.place(&player), trouble, |tell| {
        let mut trace = SearchTrace::new(board, Scale::of(&player), limit, Charset::Unicode);
        let cancel = trouble.cancel();
        let mut seen = 0u32;
        let mut observer = |event: Event<MoveIndex>| {
            // What comes until the search notices that it must stop is not part of it.
            if cancel.load(Ordering::Relaxed) {
                return;
            }
            trace.see(&event);
            seen = seen.wrapping_add(1);
            if seen.is_multiple_of(1024) {
                tell(None);
            }
            if trace.is_full() && !has_budget {
                cancel.store(true, Ordering::Relaxed);
            }
        };
        let request = Request { cancel: Some(cancel), ..Request::new(budget, seed) };
        let report = registry.trace(start, &player, board, request, &mut observer)?;
        Ok::<_, treegraft_players::PlayerError>((trace, report))
    })?;
    let (trace, report) = traced.map_err(value_error)?;
    let words = Words { board, kind: player.search.value_kind(), trouble };
    let dict = PyDict::new(py);
    dict.set_item("report", words.dict(py, &report)?)?;
    dict.set_item("game", start.text())?;
    dict.set_item("player", player.to_string())?;
    dict.set_item("seed", seed)?;
    dict.set_item("scale", trace.scale.key())?;
    dict.set_item("left_out", trace.left_out())?;
    dict.set_item("lines", PyList::new(py, &trace.lines)?)?;
    dict.set_item("events", to_python(py, &trace.json)?)?;
    let svg = safely(trouble, || {
        let first = board.notation().side_name(Side::First);
        let subtitle = match (trace.scale, trace.left_out()) {
            (Scale::Outcome, 0) => format!("visits and chance of {first} to win"),
            (_, 0) => format!("values in the view of {first}"),
            (_, _) => format!("after the first {limit} events"),
        };
        let title = format!("{} · {player}", start.text());
        let (tree, scale) = (&trace.tree, trace.scale);
        TracePicture { title: &title, subtitle: &subtitle, root: board, tree, scale }.draw(None)
    })?;
    dict.set_item("svg", svg)?;
    Ok(dict)
}

/// Whether a game keeps the contract, as a dict.
#[pyfunction]
#[pyo3(signature = (game, walks, samples, seed))]
pub(crate) fn check<'py>(
    game: &Bound<'py, PyAny>,
    walks: Option<u32>,
    samples: Option<u32>,
    seed: u64,
) -> PyResult<Bound<'py, PyAny>> {
    let py = game.py();
    let subject = Subject::of(game, &Trouble::of_check())?;
    let Subject { registry, start, board, trouble, .. } = &subject;
    // A Python game is thousands of times slower.
    let is_own = board.downcast::<OwnPosition>().is_some();
    let usual = match is_own {
        true => Options { walks: 40, samples: 1000, ..Options::default() },
        false => Options::default(),
    };
    let options = Options {
        walks: walks.unwrap_or(usual.walks),
        samples: samples.unwrap_or(usual.samples),
        seed,
    };
    if options.walks == 0 {
        return Err(PyValueError::new_err("walks is 0; expected at least one random game"));
    }
    let place = if is_own { Place::Here } else { Place::Thread };
    let report = attended_quietly(py, place, trouble, |tell| {
        registry.check(start, &options, &mut |_| {
            tell(None);
            if trouble.cancel().load(Ordering::Relaxed) {
                trouble.leave();
            }
        })
    })?;
    let law = |law: &Law| -> Value {
        json!({
            "name": law.name,
            "statement": law.statement,
            "result": match law.verdict() {
                Verdict::Held => "ok",
                Verdict::Failed => "failed",
                Verdict::Undecided => "undecided",
                Verdict::Untested => "untested",
            },
            "checked": law.checked,
            "problem": law.failure.as_ref().map(|failure| &failure.problem),
            "moves": law.failure.as_ref().map(|failure| &failure.moves),
        })
    };
    let value = json!({
        "game": start.text(),
        "passed": report.passed(),
        "walks": report.walks,
        "positions": report.positions,
        "laws": report.laws.iter().map(law).collect::<Vec<_>>(),
    });
    to_python(py, &value)
}

/// The canonical text of a player that can search a position; refuses others.
#[pyfunction]
pub(crate) fn player_text(position: &Bound<'_, PyAny>, player: &str) -> PyResult<String> {
    let subject = Subject::of(position, &Trouble::new())?;
    let player = subject.player(player)?;
    let Subject { registry, start, trouble, .. } = &subject;
    safely(trouble, || registry.searcher(start, &player))?.map_err(value_error)?;
    Ok(player.to_string())
}
