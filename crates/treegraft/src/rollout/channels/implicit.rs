//! Implicit minimax backups: a second value of every node, from evaluations (Lanctot, Winands, Pepels
//! & Sturtevant 2014).
//!
//! A node is worth its evaluation until it has children in the tree, and then the best of their
//! values for the side to move. The values meet the mean rewards in one place,
//! [`Tree::refresh`](super::tree::Tree::refresh), and nowhere but in selection: they prove nothing,
//! and neither rewards nor the final move know them.

#[cfg(test)]
mod tests;

use super::tree::Id;
use super::{Expand, Mixture, NO_NEWS, Step, Worker};
use crate::observe::Observer;
use crate::{Game, Outcome, Side};

impl<G: Game, O: Observer<G::Move>> Worker<'_, G, O> {
    /// Evaluates a new node of the tree. A finished game is worth its outcome.
    #[inline]
    pub(super) fn set_implicit(&mut self, node: usize, position: &G, outcome: Option<Outcome>) {
        let value = match outcome {
            Some(outcome) => outcome.value() as f64,
            None => {
                let value = self.informed.own().evaluate(position);
                self.count_work();
                self.shared.reward(value)
            }
        };
        self.tree.side.implicit[node] = value as f32;
        self.see_implicit(node);
    }

    /// Evaluates the last node on the path, unless it was evaluated together with its siblings.
    #[inline(always)]
    pub(super) fn value_leaf(&mut self, position: &G, outcome: Option<Outcome>) {
        if self.tree.side.implicit.is_present() && self.shared.config.expand == Expand::One {
            let place = self.path.len() - 1;
            self.set_implicit(self.path[place].node as usize, position, outcome);
            if self.backs_up_implicit() {
                self.implicit_news = place;
            }
        }
    }

    /// The children of a node, which is the last one on the path or the root before any simulation,
    /// have just been evaluated.
    pub(super) fn value_parent(&mut self, node: Id, mover: Side) {
        if self.backs_up_implicit() {
            self.tree.side.implicit[node as usize] = self.best_implicit(node, mover);
            self.see_implicit(node as usize);
            if let Some(place) = self.path.len().checked_sub(1) {
                self.implicit_news = self.implicit_news.min(place);
            }
        }
    }

    /// Carries a new value up the path, until one of the nodes does not change.
    #[inline(never)]
    pub(super) fn back_up_implicit(&mut self) {
        let news = std::mem::replace(&mut self.implicit_news, NO_NEWS);
        for place in (0..news).rev() {
            let Step { node, mover } = self.path[place];
            let value = self.best_implicit(node, mover);
            let old = std::mem::replace(&mut self.tree.side.implicit[node as usize], value);
            if old == value {
                return;
            }
            self.see_implicit(node as usize);
        }
    }

    /// Not the constant bias: it is the evaluation of the node itself.
    fn backs_up_implicit(&self) -> bool {
        self.shared.config.implicit.is_some_and(|implicit| implicit.mixture != Mixture::Constant)
    }

    /// The best value among the children that have one, in the first player's view.
    fn best_implicit(&self, node: Id, mover: Side) -> f32 {
        // What has no value is not a number, which loses every comparison.
        let values = self.tree.side.implicit[self.tree.known(node)].iter().copied();
        match mover {
            Side::First => values.reduce(f32::max),
            Side::Second => values.reduce(f32::min),
        }
        .unwrap_or(super::tree::NO_VALUE)
    }
}
