//! What an observer sees. Nothing here is compiled into a search without an observer.

use super::Worker;
use super::window::{INFINITY, Window};
use crate::observe::{Cut, LeafEnd, Observer, What};
use crate::{Bounds, Game, Side};

impl Window {
    /// The range as observers see it: in the first player's view, with the usual infinite ends. The
    /// other end of a null window there is next to infinity.
    pub(super) fn told(self, mover: Side) -> Bounds {
        let Window { lo, hi } = self.seen(mover.sign());
        let end = |end: i64| match end {
            end if end <= -INFINITY => i64::MIN,
            end if end >= INFINITY => i64::MAX,
            end if end == 1 - INFINITY => i64::MIN + 1,
            end if end == INFINITY - 1 => i64::MAX - 1,
            end => end,
        };
        Bounds { lo: end(lo), hi: end(hi) }
    }
}

/// All of these are empty for [`Unobserved`](crate::observe::Unobserved).
impl<G: Game, O: Observer<G::Move>> Worker<'_, '_, G, O> {
    /// At the end of a search for a quiet position, there may be bounds only.
    #[inline(always)]
    pub(super) fn see_leaf(&mut self, position: &G, end: LeafEnd, answer: Window) {
        if O::IS_ON && self.stop.is_none() {
            let bounds = answer.told(position.to_move());
            self.observer.see(|| match bounds.is_exact() {
                true => What::Leaf { end, value: bounds.lo },
                false => What::Exit { bounds },
            });
        }
    }

    /// The table has bounds; what is used of them is `known`, and leaves a window.
    #[inline(always)]
    pub(super) fn see_table(
        &mut self,
        position: &G,
        bounds: Window,
        known: Window,
        window: Window,
    ) {
        if O::IS_ON && known != Window::ALL {
            let bounds = bounds.told(position.to_move());
            self.observer.see(|| What::Table { bounds, is_enough: window.lo >= window.hi });
        }
    }

    #[inline(always)]
    pub(super) fn see_exit(&mut self, position: &G, answer: Window) {
        self.observer.see(|| What::Exit { bounds: answer.told(position.to_move()) });
    }

    /// The moves on the stack from `from` to `end` are not looked at.
    #[inline(always)]
    pub(super) fn see_cut(&mut self, why: Cut, from: usize, end: usize) {
        if O::IS_ON && from < end {
            let moves = self.stack[from..end].iter().map(|ranked| ranked.mv).collect();
            self.observer.see(|| What::Cut { why, moves });
        }
    }

    /// A null move was good enough, so that no move is looked at.
    #[inline(always)]
    pub(super) fn see_passed(&mut self, position: &G) {
        if O::IS_ON {
            let mut moves = Vec::new();
            position.moves(&mut moves);
            self.observer.see(|| What::Cut { why: Cut::NullMove, moves });
        }
    }

    /// The moves on the stack from `base` on are those that can matter at a glance.
    #[inline(always)]
    pub(super) fn see_candidates(&mut self, position: &G, ply: usize, base: usize) {
        if O::IS_ON && self.shared.config.glance && ply > 0 {
            let candidates = &self.stack[base..];
            let mut moves = Vec::new();
            position.moves(&mut moves);
            moves.retain(|mv| candidates.iter().all(|ranked| ranked.mv != *mv));
            if !moves.is_empty() {
                self.observer.see(|| What::Cut { why: Cut::Glance, moves });
            }
        }
    }

    /// The line of best play is completed: from its beginning, or after these moves.
    #[inline(always)]
    pub(super) fn see_line(&mut self, behind: Option<&[G::Move]>) {
        if O::IS_ON {
            match behind {
                None => self.observer.see_at(Vec::new(), What::Line),
                Some(line) => self.observer.go_to(line.to_vec()),
            }
        }
    }
}
