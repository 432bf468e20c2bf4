//! Whether two experiments have the same plan, or one continues the other.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use treegraft_players::Registry;

use crate::experiment::{Experiment, Plan, PlannedPairing};

/// The experiment of a file of games.
#[derive(Clone, Debug)]
pub(super) struct PlanOf {
    pub(super) text: String,
    /// Absent if this program cannot read the text.
    pub(super) experiment: Option<Experiment>,
}

impl PlanOf {
    /// Reads an experiment. Files of openings are looked for in these folders.
    pub(super) fn read(registry: &Registry, text: String, folders: &[&Path]) -> PlanOf {
        let read = |folder: &&Path| {
            let file = folder.join("experiment.toml");
            Experiment::parse(&text, &file.to_string_lossy(), registry).ok()
        };
        let experiment = folders.iter().find_map(read);
        PlanOf { text, experiment }
    }

    /// Whether all pairs of this plan are pairs of the other one.
    ///
    /// # Errors
    ///
    /// If not: what differs, in words.
    pub(super) fn is_within(&self, other: &PlanOf) -> Result<(), Vec<String>> {
        if self.text == other.text {
            return Ok(());
        }
        let differences = match (&self.experiment, &other.experiment) {
            (Some(mine), Some(others)) => beyond(&mine.plan, &others.plan),
            // Texts that cannot be understood here may mean anything.
            _ => vec![first_line(&self.text, &other.text)],
        };
        if differences.is_empty() { Ok(()) } else { Err(differences) }
    }
}

/// Where two texts differ first.
fn first_line(mine: &str, others: &str) -> String {
    let (mut mine, mut others) = (mine.lines(), others.lines());
    let mut number = 0;
    loop {
        number += 1;
        let line = |line: Option<&str>| match line {
            Some(line) => format!("`{}`", line.trim()),
            None => "the end".to_owned(),
        };
        match (mine.next(), others.next()) {
            (None, None) => return "the ends of lines of the experiment".to_owned(),
            (a, b) if a != b => {
                return format!("line {number} of the experiment is {}, not {}", line(a), line(b));
            }
            _ => {}
        }
    }
}

/// What is in one plan and not in the other.
fn beyond(mine: &Plan, others: &Plan) -> Vec<String> {
    let mut found = Vec::new();
    if let (Some(a), Some(b)) = (mine.pairings.first(), others.pairings.first()) {
        if a.seed != b.seed {
            found.push(format!("the seed is {}, not {}", a.seed, b.seed));
        }
        if a.max_plies != b.max_plies {
            let text =
                |limit: Option<u32>| limit.map_or("no limit".to_owned(), |it| it.to_string());
            let (a, b) = (text(a.max_plies), text(b.max_plies));
            found.push(format!("max-plies is {a}, not {b}"));
        }
    }
    let key = |pairing: &PlannedPairing| {
        (pairing.game.clone(), pairing.players.each_ref().map(ToString::to_string))
    };
    let known: BTreeMap<_, _> =
        others.pairings.iter().map(|pairing| (key(pairing), &pairing.openings)).collect();
    let missing: BTreeSet<_> =
        mine.pairings.iter().map(key).filter(|it| !known.contains_key(it)).collect();
    if let Some((game, [a, b])) = missing.first() {
        let more = match missing.len() {
            1 => String::new(),
            n => format!(", and {} more pairings", n - 1),
        };
        found.push(format!("{game}: {a} against {b} is not in the other plan{more}"));
    }
    let openings_differ = mine.pairings.iter().any(|pairing| {
        known.get(&key(pairing)).is_some_and(|openings| **openings != pairing.openings)
    });
    if openings_differ {
        found.push("the openings differ".to_owned());
    }
    if mine.pairs_each > others.pairs_each {
        let games = |plan: &Plan| 2 * plan.pairs_each;
        found.push(format!("games is {}, not {}", games(mine), games(others)));
    }
    found
}
