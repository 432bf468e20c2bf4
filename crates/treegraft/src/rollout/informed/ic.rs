//! MCTS-IC: a playout that is cut off has the value of its last position (Baier & Winands 2014). With
//! dynamic early termination it is won by the side that is clearly ahead (Lanctot et al. 2014).

#[cfg(test)]
use super::Event;
use crate::Game;
use crate::observe::Observer;
use crate::rollout::{Mercy, Worker};

impl<G: Game, O: Observer<G::Move>> Worker<'_, G, O> {
    /// The reward of a playout that is cut off after `plies` plies; `None` if it goes on.
    #[inline(always)]
    pub(in crate::rollout) fn cut_off(&mut self, position: &G, plies: u32) -> Option<f64> {
        if self.shared.config.informed.ic == Some(plies) {
            return Some(self.value_at_cut(position));
        }
        match self.shared.config.informed.det {
            Some(mercy) if plies > 0 && plies.is_multiple_of(mercy.every) => {
                self.mercy(position, mercy)
            }
            Some(_) | None => None,
        }
    }

    fn value_at_cut(&mut self, position: &G) -> f64 {
        let reward = self.judge(position, self.shared.config.informed.ic_depth);
        #[cfg(test)]
        self.informed.log.push(Event::Cut(position.clone(), reward));
        reward
    }

    /// The reward of the side that is clearly ahead, if one is.
    fn mercy(&mut self, position: &G, Mercy { bound, .. }: Mercy) -> Option<f64> {
        let value = self.judge(position, 0);
        let reward = (value.abs() > bound).then(|| value.signum());
        #[cfg(test)]
        self.informed.log.push(Event::Mercy(position.clone(), reward));
        reward
    }
}
