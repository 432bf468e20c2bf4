//! MCTS-IC: a playout that is cut off has the value of its last position (Baier & Winands 2014).

#[cfg(test)]
use super::Event;
use crate::Game;
use crate::rollout::RolloutSearch;

impl<G: Game> RolloutSearch<'_, G> {
    /// The reward of a playout that is cut off here.
    pub(in crate::rollout) fn cut_off(&mut self, position: &G) -> f64 {
        let reward = self.judge(position, self.config.informed.ic_depth);
        #[cfg(test)]
        self.informed.log.push(Event::Cut(position.clone(), reward));
        reward
    }
}
