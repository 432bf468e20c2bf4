//! What an observer sees. Nothing here is compiled into a search without an observer.

use super::arena::{Id, ROOT};
use super::{Policy, Worker};
use crate::observe::{By, Cut, LeafEnd, Observer, What};
use crate::{Bounds, Game};

/// All of these are empty for [`Unobserved`](crate::observe::Unobserved).
impl<G: Game, O: Observer<G::Move>> Worker<'_, '_, G, O> {
    /// Something happens where the search is.
    #[inline(always)]
    pub(super) fn see(&mut self, what: impl FnOnce(&Self) -> What<G::Move>) {
        if O::IS_ON {
            let what = what(self);
            self.observer.see(|| what);
        }
    }

    #[inline(always)]
    pub(super) fn see_iteration(&mut self) {
        if O::IS_ON {
            self.observer.forget_marks();
            self.observer.go_to(Vec::new());
            self.observer.see(|| What::Deepen { depth: self.depth });
        }
    }

    /// The recursion comes to a node that is still open.
    #[inline(always)]
    pub(super) fn see_enter(&mut self, ply: usize, window: Bounds) {
        self.see(|it| {
            let (window, depth) = (it.reading().worth(window), it.depth - ply as u32);
            What::Enter { window, depth }
        });
    }

    #[inline(always)]
    pub(super) fn see_exit(&mut self, node: Id) {
        if self.stop.is_none() {
            self.see(|it| What::Exit { bounds: it.worth_of(node) });
        }
    }

    /// A rollout begins at the end of the path.
    #[inline(always)]
    pub(super) fn see_rollout(&mut self) {
        if O::IS_ON {
            self.observer.go_to(self.moves_to(self.path.len() - 1));
            self.observer.see(|| What::Rollout { number: self.work.iterations + 1 });
        }
    }

    /// A rollout goes on to this child of the last node on the path.
    #[inline(always)]
    pub(super) fn see_select(&mut self, child: Id, window: Bounds) {
        if O::IS_ON {
            let is_doubled = self.policy == Policy::Fsss;
            let (mv, by) = (self.arena.mv(child), By::Window { window, is_doubled });
            self.observer.see(|| What::Select { mv, by });
            self.observer.down(mv);
        }
    }

    #[inline(always)]
    pub(super) fn see_leaf(&mut self, position: &G, value: i64) {
        if O::IS_ON {
            let is_over = position.outcome().is_some();
            let end = if is_over { LeafEnd::Finished } else { LeafEnd::Horizon };
            self.observer.see(|| What::Leaf { end, value });
        }
    }

    /// A node gets the children whose moves are in the buffer; all others are left out.
    #[inline(always)]
    pub(super) fn see_expand(&mut self, position: &G) {
        if O::IS_ON {
            let moves = self.buffer.clone();
            let mut others = Vec::new();
            position.moves(&mut others);
            others.retain(|mv| !moves.contains(mv));
            self.observer.see(|| What::Expand { moves });
            if !others.is_empty() {
                self.observer.see(|| What::Cut { why: Cut::Width, moves: others });
            }
        }
    }

    /// The bounds of a node have changed: of this one on the path of a rollout, or of the one where
    /// the recursion is.
    #[inline(always)]
    pub(super) fn see_narrow(&mut self, node: Id, place: Option<usize>) {
        if O::IS_ON {
            let what = What::Narrow { bounds: self.worth_of(node), depth: None };
            match place {
                Some(place) => self.observer.see_at(self.moves_to(place), what),
                None => self.observer.see(|| what),
            }
        }
    }

    /// The recursion does not enter these children, whose window is closed.
    #[inline(always)]
    pub(super) fn see_closed(&mut self, children: impl Iterator<Item = Id>) {
        if O::IS_ON {
            let open = children.filter(|&child| !self.arena.bounds(child).is_exact());
            let moves: Vec<G::Move> = open.map(|child| self.arena.mv(child)).collect();
            if !moves.is_empty() {
                self.observer.see(|| What::Cut { why: Cut::Window, moves });
            }
        }
    }

    /// After a rollout: what no rollout will enter any more, because the bounds of the nodes above
    /// leave nothing to distinguish there.
    #[inline(always)]
    pub(super) fn see_cuts(&mut self) {
        if O::IS_ON {
            self.see_cuts_below(ROOT, self.arena.bounds(ROOT), &mut Vec::new());
        }
    }

    fn see_cuts_below(&mut self, node: Id, window: Bounds, path: &mut Vec<G::Move>) {
        let mut cut = Vec::new();
        for child in self.arena.children(node) {
            let (known, mv) = (self.arena.bounds(child), self.arena.mv(child));
            let inner = window.and(known);
            if !self.arena.children(child).is_empty() {
                path.push(mv);
                self.see_cuts_below(child, inner, path);
                path.pop();
            } else if !known.is_exact()
                && inner.lo >= inner.hi
                && self.observer.mark(child as usize)
            {
                cut.push(mv);
            }
        }
        if !cut.is_empty() {
            self.observer.see_at(path.clone(), What::Cut { why: Cut::Window, moves: cut });
        }
    }

    /// The bounds of a node as values.
    pub(super) fn worth_of(&self, node: Id) -> Bounds {
        self.reading().worth(self.arena.bounds(node))
    }

    /// The moves to a place on the path.
    fn moves_to(&self, place: usize) -> Vec<G::Move> {
        self.path[1..=place].iter().map(|step| self.arena.mv(step.node)).collect()
    }
}
