//! Players are text: `LABEL(option,option=value,…)@BUDGET`, and for other programs
//! `engine:"COMMAND"@BUDGET`, `engine:uci:"COMMAND"@BUDGET` and `engine:gtp:"COMMAND"`.
//!
//! The same text serves as a command-line argument, in logs and as serialisation. Reading it gives
//! a [`Player`], which is plain data; printing a player gives its canonical text, which reads back
//! as the same player.

mod alpha_beta_options;
mod amaf_options;
mod best;
mod command;
mod depth_first_options;
mod engine_text;
mod family;
mod grammar;
mod labels;
mod lanctot_options;
mod listing;
mod options;
mod prove_options;
mod rollout_options;
mod setting;
mod shared_options;
mod switch_options;
mod values;

use std::any::Any;
use std::time::Duration;

use serde::{Serialize, Serializer};
use treegraft::rollout::prove;
use treegraft::{Budget, Constants, Spends, depth_first, presets, rollout};

pub use best::{Best, Level};
pub(crate) use grammar::{is_label, label_of, parse, split_item, split_text};
pub(crate) use listing::players;
pub use listing::{LabelInfo, OptionInfo};
pub use setting::Setting;
pub use switch_options::Strategies;
pub use values::Values;

use crate::error::Complaint;

/// A search and a budget: how moves are found, and what each may cost.
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
/// Only a [`Registry`](crate::Registry) reads players: it knows the labels of registered searches.
#[derive(Clone, Debug, PartialEq)]
pub struct Player {
    /// The algorithm with its options.
    pub search: Search,
    /// What a move may cost; empty if the text does not say. See [`Player::budget_or`].
    pub budget: Budget,
}

/// An algorithm with its options: how a player finds its moves.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "players are few, and are not moved about")]
pub enum Search {
    /// A legal move, drawn uniformly.
    Random,
    /// The move whose position evaluates best.
    Greedy(GreedyOptions),
    /// A tree in memory, grown by simulations.
    Rollout(RolloutOptions),
    /// Alpha-beta and its relatives.
    DepthFirst(DepthFirstOptions),
    /// Rollouts that prune, and the recursions that they are compared to.
    Prove(ProveOptions),
    /// An external engine.
    Engine(EngineOptions),
    /// The strongest player that is known for the game.
    Best(BestOptions),
    /// A search that was registered.
    Own(OwnOptions),
}

/// The options of the best player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BestOptions {
    /// From 1, the weakest, to 10; `None`: full strength.
    pub level: Option<u32>,
    /// Moves drawn at random, in thousandths; `None`: as many as the level says.
    pub random: Option<u32>,
}

/// The options of a greedy player.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GreedyOptions {
    /// The evaluation that it maximises.
    pub eval: Eval,
}

/// The options of a rollout search.
#[derive(Clone, Debug, PartialEq)]
pub struct RolloutOptions {
    /// All options but those below: [`rollout::Config::c`], [`rollout::Config::implicit`], the depths
    /// in [`rollout::Config::embed`], and det and the slope in [`rollout::Config::informed`] are
    /// ignored here.
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
    /// The evaluation of MCTS-IR, MCTS-IC and MCTS-IP.
    pub eval: Eval,
    /// The slope of the curve that turns values into rewards; `None`: the usual one for the
    /// evaluation ([`treegraft::Evaluator::slope`]).
    pub slope: Option<f64>,
    /// Implicit minimax backups: the weight; at most one of this and the next two.
    pub im: Option<f64>,
    /// What that weight falls with.
    pub im_by: rollout::WeightBy,
    /// How fast.
    pub im_rate: f64,
    /// Constant bias: the weight of evaluations.
    pub cb: Option<f64>,
    /// Heuristic progressive bias: the weight.
    pub hb: Option<f64>,
    /// Dynamic early termination: the bound.
    pub det: Option<f64>,
    /// The plies between two looks of dynamic early termination.
    pub det_every: u32,
    /// RAVE: k. [`rollout::Config::rave`] is ignored here.
    pub rave: Option<f64>,
    /// GRAVE: visits from which on a node uses its own AMAF values. Without `rave`, k is the usual one.
    pub grave: Option<u32>,
    /// The bias that decides about the weight of AMAF values instead of k.
    pub rave_bias: Option<f64>,
    /// Whether children that were never visited compete by AMAF values.
    pub rave_untried: bool,
    /// Strategy switching: the strategies. [`rollout::Config::switch`] is ignored here.
    pub switch: Option<Strategies>,
    /// The exploration constant of its bandit; `None`: that of the search.
    pub switch_b: Option<f64>,
    /// Whether the bandit remembers earlier moves.
    pub switch_keep: bool,
    /// Plies per bandit; `None`: one bandit for all.
    pub switch_band: Option<u32>,
    /// A bandit for each side.
    pub switch_sides: bool,
    /// MCTS-αβ: the probability of Monte Carlo rollouts; `None`: all rollouts are.
    pub p: Option<f64>,
    /// MCTS-αβ: all other options. [`rollout::Config::alpha_beta`] is ignored here.
    pub alpha_beta: rollout::AlphaBeta,
}

