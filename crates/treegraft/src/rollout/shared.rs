//! What a search reads and never writes: its configuration, and what follows from that.

use std::borrow::Cow;

use super::embed::Schedule;
use super::ucb::{Formula, SqrtLn};
use super::{Config, Informed, Mercy, Playouts, Strategy, Ties};
use crate::depth_first::Shallow;
use crate::evaluate::reward;
use crate::{ConfigError, EVAL_ONE, Evaluator, Game, Guide};

/// The same for all searches, and for all threads of one.
#[derive(Debug)]
pub(super) struct Shared<G: Game> {
    pub(super) config: Config,
    /// When minimax searches are made inside the simulations.
    pub(super) schedule: Schedule,
    pub(super) formula: Formula,
    pub(super) sqrt_ln: SqrtLn,
    /// How playouts are made.
    pub(super) playouts: Policy<G>,
    /// The strategies that playouts are switched between, with their names.
    pub(super) strategies: Vec<(Cow<'static, str>, Policy<G>)>,
    /// The evaluation, if it wants to know the children of every expansion at once.
    pub(super) foresight: Option<Evaluator<G>>,
}

impl<G: Game> Shared<G> {
    pub(super) fn new(
        config: Config,
        evaluator: Option<Evaluator<G>>,
        strategies: Vec<Strategy<G>>,
    ) -> Result<Shared<G>, ConfigError> {
        config.check()?;
        config.check_evaluation(evaluator.is_some())?;
        config.check_strategies(&strategies)?;
        let foresight = evaluator.clone().filter(|it| config.asks_evaluation() && it.foresees());
        let strategy = |(number, strategy): (usize, Strategy<G>)| {
            let Strategy { name, playouts, greedy, mast } = strategy;
            let (ir, evaluator) = greedy.unzip();
            let informed = Informed { ir, ..config.informed };
            let config = Config { playouts, informed, mast, switch: None, ..config };
            (name, Policy::new(number, &config, evaluator))
        };
        Ok(Shared {
            config,
            schedule: Schedule::new(&config),
            formula: Formula::of(&config),
            sqrt_ln: SqrtLn::new(),
            playouts: Policy::new(0, &config, evaluator),
            strategies: (1..).zip(strategies).map(strategy).collect(),
            foresight,
        })
    }

    /// How playouts are made without strategies, and by each of these.
    pub(super) fn policies(&self) -> impl Iterator<Item = &Policy<G>> {
        std::iter::once(&self.playouts).chain(self.strategies.iter().map(|(_, policy)| policy))
    }

    /// A value as a reward from -1 to 1.
    pub(super) fn reward(&self, value: i64) -> f64 {
        if value.abs() >= Shallow::<G>::WIN {
            return value.signum() as f64;
        }
        reward(value, self.config.informed.slope)
    }
}

/// How playouts are made, decided once.
#[derive(Clone, Copy, Debug)]
pub(super) enum PlayoutKind {
    /// By the game itself, with random moves.
    Random,
    /// With MCTS-MR's moves only, searched to this depth.
    Minimax(u32),
    /// Move by move, by whatever policies are configured.
    Guided,
    /// As a strategy says that is chosen for each.
    Switched,
}

/// How the moves of playouts are chosen.
#[derive(Debug)]
pub(super) struct Policy<G: Game> {
    /// Its place among [`Shared::policies`].
    pub(super) number: usize,
    pub(super) kind: PlayoutKind,
    /// The default policy.
    pub(super) playouts: Playouts,
    pub(super) ir: Option<f64>,
    pub(super) mast: Option<f64>,
    /// MCTS-IR: the evaluation, if it has a fast way to the best move and playouts can use it.
    pub(super) greedy: Option<Evaluator<G>>,
    /// The evaluation, if it has a fast way to make these playouts.
    pub(super) whole: Option<(Evaluator<G>, Guide)>,
    pub(super) evaluator: Option<Evaluator<G>>,
}

impl<G: Game> Policy<G> {
    fn new(number: usize, config: &Config, evaluator: Option<Evaluator<G>>) -> Policy<G> {
        let Config { informed, embed, mast, playouts, .. } = *config;
        let is_guided = informed.ir.is_some()
            || informed.ic.is_some()
            || informed.det.is_some()
            || mast.is_some()
            || playouts != Playouts::Random;
        let kind = match embed.mr {
            _ if config.switch.is_some() => PlayoutKind::Switched,
            _ if is_guided => PlayoutKind::Guided,
            Some(depth) => PlayoutKind::Minimax(depth),
            None => PlayoutKind::Random,
        };
        // A fast way knows neither deeper searches nor MCTS-MR's choice.
        let is_plain = informed.ir_depth == 1
            && informed.ties == Ties::Random
            && embed.k.is_none()
            && embed.mr.is_none();
        let plain = evaluator.clone().filter(|_| is_plain);
        let greedy = plain.clone().filter(Evaluator::has_greedy);
        let guide = guide(config).filter(|_| greedy.is_some() || informed.ir.is_none());
        Policy {
            number,
            kind,
            playouts,
            ir: informed.ir,
            mast,
            greedy,
            whole: plain.filter(Evaluator::has_playouts).zip(guide),
            evaluator,
        }
    }
}

/// What the playouts of a search are, if they are simple enough for a game to make them.
fn guide(config: &Config) -> Option<Guide> {
    let Informed { ir, ic, ic_depth, det, slope, .. } = config.informed;
    let ipp = config.playouts.of_evaluation()?;
    // A value is compared as it is, not as a reward.
    let is_simple = config.mast.is_none() && ic_depth == 0 && (det.is_none() || slope == 0.0);
    is_simple.then(|| Guide {
        ipp,
        greedy: ir,
        cut: ic,
        mercy: det.map(|mercy| (mercy.every, largest_within(mercy))),
        max_plies: 0,
    })
}

/// The largest value that is not beyond the bound.
fn largest_within(Mercy { bound, .. }: Mercy) -> i32 {
    let near = (bound * f64::from(EVAL_ONE)) as i32;
    // The product may be rounded: 0.000249 times a million is less than 249.
    let is_within = |&value: &i32| reward(i64::from(value), 0.0) <= bound;
    [near.saturating_add(1), near].into_iter().find(is_within).unwrap_or(near - 1)
}
