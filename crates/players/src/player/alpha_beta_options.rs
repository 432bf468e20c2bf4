//! The options of MCTS-αβ, which every rollout search has.

use treegraft::rollout::{AlphaBeta, BonusScore, Choose, CountNodes, RootBonus};

use super::RolloutPlayer;
use super::labels::{flag, number_of};
use super::options::{Choice, Form, Kind, Opt};

const SOURCE: &str = "Baier 2018";
/// The probabilities of its two scenarios: informed playouts, and playouts that are cut off.
pub(super) const INFORMED_P: f64 = 0.95;
pub(super) const CUTOFF_P: f64 = 0.3;

const CHOOSES: [Choose; 3] = [Choose::Coin, Choose::Bandit, Choose::Traps];
const ROOTS: [RootBonus; 5] = [
    RootBonus::Majority,
    RootBonus::Never,
    RootBonus::Always,
    RootBonus::AtPZero,
    RootBonus::Literal,
];
const SCORES: [BonusScore; 2] = [BonusScore::LastLeaf, BonusScore::Exact];
const COUNTS: [CountNodes; 3] =
    [CountNodes::Intervals, CountNodes::Positions, CountNodes::Rollouts];

pub(super) const P: Opt<RolloutPlayer> = Opt {
    name: "p",
    kind: Kind::Share { field: |p| &mut p.p, min: 0.0, max: 1.0, alone: INFORMED_P },
    meaning: "probability that a rollout goes on as Monte Carlo's at a node; else as alpha-beta's",
    source: SOURCE,
};

pub(super) const CHOOSE: Opt<RolloutPlayer> = Opt {
    name: "choose",
    kind: Kind::Choice(Choice {
        words: &["coin", "bandit", "traps"],
        also: &[],
        get: |p| number_of(&CHOOSES, &p.alpha_beta.choose),
        set: |p, n| p.alpha_beta.choose = CHOOSES[n],
        form: Form::Named,
    }),
    meaning: "who decides how a rollout goes on: a coin, a bandit by how surprising both kinds were, \
              or a coin where a move has been proven lost",
    source: "",
};

pub(super) const W: Opt<RolloutPlayer> = Opt {
    name: "w",
    kind: Kind::Number { field: |p| &mut p.alpha_beta.w, min: 0.0, max: 1e9 },
    meaning: "with p: weight of the bonus for alpha-beta's best move, score w f^depth wins; 0: none",
    source: SOURCE,
};

pub(super) const F: Opt<RolloutPlayer> = Opt {
    name: "f",
    kind: Kind::Number { field: |p| &mut p.alpha_beta.f, min: 0.0, max: 1e3 },
    meaning: "with p: factor of that weight for every ply deeper",
    source: SOURCE,
};

pub(super) const K: Opt<RolloutPlayer> = Opt {
    name: "k",
    kind: Kind::Limit { field: |p| &mut p.alpha_beta.k, min: 1, max: 10_000, alone: None },
    meaning: "with p: alpha-beta looks at the first k moves only",
    source: SOURCE,
};

pub(super) const L: Opt<RolloutPlayer> = Opt {
    name: "l",
    kind: Kind::Count { field: |p| &mut p.alpha_beta.l, min: 1, max: AlphaBeta::DEEPEST },
    meaning: "with p: the deepest alpha-beta search from a node, in plies",
    source: SOURCE,
};

pub(super) const ROOT_BONUS: Opt<RolloutPlayer> = Opt {
    name: "root-bonus",
    kind: Kind::Choice(Choice {
        words: &["majority", "never", "always", "at-p-zero", "literal"],
        also: &[],
        get: |p| number_of(&ROOTS, &p.alpha_beta.root_bonus),
        set: |p, n| p.alpha_beta.root_bonus = ROOTS[n],
        form: Form::Named,
    }),
    meaning: "with p: whether moves at the root get bonuses; literal: no, and no depth but 1 there; \
              majority: always for p below 1/2, else literal",
    source: SOURCE,
};

pub(super) const ROOT_FROM: Opt<RolloutPlayer> = Opt {
    name: "root-from",
    kind: Kind::Count { field: |p| &mut p.alpha_beta.root_from, min: 1, max: AlphaBeta::DEEPEST },
    meaning: "with p: bonuses at the root from this depth on",
    source: "",
};

pub(super) const UPDATE_NEXT: Opt<RolloutPlayer> = flag(
    "update-next",
    |p| &mut p.alpha_beta.update_next,
    "with p: the node at which alpha-beta takes over counts the rollout, too",
    SOURCE,
);

pub(super) const VALUES: Opt<RolloutPlayer> = flag(
    "values",
    |p| &mut p.alpha_beta.values,
    "with p: back up the values of alpha-beta rollouts",
    SOURCE,
);

pub(super) const SCORE: Opt<RolloutPlayer> = Opt {
    name: "score",
    kind: Kind::Choice(Choice {
        words: &["last-leaf", "exact"],
        also: &[],
        get: |p| number_of(&SCORES, &p.alpha_beta.score),
        set: |p, n| p.alpha_beta.score = SCORES[n],
        form: Form::Named,
    }),
    meaning: "with p: the score in the bonus: of the leaf that completed the depth, or the value found",
    source: SOURCE,
};

pub(super) const COUNT: Opt<RolloutPlayer> = Opt {
    name: "count",
    kind: Kind::Choice(Choice {
        words: &["intervals", "positions", "rollouts"],
        also: &[],
        get: |p| number_of(&COUNTS, &p.alpha_beta.count),
        set: |p, n| p.alpha_beta.count = COUNTS[n],
        form: Form::Named,
    }),
    meaning: "with p: what alpha-beta counts as a node: a position at a depth, a position, a rollout",
    source: SOURCE,
};
