//! The experiments of a folder: their tables and plots, live while they run, and their games.

use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};
use treegraft_lab::json::with_schema;
use treegraft_lab::report::{ExperimentReport, report};
use treegraft_lab::store::StoredGame;
use treegraft_lab::{GameFile, KeptGame, LoadedExperiment, StoreError};
use treegraft_pictures::table::Format;
use treegraft_players::Registry;
use treegraft_studies::annotate::{Annotate, AnnotateWatch, annotate};
use treegraft_studies::json::Annotated;

use crate::State;
use crate::answer::{Refusal, json_response, read, svg_response};
use crate::api::{Place, allow_engine, allowed};
use crate::folder::{Folder, Stamp, is_experiment, stamp, store_of};
use crate::jobs::Out;
use crate::markdown::to_html;
use crate::pool::lock;
use crate::routes::{Next, Outcome};

/// Maximum number of games that are listed at once.
const PAGE: usize = 50;
/// Maximum number of reports that are kept.
const REPORTS: usize = 8;
/// How often a store is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(500);

fn folder(state: &State) -> Result<&Folder, Refusal> {
    state.folder.as_ref().ok_or_else(|| {
        let message = "no folder is shown; `treegraft serve --dir FOLDER` shows one";
        Refusal::with(StatusCode::NOT_FOUND, message)
    })
}

/// All files, and the titles of those that say what they are.
pub(crate) fn list(state: &State, _: &[u8]) -> Outcome {
    let nothing = || json!({ "folder": null, "files": [] });
    let listed = state.folder.as_ref().map(|folder| folder.list(&state.registry));
    Ok(Next::json(&listed.unwrap_or_else(nothing)))
}

/// Reads the folder on a thread of its own, so that nobody waits for it later.
pub(crate) fn warm(state: &Arc<State>) -> io::Result<()> {
    let state = Arc::clone(state);
    let read = move || drop(state.folder.as_ref().map(|folder| folder.list(&state.registry)));
    std::thread::Builder::new().spawn(read).map(drop)
}

#[derive(Deserialize)]
struct FileAsked {
    file: String,
    #[serde(default)]
    number: usize,
    #[serde(default)]
    plot: String,
}

/// The games of a file; a link in place of a store is not followed.
pub(crate) fn open_games(path: &Path) -> Result<GameFile, Refusal> {
    let store = store_of(path);
    if store.is_symlink() {
        return Err(Refusal::with(StatusCode::FORBIDDEN, "links are not followed"));
    }
    Ok(GameFile::open(&store)?)
}

/// What an experiment came to so far: how far it is, tables and the names of plots.
#[derive(Debug)]
pub(crate) struct SoFar {
    status: Value,
    report: Option<ExperimentReport>,
}

/// What a file came to so far; nothing if it does not say what its games were played for.
fn so_far(registry: &Registry, path: &Path) -> Result<Option<SoFar>, Refusal> {
    let store = store_of(path);
    let file = store.is_file().then(|| open_games(path)).transpose()?;
    let (rows, last) = match &file {
        None => (Vec::new(), None),
        Some(file) => (file.rows()?, file.sessions()?.pop().map(|(_, session)| session)),
    };
    let loaded = match is_experiment(path) {
        true => LoadedExperiment::load(path, registry)?,
        // Stores and ledgers keep the text of the experiment.
        false => {
            let text = match &file {
                Some(GameFile::Ledger(ledger)) => ledger.experiment.clone(),
                _ => last.as_ref().map(|last| last.experiment.clone()).unwrap_or_default(),
            };
            match LoadedExperiment::parse(text, &path.to_string_lossy(), registry) {
                Ok(loaded) => loaded,
                Err(_) => return Ok(None),
            }
        }
    };
    let standings = loaded.standings(&rows);
    // The name is enough: the page need not show where the folder is.
    let name = store.file_name().map(Path::new).unwrap_or(&store);
    let status = treegraft_lab::json::status(&loaded, name, &standings, last.as_ref());
    let counted = loaded.counted(&rows);
    let report = (!counted.is_empty()).then(|| report(&loaded.experiment, &counted));
    Ok(Some(SoFar { status: with_schema("treegraft.status/1", &status), report }))
}

/// What was said last about some files: plots are requested one by one.
#[derive(Debug, Default)]
pub(crate) struct Reports(Mutex<VecDeque<(Mark, Arc<Option<SoFar>>)>>);

/// A file and when it, its store and what stands beside that were written.
type Mark = (PathBuf, Option<Stamp>, [Option<Stamp>; 2]);

