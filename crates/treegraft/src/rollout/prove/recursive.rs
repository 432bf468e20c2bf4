//! The recursions that rollouts are compared with, over the same tree: alpha-beta with two bounds
//! (Huang 2015), and the null windows of MTD(+∞) with one bound or both (Plaat et al. 1996).

use super::arena::{Id, ROOT};
use super::expand::Visit;
use super::{Method, Worker};
use crate::observe::{Observer, What};
use crate::{Bounds, Game, Side, Stop};

impl<G: Game, O: Observer<G::Move>> Worker<'_, '_, G, O> {
    /// One pass with the full window, or passes with null windows from above, until the root's
    /// bounds meet or the search has to stop.
    pub(super) fn recurse(&mut self) {
        let (root, mover) = (self.root, self.root.to_move());
        while !self.arena.bounds(ROOT).is_exact() && !self.must_stop() {
            let known = self.arena.bounds(ROOT);
            // From above: beginning with the most that the side to move at the root may hope for.
            let from_above = match mover {
                Side::First => Bounds { lo: known.hi - 1, hi: known.hi },
                Side::Second => Bounds { lo: known.lo, hi: known.lo + 1 },
            };
            let window = match self.shared.config.method {
                Method::Mtd | Method::MtSss => from_above,
                Method::AlphaBeta2
                | Method::AlphaBeta
                | Method::Sss
                | Method::Random
                | Method::Fsss => known,
            };
            self.see(|it| What::Pass { window: it.reading().worth(window) });
            if self.shared.config.method == Method::Mtd {
                self.one_bound(ROOT, root, 0, window);
            } else {
                self.two_bounds(ROOT, root, 0, window);
            }
            self.work.iterations += 1;
        }
        // After a stop, the root's bounds may lag behind those of its children.
        self.back_up(ROOT, mover);
    }

    /// Alpha-beta that stores both bounds, and enters only children that its window leaves open.
    fn two_bounds(&mut self, node: Id, position: &G, ply: usize, mut window: Bounds) {
        if self.must_stop() {
            return;
        }
        self.see_enter(ply, window);
        if matches!(self.visit(node, position, ply), Visit::Leaf | Visit::NoRoom) {
            return;
        }
        let mover = position.to_move();
        for child in self.arena.children(node) {
            let inner = window.and(self.arena.bounds(child));
            if inner.lo < inner.hi {
                let next = self.enter(node, child, position);
                self.two_bounds(child, &next, ply + 1, inner);
                self.leave(node, child);
            } else {
                self.see_closed(std::iter::once(child));
            }
            if self.stop.is_some() {
                break;
            }
            let known = self.arena.bounds(child);
            match mover {
                Side::First => window.lo = window.lo.max(known.lo),
                Side::Second => window.hi = window.hi.min(known.hi),
            }
        }
        self.back_up(node, mover);
        self.see_exit(node);
    }

    /// Alpha-beta with memory and a null window; every call stores the bound that it has found.
    /// Returns that bound, which is meaningless once the search is stopped.
    fn one_bound(&mut self, node: Id, position: &G, ply: usize, window: Bounds) -> i64 {
        let settled = |known: Bounds| {
            let from_below = (known.hi <= window.lo).then_some(known.hi);
            if known.lo >= window.hi { Some(known.lo) } else { from_below }
        };
        if let Some(value) = settled(self.arena.bounds(node)) {
            self.see(|it| What::Table { bounds: it.worth_of(node), is_enough: true });
            return value;
        }
        if self.must_stop() {
            return 0;
        }
        self.see_enter(ply, window);
        match self.visit(node, position, ply) {
            Visit::Leaf => return self.arena.bounds(node).lo,
            Visit::NoRoom => return 0,
            Visit::Inner => {}
            Visit::News => {
                if let Some(value) = settled(self.arena.bounds(node)) {
                    self.see_exit(node);
                    return value;
                }
            }
        }
        let mover = position.to_move();
        let mut best = match mover {
            Side::First => i64::MIN,
            Side::Second => i64::MAX,
        };
        for child in self.arena.children(node) {
            let next = self.enter(node, child, position);
            let value = self.one_bound(child, &next, ply + 1, window);
            self.leave(node, child);
            if self.stop.is_some() {
                return 0;
            }
            let is_cutoff = match mover {
                Side::First => {
                    best = best.max(value);
                    best >= window.hi
                }
                Side::Second => {
                    best = best.min(value);
                    best <= window.lo
                }
            };
            if is_cutoff {
                self.see_closed(child + 1..self.arena.children(node).end);
                break;
            }
        }
        let found = if best >= window.hi {
            Bounds { lo: best, hi: i64::MAX }
        } else {
            Bounds { lo: i64::MIN, hi: best }
        };
        self.arena.set_bounds(node, self.arena.bounds(node).and(found));
        self.see_exit(node);
        best
    }

    /// The position after the move to a child.
    #[inline(always)]
    fn enter(&mut self, node: Id, child: Id, position: &G) -> G {
        if node == ROOT {
            self.root_move = (child - self.arena.children(ROOT).start) as usize;
        }
        self.work.transitions += 1;
        self.observer.down(self.arena.mv(child));
        let mut next = position.clone();
        next.play(self.arena.mv(child));
        next
    }

    /// Back from a child: if it is unproven, so is this node; and the root's move may be decided.
    #[inline(always)]
    fn leave(&mut self, node: Id, child: Id) {
        self.observer.up();
        if self.arena.is_unproven(child) {
            self.arena.set_unproven(node);
        }
        if node == ROOT && self.shared.config.decide && self.stop.is_none() && self.is_decided() {
            self.stop = Some(Stop::Done);
        }
    }
}
