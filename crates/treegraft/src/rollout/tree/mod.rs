//! The tree as a table: one row per node, the children of a node side by side.
//!
//! What selection reads is in a column of its own ([`Hot`]), eight bytes per child. Means and
//! exploration terms are computed once, when a child is updated, not each time it is compared.

mod columns;
mod reuse;
mod row;
mod untried;
#[cfg(test)]
mod untried_tests;
mod values;
mod view;

use crate::Bounds;
use crate::bits::{MAX_LANES, prefetch};
use crate::rollout::amaf::{NO_TABLE, Tables};
use columns::SideTables;
pub(super) use columns::{NO_VALUE, Needs, SideTable};
pub(super) use row::{Row, UNKNOWN};
pub(super) use untried::DrawnChild;
use untried::{POOL_SHARE, SIZES, Young};
pub(super) use values::Merge;

/// The number of a row.
pub(super) type Id = u32;

/// The root's row.
pub(super) const ROOT: Id = 0;

/// What selection compares: [`MEAN`] and [`RARITY`].
pub(super) type Hot = [f32; 2];

/// Mean reward in the first player's view, from -1 to 1; infinitely bad for the side to move if
/// the child is excluded.
pub(super) const MEAN: usize = 0;

/// 1 / sqrt(visits).
pub(super) const RARITY: usize = 1;

/// The arena.
///
/// The rows of untried children mean nothing, unless they have been looked at.
#[derive(Debug)]
pub(super) struct Tree<M> {
    /// Number of rows in use. The columns may be longer; rows beyond it mean nothing.
    pub(super) used: usize,
    /// Longer than the other columns by a block, so that the last children can be read as one.
    pub(super) hot: Vec<Hot>,
    pub(super) rows: Vec<Row<M>>,
    /// The move that leads to a node: in a column of its own, so that drawing an untried child
    /// touches one cache line.
    pub(super) moves: Vec<M>,
    /// What only some searches know of a node.
    pub(super) side: SideTables,
    /// Families whose children get rows as they are tried, and their moves, the tried ones first.
    pub(super) young: Vec<Young>,
    pub(super) pool: Vec<M>,
    /// Blocks of rows that young families have left: for each size the first of a chain, or 0.
    pub(super) free: [Id; SIZES],
    pub(super) needs: Needs,
    /// Whether something may be proven of untried children.
    pub(super) untried_differ: bool,
    /// Whether the untried children of a node stand in the order in which they are tried.
    pub(super) is_ordered: bool,
    pub(super) merge: Merge,
    /// RAVE: statistics of moves below nodes that have children.
    pub(super) amaf: Tables,
    /// The limit in bytes, and in rows.
    memory: u64,
    pub(super) capacity: usize,
    /// The bytes kept for the pool.
    pool_room: u64,
    /// The rows that there is room for while there are no tables of moves.
    most_rows: usize,
}

const UNTRIED: Hot = [0.0, 0.0];

/// The part of the memory that only rows can have, if there are tables of moves.
const ROWS_SHARE: u64 = 8;

/// Among tried children: to be visited next.
pub(super) const NEVER_VISITED: Hot = [0.0, f32::MAX];

impl<M: Copy> Tree<M> {
    /// An empty tree that never takes more than `memory` bytes, or less if the machine has less.
    pub(super) fn new(memory: u64, needs: Needs) -> Tree<M> {
        let mut tree = Tree {
            used: 0,
            hot: Vec::new(),
            rows: Vec::new(),
            moves: Vec::new(),
            side: SideTables::new(needs),
            young: Vec::new(),
            pool: Vec::new(),
            free: [0; SIZES],
            needs,
            untried_differ: false,
            is_ordered: false,
            merge: Merge::default(),
            amaf: Tables::new(0, false, 0),
            memory,
            capacity: 0,
            pool_room: 0,
            most_rows: 0,
        };
        let pool = if needs.pool { tree.reserve_pool(memory / POOL_SHARE) } else { 0 };
        if needs.slots > 0 {
            tree.amaf = Tables::new(needs.slots as usize, needs.both, memory - memory / ROWS_SHARE);
        }
        let rows = (memory - pool) / tree.row_bytes();
        tree.capacity = rows.clamp(2, u64::from(Id::MAX)) as usize;
        while !tree.reserve() {
            tree.capacity /= 2;
        }
        (tree.pool_room, tree.most_rows) = (pool, tree.capacity);
        tree
    }

    /// Reserves room for `capacity` rows; pages are not touched before they are needed.
    fn reserve(&mut self) -> bool {
        let rows = self.capacity;
        self.hot.try_reserve_exact(rows + MAX_LANES).is_ok()
            && self.rows.try_reserve_exact(rows).is_ok()
            && self.moves.try_reserve_exact(rows).is_ok()
            && self.side.reserve(rows)
    }

    /// Gives a node a table for statistics of moves, if there is room. Tables and rows share the memory,
    /// but for a part that tables do not get: they may be large, and a tree can grow without them.
    pub(super) fn add_table(&mut self, node: Id) {
        let rows = self.used as u64 * self.row_bytes();
        let needed = rows + self.pool_room + self.amaf.bytes() + self.amaf.bytes_of_one();
        let table = if needed <= self.memory { self.amaf.add() } else { NO_TABLE };
        self.side.tables[node as usize] = table;
        self.share_memory();
    }

