//! What a rollout search leaves open, as data.

use super::alpha_beta::AlphaBeta;
use super::ucb::Select;
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
    /// Which of a node's untried children comes first.
    pub first_play: FirstPlay,
    /// A leaf is given children when it has been visited so often, or when a search inside has proven
    /// one of its moves lost ([`Embed::ms`]).
    pub expand_at: u32,
    /// What is proven along the way.
    pub solver: Solver,
    /// Which move is played in the end.
    pub final_move: FinalMove,
    /// Keep the part of the tree below the moves played.
    pub reuse: bool,
    /// Which moves playouts are made of.
    pub playouts: Playouts,
    /// Minimax searches inside the simulations.
    pub embed: Embed,
    /// Evaluations inside the simulations.
    pub informed: Informed,
    /// MCTS-αβ: some rollouts are alpha-beta's.
    pub alpha_beta: Option<AlphaBeta>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            select: Select::Ucb1,
            c: std::f64::consts::SQRT_2,
            expand: Expand::One,
            first_play: FirstPlay::Random,
            expand_at: 1,
            solver: Solver::Off,
            final_move: FinalMove::Visits,
            reuse: false,
            playouts: Playouts::Random,
            embed: Embed::default(),
            informed: Informed::default(),
            alpha_beta: None,
        }
    }
}

/// The default policy: what a playout plays wherever [`Embed::mr`] and [`Informed::ir`] say "any".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Playouts {
    /// Any move, uniformly.
    Random,
    /// The move that looks best by the game's hints ([`order_hint`](crate::Game::order_hint)), of
    /// several any: the informed default policy of Baier 2018. The same as random in games
    /// without hints.
    Hints,
}

impl Config {
    /// Whether an evaluation is asked anywhere.
    #[must_use]
    pub fn asks_evaluation(&self) -> bool {
        self.informed.is_on() || self.alpha_beta.is_some() || self.first_play == FirstPlay::Value
    }
}

/// Where a rollout search asks a minimax search that knows won and lost games only: the hybrids of
/// Baier & Winands 2015, which combine freely. The default is nowhere.
///
/// Depths count plies from the node in question, its own move included; a depth of 0 is no search. The moves that are played
/// while searching count as transitions; iterations and nodes stay those of the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Embed {
    /// MCTS-MR: every move of a playout, the first included, is the result of a search of so many
    /// plies: a winning move, else any that does not lose, else any.
    pub mr: Option<u32>,
    /// MCTS-MS: a node of the tree is searched for losing moves when it has been visited so often.
    /// Needs a solver, or does nothing.
    pub ms: Option<AtVisits>,
    /// MCTS-MB: when a move has just been proven lost, but not its node, the node's other moves are
    /// searched for wins and losses, so many plies. Needs a solver, or does nothing.
    pub mb: Option<u32>,
    /// In these searches, look at the first k replies only, by the game's hints. What is left out
    /// may always be better: such a node is never proven lost. In the searches of [`Informed`],
    /// nothing is proven, and what is left out does not count.
    pub k: Option<u32>,
    /// In these searches and in those of [`Informed`], look at moves in the order of the game's
    /// hints: faster, with the same result.
    pub order: bool,
}

/// Where a rollout search asks an evaluation, or a minimax search with the evaluation at its
/// horizon: the informed rollouts, cutoffs and priors of Baier & Winands 2014, which combine freely.
/// The default is nowhere.
///
/// A depth is that of an alpha-beta search. For a playout move it counts plies from the position
/// before the move, as in [`Embed::mr`]: 1 compares the evaluations of the successors (MCTS-IR-E).
/// For a position that is valued it counts from there: 0 is its evaluation (MCTS-IC-E, MCTS-IP-E).
/// More is MCTS-IR-M, MCTS-IC-M and MCTS-IP-M.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Informed {
    /// MCTS-IR: every move of a playout, the first included, is the one with the best value, but
    /// with this probability any. With [`Embed::mr`], "any" and "the best" are of those that it
    /// leaves.
    pub ir: Option<f64>,
    /// Depth of the searches for playout moves, at least 1.
    pub ir_depth: u32,
    /// MCTS-IC: a playout is cut off after so many plies, and the position's value is the reward. A
    /// game that ends before gives its result.
    pub ic: Option<u32>,
    /// Depth of the searches where a playout is cut off.
    pub ic_depth: u32,
    /// MCTS-IP: the children of a node begin with so many virtual visits.
    pub ip: Option<Prior>,
    /// Depth of the searches at these children.
    pub ip_depth: u32,
    /// The slope a of the logistic curve 1 / (1 + exp(-a (x - 1/2))) that makes a reward of a value x
    /// from 0 to 1; with 0, the value is the reward.
    pub slope: f64,
}

impl Default for Informed {
    fn default() -> Informed {
        Informed { ir: None, ir_depth: 1, ic: None, ic_depth: 0, ip: None, ip_depth: 0, slope: 0.0 }
    }
}

impl Informed {
    /// Whether an evaluation is asked anywhere.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.ir.is_some() || self.ic.is_some() || self.ip.is_some()
    }
}

/// Virtual visits. All children of a node get them, once: when it has been visited so often
/// before, or when it gets its children if that is later.
///
/// They are wins and losses in the proportion that the child's value says. Selection counts them, for
/// the children and for the node itself; whatever else goes by visits does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prior {
    /// Visits of the node before the present one.
    pub visits: u32,
    /// Visits that each child is given.
    pub weight: u16,
}

/// A search of so many plies at the node, once, when it has been visited so often before. With no
/// visits, that is when the node is added to the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AtVisits {
    /// Depth of the search.
    pub depth: u32,
    /// Visits before the present one.
    pub visits: u32,
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

/// Which of a node's untried children comes first: every child is visited once before any is visited
/// again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FirstPlay {
    /// Any.
    Random,
    /// The one with the best hint ([`order_hint`](crate::Game::order_hint)), of several any.
    Hint,
    /// The one after which the evaluation is best for the side that moves, of several any. A finished
    /// game is worth more than any evaluation, or less. All moves are evaluated when the node gets its
    /// children.
    Value,
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

/// Which of the root's children is played when the search is over.
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
