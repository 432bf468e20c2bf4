//! What an experiment measured.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use treegraft_lab::report::{PairingResult, report, results};
use treegraft_lab::{Experiment, GameRow, LoadedExperiment, PlannedPairing, Schedule};
use treegraft_pictures::plot::Plot;
use treegraft_stats::{Interval, Tally};
use treegraft_studies::traps::Ratio;

use crate::catalogue::Entry;
use crate::distinct;
use crate::published::Published;
use crate::scale::{BudgetMode, Scale};
use crate::study::StudyResult;

/// A measured value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// What it is called: two players, one, the values of parameters, or what a study measured.
    pub row: Vec<String>,
    /// The value: scores in percent.
    pub value: f64,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end of its 95 % interval.
    pub high: f64,
    /// Games, pairs or trees that it comes from.
    pub count: u64,
}

/// What is known of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// What was measured.
    pub rows: Vec<Measurement>,
    /// Plots by their names, which are valid file names.
    pub plots: Vec<(String, Plot)>,
    /// How much of it is done.
    pub done: u64,
    /// How much there is.
    pub planned: u64,
    /// What was done, in words.
    pub conditions: Vec<String>,
    /// The players with their names.
    pub players: Vec<[String; 2]>,
}

impl Measurement {
    pub(crate) fn exact(row: &[&str], value: f64, count: u64) -> Measurement {
        Measurement { row: owned(row), value, low: value, high: value, count }
    }

    pub(crate) fn of_ratio(row: &[&str], ratio: Ratio, count: u64) -> Measurement {
        let (value, error) = (ratio.mean, ratio.error.unwrap_or(0.0));
        Measurement { row: owned(row), value, low: value - error, high: value + error, count }
    }

    /// Of a share from 0 to 1 with its interval.
    pub(crate) fn of_score(row: Vec<String>, score: f64, interval: Interval, count: u64) -> Self {
        let [value, low, high] = [score, interval.low, interval.high].map(|share| 100.0 * share);
        Measurement { row, value, low, high, count }
    }

    /// The same in the view of the opponent.
    fn mirrored(&self) -> Measurement {
        let row = turned(&self.row);
        let (value, low, high) = (100.0 - self.value, 100.0 - self.high, 100.0 - self.low);
        Measurement { row, value, low, high, count: self.count }
    }
}

/// The names with the two players the other way round.
pub(crate) fn turned(names: &[String]) -> Vec<String> {
    let mut names = names.to_vec();
    let players = names.len().saturating_sub(2);
    names[players..].reverse();
    names
}

fn owned(row: &[&str]) -> Vec<String> {
    row.iter().map(|&part| part.to_owned()).collect()
}

impl Outcome {
    /// What an experiment came to, as JSON.
    #[must_use]
    pub fn to_json(&self, entry: &Entry, scale: Scale, mode: BudgetMode, seconds: f64) -> Value {
        json!({
            "id": entry.name(),
            "scale": scale,
            "budget": mode,
            "done": self.done,
            "planned": self.planned,
            "seconds": seconds,
            "rows": self.rows,
        })
    }

    /// What a study came to.
    #[must_use]
    pub fn of_study(result: Option<StudyResult>, planned: u64) -> Outcome {
        let done = if result.is_some() { planned } else { 0 };
        let (rows, plots, conditions) = match result {
            Some(StudyResult { study, rows, plots }) => (rows, plots, vec![study]),
            None => (Vec::new(), Vec::new(), Vec::new()),
        };
        Outcome { rows, plots, done, planned, conditions, players: Vec::new() }
    }

    /// What games came to: a row for each pairing, and one for each player of a round robin, over the
    /// opponents that the paper's table has too.
    #[must_use]
    pub fn of_games(
        loaded: &LoadedExperiment,
        rows: &[GameRow],
        published: &[&Published],
        wins_only: bool,
    ) -> Outcome {
        let experiment = &loaded.experiment;
        let counted = loaded.counted(rows);
        let found = results(experiment, &counted);
        let games = games_of(experiment);
        let mut measured: Vec<Measurement> = Vec::new();
        for (pairing, result) in experiment.plan.pairings.iter().zip(&found) {
            if let Some(score) = result.score(experiment.scoring) {
                let row = row_of(experiment.schedule, pairing, games.len() > 1);
                let count = u64::from(score.tally.games());
                measured.push(Measurement::of_score(row, score.score, score.ci95, count));
            }
        }
        if experiment.schedule == Schedule::RoundRobin {
            measured.extend(totals(experiment, &found, published, wins_only));
        }
        let plots = match counted.is_empty() {
            true => Vec::new(),
            false => report(experiment, &counted).plots,
        };
        let done = counted.len() as u64;
        Outcome {
            rows: measured,
            plots,
            done,
            planned: loaded.pairs.len() as u64,
            conditions: vec![conditions(experiment, &games)],
            players: players(experiment),
        }
    }

