//! Players are text: `LABEL(option,option=value,…)@BUDGET`, and `engine:"COMMAND"@BUDGET` for other
//! programs.
//!
//! The same text is command-line argument, line of a log, and serialisation. Reading it gives a
//! [`Player`], which is plain data; printing a player gives its canonical text, which reads back as
//! the same player.

mod alpha_beta_options;
mod command;
mod depth_first_options;
mod grammar;
mod labels;
mod listing;
mod options;
mod prove_options;
mod rollout_options;
mod setting;
mod shared_options;
mod values;

use std::time::Duration;

use serde::{Serialize, Serializer};
use treegraft::rollout::prove;
use treegraft::{Budget, depth_first, presets, rollout};

pub(crate) use grammar::{is_label, label_of, parse, split_text};
pub(crate) use listing::players;
pub use listing::{LabelInfo, OptionInfo};
pub use setting::Setting;
pub(crate) use values::{Values, is_name};

/// Someone who plays: a way to search, and what a move may cost.
///
/// ```
/// use treegraft_players::Registry;
///
/// let registry = Registry::standard();
/// let player = registry.player("mcts(solver=wins, c=0.80)@1e4it")?;
/// assert_eq!(player.to_string(), "mcts-solver(c=0.8)@10000it");
/// let error = registry.player("mcts(c=-3)").unwrap_err();
/// assert!(error.to_string().contains("c is \"-3\"; expected a number from 0 to 100"));
/// # Ok::<(), treegraft_players::PlayerError>(())
/// ```
///
/// Only a [`Registry`](crate::Registry) reads players: it knows the labels of own searches.
#[derive(Clone, Debug, PartialEq)]
pub struct Player {
    /// How it finds its moves.
    pub search: Search,
    /// What a move may cost; empty if the text does not say. See [`Player::budget_or`].
    pub budget: Budget,
}

/// How a player finds its moves.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "players are few, and are not moved about")]
pub enum Search {
    /// Any legal move, uniformly.
    Random,
    /// The move to the position that looks best.
    Greedy(GreedyPlayer),
    /// A tree in memory, grown by simulations.
    Rollout(RolloutPlayer),
    /// Alpha-beta and its relatives.
    DepthFirst(DepthFirstPlayer),
    /// Rollouts that prune, and what they are compared to.
    Prove(ProvePlayer),
    /// Another program.
    Engine(EnginePlayer),
    /// A search that was registered.
    Own(OwnPlayer),
}

/// The choices of a greedy player.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GreedyPlayer {
    /// What it goes by.
    pub eval: Eval,
}

/// The choices of a rollout search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RolloutPlayer {
    /// All choices but those below: [`rollout::Config::c`], the depths in
    /// [`rollout::Config::embed`] and the slope in [`rollout::Config::informed`] do not count here.
    pub config: rollout::Config,
    /// The exploration constant; `None`: the usual one for game and formula
    /// ([`treegraft::Constants`]).
    pub c: Option<f64>,
    /// MCTS-MR: the depth.
    pub mr: Setting<u32>,
    /// MCTS-MS: the depth, and the visits.
    pub ms: Setting<rollout::AtVisits>,
    /// MCTS-MB: the depth.
    pub mb: Setting<u32>,
    /// What MCTS-IR, MCTS-IC and MCTS-IP go by.
    pub eval: Eval,
    /// The slope of the curve that makes rewards of values; `None`: the usual one for the evaluation
    /// ([`treegraft::Evaluator::slope`]).
    pub slope: Option<f64>,
    /// MCTS-αβ: the probability of Monte Carlo rollouts; `None`: there are no others.
    pub p: Option<f64>,
    /// MCTS-αβ: everything else. [`rollout::Config::alpha_beta`] does not count here.
    pub alpha_beta: rollout::AlphaBeta,
}

/// The choices of a depth-first search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DepthFirstPlayer {
    /// How it searches.
    pub config: depth_first::Config,
    /// What it makes of positions at the horizon.
    pub eval: Eval,
}

/// The choices of a proving search.
#[derive(Clone, Debug, PartialEq)]
pub struct ProvePlayer {
    /// How it searches.
    pub config: prove::Config,
    /// What it makes of positions at the horizon.
    pub eval: Eval,
}

/// FSSS as the label has it: deeper and deeper, with ordered moves.
impl Default for ProvePlayer {
    fn default() -> ProvePlayer {
        ProvePlayer { config: presets::fsss(), eval: Eval::Usual }
    }
}

/// Another program that plays, over the protocol of `docs/engine-protocol.md`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnginePlayer {
    /// The program and its arguments: at least one word. No shell is involved.
    pub command: Vec<String>,
    /// How long it may take for whatever has no limit on time of its own: to start, to get ready, to
    /// spend a budget of work.
    pub patience: Duration,
}

impl Default for EnginePlayer {
    fn default() -> EnginePlayer {
        EnginePlayer { command: Vec::new(), patience: Duration::from_secs(60) }
    }
}

/// The choices of a player with a search that was registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnPlayer {
    /// The label.
    pub label: &'static str,
    /// The value of every option, in their order, as it is usually written.
    pub(crate) values: Vec<String>,
    /// What differs from the defaults, as it is written.
    pub(crate) items: Vec<String>,
    /// Whether a move ends without a budget.
    pub(crate) ends_by_itself: bool,
}

/// Which of a game's evaluations a player uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Eval {
    /// The game's first one; none if it has none.
    #[default]
    Usual,
    /// None: only finished games count.
    Nothing,
    /// The one with this name.
    Named(String),
}

/// What a move may cost where nobody says otherwise: one second.
pub const DEFAULT_BUDGET: Budget = Budget {
    iterations: None,
    nodes: None,
    evaluations: None,
    time: Some(Duration::from_secs(1)),
    memory: None,
};

impl Player {
    /// The player's own budget, or the limits of `default` if the player has none and needs one.
    ///
    /// Players that end by themselves need none: `random`, `greedy`, and searches of a given depth.
    /// A limit on memory alone ends no search; it is kept.
    #[must_use]
    pub fn budget_or(&self, default: Budget) -> Budget {
        let ends_by_itself = match &self.search {
            Search::Random | Search::Greedy(_) => true,
            Search::Rollout(_) | Search::Engine(_) => false,
            Search::DepthFirst(player) => player.config.depth.is_some(),
            Search::Prove(player) => player.config.depth.is_some(),
            Search::Own(player) => player.ends_by_itself,
        };
        if ends_by_itself || !self.budget.is_unlimited() {
            return self.budget;
        }
        Budget { memory: self.budget.memory.or(default.memory), ..default }
    }

    /// The same player with the budget that it has where `default` is the usual one.
    #[must_use]
    pub fn with_budget_or(&self, default: Budget) -> Player {
        Player { budget: self.budget_or(default), ..self.clone() }
    }

    /// Whether a limit is on time, so that other work on the machine would slow it down.
    #[must_use]
    pub fn is_timed(&self) -> bool {
        !self.budget_or(DEFAULT_BUDGET).is_repeatable()
    }

    /// Whether the same seed gives the same moves: no limit on time, and no program of others, of
    /// which nobody knows what it does with a seed.
    #[must_use]
    pub fn is_repeatable(&self) -> bool {
        let is_foreign = matches!(self.search, Search::Engine(_));
        !is_foreign && self.budget_or(DEFAULT_BUDGET).is_repeatable()
    }
}

/// As its canonical text.
impl Serialize for Player {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
