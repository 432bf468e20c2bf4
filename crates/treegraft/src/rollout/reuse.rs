//! Tree reuse: finding the new position in the old tree.

use super::Rollout;
use super::tree::{Id, ROOT, Tree};
use crate::Game;

impl<G: Game> Rollout<G> {
    /// Whether `position` is in the tree, a move or a few below its root (some games give extra
    /// turns); then it becomes the root.
    pub(super) fn find_root(&self, tree: &mut Tree<G::Move>, position: &G) -> bool {
        const DEEPEST: usize = 6;
        let Some(root) = &self.root else { return false };
        let mut level: Vec<(Id, G)> = vec![(ROOT, root.clone())];
        for _ in 0..DEEPEST {
            if let Some(&(id, _)) = level.iter().find(|(_, there)| there == position) {
                tree.reroot(id);
                return true;
            }
            let mut next = Vec::new();
            for (id, at) in &level {
                for child in tree.tried(*id) {
                    let row = &tree.rows[child];
                    if row.visits > 0 && !row.finished() {
                        let mut there = at.clone();
                        there.play(tree.moves[child]);
                        next.push((child as Id, there));
                    }
                }
            }
            // The wider the level, the less of the tree lies below one of its nodes.
            if next.len() > 20_000 {
                return false;
            }
            level = next;
        }
        false
    }
}