    /// Whether everything has been done.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.done == self.planned
    }

    /// What was measured in a row, which may name the players the other way round.
    #[must_use]
    pub fn row(&self, names: &[String]) -> Option<Measurement> {
        if let Some(found) = self.rows.iter().find(|measured| measured.row == names) {
            return Some(found.clone());
        }
        let is_game = |it: &&Measurement| it.row.len() >= 2 && it.row.len() == names.len();
        self.rows.iter().filter(is_game).map(Measurement::mirrored).find(|it| it.row == names)
    }
}

/// How a row of games is called: by the parameters of a sweep, or by the players; with several games,
/// by the game too.
fn row_of(schedule: Schedule, pairing: &PlannedPairing, has_games: bool) -> Vec<String> {
    let names = match schedule {
        Schedule::Sweep => {
            let value = |(name, value): &(String, String)| format!("{name}={value}");
            pairing.parameters.iter().map(value).collect()
        }
        _ => pairing.names.to_vec(),
    };
    let game = has_games.then(|| pairing.game.clone());
    game.into_iter().chain(names).collect()
}

fn games_of(experiment: &Experiment) -> Vec<&str> {
    distinct(experiment.plan.pairings.iter().map(|pairing| pairing.game.as_str()))
}

/// The score of each player over all its games with the players of the paper's table; of all players
/// if the paper has no such table.
fn totals(
    experiment: &Experiment,
    results: &[PairingResult],
    published: &[&Published],
    wins_only: bool,
) -> Vec<Measurement> {
    let named = published.iter().filter_map(|value| match value.row.as_slice() {
        [name] => Some(name.as_str()),
        _ => None,
    });
    let shown: BTreeSet<&str> = named.collect();
    let names = experiment.plan.pairings.iter().flat_map(|pairing| &pairing.names);
    let is_shown = |name: &&str| shown.is_empty() || shown.contains(name);
    let players = distinct(names.map(String::as_str).filter(is_shown));
    let total = |&name: &&str| {
        let (mut tally, mut worth) = (Tally::default(), 0.0);
        for (pairing, result) in experiment.plan.pairings.iter().zip(results) {
            let [a, b] = pairing.names.each_ref().map(String::as_str);
            let others = [a, b].into_iter().find(|other| *other != name);
            if ![a, b].contains(&name) || !others.is_some_and(|other| players.contains(&other)) {
                continue;
            }
            let Tally { wins, draws, losses } = result.tally;
            let (wins, losses) = if a == name { (wins, losses) } else { (losses, wins) };
            let (draws, losses) = if wins_only { (0, losses + draws) } else { (draws, losses) };
            tally.wins += wins;
            tally.draws += draws;
            tally.losses += losses;
            worth += result.worth();
        }
        let interval = tally.wilson95_worth(worth);
        let count = u64::from(tally.games());
        (count > 0)
            .then(|| Measurement::of_score(vec![name.to_owned()], tally.score(), interval, count))
    };
    players.iter().filter_map(total).collect()
}

fn conditions(experiment: &Experiment, games: &[&str]) -> String {
    let pairings = experiment.plan.pairings.len();
    let number = match pairings {
        1 => format!("{} games", experiment.games),
        pairings => format!("{} games a pairing, {pairings} pairings", experiment.games),
    };
    format!("{}; {number}, seed {}", games.join(", "), experiment.seed)
}

fn players(experiment: &Experiment) -> Vec<[String; 2]> {
    let both = |pairing: &PlannedPairing| {
        let named = pairing.names.iter().zip(&pairing.players);
        named.map(|(name, player)| [name.clone(), player.to_string()]).collect::<Vec<_>>()
    };
    distinct(experiment.plan.pairings.iter().flat_map(both))
}
