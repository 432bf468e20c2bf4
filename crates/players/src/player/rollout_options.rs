//! The options of every rollout search.

use treegraft::rollout::{Expand, FinalMove, Playouts, Prior, Select, Solver};

use super::RolloutPlayer;
use super::alpha_beta_options as ab;
use super::labels::number_of;
use super::options::{Choice, DEEPEST, Form, Kind, Opt};

/// How often a playout move is random: as often as in the greedy playouts of Lanctot et al. 2014.
pub(super) const IR: Option<f64> = Some(EPSILON);
const EPSILON: f64 = 0.1;
/// Plies before a cutoff, as in Baier 2018.
pub(super) const IC: Option<u32> = Some(3);
/// Priors at expansion, of a weight that Lanctot et al. 2014 use for theirs.
pub(super) const PRIOR: Prior = Prior { visits: 1, weight: 10 };

const SELECTS: [Select; 2] = [Select::Ucb1, Select::Ucb1Tuned];
const EXPANDS: [Expand; 2] = [Expand::One, Expand::All];
const SOLVERS: [Solver; 4] = [Solver::Off, Solver::Wins, Solver::Draws, Solver::Margins];
const PLAYOUTS: [Playouts; 2] = [Playouts::Random, Playouts::Hints];
const FINAL_MOVES: [FinalMove; 3] = [FinalMove::Visits, FinalMove::Value, FinalMove::Secure];

