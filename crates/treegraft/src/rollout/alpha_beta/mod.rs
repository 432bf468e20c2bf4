//! Alpha-beta rollouts among Monte Carlo's: MCTS-αβ (Baier 2018).

mod bonus;
mod intervals;
#[cfg(test)]
mod tests;

use super::prove::choose::feasible;
use super::tree::{Id, ROOT};
use super::{AlphaBeta, Choose, Config, CountNodes, Run};
use crate::bits::mix;
use crate::depth_first::WIN;
use crate::game::sort_by_hint;
use crate::report::fold;
use crate::{Bounds, Game, Outcome, Rng, Side};
use intervals::ANY;
pub(super) use intervals::Intervals;

/// What decides how rollouts go on.
#[derive(Debug)]
pub(super) struct Coins {
    /// Apart from the other random choices, so that these do not depend on p.
    rng: Rng,
    seed: u64,
    /// No room for more: all rollouts are Monte Carlo's from now on.
    is_full: bool,
    /// [`Choose::Bandit`]: how useful both kinds were, by ply.
    arms: Vec<[Arm; 2]>,
    /// The choices of the present rollout: ply, kind, and the mean of the node.
    chosen: Vec<(usize, usize, f64)>,
    /// What was given, for tests: the node's block (its row may still change), child, depth, bonus.
    #[cfg(test)]
    pub(super) log: Vec<(Option<usize>, usize, u32, f64)>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Arm {
    pulls: f64,
    payoff: f64,
}

const MONTE_CARLO: usize = 0;
const ALPHA_BETA: usize = 1;

impl Coins {
    pub(super) fn new(seed: u64) -> Coins {
        Coins {
            rng: Rng::new(mix(seed ^ 0x616c_7068_6162_6574)),
            seed,
            is_full: false,
            arms: Vec::new(),
            chosen: Vec::new(),
            #[cfg(test)]
            log: Vec::new(),
        }
    }

    /// UCB1 with two arms, those of this ply.
    fn pull(&mut self, ply: usize) -> usize {
        if self.arms.len() <= ply {
            self.arms.resize(ply + 1, Default::default());
        }
        let arms = &self.arms[ply];
        let total = arms[0].pulls + arms[1].pulls;
        let bound = |arm: &Arm| {
            let explore = (libm::log(total.max(1.0)) / arm.pulls).sqrt();
            if arm.pulls == 0.0 { f64::INFINITY } else { arm.payoff / arm.pulls + explore }
        };
        if bound(&arms[ALPHA_BETA]) >= bound(&arms[MONTE_CARLO]) { ALPHA_BETA } else { MONTE_CARLO }
    }

    /// The rollout is over, with this reward.
    fn pay(&mut self, reward: f64) {
        for (ply, arm, mean) in self.chosen.drain(..) {
            let arm = &mut self.arms[ply][arm];
            arm.pulls += 1.0;
            arm.payoff += (reward - mean).abs() / 2.0;
        }
    }
}

/// The side tables that alpha-beta rollouts need: an interval for each depth.
pub(super) fn depths(config: &Config) -> u32 {
    config.alpha_beta.map_or(0, |it| it.l.min(AlphaBeta::DEEPEST) + 1)
}

impl<G: Game> Run<'_, G> {
    /// Starts a rollout as alpha-beta's, if it is one's turn; `false` if not.
    pub(super) fn rolls_out_alpha_beta(&mut self, config: &AlphaBeta) -> bool {
        if !self.turns(config, ROOT, ROOT) {
            return false;
        }
        let Some(reward) = self.alpha_beta_rollout(config, ROOT, &self.root.clone()) else {
            return false;
        };
        self.work.iterations += 1;
        self.digest = fold(self.digest, reward.to_bits());
        self.coins.pay(reward);
        true
    }

    /// Whether the rollout goes on as alpha-beta's from this node, to which it came from `parent`.
    #[inline]
    fn turns(&mut self, config: &AlphaBeta, node: Id, parent: Id) -> bool {
        if self.coins.is_full || self.tree.side.intervals.depth(node as usize) > config.l {
            return false;
        }
        match config.choose {
            Choose::Coin => config.p < 1.0 && self.coins.rng.unit() >= config.p,
            Choose::Traps => {
                config.p < 1.0 && self.has_trap(parent) && self.coins.rng.unit() >= config.p
            }
            Choose::Bandit => {
                let ply = self.path.len();
                let arm = self.coins.pull(ply);
                let mean = self.tree.value(node as usize).unwrap_or(0.0);
                self.coins.chosen.push((ply, arm, mean));
                arm == ALPHA_BETA
            }
        }
    }

    /// Whether a move here has been proven lost, that of others not.
    pub(super) fn has_trap(&self, node: Id) -> bool {
        let mut tried = self.tree.tried(node);
        tried.any(|child| self.tree.bounds(child).outcome().and_then(Outcome::winner).is_some())
    }

    /// At a node that a Monte Carlo rollout has just come to: goes on as alpha-beta's if it is one's
    /// turn, and then returns the reward.
    #[inline]
    pub(super) fn turn(
        &mut self,
        config: &AlphaBeta,
        node: Id,
        parent: Id,
        position: &G,
    ) -> Option<f64> {
        if self.tree.rows[node as usize].finished() || !self.turns(config, node, parent) {
            return None;
        }
        self.alpha_beta_rollout(config, node, position)
    }

