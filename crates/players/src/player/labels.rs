//! The table of all labels, their options and their presets: parsing, printing, errors and lists
//! follow from it.

use std::time::Duration;

use treegraft::rollout::prove;
use treegraft::rollout::{AlphaBeta, Embed, Informed};
use treegraft::{Constants, depth_first, presets, rollout};

use super::alpha_beta_options::ALPHA_BETA;
use super::amaf_options::AMAF;
use super::depth_first_options::{DEPTH_FIRST, MTD};
use super::lanctot_options::LANCTOT;
use super::options::{OptionTable, option};
use super::prove_options::PROVE;
use super::rollout_options::ROLLOUT;
use super::switch_options::SWITCH;
use super::values::Values;
use super::{
    BestOptions, DepthFirstOptions, EngineOptions, Eval, GreedyOptions, ProveOptions,
    RolloutOptions, Setting,
};

/// The name of a search in the text of a player, and the defaults it stands for.
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

/// The kind of search a label stands for, with its options and their defaults.
pub(super) enum Family {
    Random,
    Greedy(OptionTable<GreedyOptions>, fn() -> GreedyOptions),
    Rollout(OptionTable<RolloutOptions>, fn() -> RolloutOptions),
    DepthFirst(OptionTable<DepthFirstOptions>, fn() -> DepthFirstOptions),
    Prove(OptionTable<ProveOptions>, fn() -> ProveOptions),
    Best(OptionTable<BestOptions>, fn() -> BestOptions),
    /// The label is followed by a command.
    Engine(OptionTable<EngineOptions>, fn() -> EngineOptions),
}

const USUAL: Constants = Constants::USUAL;

