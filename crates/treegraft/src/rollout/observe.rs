//! What an observer sees. Nothing here is compiled into a search without an observer.

use super::tree::{Id, ROOT};
use super::{Channel, Rollout, Step, Worker};
use crate::observe::{By, Event, Observer, Phase, Watcher, What};
use crate::{Game, Outcome, Report, Request, Side};

impl<G: Game> Rollout<G> {
    /// Like [`search`](crate::Searcher::search), but passes `observer` everything that happens.
    pub fn search_observed(
        &mut self,
        position: &G,
        request: Request<'_, G::Move>,
        observer: &mut dyn FnMut(Event<G::Move>),
    ) -> Report<G::Move> {
        self.search_with(position, request, Watcher::new(observer))
    }
}

/// All of these are empty for [`Unobserved`](crate::observe::Unobserved).
impl<G: Game, O: Observer<G::Move>> Worker<'_, G, O> {
    /// A child that has been tried is selected at a node.
    #[inline(always)]
    pub(super) fn see_select(&mut self, node: Id, child: Id) {
        self.see_at(node, |it| {
            let (visits, mean) = (it.visits(child), it.tree.value(child as usize));
            let (mv, by) = (it.tree.moves[child as usize], By::Confidence { visits, mean });
            What::Select { mv, by }
        });
    }

    /// The simulation has come to a decided node.
    #[inline(always)]
    pub(super) fn see_decided(&mut self, outcome: Outcome) {
        if O::IS_ON {
            let path = self.moves_to(self.path.len() - 1);
            self.observer.see_at(path, What::Decided { outcome });
        }
    }

    /// A playout begins. What is returned has to be handed to [`see_playout`](Self::see_playout).
    #[inline(always)]
    pub(super) fn see_playout_begin(&mut self) -> u64 {
        if O::IS_ON {
            // Until the playout ends, the observer's path is that of its moves.
            self.observer.go_to(Vec::new());
            return self.work.playout_plies;
        }
        0
    }

    #[inline(always)]
    pub(super) fn see_playout(&mut self, plies_before: u64, reward: f64) {
        if O::IS_ON {
            let plies = (self.work.playout_plies - plies_before) as u32;
            let moves = self.observer.path();
            let depth = self.shared.schedule.playouts.filter(|_| !moves.is_empty());
            let strategies = self.observer.take_notes();
            let path = self.moves_to(self.path.len() - 1);
            let what = What::Playout { reward, plies, moves, depth, strategies };
            self.observer.see_at(path, what);
        }
    }

    /// The strategies of the next playout, for both sides or for each.
    #[inline(always)]
    pub(super) fn see_strategies<'n>(&mut self, names: impl Iterator<Item = &'n str>) {
        if O::IS_ON {
            names.for_each(|name| self.observer.note(name.to_owned()));
        }
    }

    /// The first `len` nodes on the path have got a reward.
    #[inline(always)]
    pub(super) fn see_rewards(&mut self, reward: f64, len: usize) {
        if O::IS_ON {
            (0..len).rev().for_each(|place| self.see_reward(place, reward));
        }
    }

    #[inline(always)]
    pub(super) fn see_reward(&mut self, place: usize, reward: f64) {
        if O::IS_ON {
            let node = self.path[place].node;
            let mean = self.tree.value(node as usize).unwrap_or(reward);
            let what = What::Reward { reward, visits: self.visits(node), mean };
            self.observer.see_at(self.moves_to(place), what);
        }
    }

    /// The bounds of a node are new.
    #[inline(always)]
    pub(super) fn see_narrow(&mut self, node: Id) {
        let bounds = |it: &Self| it.tree.bounds(node as usize);
        self.see_at(node, |it| What::Narrow { bounds: bounds(it), depth: None });
    }

    #[inline(always)]
    pub(super) fn see_channel(&mut self, channel: Channel, node: usize) {
        self.see_at(node as Id, |it| What::Channel {
            channel,
            value: f64::from(it.tree.channel(channel)[node]),
        });
    }

    /// An embedded search of a node's moves has found some of them won or lost.
    #[inline(always)]
    pub(super) fn see_minimax(
        &mut self,
        phase: Phase,
        node: Option<Id>,
        depth: u32,
        asked: &[G::Move],
        found: impl Iterator<Item = (G::Move, Side)>,
    ) {
        if O::IS_ON {
            let found = found.map(|(mv, winner)| (mv, Outcome::Win(winner))).collect();
            let what = What::Minimax { phase, depth, asked: asked.to_vec(), found };
            match node {
                Some(node) => self.see_at(node, |_| what),
                None => self.observer.see(|| what),
            }
        }
    }

    /// The children that an embedded search on the way up is about to search.
    #[inline(always)]
    pub(super) fn see_open_children(&self, node: Id) -> Vec<usize> {
        if O::IS_ON {
            let is_open = |&child: &usize| self.tree.bounds(child).outcome().is_none();
            return self.tree.children(node).filter(is_open).collect();
        }
        Vec::new()
    }

    /// What it has found about them.
    #[inline(always)]
    pub(super) fn see_minimax_of_children(&mut self, node: Id, depth: u32, asked: &[usize]) {
        if O::IS_ON {
            let winner = |child: usize| self.tree.bounds(child).outcome().and_then(Outcome::winner);
            let found = |&child: &usize| Some((self.tree.moves[child], winner(child)?));
            let found: Vec<(G::Move, Side)> = asked.iter().filter_map(found).collect();
            let asked: Vec<G::Move> = asked.iter().map(|&child| self.tree.moves[child]).collect();
            self.see_minimax(Phase::BackUp, Some(node), depth, &asked, found.into_iter());
        }
    }

    #[inline(always)]
    pub(super) fn see_priors(&mut self, node: Id, values: &[f64]) {
        self.see_at(node, |it| {
            let moves = it.tree.children(node).map(|child| it.tree.moves[child]);
            What::Priors { values: moves.zip(values.iter().copied()).collect() }
        });
    }

    /// Where the search is about to expand a node, for the events on the way.
    #[inline(always)]
    pub(super) fn see_at_node(&mut self, node: Id) {
        if O::IS_ON {
            self.observer.go_to(self.path_of(node));
        }
    }

    /// Something happens at a node.
    #[inline(always)]
    pub(super) fn see_at(&mut self, node: Id, what: impl FnOnce(&Self) -> What<G::Move>) {
        if O::IS_ON {
            self.observer.see_at(self.path_of(node), what(self));
        }
    }

    fn visits(&self, node: Id) -> u64 {
        u64::from(self.tree.rows[node as usize].visits)
    }

    /// The moves to a place on the path.
    fn moves_to(&self, place: usize) -> Vec<G::Move> {
        self.path[1..=place].iter().map(|step| self.tree.moves[step.node as usize]).collect()
    }

    /// The moves to a node on the path, to a child of one, or to the node where alpha-beta is.
    fn path_of(&self, node: Id) -> Vec<G::Move> {
        if node == ROOT {
            return Vec::new();
        }
        if let Some(place) = self.path.iter().position(|step| step.node == node) {
            return self.moves_to(place);
        }
        let is_parent = |step: &Step| self.tree.children(step.node).contains(&(node as usize));
        let mv = self.tree.moves[node as usize];
        if let Some(place) = self.path.iter().rposition(is_parent) {
            let mut moves = self.moves_to(place);
            moves.push(mv);
            return moves;
        }
        if self.tree.children(ROOT).contains(&(node as usize)) {
            return vec![mv];
        }
        self.observer.path()
    }
}
