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

impl<M: Copy> Tree<M> {
    /// Makes `root` the root and drops all rows that are not below it, without extra room but for
    /// a list of the families that stay.
    pub(super) fn reroot(&mut self, root: Id) {
        let mut families: Vec<Id> = vec![root];
        let mut next = 0;
        while let Some(&parent) = families.get(next) {
            let tried = self.tried(parent);
            families.extend(tried.map(|c| c as Id).filter(|&c| self.rows[c as usize].count > 0));
            next += 1;
        }
        families.retain(|&parent| self.rows[parent as usize].count > 0);
        // A family always stands behind its parent, so moving families forward in the order of
        // their places never overwrites one that still has to move.
        families.sort_unstable_by_key(|&parent| self.rows[parent as usize].first);
        self.copy_row(root as usize, ROOT as usize);
        let mut moved: Vec<(Id, Id, u16)> = Vec::with_capacity(families.len());
        let new_place = |moved: &[(Id, Id, u16)], old: Id| -> Id {
            if old == root {
                return ROOT;
            }
            let at = moved.partition_point(|&(from, _, _)| from <= old) - 1;
            moved[at].1 + (old - moved[at].0)
        };
        let mut len = 1;
        for &parent in &families {
            let parent_now = new_place(&moved, parent);
            let (first, count) = {
                let row = &self.rows[parent_now as usize];
                (row.first, row.count)
            };
            for i in 0..usize::from(count) {
                self.copy_row(first as usize + i, len + i);
            }
            moved.push((first, len as Id, count));
            self.rows[parent_now as usize].first = len as Id;
            len += usize::from(count);
        }
        self.used = len;
    }

    fn copy_row(&mut self, from: usize, to: usize) {
        self.hot[to] = self.hot[from];
        self.rows[to] = self.rows[from];
        self.moves[to] = self.moves[from];
        if self.needs.squares {
            self.squares[to] = self.squares[from];
            self.variance[to] = self.variance[from];
        }
        if self.needs.margins {
            self.margins[to] = self.margins[from];
        }
    }
}