/// All labels. If several can write a player with equally few options, the last one is used.
pub(super) static LABELS: &[Label] = &[
    Label {
        name: "random",
        also: &[],
        about: "plays a legal move at random",
        numbered: None,
        source: "",
        family: Family::Random,
    },
    Label {
        name: "greedy",
        also: &[],
        about: "plays the move whose position evaluates best; ties are broken at random",
        numbered: None,
        source: "Mańdziuk & Walczak, Monte Carlo Tree Search with Metaheuristics",
        family: Family::Greedy(GREEDY, GreedyOptions::default),
    },
    Label {
        name: "uct",
        also: &[],
        about: "UCT with UCB1: grows a tree by random simulations",
        numbered: None,
        source: "Kocsis & Szepesvári 2006",
        family: Family::Rollout(ROLLOUTS, || rollout(presets::uct())),
    },
    Label {
        name: "mcts",
        also: &[],
        about: "UCT with UCB1-Tuned",
        numbered: None,
        source: "Baier & Winands 2015",
        family: Family::Rollout(ROLLOUTS, || rollout(presets::mcts())),
    },
    Label {
        name: "mcts-solver",
        also: &[],
        about: "mcts that proves wins and losses",
        numbered: None,
        source: "Winands, Björnsson & Saito 2008",
        family: Family::Rollout(ROLLOUTS, || rollout(presets::mcts_solver())),
    },
    Label {
        name: "mcts-mr",
        also: &[],
        about: "mcts-solver with a minimax search for every playout move, whose first may prove a \
                new leaf; mcts-mr-D: D plies deep",
        numbered: Some("mr"),
        source: "Baier & Winands 2015",
        family: Family::Rollout(ROLLOUTS, || RolloutOptions {
            mr: Setting::Best,
            ..rollout(presets::mcts_mr(USUAL.mr))
        }),
    },
    Label {
        name: "mcts-ms",
        also: &[],
        about: "mcts-solver with a minimax search for lost moves in the tree; mcts-ms-D-visit-V: D \
                plies deep, at nodes with V visits",
        numbered: Some("ms"),
        source: "Baier & Winands 2015",
        family: Family::Rollout(ROLLOUTS, || RolloutOptions {
            ms: Setting::Best,
            ..rollout(presets::mcts_ms(USUAL.ms.depth, USUAL.ms.visits))
        }),
    },
    Label {
        name: "mcts-mb",
        also: &[],
        about: "mcts-solver with a minimax search where a loss is backed up; mcts-mb-D: D plies \
                deep",
        numbered: Some("mb"),
        source: "Baier & Winands 2015",
        family: Family::Rollout(ROLLOUTS, || RolloutOptions {
            mb: Setting::Best,
            ..rollout(presets::mcts_mb(USUAL.mb))
        }),
    },
    Label {
        name: "mcts-ir-e",
        also: &[],
        about: "mcts-solver with playout moves picked by the evaluation, some at random",
        numbered: None,
        source: "Baier & Winands 2014",
        family: Family::Rollout(ROLLOUTS, || rollout(presets::mcts_ir_e())),
    },
    Label {
        name: "mcts-ir-m",
        also: &[],
        about: "mcts-solver with playout moves picked by a minimax search with the evaluation",
        numbered: None,
        source: "Baier & Winands 2014",
        family: Family::Rollout(ROLLOUTS, || rollout(presets::mcts_ir_m())),
    },
    Label {
        name: "mcts-ic-e",
        also: &[],
        about: "mcts-solver with playouts cut off and evaluated",
        numbered: None,
        source: "Baier & Winands 2014",
        family: Family::Rollout(ROLLOUTS, || rollout(presets::mcts_ic_e())),
    },
    Label {
        name: "mcts-ic-m",
        also: &[],
        about: "mcts-solver with playouts cut off and valued by a minimax search with the \
                evaluation",
        numbered: None,
        source: "Baier & Winands 2014",
        family: Family::Rollout(ROLLOUTS, || rollout(presets::mcts_ic_m())),
    },
    Label {
        name: "mcts-ip-e",
        also: &[],
        about: "mcts-solver with the evaluation as a prior: virtual visits of new children",
        numbered: None,
        source: "Baier & Winands 2014",
        family: Family::Rollout(ROLLOUTS, || rollout(presets::mcts_ip_e())),
    },
    Label {
        name: "mcts-ip-m",
        also: &[],
        about: "mcts-solver with the value of a minimax search as a prior: virtual visits of new \
                children",
        numbered: None,
        source: "Baier & Winands 2014",
        family: Family::Rollout(ROLLOUTS, || rollout(presets::mcts_ip_m())),
    },
    Label {
        name: "mcts-bl",
        also: &[],
        about: "baseline of Lanctot et al.: UCT with improved, greedy and early ending playouts by \
                efMS; mcts-bl(im=0.4) adds implicit minimax backups",
        numbered: None,
        source: "Lanctot et al. 2014",
        family: Family::Rollout(ROLLOUTS, || by_evaluation("efMS", presets::mcts_bl())),
    },
    Label {
        name: "mcts-bl2",
        also: &[],
        about: "alternative baseline of Lanctot et al., bl': playouts cut off after 20 plies by efLH, \
                and node priors",
        numbered: None,
        source: "Lanctot et al. 2014",
        family: Family::Rollout(ROLLOUTS, || by_evaluation("efLH", presets::mcts_bl2())),
    },
    Label {
        name: "mcts-loa",
        also: &[],
        about: "UCT in Lines of Action: playouts by categories of moves that end early by efWB",
        numbered: None,
        source: "Lanctot et al. 2014; Winands, Björnsson & Saito 2010",
        family: Family::Rollout(ROLLOUTS, || by_evaluation("efWB", presets::mcts_loa())),
    },
    Label {
        name: "mcts-loa-ab",
        also: &[],
        about: "mcts-loa with alpha-beta playouts",
        numbered: None,
        source: "Lanctot et al. 2014; Winands, Björnsson & Saito 2010",
        family: Family::Rollout(ROLLOUTS, || by_evaluation("efWB", presets::mcts_loa_ab())),
    },
    Label {
        name: "mcts-loa-pb",
        also: &[],
        about: "mcts-loa-ab with progressive bias by categories of moves",
        numbered: None,
        source: "Lanctot et al. 2014; Winands, Björnsson & Saito 2010",
        family: Family::Rollout(ROLLOUTS, || by_evaluation("efWB", presets::mcts_loa_pb())),
    },
    Label {
        name: "mcts-ab",
        also: &["mcts-αβ"],
        about: "mcts-solver with informed playouts, where some rollouts turn into alpha-beta \
                rollouts",
        numbered: None,
        source: "Baier 2018",
        family: Family::Rollout(ROLLOUTS, || rollout(presets::mcts_ab())),
    },
    Label {
        name: "mcts-ab-ic",
        also: &["mcts-αβ-ic"],
        about: "mcts-ic-e, where most rollouts turn into alpha-beta rollouts",
        numbered: None,
        source: "Baier 2018",
        family: Family::Rollout(ROLLOUTS, || rollout(presets::mcts_ab_ic())),
    },
    Label {
        name: "mcts-sb",
        also: &[],
        about: "mcts with score bounds, which also proves draws",
        numbered: None,
        source: "Cazenave & Saffidine 2010",
        family: Family::Rollout(ROLLOUTS, || rollout(presets::mcts_sb())),
    },
    Label {
        name: "alpha-beta",
        also: &[],
        about: "plain alpha-beta with iterative deepening, moves in the game's order",
        numbered: None,
        source: "Knuth & Moore 1975",
        family: Family::DepthFirst(DEPTH_FIRSTS, || depth_first(presets::alpha_beta())),
    },
    Label {
        name: "k-best",
        also: &[],
        about: "plain alpha-beta on the 10 best moves of a node by the game's hints; k-best-K: on \
                the K best",
        numbered: Some("k"),
        source: "Baier 2018",
        family: Family::DepthFirst(DEPTH_FIRSTS, || depth_first(presets::k_best(10))),
    },
    Label {
        name: "ab",
        also: &[],
        about: "alpha-beta with move ordering, a table and null windows",
        numbered: None,
        source: "Knuth & Moore 1975",
        family: Family::DepthFirst(DEPTH_FIRSTS, || depth_first(presets::ab())),
    },
    Label {
        name: "mtd",
        also: &[],
        about: "MTD: null windows only, from the last value (f), from above (inf) or below (-inf)",
        numbered: None,
        source: "Plaat, Schaeffer, Pijls & de Bruin 1996",
        family: Family::DepthFirst(MTDS, || depth_first(presets::mtd())),
    },
    Label {
        name: "sss",
        also: &["sss*"],
        about: "SSS* as MTD(inf) with a table that keeps both bounds",
        numbered: None,
        source: "Stockman 1979; Plaat, Schaeffer, Pijls & de Bruin 1996",
        family: Family::DepthFirst(DEPTH_FIRSTS, || depth_first(presets::sss())),
    },
    Label {
        name: "dual",
        also: &["dual*"],
        about: "DUAL* as MTD(-inf) with a table that keeps both bounds",
        numbered: None,
        source: "Marsland, Reinefeld & Schaeffer 1987; Plaat, Schaeffer, Pijls & de Bruin 1996",
        family: Family::DepthFirst(DEPTH_FIRSTS, || depth_first(presets::dual())),
    },
    Label {
        name: "fsss",
        also: &["fsss-minimax"],
        about: "FSSS-Minimax: rollouts that prune more than alpha-beta",
        numbered: None,
        source: "Weinstein, Littman & Goschin 2012",
        family: Family::Prove(PROVES, || prove(presets::fsss())),
    },
    Label {
        name: "rollout-ab",
        also: &["rollout-alpha-beta"],
        about: "alpha-beta as rollouts: to the leftmost child that matters",
        numbered: None,
        source: "Huang 2015",
        family: Family::Prove(PROVES, || prove(presets::rollout_ab())),
    },
    Label {
        name: "rollout-sss",
        also: &["rollout-sss*"],
        about: "SSS* as rollouts: to the child with the best upper bound",
        numbered: None,
        source: "Huang 2015",
        family: Family::Prove(PROVES, || prove(presets::rollout_sss())),
    },
    Label {
        name: "rollout-random",
        also: &[],
        about: "rollouts to any child that matters",
        numbered: None,
        source: "Huang 2015",
        family: Family::Prove(PROVES, || prove(presets::rollout_random())),
    },
    Label {
        name: "alphabeta2",
        also: &["alpha-beta2"],
        about: "alpha-beta that keeps its tree, with two bounds per node",
        numbered: None,
        source: "Huang 2015",
        family: Family::Prove(PROVES, || prove(presets::alphabeta2())),
    },
    Label {
        name: "mt-sss",
        also: &["mt-sss*"],
        about: "SSS* as null windows from above for alphabeta2",
        numbered: None,
        source: "Huang 2015",
        family: Family::Prove(PROVES, || prove(presets::mt_sss())),
    },
    Label {
        name: "mt-inf",
        also: &[],
        about: "MTD(+inf) that keeps its tree, with one bound per visit",
        numbered: None,
        source: "Plaat, Schaeffer, Pijls & de Bruin 1996",
        family: Family::Prove(PROVES, || prove(presets::mt_inf())),
    },
    Label {
        name: "best",
        also: &[],
        about: "the strongest player that is known for the game; best(level=3) is weaker, and \
                `treegraft games NAME` says what it stands for",
        numbered: None,
        source: "",
        family: Family::Best(BEST, BestOptions::default),
    },
    Label {
        name: "engine",
        also: &[],
        about: "an external program that speaks the engine protocol: engine:\"COMMAND \
                ARGUMENTS\"@BUDGET; in UCI: engine:uci:\"…\"@BUDGET, also with \
                engine(option.NAME=VALUE); in GTP 2: engine:gtp:\"…\"",
        numbered: None,
        source: "",
        family: Family::Engine(ENGINE, EngineOptions::default),
    },
];

