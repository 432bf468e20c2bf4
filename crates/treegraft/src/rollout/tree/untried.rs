//! Untried children: which of them is next, and large families whose children get rows only as they
//! are tried.
//!
//! Most children of a large family are never tried. While the family is *young*, its moves are in a
//! pool, and it has a block of a few rows. When the block is full, the family moves to one four
//! times as large, and in the end to one with a row for every child. Selection does not compare
//! children before all have been tried, and then finds them side by side.

use super::row::YOUNG;
use super::{Id, ROOT, Row, Tree, UNKNOWN};
use crate::Rng;
use crate::bits::prefetch;

/// A family whose untried children have no rows.
#[derive(Clone, Copy, Debug)]
pub(in crate::rollout) struct Young {
    /// The block of rows of those that have been tried.
    pub(in crate::rollout) rows: Id,
    /// The place of all moves in the pool.
    pub(in crate::rollout) moves: u32,
}

/// The rows of the blocks of young families.
const BLOCKS: [usize; SIZES] = [8, 32, 128, 512, 2048, 8192, 32768];
pub(in crate::rollout) const SIZES: usize = 7;

/// The pool gets this part of the memory.
pub(in crate::rollout) const POOL_SHARE: u64 = 4;

/// The child of `node` that is tried next: it will change places with the first untried one.
#[derive(Clone, Copy, Debug)]
pub(in crate::rollout) struct DrawnChild {
    node: Id,
    /// The first untried one.
    at: usize,
    /// The one that was drawn.
    from: usize,
}

impl<M: Copy> Tree<M> {
    /// Whether the rows of untried children mean something.
    #[inline(always)]
    pub(in crate::rollout) fn untried_have_rows(&self) -> bool {
        self.untried_differ || self.needs.depths > 0
    }

    /// Clears the rows of a node's untried children, before they are read or written.
    pub(in crate::rollout) fn clear_untried(&mut self, node: Id) {
        if !self.untried_have_rows() && !self.rows[node as usize].is_young() {
            let untried = self.tried(node).end..self.children(node).end;
            self.clear(untried, self.rows[node as usize].next);
        }
    }

    /// Families up to this size are cleared when they are made, while their memory is in the cache.
    /// Most children of larger ones are never tried.
    pub(in crate::rollout) const SHORT: usize = 48;

    /// Exchanges two untried children of the family that begins at `first`. They differ in nothing but
    /// their moves, unless they have been looked at before they were tried.
    #[inline(always)]
    pub(in crate::rollout) fn swap_untried(&mut self, first: usize, a: usize, b: usize) {
        self.moves.swap(a, b);
        if self.untried_have_rows() {
            self.rows.swap(a, b);
            self.side.swap_untried(first, a, b);
        }
    }

    /// Makes `child` the first of the untried ones, whose row is `to`. If the untried ones are
    /// ordered, the others stay in their order.
    pub(in crate::rollout) fn bring_forward(&mut self, first: usize, to: usize, child: usize) {
        if self.is_ordered {
            (to..child).rev().for_each(|at| self.swap_untried(first, at, at + 1));
        } else {
            self.swap_untried(first, to, child);
        }
    }

    /// Which of the untried children, `left` in number, is tried next.
    #[inline(always)]
    pub(in crate::rollout) fn pick(&self, left: u32, rng: &mut Rng) -> usize {
        if self.is_ordered { 0 } else { rng.below(left) as usize }
    }

    /// Counts an untried child of `node` among those that have been tried, and returns its new row.
    pub(in crate::rollout) fn admit(&mut self, node: Id, child: usize, rng: &mut Rng) -> usize {
        let (first, tried) = (self.children(node).start, self.tried(node));
        if child < tried.end {
            return child;
        }
        self.bring_forward(first, tried.end, child);
        self.rows[node as usize].tried += 1;
        self.draw(node, rng);
        tried.end
    }