    /// What tables have taken is not there for rows.
    pub(super) fn share_memory(&mut self) {
        let left = self.memory.saturating_sub(self.pool_room + self.amaf.bytes());
        self.capacity = self.most_rows.min((left / self.row_bytes()) as usize).max(self.used);
    }

    /// The most bytes that a row takes.
    fn row_bytes(&self) -> u64 {
        (size_of::<Hot>() + size_of::<Row<M>>() + size_of::<M>() + self.side.row_bytes()) as u64
    }

    /// Bytes in use.
    pub(super) fn memory(&self) -> u64 {
        self.used as u64 * self.row_bytes() + self.pool_bytes() + self.amaf.bytes()
    }

    /// Whether this tree was made for the given memory and needs. A tree that has grown already
    /// does not need a pool.
    pub(super) fn fits(&self, memory: u64, needs: Needs) -> bool {
        self.memory == memory && self.needs == Needs { pool: self.needs.pool, ..needs }
    }

    /// What is proven about a node: bounds on the margin if the search keeps them, else on the
    /// outcome.
    #[inline(always)]
    pub(super) fn bounds(&self, node: usize) -> Bounds {
        if self.side.margins.is_present() {
            self.side.margins[node]
        } else {
            self.rows[node].bounds()
        }
    }

    #[inline(always)]
    pub(super) fn set_bounds(&mut self, node: usize, bounds: Bounds) {
        if self.side.margins.is_present() {
            self.side.margins[node] = bounds;
        } else {
            self.rows[node].set_bounds(bounds);
        }
    }

    /// The bounds of a node of which nothing is known.
    pub(super) fn no_bounds(&self) -> Bounds {
        if self.side.margins.is_present() { Bounds::MARGIN } else { Bounds::OUTCOME }
    }

    /// Forgets everything and adds a root. Its move, any legal one, is the answer if there is no room for
    /// its children.
    pub(super) fn plant(&mut self, mv: M) {
        self.used = 1;
        self.side.forget();
        self.amaf.forget();
        self.capacity = self.most_rows;
        self.forget_young();
        self.lengthen(mv);
        self.moves[0] = mv;
        self.clear(0..1, mv);
    }

    /// Makes the columns long enough for the rows in use, and for some more, so that this is seldom
    /// needed.
    #[cold]
    pub(super) fn lengthen(&mut self, mv: M) {
        let len = self.rows.len().max((self.used + Self::AHEAD).min(self.capacity));
        self.hot.resize(len + MAX_LANES, UNTRIED);
        self.rows.resize(len, Row::new(mv));
        self.moves.resize(len, mv);
        self.side.lengthen(len);
    }

    /// Clears rows: their nodes were never visited. `mv` is any move.
    #[inline(always)]
    pub(super) fn clear(&mut self, nodes: std::ops::Range<usize>, mv: M) {
        self.rows[nodes.clone()].fill(Row::new(mv));
        self.hot[nodes.clone()].fill(UNTRIED);
        self.side.clear(&nodes);
    }

    /// Few enough for the fastest cache.
    const AHEAD: usize = 256;

    /// Gives `node` its children; `false` if there is no room.
    #[inline(always)]
    pub(super) fn add_children(&mut self, node: Id, moves: &[M]) -> bool {
        if self.needs.pool && moves.len() > Self::SHORT && self.add_young(node, moves) {
            return true;
        }
        let first = self.used;
        let len = first + moves.len();
        if len > self.capacity || moves.len() > u16::MAX as usize {
            return false;
        }
        self.used = len;
        if len > self.rows.len() {
            self.lengthen(moves[0]);
        }
        self.moves[first..len].copy_from_slice(moves);
        if self.untried_have_rows() || moves.len() <= Self::SHORT {
            self.clear(first..len, moves[0]);
        }
        let row = &mut self.rows[node as usize];
        row.first = first as Id;
        row.count = moves.len() as u16;
        true
    }

    /// The rows of a node's children, if all of them have one.
    #[inline(always)]
    pub(super) fn children(&self, node: Id) -> std::ops::Range<usize> {
        self.rows[node as usize].children()
    }

    /// The rows of those children that have been tried or are excluded.
    #[inline(always)]
    pub(super) fn tried(&self, node: Id) -> std::ops::Range<usize> {
        let row = &self.rows[node as usize];
        let first = if row.is_young() { self.young[row.first as usize].rows } else { row.first };
        first as usize..first as usize + row.tried as usize
    }

    /// The rows of those children of which something may be known.
    pub(super) fn known(&self, node: Id) -> std::ops::Range<usize> {
        if self.untried_differ { self.children(node) } else { self.tried(node) }
    }

    /// Prefetches what selection compares among the children: the first two blocks.
    #[inline(always)]
    pub(super) fn prefetch_children(&self, row: &Row<M>) {
        let first = row.first as usize;
        prefetch(&self.hot, first);
        prefetch(&self.hot, first + MAX_LANES);
    }
}