static GREEDY: OptionTable<GreedyOptions> = &[&[option!(
    "eval",
    Values::EVAL,
    eval,
    "the evaluation to maximise; auto: the game's first",
    "Mańdziuk & Walczak, Monte Carlo Tree Search with Metaheuristics"
)]];

static ROLLOUTS: OptionTable<RolloutOptions> = &[ROLLOUT, LANCTOT, AMAF, SWITCH, ALPHA_BETA];
static DEPTH_FIRSTS: OptionTable<DepthFirstOptions> = &[DEPTH_FIRST];
static MTDS: OptionTable<DepthFirstOptions> = &[MTD, DEPTH_FIRST];
static PROVES: OptionTable<ProveOptions> = &[PROVE];

static BEST: OptionTable<BestOptions> = &[&[
    option!(
        "level",
        Values::whole(1, 10).or_off(),
        level,
        "from 1, the weakest, to 10; off: as strong as it is",
        ""
    ),
    option!(
        "random",
        Values::whole(0, 1000).or_off(),
        random,
        "so many thousandths of its moves are drawn at random; off: as many as the level says",
        ""
    ),
]];

static ENGINE: OptionTable<EngineOptions> = &[&[option!(
    "patience",
    Values::time(Duration::from_millis(1), Duration::from_secs(24 * 60 * 60)),
    patience,
    "how long to wait for the engine to start, and for a move without a limit on time",
    ""
)]];

