//! What alpha-beta rollouts know (MCTS-αβ): a side table of the tree.
//!
//! A node that they have reached has the depth that is searched next, and for every depth an
//! interval that contains its value at this depth. A family that has been ordered has its ranks
//! besides.

use std::ops::Range;

use crate::Bounds;
use crate::depth_first::WIN;
use crate::rollout::tree::SideTable;

/// No value is above that of a won game.
pub(in crate::rollout) const ANY: Bounds = Bounds { lo: -WIN, hi: WIN };

/// A row of the side table.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Link {
    /// The number of the node's block, from 1, and whether Monte Carlo rollouts have reached the
    /// node.
    block: u32,
    /// The node's rank among its siblings, if it is one of the k best.
    rank: u16,
    /// At the r-th row of the family: the place in the family of the child with rank r.
    by_rank: u16,
}

const IN_TREE: u32 = 1 << 31;
const UNRANKED: u16 = u16::MAX;
const NEW: Link = Link { block: 0, rank: UNRANKED, by_rank: 0 };

/// What a node has besides its intervals once alpha-beta has come to it.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// The depth that is searched next, from 1.
    depth: u32,
    /// The depths to which it was ever searched, one bit each.
    touched: u32,
    /// How many of its moves are searched; 0 while they are not ordered.
    width: u32,
}

/// The side table.
#[derive(Debug)]
pub(in crate::rollout) struct Intervals {
    /// Intervals per block; 0 if there is no such table.
    depths: usize,
    links: Vec<Link>,
    blocks: Vec<Block>,
    bounds: Vec<Bounds>,
    /// As many blocks as there may be rows.
    capacity: usize,
}

impl Intervals {
    pub(in crate::rollout) fn new(depths: u32) -> Intervals {
        Intervals {
            depths: depths as usize,
            links: Vec::new(),
            blocks: Vec::new(),
            bounds: Vec::new(),
            capacity: 0,
        }
    }

    /// Whether the search has alpha-beta rollouts at all.
    #[inline(always)]
    pub(in crate::rollout) fn is_present(&self) -> bool {
        self.depths > 0
    }

    /// Whether a Monte Carlo rollout has come to the node.
    #[inline(always)]
    pub(in crate::rollout) fn in_tree(&self, node: usize) -> bool {
        self.links[node].block & IN_TREE != 0
    }

    #[inline(always)]
    pub(in crate::rollout) fn enter_tree(&mut self, node: usize) {
        self.links[node].block |= IN_TREE;
    }

    /// The place of a node's block, if alpha-beta has come to it.
    #[inline(always)]
    pub(in crate::rollout) fn block(&self, node: usize) -> Option<usize> {
        ((self.links[node].block & !IN_TREE) as usize).checked_sub(1)
    }

    /// Makes room for what alpha-beta finds at a node; `false` if there is none.
    pub(in crate::rollout) fn add_block(&mut self, node: usize) -> bool {
        if self.blocks.len() == self.capacity {
            return false;
        }
        self.blocks.push(Block { depth: 1, touched: 0, width: 0 });
        self.bounds.resize(self.blocks.len() * self.depths, ANY);
        self.links[node].block |= self.blocks.len() as u32;
        true
    }

    /// Notes that the node is searched to a depth; returns whether that is for the first time.
    #[inline(always)]
    pub(in crate::rollout) fn touch(&mut self, node: usize, depth: u32) -> bool {
        let Some(block) = self.block(node) else { return false };
        let touched = &mut self.blocks[block].touched;
        let is_first = *touched & 1 << depth == 0;
        *touched |= 1 << depth;
        is_first
    }

    /// What is known of the node's value when searched to a depth.
    #[inline(always)]
    pub(in crate::rollout) fn at(&self, node: usize, depth: u32) -> Bounds {
        match self.block(node) {
            Some(block) => self.bounds[block * self.depths + depth as usize],
            None => ANY,
        }
    }

    #[inline(always)]
    pub(in crate::rollout) fn set(&mut self, node: usize, depth: u32, bounds: Bounds) {
        if let Some(block) = self.block(node) {
            self.bounds[block * self.depths + depth as usize] = bounds;
        }
    }

