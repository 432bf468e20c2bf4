//! Tree reuse: finding the new position in the old tree.

use super::untried::{SIZES, Young, block_of};
use super::{Id, ROOT, Tree, sort_rows};
use crate::rollout::Rollout;
use crate::{Alarm, Game};

impl<G: Game> Rollout<G> {
    /// Looks for `position` in the tree, up to six plies below its root (some games give extra
    /// turns). If it is there, it becomes the root. If the alarm rings before that is done, the tree
    /// is of no more use.
    pub(in crate::rollout) fn find_root(
        &self,
        tree: &mut Tree<G::Move>,
        position: &G,
        alarm: &mut Alarm<'_>,
    ) -> bool {
        const DEEPEST: usize = 6;
        let Some(root) = &self.root else { return false };
        let mut level: Vec<(Id, G)> = vec![(ROOT, root.clone())];
        for _ in 0..DEEPEST {
            if let Some(&(id, _)) = level.iter().find(|(_, there)| there == position) {
                return tree.reroot(id, alarm);
            }
            let mut next = Vec::new();
            for (id, at) in &level {
                if alarm.rings_before(tree.tried(*id).len()) {
                    return false;
                }
                for child in tree.tried(*id) {
                    let row = &tree.rows[child];
                    if row.visits > 0 && !row.finished() {
                        let mut there = at.clone();
                        there.play(tree.moves[child]);
                        next.push((child as Id, there));
                    }
                }
            }
            // The wider the level, the less of the tree is below any of its nodes.
            if next.len() > 20_000 {
                return false;
            }
            level = next;
        }
        false
    }
}

impl<M: Copy> Tree<M> {
    /// Makes `root` the root and drops all rows that are not below it, in place but for lists of
    /// the families that stay: linear in the rows that stay, but for sorting these lists.
    ///
    /// `false` if the alarm rings before that is done: then the tree has to be planted again.
    pub(in crate::rollout) fn reroot(&mut self, root: Id, alarm: &mut Alarm<'_>) -> bool {
        let mut families: Vec<Id> = vec![root];
        let mut next = 0;
        while let Some(&parent) = families.get(next) {
            if alarm.rings_before(1) {
                return false;
            }
            let tried = self.tried(parent);
            families.extend(tried.map(|c| c as Id).filter(|&c| self.rows[c as usize].count > 0));
            next += 1;
        }
        families.retain(|&parent| self.rows[parent as usize].count > 0);
        self.compact_pool(&families);
        let place = |parent: Id| (self.tried(parent).start as u32, parent);
        let mut families: Vec<(u32, Id)> = families.into_iter().map(place).collect();
        sort_rows(&mut families);
        let mut moves: Vec<(Id, Id, u16)> = Vec::with_capacity(families.len());
        let mut len = 1;
        for &(from, parent) in &families {
            let row = &mut self.rows[parent as usize];
            let (used, room) = if row.is_young() {
                self.young[row.first as usize].rows = len as Id;
                (row.tried, block_of(row.tried.into()))
            } else {
                row.first = len as Id;
                (row.count, row.count.into())
            };
            moves.push((from, len as Id, used));
            len += room;
        }
        self.copy_row(root as usize, ROOT as usize);
        // Families move forward in the order of their places: none overwrites one that still has to
        // move.
        for (from, to, used) in moves {
            if alarm.rings_before(1) {
                return false;
            }
            for i in 0..usize::from(used) {
                self.copy_row(from as usize + i, to as usize + i);
            }
        }
        self.used = len;
        self.free = [0; SIZES];
        true
    }

    /// Drops the moves of all young families that are not in the list.
    fn compact_pool(&mut self, families: &[Id]) {
        // In the order in which they were made, which is that of their places in the pool.
        let made = |&parent: &Id| {
            let row = &self.rows[parent as usize];
            row.is_young().then_some((row.first, parent))
        };
        let mut young: Vec<(u32, Id)> = families.iter().filter_map(made).collect();
        sort_rows(&mut young);
        let mut len = 0;
        for (new, &(_, parent)) in young.iter().enumerate() {
            let row = &mut self.rows[parent as usize];
            let Young { rows, moves } = self.young[row.first as usize];
            let (from, count) = (moves as usize, usize::from(row.count));
            self.pool.copy_within(from..from + count, len);
            self.young[new] = Young { rows, moves: len as u32 };
            row.first = new as Id;
            len += count;
        }
        self.young.truncate(young.len());
        self.pool.truncate(len);
    }

    pub(in crate::rollout) fn copy_row(&mut self, from: usize, to: usize) {
        self.hot[to] = self.hot[from];
        self.rows[to] = self.rows[from];
        self.moves[to] = self.moves[from];
        self.side.copy(from, to);
    }
}
