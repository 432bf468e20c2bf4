//! The tree of a proving search: bounds and nothing else.
//!
//! Simulations have another tree: a proof needs no visits, sums or means, but wide bounds at every
//! node. In a tree of its own, a node takes half the memory, and a family half the time to write.

use std::ops::Range;

use crate::Bounds;

/// The number of a row.
pub(super) type Id = u32;

/// The root's row; its children follow it.
pub(super) const ROOT: Id = 0;

/// Where the children of a node are.
#[derive(Clone, Copy, Debug)]
struct Link {
    first: Id,
    /// 0 while the node is not expanded.
    count: u16,
    /// Whether the bounds rest on a horizon, or leave moves out.
    is_unproven: bool,
}

const NO_CHILDREN: Link = Link { first: 0, count: 0, is_unproven: false };

/// A table with one row per node, the children of a node side by side.
#[derive(Debug)]
pub(super) struct Arena<M> {
    bounds: Vec<Bounds>,
    links: Vec<Link>,
    /// The move that leads to a node.
    moves: Vec<M>,
    memory: u64,
    capacity: usize,
}

impl<M: Copy> Arena<M> {
    pub(super) const ROW: u64 = (size_of::<Bounds>() + size_of::<Link>() + size_of::<M>()) as u64;

    /// An empty tree that never takes more than `memory` bytes, or less if the machine has less.
    pub(super) fn new(memory: u64) -> Arena<M> {
        let capacity = (memory / Self::ROW).clamp(1, u64::from(Id::MAX)) as usize;
        let mut arena =
            Arena { bounds: Vec::new(), links: Vec::new(), moves: Vec::new(), memory, capacity };
        while !arena.reserve() {
            arena.capacity /= 2;
        }
        arena
    }

    /// Reserves room for `capacity` rows; pages are not touched before they are needed.
    fn reserve(&mut self) -> bool {
        self.bounds.try_reserve_exact(self.capacity).is_ok()
            && self.links.try_reserve_exact(self.capacity).is_ok()
            && self.moves.try_reserve_exact(self.capacity).is_ok()
    }

    /// Whether this tree was made for the given memory.
    pub(super) fn fits(&self, memory: u64) -> bool {
        self.memory == memory
    }

    /// Bytes in use.
    pub(super) fn memory(&self) -> u64 {
        self.bounds.len() as u64 * Self::ROW
    }

    /// Forgets everything, and plants a root with these bounds; its move means nothing.
    pub(super) fn plant(&mut self, bounds: Bounds, any_move: M) {
        self.bounds.clear();
        self.links.clear();
        self.moves.clear();
        self.bounds.push(bounds);
        self.links.push(NO_CHILDREN);
        self.moves.push(any_move);
    }

    /// Gives `node` its children, all with these bounds; `false` if there is no room. There always
    /// is for the children of the root, because there must be a move.
    #[inline(always)]
    pub(super) fn add_children(&mut self, node: Id, moves: &[M], bounds: Bounds) -> bool {
        let first = self.bounds.len();
        let len = first + moves.len();
        let is_full = node != ROOT && len > self.capacity || len > Id::MAX as usize;
        if is_full || moves.len() > usize::from(u16::MAX) {
            return false;
        }
        self.bounds.resize(len, bounds);
        self.links.resize(len, NO_CHILDREN);
        self.moves.extend_from_slice(moves);
        let link = &mut self.links[node as usize];
        link.first = first as Id;
        link.count = moves.len() as u16;
        true
    }

    /// What is known of a node's value.
    #[inline(always)]
    pub(super) fn bounds(&self, node: Id) -> Bounds {
        self.bounds[node as usize]
    }

    #[inline(always)]
    pub(super) fn set_bounds(&mut self, node: Id, bounds: Bounds) {
        self.bounds[node as usize] = bounds;
    }

    /// The move that leads to a node.
    #[inline(always)]
    pub(super) fn mv(&self, node: Id) -> M {
        self.moves[node as usize]
    }

    /// The rows of a node's children: none if it is not expanded, or a leaf.
    #[inline(always)]
    pub(super) fn children(&self, node: Id) -> Range<Id> {
        let Link { first, count, .. } = self.links[node as usize];
        first..first + Id::from(count)
    }

    /// The bounds of these rows.
    #[inline(always)]
    pub(super) fn all_bounds(&self, rows: &Range<Id>) -> &[Bounds] {
        &self.bounds[rows.start as usize..rows.end as usize]
    }

    /// Whether a node's bounds rest on a horizon, or leave moves out: they prove nothing.
    #[inline(always)]
    pub(super) fn is_unproven(&self, node: Id) -> bool {
        self.links[node as usize].is_unproven
    }

    #[inline(always)]
    pub(super) fn set_unproven(&mut self, node: Id) {
        self.links[node as usize].is_unproven = true;
    }
}
