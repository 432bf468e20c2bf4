//! The table of all labels, their options and their presets: parsing, printing, errors and lists
//! follow from it.

use std::time::Duration;

use treegraft::rollout::prove;
use treegraft::rollout::{AlphaBeta, Embed, Informed};
use treegraft::{Constants, depth_first, presets, rollout};

use super::alpha_beta_options::ALPHA_BETA;
use super::amaf_options::AMAF;
use super::depth_first_options::{DEPTH_FIRST, MTD};
use super::family::{Family, Options, Preset};
use super::lanctot_options::LANCTOT;
use super::options::{OptionTable, option};
use super::prove_options::PROVE;
use super::rollout_options::ROLLOUT;
use super::switch_options::SWITCH;
use super::values::Values;
use super::{
    BestOptions, DepthFirstOptions, EngineOptions, Eval, GreedyOptions, ProveOptions,
    RolloutOptions, Search, Setting,
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
    /// Whether a command follows the label.
    pub(super) takes_command: bool,
    pub(super) family: &'static dyn Family,
}

/// A label without other spellings, and without an option that follows it.
const fn label(
    name: &'static str,
    about: &'static str,
    source: &'static str,
    family: &'static dyn Family,
) -> Label {
    Label { name, also: &[], about, numbered: None, source, takes_command: false, family }
}

impl Label {
    const fn also(self, also: &'static [&'static str]) -> Label {
        Label { also, ..self }
    }

    const fn numbered(self, option: &'static str) -> Label {
        Label { numbered: Some(option), ..self }
    }

    const fn with_command(self) -> Label {
        Label { takes_command: true, ..self }
    }

    /// Whether this is its name, or another spelling of it.
    pub(super) fn is_called(&self, name: &str) -> bool {
        self.name == name || self.also.contains(&name)
    }
}

const USUAL: Constants = Constants::USUAL;

