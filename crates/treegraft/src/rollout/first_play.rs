//! First play: the order in which the untried children of a node get their first visit.
//!
//! Random order is drawn child by child, ahead of need ([`Tree::draw`](super::tree::Tree::draw)).
//! Any other order is made once, when a node gets its children, by one arm of the match below;
//! MCTS-MR's own searches may then put winning moves first and losing moves last.

use std::cmp::Reverse;

use super::{FirstPlay, Worker};
use crate::Game;
use crate::depth_first::WIN;
use crate::observe::Observer;
use crate::weights::sort_by_weight_or_hint;

impl<G: Game, O: Observer<G::Move>> Worker<'_, G, O> {
    /// Sorts the moves in `buffer` into the order in which they are tried, ties in random order.
    pub(super) fn order_first_plays(&mut self, position: &G) {
        self.rng.shuffle(&mut self.buffer);
        match self.shared.config.first_play {
            FirstPlay::Random => {}
            FirstPlay::Hint => sort_by_weight_or_hint(position, None, &mut self.buffer),
            FirstPlay::Value => {
                let mut moves = std::mem::take(&mut self.buffer);
                moves.sort_by_cached_key(|&mv| Reverse(self.value_after(position, mv)));
                self.buffer = moves;
            }
        }
        if let Some(depth) = self.shared.schedule.expand {
            self.put_wins_first(position, depth);
        }
    }

    /// The evaluation after a move, for the side that makes it; anything once the time is over.
    fn value_after(&mut self, position: &G, mv: G::Move) -> i64 {
        if self.alarm.rings_before(1) {
            return 0;
        }
        let mut next = position.clone();
        next.play(mv);
        self.work.transitions += 1;
        let value = match next.outcome() {
            Some(outcome) => outcome.value() * WIN,
            None => self.informed.own().evaluate(&next),
        };
        self.count_work();
        position.to_move().sign() * value
    }
}
