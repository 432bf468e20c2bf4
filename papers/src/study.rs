//! Experiments that play no matches: traps in games, leaves of trees, speeds of searches.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use treegraft::Budget;
use treegraft_engine::{MoveRequest, seat};
use treegraft_pictures::plot::{Plot, Point};
use treegraft_players::{Player, Registry};
use treegraft_studies::Watch;
use treegraft_studies::traps::{Levels, Ratio, TrapStudy, TrapSummary, study_traps, trap_plots};
use treegraft_studies::trees::{
    Heights, Leaves, TreeResult, TreeStudy, TreeSummary, methods_from, study_trees, tree_plots,
};

use crate::catalogue::Size;
use crate::folder::{Place, read_lines, write_line};
use crate::outcome::Measurement;
use crate::scale::{Scale, smoke, times};
use crate::task::TaskError;

/// Games of players against themselves, looked at for traps.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrapStudies {
    /// Games of each study.
    pub games: u32,
    /// The levels of the traps.
    #[serde(default)]
    pub levels: Levels,
    /// Random playouts after every trap.
    #[serde(default = "usual_playouts")]
    pub playouts: u32,
    /// Each study's game and player.
    pub studies: Vec<[String; 2]>,
}

fn usual_playouts() -> u32 {
    1000
}

/// Trees that are searched by every method.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TreeSizes {
    /// Their heights.
    pub heights: String,
    /// What their leaves are drawn from.
    pub leaves: String,
    /// How many of each height.
    pub trees: u32,
    /// The searches.
    pub methods: String,
    /// The heights whose means a curve goes through.
    pub fit: Option<String>,
}

/// Players whose simulations are counted against a clock.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeedStudy {
    /// The game.
    pub game: String,
    /// The players with their names. Speeds are relative to the first.
    pub players: Vec<[String; 2]>,
    /// The time of a move.
    pub milliseconds: u64,
}

/// What a study came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StudyResult {
    /// What it was, in words; another text is another study.
    pub study: String,
    /// What was measured.
    pub rows: Vec<Measurement>,
    /// Plots by their names, which are valid file names.
    pub plots: Vec<(String, Plot)>,
}

/// Lets the caller look on, and end a study early.
#[derive(Clone, Copy)]
pub struct StudyWatch<'a> {
    /// Called with how much of how much is done.
    pub progress: &'a (dyn Fn(u64, u64) + Sync),
    /// Set from another thread to end soon.
    pub cancel: &'a AtomicBool,
}

impl StudyWatch<'_> {
    fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
}

fn percent(ratio: Ratio) -> Ratio {
    Ratio { mean: 100.0 * ratio.mean, error: ratio.error.map(|error| 100.0 * error) }
}

impl TrapStudies {
    /// The studies at a scale.
    pub(crate) fn at(
        &self,
        registry: &Registry,
        scale: Scale,
        size: &Size,
        jobs: usize,
    ) -> Result<Vec<TrapStudy>, TaskError> {
        let study = |[game, player]: &[String; 2]| -> Result<TrapStudy, TaskError> {
            let start = registry.start(game).map_err(TaskError::new)?;
            let mut player: Player = registry.player(player).map_err(TaskError::new)?;
            player.budget = match scale {
                Scale::Smoke => smoke(player.budget, &[]),
                _ => times(player.budget, size.budget.unwrap_or(1.0)),
            };
            let playouts = if scale == Scale::Smoke { 10 } else { self.playouts };
            let levels = match scale {
                Scale::Smoke => Levels::new(3, 3).unwrap_or_default(),
                _ => self.levels,
            };
            let games = size.games.unwrap_or(self.games);
            Ok(TrapStudy { start, player, games, seed: 1, jobs, levels, playouts })
        };
        self.studies.iter().map(study).collect()
    }
}

