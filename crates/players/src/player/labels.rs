//! The table of all labels and options: parsing, printing, errors and lists follow from it.

use std::time::Duration;

use treegraft::depth_first::{self, Driver, Scores};
use treegraft::rollout::prove::Method;
use treegraft::rollout::{self, Playouts, Select, Solver};

use super::alpha_beta_options::{CUTOFF_P, INFORMED_P};
use super::options::{Choice, Form, Kind, Opt};
use super::prove_options::{PROVE, proving};
use super::rollout_options::{IC, IR, PRIOR, ROLLOUT};
use super::{DepthFirstPlayer, EnginePlayer, GreedyPlayer, ProvePlayer, RolloutPlayer, Setting};

/// A name for a kind of player, with the defaults that belong to it.
pub(super) struct Label {
    pub(super) name: &'static str,
    /// Other spellings.
    pub(super) also: &'static [&'static str],
    pub(super) about: &'static str,
    /// The option whose value may follow the label: `mcts-mr-2` is `mcts-mr(mr=2)`.
    pub(super) numbered: Option<&'static str>,
    /// The paper it comes from; empty if it needs none.
    pub(super) source: &'static str,
    pub(super) family: Family,
}

impl Label {
    /// Whether this is its name, or another spelling of it.
    pub(super) fn is_called(&self, name: &str) -> bool {
        self.name == name || self.also.contains(&name)
    }
}

