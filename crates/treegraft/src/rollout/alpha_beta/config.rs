//! What MCTS-αβ leaves open, as data.

use serde::{Deserialize, Serialize};

/// MCTS-αβ (Baier 2018): at every node that a rollout comes to, it may go on as alpha-beta's: to the
/// first of the k best moves that can still matter, down to a horizon, where the evaluation is asked.
/// Its value comes back to the nodes above as a reward ([`Informed::slope`](crate::rollout::Informed::slope) makes it one), and where
/// it completes a depth, the best move is given virtual wins.
///
/// The default is the paper's for its informed simulations. Nothing is kept between moves
/// ([`Config::reuse`](crate::rollout::Config::reuse)), and children are added one by one ([`Config::expand`](crate::rollout::Config::expand)).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AlphaBeta {
    /// The probability that a rollout goes on as Monte Carlo's, at each node.
    pub p: f64,
    /// Who decides how a rollout goes on.
    #[serde(rename = "choose")]
    pub regime: RegimeRule,
    /// A bonus is score * w * f^depth wins.
    pub w: f64,
    /// How much more a bonus is for every ply deeper.
    pub f: f64,
    /// Alpha-beta looks at the first k moves by the game's hints, ties in random order.
    pub k: Option<u32>,
    /// The deepest alpha-beta search from any node, up to [`AlphaBeta::DEEPEST`]. After that, all
    /// rollouts there are Monte Carlo's.
    pub l: u32,
    /// Whether the moves at the root are given bonuses, too.
    pub root_bonus: RootBonus,
    /// Where the root has bonuses: from a search of so many plies on. Where all rollouts are
    /// alpha-beta's, from the first.
    pub root_from: u32,
    /// Whether the node from which alpha-beta goes on counts the rollout, too, and not only those
    /// above it.
    pub update_next: bool,
    /// Whether values of alpha-beta rollouts are backed up at all.
    pub values: bool,
    /// The score that a bonus is multiplied with.
    pub score: BonusScore,
    /// What counts as a node where a rollout is alpha-beta's. (Elsewhere, nodes that are added.)
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

/// Who decides whether a rollout of MCTS-αβ goes on as Monte Carlo's or as alpha-beta's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RegimeRule {
    /// A coin, as in the paper.
    Coin,
    /// UCB1 with two arms; a rollout has been as useful as its reward was far from the mean of the
    /// node at which it was decided. p plays no part.
    Bandit,
    /// A coin, but only where a trap has been seen: where a move has been proven lost. Elsewhere it
    /// is Monte Carlo's.
    Traps,
}

/// Whether the moves at the root of MCTS-αβ are given bonuses. The paper's text says yes, its
/// pseudo-code no.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RootBonus {
    /// No. Alpha-beta goes deeper at the root all the same.
    Never,
    /// As those of any other node.
    Always,
    /// If all rollouts are alpha-beta's, so that there is a move to play.
    AtPZero,
    /// No, and alpha-beta stays at one ply at the root, where it has nothing more to find: the
    /// pseudo-code to the letter. If all rollouts are alpha-beta's, as [`RootBonus::AtPZero`].
    Literal,
    /// Whoever is to make most of the rollouts decides: as [`RootBonus::Always`] if p is below 1/2,
    /// else as [`RootBonus::Literal`].
    Majority,
}

/// The score that a bonus is multiplied with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BonusScore {
    /// The reward of the rollout that completed the depth: that of its last leaf.
    LastLeaf,
    /// The value that was found, as a reward.
    Exact,
}

/// What counts as a node of an alpha-beta rollout of MCTS-αβ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CountNodes {
    /// A position that is searched to a depth for the first time: what alpha-beta with iterative
    /// deepening counts, which comes to a position again at every depth.
    Intervals,
    /// A position that is searched for the first time.
    Positions,
    /// Every rollout is one node.
    Rollouts,
}
