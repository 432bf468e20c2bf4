//! The options of a rollout search, as data.

use super::alpha_beta::AlphaBeta;
use super::ucb::Select;
use crate::Ipp;
use serde::{Deserialize, Serialize};

/// How a rollout search works. The default is UCT with UCB1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Which child a simulation goes to.
    pub select: Select,
    /// The exploration constant C for rewards from 0 to 1.
    pub c: f64,
    /// How much of the tree one expansion adds.
    pub expand: Expand,
    /// Which of a node's untried children comes first.
    pub first_play: FirstPlay,
    /// Visits after which a leaf is expanded: it gets children on the next one. It gets them earlier
    /// if an embedded search proves one of its moves lost ([`Embed::ms`]).
    pub expand_at: u32,
    /// What is proven along the way.
    pub solver: Solver,
    /// Which move is played in the end.
    pub final_move: FinalMove,
    /// Keep the part of the tree below the moves played. Finding it again takes time in proportion
    /// to what is kept.
    pub reuse: bool,
    /// Which moves playouts are made of.
    pub playouts: Playouts,
    /// Minimax searches inside the simulations.
    pub embed: Embed,
    /// Evaluations inside the simulations.
    pub informed: Informed,
    /// Where a playout begins when a leaf gets children.
    pub playout_from: PlayoutFrom,
    /// A second value of every node, from evaluations.
    pub implicit: Option<Implicit>,
    /// Progressive bias (Chaslot et al. 2008): a child's mean reward, from -1 to 1, is raised by
    /// this weight times the move's [probability](crate::Knowledge::transition_probability) divided by
    /// its visits plus one.
    pub progressive_bias: Option<f64>,
    /// Maximum backpropagation (Coulom 2006): a node with at least this many visits passes the best of
    /// its children's means up instead of the reward.
    pub max_backpropagation: Option<u32>,
    /// The mean reward of a move wherever it is played, mixed into the means of a node's children. Not
    /// for MCTS-αβ.
    pub rave: Option<Rave>,
    /// MAST (Finnsson & Björnsson 2008): a playout move is the one with the best mean reward in all
    /// simulations of the search so far, in the tree and in playouts, or with this probability one of
    /// the default policy. Not with [`Embed::mr`] or [`Informed::ir`], which choose themselves, nor for
    /// MCTS-αβ.
    pub mast: Option<f64>,
    /// Playouts are made by the strategies that the search is given
    /// ([`Rollout::with_strategies`](super::Rollout::with_strategies)), one of which is chosen for each.
    /// Not with other policies for playouts, nor for MCTS-αβ.
    pub switch: Option<Switch>,
    /// MCTS-αβ: rollouts may go on as alpha-beta's.
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
            playout_from: PlayoutFrom::Child,
            implicit: None,
            progressive_bias: None,
            max_backpropagation: None,
            rave: None,
            mast: None,
            switch: None,
            alpha_beta: None,
        }
    }
}

/// The default policy of playouts: where [`Embed::mr`] and [`Informed::ir`] say "any move", it is
/// one by this policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Playouts {
    /// Any move, uniformly.
    Random,
    /// The move with the best hint ([`order_hint`](crate::Knowledge::order_hint)), ties in random order:
    /// the informed default policy of Baier 2018. The same as `Random` in games without hints.
    Hints,
    /// By weights ([`playout_weight`](crate::Knowledge::playout_weight)): the improved playouts (ipp) of
    /// Lanctot et al. 2014. The same as `Random` in games without weights.
    Improved(Ipp),
}

impl Playouts {
    /// The weights of improved playouts.
    pub(super) fn improved(self) -> Option<Ipp> {
        match self {
            Playouts::Improved(ipp) => Some(ipp),
            Playouts::Random | Playouts::Hints => None,
        }
    }

    /// The weights, if any, of playouts that an evaluation makes as a whole; `None` for a policy that it
    /// does not know.
    pub(super) fn of_evaluation(self) -> Option<Option<Ipp>> {
        match self {
            Playouts::Random | Playouts::Improved(_) => Some(self.improved()),
            Playouts::Hints => None,
        }
    }
}

/// Strategy switching (Mańdziuk & Walczak): a bandit chooses a strategy for every playout.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Switch {
    /// The bandit's exploration constant, for rewards from 0 to 1.
    pub b: f64,
    /// Whether the bandit remembers earlier searches of the same game.
    pub keep: bool,
    /// Plies per bandit, from the root to the beginning of the playout; `None`: one bandit for all.
    pub band: Option<u32>,
    /// A strategy for each side, chosen by bandits of their own, each of which is paid its side's
    /// reward. Otherwise both sides have the same one, and the bandit is paid the reward of the side at
    /// the root.
    pub sides: bool,
}

