//! MCTS-αβ: alpha-beta rollouts among those of Monte Carlo (Baier 2018).

mod bonus;
mod config;
mod intervals;
mod regime;
#[cfg(test)]
mod tests;

use super::prove::select::feasible;
use super::tree::{Id, NEVER_VISITED, ROOT};
use super::{Config, Leaf, Step, Worker};
use crate::bits::mix;
use crate::depth_first::WIN;
use crate::observe::{By, LeafEnd, Observer, What};
use crate::report::fold;
use crate::weights::sort_by_weight_or_hint;
use crate::{Bounds, Game, Rng, Side, Speed};
pub(super) use bonus::Bonus;
pub use config::{AlphaBeta, BonusScore, CountNodes, RegimeRule, RootBonus};
pub(super) use intervals::{ANY, Intervals};
pub(super) use regime::{Coins, Regime};

/// How many intervals per node alpha-beta rollouts need: one for each depth.
pub(super) fn depths(config: &Config) -> u32 {
    config.alpha_beta.map_or(0, |it| it.l + 1)
}

impl<G: Game, O: Observer<G::Move>> Worker<'_, G, O> {
    /// A rollout that is alpha-beta's from the root on; `false` if there is no room for it.
    pub(super) fn prove_from_root(&mut self) -> bool {
        let Some(config) = self.shared.config.alpha_beta else { return false };
        let Some(reward) = self.alpha_beta_rollout(&config, ROOT, &self.root.clone()) else {
            return false;
        };
        self.work.iterations += 1;
        self.digest = fold(self.digest, reward.to_bits());
        self.coins.pay(reward);
        true
    }

    /// Whether rollouts may be alpha-beta's at all.
    #[inline(always)]
    pub(super) fn has_alpha_beta(&self) -> bool {
        self.tree.side.intervals.is_present()
    }

    /// At a child that was tried before: the rollout may go on as alpha-beta's, or be the first to
    /// sample where alpha-beta alone has been. `None` if it goes on sampling.
    #[inline]
    pub(super) fn arrive(&mut self, child: Id, parent: Id, position: &G) -> Option<Leaf> {
        if self.regime(child, parent) == Regime::Prove
            && let Some(leaf) = self.prove_from(child, position)
        {
            return Some(leaf);
        }
        if self.tree.side.intervals.in_tree(child as usize) {
            return None;
        }
        self.tree.side.intervals.enter_tree(child as usize);
        Some(self.new_leaf(child, position))
    }

    /// Goes on as alpha-beta's from a node that sampling has just reached, a child of the last one
    /// on the path; `None` if there is no room for it.
    pub(super) fn prove_from(&mut self, node: Id, position: &G) -> Option<Leaf> {
        let config = self.shared.config.alpha_beta?;
        let reward = self.alpha_beta_rollout(&config, node, position)?;
        if config.update_next {
            self.path.push(Step { node, mover: position.to_move() });
        }
        // The child's visits change, and it need not be a leaf.
        if let Some(last) = self.path.last() {
            self.tree.rows[last.node as usize].forget_selected();
        }
        Some(Leaf::Valued { reward, is_backed_up: config.values })
    }

    /// At a child that is tried now, the rollout may go on as alpha-beta's. `None` if the child is
    /// a leaf like any other.
    pub(super) fn try_proving(&mut self, child: Id, parent: Id, position: &G) -> Option<Leaf> {
        let config = self.shared.config.alpha_beta?;
        self.finish_draw();
        self.tree.hot[child as usize] = NEVER_VISITED;
        let leaf = match position.outcome() {
            None if self.regime(child, parent) == Regime::Prove => self.prove_from(child, position),
            _ => None,
        };
        if leaf.is_none() {
            self.tree.side.intervals.enter_tree(child as usize);
        } else if !(config.update_next && config.values) {
            // It stays untried like its siblings, and any of them may be next.
            self.tree.rows[parent as usize].tried -= 1;
            self.tree.draw(parent, &mut self.rng);
        }
        leaf
    }

    /// One alpha-beta rollout from `node`, to the node's current depth. Returns the value of the
    /// leaf as a reward; `None` if there is no room for it.
    fn alpha_beta_rollout(&mut self, config: &AlphaBeta, node: Id, position: &G) -> Option<f64> {
        let at = node as usize;
        let depth = self.tree.side.intervals.depth(at);
        let known = self.tree.side.intervals.at(at, depth);
        self.see_at_node(node);
        self.observer.see(|| What::AlphaBeta { depth, bounds: known });
        let value = if known.is_exact() {
            // Rollouts from nodes above have completed this depth.
            known.lo
        } else {
            let value = self.prove(config, node, position, depth, known);
            self.coins.is_full |= value.is_none();
            value?
        };
        if config.count == CountNodes::Rollouts {
            self.work.nodes += 1;
        }
        let reward = self.shared.reward(value);
        let found = self.tree.side.intervals.at(at, depth);
        if found.is_exact() {
            self.complete(config, node, position.to_move(), depth, found.lo, reward);
        }
        Some(reward)
    }

    /// Rollout alpha-beta (Huang 2015) with a horizon: to the first of the k best moves that can
    /// still matter. Returns the value of the leaf in the first player's view, and updates the
    /// intervals on the path.
    fn prove(
        &mut self,
        config: &AlphaBeta,
        node: Id,
        position: &G,
        depth: u32,
        window: Bounds,
    ) -> Option<i64> {
        let at = node as usize;
        if self.tree.side.intervals.block(at).is_none() {
            if !self.tree.side.intervals.add_block(at) {
                return None;
            }
            self.work.nodes += u64::from(config.count == CountNodes::Positions);
        }
        if self.tree.side.intervals.touch(at, depth) {
            self.work.nodes += u64::from(config.count == CountNodes::Intervals);
            if let Some(outcome) = position.outcome() {
                let value = outcome.value() * WIN;
                self.tree.side.intervals.set(at, depth, Bounds::exactly(value));
                self.observer.see(|| What::Leaf { end: LeafEnd::Finished, value });
                return Some(value);
            }
        }
        let known = self.tree.side.intervals.at(at, depth);
        if known.is_exact() {
            self.observer.see(|| What::Table { bounds: known, is_enough: true });
            return Some(known.lo);
        }
        if depth == 0 {
            let value = self.informed.own().evaluate(position);
            self.count_work();
            self.tree.side.intervals.set(at, 0, Bounds::exactly(value));
            self.observer.see(|| What::Leaf { end: LeafEnd::Horizon, value });
            return Some(value);
        }
        let is_ordered = self.tree.side.intervals.width(at) > 0 && !config.redraw_ties;
        if !is_ordered && !self.order_children(config, node, position) {
            return None;
        }
        let mover = position.to_move();
        // Rollouts from nodes below may have changed what is known of the children.
        let known = self.follows_from_children(node, depth, mover);
        let value = match self.first_feasible(node, depth, known.and(window)) {
            Some((child, window)) => {
                let (mut next, mv) = (position.clone(), self.tree.moves[child as usize]);
                next.play(mv);
                self.work.transitions += 1;
                let by = By::Window { window, is_doubled: false };
                self.observer.see(|| What::Select { mv, by });
                self.observer.down(mv);
                let value = self.prove(config, child, &next, depth - 1, window)?;
                self.observer.up();
                value
            }
            None if known.lo >= window.hi => known.lo,
            None => known.hi,
        };
        let before = self.tree.side.intervals.at(at, depth);
        let known = self.follows_from_children(node, depth, mover);
        self.tree.side.intervals.set(at, depth, known);
        if known != before {
            self.observer.see(|| What::Narrow { bounds: known, depth: Some(depth) });
        }
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

    /// The interval of a node at a depth, as it follows from those of its k best children.
    fn follows_from_children(&self, node: Id, depth: u32, mover: Side) -> Bounds {
        let children = self.ranked_intervals(node, depth - 1);
        children.reduce(|a, b| a.or(b, mover)).unwrap_or(ANY)
    }

    /// Gives a node its children, if it has none, and ranks the k best in the order of depth-first
    /// alpha-beta; `false` if there is no room.
    fn order_children(&mut self, config: &AlphaBeta, node: Id, position: &G) -> bool {
        if self.tree.rows[node as usize].count == 0 && !self.expand(node, position) {
            return false;
        }
        let mut moves = std::mem::take(&mut self.buffer);
        moves.clear();
        position.moves(&mut moves);
        self.alarm.expect(moves.len());
        let visit = if config.redraw_ties { mix(self.work.transitions) } else { 0 };
        Rng::new(mix(self.coins.seed ^ position.speed().key() ^ visit)).shuffle(&mut moves);
        sort_by_weight_or_hint(position, None, &mut moves);
        moves.truncate(config.k.map_or(usize::MAX, |k| k as usize));
        let children = self.tree.children(node);
        let (first, column) = (children.start, &self.tree.moves[children]);
        let place = |mv: &G::Move| column.iter().position(|it| it == mv).map(|i| first + i);
        self.tree.side.intervals.rank(node as usize, first, moves.iter().filter_map(place));
        self.buffer = moves;
        true
    }
}
