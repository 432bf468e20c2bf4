//! Backing up: a node's bounds from those of its children.

use super::Worker;
use super::arena::Id;
use crate::observe::Observer;
use crate::{Game, Side};

impl<G: Game, O: Observer<G::Move>> Worker<'_, '_, G, O> {
    /// Updates the bounds of a node, and returns whether they have changed.
    #[inline(always)]
    pub(super) fn back_up(&mut self, node: Id, mover: Side) -> bool {
        let children = self.arena.children(node);
        let [first, others @ ..] = self.arena.all_bounds(&children) else { return false };
        let of_children = others.iter().fold(*first, |all, &child| all.or(child, mover));
        let before = self.arena.bounds(node);
        // The game may know more about a node than about its children.
        let now = before.and(of_children);
        self.arena.set_bounds(node, now);
        now != before
    }

    /// Updates the bounds on the path, from the parent of its last node upwards. Returns the place
    /// of the deepest node whose bounds did not change, or the root's if all did.
    ///
    /// Above such a node nothing has changed, so the next rollout would reach it with the same
    /// window.
    #[inline(always)]
    pub(super) fn back_up_path(&mut self) -> usize {
        for place in (0..self.path.len() - 1).rev() {
            let (node, mover) = (self.path[place].node, self.path[place].mover);
            if !self.back_up(node, mover) {
                return place;
            }
            self.see_narrow(node, Some(place));
        }
        0
    }
}