/// Plain UCT.
impl Default for RolloutOptions {
    fn default() -> RolloutOptions {
        presets::uct().into()
    }
}

/// The options of a depth-first search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DepthFirstOptions {
    /// How it searches.
    pub config: depth_first::Config,
    /// The evaluation of positions at the horizon.
    pub eval: Eval,
}

/// The options of a proving search.
#[derive(Clone, Debug, PartialEq)]
pub struct ProveOptions {
    /// How it searches.
    pub config: prove::Config,
    /// The evaluation of positions at the horizon.
    pub eval: Eval,
}

/// The protocol that an external engine speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// The engine protocol of this program, `docs/engine-protocol.md`.
    #[default]
    Tgp,
    /// The Universal Chess Interface, which programs for variants of chess speak.
    Uci,
    /// The Go Text Protocol, version 2.
    Gtp,
}

impl Protocol {
    /// All of them.
    pub const ALL: [Protocol; 3] = [Protocol::Tgp, Protocol::Uci, Protocol::Gtp];

    /// Its name in the text of players.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Protocol::Tgp => "tgp",
            Protocol::Uci => "uci",
            Protocol::Gtp => "gtp",
        }
    }
}

/// The options of an external engine; see `docs/engine-protocol.md` and `docs/protocols.md`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineOptions {
    /// The protocol that it speaks.
    pub protocol: Protocol,
    /// The program and its arguments: at least one word. No shell is involved.
    pub command: Vec<String>,
    /// How long to wait for steps without a time limit of their own: to start, to get ready, to
    /// spend a budget of work.
    pub patience: Duration,
    /// Options of the program, names and values, in the order in which they are sent; only for UCI.
    pub set: Vec<(String, String)>,
}

impl Default for EngineOptions {
    fn default() -> EngineOptions {
        EngineOptions {
            protocol: Protocol::Tgp,
            command: Vec::new(),
            patience: Duration::from_secs(60),
            set: Vec::new(),
        }
    }
}

/// The options of a search that was registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnOptions {
    /// The label.
    pub label: &'static str,
    /// The values of all options in their order, in canonical form.
    pub(crate) values: Vec<String>,
    /// The options that differ from the defaults, as they are written.
    pub(crate) items: Vec<String>,
    /// Whether a search ends without a budget.
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

/// What a move may cost by default: one second.
pub const DEFAULT_BUDGET: Budget = Budget {
    iterations: None,
    nodes: None,
    evaluations: None,
    plies: None,
    time: Some(Duration::from_secs(1)),
    memory: None,
};

/// What there is to know about a search: a new one has an arm in each of these.
impl Search {
    /// Its options, by whose type its labels are found.
    fn options(&self) -> &dyn Any {
        match self {
            Search::Random => &(),
            Search::Greedy(options) => options,
            Search::Rollout(options) => options,
            Search::DepthFirst(options) => options,
            Search::Prove(options) => options,
            Search::Engine(options) => options,
            Search::Best(options) => options,
            Search::Own(options) => options,
        }
    }

    /// Whether it ends without a budget.
    #[must_use]
    pub fn ends_by_itself(&self) -> bool {
        match self {
            Search::Random | Search::Greedy(_) => true,
            Search::Rollout(_) => false,
            // A level has its own limits.
            Search::Best(options) => options.level.is_some(),
            Search::Engine(options) => options.protocol == Protocol::Gtp,
            Search::DepthFirst(options) => options.config.depth.is_some(),
            Search::Prove(options) => options.config.depth.is_some(),
            Search::Own(options) => options.ends_by_itself,
        }
    }

    /// Which limits of a budget it spends, as far as that does not depend on the game.
    #[must_use]
    pub fn spends(&self) -> Spends {
        match self {
            Search::Random | Search::Greedy(_) => Spends::NOTHING,
            Search::Rollout(_) => rollout::Config::SPENDS,
            Search::DepthFirst(DepthFirstOptions { config, eval }) => {
                config.spends(*eval != Eval::Nothing)
            }
            Search::Prove(options) => options.config.spends(),
            // A protocol has its own limits, the best player those of the one that it stands for.
            Search::Engine(_) | Search::Best(_) | Search::Own(_) => Spends::ALL,
        }
    }

