//! An atlas: how often every search keeps the value, in every game that has solved positions.

use std::fmt;

use treegraft::Budget;
use treegraft_players::signature::{Signature, Signer};
use treegraft_players::{DEFAULT_BUDGET, Player, Registry, Start};
use treegraft_studies::accuracy::{AccuracyStudy, Choice};

use crate::sets::solved_set;

/// How every file begins.
const FIRST: &str = "treegraft atlas 2";

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
    /// The search and its budget.
    pub entry: AtlasEntry,
    /// Whether the value was kept, for each position.
    pub kept: Vec<bool>,
}

/// A search with a budget, and its signature when it was measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AtlasEntry {
    /// The label.
    pub label: String,
    /// Iterations or nodes; 0 for players that need no budget.
    pub budget: u64,
    /// What the search did: a label can come to stand for another search.
    pub signature: Signature,
}

/// All searches that can play a game, with all budgets.
#[derive(Clone, Debug)]
pub struct AtlasStudy {
    /// Whom to ask, and in which positions.
    pub study: AccuracyStudy,
    /// What the players of the study are, in the same order.
    pub entries: Vec<AtlasEntry>,
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

/// All searches that can play a game, on the positions of its set, or the first ones; `None` if it has
/// no set.
#[must_use]
pub fn atlas_study(
    registry: &Registry,
    start: &Start,
    positions: Option<usize>,
    jobs: usize,
) -> Option<AtlasStudy> {
    let mut set = solved_set(registry, start.text())?;
    set.positions.truncate(positions.unwrap_or(usize::MAX));
    let signer = Signer::new(start);
    let (mut players, mut entries) = (Vec::new(), Vec::new());
    for budget in BUDGETS {
        for info in registry.players() {
            let Some(player) = player(registry, start, info.label, budget) else { continue };
            let is_free = player.budget.is_unlimited();
            if is_free && budget != BUDGETS[0] {
                continue;
            }
            // It does not depend on the budget, and takes a while.
            let known = entries.iter().find(|entry: &&AtlasEntry| entry.label == info.label);
            let find = || signer.sign(registry, &player).ok().flatten();
            let Some(signature) = known.map(|entry| entry.signature).or_else(find) else {
                continue;
            };
            players.push(player);
            let (label, budget) = (info.label.to_owned(), if is_free { 0 } else { budget });
            entries.push(AtlasEntry { label, budget, signature });
        }
    }
    let study = AccuracyStudy { start: start.clone(), set, players, seed: 0, jobs };
    Some(AtlasStudy { study, entries })
}

/// The search of a label with a budget, if it can play the game.
fn player(registry: &Registry, start: &Start, label: &str, budget: u64) -> Option<Player> {
    let player = registry.player(label).ok()?;
    let is_free = player.budget_or(DEFAULT_BUDGET).is_unlimited();
    let limits = Budget { iterations: Some(budget), nodes: Some(budget), ..Budget::default() };
    // What the best player spends depends on the game.
    let spends = registry.searcher(start, &player).ok()?.spends();
    Some(if is_free { player } else { player.with_budget_or(spends.of(limits)) })
}

impl AtlasStudy {
    /// Keeps the searches for which a condition holds.
    pub fn retain(&mut self, mut condition: impl FnMut(&AtlasEntry) -> bool) {
        let entries = std::mem::take(&mut self.entries).into_iter();
        let both = entries.zip(std::mem::take(&mut self.study.players));
        (self.entries, self.study.players) = both.filter(|(entry, _)| condition(entry)).unzip();
    }

    /// The rows, from what the players chose.
    #[must_use]
    pub fn rows(&self, choices: &[Vec<Choice>]) -> Vec<AtlasRow> {
        let set = &self.study.set;
        let row = |(entry, choices): (&AtlasEntry, &Vec<Choice>)| {
            let both = set.positions.iter().zip(choices);
            AtlasRow {
                game: set.game.clone(),
                set: self.set(),
                entry: entry.clone(),
                kept: both.map(|(position, choice)| position.keeps(choice.mv)).collect(),
            }
        };
        self.entries.iter().zip(choices).map(row).collect()
    }

    /// A number that stands for the set of positions.
    fn set(&self) -> u64 {
        let text = self.study.set.to_string();
        text.bytes().fold(0, |digest, byte| treegraft::bits::mix(digest ^ u64::from(byte)))
    }
}

impl Atlas {
    /// The part of a study that it does not have: searches that are new, or that have changed since
    /// they were measured, or all if the positions are others.
    #[must_use]
    pub fn missing(&self, mut study: AtlasStudy) -> AtlasStudy {
        let set = study.set();
        study.retain(|entry| !self.rows.iter().any(|row| row.set == set && row.entry == *entry));
        study
    }

    /// Adds the rows of a study that was measured. Of the game only rows of searches in `all` are kept, and
    /// in its order: the whole study.
    pub fn put(&mut self, all: &AtlasStudy, measured: &[AtlasRow]) {
        let (game, set) = (&all.study.set.game, all.set());
        let known: Vec<AtlasRow> = self.rows.extract_if(.., |row| row.game == *game).collect();
        let find = |rows: &[AtlasRow], entry: &AtlasEntry| {
            rows.iter().find(|row| row.set == set && row.entry == *entry).cloned()
        };
        let row = |entry| find(measured, entry).or_else(|| find(&known, entry));
        self.rows.extend(all.entries.iter().filter_map(row));
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
            let expected =
                || wrong(line, "expected GAME | SET | LABEL | BUDGET | SIGNATURE | KEPT");
            atlas.rows.push(row(text).ok_or_else(expected)?);
        }
        Ok(atlas)
    }
}

fn row(text: &str) -> Option<AtlasRow> {
    let parts: Vec<&str> = text.split(" | ").collect();
    let [game, set, label, budget, signature, kept] = parts[..] else { return None };
    let sign = |c: char| match c {
        '+' => Some(true),
        '-' => Some(false),
        _ => None,
    };
    Some(AtlasRow {
        game: game.to_owned(),
        set: u64::from_str_radix(set, 16).ok()?,
        entry: AtlasEntry {
            label: label.to_owned(),
            budget: budget.parse().ok()?,
            signature: Signature::read(signature)?,
        },
        kept: kept.chars().map(sign).collect::<Option<_>>()?,
    })
}

/// The text, which [`Atlas::parse`] reads back.
impl fmt::Display for Atlas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{FIRST}")?;
        writeln!(
            f,
            "# GAME | SET | LABEL | ITERATIONS OR NODES | SIGNATURE | + kept the value, - did not"
        )?;
        for AtlasRow { game, set, entry, kept } in &self.rows {
            let AtlasEntry { label, budget, signature } = entry;
            let kept: String = kept.iter().map(|&kept| if kept { '+' } else { '-' }).collect();
            writeln!(f, "{game} | {set:016x} | {label} | {budget} | {signature} | {kept}")?;
        }
        Ok(())
    }
}
