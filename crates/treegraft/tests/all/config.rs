//! What the checks of configurations accept runs, and every option acts; what they refuse, the
//! constructors refuse with the same sentence.

use std::fmt::Debug;

use treegraft::depth_first::{self, DepthFirst, Driver, Scores, Selective};
use treegraft::rollout::prove::{self, Prover};
use treegraft::rollout::{
    self, AlphaBeta, AtVisits, BonusScore, CountNodes, Expand, FinalMove, FirstPlay, Implicit,
    Mercy, Mixture, MrTree, PlayoutFrom, Playouts, Prior, Rave, RegimeRule, Rollout, RootBonus,
    Select, Solver, Strategy, Switch, Ties, WeightBy,
};
use treegraft::{Budget, ConfigError, Game, Ipp, Request, Searcher};

use crate::agreement::{HASHED, RandomGame, Rules};

/// An option, what it needs to act, and whether it has to act in this game and within the searches of a
/// move and the next.
struct Row<C> {
    name: &'static str,
    needs: fn(&mut C),
    set: fn(&mut C),
    acts: bool,
}

/// A kind of search.
trait Kind: Copy + Debug + Default + PartialEq {
    type Search: Searcher<RandomGame>;

    fn check(&self) -> Result<(), ConfigError>;

    fn make(self, has_evaluation: bool) -> Result<Self::Search, ConfigError>;
}

impl Kind for rollout::Config {
    type Search = Rollout<RandomGame>;

    fn check(&self) -> Result<(), ConfigError> {
        self.check()
    }

    fn make(self, has_evaluation: bool) -> Result<Rollout<RandomGame>, ConfigError> {
        let mast = Strategy { mast: Some(0.3), ..Strategy::random() };
        let all = vec![Strategy::random(), Strategy::greedy(HASHED), mast];
        let strategies = if self.switch.is_some() { all } else { Vec::new() };
        Rollout::with_strategies(self, has_evaluation.then_some(HASHED), strategies)
    }
}

impl Kind for depth_first::Config {
    type Search = DepthFirst<RandomGame>;

    fn check(&self) -> Result<(), ConfigError> {
        self.check()
    }

    fn make(self, has_evaluation: bool) -> Result<DepthFirst<RandomGame>, ConfigError> {
        DepthFirst::new(self, has_evaluation.then_some(HASHED))
    }
}

impl Kind for prove::Config {
    type Search = Prover<RandomGame>;

    fn check(&self) -> Result<(), ConfigError> {
        self.check()
    }

    fn make(self, has_evaluation: bool) -> Result<Prover<RandomGame>, ConfigError> {
        Prover::new(self, has_evaluation.then_some(HASHED))
    }
}

/// What a search finds at a position and at the one after its move.
fn course<C: Kind>(config: C, seed: u64) -> String {
    let rules = Rules { seed, branching: 4, plies: 9, states: 4000, unit: 1, has_margins: true };
    let mut position = RandomGame::new(seed, rules);
    let mut search = config.make(true).unwrap_or_else(|error| panic!("{config:?}: {error}"));
    let mut course = String::new();
    for nodes in [250, 150] {
        if position.outcome().is_some() {
            break;
        }
        let budget =
            Budget { nodes: Some(nodes), memory: Some(1 << 18), ..Budget::iterations(150) };
        let mut report = search.search(&position, Request::new(budget, seed));
        report.work.time = std::time::Duration::ZERO;
        position.play(report.best_move.expect("the game goes on"));
        course += &format!("{report:?}");
    }
    course
}

fn check_rows<C: Kind>(rows: &[Row<C>]) {
    let with = |changes: &[fn(&mut C)]| {
        let mut config = C::default();
        changes.iter().for_each(|change| change(&mut config));
        config
    };
    let verdict = |config: C| {
        let checked = config.check();
        match config.make(true) {
            Ok(_) => assert_eq!(checked, Ok(()), "{config:?}"),
            Err(error) => assert_eq!(checked, Err(error), "{config:?}"),
        }
        checked
    };
    for Row { name, needs, set, acts } in rows {
        let (without, with_it, alone) = (with(&[*needs]), with(&[*needs, *set]), with(&[*set]));
        assert_eq!(verdict(without), Ok(()), "{name}");
        assert_eq!(verdict(with_it), Ok(()), "{name}");
        // Unless it brings along what it needs.
        if alone != with_it {
            let error = verdict(alone).expect_err(name);
            assert!(error.to_string().contains("; expected "), "{name}: {error}");
        }
        assert_ne!(with_it, without, "{name}");
        let differs = (0..30).any(|seed| course(without, seed) != course(with_it, seed));
        assert!(differs || !acts, "{name} does not act");
    }
    let mut refused = 0;
    for (i, a) in rows.iter().enumerate() {
        for b in &rows[..i] {
            let config = with(&[a.needs, b.needs, a.set, b.set]);
            match verdict(config) {
                Ok(()) => drop(course(config, 3)),
                Err(_) => refused += 1,
            }
        }
    }
    let pairs = rows.len() * (rows.len() - 1) / 2;
    assert!(refused * 2 < pairs, "{refused} of {pairs} pairs are refused");
}

