//! Backing up: rewards and proofs, from the leaf to the root.

use super::tree::{Id, MEAN};
use super::{NO_NEWS, Step, Worker};
use crate::bits::Simd;
use crate::observe::{Cut, Observer, What};
use crate::{Game, Outcome, Side};

impl<G: Game, O: Observer<G::Move>> Worker<'_, G, O> {
    /// Adds the reward (first player's view) to every node on the path, and carries a new proof at
    /// the leaf as far up as it goes.
    ///
    /// A node that has just lost a child, but has others, gets the loss as an ordinary reward: that
    /// is what the simulation's reward is already.
    ///
    /// Returns the reward that the first nodes on the path have got, and how many these are.
    #[inline(always)]
    pub(super) fn back_up<C: Simd>(
        &mut self,
        cpu: C,
        reward: f64,
        is_proven: bool,
    ) -> (f64, usize) {
        if self.channel_news != NO_NEWS {
            self.back_up_channels();
        }
        let (mut reward, mut len) = (reward, self.path.len());
        if is_proven || self.news != NO_NEWS {
            (reward, len) = self.back_up_proof(reward);
        }
        match self.shared.config.max_backpropagation {
            None => {
                (0..len).for_each(|i| self.tree.add_reward(self.path[i].node, i, reward));
                self.see_rewards(reward, len);
            }
            Some(visits) => self.back_up_maximum(reward, len, visits),
        }
        if self.shared.config.rave.is_some() {
            // What other simulations count would make the selection stale.
            return (reward, len);
        }
        self.select_ahead(cpu);
        (reward, len)
    }

    /// Maximum backpropagation: each of the first `len` nodes on the path gets a reward, the lowest
    /// one first. A node with at least `visits` visits passes the best value of its children up instead
    /// of its own reward.
    #[inline(never)]
    fn back_up_maximum(&mut self, mut reward: f64, len: usize, visits: u32) {
        for place in (0..len).rev() {
            let Step { node, mover } = self.path[place];
            self.tree.add_reward(node, place, reward);
            self.see_reward(place, reward);
            if self.tree.rows[node as usize].visits >= visits {
                reward = self.best_value(node, mover).unwrap_or(reward);
            }
        }
    }

    /// The best value that selection sees among the children of a node that can be selected, in the
    /// first player's view.
    fn best_value(&self, node: Id, mover: Side) -> Option<f64> {
        let visited = self.tree.tried(node).filter(|&child| self.tree.weighted_visits(child) > 0);
        let values = visited.map(|child| f64::from(self.tree.hot[child][MEAN]));
        let values = values.filter(|value| value.is_finite());
        match mover {
            Side::First => values.reduce(f64::max),
            Side::Second => values.reduce(f64::min),
        }
    }

    /// Carries new bounds up the path until a node's own do not change. They come from the leaf, or
    /// from a node above it at which something was proven on the way down.
    ///
    /// Returns a reward, and the number of nodes, from the root, that still have to be given it.
    /// This is the simulation's reward for the whole path, unless a search has found a win on the
    /// way up: then the nodes below it already have theirs.
    fn back_up_proof(&mut self, mut reward: f64) -> (f64, usize) {
        let news = std::mem::replace(&mut self.news, NO_NEWS);
        let mut len = self.path.len();
        self.bottom_up(|search, place| {
            let child = search.path[place + 1].node as usize;
            let Step { node, mover } = search.path[place];
            let is_news = search.tree.bounds(child) != search.tree.no_bounds();
            let mut changed = is_news && search.update_bounds(node, mover);
            if search.shared.schedule.back_up.is_some() && search.minimax_back_up(place) {
                changed = true;
                if search.tree.bounds(node as usize).outcome() == Some(Outcome::Win(mover)) {
                    for (depth, step) in search.path[..len].iter().enumerate().skip(place + 1) {
                        search.tree.add_reward(step.node, depth, reward);
                    }
                    (place + 1..len).rev().for_each(|place| search.see_reward(place, reward));
                    (reward, len) = (mover.sign() as f64, place + 1);
                }
            }
            changed || place >= news
        });
        (reward, len)
    }

    /// Goes up the path, from the leaf's parent towards the root, as long as `visit` returns
    /// `true`: for whatever a node derives from its children. `visit` is called with a place on the
    /// path.
    #[inline(always)]
    fn bottom_up(&mut self, mut visit: impl FnMut(&mut Self, usize) -> bool) {
        for place in (0..self.path.len() - 1).rev() {
            if !visit(self, place) {
                return;
            }
        }
    }

    /// Notes that the bounds of the last node on the path have changed on the way down.
    pub(super) fn note_news(&mut self) {
        self.news = self.news.min(self.path.len().saturating_sub(1));
    }

    /// Updates a node's bounds from those of its children, and excludes children that can no longer
    /// matter. Returns whether the bounds have changed, so that the parent has to be updated too.
    pub(super) fn update_bounds(&mut self, node: Id, mover: Side) -> bool {
        // Nothing is known of untried children, unless they have been looked at.
        let children = self.tree.known(node);
        let are_all = children.len() == usize::from(self.tree.rows[node as usize].count);
        let others = (!are_all).then(|| self.tree.no_bounds());
        let from_children = children
            .clone()
            .map(|child| self.tree.bounds(child))
            .chain(others)
            .reduce(|a, b| a.or(b, mover))
            .unwrap_or(self.tree.no_bounds());
        // An embedded search may have proven more than the children show.
        let known = self.tree.bounds(node as usize);
        let bounds = from_children.and(known);
        let changed = bounds != known;
        self.tree.set_bounds(node as usize, bounds);
        if changed {
            self.see_narrow(node);
        }
        let tried = self.tree.rows[node as usize].tried;
        for child in children.clone() {
            if self.tree.bounds(child).is_useless_to(mover, bounds)
                && self.tree.hot[child][MEAN].is_finite()
            {
                let moves = |it: &Self| vec![it.tree.moves[child]];
                self.see_at(node, |it| What::Cut { why: Cut::Proof, moves: moves(it) });
                self.exclude(node, child, mover);
            }
        }
        self.tree.rows[node as usize].forget_selected();
        if self.tree.rows[node as usize].tried != tried {
            self.tree.draw(node, &mut self.rng);
        }
        changed
    }

    /// Excludes a child, tried or not: its mean becomes infinitely bad, so that it is never selected.
    fn exclude(&mut self, node: Id, child: usize, mover: Side) {
        let tried = self.tree.tried(node);
        if child < tried.end {
            self.tree.exclude(child, mover);
        } else {
            let first = tried.start;
            self.tree.bring_forward(first, tried.end, child);
            self.tree.exclude(tried.end, mover);
            self.tree.rows[node as usize].tried += 1;
        }
    }
}
