//! The final move: which of the root's moves the search answers with.

use super::tree::{Id, ROOT};
use super::{FinalMove, Worker};
use crate::observe::Observer;
use crate::{Game, Outcome, Side};

impl<G: Game, O: Observer<G::Move>> Worker<'_, G, O> {
    /// A proven win before everything else, then what is not proven lost, then the rule of
    /// [`FinalMove`]; among equals the one with the better mean, then the one that was tried first.
    /// Where the node's value is proven, only children that have it count.
    pub(super) fn final_move(&self, node: Id, mover: Side) -> Option<usize> {
        let proven = self.tree.tried(node).filter(|&child| self.shows_proof(child, node, mover));
        self.best_of(proven, mover)
            .or_else(|| self.best_of(self.tree.tried(node), mover))
            .or_else(|| self.before_any_visit(node))
    }

    fn best_of(&self, children: impl Iterator<Item = usize>, mover: Side) -> Option<usize> {
        let rank = |child: usize| {
            let winner = self.tree.bounds(child).outcome().and_then(Outcome::winner);
            let n = f64::from(self.tree.rows[child].visits) + self.tree.bonus(child).abs();
            let mean = mover.sign() as f64 * self.tree.value(child).unwrap_or(-2.0);
            let score = match self.shared.config.final_move {
                FinalMove::Visits => n,
                FinalMove::Value => mean,
                // Rewards from -1 to 1 are twice as far apart as those from 0 to 1.
                FinalMove::Secure => mean - 2.0 / n.max(1.0).sqrt(),
            };
            (winner == Some(mover), winner != Some(mover.other()), score, mean)
        };
        let ranked = children.map(|child| (child, rank(child)));
        let best = ranked.reduce(|best, next| if next.1 > best.1 { next } else { best });
        best.map(|(child, _)| child)
    }

    /// Before anything was tried or proven: alpha-beta's first move at the root, or any move.
    fn before_any_visit(&self, node: Id) -> Option<usize> {
        let intervals = &self.tree.side.intervals;
        let first = self.tree.tried(node).start;
        let is_ordered = intervals.is_present() && intervals.width(ROOT as usize) > 0;
        (node == ROOT).then(|| if is_ordered { intervals.ranked(first, 0) } else { first })
    }

    /// Whether a node's value is proven, and this child has it.
    fn shows_proof(&self, child: usize, node: Id, mover: Side) -> bool {
        let bounds = self.tree.bounds(node as usize);
        let is_shown = match mover {
            Side::First => self.tree.bounds(child).lo == bounds.hi,
            Side::Second => self.tree.bounds(child).hi == bounds.lo,
        };
        bounds.is_exact() && is_shown
    }
}