macro_rules! rows {
    ($($name:literal $(with $($need:ident).+ = $given:expr $(, $($need2:ident).+ = $given2:expr)?)?;
        $($field:ident).+ = $value:expr $(; $acts:literal)?)*) => {
        [$(Row {
            name: $name,
            needs: |_config| {
                $(_config.$($need).+ = $given; $(_config.$($need2).+ = $given2;)?)?
            },
            set: |config| config.$($field).+ = $value,
            acts: true $(&& $acts)?,
        }),*]
    };
}

const P: AlphaBeta = AlphaBeta {
    p: 0.5,
    regime: RegimeRule::Coin,
    w: 200.0,
    f: 8.0,
    k: Some(3),
    redraw_ties: false,
    l: 4,
    root_bonus: RootBonus::Always,
    root_from: 1,
    update_next: true,
    values: true,
    score: BonusScore::LastLeaf,
    count: CountNodes::Intervals,
};
const SWITCH: Switch = Switch { b: 0.5, keep: false, band: None, sides: false };
const RAVE: Rave = Rave { k: treegraft::presets::RAVE_K, bias: None, reference: 0, untried: false };
const DET: Mercy = Mercy { bound: 0.3, every: 2 };
const IM: Implicit =
    Implicit { alpha: 0.4, mixture: Mixture::Minimax, by: WeightBy::Nothing, rate: 0.0 };
const IP: Prior = Prior { visits: 1, weight: 5 };
const MS: AtVisits = AtVisits { depth: 2, visits: 1 };

#[test]
fn options_of_rollouts_act_or_are_refused() {
    check_rows::<rollout::Config>(&rows![
        "select"; select = Select::Ucb1Tuned
        "c"; c = 0.2
        "expand"; expand = Expand::All
        "first-play=hint"; first_play = FirstPlay::Hint
        "first-play=value"; first_play = FirstPlay::Value
        "expand-at"; expand_at = 3
        "solver"; solver = Solver::Wins
        "solver=draws"; solver = Solver::Draws
        "solver=margins"; solver = Solver::Margins
        "final"; final_move = FinalMove::Value
        // In searches this small it agrees with the most visits.
        "final=secure"; final_move = FinalMove::Secure; false
        "reuse"; reuse = true
        "playouts"; playouts = Playouts::Hints
        // The game has no weights, no priors of its own, and no categories.
        "ipp"; playouts = Playouts::Improved(Ipp::Program); false
        "np"; informed.np = Some(3); false
        "pb"; progressive_bias = Some(2.0); false
        "playout-from"; playout_from = PlayoutFrom::Node
        "mr"; embed.mr = Some(2)
        "mr-tree=off" with embed.mr = Some(2), solver = Solver::Wins; embed.mr_tree = MrTree::Off
        "mr-tree=expand" with embed.mr = Some(2); embed.mr_tree = MrTree::Expand
        "ms" with solver = Solver::Wins; embed.ms = Some(MS)
        "mb" with solver = Solver::Wins; embed.mb = Some(2)
        "embed-k" with embed.mr = Some(3); embed.k = Some(1)
        "embed-order" with informed.ir = Some(0.1), informed.ir_depth = 3; embed.order = true
        "ir"; informed.ir = Some(0.1)
        "ir-depth" with informed.ir = Some(0.1); informed.ir_depth = 2
        "ties" with informed.ir = Some(0.1); informed.ties = Ties::First
        "ic"; informed.ic = Some(2)
        "ic-depth" with informed.ic = Some(2); informed.ic_depth = 1
        "det"; informed.det = Some(DET)
        "ip"; informed.ip = Some(IP)
        "ip-depth" with informed.ip = Some(IP); informed.ip_depth = 1
        "slope" with informed.ic = Some(2); informed.slope = 3.0
        "im"; implicit = Some(IM)
        "cb"; implicit = Some(Implicit { mixture: Mixture::Constant, ..IM })
        "im-by" with implicit = Some(IM);
            implicit = Some(Implicit { by: WeightBy::Depth, rate: 1.0, ..IM })
        "maxbp"; max_backpropagation = Some(5)
        "rave"; rave = Some(RAVE)
        "rave-bias" with rave = Some(RAVE); rave = Some(Rave { bias: Some(0.1), ..RAVE })
        "grave" with rave = Some(RAVE); rave = Some(Rave { reference: 9, ..RAVE })
        "rave-untried" with rave = Some(RAVE); rave = Some(Rave { untried: true, ..RAVE })
        "mast"; mast = Some(0.3)
        "switch"; switch = Some(SWITCH)
        "switch-b" with switch = Some(SWITCH); switch = Some(Switch { b: 0.1, ..SWITCH })
        "switch-keep" with switch = Some(SWITCH); switch = Some(Switch { keep: true, ..SWITCH })
        "switch-band" with switch = Some(SWITCH); switch = Some(Switch { band: Some(2), ..SWITCH })
        "switch-sides" with switch = Some(SWITCH); switch = Some(Switch { sides: true, ..SWITCH })
        "p"; alpha_beta = Some(P)
        "choose=bandit" with alpha_beta = Some(P);
            alpha_beta = Some(AlphaBeta { regime: RegimeRule::Bandit, ..P })
        "choose=traps" with alpha_beta = Some(P), solver = Solver::Wins;
            alpha_beta = Some(AlphaBeta { regime: RegimeRule::Traps, ..P })
        "root-from" with alpha_beta = Some(P); alpha_beta = Some(AlphaBeta { root_from: 3, ..P })
        "root-bonus" with alpha_beta = Some(P);
            alpha_beta = Some(AlphaBeta { root_bonus: RootBonus::Never, ..P })
        "l" with alpha_beta = Some(P); alpha_beta = Some(AlphaBeta { l: 1, ..P })
        "values" with alpha_beta = Some(P); alpha_beta = Some(AlphaBeta { values: false, ..P })
    ]);
}

