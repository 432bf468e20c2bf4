//! The options of MCTS-αβ, as data.

use serde::{Deserialize, Serialize};

/// MCTS-αβ (Baier 2018): at every node, a rollout may go on as alpha-beta's. It then goes to the
/// first of the k best moves that can still matter, down to a horizon, where the position is
/// evaluated. The value comes back to the nodes above as a reward, by way of
/// [`Informed::slope`](crate::rollout::Informed::slope). Where a rollout completes a depth, the
/// best move is given virtual wins.
///
/// The default is the paper's setting for informed simulations. Nothing is kept between moves, and
/// children are added one by one. A [`RegimeRule::Bandit`] leaves only `root_bonus` to `p`, which has to
/// have some value all the same.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AlphaBeta {
    /// The probability that a rollout goes on as Monte Carlo's, at each node.
    pub p: f64,
    /// What decides how a rollout goes on.
    #[serde(rename = "choose")]
    pub regime: RegimeRule,
    /// The bonus for a completed depth is score * w * f^depth wins (Baier 2018).
    pub w: f64,
    /// The factor by which the bonus grows with every ply.
    pub f: f64,
    /// Alpha-beta looks only at the first k moves by the game's hints, ties in random order.
    pub k: Option<u32>,
    /// Whether the order of moves with equal hints, and so which are the k best, is drawn anew whenever
    /// alpha-beta comes to a node. What it knows of a node then depends on the latest draw.
    pub redraw_ties: bool,
    /// The deepest alpha-beta search from any node, up to [`AlphaBeta::DEEPEST`]. After that, all
    /// rollouts there are Monte Carlo's.
    pub l: u32,
    /// Whether the moves at the root are given bonuses too.
    pub root_bonus: RootBonus,
    /// The depth in plies from which on the root has bonuses, if it has any. Where all rollouts are
    /// alpha-beta's, it has them from the first.
    pub root_from: u32,
    /// Whether the rollout also counts at the node from which alpha-beta goes on, and not only at
    /// those above it.
    pub update_next: bool,
    /// Whether values of alpha-beta rollouts are backed up at all.
    pub values: bool,
    /// The score in the bonus.
    pub score: BonusScore,
    /// What counts as a node where a rollout is alpha-beta's. Elsewhere, it is every node added.
    pub count: CountNodes,
}

impl AlphaBeta {
    /// The largest `l`.
    pub const DEEPEST: u32 = 30;

    /// The rule for the root, [`RootBonus::Majority`] resolved.
    pub(in crate::rollout) fn root_rule(&self) -> RootBonus {
        match self.root_bonus {
            RootBonus::Majority if self.p < 0.5 => RootBonus::Always,
            RootBonus::Majority => RootBonus::Literal,
            rule => rule,
        }
    }
}

impl Default for AlphaBeta {
    fn default() -> AlphaBeta {
        AlphaBeta {
            p: 0.95,
            regime: RegimeRule::Coin,
            w: 200.0,
            f: 8.0,
            k: Some(8),
            redraw_ties: false,
            l: 6,
            root_bonus: RootBonus::Majority,
            root_from: 1,
            update_next: true,
            values: true,
            score: BonusScore::LastLeaf,
            count: CountNodes::Intervals,
        }
    }
}

/// What decides whether a rollout of MCTS-αβ goes on as Monte Carlo's or as alpha-beta's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RegimeRule {
    /// A coin, as in the paper.
    Coin,
    /// UCB1 with two arms, without p. The payoff of a rollout is how far its reward is from the
    /// mean of the node at which the arm was pulled.
    Bandit,
    /// A coin where a trap has been seen, that is, where a move has been proven lost. Elsewhere
    /// every rollout is Monte Carlo's.
    Traps,
}

/// Whether the moves at the root of MCTS-αβ are given bonuses. The paper's text says yes, its
/// pseudo-code no.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RootBonus {
    /// No. Alpha-beta goes deeper at the root all the same.
    Never,
    /// Like those of any other node.
    Always,
    /// Only if all rollouts are alpha-beta's: without them, no move would stand out.
    AtPZero,
    /// No, and alpha-beta stays at one ply at the root, where it has nothing more to find: the
    /// pseudo-code to the letter. If all rollouts are alpha-beta's, like [`RootBonus::AtPZero`].
    Literal,
    /// The kind of rollout that is more frequent decides the final move: like [`RootBonus::Always`]
    /// if p is below 1/2, else like [`RootBonus::Literal`].
    Majority,
}

/// The score in the bonus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BonusScore {
    /// The reward of the rollout that completed the depth, that is, of its last leaf.
    LastLeaf,
    /// The exact value of the completed depth, as a reward.
    Exact,
}

/// What counts as a node of an alpha-beta rollout of MCTS-αβ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CountNodes {
    /// A position searched to a depth for the first time. This is what iterative deepening counts,
    /// which visits a position again at every depth.
    Intervals,
    /// A position searched for the first time, to whatever depth.
    Positions,
    /// Every rollout is one node.
    Rollouts,
}
