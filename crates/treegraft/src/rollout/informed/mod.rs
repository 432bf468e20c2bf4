//! Evaluations inside the simulations: MCTS-IR, MCTS-IC and MCTS-IP (Baier & Winands 2014).

mod ic;
mod ip;
#[cfg(test)]
mod ip_tests;
mod ir;
#[cfg(test)]
pub(super) mod tests;

#[cfg(test)]
use super::tree::Id;
use super::{Config, Informed, Mercy, Playouts, RolloutSearch, Ties};
use crate::depth_first::Shallow;
use crate::evaluate::{Greedy, SharedPlayouts, reward};
use crate::observe::Observer;
use crate::{EVAL_ONE, Evaluator, Game, Guide, GuidedPlayouts};

/// What is asked of the evaluation, and the search that asks it.
#[derive(Debug)]
pub(super) struct Judge<G: Game> {
    /// MCTS-IP: the visits from which on a node's children have priors; `u32::MAX`, which no node
    /// has, if none have.
    pub(super) prior_at: u32,
    slope: f64,
    /// MCTS-IR: a fast way to the move with the best value, where playouts can use it.
    pub(super) greedy: Option<Greedy<G>>,
    /// A fast way to make whole playouts, where they can use it.
    pub(super) playouts: Option<(GuidedPlayouts<G>, Guide)>,
    /// The same with state.
    pub(super) shared_playouts: Option<(SharedPlayouts<G>, Guide)>,
    pub(super) search: Shallow<G>,
    /// The evaluation, if it wants to know the children of every expansion at once.
    pub(super) foresight: Option<Evaluator<G>>,
    /// The priors of a family.
    values: Vec<f64>,
    /// The uses of the evaluation, for tests.
    #[cfg(test)]
    pub(super) log: Vec<Event<G>>,
}

/// What the playouts of a search are, if they are simple enough for a game to make them.
fn guide(config: &Config) -> Option<Guide> {
    let Informed { ir, ic, ic_depth, det, slope, .. } = config.informed;
    let ipp = match config.playouts {
        Playouts::Random => None,
        Playouts::Improved(ipp) => Some(ipp),
        Playouts::Hints => return None,
    };
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

/// A use of the evaluation, as tests see it.
#[cfg(test)]
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Event<G: Game> {
    /// A playout begins here.
    Start(G),
    /// A playout move was picked; whether by its value.
    Playout(G, G::Move, bool),
    /// A playout was cut off: the position and the reward.
    Cut(G, f64),
    /// A playout was looked at for a clear advantage: the position, and the reward if there was one.
    Mercy(G, Option<f64>),
    /// The children of a node were given priors: its row and its visits.
    Priors(Id, u32),
}

impl<G: Game> Judge<G> {
    pub(super) fn new(config: &Config, evaluator: Option<Evaluator<G>>) -> Judge<G> {
        let informed = &config.informed;
        // It knows neither deeper searches nor MCTS-MR's choice.
        let is_plain = informed.ir_depth <= 1
            && informed.ties == Ties::Random
            && config.embed.k.is_none()
            && config.embed.mr.is_none();
        let plain = evaluator.as_ref().filter(|_| is_plain);
        let greedy = plain.and_then(Evaluator::greedy);
        let guide = guide(config).filter(|_| greedy.is_some() || informed.ir.is_none());
        let playouts = plain.and_then(Evaluator::playouts).zip(guide);
        let shared_playouts = plain.and_then(Evaluator::shared_playouts).zip(guide);
        let foresight = evaluator.as_ref().filter(|_| config.asks_evaluation());
        let foresight = foresight.filter(|evaluator| evaluator.foresees()).cloned();
        let mut search = Shallow::new(evaluator);
        (search.k, search.order) = (config.embed.k, config.embed.order);
        search.weights = config.playouts.improved();
        Judge {
            prior_at: informed
                .ip
                .map(|ip| ip.visits)
                .or(informed.np.map(|_| 0))
                .unwrap_or(u32::MAX),
            slope: informed.slope,
            greedy,
            playouts,
            shared_playouts,
            search,
            foresight,
            values: Vec::new(),
            #[cfg(test)]
            log: Vec::new(),
        }
    }

    /// A value as a reward from -1 to 1.
    pub(super) fn reward(&self, value: i64) -> f64 {
        if value.abs() >= Shallow::<G>::WIN {
            return value.signum() as f64;
        }
        reward(value, self.slope)
    }
}

impl<G: Game, O: Observer<G::Move>> RolloutSearch<'_, G, O> {
    /// The value of an unfinished position as a reward: by a search of `depth` plies, or by the
    /// evaluation alone if the time is over.
    pub(super) fn judge(&mut self, position: &G, depth: u32) -> f64 {
        let (search, mover) = (&mut self.informed.search, position.to_move());
        let mut value = None;
        if !self.alarm.rings_before(1) && depth > 0 {
            let lowest = -Shallow::<G>::WIN;
            value = search.value_above(lowest, position, depth, mover, &mut self.alarm);
        }
        let value = match value {
            Some(value) => mover.sign() * value,
            None => search.evaluate(position),
        };
        self.count_work();
        self.informed.reward(value)
    }

    /// Counts the work of embedded searches at once, because the budget may limit it.
    pub(super) fn count_work(&mut self) {
        let search = &mut self.informed.search;
        self.work.evaluations += std::mem::take(&mut search.evaluations);
        self.work.transitions += std::mem::take(&mut search.transitions);
    }
}
