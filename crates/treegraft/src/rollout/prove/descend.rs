//! Rollouts: down to a leaf that matters, and back up.

use super::arena::ROOT;
use super::expand::Visit;
use super::select::{Policy, select};
use super::{Step, Worker};
use crate::observe::Observer;
use crate::{Bounds, Game, Stop};

impl<G: Game, O: Observer<G::Move>> Worker<'_, '_, G, O> {
    /// One rollout after another, until the root's bounds meet or the search has to stop.
    pub(super) fn roll_out(&mut self) {
        while !self.arena.bounds(ROOT).is_exact() && !self.must_stop() {
            self.see_rollout();
            self.descend();
            if self.alarm.has_rung() {
                // Perhaps before the leaf. What was expanded on the way stays: it claims nothing.
                continue;
            }
            self.work.iterations += 1;
            let unchanged = self.back_up_path();
            self.see_cuts();
            // A rollout that did not change the root's children has decided nothing.
            if self.shared.config.decide && unchanged == 0 && self.is_decided() {
                self.stop = Some(Stop::Done);
            }
            let keeps = self.shared.config.restart && self.policy != Policy::Random;
            self.path.truncate(if keeps { unchanged + 1 } else { 1 });
        }
    }

    /// From the last node of the path to a leaf, to a node whose children bring news, or until the
    /// alarm rings.
    #[inline(always)]
    fn descend(&mut self) {
        if let [root] = &mut self.path[..] {
            // FSSS begins with an open window, and narrows it on the way down.
            let known = self.arena.bounds(ROOT);
            root.window = if self.policy == Policy::Fsss { Bounds::MARGIN } else { known };
        }
        loop {
            let ply = self.path.len() - 1;
            // Taken out for a moment, because a visit borrows the rest.
            let path = std::mem::take(&mut self.path);
            let &Step { node, mover, window, ref position } = &path[ply];
            let visit = self.visit(node, position, ply);
            self.path = path;
            if self.arena.is_unproven(node) {
                self.spread_doubt();
            }
            if visit != Visit::Inner || self.alarm.has_rung() {
                return;
            }
            let children = self.arena.children(node);
            let bounds = self.arena.all_bounds(&children).iter().copied();
            let selected = select(self.policy, mover, window, bounds, &mut self.rng);
            let (place, window) = selected.unwrap_or((0, Bounds::exactly(0)));
            let child = children.start + place as u32;
            let Bounds { lo, hi } = self.arena.bounds(child);
            debug_assert!(lo < hi && window.lo < window.hi, "a rollout never enters a closed node");
            if selected.is_none() || lo >= hi {
                // The game's bounds contradict each other; nothing can be proven any more.
                self.stop = Some(Stop::Done);
                return;
            }
            if node == ROOT {
                self.root_move = place;
            }
            self.see_select(child, window);
            let mut position = self.path[ply].position.clone();
            position.play(self.arena.mv(child));
            self.work.transitions += 1;
            let mover = position.to_move();
            self.path.push(Step { node: child, position, mover, window });
        }
    }

    /// If the end of the path is unproven, so are all nodes above it.
    #[inline(always)]
    fn spread_doubt(&mut self) {
        let above = self.path.len() - 1;
        for step in self.path[..above].iter().rev() {
            if self.arena.is_unproven(step.node) {
                return;
            }
            self.arena.set_unproven(step.node);
        }
    }
}
