//! The sizes of an experiment, and how its file is changed to have them.

use std::cell::RefCell;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use toml::{Table, Value};
use treegraft::Budget;

use crate::catalogue::Size;

/// How large an experiment is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// Seconds: does it run at all?
    Smoke,
    /// About an hour a paper on two processors, or less.
    Quick,
    /// What the committed results have: more games where an hour is not enough.
    Long,
    /// The paper's number of games and simulations.
    Paper,
}

/// What players may spend on a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BudgetMode {
    /// Each player as many simulations as the paper's made in the paper's time, or a share of them.
    #[default]
    Emulated,
    /// All players as many simulations as the one that they are compared with. Players whose limit is on
    /// nodes, such as alpha-beta, get that number of nodes.
    Equal,
    /// All players the same time on this machine.
    Time,
}

macro_rules! by_name {
    ($type:ident, $what:literal, $($variant:ident => $name:literal),+) => {
        impl $type {
            /// All of them.
            pub const ALL: &'static [$type] = &[$($type::$variant),+];

            /// What it is called.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name),+
                }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }

        impl FromStr for $type {
            type Err = String;

            fn from_str(text: &str) -> Result<$type, String> {
                let names = [$($name),+];
                $type::ALL.iter().copied().find(|known| known.name() == text).ok_or_else(|| {
                    format!("there is no {} {text:?}; expected one of {}", $what, names.join(", "))
                })
            }
        }
    };
}

by_name!(Scale, "scale", Smoke => "smoke", Quick => "quick", Long => "long", Paper => "paper");
by_name!(BudgetMode, "budget", Emulated => "emulated", Equal => "equal", Time => "time");

/// The text of an experiment file with another size and other budgets.
///
/// The text is returned as it is where nothing changes: what is played at the scale `long` is the
/// file itself.
///
/// # Errors
///
/// If the text is not TOML.
pub fn scaled(
    text: &str,
    size: &Size,
    scale: Scale,
    mode: BudgetMode,
    time: Duration,
) -> Result<String, toml::de::Error> {
    if scale != Scale::Smoke && mode == BudgetMode::Emulated && *size == Size::default() {
        return Ok(text.to_owned());
    }
    let mut file: Table = text.parse()?;
    if let Some(games) = size.games {
        file.insert("games".to_owned(), Value::Integer(i64::from(games)));
    }
    if let Some(sweep) = file.get_mut("sweep").and_then(Value::as_table_mut)
        && let Some(grid) = sweep.get_mut("grid").and_then(Value::as_table_mut)
    {
        for (name, values) in &size.grid {
            grid.insert(name.clone(), values.clone());
        }
    }
    let common = match mode {
        BudgetMode::Emulated => None,
        BudgetMode::Equal => reference(&file),
        BudgetMode::Time => Some(Budget { time: Some(time), ..Budget::default() }),
    };
    match scale {
        Scale::Smoke => {
            let known = RefCell::new(Vec::new());
            change_budgets(&mut file, &|budget| {
                known.borrow_mut().push(given(common, budget));
                budget
            });
            let known = known.into_inner();
            change_budgets(&mut file, &|budget| smoke(given(common, budget), &known));
        }
        Scale::Quick | Scale::Long | Scale::Paper => {
            let factor = size.budget.unwrap_or(1.0);
            change_budgets(&mut file, &|budget| times(given(common, budget), factor));
        }
    }
    Ok(file.to_string())
}

/// The budget that all players get, in the unit of this player's own; its own if they get none.
fn given(common: Option<Budget>, own: Budget) -> Budget {
    match common {
        Some(Budget { iterations: Some(number), .. }) if own.iterations.is_none() => {
            Budget::nodes(number)
        }
        Some(common) => common,
        None => own,
    }
}

/// The budget of the player that the others are compared with: a gauntlet's baseline, the opponent
/// of a sweep, or the first player.
fn reference(file: &Table) -> Option<Budget> {
    let of = |text: &str| text.rsplit_once('@').and_then(|(_, budget)| budget.parse().ok());
    if let Some(sweep) = file.get("sweep") {
        return sweep.get("against")?.as_str().and_then(of);
    }
    let players = file.get("players")?.as_array()?;
    let named = |name: &str| {
        players.iter().find(|player| player.get("name").and_then(Value::as_str) == Some(name))
    };
    let baseline = file.get("baseline").and_then(Value::as_str).and_then(named);
    let text = |player: &Value| match player {
        Value::String(text) => Some(text.clone()),
        player => player.get("player")?.as_str().map(str::to_owned),
    };
    of(&text(baseline.or(players.first())?)?)
}

/// Changes every budget of an experiment file. What stands in braces is a parameter, and stays.
fn change_budgets(file: &mut Table, change: &dyn Fn(Budget) -> Budget) {
    let budget = |text: &str| {
        let budget = text.parse::<Budget>().ok()?;
        Some(change(budget).to_string())
    };
    let player = |text: &mut String| {
        if let Some((before, after)) = text.rsplit_once('@')
            && let Some(changed) = budget(after)
        {
            *text = format!("{before}@{changed}");
        }
    };
    let in_value = |value: &mut Value| match value {
        Value::String(text) => player(text),
        Value::Table(named) => {
            if let Some(Value::String(text)) = named.get_mut("player") {
                player(text);
            }
        }
        _ => {}
    };
    if let Some(Value::String(text)) = file.get_mut("budget")
        && let Some(changed) = budget(text)
    {
        *text = changed;
    }
    if let Some(Value::Array(players)) = file.get_mut("players") {
        players.iter_mut().for_each(in_value);
    }
    if let Some(Value::Table(sweep)) = file.get_mut("sweep") {
        for key in ["player", "against"] {
            match sweep.get_mut(key) {
                Some(Value::Array(texts)) => texts.iter_mut().for_each(in_value),
                Some(value) => in_value(value),
                None => {}
            }
        }
    }
}

/// A budget several times as large, and at least one of each unit.
pub(crate) fn times(budget: Budget, factor: f64) -> Budget {
    let times = |n: u64| ((n as f64 * factor).round() as u64).max(1);
    Budget {
        iterations: budget.iterations.map(times),
        nodes: budget.nodes.map(times),
        evaluations: budget.evaluations.map(times),
        time: budget.time.map(|time| time.mul_f64(factor)),
        ..budget
    }
}

/// A player's budget at the scale [`Scale::Smoke`]: small, but different from the others if it was, so
/// that different players stay different.
pub(crate) fn smoke(budget: Budget, others: &[Budget]) -> Budget {
    let small = |it: u64, of: fn(&Budget) -> Option<u64>, unit: u64| {
        let mut lower: Vec<u64> =
            others.iter().filter_map(of).filter(|&other| other < it).collect();
        lower.sort_unstable();
        lower.dedup();
        unit * (5 + lower.len() as u64)
    };
    Budget {
        iterations: budget.iterations.map(|it| small(it, |other| other.iterations, 4)),
        nodes: budget.nodes.map(|it| small(it, |other| other.nodes, 20)),
        evaluations: budget.evaluations.map(|it| small(it, |other| other.evaluations, 20)),
        time: budget.time.map(|_| Duration::from_millis(1)),
        ..budget
    }
}
