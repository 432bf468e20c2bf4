//! Back-up: rewards and proofs, from the leaf to the root.

use super::tree::Id;
use super::{Run, Step};
use crate::{Game, Side};

impl<G: Game> Run<'_, G> {
    /// Adds the reward (first player's view) to every node on the way, and carries a new proof at
    /// the leaf as far up as it goes.
    ///
    /// A node whose child has just been proven lost for it, but which has others, gets the loss as
    /// an ordinary reward: that is what the simulation's reward is already.
    #[inline(always)]
    pub(super) fn back_up(&mut self, reward: f64, is_proven: bool) {
        if is_proven || self.bounds_changed {
            self.back_up_proof();
        }
        for i in 0..self.path.len() {
            self.tree.add_reward(self.path[i].node, reward);
        }
    }

    /// Carries new bounds upwards until a node's own do not change. They come from the leaf, or from
    /// the children of a node above it that was expanded on the way.
    fn back_up_proof(&mut self) {
        let mut go_on = std::mem::take(&mut self.bounds_changed);
        for i in (0..self.path.len() - 1).rev() {
            let child = self.path[i + 1].node as usize;
            let Step { node, mover } = self.path[i];
            let is_news = self.tree.bounds(child) != self.tree.no_bounds();
            let changed = is_news && self.set_bounds(node, mover);
            // At most one node is expanded in a simulation, and it is the leaf or its parent.
            if !changed && !go_on {
                break;
            }
            go_on = false;
        }
    }

    /// Brings a node's bounds up to date with those of its children, and takes children that can no
    /// longer matter out of the question. Returns whether the parent should look, too.
    pub(super) fn set_bounds(&mut self, node: Id, chooser: Side) -> bool {
        // Nothing is known of untried children, unless they have been looked at.
        let children = self.tree.known(node);
        let others = (children.end < self.tree.children(node).end).then(|| self.tree.no_bounds());
        let from_children = children
            .clone()
            .map(|child| self.tree.bounds(child))
            .chain(others)
            .reduce(|a, b| a.or(b, chooser))
            .unwrap_or(self.tree.no_bounds());
        let changed = from_children != self.tree.bounds(node as usize);
        self.tree.set_bounds(node as usize, from_children);
        for child in children.clone() {
            if self.tree.bounds(child).is_useless_to(chooser, from_children)
                && self.tree.hot[child].mean.is_finite()
            {
                self.retire(node, child, chooser);
            }
        }
        changed
    }

    /// Takes a child out of the question, tried or not.
    fn retire(&mut self, node: Id, child: usize, chooser: Side) {
        let tried = self.tree.tried(node);
        if child < tried.end {
            self.tree.exclude(child, chooser);
        } else {
            let family = self.tree.children(node).len();
            self.tree.try_child(tried.end, child, family);
            self.tree.exclude(tried.end, chooser);
            self.tree.rows[node as usize].tried += 1;
        }
    }
}
