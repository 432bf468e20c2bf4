//! The options of MCTS-αβ, which every rollout search has.

use treegraft::presets::MONTE_CARLO_SHARE;
use treegraft::rollout::{AlphaBeta, BonusScore, CountNodes, RegimeRule, RootBonus};

use super::RolloutOptions;
use super::options::{Opt, option, words};
use super::values::{Value, Values};

const SOURCE: &str = "Baier 2018";

words!(RegimeRule { Coin => "coin", Bandit => "bandit", Traps => "traps", });
words!(RootBonus {
    Majority => "majority",
    Never => "never",
    Always => "always",
    AtPZero => "at-p-zero",
    Literal => "literal",
});
words!(BonusScore { LastLeaf => "last-leaf", Exact => "exact", });
words!(CountNodes {
    Intervals => "intervals",
    Positions => "positions",
    Rollouts => "rollouts",
});

pub(super) static ALPHA_BETA: &[Opt<RolloutOptions>] = &[
    option!(
        "p",
        Values::number(0.0, 1.0).or_off().alone(Value::Number(MONTE_CARLO_SHARE)),
        p,
        "probability that a rollout continues as Monte Carlo at a node, and not as alpha-beta",
        SOURCE
    ),
    option!(
        "choose",
        alpha_beta.regime,
        "what decides between the two: a coin, a bandit (by how surprising each kind was), or a \
         coin only below nodes where a move has been proven lost"
    ),
    option!(
        "w",
        Values::number(0.0, 1e9),
        alpha_beta.w,
        "with p: weight of the bonus for alpha-beta's best move, score w f^depth wins; 0: none",
        SOURCE
    ),
    option!(
        "f",
        Values::number(0.0, 1e3),
        alpha_beta.f,
        "with p: factor of that weight per ply of depth",
        SOURCE
    ),
    option!(
        "k",
        Values::whole(1, 10_000).or_off(),
        alpha_beta.k,
        "with p: alpha-beta searches only the first k moves",
        SOURCE
    ),
    option!(
        "redraw-ties",
        alpha_beta.redraw_ties,
        "with p: draw the order of moves with equal hints, and so the k best, anew at every visit"
    ),
    option!(
        "l",
        Values::whole(1, AlphaBeta::DEEPEST),
        alpha_beta.l,
        "with p: the deepest alpha-beta search from a node, in plies",
        SOURCE
    ),
    option!(
        "root-bonus",
        alpha_beta.root_bonus,
        "with p: whether moves at the root get bonuses; literal: no, and no depth but 1 there; \
         majority: always for p below 1/2, else literal",
        SOURCE
    ),
    option!(
        "root-from",
        Values::whole(1, AlphaBeta::DEEPEST),
        alpha_beta.root_from,
        "with p: bonuses at the root from this depth on"
    ),
    option!(
        "update-next",
        alpha_beta.update_next,
        "with p: the node at which alpha-beta takes over also counts the rollout",
        SOURCE
    ),
    option!(
        "values",
        alpha_beta.values,
        "with p: back up the values of alpha-beta rollouts",
        SOURCE
    ),
    option!(
        "score",
        alpha_beta.score,
        "with p: the score in the bonus: that of the leaf that completed the depth, or the value \
         found",
        SOURCE
    ),
    option!(
        "count",
        alpha_beta.count,
        "with p: what alpha-beta counts as a node: a position at a depth, a position, a rollout",
        SOURCE
    ),
];