pub(super) static ROLLOUT: &[Opt<RolloutPlayer>] = &[
    Opt {
        name: "c",
        kind: Kind::Real { field: |p| &mut p.c, min: 0.0, max: 100.0 },
        meaning: "exploration constant for rewards from 0 to 1; auto: the papers' for the game",
        source: "Kocsis & Szepesvári 2006",
    },
    Opt {
        name: "select",
        kind: Kind::Choice(Choice {
            words: &["ucb1", "ucb1-tuned"],
            also: &[("tuned", "ucb1-tuned")],
            get: |p| number_of(&SELECTS, &p.config.select),
            set: |p, n| p.config.select = SELECTS[n],
            form: Form::Word,
        }),
        meaning: "the formula that picks a child",
        source: "Auer, Cesa-Bianchi & Fischer 2002",
    },
    Opt {
        name: "expand",
        kind: Kind::Choice(Choice {
            words: &["one", "all"],
            also: &[],
            get: |p| number_of(&EXPANDS, &p.config.expand),
            set: |p, n| p.config.expand = EXPANDS[n],
            form: Form::Named,
        }),
        meaning: "add one child a simulation, or all children at once",
        source: "Coulom 2006; all: Lanctot et al. 2014",
    },
    Opt {
        name: "expand-at",
        kind: Kind::Count { field: |p| &mut p.config.expand_at, min: 1, max: 1_000_000 },
        meaning: "visits after which a leaf gets children",
        source: "Coulom 2006",
    },
    Opt {
        name: "solver",
        kind: Kind::Choice(Choice {
            words: &["off", "wins", "draws", "margins"],
            also: &[],
            get: |p| number_of(&SOLVERS, &p.config.solver),
            set: |p, n| p.config.solver = SOLVERS[n],
            form: Form::Named,
        }),
        meaning: "what is proven along the way: nothing, wins and losses, draws too, or the margin",
        source: "Winands, Björnsson & Saito 2008; the rest: Cazenave & Saffidine 2010",
    },
    Opt {
        name: "final",
        kind: Kind::Choice(Choice {
            words: &["visits", "value", "secure"],
            also: &[],
            get: |p| number_of(&FINAL_MOVES, &p.config.final_move),
            set: |p, n| p.config.final_move = FINAL_MOVES[n],
            form: Form::Named,
        }),
        meaning: "the move played: most visits, best mean, or best lower bound on the mean",
        source: "Chaslot et al. 2008",
    },
    Opt {
        name: "reuse",
        kind: Kind::Flag(|p| &mut p.config.reuse),
        meaning: "keep the part of the tree below the moves played",
        source: "Pepels, Winands & Lanctot 2014",
    },
    Opt {
        name: "playouts",
        kind: Kind::Choice(Choice {
            words: &["random", "hints"],
            also: &[("informed", "hints")],
            get: |p| number_of(&PLAYOUTS, &p.config.playouts),
            set: |p, n| p.config.playouts = PLAYOUTS[n],
            form: Form::Named,
        }),
        meaning: "playout moves: any, or the best by the game's hints; also where ir and mr say any",
        source: "Baier 2018",
    },
    Opt {
        name: "mr",
        kind: Kind::Depth(|p| &mut p.mr),
        meaning: "search every playout move so many plies for wins and losses",
        source: "Baier & Winands 2015",
    },
    Opt {
        name: "ms",
        kind: Kind::DepthAtVisits(|p| &mut p.ms),
        meaning: "search a node for lost moves when it has so many visits; makes it solver=wins",
        source: "Baier & Winands 2015",
    },
    Opt {
        name: "mb",
        kind: Kind::Depth(|p| &mut p.mb),
        meaning: "search the other moves where a loss is backed up; makes it solver=wins",
        source: "Baier & Winands 2015",
    },
    Opt {
        name: "embed-k",
        kind: Kind::Limit { field: |p| &mut p.config.embed.k, min: 1, max: 10_000, alone: None },
        meaning: "in all searches inside, look at the first k moves only; proves less, never wrongly",
        source: "Baier & Winands 2014",
    },
    Opt {
        name: "embed-order",
        kind: Kind::Flag(|p| &mut p.config.embed.order),
        meaning: "in all searches inside, order moves by the game's hints",
        source: "Baier & Winands 2014",
    },
    Opt {
        name: "ir",
        kind: Kind::Share {
            field: |p| &mut p.config.informed.ir,
            min: 0.0,
            max: 1.0,
            alone: EPSILON,
        },
        meaning: "play the best move in playouts by its value, but with this probability any",
        source: "Baier & Winands 2014",
    },
    Opt {
        name: "ir-depth",
        kind: Kind::Count { field: |p| &mut p.config.informed.ir_depth, min: 1, max: DEEPEST },
        meaning: "depth of the search for a playout move; 1: the evaluations behind each move",
        source: "Baier & Winands 2014",
    },
    Opt {
        name: "ic",
        kind: Kind::Limit { field: |p| &mut p.config.informed.ic, min: 0, max: 10_000, alone: IC },
        meaning: "cut playouts off after so many plies, and take the position's value",
        source: "Baier & Winands 2014; Baier 2018",
    },
    Opt {
        name: "ic-depth",
        kind: Kind::Count { field: |p| &mut p.config.informed.ic_depth, min: 0, max: DEEPEST },
        meaning: "depth of the search at the cutoff; 0: the evaluation",
        source: "Baier & Winands 2014",
    },
    Opt {
        name: "ip",
        kind: Kind::Prior { field: |p| &mut p.config.informed.ip, alone: PRIOR },
        meaning: "at a node with so many visits, begin its children with so many, by their value",
        source: "Baier & Winands 2014",
    },
    Opt {
        name: "ip-depth",
        kind: Kind::Count { field: |p| &mut p.config.informed.ip_depth, min: 0, max: DEEPEST },
        meaning: "depth of the search at these children; 0: the evaluation",
        source: "Baier & Winands 2014",
    },
    Opt {
        name: "eval",
        kind: Kind::Eval(|p| &mut p.eval),
        meaning: "evaluation for ir, ic, ip and p; auto: the game's first",
        source: "Baier & Winands 2014",
    },
    Opt {
        name: "slope",
        kind: Kind::Real { field: |p| &mut p.slope, min: 0.0, max: 1000.0 },
        meaning: "steepness of the curve from values to rewards; 0: none, auto: 40 for pieces",
        source: "Baier 2018",
    },
    ab::P,
    ab::CHOOSE,
    ab::W,
    ab::F,
    ab::K,
    ab::L,
    ab::ROOT_BONUS,
    ab::ROOT_FROM,
    ab::UPDATE_NEXT,
    ab::VALUES,
    ab::SCORE,
    ab::COUNT,
];
