//! Minimax inside the simulations: MCTS-MR, MCTS-MS and MCTS-MB (Baier & Winands 2015).

use super::tree::Id;
use super::{Config, Playouts, Run, Solver, Step};
use crate::depth_first::{Question, WinLoss};
use crate::{Bounds, Game, Outcome, Playout, Side};

/// The searches inside a rollout search: when they are made, and their scratch memory.
#[derive(Debug)]
pub(super) struct Minimax<M> {
    /// MCTS-MR: the depth.
    pub(super) playouts: Option<u32>,
    /// MCTS-MS: the visits at which a node is searched; no node has the largest number.
    pub(super) select_at: u32,
    select_depth: u32,
    /// MCTS-MB: the depth.
    pub(super) back_up: Option<u32>,
    /// Whether a search was given up because the time is over: none will be made any more.
    pub(super) gave_up: bool,
    pub(super) search: WinLoss<M>,
    /// Moves to search, and those found lost.
    moves: Vec<M>,
    lost: Vec<M>,
    /// What was searched, for tests.
    #[cfg(test)]
    pub(super) log: Vec<Event<M>>,
}

/// A search inside, as tests see it.
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

impl<M: Copy> Minimax<M> {
    pub(super) fn new(config: &Config) -> Minimax<M> {
        let proves = config.solver != Solver::Off;
        let ms = config.embed.ms.filter(|ms| proves && ms.depth > 0);
        let mut search = WinLoss::default();
        (search.k, search.order) = (config.embed.k, config.embed.order);
        Minimax {
            playouts: config.embed.mr.filter(|&depth| depth > 0),
            select_at: ms.map_or(u32::MAX, |ms| ms.visits),
            select_depth: ms.map_or(0, |ms| ms.depth),
            back_up: config.embed.mb.filter(|&depth| proves && depth > 0),
            gave_up: false,
            search,
            moves: Vec::new(),
            lost: Vec::new(),
            #[cfg(test)]
            log: Vec::new(),
        }
    }

    /// Whether children may be proven that were never tried.
    pub(super) fn proves(&self) -> bool {
        self.select_at != u32::MAX || self.back_up.is_some()
    }

    /// The moves played in searches since the last call.
    pub(super) fn take_transitions(&mut self) -> u64 {
        std::mem::take(&mut self.search.transitions)
    }
}