/// Rapid action value estimation (Gelly & Silver 2007): the value of a child is (1 - β) Q + β A, with
/// Q what selection sees without it and A the mean reward of all simulations through the node in which
/// the side to move plays the child's move there or later (AMAF).
///
/// A node's statistics begin when it gets children. Moves are distinguished by their slots
/// ([`move_slot`](crate::Speed::move_slot)) and by who plays them; a move that is played twice in a
/// simulation counts once.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rave {
    /// β is sqrt(k / (3 N + k)) at a child with N visits: ½ at k visits.
    pub k: f64,
    /// With this bias b, β is M / (M + N + b M N) instead, with M the number of simulations that A is
    /// the mean of (Cazenave 2015).
    pub bias: Option<f64>,
    /// GRAVE (Cazenave 2015): A comes from this node, or the nearest one above it, that has at least
    /// this many visits, or else from the root. 0 is RAVE.
    pub reference: u32,
    /// Children that were never visited compete by A, as if they had been visited once, instead of
    /// coming first.
    pub untried: bool,
}

impl Default for Rave {
    fn default() -> Rave {
        Rave { k: crate::presets::RAVE_K, bias: None, reference: 0, untried: false }
    }
}

/// Implicit minimax backups (Lanctot et al. 2014): every node has a value besides its mean reward,
/// backed up by minimax from the evaluations of the leaves of the tree. Selection sees a mixture of
/// the two; nothing else does. Not for MCTS-αβ, which has bounds of its own.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Implicit {
    /// The weight α of the second value, from 0 to 1.
    pub alpha: f64,
    /// What is mixed.
    pub mixture: Mixture,
    /// What the weight falls with, in [`Mixture::Minimax`].
    #[serde(default)]
    pub by: WeightBy,
    /// How fast: at x, the weight is α / (1 + rate x).
    #[serde(default)]
    pub rate: f64,
}

impl Implicit {
    /// A weight that does not change.
    #[must_use]
    pub fn constant(alpha: f64, mixture: Mixture) -> Implicit {
        Implicit { alpha, mixture, by: WeightBy::Nothing, rate: 0.0 }
    }
}

/// What the weight of implicit minimax values falls with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WeightBy {
    /// Nothing: as in the paper.
    #[default]
    Nothing,
    /// Visits of the child, in thousands.
    Visits,
    /// Plies from the root to the child.
    Depth,
    /// The difference between the child's mean reward and its implicit value.
    Disagreement,
}

/// The value that selection sees in place of a child's mean reward Q. The child's evaluation is v0,
/// its implicit minimax value v.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mixture {
    /// (1 - α) Q + α v: implicit minimax backups.
    Minimax,
    /// (1 - α) Q + α v0: a constant bias, without any backing up.
    Constant,
    /// (1 - α) Q + α v / (n + 1) at a child with n visits: a progressive bias of the heuristic
    /// values.
    Progressive,
}

/// Where the playout begins when a visit to a leaf gives it children.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlayoutFrom {
    /// At the first of the children that is tried; they come with the second visit to the leaf.
    Child,
    /// At the leaf itself, whose children come with its first visit: as Lanctot et al. (2014) print
    /// it.
    Node,
}

/// Where a rollout search embeds minimax searches that only know won and lost games: the hybrids of
/// Baier & Winands 2015, which combine freely. The default is nowhere.
///
/// Depths are counted in plies from the node that is searched, its own move included: at least 1. The
/// moves played in these searches count as transitions; iterations and nodes are those of the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Embed {
    /// MCTS-MR: depth in plies of the search that chooses every move of a playout, the first included:
    /// a winning move, else any move that does not lose, else any move.
    pub mr: Option<u32>,
    /// What MCTS-MR's searches do at the edge of the tree. Only with [`Embed::mr`].
    pub mr_tree: MrTree,
    /// MCTS-MS: a node of the tree is searched for losing moves once, after a number of visits. Only
    /// with a solver.
    pub ms: Option<AtVisits>,
    /// MCTS-MB: when a move has just been proven lost and its node is still open, the node's other
    /// moves are searched for wins and losses. This is the depth in plies. Only with a solver.
    pub mb: Option<u32>,
    /// These searches look only at the first k replies by the game's hints. A move left out may be
    /// better, so such a node is never proven lost. The searches of [`Informed`] prove nothing and
    /// ignore what is left out.
    pub k: Option<u32>,
    /// These searches and those of [`Informed`] look at moves in the order of the game's hints:
    /// faster, with the same result.
    pub order: bool,
}

/// What the searches of MCTS-MR do at the edge of the tree, where the paper leaves it open whether
/// they decide more than the moves of playouts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MrTree {
    /// Nothing: they begin after the new leaf.
    Off,
    /// They also choose which of a node's untried children comes next: winning moves first, losing
    /// moves last. Among equals, [`Config::first_play`] decides.
    Expand,
    /// A win that the first search of the first playout finds proves the new leaf. The default: with it
    /// the paper's results are likeliest (`papers/baier-winands-2015`). Without a solver, which is no
    /// error because it is the default, nothing is proven and MR only plays.
    #[default]
    Prove,
}

