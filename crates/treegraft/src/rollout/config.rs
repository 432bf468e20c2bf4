//! The choices a rollout search leaves open, as data.

use serde::{Deserialize, Serialize};

/// How a rollout search works. The default is UCT with UCB1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Which child a simulation goes to.
    pub select: Select,
    /// The exploration constant C for rewards from 0 to 1.
    pub c: f64,
    /// What is added to the tree at a time.
    pub expand: Expand,
    /// A leaf is given children when it has been visited so often.
    pub expand_at: u32,
    /// What is proven along the way.
    pub solver: Solver,
    /// Which move is played in the end.
    pub final_move: FinalMove,
    /// Keep the part of the tree below the moves played.
    pub reuse: bool,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            select: Select::Ucb1,
            c: std::f64::consts::SQRT_2,
            expand: Expand::One,
            expand_at: 1,
            solver: Solver::Off,
            final_move: FinalMove::Visits,
            reuse: false,
        }
    }
}

/// The selection formula; Q is the mean reward of a child for the side that chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Select {
    /// Q + C sqrt(ln n_p / n_i).
    Ucb1,
    /// Q + C sqrt(ln n_p / n_i * min(1/4, V_i)) with V_i the variance of the rewards plus
    /// sqrt(2 ln n_p / n_i).
    Ucb1Tuned,
}

/// What an expansion adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expand {
    /// One new child a simulation.
    One,
    /// All children at once, so that finished games among them are seen at once.
    All,
}

/// What a rollout search proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Solver {
    /// Nothing: plain UCT.
    Off,
    /// Wins and losses (MCTS-Solver); a draw is a reward like any other.
    Wins,
    /// Bounds on the outcome, so that draws are proven too (score-bounded MCTS).
    Draws,
    /// Bounds on the final margin (score-bounded MCTS); on the outcome in games without one.
    Margins,
}

/// The choice among the root's children when the search is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FinalMove {
    /// The most visited child.
    Visits,
    /// The child with the best mean reward.
    Value,
    /// The secure child: the best mean reward minus 1/sqrt(visits), rewards from 0 to 1.
    Secure,
}