impl<G: Game> Run<'_, G> {
    /// A playout in which every move is searched for.
    #[inline(always)]
    pub(super) fn minimax_playout(&mut self, position: &mut G, depth: u32, limit: u32) -> Playout {
        let mut plies = 0;
        loop {
            if let Some(outcome) = position.outcome() {
                return Playout { outcome, plies, capped: false };
            }
            if plies == limit {
                return Playout { outcome: Outcome::Draw, plies, capped: true };
            }
            let mv = self.minimax_move(position, depth);
            position.play(mv);
            plies += 1;
        }
    }

    /// MCTS-MR: a move that wins within `depth` plies, else one that does not lose within them,
    /// else any, uniformly or by hints.
    #[inline(always)]
    pub(super) fn minimax_move(&mut self, position: &G, depth: u32) -> G::Move {
        // The game's own way knows neither k nor hints.
        let quick = match (self.minimax.search.k, self.config.playouts) {
            (None, Playouts::Random) => position.minimax_move(depth, &mut self.rng),
            _ => None,
        };
        let mv = match quick {
            Some(mv) => mv,
            None => match self.moves_left(position, depth) {
                Some(mv) => mv,
                None => self.any_move(position),
            },
        };
        #[cfg(test)]
        self.minimax.log.push(Event::Playout(position.key(), mv));
        mv
    }

    /// A move that wins; or else leaves the moves to choose from in `buffer`.
    pub(super) fn moves_left(&mut self, position: &G, depth: u32) -> Option<G::Move> {
        self.buffer.clear();
        position.moves(&mut self.buffer);
        // The first win in random order is a random win.
        self.rng.shuffle(&mut self.buffer);
        let mover = position.to_move();
        // Moves that do not lose are gathered in front.
        let mut safe = 0;
        for i in 0..self.buffer.len() {
            match self.value_of(position, self.buffer[i], depth, mover, Question::Value) {
                1 => return Some(self.buffer[i]),
                -1 => {}
                _ => {
                    self.buffer.swap(safe, i);
                    safe += 1;
                }
            }
        }
        if safe > 0 {
            self.buffer.truncate(safe);
        }
        None
    }

    /// MCTS-MS: looks for moves that lose at a node that has just been reached, and remembers them.
    /// Returns the outcome if that decides the node.
    #[cold]
    pub(super) fn minimax_selection(&mut self, node: Id, position: &G) -> Option<Outcome> {
        let (depth, mover) = (self.minimax.select_depth, position.to_move());
        let mut moves = std::mem::take(&mut self.minimax.moves);
        moves.clear();
        if self.tree.rows[node as usize].count == 0 {
            position.moves(&mut moves);
        } else {
            moves.extend(self.open_children(node).map(|child| self.tree.moves[child]));
        }
        let mut lost = std::mem::take(&mut self.minimax.lost);
        lost.clear();
        for &mv in &moves {
            if self.value_of(position, mv, depth, mover, Question::IsLost) < 0 {
                lost.push(mv);
            }
        }
        #[cfg(test)]
        {
            let visits = self.tree.rows[node as usize].visits;
            self.minimax.log.push(Event::Selection(node, visits, moves.clone()));
        }
        if !lost.is_empty() {
            self.remember_lost(node, position, &lost, lost.len() == moves.len());
        }
        self.minimax.moves = moves;
        self.minimax.lost = lost;
        let bounds = self.tree.bounds(node as usize);
        bounds.is_exact().then(|| Outcome::from_margin(bounds.lo))
    }

    /// Writes down that these moves of a node, or all its moves, are lost.
    fn remember_lost(&mut self, node: Id, position: &G, lost: &[G::Move], all: bool) {
        let mover = position.to_move();
        if self.tree.rows[node as usize].count > 0 || self.expand(node, position) {
            for &mv in lost {
                let child = self.tree.children(node).find(|&child| self.tree.moves[child] == mv);
                if let Some(child) = child {
                    self.narrow(child, mover.other());
                }
            }
            if self.set_bounds(node, mover) {
                self.note_news();
            }
        } else if all {
            // There is no room for the children, but none is needed.
            self.narrow(node as usize, mover.other());
            self.note_news();
        }
    }

    /// MCTS-MB: at a place on the path whose next node has just been proven lost for the side that
    /// chose it, looks for wins and losses among the other moves. Returns whether that changed what
    /// is known of the node.
    pub(super) fn minimax_back_up(&mut self, place: usize) -> bool {
        let Step { node, mover } = self.path[place];
        let child = self.path[place + 1].node as usize;
        let is_lost = self.tree.bounds(child).outcome() == Some(Outcome::Win(mover.other()));
        let is_open = self.tree.bounds(node as usize).outcome().is_none();
        // Every open move was searched the first time: once more would find nothing new.
        if !is_lost || !is_open || self.tree.rows[node as usize].searched() {
            return false;
        }
        let depth = self.minimax.back_up.unwrap_or(0);
        let mut position = self.root.clone();
        for step in &self.path[1..=place] {
            position.play(self.tree.moves[step.node as usize]);
        }
        self.work.transitions += place as u64;
        #[cfg(test)]
        {
            let moves = self.open_children(node).map(|child| self.tree.moves[child]).collect();
            self.minimax.log.push(Event::BackUp(node, moves));
        }
        for child in self.tree.children(node) {
            if self.tree.bounds(child).outcome().is_some() {
                continue;
            }
            let mv = self.tree.moves[child];
            match self.value_of(&position, mv, depth, mover, Question::Value) {
                1 => {
                    self.narrow(child, mover);
                    break;
                }
                -1 => self.narrow(child, mover.other()),
                _ => {}
            }
        }
        if !self.minimax.gave_up {
            self.tree.rows[node as usize].set_searched();
        }
        self.set_bounds(node, mover)
    }

    /// The children whose outcome is not known.
    fn open_children(&self, node: Id) -> impl Iterator<Item = usize> {
        self.tree.children(node).filter(|&child| self.tree.bounds(child).outcome().is_none())
    }

    /// This side wins at this node; by how much is not known.
    fn narrow(&mut self, node: usize, winner: Side) {
        let Bounds { lo, hi } = self.tree.bounds(node);
        let bounds = match winner {
            Side::First => Bounds { lo: lo.max(1), hi },
            Side::Second => Bounds { lo, hi: hi.min(-1) },
        };
        self.tree.set_bounds(node, bounds);
    }

    /// The value of a move for `mover` in a search of `depth` plies, the move included: 1 won, -1
    /// lost, 0 neither, or not searched because the time is over.
    #[inline]
    fn value_of(
        &mut self,
        position: &G,
        mv: G::Move,
        depth: u32,
        mover: Side,
        question: Question,
    ) -> i64 {
        if self.minimax.gave_up {
            return 0;
        }
        let mut next = position.clone();
        next.play(mv);
        self.work.transitions += 1;
        let value = self.minimax.search.value_until(&next, depth - 1, mover, question, &self.alarm);
        self.minimax.gave_up = value.is_none();
        value.unwrap_or(0)
    }
}
