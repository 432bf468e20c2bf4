//! Schedule inside the simulations: MCTS-MR, MCTS-MS and MCTS-MB (Baier & Winands 2015).

mod mb;
mod mr;
#[cfg(test)]
mod mr_tree_tests;
mod ms;
#[cfg(test)]
pub(super) mod tests;

use super::tree::Id;
use super::{Config, Embed, MrTree, Solver, Worker};
use crate::depth_first::{WinLoss, WinLossQuestion};
use crate::observe::{Observer, Phase};
use crate::{Bounds, Game, Outcome, Side};

/// When the embedded searches of a rollout search are made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Schedule {
    /// MCTS-MR: the depth.
    pub(super) playouts: Option<u32>,
    /// The same, where it orders the untried children of a node.
    pub(super) expand: Option<u32>,
    /// The same, where a win proves the new leaf.
    prove: Option<u32>,
    /// Whether new leaves are searched before they get a playout.
    pub(super) at_leaves: bool,
    /// MCTS-MS: the visits at which a node is searched; `u32::MAX`, which no node has, if none is.
    pub(super) select_at: u32,
    select_depth: u32,
    /// MCTS-MB: the depth.
    pub(super) back_up: Option<u32>,
}

/// The embedded searches of one thread, and their scratch memory.
#[derive(Debug)]
pub(super) struct Searches<M> {
    pub(super) search: WinLoss<M>,
    /// Moves to search, and those found lost.
    moves: Vec<M>,
    lost: Vec<M>,
    /// What was searched, for tests.
    #[cfg(test)]
    pub(super) log: Vec<Event<M>>,
}

impl<M: Copy> Searches<M> {
    pub(super) fn new(config: &Config) -> Searches<M> {
        let mut search = WinLoss::default();
        (search.k, search.order) = (config.embed.k, config.embed.order);
        Searches {
            search,
            moves: Vec::new(),
            lost: Vec::new(),
            #[cfg(test)]
            log: Vec::new(),
        }
    }
}

/// An embedded search, as tests see it.
#[cfg(test)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Event<M> {
    /// A move of a playout was searched for: the key of the position, and the result.
    Playout(u64, M),
    /// A node was searched on the way down: its row, its visits and the moves.
    Selection(Id, u32, Vec<M>),
    /// A node was searched on the way up: its row and the moves.
    BackUp(Id, Vec<M>),
}

impl Schedule {
    pub(super) fn new(config: &Config) -> Schedule {
        let Embed { mr, ms, mb, mr_tree, .. } = config.embed;
        let [expand, prove] = match mr_tree {
            MrTree::Off => [None, None],
            MrTree::Expand => [mr, None],
            MrTree::Prove => [None, mr.filter(|_| config.solver != Solver::Off)],
        };
        Schedule {
            playouts: mr,
            expand,
            prove,
            at_leaves: prove.is_some() || ms.is_some_and(|ms| ms.visits == 0),
            select_at: ms.map_or(u32::MAX, |ms| ms.visits),
            select_depth: ms.map_or(0, |ms| ms.depth),
            back_up: mb,
        }
    }

    /// Whether children may be proven that were never tried.
    pub(super) fn proves_untried(&self) -> bool {
        self.select_at != u32::MAX || self.back_up.is_some()
    }

    /// Whether nodes may be proven by more than their children.
    pub(super) fn proves(&self) -> bool {
        self.proves_untried() || self.prove.is_some()
    }
}

impl<G: Game, O: Observer<G::Move>> Worker<'_, G, O> {
    /// The searches at a new leaf. Returns the outcome if they decide it.
    #[inline(never)]
    pub(super) fn minimax_at_leaf(&mut self, node: Id, position: &G) -> Option<Outcome> {
        if let Some(depth) = self.shared.schedule.prove
            && self.wins_within(position, depth)
        {
            self.see_minimax(Phase::Leaf, Some(node), depth, &[], std::iter::empty());
            self.note_win(node as usize, position.to_move());
            self.note_news();
        } else if self.shared.schedule.select_at == 0 {
            return self.minimax_selection(node, position);
        }
        let bounds = self.tree.bounds(node as usize);
        bounds.is_exact().then(|| Outcome::from_margin(bounds.lo))
    }

    /// The children whose outcome is not known.
    fn open_children(&self, node: Id) -> impl Iterator<Item = usize> {
        self.tree.children(node).filter(|&child| self.tree.bounds(child).outcome().is_none())
    }

    /// Notes that this side wins at this node, by an unknown margin.
    fn note_win(&mut self, node: usize, winner: Side) {
        let Bounds { lo, hi } = self.tree.bounds(node);
        let bounds = match winner {
            Side::First => Bounds { lo: lo.max(1), hi },
            Side::Second => Bounds { lo, hi: hi.min(-1) },
        };
        self.tree.set_bounds(node, bounds);
        self.see_narrow(node as Id);
    }

    /// The value of a move for `mover` in a search of `depth` plies, the move included: 1 if it
    /// wins, -1 if it loses, 0 if neither, or if it was not searched because the time is over. The
    /// caller announces all moves to the alarm together.
    #[inline]
    fn value_of(
        &mut self,
        position: &G,
        mv: G::Move,
        depth: u32,
        mover: Side,
        question: WinLossQuestion,
    ) -> i64 {
        if self.alarm.has_rung() {
            return 0;
        }
        let mut next = position.clone();
        next.play(mv);
        self.work.transitions += 1;
        let (search, alarm) = (&mut self.minimax.search, &mut self.alarm);
        search.value_until(&next, depth - 1, mover, question, alarm).unwrap_or(0)
    }
}