    /// Draws the child of `node` that is tried next.
    #[inline(always)]
    pub(in crate::rollout) fn draw(&mut self, node: Id, rng: &mut Rng) {
        if let Some(drawn) = self.draw_ahead(node, rng) {
            self.finish_draw(drawn);
        }
    }

    /// The first half of [`draw`](Tree::draw): decides which of the untried children it is, and
    /// prefetches its move.
    #[inline(always)]
    pub(in crate::rollout) fn draw_ahead(&mut self, node: Id, rng: &mut Rng) -> Option<DrawnChild> {
        let row = &self.rows[node as usize];
        let left = u32::from(row.count - row.tried);
        if left == 0 {
            return None;
        }
        let drawn = self.pick(left, rng);
        let (first, moves) = self.moves_of(row);
        let at = first + usize::from(row.tried);
        let from = at + drawn;
        prefetch(moves, at);
        prefetch(moves, from);
        Some(DrawnChild { node, at, from })
    }

    /// The second half: the drawn child becomes the first of the untried ones.
    #[inline(always)]
    pub(in crate::rollout) fn finish_draw(&mut self, DrawnChild { node, at, from }: DrawnChild) {
        let row = &mut self.rows[node as usize];
        if row.is_young() {
            self.pool.swap(at, from);
            row.next = self.pool[at];
            return;
        }
        let first = row.first as usize;
        self.swap_untried(first, at, from);
        self.rows[node as usize].next = self.moves[at];
    }

    /// Where the moves of a family begin, and in which list.
    #[inline(always)]
    fn moves_of(&self, row: &Row<M>) -> (usize, &[M]) {
        match row.is_young() {
            true => (self.young[row.first as usize].moves as usize, &self.pool),
            false => (row.first as usize, &self.moves),
        }
    }

    /// The moves of the untried children, the next one first.
    pub(in crate::rollout) fn untried_moves(&self, node: Id) -> &[M] {
        let row = &self.rows[node as usize];
        let (first, moves) = self.moves_of(row);
        &moves[first + usize::from(row.tried)..first + usize::from(row.count)]
    }

    /// Makes an untried child, this one of them, the next to be tried.
    pub(in crate::rollout) fn put_next(&mut self, node: Id, place: usize) {
        let row = &mut self.rows[node as usize];
        let tried = usize::from(row.tried);
        if row.is_young() {
            let at = self.young[row.first as usize].moves as usize + tried;
            if self.is_ordered {
                self.pool[at..=at + place].rotate_right(1);
            } else {
                self.pool.swap(at, at + place);
            }
            row.next = self.pool[at];
        } else {
            let first = row.first as usize;
            self.bring_forward(first, first + tried, first + tried + place);
            self.rows[node as usize].next = self.moves[first + tried];
        }
    }

    /// Prepares the row of a child that is tried now; its family has `family` children.
    #[inline(always)]
    pub(in crate::rollout) fn prepare(&mut self, child: usize, family: usize, mv: M) {
        // Needed when the simulation is over.
        prefetch(&self.hot, child);
        if !self.untried_have_rows() && family > Self::SHORT {
            self.clear(child..child + 1, mv);
        } else {
            prefetch(&self.rows, child);
        }
    }

    /// Makes room for young families in `bytes` bytes; returns how many it takes.
    pub(in crate::rollout) fn reserve_pool(&mut self, bytes: u64) -> u64 {
        // Every family has more moves than a short one.
        let family = (Self::SHORT * size_of::<M>() + size_of::<Young>()) as u64;
        let families = (bytes / family).min(u64::from(u32::MAX) / Self::SHORT as u64) as usize;
        let is_there = self.young.try_reserve_exact(families).is_ok()
            && self.pool.try_reserve_exact(families * Self::SHORT).is_ok();
        if !is_there {
            (self.young, self.pool) = (Vec::new(), Vec::new());
            return 0;
        }
        families as u64 * family
    }

    /// Bytes of the pool in use.
    pub(in crate::rollout) fn pool_bytes(&self) -> u64 {
        (self.pool.len() * size_of::<M>() + self.young.len() * size_of::<Young>()) as u64
    }

