//! The experiments of a folder: their tables and plots, live while they run, and their games.
//!
//! A file is found by its name in a list of the folder that is made anew for every request. Links are
//! not followed, so that nothing outside of the folder can be requested.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use axum::body::Bytes;
use axum::extract::State as Shared;
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
use crate::answer::{Answer, Refusal, json_response, read, svg_response};
use crate::api::{Asked, Place, allow_engine, allowed};
use crate::jobs::Out;
use crate::markdown::to_html;

/// Maximum depth of folders below the folder that are searched.
const DEEPEST: usize = 4;
/// Maximum number of files that are listed.
const MAX_FILES: usize = 500;
/// Maximum number of games that are listed at once.
const PAGE: usize = 50;
/// How often a store is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// The folder whose experiments are shown.
#[derive(Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn open(path: &Path) -> io::Result<Folder> {
        let path = path.canonicalize()?;
        std::fs::read_dir(&path)?;
        Ok(Folder(path))
    }

    /// The names of all experiments, stores and ledgers, in order.
    fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        self.list(&self.0, 0, &mut names);
        names.sort();
        names
    }

    fn list(&self, folder: &Path, depth: usize, names: &mut Vec<String>) {
        let Ok(entries) = std::fs::read_dir(folder) else { return };
        for entry in entries.flatten() {
            // The kind of the entry itself: that of a link is neither.
            let Ok(kind) = entry.file_type() else { continue };
            let path = entry.path();
            if kind.is_dir() && depth < DEEPEST {
                self.list(&path, depth + 1, names);
            }
            let ending = path.extension().and_then(|ending| ending.to_str());
            let is_one = kind.is_file() && matches!(ending, Some("toml" | "db" | "ledger"));
            let inside = path.strip_prefix(&self.0).ok().and_then(Path::to_str);
            if let (true, Some(name), true) = (is_one, inside, names.len() < MAX_FILES) {
                names.push(name.to_owned());
            }
        }
    }

    /// The path of a file that is listed.
    fn find(&self, name: &str) -> Result<PathBuf, Refusal> {
        let is_listed = self.names().iter().any(|listed| listed == name);
        is_listed.then(|| self.0.join(name)).ok_or_else(|| {
            Refusal::with(StatusCode::NOT_FOUND, format!("there is no file {name:?} here"))
        })
    }
}

fn folder(state: &State) -> Result<&Folder, Refusal> {
    state.folder.as_ref().ok_or_else(|| {
        let message = "no folder is shown; `treegraft serve --dir FOLDER` shows one";
        Refusal::with(StatusCode::NOT_FOUND, message)
    })
}

/// All files, and the titles of those that say what they are.
pub(crate) async fn list(Shared(state): Asked) -> Answer {
    Ok(json_response(&state.run(|state, _| Ok(listing(state))).await?))
}

fn listing(state: &State) -> Value {
    let Some(folder) = &state.folder else { return json!({ "folder": null, "files": [] }) };
    let files = folder.names().into_iter().filter_map(|name| {
        let path = folder.0.join(&name);
        match path.extension().and_then(|ending| ending.to_str()) {
            // A file of another kind may end like this too.
            Some("toml") => {
                let loaded = LoadedExperiment::load(&path, &state.registry).ok()?;
                let has_games = is_own_file(&store_of(&path));
                let title = loaded.experiment.title;
                let kind = "experiment";
                Some(json!({"name": name, "kind": kind, "title": title, "games": has_games}))
            }
            Some("db") if is_own_file(&path.with_extension("toml")) => None,
            Some(kind) => Some(json!({"name": name, "kind": kind, "title": name, "games": true})),
            None => None,
        }
    });
    let shown = folder.0.file_name().map(|name| name.to_string_lossy());
    json!({ "folder": shown, "files": files.collect::<Vec<_>>() })
}

#[derive(Deserialize)]
struct FileAsked {
    file: String,
    #[serde(default)]
    number: usize,
    #[serde(default)]
    plot: String,
}