const ON: Selective = Selective {
    lmr: None,
    late_pruning: false,
    futility: None,
    reverse_futility: None,
    razoring: None,
    aspiration: None,
    exchange: false,
    countermoves: false,
    malus: false,
    unknown_reduction: false,
    replies: false,
    ending: None,
    threats: false,
    partial: false,
    reuse: false,
};

#[test]
fn options_of_depth_first_searches_act_or_are_refused() {
    check_rows::<depth_first::Config>(&rows![
        "mtd"; driver = Driver::MtdF
        "sss"; driver = Driver::SssStar
        "depth"; depth = Some(2)
        "deepening"; deepening = false
        "leap"; leap = Some(2)
        "scores"; scores = Scores::Margin
        "k"; k = Some(2)
        "hints"; hints = false
        // The game has no weights.
        "weights"; weights = true; false
        "killers"; killers = false
        "history"; history = false
        "shuffle"; shuffle = true
        "table"; table = false
        "etc"; etc = true
        "pvs"; pvs = false
        "null"; null_move = Some(1)
        "multi-cut"; multi_cut = true
        "quiescence"; quiescence = true
        // The game knows nothing at a glance.
        "glance"; glance = true; false
        "threats"; selective = Selective { threats: true, ..ON }; false
        "lmr"; selective = Selective { lmr: Some(100), ..ON }
        "late-pruning"; selective = Selective { late_pruning: true, exchange: true, ..ON }
        "futility"; selective = Selective { futility: Some(50), ..ON }
        "reverse-futility"; selective = Selective { reverse_futility: Some(50), ..ON }
        "razoring"; selective = Selective { razoring: Some(50), ..ON }
        "aspiration"; selective = Selective { aspiration: Some(30), ..ON }
        "exchange"; selective = Selective { exchange: true, ..ON }
        "countermoves"; selective = Selective { countermoves: true, exchange: true, ..ON }
        "malus"; selective = Selective { malus: true, ..ON }
        "iir"; selective = Selective { unknown_reduction: true, ..ON }
        "replies"; selective = Selective { replies: true, ..ON }
        "ending"; selective = Selective { ending: Some(2), ..ON }
        "partial"; selective = Selective { partial: true, ..ON }
        "reuse"; selective = Selective { reuse: true, ..ON }
    ]);
}

