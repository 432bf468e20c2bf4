//! The top of the tree for people to look at.

use std::cmp::Reverse;

use super::{Id, ROOT, Tree};
use crate::TreeNode;

impl<M: Copy> Tree<M> {
    /// A node with `depth` plies below it, and at each node the `width` most visited children.
    pub(in crate::rollout) fn view(&self, node: Id, depth: u32, width: usize) -> TreeNode<M> {
        let at = node as usize;
        // Children may be excluded before they are ever visited; then they are proven.
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