/// The options of a preset. C and the slope of rewards come from the game and the evaluation.
fn rollout(preset: rollout::Config) -> RolloutOptions {
    let Embed { mr, ms, mb, .. } = preset.embed;
    let usual = rollout::Config::default();
    let alpha_beta = preset.alpha_beta.unwrap_or_default();
    let p = AlphaBeta::default().p;
    RolloutOptions {
        // Players are compared, so what is ignored here has the same value in all of them.
        config: rollout::Config {
            c: usual.c,
            embed: Embed { mr: None, ms: None, mb: None, ..preset.embed },
            informed: Informed { slope: usual.informed.slope, det: None, ..preset.informed },
            implicit: None,
            rave: None,
            switch: None,
            alpha_beta: None,
            ..preset
        },
        mr: mr.map_or(Setting::Off, Setting::Is),
        ms: ms.map_or(Setting::Off, Setting::Is),
        mb: mb.map_or(Setting::Off, Setting::Is),
        det: preset.informed.det.map(|mercy| mercy.bound),
        det_every: preset.informed.det.map_or(presets::MERCY.every, |mercy| mercy.every),
        rave: preset.rave.map(|rave| rave.k),
        grave: preset.rave.map(|rave| rave.reference).filter(|&reference| reference > 0),
        rave_bias: preset.rave.and_then(|rave| rave.bias),
        rave_untried: preset.rave.is_some_and(|rave| rave.untried),
        p: preset.alpha_beta.map(|alpha_beta| alpha_beta.p),
        alpha_beta: AlphaBeta { p, ..alpha_beta },
        ..RolloutOptions::default()
    }
}

/// The options of a preset that a paper uses with one evaluation.
fn by_evaluation(name: &str, preset: rollout::Config) -> RolloutOptions {
    RolloutOptions { eval: Eval::Named(name.to_owned()), ..rollout(preset) }
}

fn depth_first(preset: depth_first::Config) -> DepthFirstOptions {
    DepthFirstOptions { config: preset, eval: Eval::Usual }
}

fn prove(preset: prove::Config) -> ProveOptions {
    ProveOptions { config: preset, eval: Eval::Usual }
}