/// What a label's options choose, and their defaults.
pub(super) enum Family {
    Random,
    Greedy(&'static [Opt<GreedyPlayer>], fn() -> GreedyPlayer),
    Rollout(&'static [Opt<RolloutPlayer>], fn() -> RolloutPlayer),
    DepthFirst(&'static [Opt<DepthFirstPlayer>], fn() -> DepthFirstPlayer),
    Prove(&'static [Opt<ProvePlayer>], fn() -> ProvePlayer),
    /// The label is followed by a command.
    Engine(&'static [Opt<EnginePlayer>], fn() -> EnginePlayer),
}

/// All labels. Where several can name a player in equally few words, the last one does.
pub(super) static LABELS: &[Label] = &[
    Label {
        name: "random",
        also: &[],
        about: "plays any legal move",
        numbered: None,
        source: "",
        family: Family::Random,
    },
    Label {
        name: "greedy",
        also: &[],
        about: "plays the move to the position that looks best; a tie is decided at random",
        numbered: None,
        source: "Mańdziuk & Walczak, Monte Carlo Tree Search with Metaheuristics",
        family: Family::Greedy(GREEDY, GreedyPlayer::default),
    },
    Label {
        name: "uct",
        also: &[],
        about: "UCT with UCB1: grows a tree by random simulations",
        numbered: None,
        source: "Kocsis & Szepesvári 2006",
        family: Family::Rollout(ROLLOUT, || rollout_player(Select::Ucb1, Solver::Off)),
    },
    Label {
        name: "mcts",
        also: &[],
        about: "UCT with UCB1-Tuned",
        numbered: None,
        source: "Baier & Winands 2015",
        family: Family::Rollout(ROLLOUT, || rollout_player(Select::Ucb1Tuned, Solver::Off)),
    },
    Label {
        name: "mcts-solver",
        also: &[],
        about: "mcts that proves wins and losses",
        numbered: None,
        source: "Winands, Björnsson & Saito 2008",
        family: Family::Rollout(ROLLOUT, || rollout_player(Select::Ucb1Tuned, Solver::Wins)),
    },
    Label {
        name: "mcts-mr",
        also: &[],
        about: "mcts-solver with a minimax search for every playout move; mcts-mr-D: of D plies",
        numbered: Some("mr"),
        source: "Baier & Winands 2015",
        family: Family::Rollout(ROLLOUT, || hybrid(|p| p.mr = Setting::Best)),
    },
    Label {
        name: "mcts-ms",
        also: &[],
        about: "mcts-solver with a minimax search for lost moves in the tree; mcts-ms-D-visit-V: of \
                D plies, at nodes with V visits",
        numbered: Some("ms"),
        source: "Baier & Winands 2015",
        family: Family::Rollout(ROLLOUT, || hybrid(|p| p.ms = Setting::Best)),
    },
    Label {
        name: "mcts-mb",
        also: &[],
        about: "mcts-solver with a minimax search where a loss is backed up; mcts-mb-D: of D plies",
        numbered: Some("mb"),
        source: "Baier & Winands 2015",
        family: Family::Rollout(ROLLOUT, || hybrid(|p| p.mb = Setting::Best)),
    },
    Label {
        name: "mcts-ir-e",
        also: &[],
        about: "mcts-solver with playout moves by the evaluation, some at random",
        numbered: None,
        source: "Baier & Winands 2014",
        family: Family::Rollout(ROLLOUT, || hybrid(|p| p.config.informed.ir = IR)),
    },
    Label {
        name: "mcts-ir-m",
        also: &[],
        about: "mcts-solver with playout moves by a minimax search with the evaluation",
        numbered: None,
        source: "Baier & Winands 2014",
        family: Family::Rollout(ROLLOUT, || {
            hybrid(|p| {
                let informed = &mut p.config.informed;
                (informed.ir, informed.ir_depth) = (IR, 2);
            })
        }),
    },
    Label {
        name: "mcts-ic-e",
        also: &[],
        about: "mcts-solver with playouts cut off for the evaluation",
        numbered: None,
        source: "Baier & Winands 2014",
        family: Family::Rollout(ROLLOUT, || hybrid(|p| p.config.informed.ic = IC)),
    },
    Label {
        name: "mcts-ic-m",
        also: &[],
        about: "mcts-solver with playouts cut off for a minimax search with the evaluation",
        numbered: None,
        source: "Baier & Winands 2014",
        family: Family::Rollout(ROLLOUT, || {
            hybrid(|p| {
                let informed = &mut p.config.informed;
                (informed.ic, informed.ic_depth) = (IC, 1);
            })
        }),
    },
    Label {
        name: "mcts-ip-e",
        also: &[],
        about: "mcts-solver with the evaluation as visits that new children begin with",
        numbered: None,
        source: "Baier & Winands 2014",
        family: Family::Rollout(ROLLOUT, || hybrid(|p| p.config.informed.ip = Some(PRIOR))),
    },
    Label {
        name: "mcts-ip-m",
        also: &[],
        about: "mcts-solver with the value of a minimax search as visits that new children begin with",
        numbered: None,
        source: "Baier & Winands 2014",
        family: Family::Rollout(ROLLOUT, || {
            hybrid(|p| {
                let informed = &mut p.config.informed;
                (informed.ip, informed.ip_depth) = (Some(PRIOR), 1);
            })
        }),
    },
    Label {
        name: "mcts-ab",
        also: &["mcts-αβ"],
        about: "mcts-solver with informed playouts, some of whose rollouts turn into alpha-beta's",
        numbered: None,
        source: "Baier 2018",
        family: Family::Rollout(ROLLOUT, || {
            hybrid(|p| (p.p, p.config.playouts) = (Some(INFORMED_P), Playouts::Hints))
        }),
    },
    Label {
        name: "mcts-ab-ic",
        also: &["mcts-αβ-ic"],
        about: "mcts-ic-e, most of whose rollouts turn into alpha-beta's",
        numbered: None,
        source: "Baier 2018",
        family: Family::Rollout(ROLLOUT, || {
            hybrid(|p| (p.p, p.config.informed.ic) = (Some(CUTOFF_P), IC))
        }),
    },
    Label {
        name: "mcts-sb",
        also: &[],
        about: "mcts with bounds on scores, which proves draws too",
        numbered: None,
        source: "Cazenave & Saffidine 2010",
        family: Family::Rollout(ROLLOUT, || rollout_player(Select::Ucb1Tuned, Solver::Draws)),
    },
    Label {
        name: "alpha-beta",
        also: &[],
        about: "plain alpha-beta, deeper and deeper, with moves in the game's order",
        numbered: None,
        source: "Knuth & Moore 1975",
        family: Family::DepthFirst(DEPTH_FIRST, || depth_first_player(plain())),
    },
    Label {
        name: "k-best",
        also: &[],
        about: "alpha-beta on the first 10 moves of a node by the game's hints, and nothing else; \
                k-best-K: on the first K",
        numbered: Some("k"),
        source: "Baier 2018",
        family: Family::DepthFirst(DEPTH_FIRST, || {
            let k_best = depth_first::Config { k: Some(10), hints: true, shuffle: true, ..plain() };
            depth_first_player(k_best)
        }),
    },
    Label {
        name: "ab",
        also: &[],
        about: "alpha-beta with move ordering, a table and null windows",
        numbered: None,
        source: "Knuth & Moore 1975",
        family: Family::DepthFirst(DEPTH_FIRST, || driven_by(Driver::AlphaBeta)),
    },
    Label {
        name: "mtd",
        also: &[],
        about: "MTD: null windows only, from the last value (f), from above (inf) or below (-inf)",
        numbered: None,
        source: "Plaat, Schaeffer, Pijls & de Bruin 1996",
        family: Family::DepthFirst(MTD, || driven_by(Driver::MtdF)),
    },
    Label {
        name: "sss",
        also: &["sss*"],
        about: "SSS* as MTD(inf) with a table that keeps both bounds",
        numbered: None,
        source: "Stockman 1979; Plaat, Schaeffer, Pijls & de Bruin 1996",
        family: Family::DepthFirst(DEPTH_FIRST, || driven_by(Driver::SssStar)),
    },
    Label {
        name: "dual",
        also: &["dual*"],
        about: "DUAL* as MTD(-inf) with a table that keeps both bounds",
        numbered: None,
        source: "Marsland, Reinefeld & Schaeffer 1987; Plaat, Schaeffer, Pijls & de Bruin 1996",
        family: Family::DepthFirst(DEPTH_FIRST, || driven_by(Driver::DualStar)),
    },
    Label {
        name: "fsss",
        also: &["fsss-minimax"],
        about: "FSSS-Minimax: rollouts that prune more than alpha-beta",
        numbered: None,
        source: "Weinstein, Littman & Goschin 2012",
        family: Family::Prove(PROVE, || proving(Method::Fsss)),
    },
    Label {
        name: "rollout-ab",
        also: &["rollout-alpha-beta"],
        about: "alpha-beta as rollouts: to the leftmost child that matters",
        numbered: None,
        source: "Huang 2015",
        family: Family::Prove(PROVE, || proving(Method::AlphaBeta)),
    },
    Label {
        name: "rollout-sss",
        also: &["rollout-sss*"],
        about: "SSS* as rollouts: to the child with the best upper bound",
        numbered: None,
        source: "Huang 2015",
        family: Family::Prove(PROVE, || proving(Method::Sss)),
    },
    Label {
        name: "rollout-random",
        also: &[],
        about: "rollouts to any child that matters",
        numbered: None,
        source: "Huang 2015",
        family: Family::Prove(PROVE, || proving(Method::Random)),
    },
    Label {
        name: "alphabeta2",
        also: &["alpha-beta2"],
        about: "alpha-beta that keeps its tree, with two bounds a node",
        numbered: None,
        source: "Huang 2015",
        family: Family::Prove(PROVE, || proving(Method::AlphaBeta2)),
    },
    Label {
        name: "mt-sss",
        also: &["mt-sss*"],
        about: "SSS* as null windows from above for alphabeta2",
        numbered: None,
        source: "Huang 2015",
        family: Family::Prove(PROVE, || proving(Method::MtSss)),
    },
    Label {
        name: "mt-inf",
        also: &[],
        about: "MTD(+inf) that keeps its tree, with one bound a visit",
        numbered: None,
        source: "Plaat, Schaeffer, Pijls & de Bruin 1996",
        family: Family::Prove(PROVE, || proving(Method::Mtd)),
    },
    Label {
        name: "engine",
        also: &[],
        about: "another program that speaks the engine protocol: engine:\"COMMAND ARGUMENTS\"@BUDGET",
        numbered: None,
        source: "",
        family: Family::Engine(ENGINE, EnginePlayer::default),
    },
];

fn rollout_player(select: Select, solver: Solver) -> RolloutPlayer {
    let config = rollout::Config { select, solver, ..rollout::Config::default() };
    RolloutPlayer { config, ..RolloutPlayer::default() }
}

/// MCTS-Solver with some of MR, MS, MB, IR, IC and IP.
fn hybrid(choose: fn(&mut RolloutPlayer)) -> RolloutPlayer {
    let mut player = rollout_player(Select::Ucb1Tuned, Solver::Wins);
    choose(&mut player);
    player
}

fn depth_first_player(config: depth_first::Config) -> DepthFirstPlayer {
    DepthFirstPlayer { config, ..DepthFirstPlayer::default() }
}

fn driven_by(driver: Driver) -> DepthFirstPlayer {
    depth_first_player(depth_first::Config { driver, ..depth_first::Config::default() })
}

/// Alpha-beta without anything that changes the order of moves or skips some.
fn plain() -> depth_first::Config {
    depth_first::Config {
        hints: false,
        killers: false,
        history: false,
        table: false,
        pvs: false,
        ..depth_first::Config::default()
    }
}

static GREEDY: &[Opt<GreedyPlayer>] = &[Opt {
    name: "eval",
    kind: Kind::Eval(|p| &mut p.eval),
    meaning: "the evaluation to go by; auto: the game's first",
    source: "Mańdziuk & Walczak, Monte Carlo Tree Search with Metaheuristics",
}];

static ENGINE: &[Opt<EnginePlayer>] = &[Opt {
    name: "patience",
    kind: Kind::Time {
        field: |p| &mut p.patience,
        min: Duration::from_millis(1),
        max: Duration::from_secs(24 * 60 * 60),
    },
    meaning: "how long to wait for a start, and for a move that has no limit on time",
    source: "",
}];

const SCORES: [Scores; 2] = [Scores::Outcome, Scores::Margin];
const MTD_DRIVERS: [Driver; 3] = [Driver::MtdF, Driver::MtdPlus, Driver::MtdMinus];

/// The number of a value in the order of its words.
pub(super) fn number_of<V: PartialEq>(values: &[V], value: &V) -> usize {
    values.iter().position(|known| known == value).unwrap_or(0)
}

/// The options of every depth-first search, behind those given.
macro_rules! depth_first_options {
    ($($first:expr)?) => {
        &[
            $($first,)?
            Opt {
                name: "depth",
                kind: Kind::Limit { field: |p| &mut p.config.depth, min: 1, max: 1000, alone: None },
                meaning: "the deepest iteration in plies; off: until the game is decided",
                source: "Shannon 1950",
            },
            Opt {
                name: "k",
                kind: Kind::Limit { field: |p| &mut p.config.k, min: 1, max: 10_000, alone: None },
                meaning: "look at the first k moves of a node only",
                source: "Baier 2018",
            },
            Opt {
                name: "eval",
                kind: Kind::Eval(|p| &mut p.eval),
                meaning: "evaluation at the horizon; auto: the game's first, none: won games only",
                source: "Shannon 1950",
            },
            Opt {
                name: "scores",
                kind: Kind::Choice(Choice {
                    words: &["outcome", "margin"],
                    also: &[],
                    get: |p| number_of(&SCORES, &p.config.scores),
                    set: |p, n| p.config.scores = SCORES[n],
                    form: Form::Named,
                }),
                meaning: "what a finished game is worth: who won, or by how much",
                source: "",
            },
            flag("deepening", |p| &mut p.config.deepening,
                "search depth 1, 2, 3, …; otherwise the full depth at once", "Slate & Atkin 1977"),
            Opt {
                name: "leap",
                kind: Kind::Limit { field: |p| &mut p.config.leap, min: 1, max: 1000, alone: None },
                meaning: "after the iteration of this depth, go to the last depth at once",
                source: "",
            },
            flag("hints", |p| &mut p.config.hints,
                "order moves by the game's hints", "Slagle & Dixon 1969"),
            flag("killers", |p| &mut p.config.killers,
                "try moves first that cut off at the same ply elsewhere", "Akl & Newborn 1977"),
            flag("history", |p| &mut p.config.history,
                "order moves by how often they cut off anywhere", "Schaeffer 1983"),
            flag("shuffle", |p| &mut p.config.shuffle,
                "try moves in random order that the ordering leaves equal", ""),
            flag("table", |p| &mut p.config.table,
                "keep a transposition table", "Greenblatt, Eastlake & Crocker 1967"),
            flag("etc", |p| &mut p.config.etc,
                "look the children up in the table before searching any",
                "Plaat, Schaeffer, Pijls & de Bruin 1996"),
            flag("pvs", |p| &mut p.config.pvs,
                "search all moves but the first with a null window", "Marsland & Campbell 1982"),
            Opt {
                name: "null",
                kind: Kind::Limit { field: |p| &mut p.config.null_move, min: 1, max: 10, alone: Some(2) },
                meaning: "pass the turn, search so many plies shallower and believe a cutoff",
                source: "Donninger 1993",
            },
            flag("multi-cut", |p| &mut p.config.multi_cut,
                "believe a cutoff when several moves cut off in a shallower search",
                "Björnsson & Marsland 1999"),
            flag("quiescence", |p| &mut p.config.quiescence,
                "go on with captures at the horizon until things are quiet", "Beal 1990"),
            flag("glance", |p| &mut p.config.glance,
                "use what the game can tell at a glance, such as a win in one", "Allis 1988"),
        ]
    };
}

static DEPTH_FIRST: &[Opt<DepthFirstPlayer>] = depth_first_options!();

static MTD: &[Opt<DepthFirstPlayer>] = depth_first_options!(Opt {
    name: "from",
    kind: Kind::Choice(Choice {
        words: &["f", "inf", "-inf"],
        also: &[("+inf", "inf")],
        get: |p| number_of(&MTD_DRIVERS, &p.config.driver),
        set: |p, n| p.config.driver = MTD_DRIVERS[n],
        form: Form::Always,
    }),
    meaning: "the first guess: the last iteration's value, or an end of the scale",
    source: "Plaat, Schaeffer, Pijls & de Bruin 1996",
});

pub(super) const fn flag<T>(
    name: &'static str,
    field: fn(&mut T) -> &mut bool,
    meaning: &'static str,
    source: &'static str,
) -> Opt<T> {
    Opt { name, kind: Kind::Flag(field), meaning, source }
}
