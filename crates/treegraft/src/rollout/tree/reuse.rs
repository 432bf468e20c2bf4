//! Tree reuse: finding the new position in the old tree.

use super::untried::{SIZES, Young, block_of};
use super::{Id, ROOT, Tree};
use crate::bits::set_bits;
use crate::rollout::Rollout;
use crate::rollout::amaf::NO_TABLE;
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

/// The part of a tree below its new root.
struct Kept {
    /// The rows of families, the new root's own not included.
    rows: RowSet,
    /// Those that have families of their own, and the new root.
    parents: RowSet,
    /// Young families.
    young: RowSet,
}

impl<M: Copy> Tree<M> {
    /// Makes `root` the root and drops all rows that are not below it. Rows move to the front in
    /// the order of their places, which takes some bits per row of memory, and time linear in the
    /// rows that stay.
    ///
    /// `false` if the alarm rings before that is done: then the tree has to be planted again.
    pub(in crate::rollout) fn reroot(&mut self, root: Id, alarm: &mut Alarm<'_>) -> bool {
        match self.below(root, alarm) {
            Some(kept) => self.keep(root as usize, &kept, alarm),
            None => false,
        }
    }

    /// What is below a node; `None` if the alarm rings.
    fn below(&self, root: Id, alarm: &mut Alarm<'_>) -> Option<Kept> {
        let mut rows = RowSet::new(self.used);
        let mut parents = RowSet::new(self.used);
        let mut young = RowSet::new(self.young.len());
        // Depth first, so that the list stays short.
        let mut open = vec![root];
        while let Some(parent) = open.pop() {
            let row = &self.rows[parent as usize];
            if row.count == 0 {
                continue;
            }
            parents.insert(parent as usize);
            let tried = self.tried(parent);
            let room = if row.is_young() {
                young.insert(row.first as usize);
                block_of(tried.len())
            } else {
                row.count.into()
            };
            if alarm.rings_before(room) {
                return None;
            }
            (tried.start..tried.start + room).for_each(|row| rows.insert(row));
            open.extend(tried.map(|child| child as Id));
        }
        rows.rank();
        young.rank();
        Some(Kept { rows, parents, young })
    }

    /// Drops everything else; `false` if the alarm rings before that is done.
    fn keep(&mut self, root: usize, kept: &Kept, alarm: &mut Alarm<'_>) -> bool {
        self.keep_young(kept);
        if !self.keep_tables(kept, alarm) {
            return false;
        }
        self.move_row(root, ROOT as usize, kept);
        for word in 0..kept.rows.words.len() {
            if alarm.rings_before(64) {
                return false;
            }
            // No row moves to one that still has to move: those in front of it are the root's and
            // those of other rows that stay.
            for row in kept.rows.of_word(word) {
                self.move_row(row, kept.new_row(row), kept);
            }
        }
        self.used = kept.new_row(self.used);
        self.free = [0; SIZES];
        self.share_memory();
        true
    }

    fn move_row(&mut self, from: usize, to: usize, kept: &Kept) {
        self.copy_row(from, to);
        if kept.parents.contains(from) {
            let row = &mut self.rows[to];
            let first = row.first as usize;
            let new = if row.is_young() { kept.young.before(first) } else { kept.new_row(first) };
            row.first = new as Id;
        }
    }

    /// Drops the moves of all other young families. Both lists are in the order in which families
    /// were made, so that the moves of one end where those of the next begin.
    fn keep_young(&mut self, kept: &Kept) {
        let (mut new, mut len) = (0, 0);
        for old in 0..self.young.len() {
            let Young { rows, moves } = self.young[old];
            let end = self.young.get(old + 1).map_or(self.pool.len(), |next| next.moves as usize);
            if kept.young.contains(old) {
                self.pool.copy_within(moves as usize..end, len);
                let rows = kept.new_row(rows as usize) as Id;
                self.young[new] = Young { rows, moves: len as u32 };
                (new, len) = (new + 1, len + end - moves as usize);
            }
        }
        self.young.truncate(new);
        self.pool.truncate(len);
    }

    /// Drops the statistics of all other nodes; `false` if the alarm rings before that is done. Done
    /// before rows move.
    fn keep_tables(&mut self, kept: &Kept, alarm: &mut Alarm<'_>) -> bool {
        if !self.side.tables.is_present() {
            return true;
        }
        let words = 0..kept.parents.words.len();
        let parents = words.flat_map(|word| kept.parents.of_word(word));
        let mut tables: Vec<(u32, usize)> = parents
            .map(|row| (self.side.tables[row], row))
            .filter(|&(table, _)| table != NO_TABLE)
            .collect();
        tables.sort_unstable();
        if !self.amaf.keep(tables.iter().map(|&(table, _)| table), alarm) {
            return false;
        }
        for (new, (_, row)) in tables.into_iter().enumerate() {
            self.side.tables[row] = new as u32;
        }
        true
    }

    pub(in crate::rollout) fn copy_row(&mut self, from: usize, to: usize) {
        self.hot[to] = self.hot[from];
        self.rows[to] = self.rows[from];
        self.moves[to] = self.moves[from];
        self.side.copy(from, to);
    }
}

impl Kept {
    /// Where a row moves to: after the root and the rows before it that stay.
    fn new_row(&self, row: usize) -> usize {
        1 + self.rows.before(row)
    }
}

/// A set of rows, one bit each.
struct RowSet {
    words: Vec<u64>,
    /// How many are in the words before.
    ranks: Vec<u32>,
}

impl RowSet {
    fn new(rows: usize) -> RowSet {
        // Callers may pass the row after the last one.
        RowSet { words: vec![0; rows / 64 + 1], ranks: Vec::new() }
    }

    fn insert(&mut self, row: usize) {
        self.words[row / 64] |= 1 << (row % 64);
    }

    fn contains(&self, row: usize) -> bool {
        self.words[row / 64] >> (row % 64) & 1 != 0
    }

    /// Counts, once all are in.
    fn rank(&mut self) {
        let count = |so_far: &mut u32, word: &u64| {
            let before = *so_far;
            *so_far += word.count_ones();
            Some(before)
        };
        self.ranks = self.words.iter().scan(0, count).collect();
    }

    /// How many rows of the set are in front of this one.
    fn before(&self, row: usize) -> usize {
        let in_word = self.words[row / 64] & ((1 << (row % 64)) - 1);
        self.ranks[row / 64] as usize + in_word.count_ones() as usize
    }

    /// The rows of the set that a word stands for.
    fn of_word(&self, word: usize) -> impl Iterator<Item = usize> + use<> {
        set_bits(self.words[word]).map(move |bit| 64 * word + bit)
    }
}
