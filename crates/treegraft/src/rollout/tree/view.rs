//! The top of the tree for people to look at.

use super::{Id, ROOT, Tree, sort_rows};
use crate::TreeNode;

impl<M: Copy> Tree<M> {
    /// A node with `depth` plies below it, and at each node the `width` most visited children.
    pub(in crate::rollout) fn view(&self, node: Id, depth: u32, width: usize) -> TreeNode<M> {
        let at = node as usize;
        // Children may be excluded before they are ever visited; then they are proven.
        let is_known = |&child: &usize| self.value(child).is_some();
        // The complement puts the most visited first.
        let keyed = |child: usize| (!self.rows[child].visits, child as Id);
        let mut children: Vec<(u32, Id)> = self.tried(node).filter(is_known).map(keyed).collect();
        sort_rows(&mut children);
        let shown = if depth == 0 { 0 } else { children.len().min(width) };
        let below = |&(_, child): &(u32, Id)| self.view(child, depth - 1, width);
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
