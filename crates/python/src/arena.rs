//! Games between players: matches, experiments and their reports.

use std::path::{Path, PathBuf};

use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use serde_json::{Map, Value, json};
use treegraft_lab::report::{comparison, report as report_of, times};
use treegraft_lab::{
    GameFile, LoadedExperiment, Match, MatchError, Progress, Record, RunError, RunOptions,
    RunProgress, RunWatch, Standing, Store, StoreError, Watch, run as run_plan, run_match,
};
use treegraft_pictures::table::Format;
use treegraft_players::{Player, Registry};
use treegraft_stats::Evidence;

use crate::attend::{Place, Trouble, attended, listen, safely};
use crate::json::to_python;
use crate::own::OwnPosition;
use crate::position::Position;
use crate::registry::{Registered, value_error};
use crate::subject::Subject;

/// The result of a match, as a dict.
#[pyfunction]
#[pyo3(signature = (game, a, b, games, seed, jobs, opening_plies, on_progress))]
#[expect(clippy::too_many_arguments, reason = "the Python function has names for them")]
pub(crate) fn play_match<'py>(
    game: &Bound<'py, PyAny>,
    a: &str,
    b: &str,
    games: u32,
    seed: u64,
    jobs: Option<usize>,
    opening_plies: u32,
    on_progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = game.py();
    if let Ok(position) = game.cast::<Position>()
        && !position.get().node.playthrough().moves().is_empty()
    {
        return Err(PyValueError::new_err(
            "a match begins at the start of a game; this position has a history",
        ));
    }
    for (name, value, most) in
        [("games", games, 10_000_000), ("opening_plies", opening_plies, 10_000)]
    {
        if value > most {
            let problem = format!("{name} is {value}; expected a number up to {most}");
            return Err(PyValueError::new_err(problem));
        }
    }
    check_jobs(jobs)?;
    let subject = Subject::of(game, &Trouble::new())?;
    let (a, b) = (subject.player(a)?, subject.player(b)?);
    let Subject { registry, start, board, trouble, .. } = &subject;
    // Python code runs on one thread at a time anyway.
    let is_own = board.downcast::<OwnPosition>().is_some();
    let by_time = [&a, &b].into_iter().any(Player::is_timed);
    let jobs = jobs.unwrap_or(usize::from(by_time || is_own));
    let setup = Match { start: start.clone(), a, b, games, seed, jobs, opening_plies };
    let is_heard = on_progress.is_some();
    let hear = |py: Python<'_>, news: Value| {
        listen(py, on_progress.as_ref(), trouble, || to_python(py, &news))
    };
    let result = attended(py, Place::Thread, trouble, hear, |tell| {
        let mut progress = |it: &Progress| {
            tell(is_heard.then(|| {
                json!({
                    "games": it.games,
                    "played": it.tally.games(),
                    "wins": it.tally.wins,
                    "draws": it.tally.draws,
                    "losses": it.tally.losses,
                    "score": it.tally.score(),
                    "ci95": [it.ci95.low, it.ci95.high],
                })
            }));
        };
        let watch = Watch { progress: Some(&mut progress), cancel: Some(trouble.cancel()) };
        run_match(registry, &setup, watch)
    })?;
    let result = result.map_err(|error| match error {
        MatchError::Game { .. } | MatchError::Threads(_) => {
            PyRuntimeError::new_err(error.to_string())
        }
        error => value_error(error),
    })?;
    to_python(py, &result)
}

fn check_jobs(jobs: Option<usize>) -> PyResult<()> {
    match jobs {
        Some(jobs @ 1025..) => {
            Err(PyValueError::new_err(format!("jobs is {jobs}; expected a number up to 1024")))
        }
        _ => Ok(()),
    }
}

/// An experiment with a registry for it.
pub(crate) struct Opened {
    pub(crate) registry: Registry,
    pub(crate) loaded: LoadedExperiment,
    pub(crate) store: PathBuf,
    trouble: Trouble,
}

impl Opened {
    pub(crate) fn new(path: &Path, store: Option<PathBuf>) -> PyResult<Opened> {
        let trouble = Trouble::new();
        let registered = Registered::now();
        let load = |texts: &[&str]| {
            let registry = registered.registry(&trouble, texts)?;
            let loaded = safely(&trouble, || LoadedExperiment::load(path, &registry))?;
            Ok::<_, PyErr>((loaded.map_err(value_error)?, registry))
        };
        let (mut loaded, mut registry) = load(&[])?;
        if registered.has_evaluations() {
            // Positions that evaluations see know the text of their game.
            let plan = loaded.experiment.plan.clone();
            let mut texts: Vec<&str> =
                plan.pairings.iter().map(|pairing| pairing.game.as_str()).collect();
            texts.sort_unstable();
            texts.dedup();
            (loaded, registry) = load(&texts)?;
        }
        let store = store.unwrap_or_else(|| path.with_extension("db"));
        Ok(Opened { registry, loaded, store, trouble })
    }
}

pub(crate) fn store_error(error: &StoreError) -> PyErr {
    match error {
        StoreError::Sqlite { .. } | StoreError::File { .. } | StoreError::Gone { .. } => {
            PyOSError::new_err(error.to_string())
        }
        error => value_error(error),
    }
}

pub(crate) fn run_error(error: RunError) -> PyErr {
    match error {
        RunError::Store(error) => store_error(&error),
        RunError::OtherVersion { .. } => value_error(error),
        error => PyRuntimeError::new_err(error.to_string()),
    }
}

