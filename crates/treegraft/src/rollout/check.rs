//! Which options of a rollout search are compatible.

use super::{
    AlphaBeta, Config, Embed, Expand, FirstPlay, Implicit, Informed, Mixture, PlayoutFrom,
    Playouts, RegimeRule, RootBonus, Solver, Strategy, Ties, WeightBy,
};
use crate::config_error::MANY;
use crate::{ConfigError, Game, Limit, Spends, presets};

/// What is wrong without a solver, and what would be right.
const LACKS_SOLVER: (&str, &str) = (
    "solver is \"off\", but ms, mb and mr-tree=prove prove wins and losses",
    "solver=wins, draws or margins",
);

impl Config {
    /// Checks that the options are compatible. An option that would have no effect is an error, too.
    ///
    /// Some defaults and presets have parts that other options leave nothing to do, and are no error: MR
    /// without a solver proves nothing ([`MrTree::Prove`](super::MrTree::Prove)), and after a cutoff at
    /// once ([`Informed::ic`] 0) no playout move is left to [`Config::playouts`] or [`Embed::mr`].
    ///
    /// # Errors
    ///
    /// The first reason why they are not.
    pub fn check(&self) -> Result<(), ConfigError> {
        let Config { embed, informed, implicit, rave, switch, mast, .. } = *self;
        let Informed { ir, ic, det, ip, np, .. } = informed;
        let usual = Config::default();
        let has_p = self.alpha_beta.is_some();
        let embeds = embed.mr.is_some() || embed.ms.is_some() || embed.mb.is_some();
        let is_deep = |is_on: bool, depth: u32| is_on && depth > 0;
        let picks_moves = ir.is_some() || switch.is_some();
        let judges = is_deep(ic.is_some(), informed.ic_depth)
            || is_deep(ip.is_some(), informed.ip_depth)
            || embeds;
        let by = |by: fn(&Implicit) -> bool| implicit.is_some_and(|it| by(&it));
        ConfigError::check(
            &self.ranges(),
            &[
                (
                    self.solver == Solver::Off && (embed.ms.is_some() || embed.mb.is_some()),
                    LACKS_SOLVER.0,
                    LACKS_SOLVER.1,
                ),
                (
                    embed.mr.is_none() && embed.mr_tree != Embed::default().mr_tree,
                    "mr-tree says what mr does, but mr is \"off\"",
                    "mr from 1 to 100, or mcts-mr",
                ),
                (np.is_some() && ip.is_some(), "np and ip both give virtual visits", "one of them"),
                (
                    has_p
                        && (implicit.is_some()
                            || self.progressive_bias.is_some()
                            || self.playout_from != PlayoutFrom::Child),
                    "im, cb, hb, pb and playout-from=node do not go with p",
                    "a player without p, such as mcts",
                ),
                (
                    switch.is_some()
                        && (embed.mr.is_some()
                            || has_p
                            || det.is_some()
                            || ir.is_some()
                            || ic.is_some()
                            || mast.is_some()
                            || self.playouts != Playouts::Random),
                    "switch chooses how playouts are made, and so do playouts, ir, ic, det, mr, mast \
                     and p",
                    "switch without them",
                ),
                (
                    has_p && (rave.is_some() || mast.is_some()),
                    "rave, grave and mast do not go with p",
                    "a player without p, such as mcts",
                ),
                (
                    mast.is_some() && (embed.mr.is_some() || ir.is_some()),
                    "mast, mr and ir all choose the moves of playouts",
                    "mast, or mr and ir",
                ),
                (
                    has_p && self.expand != Expand::One,
                    "expand is \"all\", but p is on",
                    "expand=one with p",
                ),
                (has_p && self.reuse, "reuse is true, but p is on", "reuse=false with p"),
                (
                    self.solver == Solver::Off
                        && self.alpha_beta.is_some_and(|it| it.regime == RegimeRule::Traps),
                    "choose=traps looks for proven losses, but solver is \"off\"",
                    "solver=wins, draws or margins",
                ),
                (
                    self.alpha_beta.is_some_and(|it| !it.may_delay_bonuses()),
                    "root-from delays bonuses at the root, but there are none, or p is 0",
                    "root-from=1, or root-bonus=always with p above 0",
                ),
                (
                    self.expand_at != 1 && self.playout_from == PlayoutFrom::Node,
                    "playout-from=node expands every leaf at its first visit, but expand-at is not 1",
                    "one of them",
                ),
                (
                    by(|it| it.by != WeightBy::Nothing && it.mixture != Mixture::Minimax),
                    "im-by says what the weight of im falls with, but im is \"off\"",
                    "im",
                ),
                (
                    by(|it| it.by == WeightBy::Nothing && it.rate != 0.0),
                    "im-rate says how fast the weight of im falls, but im-by is \"nothing\"",
                    "im-by=visits, depth or disagreement",
                ),
                (
                    rave.is_some_and(|it| it.bias.is_some() && it.k != presets::RAVE_K),
                    "rave-bias replaces k, but rave gives k another value",
                    "one of them",
                ),
                (
                    !picks_moves
                        && (informed.ir_depth != usual.informed.ir_depth
                            || informed.ties != Ties::Random),
                    "ir-depth and ties say how ir and switch choose, but both are \"off\"",
                    "ir or switch",
                ),
                (
                    ic.is_none() && informed.ic_depth != 0,
                    "ic-depth says how ic evaluates, but ic is \"off\"",
                    "ic",
                ),
                (
                    ip.is_none() && informed.ip_depth != 0,
                    "ip-depth says how ip evaluates, but ip is \"off\"",
                    "ip",
                ),
                (
                    ic == Some(0) && (ir.is_some() || det.is_some() || mast.is_some()),
                    "ic is 0, which leaves no playout moves to ir, det and mast",
                    "ic from 1, or ic without them",
                ),
                (
                    informed.slope != 0.0 && !self.has_rewards(),
                    "slope turns values into rewards, but ic, ip, det, im, cb, hb and p are \"off\"",
                    "one of them",
                ),
                (
                    embed.k.is_some() && !judges && !picks_moves,
                    "embed-k limits embedded searches, but there are none",
                    "mr, ms, mb, ir, switch, or ic or ip with a depth",
                ),
                (
                    embed.order && !judges && !is_deep(picks_moves, informed.ir_depth - 1),
                    "embed-order is about embedded searches, but there are none",
                    "mr, ms, mb, or ir, switch, ic or ip with a depth",
                ),
            ],
        )
    }

