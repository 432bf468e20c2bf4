//! Evaluations inside the simulations: MCTS-IR, MCTS-IC and MCTS-IP (Baier & Winands 2014).

mod ic;
mod ip;
#[cfg(test)]
mod ip_tests;
mod ir;
#[cfg(test)]
pub(super) mod tests;

use super::shared::{Policy, Shared};
#[cfg(test)]
use super::tree::Id;
use super::{Config, Worker};
use crate::Game;
use crate::depth_first::Shallow;
use crate::observe::Observer;

/// The searches that use evaluations, and their scratch memory.
#[derive(Debug)]
pub(super) struct Judge<G: Game> {
    /// MCTS-IP: the visits from which on a node's children have priors; `u32::MAX`, which no node
    /// has, if none have.
    pub(super) prior_at: u32,
    /// One for each of [`Shared::policies`].
    pub(super) searches: Vec<Shallow<G>>,
    /// The priors of a family.
    values: Vec<f64>,
    /// The uses of the evaluation, for tests.
    #[cfg(test)]
    pub(super) log: Vec<Event<G>>,
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
    pub(super) fn new(shared: &Shared<G>) -> Judge<G> {
        let Config { informed, embed, .. } = &shared.config;
        let search = |policy: &Policy<G>| {
            let mut search = Shallow::new(policy.evaluator.clone());
            (search.k, search.order) = (embed.k, embed.order);
            search.weights = policy.playouts.improved();
            search
        };
        let ip = informed.ip.map(|ip| ip.visits);
        Judge {
            prior_at: ip.or(informed.np.map(|_| 0)).unwrap_or(u32::MAX),
            searches: shared.policies().map(search).collect(),
            values: Vec::new(),
            #[cfg(test)]
            log: Vec::new(),
        }
    }

    /// The search by the configuration's own evaluation.
    pub(super) fn own(&mut self) -> &mut Shallow<G> {
        &mut self.searches[0]
    }
}

impl<G: Game, O: Observer<G::Move>> Worker<'_, G, O> {
    /// The value of an unfinished position as a reward: by a search of `depth` plies, or by the
    /// evaluation alone if the time is over.
    pub(super) fn judge(&mut self, position: &G, depth: u32) -> f64 {
        let (search, mover) = (self.informed.own(), position.to_move());
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
        self.shared.reward(value)
    }

    /// Counts the work of embedded searches at once, because the budget may limit it.
    pub(super) fn count_work(&mut self) {
        self.count_work_of(0);
    }

    /// The same for a policy's search.
    pub(super) fn count_work_of(&mut self, policy: usize) {
        let search = &mut self.informed.searches[policy];
        self.work.evaluations += std::mem::take(&mut search.evaluations);
        self.work.transitions += std::mem::take(&mut search.transitions);
    }
}