#[test]
fn options_of_proving_searches_act() {
    check_rows::<prove::Config>(&rows![
        "method"; method = prove::Method::AlphaBeta
        "depth"; depth = Some(2)
        "deepening"; deepening = true
        "scores"; scores = Scores::Margin
        "k"; k = Some(2)
        "hints"; hints = true
        "shuffle"; shuffle = true
        "restart"; restart = false
        "decide"; decide = true
        "bounds"; bounds = true
    ]);
}

/// What a depth-first search cannot do is refused, as are numbers out of range and what is missing.
#[test]
fn what_cannot_act_is_refused_with_a_reason() {
    fn said<C: Kind>(config: C, has_evaluation: bool, said: &str) {
        let error = config.make(has_evaluation).err().expect(said);
        assert!(error.to_string().contains(said), "{error}");
    }
    let plain = depth_first::Config::default();
    let on = |selective| depth_first::Config { selective, ..plain };
    let [malus, partial] = [Selective { malus: true, ..ON }, Selective { partial: true, ..ON }];
    let [ending, reuse] = [Selective { ending: Some(3), ..ON }, Selective { reuse: true, ..ON }];
    let [futility, aspiration] =
        [Selective { futility: Some(9), ..ON }, Selective { aspiration: Some(9), ..ON }];
    let margin = Scores::Margin;
    for (config, reason) in [
        (depth_first::Config { history: false, ..on(malus) }, "history is false"),
        (depth_first::Config { driver: Driver::MtdF, ..on(partial) }, "open windows"),
        (depth_first::Config { driver: Driver::MtdF, ..on(aspiration) }, "open windows"),
        (depth_first::Config { deepening: false, ..on(aspiration) }, "deepening is false"),
        (depth_first::Config { deepening: false, leap: Some(3), ..plain }, "deepening is false"),
        (depth_first::Config { scores: margin, ..on(ending) }, "scores is \"margin\""),
        (depth_first::Config { scores: margin, ..on(futility) }, "scores is \"margin\""),
        (depth_first::Config { scores: margin, glance: true, ..plain }, "scores is \"margin\""),
        (depth_first::Config { table: false, history: false, ..on(reuse) }, "both are false"),
        (depth_first::Config { table: false, driver: Driver::MtdF, ..plain }, "mtd needs a table"),
        (depth_first::Config { table: false, driver: Driver::SssStar, ..plain }, "sss needs"),
        (depth_first::Config { table: false, etc: true, ..plain }, "etc needs a table"),
        (
            depth_first::Config { depth: Some(1001), ..plain },
            "depth is 1001; expected a number from 1",
        ),
        (depth_first::Config { k: Some(0), ..plain }, "k is 0"),
    ] {
        said(config, true, reason);
    }
    let error = on(futility).check_evaluation(false).unwrap_err().to_string();
    assert!(error.starts_with("eval is \"none\"; expected the name of an evaluation: quiescence"));
    said(prove::Config { k: Some(0), ..prove::Config::default() }, true, "k is 0");
    let plain = rollout::Config::default();
    let p = |alpha_beta| rollout::Config { alpha_beta: Some(alpha_beta), ..plain };
    said(p(P), false, "eval is \"none\"; expected the name of an evaluation: ir, ic");
    said(p(AlphaBeta { l: 31, ..P }), true, "l is 31; expected a number from 1 to 30");
    said(p(AlphaBeta { regime: RegimeRule::Traps, ..P }), true, "solver is \"off\"");
    said(rollout::Config { c: f64::NAN, ..plain }, true, "c is NaN");
    for config in [
        rollout::Config { rave: Some(RAVE), ..p(P) },
        rollout::Config { mast: Some(0.4), ..p(P) },
        rollout::Config { switch: Some(SWITCH), ..p(P) },
        rollout::Config { implicit: Some(IM), ..p(P) },
        rollout::Config { reuse: true, ..p(P) },
        rollout::Config { expand: Expand::All, ..p(P) },
        rollout::Config { switch: Some(SWITCH), playouts: Playouts::Hints, ..plain },
    ] {
        assert!(config.make(true).is_err(), "{config:?}");
    }
    let switch = rollout::Config { switch: Some(SWITCH), ..plain };
    let error = |config, strategies| {
        Rollout::<RandomGame>::with_strategies(config, None, strategies).unwrap_err().problem
    };
    assert_eq!(error(switch, Vec::new()), "switch is on, but there are no strategies");
    assert_eq!(
        error(plain, vec![Strategy::random()]),
        "there are strategies, but switch is \"off\""
    );
    let both = Strategy { mast: Some(0.5), ..Strategy::greedy(HASHED) };
    assert_eq!(error(switch, vec![both]), "a strategy chooses moves by an evaluation and by mast");
}