    pub(in crate::rollout) fn forget_young(&mut self) {
        self.young.clear();
        self.pool.clear();
        self.free = [0; SIZES];
    }

    /// Gives `node` children that get their rows as they are tried; `false` if there is no room.
    /// Never for the root, because the report needs all of its children's rows.
    pub(in crate::rollout) fn add_young(&mut self, node: Id, moves: &[M]) -> bool {
        let place = self.pool.len();
        let has_room = place + moves.len() <= self.pool.capacity()
            && self.young.len() < self.young.capacity()
            && moves.len() <= u16::MAX as usize;
        if !has_room || node == ROOT {
            return false;
        }
        let Some(rows) = self.take_block(0, moves[0]) else { return false };
        self.pool.extend_from_slice(moves);
        let row = &mut self.rows[node as usize];
        (row.first, row.count, row.selected) = (self.young.len() as Id, moves.len() as u16, YOUNG);
        self.young.push(Young { rows, moves: place as u32 });
        true
    }

    /// The row of the child of `node` that is tried now; `None` if the arena has no room for it.
    #[inline(always)]
    pub(in crate::rollout) fn next_row(&mut self, node: Id) -> Option<usize> {
        let row = &self.rows[node as usize];
        if row.is_young() {
            return self.next_young_row(node);
        }
        Some(row.first as usize + usize::from(row.tried))
    }

    fn next_young_row(&mut self, node: Id) -> Option<usize> {
        let row = &self.rows[node as usize];
        let (tried, mv) = (usize::from(row.tried), row.next);
        if tried == block_of(tried) && !self.grow(node) {
            return None;
        }
        let at = self.tried(node).end;
        self.moves[at] = mv;
        Some(at)
    }

    /// Moves a young family whose block is full to a larger one; `false` if there is none.
    fn grow(&mut self, node: Id) -> bool {
        let Row { first, count, tried, next, .. } = self.rows[node as usize];
        let Young { rows: old, moves } = self.young[first as usize];
        let size = size_of_block(usize::from(tried));
        let is_grown = BLOCKS.get(size + 1).is_none_or(|&rows| rows >= usize::from(count));
        let new = if is_grown {
            self.take_rows(usize::from(count), next)
        } else {
            self.take_block(size + 1, next)
        };
        let Some(new) = new else { return false };
        for i in 0..usize::from(tried) {
            self.copy_row(old as usize + i, new as usize + i);
        }
        self.rows[old as usize].first = std::mem::replace(&mut self.free[size], old);
        if is_grown {
            let untried = usize::from(tried)..usize::from(count);
            let (from, to) = (moves as usize, new as usize);
            self.moves[to + untried.start..to + untried.end]
                .copy_from_slice(&self.pool[from + untried.start..from + untried.end]);
            let row = &mut self.rows[node as usize];
            (row.first, row.selected) = (new, UNKNOWN);
        } else {
            self.young[first as usize].rows = new;
        }
        true
    }

    fn take_block(&mut self, size: usize, mv: M) -> Option<Id> {
        match self.free[size] {
            0 => self.take_rows(BLOCKS[size], mv),
            block => {
                self.free[size] = self.rows[block as usize].first;
                Some(block)
            }
        }
    }

    fn take_rows(&mut self, rows: usize, mv: M) -> Option<Id> {
        let first = self.used;
        if first + rows > self.capacity {
            return None;
        }
        self.used = first + rows;
        if self.used > self.rows.len() {
            self.lengthen(mv);
        }
        Some(first as Id)
    }
}

/// The rows of the block of a young family with `tried` tried children.
pub(in crate::rollout) fn block_of(tried: usize) -> usize {
    BLOCKS[size_of_block(tried)]
}

/// The size class of that block: its place in `BLOCKS`.
fn size_of_block(tried: usize) -> usize {
    BLOCKS.iter().position(|&rows| tried <= rows).unwrap_or(SIZES - 1)
}