/// What trap studies are, in words.
pub(crate) fn trap_text(studies: &[TrapStudy]) -> String {
    let one = |study: &TrapStudy| {
        let header = study.header();
        format!(
            "{} games of {} in {}, traps of levels {}, {} playouts a trap, seed {}",
            study.games, header.player, header.game, header.levels, header.playouts, header.seed
        )
    };
    studies.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// Plays the games and looks at them; `None` if that was cancelled.
pub(crate) fn run_traps(
    registry: &Registry,
    studies: &[TrapStudy],
    place: &Place,
    watch: StudyWatch<'_>,
) -> Result<Option<StudyResult>, TaskError> {
    let total: u64 = studies.iter().map(|study| u64::from(study.games)).sum();
    let mut before = 0;
    let mut summaries = Vec::new();
    for (number, study) in studies.iter().enumerate() {
        let progress = |done: u64| (watch.progress)(before + done, total);
        let own = Watch { progress: Some(&progress), cancel: Some(watch.cancel) };
        let games = study_traps(registry, study, Some(&place.part(number, "jsonl")), own);
        let games = games.map_err(TaskError::new)?;
        if games.len() < study.games as usize {
            return Ok(None);
        }
        before += u64::from(study.games);
        let summary = TrapSummary::new(registry, study.header(), &games);
        summaries.push(summary.map_err(TaskError::new)?);
    }
    let mut rows = Vec::new();
    for summary in &summaries {
        let mut add = |what: &str, ratio: Ratio| {
            let row = [summary.header.game.as_str(), what];
            rows.push(Measurement::of_ratio(&row, ratio, u64::from(summary.games)));
        };
        add("length", summary.length);
        add("moves", summary.branching);
        for at in &summary.levels_found {
            add(&format!("traps a position, level {}", at.level), at.number);
            add(&format!("positions with a trap, level {}", at.level), percent(at.density));
            if let Some(difficulty) = at.difficulty {
                add(&format!("difficulty, level {}", at.level), percent(difficulty));
            }
        }
    }
    let plots = finite(trap_plots(&summaries));
    Ok(Some(StudyResult { study: trap_text(studies), rows, plots }))
}

impl TreeSizes {
    /// The study at a scale, and the heights of its curve.
    pub(crate) fn at(
        &self,
        scale: Scale,
        size: &Size,
        jobs: usize,
    ) -> Result<(TreeStudy, Option<Heights>), TaskError> {
        let heights: Heights = self.heights.parse().map_err(TaskError::new)?;
        let low = |heights: &Heights| Heights::new(heights.iter().filter(|&h| h <= 7));
        let heights = match scale {
            Scale::Smoke => low(&heights).unwrap_or(heights),
            _ => heights,
        };
        let leaves = Leaves::parse(&self.leaves, None).map_err(TaskError::new)?;
        let trees = if scale == Scale::Smoke { 20 } else { size.games.unwrap_or(self.trees) };
        let methods = methods_from(&self.methods).map_err(TaskError::new)?;
        let study = TreeStudy { heights, leaves, trees, methods, jobs, ..TreeStudy::default() };
        let fit = self.fit.as_ref().map(|text| text.parse::<Heights>()).transpose();
        Ok((study, fit.map_err(TaskError::new)?))
    }
}

/// What a tree study is, in words.
pub(crate) fn tree_text(study: &TreeStudy, fit: Option<&Heights>) -> String {
    let names: Vec<&str> = study.methods.iter().map(|method| method.name()).collect();
    let fit = fit.map_or(String::new(), |fit| format!(", curves through heights {fit}"));
    format!(
        "{} trees of each height from {}, branching {}, leaves {}, seed {}: {}{fit}",
        study.trees,
        study.heights,
        study.branching,
        study.leaves,
        study.seed,
        names.join(", ")
    )
}

/// Searches the trees, a height after the other; `None` if that was cancelled.
pub(crate) fn run_trees(
    study: &TreeStudy,
    fit: Option<&Heights>,
    place: &Place,
    watch: StudyWatch<'_>,
) -> Result<Option<StudyResult>, TaskError> {
    let text = tree_text(study, fit);
    let file = place.part(0, "jsonl");
    let mut found: Vec<Vec<TreeResult>> = read_lines(&file, &text)?;
    let total = study.heights.count() as u64 * u64::from(study.trees);
    for height in study.heights.iter() {
        let is_it = |trees: &Vec<TreeResult>| trees.iter().all(|tree| tree.height == height);
        if found.iter().any(is_it) {
            continue;
        }
        let before = found.len() as u64 * u64::from(study.trees);
        let progress = |done: u64| (watch.progress)(before + done, total);
        let one = Heights::new([height]).unwrap_or_default();
        let one = TreeStudy { heights: one, ..study.clone() };
        let own = Watch { progress: Some(&progress), cancel: Some(watch.cancel) };
        let trees = study_trees(&one, own).map_err(TaskError::new)?;
        if trees.len() < study.trees as usize {
            return Ok(None);
        }
        write_line(&file, &text, &trees)?;
        found.push(trees);
    }
    found.sort_by_key(|trees| trees.first().map(|tree| tree.height));
    let summary = TreeSummary::new(study, &found.concat(), fit);
    if let Some(failure) = summary.failures().first() {
        return Err(TaskError::new(failure.clone()));
    }
    let plots = finite(tree_plots(&summary));
    Ok(Some(StudyResult { study: text, rows: tree_rows(&summary), plots }))
}

fn tree_rows(summary: &TreeSummary) -> Vec<Measurement> {
    let mut rows = Vec::new();
    for fit in &summary.fits {
        let name = fit.method.name();
        let trees = u64::from(summary.trees);
        rows.push(Measurement::exact(&[name, "coefficient"], fit.curve.a, trees));
        rows.push(Measurement::exact(&[name, "base"], fit.curve.b, trees));
    }
    for at in &summary.heights {
        for of in &at.methods {
            let height = format!("height {}", at.height);
            let leaves = Ratio { mean: of.leaves.mean, error: of.leaves.error };
            let row = [of.method.name(), &height];
            rows.push(Measurement::of_ratio(&row, leaves, u64::from(at.trees)));
        }
    }
    for at in &summary.heights {
        for of in at.methods.iter().filter(|of| of.better.count > 0) {
            let what = format!("fewer leaves than alpha-beta, height {} (%)", at.height);
            let (row, count) = (vec![of.method.name().to_owned(), what], of.better.of.into());
            rows.push(Measurement::of_score(row, of.better.share, of.better.ci95, count));
        }
    }
    rows
}

impl SpeedStudy {
    /// What it is, in words.
    pub(crate) fn text(&self) -> String {
        format!("one game of {}, {} ms a move", self.game, self.milliseconds)
    }

    /// The study at a scale.
    pub(crate) fn at(&self, scale: Scale) -> SpeedStudy {
        let milliseconds = if scale == Scale::Smoke { 1 } else { self.milliseconds };
        SpeedStudy { milliseconds, ..self.clone() }
    }

    /// Lets every player search the positions of one game; `None` if that was cancelled.
    pub(crate) fn run(
        &self,
        registry: &Registry,
        watch: StudyWatch<'_>,
    ) -> Result<Option<StudyResult>, TaskError> {
        let start = registry.start(&self.game).map_err(TaskError::new)?;
        let time = Some(Duration::from_millis(self.milliseconds));
        let budget = Budget { time, ..Budget::default() };
        let mut speeds: Vec<(String, f64)> = Vec::new();
        for (number, [name, text]) in self.players.iter().enumerate() {
            let player = registry.player(text).map_err(TaskError::new)?;
            let mut seat = seat(registry, &start, &player).map_err(TaskError::new)?;
            let mut game = start.playthrough();
            let (mut simulations, mut seconds) = (0, 0.0);
            while game.ending().is_none() && !watch.is_cancelled() {
                let seed = game.moves().len() as u64;
                let request =
                    MoveRequest { budget, seed, cancel: Some(watch.cancel), record: false };
                let Ok(answer) = seat.next_move(&game, request) else { break };
                simulations += answer.work.iterations;
                seconds += answer.work.time.as_secs_f64();
                game.play(answer.mv);
            }
            if watch.is_cancelled() {
                return Ok(None);
            }
            speeds.push((name.clone(), simulations as f64 / seconds));
            (watch.progress)(number as u64 + 1, self.players.len() as u64);
        }
        let first = speeds.first().map_or(f64::NAN, |(_, speed)| *speed);
        let rows = speeds.iter().flat_map(|(name, speed)| {
            [
                Measurement::exact(&[name, "simulations a second"], speed.round(), 1),
                Measurement::exact(&[name, "percent of the first"], 100.0 * speed / first, 1),
            ]
        });
        Ok(Some(StudyResult { study: self.text(), rows: rows.collect(), plots: Vec::new() }))
    }
}

/// The plots without what JSON cannot write and no picture shows.
fn finite(mut plots: Vec<(String, Plot)>) -> Vec<(String, Plot)> {
    for series in plots.iter_mut().flat_map(|(_, plot)| &mut plot.series) {
        series.points.retain(|point| point.x.is_finite() && point.y.is_finite());
        for Point { low, high, .. } in &mut series.points {
            *low = low.filter(|low| low.is_finite());
            *high = high.filter(|high| high.is_finite());
        }
    }
    plots
}

impl StudyResult {
    /// Reads a result; `None` if there is none.
    ///
    /// # Errors
    ///
    /// If the file is something else.
    pub fn read(path: &Path) -> Result<Option<StudyResult>, TaskError> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(TaskError::at(path, &error)),
        };
        serde_json::from_str(&text).map(Some).map_err(|error| TaskError::at(path, &error))
    }
}
