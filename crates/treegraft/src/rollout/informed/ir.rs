//! MCTS-IR: playout moves by their value (Baier & Winands 2014).

use crate::Game;
use crate::depth_first::Shallow;
use crate::observe::Observer;
use crate::rollout::shared::Policy;
use crate::rollout::{Ties, Worker};
use crate::weights::sort_by_weight_or_hint;

impl<G: Game, O: Observer<G::Move>> Worker<'_, G, O> {
    /// A move from `buffer` with the best value for the mover; of equals any, uniformly, or the first.
    pub(in crate::rollout) fn best_move(&mut self, policy: &Policy<G>, position: &G) -> G::Move {
        let depth = self.shared.config.informed.ir_depth;
        let is_random = self.shared.config.informed.ties == Ties::Random;
        // The first of the best in random order is a random one.
        if is_random {
            self.rng.shuffle(&mut self.buffer);
        }
        if let Some(k) = self.shared.config.embed.k
            && self.buffer.len() > k as usize
        {
            sort_by_weight_or_hint(position, policy.playouts.improved(), &mut self.buffer);
            self.buffer.truncate(k as usize);
            if is_random {
                self.rng.shuffle(&mut self.buffer);
            }
        }
        let mover = position.to_move();
        let (mut best, mut best_value) = (self.buffer[0], -Shallow::<G>::WIN);
        for i in 0..self.buffer.len() {
            if self.alarm.rings_before(1) {
                return self.any_move(policy, position);
            }
            let mut next = position.clone();
            next.play(self.buffer[i]);
            self.work.transitions += 1;
            let search = &mut self.informed.searches[policy.number];
            let value = search.value_above(best_value, &next, depth - 1, mover, &mut self.alarm);
            self.count_work_of(policy.number);
            let Some(value) = value else { return self.any_move(policy, position) };
            if value > best_value {
                (best, best_value) = (self.buffer[i], value);
                if value == Shallow::<G>::WIN {
                    break;
                }
            }
        }
        best
    }
}