    /// The rollout has this reward.
    pub(super) fn pay_coins(&mut self, reward: f64) {
        if !self.coins.chosen.is_empty() {
            self.coins.pay(reward);
        }
    }

    /// One alpha-beta rollout from `node`, to the depth that is its turn there. Returns the value of
    /// the leaf as a reward; `None` if there is no room for it.
    fn alpha_beta_rollout(&mut self, config: &AlphaBeta, node: Id, position: &G) -> Option<f64> {
        let at = node as usize;
        let depth = self.tree.side.intervals.depth(at);
        let known = self.tree.side.intervals.at(at, depth);
        let value = if known.is_exact() {
            // Searches from above have been through here and have completed this depth.
            known.lo
        } else {
            let value = self.prove(config, node, position, depth, known);
            self.coins.is_full |= value.is_none();
            value?
        };
        if config.count == CountNodes::Rollouts {
            self.work.nodes += 1;
        }
        let reward = self.informed.reward(value);
        let found = self.tree.side.intervals.at(at, depth);
        if found.is_exact() {
            self.complete(config, node, position.to_move(), depth, found.lo, reward);
        }
        Some(reward)
    }

    /// Rollout alpha-beta (Huang 2015) with a horizon: to the first of the k best moves that can
    /// still matter. Returns the value of the leaf in the first player's view, and brings the
    /// intervals on the way up to date.
    fn prove(
        &mut self,
        config: &AlphaBeta,
        node: Id,
        position: &G,
        depth: u32,
        window: Bounds,
    ) -> Option<i64> {
        let at = node as usize;
        if !self.tree.side.intervals.has_block(at) {
            if !self.tree.side.intervals.add_block(at) {
                return None;
            }
            self.work.nodes += u64::from(config.count == CountNodes::Positions);
        }
        if self.tree.side.intervals.touch(at, depth) {
            self.work.nodes += u64::from(config.count == CountNodes::Intervals);
            if let Some(outcome) = position.outcome() {
                self.tree.side.intervals.set(at, depth, Bounds::exactly(outcome.value() * WIN));
            }
        }
        let known = self.tree.side.intervals.at(at, depth);
        if known.is_exact() {
            return Some(known.lo);
        }
        if depth == 0 {
            let value = self.informed.search.evaluate(position);
            self.count_work();
            self.tree.side.intervals.set(at, 0, Bounds::exactly(value));
            return Some(value);
        }
        if self.tree.side.intervals.width(at) == 0 && !self.order_children(config, node, position) {
            return None;
        }
        let mover = position.to_move();
        // Searches from below may have changed what is known of the children.
        let known = self.follows_from_children(node, depth, mover);
        let value = match self.first_feasible(node, depth, known.and(window)) {
            Some((child, window)) => {
                let mut next = position.clone();
                next.play(self.tree.moves[child as usize]);
                self.work.transitions += 1;
                self.prove(config, child, &next, depth - 1, window)?
            }
            None if known.lo >= window.hi => known.lo,
            None => known.hi,
        };
        let known = self.follows_from_children(node, depth, mover);
        self.tree.side.intervals.set(at, depth, known);
        Some(value)
    }

    /// The best child by rank that can still matter, and the window for it.
    fn first_feasible(&self, node: Id, depth: u32, window: Bounds) -> Option<(Id, Bounds)> {
        let (rank, window) = feasible(window, self.ranked_intervals(node, depth - 1)).next()?;
        let first = self.tree.rows[node as usize].first as usize;
        Some((self.tree.side.intervals.ranked(first, rank) as Id, window))
    }

    /// The intervals of a node's k best children, the best first.
    fn ranked_intervals(&self, node: Id, depth: u32) -> impl Iterator<Item = Bounds> {
        let intervals = &self.tree.side.intervals;
        let first = self.tree.rows[node as usize].first as usize;
        let ranks = 0..intervals.width(node as usize);
        ranks.map(move |rank| intervals.at(intervals.ranked(first, rank), depth))
    }

    /// The interval of a node at a depth that follows from those of its k best children.
    fn follows_from_children(&self, node: Id, depth: u32, mover: Side) -> Bounds {
        let children = self.ranked_intervals(node, depth - 1);
        children.reduce(|a, b| a.or(b, mover)).unwrap_or(ANY)
    }

    /// Gives a node its children, if it has none, and finds the k best, in the order in which
    /// depth-first alpha-beta looks at them; `false` if there is no room.
    fn order_children(&mut self, config: &AlphaBeta, node: Id, position: &G) -> bool {
        if self.tree.rows[node as usize].count == 0 && !self.expand(node, position) {
            return false;
        }
        let mut moves = std::mem::take(&mut self.buffer);
        moves.clear();
        position.moves(&mut moves);
        Rng::new(mix(self.coins.seed ^ position.key())).shuffle(&mut moves);
        sort_by_hint(position, &mut moves);
        moves.truncate(config.k.map_or(usize::MAX, |k| k.max(1) as usize));
        let children = self.tree.children(node);
        let (first, column) = (children.start, &self.tree.moves[children]);
        let place = |mv: &G::Move| column.iter().position(|it| it == mv).map(|i| first + i);
        self.tree.side.intervals.rank(node as usize, first, moves.iter().filter_map(place));
        self.buffer = moves;
        true
    }
}