    /// Refuses options that make no sense together. What a configuration cannot even say is refused
    /// here, the rest by the library.
    fn check(&self) -> Result<(), Complaint> {
        match self {
            Search::Greedy(GreedyOptions { eval: Eval::Nothing }) => {
                let expected = "the name of an evaluation: greedy needs one";
                Err(Complaint::new("eval is \"none\"", expected))
            }
            Search::Rollout(options) => {
                options.check_parts()?;
                let config = options.config_for(&Constants::USUAL);
                config.check()?;
                Ok(config.check_evaluation(options.eval != Eval::Nothing)?)
            }
            Search::DepthFirst(DepthFirstOptions { config, eval }) => {
                config.check()?;
                Ok(config.check_evaluation(*eval != Eval::Nothing)?)
            }
            Search::Prove(options) => Ok(options.config.check()?),
            Search::Random
            | Search::Greedy(_)
            | Search::Best(_)
            | Search::Engine(_)
            | Search::Own(_) => Ok(()),
        }
    }

    /// Whether it can prove outcomes.
    #[must_use]
    pub fn can_prove(&self) -> bool {
        match self {
            Search::Random | Search::Greedy(_) | Search::Engine(_) => false,
            Search::Rollout(options) => options.config.solver != rollout::Solver::Off,
            // What the best player or an own search can do is in its reports.
            Search::DepthFirst(_) | Search::Prove(_) | Search::Best(_) | Search::Own(_) => true,
        }
    }

    /// What its values are made of.
    #[must_use]
    pub fn value_kind(&self) -> ValueKind {
        match self {
            Search::Rollout(_) => ValueKind::Simulations,
            Search::Prove(_) => ValueKind::Leaves,
            // Those of others are read like evaluations: they need no visits.
            Search::DepthFirst(_)
            | Search::Greedy(_)
            | Search::Random
            | Search::Best(_)
            | Search::Engine(_)
            | Search::Own(_) => ValueKind::Evaluations,
        }
    }

    /// Whether it keeps a tree that can be shown.
    #[must_use]
    pub fn keeps_tree(&self) -> bool {
        match self {
            Search::Rollout(_) | Search::Prove(_) => true,
            Search::Random
            | Search::Greedy(_)
            | Search::DepthFirst(_)
            | Search::Best(_)
            | Search::Engine(_)
            | Search::Own(_) => false,
        }
    }

    /// Why it has nothing to tell on the way; `None` if it can be traced.
    pub(crate) fn lacks_trace(&self) -> Option<&'static str> {
        match self {
            Search::Rollout(_) | Search::DepthFirst(_) | Search::Prove(_) => None,
            Search::Random | Search::Greedy(_) => Some("this player does not search"),
            Search::Best(_) => Some("best stands for another player in every game: write that one"),
            Search::Engine(_) => Some("an engine does not say what it does"),
            Search::Own(_) => Some("a search of your own does not say what it does"),
        }
    }
}

/// What values are made of. They are written alike, whatever they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// Means of simulations: the chance of winning, a draw counting half.
    Simulations,
    /// Evaluations.
    Evaluations,
    /// Evaluations, by searches that count leaves.
    Leaves,
}

impl Player {
    /// The player's own budget, or the limits of `default` if the player has none and needs one.
    ///
    /// Players that end by themselves need none: `random`, `greedy`, searches of a given depth, and
    /// engines that speak GTP, which use their own time.
    /// A limit on memory alone ends no search; it is kept. Of several limits in `default`, those count
    /// that the search spends.
    #[must_use]
    pub fn budget_or(&self, default: Budget) -> Budget {
        if self.search.ends_by_itself() || !self.budget.is_unlimited() {
            return self.budget;
        }
        let default = self.search.spends().of(default);
        Budget { memory: self.budget.memory.or(default.memory), ..default }
    }

    /// The same player with the budget of [`Player::budget_or`].
    #[must_use]
    pub fn with_budget_or(&self, default: Budget) -> Player {
        Player { budget: self.budget_or(default), ..self.clone() }
    }

    /// Whether it switches strategies for its playouts.
    #[must_use]
    pub fn switches(&self) -> bool {
        matches!(&self.search, Search::Rollout(options) if options.switch.is_some())
    }

    /// Whether a limit is on time, so that other work on the machine would slow it down.
    #[must_use]
    pub fn is_timed(&self) -> bool {
        !self.budget_or(DEFAULT_BUDGET).is_repeatable()
    }

    /// Whether the same seed gives the same moves: there is no limit on time, and no engine, which
    /// may do anything with a seed.
    #[must_use]
    pub fn is_repeatable(&self) -> bool {
        let is_engine = matches!(self.search, Search::Engine(_));
        !is_engine && self.budget_or(DEFAULT_BUDGET).is_repeatable()
    }
}

/// As its canonical text.
impl Serialize for Player {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