    /// The depth to which the node is searched next.
    #[inline(always)]
    pub(in crate::rollout) fn depth(&self, node: usize) -> u32 {
        self.block(node).map_or(1, |block| self.blocks[block].depth)
    }

    pub(in crate::rollout) fn set_depth(&mut self, node: usize, depth: u32) {
        if let Some(block) = self.block(node) {
            self.blocks[block].depth = depth;
        }
    }

    /// The depth to which the node is searched next, or the last one if there is none left, and what is
    /// known of its value there; `None` where alpha-beta has not been.
    pub(in crate::rollout) fn latest(&self, node: usize) -> Option<(u32, Bounds)> {
        let block = self.blocks[self.block(node)?];
        let depth = match (block.depth as usize) < self.depths {
            true => block.depth,
            false => block.touched.checked_ilog2()?,
        };
        Some((depth, self.at(node, depth)))
    }

    /// How many of the node's moves are searched; 0 while they are not ordered.
    #[inline(always)]
    pub(in crate::rollout) fn width(&self, node: usize) -> usize {
        self.block(node).map_or(0, |block| self.blocks[block].width as usize)
    }

    /// Orders a family that begins at row `first`, perhaps again: the best child first.
    pub(in crate::rollout) fn rank(
        &mut self,
        node: usize,
        first: usize,
        best: impl Iterator<Item = usize>,
    ) {
        for rank in 0..self.width(node) {
            let child = self.ranked(first, rank);
            self.links[child].rank = UNRANKED;
        }
        let mut width = 0;
        for (rank, child) in best.enumerate() {
            self.links[child].rank = rank as u16;
            self.links[first + rank].by_rank = (child - first) as u16;
            width += 1;
        }
        if let Some(block) = self.block(node) {
            self.blocks[block].width = width;
        }
    }

    /// The child with this rank in the family that begins at row `first`.
    #[inline(always)]
    pub(in crate::rollout) fn ranked(&self, first: usize, rank: usize) -> usize {
        first + usize::from(self.links[first + rank].by_rank)
    }
}

impl SideTable for Intervals {
    /// As if every row had a block.
    fn row_bytes(&self) -> usize {
        if self.depths == 0 {
            return 0;
        }
        size_of::<Link>() + size_of::<Block>() + self.depths * size_of::<Bounds>()
    }

    fn reserve(&mut self, rows: usize) -> bool {
        self.capacity = rows;
        self.depths == 0
            || self.links.try_reserve_exact(rows).is_ok()
                && self.blocks.try_reserve_exact(rows).is_ok()
                && self.bounds.try_reserve_exact(rows.saturating_mul(self.depths)).is_ok()
    }

    fn lengthen(&mut self, len: usize) {
        if self.depths > 0 {
            self.links.resize(len, NEW);
        }
    }

    #[inline(always)]
    fn clear(&mut self, rows: Range<usize>) {
        if self.depths > 0 {
            self.links[rows].fill(NEW);
        }
    }

    #[inline(always)]
    fn swap(&mut self, first: usize, a: usize, b: usize) {
        if self.depths == 0 {
            return;
        }
        let (link_a, link_b) = (self.links[a], self.links[b]);
        self.links[a] = Link { by_rank: link_a.by_rank, ..link_b };
        self.links[b] = Link { by_rank: link_b.by_rank, ..link_a };
        for node in [a, b] {
            let rank = self.links[node].rank;
            if rank != UNRANKED {
                self.links[first + usize::from(rank)].by_rank = (node - first) as u16;
            }
        }
    }

    /// Families are copied whole, so that ranks stay what they are.
    #[inline(always)]
    fn copy(&mut self, from: usize, to: usize) {
        if self.depths > 0 {
            self.links[to] = self.links[from];
        }
    }

    fn is_new(&self, row: usize) -> bool {
        self.depths == 0 || self.links[row] == NEW
    }

    fn forget(&mut self) {
        self.blocks.clear();
        self.bounds.clear();
    }

    #[cfg(test)]
    fn cell(&self, row: usize) -> String {
        format!("{:?}", self.links[row])
    }
}
