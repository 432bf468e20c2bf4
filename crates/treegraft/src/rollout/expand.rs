//! Expansion: giving a leaf its children.

use super::tree::{Id, ROOT};
use super::{Expand, Solver, Worker};
use crate::observe::{Observer, What};
use crate::{Bounds, Exactness, Game, Outcome};

impl<G: Game, O: Observer<G::Move>> Worker<'_, G, O> {
    /// The root is expanded before the first simulation, so that its moves can be reported.
    pub(super) fn expand_root(&mut self) {
        if self.shared.schedule.proves() {
            // The root of a kept tree may have been proven by a search that found no move for it.
            let nothing = self.tree.no_bounds();
            self.tree.set_bounds(ROOT as usize, nothing);
            self.update_bounds(ROOT, self.root.to_move());
        }
        // The last search may have left its path.
        self.path.clear();
        if self.tree.rows[ROOT as usize].count == 0 {
            let root = self.root.clone();
            self.set_channels(ROOT as usize, &root, None);
            // The arena always has room for the root's children, or nothing can be searched.
            self.expand(ROOT, &root);
        }
        // The report looks at all children.
        self.tree.clear_untried(ROOT);
    }

    /// Gives `node` its children, untried; `false` if the arena is full.
    #[inline(always)]
    pub(super) fn expand(&mut self, node: Id, position: &G) -> bool {
        self.buffer.clear();
        position.moves(&mut self.buffer);
        self.see_at_node(node);
        if let Some(evaluator) = &self.shared.foresight {
            evaluator.foresee_children(position, &self.buffer);
        }
        if self.tree.is_ordered {
            self.order_first_plays(position);
        }
        if !self.tree.add_children(node, &self.buffer) {
            return false;
        }
        self.see_at(node, |it| What::Expand { moves: it.buffer.clone() });
        if self.tree.side.tables.is_present() {
            self.tree.add_table(node);
        }
        self.tree.draw(node, &mut self.rng);
        if self.shared.config.expand == Expand::All {
            self.look_at_children(node, position);
        }
        true
    }

    /// Marks the children at which the game is over.
    fn look_at_children(&mut self, node: Id, position: &G) {
        let mover = position.to_move();
        self.alarm.expect(self.tree.children(node).len());
        for child in self.tree.children(node) {
            let mut next = position.clone();
            next.play(self.tree.moves[child]);
            self.work.transitions += 1;
            self.work.nodes += 1;
            let outcome = next.outcome();
            if let Some(outcome) = outcome {
                self.mark_finished(child, &next, outcome);
            }
            self.set_channels(child, &next, outcome);
        }
        self.set_channels_of_parent(node, mover);
        if self.update_bounds(node, mover) {
            self.note_news();
        }
    }

    /// The game is over at this node.
    #[inline(always)]
    pub(super) fn mark_finished(&mut self, node: usize, position: &G, outcome: Outcome) {
        self.tree.rows[node].set_finished();
        let score = match self.shared.config.solver {
            Solver::Off => None,
            Solver::Wins => (outcome != Outcome::Draw).then_some(outcome.value()),
            Solver::Draws => Some(outcome.value()),
            Solver::Margins => {
                self.has_margins |= position.exactness().margin().is_some();
                Some(position.exactness().margin().unwrap_or(outcome.value()))
            }
        };
        if let Some(score) = score {
            self.tree.set_bounds(node, Bounds::exactly(score));
            self.see_narrow(node as Id);
        }
    }
}
