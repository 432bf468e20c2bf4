//! The bonus of MCTS-αβ: virtual wins for the move that looks best whenever a depth is completed.

use crate::depth_first::WIN;
use crate::observe::{Observer, What};
use crate::rollout::tree::{Id, ROOT, Tree};
use crate::rollout::{AlphaBeta, BonusScore, RootBonus, Worker};
use crate::{Game, Side};

/// The best move of a position whose last leaf was lost still gets something: without the curve of
/// [`Informed::slope`](crate::rollout::Informed::slope), which never comes down to 0, it would get nothing.
const LEAST_SCORE: f64 = 1e-4;

/// More than is ever needed, and small enough to compute means with.
const MAX_BONUS: f64 = 1e30;

/// The bonuses at a node: virtual visits, a side table of the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::rollout) struct Bonus {
    /// What it holds itself, all won by the side whose sign it has.
    held: f64,
    /// What its children hold, without a sign.
    given: f64,
}

impl<M: Copy> Tree<M> {
    /// The bonus that a node holds: virtual visits, all won by the side whose sign it has.
    #[inline(always)]
    pub(in crate::rollout) fn bonus(&self, node: usize) -> f64 {
        if self.side.bonuses.is_present() { self.side.bonuses[node].held } else { 0.0 }
    }

    /// The virtual visits that the children of a node hold.
    #[inline(always)]
    pub(in crate::rollout) fn bonus_given(&self, node: usize) -> f64 {
        if self.side.bonuses.is_present() { self.side.bonuses[node].given } else { 0.0 }
    }

    /// Gives a child a bonus; that which it had before is taken back.
    pub(in crate::rollout) fn set_bonus(&mut self, node: usize, bonus: f64) {
        self.side.bonuses[node].held = bonus;
        // No weight falls with the depth in MCTS-αβ, which has no implicit values.
        self.refresh(node, 0);
    }

    fn set_bonus_given(&mut self, node: usize, given: f64) {
        self.side.bonuses[node].given = given;
    }
}

impl<G: Game, O: Observer<G::Move>> Worker<'_, G, O> {
    /// A depth is completed at a node: its best child gets the bonus, and the next one is deeper.
    pub(super) fn complete(
        &mut self,
        config: &AlphaBeta,
        node: Id,
        mover: Side,
        depth: u32,
        value: i64,
        reward: f64,
    ) {
        self.observer.see(|| What::Complete { depth, value });
        let is_lost = value == -mover.sign() * WIN;
        let is_bonus_due = node != ROOT
            || match config.root_rule() {
                _ if is_lost => false, // What looked best a ply earlier loses latest.
                RootBonus::Never => false,
                RootBonus::AtPZero | RootBonus::Literal => config.p == 0.0,
                RootBonus::Always | RootBonus::Majority => {
                    config.p == 0.0 || depth >= config.root_from
                }
            };
        if is_bonus_due && config.w > 0.0 {
            let score = match config.score {
                BonusScore::LastLeaf => reward,
                BonusScore::Exact => self.shared.reward(value),
            };
            let score = ((1.0 + mover.sign() as f64 * score) / 2.0).max(LEAST_SCORE);
            let bonus = (0..depth).fold(score * config.w, |bonus, _| bonus * config.f);
            let bonus = bonus.min(MAX_BONUS);
            self.give_bonus(node, mover, depth, value, bonus);
        }
        if node == ROOT {
            self.alpha_beta_value = Some(value);
            if config.root_rule() == RootBonus::Literal && config.p > 0.0 {
                self.tree.side.intervals.set_depth(ROOT as usize, config.l + 1);
                return;
            }
        }
        // A won or lost game stays so however deep one looks.
        let next = if value.abs() >= WIN { config.l } else { depth };
        self.tree.side.intervals.set_depth(node as usize, next + 1);
    }

    /// Takes back the bonus that a node has given, and gives it to the first of the k best children
    /// that has the value found.
    fn give_bonus(&mut self, node: Id, mover: Side, depth: u32, value: i64, bonus: f64) {
        let children = self.tree.children(node);
        for child in children.clone() {
            if self.tree.bonus(child) != 0.0 {
                self.tree.set_bonus(child, 0.0);
            }
        }
        let intervals = &self.tree.side.intervals;
        let best = (0..intervals.width(node as usize))
            .map(|rank| intervals.ranked(children.start, rank))
            .find(|&child| match mover {
                Side::First => intervals.at(child, depth - 1).lo == value,
                Side::Second => intervals.at(child, depth - 1).hi == value,
            });
        self.tree.set_bonus_given(node as usize, 0.0);
        self.tree.rows[node as usize].forget_selected();
        let Some(best) = best.filter(|_| bonus > 0.0) else { return };
        let best = self.tree.admit(node, best, &mut self.rng);
        self.tree.set_bonus(best, mover.sign() as f64 * bonus);
        self.tree.set_bonus_given(node as usize, bonus);
        let mv = self.tree.moves[best];
        self.observer.see(|| What::Bonus { mv, visits: bonus, winner: mover });
        #[cfg(test)]
        self.coins.log.push((self.tree.side.intervals.block(node as usize), best, depth, bonus));
    }
}