impl Reports {
    /// What a file came to so far, made anew if something was written.
    fn so_far(&self, registry: &Registry, path: &Path) -> Result<Arc<Option<SoFar>>, Refusal> {
        let mark: Mark = (path.to_owned(), stamp(path), last_change(path));
        if let Some((_, known)) = lock(&self.0).iter().find(|(known, _)| *known == mark) {
            return Ok(Arc::clone(known));
        }
        let made = Arc::new(so_far(registry, path)?);
        let mut kept = lock(&self.0);
        kept.retain(|((known, ..), _)| *known != mark.0);
        kept.truncate(REPORTS - 1);
        kept.push_front((mark, Arc::clone(&made)));
        Ok(made)
    }
}

impl SoFar {
    fn json(&self) -> Value {
        let report = self.report.as_ref();
        let names: Vec<&String> =
            report.iter().flat_map(|report| report.plots.iter().map(|(name, _)| name)).collect();
        let tables = report.map(|report| with_schema("treegraft.report/1", &report.to_json()));
        let html = report.map(|report| to_html(&report.render(Format::Markdown), |_| None));
        json!({ "status": self.status, "report": tables, "tables": html, "plots": names })
    }
}

/// The state of a file, and again whenever its store has changed.
pub(crate) fn watch(state: &State, body: &[u8]) -> Outcome {
    let FileAsked { file, .. } = read(body)?;
    let path = folder(state)?.find(&file)?;
    Ok(Next::watch(move |state, out| watch_file(state, &path, out)))
}

fn watch_file(state: &State, path: &Path, out: &Out) -> Result<(), Refusal> {
    let reports = &folder(state)?.reports;
    let mut before = None;
    while !out.is_cancelled() {
        let now = last_change(path);
        if before != Some(now) {
            let nothing = || json!({ "status": null, "report": null, "tables": null, "plots": [] });
            let found = reports.so_far(&state.registry, path)?;
            out.send("state", found.as_ref().as_ref().map_or_else(nothing, SoFar::json));
            before = Some(now);
        }
        out.rest(LOOK_EVERY);
    }
    Ok(())
}

/// When a store or what stands beside it was last written, and how large both are.
fn last_change(path: &Path) -> [Option<Stamp>; 2] {
    let store = store_of(path);
    let mut beside = store.clone().into_os_string();
    beside.push("-wal");
    [store, beside.into()].map(|path| stamp(&path))
}

/// A plot of an experiment.
pub(crate) fn plot(state: &State, body: &[u8]) -> Outcome {
    let FileAsked { file, plot, .. } = read(body)?;
    let folder = folder(state)?;
    let so_far = folder.reports.so_far(&state.registry, &folder.find(&file)?)?;
    let report = so_far.as_ref().as_ref().and_then(|found| found.report.as_ref());
    let mut plots = report.into_iter().flat_map(|report| &report.plots);
    let found = plots.find(|(name, _)| *name == plot);
    let (_, plot) = found.ok_or_else(|| Refusal::bad(format!("there is no plot {plot:?}")))?;
    Ok(Next::Answer(svg_response(plot.svg())))
}

/// A page of the games of a file, from `number` on.
pub(crate) fn games(state: &State, body: &[u8]) -> Outcome {
    let FileAsked { file, number, .. } = read(body)?;
    let path = folder(state)?.find(&file)?;
    let file = match open_games(&path) {
        Ok(file) => file,
        Err(_) if !store_of(&path).exists() => {
            return Ok(Next::json(&json!({"all": 0, "games": []})));
        }
        Err(refusal) => return Err(refusal),
    };
    let all = file.results()?.len();
    let from = number.max(1);
    let listed = |number: usize| -> Result<Option<Value>, StoreError> {
        Ok(file.game(number)?.map(|game| game_json(number, &game)))
    };
    let games: Result<Vec<Option<Value>>, StoreError> =
        (from..from.saturating_add(PAGE).min(all + 1)).map(listed).collect();
    let games: Vec<Value> = games?.into_iter().flatten().collect();
    Ok(Next::json(&json!({ "all": all, "games": games })))
}

fn game_json(number: usize, game: &StoredGame) -> Value {
    let row = &game.row;
    json!({
        "number": number,
        "game": row.game,
        "first_player": row.sides[0].player,
        "second_player": row.sides[1].player,
        "outcome": row.outcome,
        "ended_by": row.end,
        "plies": row.plies,
    })
}

/// Whether the moves of a game are not kept, so that it must be played again to be seen, which may need
/// engines.
fn must_be_played(state: &State, file: &GameFile, number: usize) -> Result<bool, Refusal> {
    let Some(game) = file.game(number)?.filter(|game| game.row.is_digest_only()) else {
        return Ok(false);
    };
    let is_engine = |text: &str| text.trim_start().starts_with("engine");
    if game.row.sides.iter().any(|side| is_engine(&side.player)) {
        allow_engine(state)?;
    }
    Ok(true)
}

