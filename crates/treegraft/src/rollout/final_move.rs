//! The final move: which of the root's moves the search answers with.

use super::tree::{Id, ROOT};
use super::{FinalMove, RolloutSearch};
use crate::{Game, Outcome, Side};

impl<G: Game> RolloutSearch<'_, G> {
    /// A proven win before everything else, then what is not proven lost, then the rule of
    /// [`FinalMove`]; among equals the one that was tried first.
    pub(super) fn final_move(&self, node: Id, mover: Side) -> Option<usize> {
        let rank = |child: usize| {
            let row = &self.tree.rows[child];
            let winner = self.tree.bounds(child).outcome().and_then(Outcome::winner);
            let n = f64::from(row.visits) + self.tree.bonus(child).abs();
            let mean = mover.sign() as f64 * self.mean(child).unwrap_or(-2.0);
            let score = match self.config.final_move {
                FinalMove::Visits => n,
                FinalMove::Value => mean,
                // Rewards from -1 to 1 are twice as far apart as those from 0 to 1.
                FinalMove::Secure => mean - 2.0 / n.max(1.0).sqrt(),
            };
            (winner == Some(mover), winner != Some(mover.other()), score)
        };
        let mut best: Option<(usize, (bool, bool, f64))> = None;
        for child in self.tree.tried(node) {
            let rank = rank(child);
            if best.is_none_or(|(_, so_far)| rank > so_far) {
                best = Some((child, rank));
            }
        }
        best = self.best_proven(node, mover).map(|child| (child, (true, true, 0.0))).or(best);
        best.map(|(child, _)| child).or_else(|| self.before_any_visit(node))
    }

    /// Before anything was tried or proven: alpha-beta's first move at the root, or any move.
    fn before_any_visit(&self, node: Id) -> Option<usize> {
        let intervals = &self.tree.side.intervals;
        let first = self.tree.tried(node).start;
        let is_ordered = intervals.is_present() && intervals.width(ROOT as usize) > 0;
        (node == ROOT).then(|| if is_ordered { intervals.ranked(first, 0) } else { first })
    }

    /// The most visited child that has the node's value, where that is proven.
    fn best_proven(&self, node: Id, mover: Side) -> Option<usize> {
        let bounds = self.tree.bounds(node as usize);
        let has_it = |child: &usize| match mover {
            Side::First => self.tree.bounds(*child).lo == bounds.hi,
            Side::Second => self.tree.bounds(*child).hi == bounds.lo,
        };
        let exact = bounds.is_exact();
        let with_it = self.tree.tried(node).filter(|child| exact && has_it(child));
        with_it.rev().max_by_key(|&child| self.tree.rows[child].visits)
    }
}
