//! What an experiment of the catalogue comes to at a scale.

use std::collections::HashSet;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use treegraft_lab::{GameFile, GameRow, LoadedExperiment, PlannedPair, StoreError};
use treegraft_players::Registry;
use treegraft_studies::traps::TrapStudy;
use treegraft_studies::trees::{Heights, TreeStudy};

use crate::catalogue::{Entry, Kind};
use crate::folder::Place;
use crate::outcome::Outcome;
use crate::published::Published;
use crate::scale::{BudgetMode, Scale, scaled};
use crate::study::{
    SpeedStudy, StudyResult, StudyWatch, run_traps, run_trees, trap_text, tree_text,
};

/// What is to be done for an experiment.
#[derive(Clone, Debug)]
pub enum Task {
    /// Play the games of an experiment file.
    Games(Box<LoadedExperiment>),
    /// Play games and look for traps.
    Traps(Vec<TrapStudy>),
    /// Search trees; a curve goes through these heights.
    Trees(TreeStudy, Option<Heights>),
    /// Measure speeds.
    Speeds(SpeedStudy),
}

/// Why an experiment cannot be run or read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TaskError(String);

impl TaskError {
    pub(crate) fn new(error: impl Display) -> TaskError {
        TaskError(error.to_string())
    }

    pub(crate) fn at(path: &Path, error: &dyn Display) -> TaskError {
        TaskError(format!("{}: {error}", path.display()))
    }
}

impl Task {
    /// What an experiment comes to at a scale, with budgets of a kind.
    ///
    /// # Errors
    ///
    /// If it has no such scale or no such budgets, or its file is wrong.
    pub fn new(
        entry: &Entry,
        scale: Scale,
        mode: BudgetMode,
        registry: &Registry,
        jobs: usize,
    ) -> Result<Task, TaskError> {
        let name = entry.name();
        if !entry.has(scale) {
            return Err(TaskError(format!("{name} has no scale {scale}; try --scale paper")));
        }
        if !entry.allows(mode) {
            return Err(TaskError(format!("{name} has emulated budgets only")));
        }
        let size = entry.size(scale);
        match entry.kind() {
            Kind::Games => {
                let text = scaled(&entry.text, &size, scale, mode, entry.time(scale));
                let text = text.map_err(|error| TaskError(format!("{name}: {error}")))?;
                let loaded = LoadedExperiment::parse(text, &format!("{name}.toml"), registry);
                Ok(Task::Games(Box::new(loaded.map_err(TaskError::new)?)))
            }
            Kind::Traps(traps) => Ok(Task::Traps(traps.at(registry, scale, &size, jobs)?)),
            Kind::Trees(trees) => {
                let (study, fit) = trees.at(scale, &size, jobs)?;
                Ok(Task::Trees(study, fit))
            }
            Kind::Speeds(speeds) => Ok(Task::Speeds(speeds.at(scale))),
        }
    }

    /// How many pairs of games, games, trees or players there are.
    #[must_use]
    pub fn planned(&self) -> u64 {
        match self {
            Task::Games(loaded) => loaded.pairs.len() as u64,
            Task::Traps(studies) => studies.iter().map(|study| u64::from(study.games)).sum(),
            Task::Trees(study, _) => study.heights.count() as u64 * u64::from(study.trees),
            Task::Speeds(speeds) => speeds.players.len() as u64,
        }
    }

    /// The games that are left to play: those that are neither in the ledger of the place nor in the
    /// files of other scales. The file of the experiment is in its place if there are any; `None` if
    /// there are none, and for a study.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or written.
    pub fn left(&self, place: &Place) -> Result<Option<LoadedExperiment>, TaskError> {
        let Task::Games(loaded) = self else { return Ok(None) };
        let mut known = HashSet::new();
        for file in open(&[place.ledger()], place)? {
            known.extend(file.pairs_done().map_err(TaskError::new)?);
        }
        let is_left = |pair: &&PlannedPair| !known.contains(&pair.pair.id());
        let pairs: Vec<PlannedPair> = loaded.pairs.iter().filter(is_left).cloned().collect();
        if pairs.is_empty() {
            return Ok(None);
        }
        place.write(&place.experiment(), &loaded.text)?;
        Ok(Some(LoadedExperiment { pairs, ..LoadedExperiment::clone(loaded) }))
    }

    /// Runs a study, or continues it. Its result is in its place when it is complete; `false` if it
    /// was cancelled before. Games are played by [`treegraft_lab::run`].
    ///
    /// # Errors
    ///
    /// If something goes wrong, or the place cannot be written.
    pub fn run_study(
        &self,
        registry: &Registry,
        place: &Place,
        watch: StudyWatch<'_>,
    ) -> Result<bool, TaskError> {
        if self.result(place)?.is_some() {
            return Ok(true);
        }
        let result = match self {
            Task::Games(_) => return Err(TaskError("games are played by a run".to_owned())),
            Task::Traps(studies) => run_traps(registry, studies, place, watch)?,
            Task::Trees(study, fit) => run_trees(study, fit.as_ref(), place, watch)?,
            Task::Speeds(speeds) => speeds.run(registry, watch)?,
        };
        let Some(result) = result else { return Ok(false) };
        let text = serde_json::to_string(&result).map_err(TaskError::new)?;
        place.write(&place.result(), &format!("{text}\n"))?;
        // What it had found on the way is in it.
        let parts = if let Task::Traps(studies) = self { studies.len() } else { 1 };
        for number in 0..parts {
            let _ = std::fs::remove_file(place.part(number, "jsonl"));
        }
        Ok(true)
    }

    /// The result of a study, if it is there.
    fn result(&self, place: &Place) -> Result<Option<StudyResult>, TaskError> {
        let text = match self {
            Task::Games(_) => return Ok(None),
            Task::Traps(studies) => trap_text(studies),
            Task::Trees(study, fit) => tree_text(study, fit.as_ref()),
            Task::Speeds(speeds) => speeds.text(),
        };
        for path in place.results() {
            let found = StudyResult::read(&path)?.filter(|result| result.study == text);
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// What is in its place: the games of a ledger and of a store together, and those of the other
    /// scales where they are the same.
    ///
    /// # Errors
    ///
    /// If a file cannot be read.
    pub fn outcome(
        &self,
        entry: &Entry,
        published: &[&Published],
        place: &Place,
    ) -> Result<Outcome, TaskError> {
        match self {
            Task::Games(loaded) => {
                // All that have been played, at any scale: those of its own ledger come first.
                let files = open(&[place.ledger(), place.store()], place)?;
                let rows: Result<Vec<Vec<GameRow>>, _> = files.iter().map(GameFile::rows).collect();
                let rows = rows.map_err(TaskError::new)?.concat();
                Ok(Outcome::of_games(loaded, &rows, published, entry.wins_only))
            }
            task => Ok(Outcome::of_study(task.result(place)?, task.planned())),
        }
    }
}

/// Those of some files that exist, and those of the other scales.
fn open(own: &[PathBuf], place: &Place) -> Result<Vec<GameFile>, TaskError> {
    let others = place.other_games();
    let opened = own.iter().chain(&others).map(|path| GameFile::open(path));
    let exists = |file: &Result<_, _>| !matches!(file, Err(StoreError::Missing { .. }));
    opened.filter(exists).collect::<Result<_, _>>().map_err(TaskError::new)
}