/// All labels. If several can write a player with equally few options, the last one is used.
pub(super) static LABELS: &[Label] = &[
    label("random", "plays a legal move at random", "", &Preset(&[], || ())),
    label(
        "greedy",
        "plays the move whose position evaluates best; ties are broken at random",
        "Mańdziuk & Walczak, Monte Carlo Tree Search with Metaheuristics",
        &Preset(GREEDY, GreedyOptions::default),
    ),
    label(
        "uct",
        "UCT with UCB1: grows a tree by random simulations",
        "Kocsis & Szepesvári 2006",
        &Preset(ROLLOUTS, || RolloutOptions::from(presets::uct())),
    ),
    label(
        "mcts",
        "UCT with UCB1-Tuned",
        "Baier & Winands 2015",
        &Preset(ROLLOUTS, || RolloutOptions::from(presets::mcts())),
    ),
    label(
        "mcts-solver",
        "mcts that proves wins and losses",
        "Winands, Björnsson & Saito 2008",
        &Preset(ROLLOUTS, || RolloutOptions::from(presets::mcts_solver())),
    ),
    label(
        "mcts-mr",
        "mcts-solver with a minimax search for every playout move; the first one may prove a new \
         leaf; mcts-mr-D: D plies deep",
        "Baier & Winands 2015",
        &Preset(ROLLOUTS, || RolloutOptions {
            mr: Setting::Best,
            ..RolloutOptions::from(presets::mcts_mr(USUAL.mr))
        }),
    )
    .numbered("mr"),
    label(
        "mcts-ms",
        "mcts-solver with a minimax search for lost moves in the tree; mcts-ms-D-visit-V: D plies \
         deep, at nodes with V visits",
        "Baier & Winands 2015",
        &Preset(ROLLOUTS, || RolloutOptions {
            ms: Setting::Best,
            ..RolloutOptions::from(presets::mcts_ms(USUAL.ms.depth, USUAL.ms.visits))
        }),
    )
    .numbered("ms"),
    label(
        "mcts-mb",
        "mcts-solver with a minimax search where a loss is backed up; mcts-mb-D: D plies deep",
        "Baier & Winands 2015",
        &Preset(ROLLOUTS, || RolloutOptions {
            mb: Setting::Best,
            ..RolloutOptions::from(presets::mcts_mb(USUAL.mb))
        }),
    )
    .numbered("mb"),
    label(
        "mcts-ir-e",
        "mcts-solver with playout moves picked by the evaluation, some at random",
        "Baier & Winands 2014",
        &Preset(ROLLOUTS, || RolloutOptions::from(presets::mcts_ir_e())),
    ),
    label(
        "mcts-ir-m",
        "mcts-solver with playout moves picked by a minimax search with the evaluation",
        "Baier & Winands 2014",
        &Preset(ROLLOUTS, || RolloutOptions::from(presets::mcts_ir_m())),
    ),
    label(
        "mcts-ic-e",
        "mcts-solver with playouts cut off and evaluated",
        "Baier & Winands 2014",
        &Preset(ROLLOUTS, || RolloutOptions::from(presets::mcts_ic_e())),
    ),
    label(
        "mcts-ic-m",
        "mcts-solver with playouts cut off and valued by a minimax search with the evaluation",
        "Baier & Winands 2014",
        &Preset(ROLLOUTS, || RolloutOptions::from(presets::mcts_ic_m())),
    ),
    label(
        "mcts-ip-e",
        "mcts-solver with the evaluation as a prior: virtual visits of new children",
        "Baier & Winands 2014",
        &Preset(ROLLOUTS, || RolloutOptions::from(presets::mcts_ip_e())),
    ),
    label(
        "mcts-ip-m",
        "mcts-solver with the value of a minimax search as a prior: virtual visits of new children",
        "Baier & Winands 2014",
        &Preset(ROLLOUTS, || RolloutOptions::from(presets::mcts_ip_m())),
    ),
    label(
        "mcts-bl",
        "baseline of Lanctot et al.: UCT with improved, greedy and early ending playouts by efMS; \
         mcts-bl(im=0.4) adds implicit minimax backups",
        "Lanctot et al. 2014",
        &Preset(ROLLOUTS, || by_evaluation("efMS", presets::mcts_bl())),
    ),
    label(
        "mcts-bl2",
        "alternative baseline of Lanctot et al., bl': playouts cut off after 20 plies by efLH, and \
         node priors",
        "Lanctot et al. 2014",
        &Preset(ROLLOUTS, || by_evaluation("efLH", presets::mcts_bl2())),
    ),
    label(
        "mcts-loa",
        "UCT in Lines of Action: playouts by categories of moves that end early by efWB",
        "Lanctot et al. 2014; Winands, Björnsson & Saito 2010",
        &Preset(ROLLOUTS, || by_evaluation("efWB", presets::mcts_loa())),
    ),
    label(
        "mcts-loa-ab",
        "mcts-loa with alpha-beta playouts",
        "Lanctot et al. 2014; Winands, Björnsson & Saito 2010",
        &Preset(ROLLOUTS, || by_evaluation("efWB", presets::mcts_loa_ab())),
    ),
    label(
        "mcts-loa-pb",
        "mcts-loa-ab with progressive bias by categories of moves",
        "Lanctot et al. 2014; Winands, Björnsson & Saito 2010",
        &Preset(ROLLOUTS, || by_evaluation("efWB", presets::mcts_loa_pb())),
    ),
    label(
        "mcts-ab",
        "mcts-solver with informed playouts, where some rollouts turn into alpha-beta rollouts",
        "Baier 2018",
        &Preset(ROLLOUTS, || RolloutOptions::from(presets::mcts_ab())),
    )
    .also(&["mcts-αβ"]),
    label(
        "mcts-ab-ic",
        "mcts-ic-e, where most rollouts turn into alpha-beta rollouts",
        "Baier 2018",
        &Preset(ROLLOUTS, || RolloutOptions::from(presets::mcts_ab_ic())),
    )
    .also(&["mcts-αβ-ic"]),
    label(
        "mcts-sb",
        "mcts with score bounds, which also proves draws",
        "Cazenave & Saffidine 2010",
        &Preset(ROLLOUTS, || RolloutOptions::from(presets::mcts_sb())),
    ),
    label(
        "alpha-beta",
        "plain alpha-beta with iterative deepening, moves in the game's order",
        "Knuth & Moore 1975",
        &Preset(DEPTH_FIRSTS, || depth_first(presets::alpha_beta())),
    ),
    label(
        "k-best",
        "plain alpha-beta on the 10 best moves of a node by the game's hints; k-best-K: on the K \
         best",
        "Baier 2018",
        &Preset(DEPTH_FIRSTS, || depth_first(presets::k_best(10))),
    )
    .numbered("k"),
    label(
        "ab",
        "alpha-beta with move ordering, a table and null windows",
        "Knuth & Moore 1975",
        &Preset(DEPTH_FIRSTS, || depth_first(presets::ab())),
    ),
    label(
        "mtd",
        "MTD: null windows only, from the last value (f), from above (inf) or below (-inf)",
        "Plaat, Schaeffer, Pijls & de Bruin 1996",
        &Preset(MTDS, || depth_first(presets::mtd())),
    ),
    label(
        "sss",
        "SSS* as MTD(inf) with a table that keeps both bounds",
        "Stockman 1979; Plaat, Schaeffer, Pijls & de Bruin 1996",
        &Preset(DEPTH_FIRSTS, || depth_first(presets::sss())),
    )
    .also(&["sss*"]),
    label(
        "dual",
        "DUAL* as MTD(-inf) with a table that keeps both bounds",
        "Marsland, Reinefeld & Schaeffer 1987; Plaat, Schaeffer, Pijls & de Bruin 1996",
        &Preset(DEPTH_FIRSTS, || depth_first(presets::dual())),
    )
    .also(&["dual*"]),
    label(
        "fsss",
        "FSSS-Minimax: rollouts that prune more than alpha-beta",
        "Weinstein, Littman & Goschin 2012",
        &Preset(PROVES, || prove(presets::fsss())),
    )
    .also(&["fsss-minimax"]),
    label(
        "rollout-ab",
        "alpha-beta as rollouts: to the leftmost child that matters",
        "Huang 2015",
        &Preset(PROVES, || prove(presets::rollout_ab())),
    )
    .also(&["rollout-alpha-beta"]),
    label(
        "rollout-sss",
        "SSS* as rollouts: to the child with the best upper bound",
        "Huang 2015",
        &Preset(PROVES, || prove(presets::rollout_sss())),
    )
    .also(&["rollout-sss*"]),
    label(
        "rollout-random",
        "rollouts to any child that matters",
        "Huang 2015",
        &Preset(PROVES, || prove(presets::rollout_random())),
    ),
    label(
        "alphabeta2",
        "alpha-beta that keeps its tree, with two bounds per node",
        "Huang 2015",
        &Preset(PROVES, || prove(presets::alphabeta2())),
    )
    .also(&["alpha-beta2"]),
    label(
        "mt-sss",
        "SSS* as null windows from above for alphabeta2",
        "Huang 2015",
        &Preset(PROVES, || prove(presets::mt_sss())),
    )
    .also(&["mt-sss*"]),
    label(
        "mt-inf",
        "MTD(+inf) that keeps its tree, with one bound per visit",
        "Plaat, Schaeffer, Pijls & de Bruin 1996",
        &Preset(PROVES, || prove(presets::mt_inf())),
    ),
    label(
        "best",
        "the strongest player that is known for the game; best(level=3) is weaker, and `treegraft \
         games NAME` says what it stands for",
        "",
        &Preset(BEST, BestOptions::default),
    ),
    label(
        "engine",
        "an external program that speaks the engine protocol: engine:\"COMMAND ARGUMENTS\"@BUDGET; \
         in UCI: engine:uci:\"…\"@BUDGET, also with engine(option.NAME=VALUE); in GTP 2: \
         engine:gtp:\"…\"",
        "",
        &Preset(ENGINE, EngineOptions::default),
    )
    .with_command(),
];

