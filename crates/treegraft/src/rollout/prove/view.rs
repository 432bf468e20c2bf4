//! What a tree of bounds says in the terms of reports, and its top for people to look at.

use super::Config;
use super::arena::{Arena, Id, ROOT};
use crate::depth_first::{Scores, WIN};
use crate::{Bounds, EVAL_ONE, Game, MoveReport, Outcome, TreeNode};

/// A tree, read as its search means it.
pub(super) struct Reading<'a, M> {
    pub(super) arena: &'a Arena<M>,
    pub(super) config: &'a Config,
}

impl<M: Copy> Reading<'_, M> {
    /// Bounds of the tree as values.
    pub(super) fn worth(&self, bounds: Bounds) -> Bounds {
        let scale = self.config.scale();
        let value = |end: i64| if [i64::MIN, i64::MAX].contains(&end) { end } else { end / scale };
        Bounds { lo: value(bounds.lo), hi: value(bounds.hi) }
    }

    /// A value as reports have it, from -1 to 1.
    pub(super) fn shown(&self, value: i64) -> f64 {
        match self.config.scores {
            Scores::Outcome => (value as f64 / f64::from(EVAL_ONE)).clamp(-1.0, 1.0),
            Scores::Margin => value.signum() as f64,
        }
    }

    /// The value of these bounds if they meet, and otherwise the bounds, as reports have them.
    pub(super) fn known(&self, Bounds { lo, hi }: Bounds) -> (Option<f64>, [Option<f64>; 2]) {
        match [self.shown(lo), self.shown(hi)] {
            [low, high] if low == high => (Some(low), [None; 2]),
            [low, high] => (None, MoveReport::<M>::bounds_between(low, high)),
        }
    }

    /// What is proven about the outcome at a node.
    pub(super) fn proof(&self, node: Id) -> Option<Outcome> {
        let bounds = self.worth(self.arena.bounds(node));
        if !self.arena.is_unproven(node) {
            return bounds.outcome();
        }
        // Only a won game has the value of a won game, unless moves are left out.
        let by_value = self.config.scores == Scores::Outcome && self.config.k.is_none();
        let is_won_or_lost = bounds.lo >= WIN || bounds.hi <= -WIN;
        bounds.outcome().filter(|_| by_value && is_won_or_lost)
    }

    /// A node with `depth` plies below it, and at each node the `width` children with the most leaves;
    /// of those with equally many, the better first.
    pub(super) fn view<G: Game<Move = M>>(
        &self,
        node: Id,
        position: &G,
        depth: u32,
        width: usize,
    ) -> TreeNode<M> {
        let (value, bounds) = self.known(self.worth(self.arena.bounds(node)));
        let sign = position.to_move().sign() as f64;
        let rank = |child: Id| {
            let Bounds { lo, hi } = self.worth(self.arena.bounds(child));
            (self.leaves(child), sign * (self.shown(lo) + self.shown(hi)), child)
        };
        let below = |child: Id| {
            let mut next = position.clone();
            next.play(self.arena.mv(child));
            self.view(child, &next, depth - 1, width)
        };
        let looked_at = self.arena.children(node).map(rank).filter(|&(leaves, ..)| leaves > 0);
        let node = TreeNode {
            mv: (node != ROOT).then(|| self.arena.mv(node)),
            visits: self.leaves(node),
            value,
            bounds,
            channels: Default::default(),
            interval: None,
            amaf: None,
            proof: self.proof(node),
            children: Vec::new(),
            hidden: 0,
        };
        node.with_children(looked_at.collect(), depth, width, below)
    }

    /// How many leaves have a value, from a node on.
    fn leaves(&self, node: Id) -> u64 {
        let mut leaves = 0;
        let mut left = vec![node];
        while let Some(node) = left.pop() {
            let children = self.arena.children(node);
            if children.is_empty() {
                leaves += u64::from(self.arena.bounds(node).is_exact());
            }
            left.extend(children);
        }
        leaves
    }
}
