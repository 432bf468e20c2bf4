//! MCTS-IC: a playout that is cut off has the value of its last position (Baier & Winands 2014).

#[cfg(test)]
use super::Event;
use crate::Game;
use crate::rollout::RolloutSearch;

impl<G: Game> RolloutSearch<'_, G> {
    /// The reward of a playout that is cut off after `cut` plies, when it has made so many.
    #[inline(always)]
    pub(in crate::rollout) fn cut_off(
        &mut self,
        position: &G,
        cut: Option<u32>,
        plies: u32,
    ) -> Option<f64> {
        (cut == Some(plies)).then(|| self.value_at_cut(position))
    }

    fn value_at_cut(&mut self, position: &G) -> f64 {
        let reward = self.judge(position, self.config.informed.ic_depth);
        #[cfg(test)]
        self.informed.log.push(Event::Cut(position.clone(), reward));
        reward
    }
}