static GREEDY: OptionTable<GreedyOptions> = &[&[option!(
    "eval",
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
        "from 1, the weakest, to 10; off: full strength"
    ),
    option!(
        "random",
        Values::whole(0, 1000).or_off(),
        random,
        "how many thousandths of its moves are drawn at random; off: as many as the level says"
    ),
]];

static ENGINE: OptionTable<EngineOptions> = &[&[option!(
    "patience",
    Values::time(Duration::from_millis(1), Duration::from_secs(24 * 60 * 60)),
    patience,
    "how long to wait for the engine to start, and for a move without a limit on time"
)]];

/// A player that draws its moves has no options.
impl Options for () {
    fn search(self) -> Search {
        Search::Random
    }
}

impl Options for GreedyOptions {
    fn search(self) -> Search {
        Search::Greedy(self)
    }
}

impl Options for DepthFirstOptions {
    fn search(self) -> Search {
        Search::DepthFirst(self)
    }
}

impl Options for BestOptions {
    fn search(self) -> Search {
        Search::Best(self)
    }
}

/// The options of a preset. C and the slope of rewards come from the game and the evaluation.
impl From<rollout::Config> for RolloutOptions {
    fn from(preset: rollout::Config) -> RolloutOptions {
        let Embed { mr, ms, mb, .. } = preset.embed;
        let (rave, det) = (preset.rave, preset.informed.det.unwrap_or(presets::MERCY));
        let p = AlphaBeta::default().p;
        RolloutOptions {
            config: without_ignored(preset),
            c: None,
            mr: mr.map_or(Setting::Off, Setting::Is),
            ms: ms.map_or(Setting::Off, Setting::Is),
            mb: mb.map_or(Setting::Off, Setting::Is),
            eval: Eval::Usual,
            slope: None,
            im: None,
            im_by: rollout::WeightBy::Nothing,
            im_rate: 1.0,
            cb: None,
            hb: None,
            det: preset.informed.det.map(|mercy| mercy.bound),
            det_every: det.every,
            rave: rave.map(|rave| rave.k),
            grave: rave.map(|rave| rave.reference).filter(|&reference| reference > 0),
            rave_bias: rave.and_then(|rave| rave.bias),
            rave_untried: rave.is_some_and(|rave| rave.untried),
            switch: None,
            switch_b: None,
            switch_keep: false,
            switch_band: None,
            switch_sides: false,
            p: preset.alpha_beta.map(|alpha_beta| alpha_beta.p),
            alpha_beta: AlphaBeta { p, ..preset.alpha_beta.unwrap_or_default() },
        }
    }
}

/// Players are compared, so what [`RolloutOptions::config`] ignores has the same value in all of them.
pub(super) fn without_ignored(config: rollout::Config) -> rollout::Config {
    let usual = rollout::Config::default();
    rollout::Config {
        c: usual.c,
        embed: Embed { mr: None, ms: None, mb: None, ..config.embed },
        informed: Informed { slope: usual.informed.slope, det: None, ..config.informed },
        implicit: None,
        rave: None,
        switch: None,
        alpha_beta: None,
        ..config
    }
}

/// The options of a preset that a paper uses with one evaluation.
fn by_evaluation(name: &str, preset: rollout::Config) -> RolloutOptions {
    RolloutOptions { eval: Eval::Named(name.to_owned()), ..RolloutOptions::from(preset) }
}

fn depth_first(config: depth_first::Config) -> DepthFirstOptions {
    DepthFirstOptions { config, eval: Eval::Usual }
}

fn prove(config: prove::Config) -> ProveOptions {
    ProveOptions { config, eval: Eval::Usual }
}
