//! An atlas: how often every search keeps the value, in every game that has solved positions.

use std::fmt;

use treegraft::Budget;
use treegraft_lab::accuracy::{AccuracyStudy, Choice};
use treegraft_players::{DEFAULT_BUDGET, Player, Registry, Start};

use crate::sets::solved_set;

/// How every file begins.
const FIRST: &str = "treegraft atlas 1";

/// The budgets: iterations of simulations, or nodes of searches that count depths, whichever end first.
pub const BUDGETS: [u64; 2] = [1000, 10_000];

/// Which positions a player kept the value of, in all games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Atlas {
    /// A row for each player in each game.
    pub rows: Vec<AtlasRow>,
}

/// A player in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AtlasRow {
    /// The canonical text of the game.
    pub game: String,
    /// A number that stands for the set of positions.
    pub set: u64,
    /// The label.
    pub label: String,
    /// Iterations or nodes; 0 for players that need no budget.
    pub budget: u64,
    /// Whether the value was kept, for each position.
    pub kept: Vec<bool>,
}

/// What is wrong with the text of an atlas.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct AtlasError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: String,
}

/// All searches that can play a game, with all budgets, on the positions of its set, or the first ones;
/// `None` if it has no set. The second part has the labels and budgets, in the order of the players.
#[must_use]
pub fn atlas_study(
    registry: &Registry,
    start: &Start,
    positions: Option<usize>,
    jobs: usize,
) -> Option<(AccuracyStudy, Vec<(String, u64)>)> {
    let mut set = solved_set(registry, start.text())?;
    set.positions.truncate(positions.unwrap_or(usize::MAX));
    let (mut players, mut names) = (Vec::new(), Vec::new());
    for budget in BUDGETS {
        for info in registry.players() {
            let Some(player) = player(registry, start, info.label, budget) else { continue };
            let is_free = player.budget.is_unlimited();
            if is_free && budget != BUDGETS[0] {
                continue;
            }
            players.push(player);
            names.push((info.label.to_owned(), if is_free { 0 } else { budget }));
        }
    }
    let study = AccuracyStudy { start: start.clone(), set, players, seed: 0, jobs };
    Some((study, names))
}

/// The search of a label with a budget, if it can play the game.
fn player(registry: &Registry, start: &Start, label: &str, budget: u64) -> Option<Player> {
    let player = registry.player(label).ok()?;
    let is_free = player.budget_or(DEFAULT_BUDGET).is_unlimited();
    let limits = Budget { iterations: Some(budget), nodes: Some(budget), ..Budget::default() };
    let player = if is_free { player } else { player.with_budget_or(limits) };
    registry.searcher(start, &player).ok()?;
    Some(player)
}

impl Atlas {
    /// The rows of a study, from what its players chose.
    #[must_use]
    pub fn rows_of(
        study: &AccuracyStudy,
        names: &[(String, u64)],
        choices: &[Vec<Choice>],
    ) -> Vec<AtlasRow> {
        let set = digest(&study.set.to_string());
        let row = |((label, budget), choices): (&(String, u64), &Vec<Choice>)| {
            let both = study.set.positions.iter().zip(choices);
            AtlasRow {
                game: study.set.game.clone(),
                set,
                label: label.clone(),
                budget: *budget,
                kept: both.map(|(position, choice)| position.keeps(choice.mv)).collect(),
            }
        };
        names.iter().zip(choices).map(row).collect()
    }

    /// Whether it has all rows of a study.
    #[must_use]
    pub fn has(&self, study: &AccuracyStudy, names: &[(String, u64)]) -> bool {
        let set = digest(&study.set.to_string());
        names.iter().all(|(label, budget)| {
            self.rows
                .iter()
                .any(|row| row.set == set && row.label == *label && row.budget == *budget)
        })
    }

    /// Replaces all rows of a game.
    pub fn put(&mut self, game: &str, rows: Vec<AtlasRow>) {
        self.rows.retain(|row| row.game != game);
        self.rows.extend(rows);
        self.rows.sort_by(|a, b| a.game.cmp(&b.game));
    }

    /// The games, in order.
    #[must_use]
    pub fn games(&self) -> Vec<&str> {
        let mut games: Vec<&str> = self.rows.iter().map(|row| row.game.as_str()).collect();
        games.dedup();
        games
    }

    /// Reads the text of an atlas.
    ///
    /// # Errors
    ///
    /// The first line that is wrong.
    pub fn parse(text: &str) -> Result<Atlas, AtlasError> {
        let wrong = |line: usize, problem: &str| AtlasError { line, problem: problem.to_owned() };
        let mut lines = (1..).zip(text.lines());
        if lines.next().map(|(_, line)| line) != Some(FIRST) {
            return Err(wrong(1, "expected an atlas by `treegraft ladder atlas`"));
        }
        let mut atlas = Atlas::default();
        for (line, text) in lines.filter(|(_, text)| !text.starts_with('#')) {
            let expected = || wrong(line, "expected GAME | SET | LABEL | BUDGET | KEPT");
            atlas.rows.push(row(text).ok_or_else(expected)?);
        }
        Ok(atlas)
    }
}

fn row(text: &str) -> Option<AtlasRow> {
    let parts: Vec<&str> = text.split(" | ").collect();
    let [game, set, label, budget, kept] = parts[..] else { return None };
    let sign = |c: char| match c {
        '+' => Some(true),
        '-' => Some(false),
        _ => None,
    };
    Some(AtlasRow {
        game: game.to_owned(),
        set: u64::from_str_radix(set, 16).ok()?,
        label: label.to_owned(),
        budget: budget.parse().ok()?,
        kept: kept.chars().map(sign).collect::<Option<_>>()?,
    })
}

/// The text, which [`Atlas::parse`] reads back.
impl fmt::Display for Atlas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{FIRST}")?;
        writeln!(f, "# GAME | SET | LABEL | ITERATIONS OR NODES | + kept the value, - did not")?;
        for AtlasRow { game, set, label, budget, kept } in &self.rows {
            let kept: String = kept.iter().map(|&kept| if kept { '+' } else { '-' }).collect();
            writeln!(f, "{game} | {set:016x} | {label} | {budget} | {kept}")?;
        }
        Ok(())
    }
}

/// A number that stands for a text.
fn digest(text: &str) -> u64 {
    text.bytes().fold(0, |digest, byte| treegraft::bits::mix(digest ^ u64::from(byte)))
}