fn is_experiment(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "toml")
}

/// Whether there is a file and not a link, which is neither followed nor listed.
fn is_own_file(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|about| about.is_file())
}

/// The store of an experiment file, or the file itself.
fn store_of(path: &Path) -> PathBuf {
    if is_experiment(path) { path.with_extension("db") } else { path.to_owned() }
}

/// The games of a file; a link in place of a store is not followed.
fn open_games(path: &Path) -> Result<GameFile, Refusal> {
    let store = store_of(path);
    if store.is_symlink() {
        return Err(Refusal::with(StatusCode::FORBIDDEN, "links are not followed"));
    }
    Ok(GameFile::open(&store)?)
}

/// What an experiment came to so far: how far it is, tables and the names of plots.
struct SoFar {
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
pub(crate) async fn watch(Shared(state): Asked, body: Bytes) -> Answer {
    let FileAsked { file, .. } = read(&body)?;
    let path = folder(&state)?.find(&file)?;
    state.watch(move |state, out| watch_file(&state.registry, &path, out))
}

fn watch_file(registry: &Registry, path: &Path, out: &Out) -> Result<(), Refusal> {
    let mut before = None;
    while !out.is_cancelled() {
        let now = last_change(path);
        if before != Some(now) {
            let nothing = || json!({ "status": null, "report": null, "tables": null, "plots": [] });
            let state = so_far(registry, path)?;
            out.send("state", state.map_or_else(nothing, |state| state.json()));
            before = Some(now);
        }
        std::thread::sleep(LOOK_EVERY);
    }
    Ok(())
}

/// When a store or what stands beside it was last written, and how large both are.
fn last_change(path: &Path) -> [Option<(SystemTime, u64)>; 2] {
    let store = store_of(path);
    let mut beside = store.clone().into_os_string();
    beside.push("-wal");
    [store, beside.into()].map(|path| {
        let about = std::fs::metadata(path).ok()?;
        Some((about.modified().ok()?, about.len()))
    })
}

/// A plot of an experiment.
pub(crate) async fn plot(Shared(state): Asked, body: Bytes) -> Answer {
    let FileAsked { file, plot, .. } = read(&body)?;
    let path = folder(&state)?.find(&file)?;
    let svg = state.run(move |state, _| {
        let report = so_far(&state.registry, &path)?.and_then(|found| found.report);
        let plots = report.map(|report| report.plots).unwrap_or_default();
        let found = plots.into_iter().find(|(name, _)| *name == plot);
        let (_, plot) = found.ok_or_else(|| Refusal::bad(format!("there is no plot {plot:?}")))?;
        Ok(plot.svg())
    });
    Ok(svg_response(svg.await?))
}

/// A page of the games of a file, from `number` on.
pub(crate) async fn games(Shared(state): Asked, body: Bytes) -> Answer {
    let FileAsked { file, number, .. } = read(&body)?;
    let path = folder(&state)?.find(&file)?;
    let answer = state.run(move |_, _| {
        let file = match open_games(&path) {
            Ok(file) => file,
            Err(_) if !store_of(&path).exists() => return Ok(json!({"all": 0, "games": []})),
            Err(refusal) => return Err(refusal),
        };
        let all = file.results()?.len();
        let from = number.max(1);
        let listed = |number: usize| -> Result<Option<Value>, StoreError> {
            Ok(file.game(number)?.map(|game| game_json(number, &game)))
        };
        let games: Result<Vec<Option<Value>>, StoreError> =
            (from..(from + PAGE).min(all + 1)).map(listed).collect();
        Ok(json!({ "all": all, "games": games?.into_iter().flatten().collect::<Vec<_>>() }))
    });
    Ok(json_response(&answer.await?))
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

/// A game of a file. One that must be played again to be seen may need engines.
fn kept(
    state: &State,
    path: &Path,
    number: usize,
    cancel: &std::sync::atomic::AtomicBool,
) -> Result<KeptGame, Refusal> {
    let file = open_games(path)?;
    let needs_engine = file.game(number)?.is_some_and(|game| {
        let has_engine = |text: &str| text.trim_start().starts_with("engine");
        game.row.is_digest_only() && game.row.sides.iter().any(|side| has_engine(&side.player))
    });
    if needs_engine {
        allow_engine(state)?;
    }
    Ok(KeptGame::read(&state.registry, &file, number, Some(cancel))?)
}

/// A game, move by move.
pub(crate) async fn replay(Shared(state): Asked, body: Bytes) -> Answer {
    let FileAsked { file, number, .. } = read(&body)?;
    let path = folder(&state)?.find(&file)?;
    let object = state.run(move |state, cancel| {
        let kept = kept(state, &path, number, cancel)?;
        Ok(treegraft_lab::json::replay(&kept))
    });
    Ok(json_response(&with_schema("treegraft.replay/1", &object.await?)))
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
pub(crate) async fn annotated(Shared(state): Asked, body: Bytes) -> Answer {
    let asked: AnnotateAsked = read(&body)?;
    let player = allowed(&state, &asked.with)?;
    let path = asked.file.as_ref().map(|name| folder(&state)?.find(name)).transpose()?;
    state.search(move |state, out| {
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
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_outside_of_the_folder_is_found() {
        let place = std::env::temp_dir().join(format!("treegraft-folder-{}", std::process::id()));
        let inside = place.join("inside/deeper");
        std::fs::create_dir_all(&inside).expect("a folder");
        for path in ["secret.toml", "inside/a.toml", "inside/deeper/b.ledger", "inside/c.txt"] {
            std::fs::write(place.join(path), "").expect("a file");
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::symlink;
            symlink(place.join("secret.toml"), place.join("inside/link.toml")).expect("a link");
            symlink(&place, place.join("inside/up")).expect("a link");
        }
        let folder = Folder::open(&place.join("inside")).expect("a folder");
        assert_eq!(folder.names(), ["a.toml", "deeper/b.ledger"]);
        assert!(folder.find("a.toml").is_ok());
        for name in ["../secret.toml", "link.toml", "up/secret.toml", "c.txt", "/etc/passwd", ""] {
            assert!(folder.find(name).is_err(), "{name}");
        }
        std::fs::remove_dir_all(&place).expect("a folder");
    }

    #[test]
    #[cfg(unix)]
    fn a_link_beside_a_file_changes_nothing() {
        use std::os::unix::fs::symlink;
        let place = std::env::temp_dir().join(format!("treegraft-links-{}", std::process::id()));
        let inside = place.join("inside");
        std::fs::create_dir_all(&inside).expect("a folder");
        let experiment = "game = \"connect4\"\ngames = 2\nplayers = [\"random\", \"greedy\"]\n";
        std::fs::write(place.join("other.toml"), experiment).expect("a file");
        std::fs::write(place.join("other.db"), "").expect("a file");
        // An experiment whose store is elsewhere, and a store whose experiment is.
        std::fs::write(inside.join("a.toml"), experiment).expect("a file");
        symlink(place.join("other.db"), inside.join("a.db")).expect("a link");
        std::fs::write(inside.join("b.db"), "").expect("a file");
        symlink(place.join("other.toml"), inside.join("b.toml")).expect("a link");
        let state = State {
            registry: Registry::standard().into(),
            folder: Some(Folder::open(&inside).expect("a folder")),
            jobs: crate::jobs::Jobs::default(),
            hosts: Vec::new(),
            allows_engines: false,
        };
        let listed = listing(&state);
        let file =
            |number: usize| (&listed["files"][number]["name"], &listed["files"][number]["games"]);
        assert_eq!(file(0), (&"a.toml".into(), &false.into()), "{listed}");
        assert_eq!(file(1), (&"b.db".into(), &true.into()), "{listed}");
        assert!(open_games(&inside.join("a.toml")).is_err());
        std::fs::remove_dir_all(&place).expect("a folder");
    }
}