    /// Which limits of a budget a search spends.
    pub const SPENDS: Spends =
        Spends::ALL.but(Limit::Plies, Some("simulations do not deepen ply by ply"));

    /// Whether an evaluation is there if one is needed ([`asks_evaluation`](Config::asks_evaluation)).
    ///
    /// # Errors
    ///
    /// If one is needed, and none `is_given`.
    pub fn check_evaluation(&self, is_given: bool) -> Result<(), ConfigError> {
        let expected = "the name of an evaluation: ir, ic, ip, im, cb, hb, det, p and \
                        first-play=value need one";
        let is_missing = !is_given && self.asks_evaluation();
        ConfigError::check(&[], &[(is_missing, "eval is \"none\"", expected)])
    }

    /// The error of embedded searches that prove without a solver. [`Config::check`] cannot know whether
    /// [`MrTree::Prove`](super::MrTree::Prove), which is the default, was given; a text of options can.
    #[must_use]
    pub fn lacks_solver() -> ConfigError {
        ConfigError { problem: LACKS_SOLVER.0.to_owned(), expected: LACKS_SOLVER.1.to_owned() }
    }

    /// Whether these strategies go with the configuration.
    pub(super) fn check_strategies<G: Game>(
        &self,
        strategies: &[Strategy<G>],
    ) -> Result<(), ConfigError> {
        let are_two = |it: &Strategy<G>| it.greedy.is_some() && it.mast.is_some();
        for Strategy { greedy, mast, .. } in strategies {
            let epsilon = greedy.as_ref().map(|(epsilon, _)| *epsilon);
            let ranges =
                [("the greedy of a strategy", epsilon, 0.0, 1.0), ("mast", *mast, 0.0, 1.0)];
            ConfigError::check(&ranges, &[])?;
        }
        ConfigError::check(
            &[],
            &[
                (
                    self.switch.is_some() && strategies.is_empty(),
                    "switch is on, but there are no strategies",
                    "at least one strategy",
                ),
                (
                    self.switch.is_none() && !strategies.is_empty(),
                    "there are strategies, but switch is \"off\"",
                    "switch",
                ),
                (
                    strategies.iter().any(are_two),
                    "a strategy chooses moves by an evaluation and by mast",
                    "one of them",
                ),
            ],
        )
    }