/// Plays what is missing of an experiment, and says how much there was.
#[pyfunction]
#[pyo3(signature = (path, store, jobs, mix_versions, on_progress))]
pub(crate) fn run<'py>(
    py: Python<'py>,
    path: PathBuf,
    store: Option<PathBuf>,
    jobs: Option<usize>,
    mix_versions: bool,
    on_progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    check_jobs(jobs)?;
    let opened = Opened::new(&path, store)?;
    let Opened { registry, loaded, trouble, .. } = &opened;
    let plan = &loaded.experiment.plan;
    let is_timed = |player: &Player| !player.budget.is_repeatable();
    let by_time = plan.pairings.iter().flat_map(|pairing| &pairing.players).any(is_timed);
    let jobs = jobs.unwrap_or(usize::from(by_time));
    plan.check_memory(jobs).map_err(value_error)?;
    let mut store =
        Store::open_or_create(&opened.store, &loaded.text).map_err(|error| store_error(&error))?;
    let is_heard = on_progress.is_some();
    let hear = |py: Python<'_>, news: Value| {
        listen(py, on_progress.as_ref(), trouble, || to_python(py, &news))
    };
    let summary = attended(py, Place::Thread, trouble, hear, |tell| {
        let stop = |_: usize, pairs: &Evidence| loaded.is_decided(pairs);
        let options = RunOptions {
            jobs,
            stop: loaded.sprt.is_some().then_some(&stop),
            mix_versions,
            record: loaded.experiment.record == Record::Thinking,
            experiment: &loaded.text,
            revision: "",
        };
        let mut progress = |it: &RunProgress<'_>| {
            tell(is_heard.then(|| progress_json(loaded, it)));
        };
        let watch = RunWatch { progress: Some(&mut progress), cancel: Some(trouble.cancel()) };
        run_plan(registry, &loaded.pairs, &mut store, options, watch)
    })?;
    let summary = summary.map_err(run_error)?;
    let value = json!({
        "planned": summary.planned,
        "found": summary.found,
        "played": summary.played,
        "cancelled": summary.cancelled,
        "seconds": summary.seconds,
        "store": opened.store.display().to_string(),
    });
    to_python(py, &value)
}

fn progress_json(loaded: &LoadedExperiment, now: &RunProgress<'_>) -> Value {
    json!({
        "pairs": now.done,
        "planned": now.planned,
        "played": now.played,
        "seconds": now.seconds,
        "games_per_second": now.games_per_second(),
        "standings": standings_json(loaded, now.standings),
    })
}

/// How each pairing stands.
pub(crate) fn standings_json(loaded: &LoadedExperiment, standings: &[Standing]) -> Value {
    let standing = |(index, standing): (usize, &Standing)| {
        let pairing = &loaded.experiment.plan.pairings[index];
        let evidence = standing.evidence();
        let ci95 = evidence.wilson95();
        json!({
            "game": pairing.game,
            "a": pairing.names[0],
            "b": pairing.names[1],
            "games": standing.tally.games(),
            "score": evidence.pairs.score(),
            "ci95": [ci95.low, ci95.high],
            "decided": standing.decided.is_some(),
        })
    };
    standings.iter().enumerate().map(standing).collect()
}

/// The tables and plots of an experiment, as a dict.
#[pyfunction]
#[pyo3(signature = (path, store, with_times, compare))]
pub(crate) fn report<'py>(
    py: Python<'py>,
    path: PathBuf,
    store: Option<PathBuf>,
    with_times: bool,
    compare: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let opened = Opened::new(&path, store)?;
    let Opened { loaded, store, .. } = &opened;
    let no_games = || {
        let store = store.display();
        PyValueError::new_err(format!(
            "no games of this experiment are in {store}; treegraft.run plays them"
        ))
    };
    let rows = match GameFile::open(store) {
        Ok(file) => file.rows().map_err(|error| store_error(&error))?,
        Err(StoreError::Missing { .. }) => return Err(no_games()),
        Err(error) => return Err(store_error(&error)),
    };
    let counted = loaded.counted(&rows);
    if counted.is_empty() {
        return Err(no_games());
    }
    let mut report = report_of(&loaded.experiment, &counted);
    if with_times {
        report.tables.push(("times", times(&loaded.experiment, &counted)));
    }
    if let Some(row) = compare {
        let table = comparison(&loaded.experiment, &counted, row).ok_or_else(|| {
            let rows = loaded.experiment.plan.pairings.len();
            PyValueError::new_err(format!("compare is {row}; expected a row from 1 to {rows}"))
        })?;
        report.tables.push(("comparison", table));
    }
    let tables = report.tables.iter().map(|(name, table)| ((*name).to_owned(), table.to_json()));
    let plots = report.plots.iter().map(|(name, plot)| ((*name).to_owned(), plot.svg().into()));
    let value = json!({
        "title": report.title,
        "tables": tables.collect::<Map<String, Value>>(),
        "plots": plots.collect::<Map<String, Value>>(),
        "text": report.render(Format::Text),
        "games": rows,
    });
    to_python(py, &value)
}

/// All games, as dicts.
#[pyfunction]
pub(crate) fn games(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let registry = Registered::now().registry(&Trouble::new(), &[])?;
    to_python(py, &registry.entries().map(treegraft_lab::json::game).collect::<Value>())
}

/// All players, as dicts.
#[pyfunction]
pub(crate) fn players(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let registry = Registered::now().registry(&Trouble::new(), &[])?;
    to_python(py, &registry.players())
}
