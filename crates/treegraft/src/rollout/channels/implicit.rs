//! Implicit minimax backups: a second value of every node, from evaluations (Lanctot, Winands, Pepels
//! & Sturtevant 2014).
//!
//! A node is worth its evaluation until it has children in the tree, and then the best of their
//! values for the side to move.

use crate::observe::Observer;
use crate::rollout::Worker;
use crate::rollout::tree::NO_VALUE;
use crate::{Game, Outcome, Side};

impl<G: Game, O: Observer<G::Move>> Worker<'_, G, O> {
    /// Evaluates a new node of the tree. A finished game is worth its outcome.
    #[inline]
    pub(super) fn implicit_value(&mut self, position: &G, outcome: Option<Outcome>) -> f32 {
        let value = match outcome {
            Some(outcome) => outcome.value() as f64,
            None => {
                let value = self.informed.own().evaluate(position);
                self.count_work();
                self.shared.reward(value)
            }
        };
        value as f32
    }
}

/// The best value among the children that have one, in the first player's view.
pub(super) fn best(values: &[f32], mover: Side) -> f32 {
    // What has no value is not a number, which loses every comparison.
    let values = values.iter().copied();
    match mover {
        Side::First => values.reduce(f32::max),
        Side::Second => values.reduce(f32::min),
    }
    .unwrap_or(NO_VALUE)
}
