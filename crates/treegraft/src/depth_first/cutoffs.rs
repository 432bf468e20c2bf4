//! Cutoffs by what is known of the moves before any of them is searched in full: from the table, or from
//! shallower searches.

use super::Worker;
use super::search::{NO_SLOT, Question, search};
use super::table::PROVEN;
use super::window::{INFINITY, Window};
use crate::observe::Observer;
use crate::{Game, Speed};

/// Multi-cut (Björnsson & Marsland 2001): a cutoff if three of the first ten moves cause one in a
/// search that is two plies shallower. The numbers are those of Winands' MIA.
const MULTI_CUT_MOVES: usize = 10;
const MULTI_CUT_CUTS: u32 = 3;
pub(super) const MULTI_CUT_REDUCTION: u32 = 2;

impl<G: Game, O: Observer<G::Move>> Worker<'_, '_, G, O> {
    /// The table's bounds on a move's value at a depth, in the view of the side to move, and their
    /// depth.
    #[inline(always)]
    pub(super) fn look_up_child(
        &self,
        position: &G,
        mv: G::Move,
        depth: u32,
    ) -> Option<(Window, u32)> {
        let mut child = position.clone();
        child.play(mv);
        let entry = self.table.as_ref()?.probe(child.speed().key())?;
        entry.serves(depth).then(|| (entry.bounds.seen(position.to_move().sign()), entry.depth))
    }

    /// Enhanced transposition cutoffs (Plaat et al. 1996).
    #[inline(always)]
    pub(super) fn known_child(
        &mut self,
        sign: i64,
        base: usize,
        depth: u32,
        beta: i64,
    ) -> Option<Window> {
        let table = self.table.as_ref()?;
        for at in base..self.stack.len() {
            if let Some(entry) = table.probe(self.stack[at].child_key)
                && entry.serves(depth - 1)
                && entry.bounds.seen(sign).lo >= beta
            {
                if entry.depth != PROVEN {
                    self.unproven += 1;
                }
                return Some(Window { lo: entry.bounds.seen(sign).lo, hi: INFINITY });
            }
        }
        None
    }

    /// An upper bound on the values of all children, after a cutoff: `highest` of those visited, and the
    /// table's bounds on the others.
    pub(super) fn highest_of_rest(
        &mut self,
        position: &G,
        from: usize,
        end: usize,
        depth: u32,
        mut highest: i64,
    ) -> i64 {
        for at in from..end {
            self.work.transitions += 1;
            let Some((bounds, stored_depth)) =
                self.look_up_child(position, self.stack[at].mv, depth - 1)
            else {
                return INFINITY;
            };
            if stored_depth != PROVEN {
                self.unproven += 1;
            }
            highest = highest.max(bounds.hi);
        }
        highest
    }

    /// The best value of the moves that cut off, if there are enough of them.
    pub(super) fn multi_cut(
        &mut self,
        position: &G,
        base: usize,
        asked: Question,
        beta: i64,
    ) -> Option<i64> {
        let mover = position.to_move();
        let (mut cuts, mut highest) = (0, beta);
        for at in base..self.stack.len().min(base + MULTI_CUT_MOVES) {
            let mut child = position.clone();
            child.play(self.stack[at].mv);
            self.work.transitions += 1;
            let turn = mover.sign() * child.to_move().sign();
            let question = Question {
                ply: asked.ply + 1,
                depth: asked.depth - 1 - MULTI_CUT_REDUCTION,
                window: Window::test(beta).seen(turn),
                may_pass: true,
                last: NO_SLOT,
            };
            self.observer.down(self.stack[at].mv);
            let answer = search(self, &child, question).seen(turn);
            self.observer.up();
            if self.stop.is_some() {
                self.stack.truncate(base);
                return None;
            }
            highest = highest.max(answer.lo);
            cuts += u32::from(answer.lo >= beta);
            if cuts == MULTI_CUT_CUTS {
                return Some(highest);
            }
        }
        None
    }
}