    /// The numbers that are there, and where they must lie.
    fn ranges(&self) -> [crate::config_error::Range; 25] {
        let Config { embed, informed, implicit, rave, switch, alpha_beta, .. } = self;
        let whole = |value: Option<u32>| value.map(f64::from);
        let alpha_beta = alpha_beta.as_ref();
        let of = |number: fn(&AlphaBeta) -> f64| alpha_beta.map(number);
        [
            ("c", Some(self.c), 0.0, MANY),
            ("expand-at", whole(Some(self.expand_at)), 1.0, MANY),
            ("mr", whole(embed.mr), 1.0, MANY),
            ("the depth of ms", whole(embed.ms.map(|ms| ms.depth)), 1.0, MANY),
            ("mb", whole(embed.mb), 1.0, MANY),
            ("embed-k", whole(embed.k), 1.0, MANY),
            ("ir", informed.ir, 0.0, 1.0),
            ("ir-depth", whole(Some(informed.ir_depth)), 1.0, MANY),
            ("det", informed.det.map(|det| det.bound), 0.0, MANY),
            ("det-every", whole(informed.det.map(|det| det.every)), 1.0, MANY),
            ("the weight of ip", informed.ip.map(|ip| f64::from(ip.weight)), 1.0, MANY),
            ("np", informed.np.map(f64::from), 1.0, MANY),
            ("slope", Some(informed.slope), 0.0, MANY),
            ("the weight of im, cb or hb", implicit.map(|it| it.alpha), 0.0, 1.0),
            ("im-rate", implicit.map(|it| it.rate), 0.0, MANY),
            ("pb", self.progressive_bias, 0.0, MANY),
            ("rave", rave.map(|rave| rave.k), 0.0, MANY),
            ("rave-bias", rave.and_then(|rave| rave.bias), 0.0, MANY),
            ("mast", self.mast, 0.0, 1.0),
            ("switch-b", switch.map(|switch| switch.b), 0.0, MANY),
            ("switch-band", whole(switch.and_then(|switch| switch.band)), 1.0, MANY),
            ("p", of(|it| it.p), 0.0, 1.0),
            ("w and f", of(|it| it.w.min(it.f)), 0.0, MANY),
            ("k", whole(alpha_beta.and_then(|it| it.k)), 1.0, MANY),
            ("l", of(|it| f64::from(it.l)), 1.0, f64::from(AlphaBeta::DEEPEST)),
        ]
    }

    /// Whether values of an evaluation become rewards anywhere: whether [`Informed::slope`] matters.
    #[must_use]
    pub fn has_rewards(&self) -> bool {
        let Informed { ic, ip, det, .. } = self.informed;
        let is_informed = ic.is_some() || ip.is_some() || det.is_some();
        is_informed || self.implicit.is_some() || self.alpha_beta.is_some()
    }

    /// Whether the configuration uses an evaluation.
    #[must_use]
    pub fn asks_evaluation(&self) -> bool {
        self.informed.is_on()
            || self.implicit.is_some()
            || self.alpha_beta.is_some()
            || self.first_play == FirstPlay::Value
    }
}

impl AlphaBeta {
    /// Whether `root_from` has its default, or bonuses at the root to delay.
    fn may_delay_bonuses(&self) -> bool {
        self.root_from == 1 || self.root_rule() == RootBonus::Always && self.p > 0.0
    }
}
