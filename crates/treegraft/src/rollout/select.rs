//! Selection: the way from the root to a leaf, by upper confidence bounds.

use super::amaf::{best_by_amaf, choose_by_amaf};
use super::tree::{Id, MEAN, ROOT, Row, UNKNOWN};
use super::ucb::{Formula, UpperConfidenceBounds};
use super::{Leaf, PlayoutFrom, Step, Worker};
use crate::bits::Simd;
use crate::observe::{By, Observer, What};
use crate::{Game, Knowledge, Outcome, Side};

crate::dispatch! {
    /// The way down with AMAF statistics.
    pub(super) fn descend_with_amaf<G: Game, O: Observer<G::Move>>(
        search: &mut Worker<'_, G, O>,
        position: &mut G,
    ) -> Leaf = descend_with_amaf_on;
}

#[inline(always)]
fn descend_with_amaf_on<C: Simd, G: Game, O: Observer<G::Move>>(
    cpu: C,
    search: &mut Worker<'_, G, O>,
    position: &mut G,
) -> Leaf {
    search.amaf.begin();
    search.descend::<C, true>(cpu, position)
}

impl<G: Game, O: Observer<G::Move>> Worker<'_, G, O> {
    /// Goes down the tree until a node is new, finished, or not to be expanded. The way is left in
    /// `path`, and `position` follows it. Whether moves are noted for AMAF statistics, and selection uses
    /// these, is known when it is compiled: the plain way has nothing of it.
    #[inline(always)]
    pub(super) fn descend<C: Simd, const AMAF: bool>(&mut self, cpu: C, position: &mut G) -> Leaf {
        let (select_at, expand_at) = (self.shared.schedule.select_at, self.shared.config.expand_at);
        let (rave, formula) = (self.shared.config.rave, self.shared.formula);
        let mut node = ROOT;
        loop {
            let mover = position.to_move();
            self.path.push(Step { node, mover });
            let mut row = self.tree.rows[node as usize];
            if row.finished() {
                // Proven nodes are excluded: this is a draw, or nothing is proven here.
                return Leaf::Finished(position.outcome().expect("the node is finished"));
            }
            // MCTS-MS, before the node is expanded at the same number of visits.
            if row.visits == select_at {
                if let Some(outcome) = self.minimax_selection(node, position) {
                    return Leaf::Finished(outcome);
                }
                row = self.tree.rows[node as usize];
            }
            debug_assert!(
                !self.tree.bounds(node as usize).is_exact(),
                "decided nodes are excluded"
            );
            if row.count == 0 {
                if row.visits < expand_at || !self.expand(node, position) {
                    return Leaf::Open;
                }
                let bounds = self.tree.bounds(node as usize);
                if bounds.is_exact() {
                    // Looking at all children has just decided it.
                    return Leaf::Finished(Outcome::from_margin(bounds.lo));
                }
                row = self.tree.rows[node as usize];
            }
            // MCTS-IP; in all other searches, never.
            if row.visits >= self.informed.prior_at && !self.tree.is_primed(node as usize) {
                if let Some(outcome) = self.give_priors(node, position) {
                    return Leaf::Finished(outcome);
                }
                row = self.tree.rows[node as usize];
            }
            let mut chosen = None;
            if row.tried < row.count {
                if AMAF && rave.is_some_and(|rave| rave.untried) {
                    chosen = choose_by_amaf(self, node, row, position);
                }
                if chosen.is_none()
                    && let Some(leaf) = self.try_new_child::<AMAF>(node, position)
                {
                    return leaf;
                }
                // A tried one was chosen, or the arena has no room for another: only the tried ones can
                // be selected.
                let tried = self.tree.tried(node);
                if tried.clone().all(|child| !self.tree.hot[child][MEAN].is_finite()) {
                    return Leaf::Open;
                }
                (row.first, row.count, row.selected) = (tried.start as Id, row.tried, UNKNOWN);
            }
            self.tree.prefetch_children(&row);
            let place = match row.selected {
                UNKNOWN if AMAF && rave.is_some() => match chosen {
                    Some(place) => place as Id,
                    None => best_by_amaf(self, node, row, position).0 as Id,
                },
                UNKNOWN => self.best_by(cpu, formula, node, &row, mover) as Id,
                place => Id::from(place),
            };
            debug_assert!(
                rave.is_some() || place as usize == self.best_child(cpu, node, &row, mover),
                "what was selected is up to date"
            );
            let child = row.first + place;
            self.see_select(node, child);
            if AMAF {
                self.amaf.step(position, self.tree.moves[child as usize]);
            }
            position.play(self.tree.moves[child as usize]);
            // MCTS-αβ.
            if self.has_alpha_beta()
                && let Some(leaf) = self.arrive(child, node, position)
            {
                return leaf;
            }
            node = child;
        }
    }

    /// Unvisited children come first, in the order of `first_play.rs`; the next one is known already.
    /// `None` if the arena is full.
    #[inline(always)]
    fn try_new_child<const AMAF: bool>(&mut self, node: Id, position: &mut G) -> Option<Leaf> {
        let at = self.tree.next_row(node)?;
        let row = &mut self.tree.rows[node as usize];
        let family = usize::from(row.count);
        row.tried += 1;
        let mv = row.next;
        debug_assert!(mv == self.tree.moves[at], "the next child is drawn");
        self.tree.prepare(at, family, mv);
        self.see_at(node, |_| What::Select { mv, by: By::Untried });
        if self.tree.side.biases.is_present() {
            self.set_bias(at, position, mv);
        }
        if AMAF {
            self.amaf.step(position, mv);
        }
        position.play(mv);
        self.drawn = self.tree.draw_ahead(node, &mut self.rng);
        if self.has_alpha_beta()
            && let Some(leaf) = self.try_proving(at as Id, node, position)
        {
            return Some(leaf);
        }
        Some(self.new_leaf(at as Id, position))
    }

    /// Gives the parent of the new leaf the child that it tries next.
    #[inline(always)]
    pub(super) fn finish_draw(&mut self) {
        if let Some(drawn) = self.drawn.take() {
            self.tree.finish_draw(drawn);
        }
    }

    /// The end of a descent, at a node that no simulation has reached before.
    #[inline(always)]
    pub(super) fn new_leaf(&mut self, node: Id, position: &G) -> Leaf {
        self.work.nodes += 1;
        self.path.push(Step { node, mover: position.to_move() });
        let outcome = position.outcome();
        // im, cb and hb.
        if self.tree.has_channels() {
            self.set_channels_of_leaf(position, outcome);
        }
        match outcome {
            Some(outcome) => {
                self.mark_finished(node as usize, position, outcome);
                Leaf::Finished(outcome)
            }
            None if self.shared.config.playout_from == PlayoutFrom::Node => {
                self.expand_new_leaf(node, position)
            }
            None if self.shared.schedule.at_leaves => {
                self.minimax_at_leaf(node, position).map_or(Leaf::Open, Leaf::Finished)
            }
            None => Leaf::Open,
        }
    }

    /// Gives a new leaf its children with its first visit, and the playout to the leaf itself.
    #[inline(never)]
    fn expand_new_leaf(&mut self, node: Id, position: &G) -> Leaf {
        if self.shared.schedule.at_leaves
            && let Some(outcome) = self.minimax_at_leaf(node, position)
        {
            return Leaf::Finished(outcome);
        }
        self.expand(node, position);
        let bounds = self.tree.bounds(node as usize);
        if bounds.is_exact() { Leaf::Finished(Outcome::from_margin(bounds.lo)) } else { Leaf::Open }
    }

    /// Gives a child that is tried its progressive bias; `position` is its parent's.
    pub(super) fn set_bias(&mut self, child: usize, position: &G, mv: G::Move) {
        let weight = self.shared.config.progressive_bias.unwrap_or(0.0);
        // A number that is not from 0 to 1 means nothing.
        let told =
            position.knowledge().transition_probability(mv).filter(|p| (0.0..=1.0).contains(p));
        let probability = told.unwrap_or(0.0);
        let bias = position.to_move().sign() as f64 * weight * probability;
        self.tree.side.biases[child] = bias as f32;
    }

    /// Selects at every node of the path but the last the child that its next visit will go to. If
    /// anything that was compared changes before that visit, the selection is forgotten.
    ///
    /// On the way down, everything below would wait for the comparison. After a simulation nothing
    /// does: the processor works on all nodes of the path at once.
    #[inline(always)]
    pub(super) fn select_ahead<C: Simd>(&mut self, cpu: C) {
        let formula = self.shared.formula;
        for place in 0..self.path.len() - 1 {
            let Step { node, mover } = self.path[place];
            let row = self.tree.rows[node as usize];
            if row.tried == row.count {
                let place = self.best_by(cpu, formula, node, &row, mover);
                self.tree.rows[node as usize].selected = place.min(usize::from(UNKNOWN)) as u8;
            }
        }
    }

    /// The place among its siblings of the child with the highest upper confidence bound.
    ///
    /// Children stand in the order in which they were first tried, which is random unless first play
    /// has a policy: then taking the first of several equal ones prefers none of them.
    #[inline(always)]
    pub(super) fn best_child<C: Simd>(
        &self,
        cpu: C,
        node: Id,
        row: &Row<G::Move>,
        mover: Side,
    ) -> usize {
        self.best_by(cpu, self.shared.formula, node, row, mover)
    }

    /// The same where the formula is at hand, as in loops.
    #[inline(always)]
    fn best_by<C: Simd>(
        &self,
        cpu: C,
        formula: Formula,
        node: Id,
        row: &Row<G::Move>,
        mover: Side,
    ) -> usize {
        let sqrt_ln = self.shared.sqrt_ln.of(self.tree.selection_visits(node as usize));
        let sign = mover.sign() as f32;
        UpperConfidenceBounds::of_children(formula, &self.tree, row, sign, sqrt_ln).argmax(cpu)
    }
}