/// A game of a file.
fn kept(
    state: &State,
    path: &Path,
    number: usize,
    cancel: &AtomicBool,
) -> Result<KeptGame, Refusal> {
    let file = open_games(path)?;
    must_be_played(state, &file, number)?;
    Ok(KeptGame::read(&state.registry, &file, number, Some(cancel))?)
}

/// A game, move by move.
pub(crate) fn replay(state: &State, body: &[u8]) -> Outcome {
    let FileAsked { file, number, .. } = read(body)?;
    let path = folder(state)?.find(&file)?;
    let file = open_games(&path)?;
    let answer = |kept: &KeptGame| {
        json_response(&with_schema("treegraft.replay/1", &treegraft_lab::json::replay(kept)))
    };
    if must_be_played(state, &file, number)? {
        return Ok(Next::think(move |state, cancel| {
            Ok(answer(&kept(state, &path, number, cancel)?))
        }));
    }
    Ok(Next::Answer(answer(&KeptGame::read(&state.registry, &file, number, None)?)))
}

#[derive(Deserialize)]
struct AnnotateAsked {
    /// A stored game…
    #[serde(default)]
    file: Option<String>,
    #[serde(default)]
    number: usize,
    /// … or one on the board.
    #[serde(default)]
    place: Option<Place>,
    with: String,
    #[serde(default)]
    seed: u64,
}

/// What a player says about every move of a game, and how far it is on the way.
pub(crate) fn annotated(state: &State, body: &[u8]) -> Outcome {
    let asked: AnnotateAsked = read(body)?;
    let player = allowed(state, &asked.with)?;
    let path = asked.file.as_ref().map(|name| folder(state)?.find(name)).transpose()?;
    Ok(Next::search(move |state, out| {
        let registry = &state.registry;
        let kept = path.map(|path| kept(state, &path, asked.number, &out.cancel)).transpose()?;
        let (start, game) = match (&kept, &asked.place) {
            (Some(kept), _) => (kept.start.clone(), kept.game.clone()),
            (None, Some(place)) => place.find(registry)?,
            (None, None) => return Err(Refusal::bad("expected a file or a place")),
        };
        let opening_plies = kept.as_ref().map_or(0, |kept| kept.row.opening_plies as usize);
        let how = Annotate { seed: asked.seed, opening_plies, ..Annotate::new(player.clone()) };
        let mut progress = |done: usize, all: usize| {
            out.offer("progress", || move || json!({"done": done, "all": all}));
        };
        let watch = AnnotateWatch { progress: Some(&mut progress), cancel: Some(&out.cancel) };
        let annotation = annotate(registry, &start, &game, &how, watch)?;
        let about = Annotated {
            game: start.text(),
            played: &game,
            kept: kept.as_ref(),
            player: &player,
            seed: how.seed,
            max_level: how.trap_level,
            solve_nodes: how.solve_nodes,
        };
        let thoughts = kept.as_ref().map_or(&[][..], |kept| &kept.thoughts);
        let svg = annotation.plot(&about.title(), thoughts).svg();
        let object = with_schema("treegraft.annotate/1", &about.json(&annotation));
        out.send("annotate", json!({ "annotation": object, "svg": svg }));
        Ok(())
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_made_again_only_when_something_was_written() {
        let place = std::env::temp_dir().join(format!("treegraft-report-{}", std::process::id()));
        std::fs::create_dir_all(&place).expect("a folder");
        let text = "game = \"connect4\"\ngames = 2\nplayers = [\"random\", \"greedy\"]\n";
        let registry = Registry::standard();
        let folder = Folder::open(&place).expect("a folder");
        let so_far = |name: &str| {
            let path = place.join(format!("{name}.toml"));
            if !path.exists() {
                std::fs::write(&path, text).expect("a file");
            }
            folder.reports.so_far(&registry, &path).expect("a report")
        };
        let first = so_far("a");
        assert!(Arc::ptr_eq(&first, &so_far("a")));
        std::fs::write(place.join("a.toml"), format!("{text}seed = 7\n")).expect("a file");
        let second = so_far("a");
        assert!(!Arc::ptr_eq(&first, &second));
        for number in 0..REPORTS {
            so_far(&number.to_string());
        }
        assert_eq!(lock(&folder.reports.0).len(), REPORTS);
        assert!(!Arc::ptr_eq(&second, &so_far("a")));
        std::fs::remove_dir_all(&place).expect("a folder");
    }
}
