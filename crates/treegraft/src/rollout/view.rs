//! The top of the tree for people to look at.

use std::cmp::Reverse;

use super::tree::{Id, ROOT, Tree};
use crate::TreeNode;

impl<M: Copy> Tree<M> {
    /// What is known of a node's value in the first player's view: proven, or its mean reward, with
    /// that of visits that never were.
    pub(super) fn value(&self, node: usize) -> Option<f64> {
        let row = &self.rows[node];
        match self.bounds(node).outcome() {
            Some(outcome) => Some(outcome.value() as f64),
            None => {
                let n = self.weighted_visits(node);
                (n > 0).then(|| row.sum / f64::from(n))
            }
        }
    }

    /// A node with `depth` plies below it, and at each node the `width` most visited children.
    pub(super) fn view(&self, node: Id, depth: u32, width: usize) -> TreeNode<M> {
        let at = node as usize;
        // Children may be out of the question before they are ever visited; then they are proven.
        let is_known = |&child: &usize| self.value(child).is_some();
        let mut children: Vec<usize> = self.tried(node).filter(is_known).collect();
        children.sort_by_key(|&child| Reverse(self.rows[child].visits));
        let shown = if depth == 0 { 0 } else { children.len().min(width) };
        let below = |&child: &usize| self.view(child as Id, depth - 1, width);
        TreeNode {
            mv: (node != ROOT).then_some(self.moves[at]),
            visits: u64::from(self.rows[at].visits),
            value: self.value(at),
            proof: self.bounds(at).outcome(),
            children: children[..shown].iter().map(below).collect(),
            hidden: children.len() - shown,
        }
    }
}