/// Where a rollout search uses an evaluation, or alpha-beta with the evaluation at its horizon: the
/// informed rollouts, cutoffs and priors of Baier & Winands 2014, which combine freely. The default
/// is nowhere.
///
/// Depths are those of alpha-beta. For a playout move, the plies are counted from the position
/// before the move, as in [`Embed::mr`]: a depth of 1 compares the evaluations of the successors
/// (MCTS-IR-E). At a cutoff or a new child, they are counted from that position: a depth of 0 is
/// its evaluation (MCTS-IC-E, MCTS-IP-E). Greater depths are MCTS-IR-M, MCTS-IC-M and MCTS-IP-M.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Informed {
    /// MCTS-IR: every move of a playout, the first included, is the one with the best value, or
    /// with this probability any move. With [`Embed::mr`], both are among the moves that it leaves.
    pub ir: Option<f64>,
    /// Depth of the searches for playout moves, at least 1.
    pub ir_depth: u32,
    /// Which of several best moves that is.
    pub ties: Ties,
    /// MCTS-IC: plies after which a playout is cut off, with the position's value as the reward. The
    /// reward of a game that ends earlier is its outcome. With 0 there are no playout moves: policies
    /// for them ([`Config::playouts`], [`Embed::mr`]) are no error then, but have nothing to do.
    pub ic: Option<u32>,
    /// Depth of the searches at cutoffs.
    pub ic_depth: u32,
    /// Dynamic early termination (Lanctot et al. 2014): a playout ends when its position's value is
    /// clear enough.
    pub det: Option<Mercy>,
    /// MCTS-IP: the virtual visits with which the children of a node begin.
    pub ip: Option<Prior>,
    /// Depth of the searches at these children.
    pub ip_depth: u32,
    /// Node priors (Gelly & Silver 2007; Lanctot et al. 2014): the number of virtual visits with which
    /// each child of a node begins. The game says how many of them are won
    /// ([`node_prior`](crate::Knowledge::node_prior)). Does nothing in games without them. Not with `ip`.
    pub np: Option<u16>,
    /// The slope a of the logistic curve 1 / (1 + exp(-a (x - 1/2))) that turns a value x from 0 to
    /// 1 into a reward; with 0, the value is the reward.
    pub slope: f64,
}

impl Default for Informed {
    fn default() -> Informed {
        Informed {
            ir: None,
            ir_depth: 1,
            ties: Ties::Random,
            ic: None,
            ic_depth: 0,
            det: None,
            ip: None,
            ip_depth: 0,
            np: None,
            slope: 0.0,
        }
    }
}

impl Informed {
    /// Whether any of these uses an evaluation.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.ir.is_some() || self.ic.is_some() || self.ip.is_some() || self.det.is_some()
    }
}

/// Which of several equally good playout moves is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ties {
    /// Any of them, uniformly.
    #[default]
    Random,
    /// The first in the game's order.
    First,
}

/// A mercy rule for playouts: when the value of the position, as a reward from -1 to 1, is beyond a
/// bound, the side that is ahead has won. A game that ends earlier has its outcome.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mercy {
    /// The bound.
    pub bound: f64,
    /// Plies between two looks at the position, and before the first.
    pub every: u32,
}

/// Virtual visits. All children of a node are given them once: after [`visits`](Prior::visits) visits
/// of the node, or when it gets its children, whichever is later.
///
/// The child's value says how many of them are won. Selection counts them, for the children and for
/// the node itself; nothing else does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prior {
    /// Visits of the node before the present one.
    pub visits: u32,
    /// Virtual visits that each child is given.
    pub weight: u16,
}

/// One search at a node, on the visit that follows [`visits`](AtVisits::visits) others. With 0, that is
/// when the node is added to the tree.
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
    /// One new child per simulation.
    One,
    /// All children at once, so that finished games among them are seen immediately.
    All,
}

/// Which of a node's untried children is tried first. Every child is visited once before any is
/// visited again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FirstPlay {
    /// Any.
    Random,
    /// The one with the best hint ([`order_hint`](crate::Knowledge::order_hint)), ties in random order.
    Hint,
    /// The one with the best evaluation for the side to move, ties in random order. A won game
    /// comes before every evaluation, a lost one after them. All moves are evaluated when the node
    /// gets its children.
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

/// Which of the root's moves is the answer when the search is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FinalMove {
    /// The most visited child; of equally visited ones, the one with the best mean reward.
    Visits,
    /// The child with the best mean reward.
    Value,
    /// The secure child (Winands, Björnsson & Saito 2008): the best mean reward minus
    /// 1 / sqrt(visits), for rewards from 0 to 1.
    Secure,
}
