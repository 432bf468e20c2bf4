//! Virtual visits of new children: MCTS-IP takes them from values (Baier & Winands 2014), node priors
//! from the looks of a move (Gelly & Silver 2007).

#[cfg(test)]
use super::Event;
use crate::observe::Observer;
use crate::report::fold;
use crate::rollout::tree::Id;
use crate::rollout::{Expand, Worker};
use crate::{Game, Knowledge, Outcome};

impl<G: Game, O: Observer<G::Move>> Worker<'_, G, O> {
    /// Adds all children to the tree, with virtual visits. Returns the outcome if looking at them
    /// decides the node.
    #[cold]
    pub(in crate::rollout) fn give_priors(&mut self, node: Id, position: &G) -> Option<Outcome> {
        // In the order of first play, as if the children had been tried one by one.
        let (tried, children) = (self.tree.tried(node), self.tree.children(node));
        let np = self.shared.config.informed.np;
        if np.is_some()
            && position.knowledge().node_prior(self.tree.moves[children.start]).is_none()
        {
            // The game has none.
            self.informed.prior_at = u32::MAX;
            return None;
        }
        for at in tried.end..children.end {
            let drawn = at + self.tree.pick((children.end - at) as u32, &mut self.rng);
            self.tree.swap_untried(children.start, at, drawn);
        }
        let mut values = std::mem::take(&mut self.informed.values);
        values.clear();
        for child in children.clone() {
            let mut next = position.clone();
            next.play(self.tree.moves[child]);
            self.work.transitions += 1;
            let outcome = next.outcome();
            if let Some(outcome) = outcome {
                self.mark_finished(child, &next, outcome);
            }
            let mv = self.tree.moves[child];
            if self.shared.config.expand == Expand::One {
                self.set_channels(child, &next, outcome);
            }
            if self.tree.side.biases.is_present() {
                self.set_bias(child, position, mv);
            }
            let value = match (outcome.or(self.tree.bounds(child).outcome()), np) {
                (Some(outcome), _) => outcome.value() as f64,
                (None, Some(visits)) => node_prior(position, mv, visits),
                (None, None) => self.judge(&next, self.shared.config.informed.ip_depth),
            };
            self.digest = fold(self.digest, value.to_bits());
            values.push(value);
        }
        #[cfg(test)]
        self.informed.log.push(Event::Priors(node, self.tree.rows[node as usize].visits));
        for (child, &value) in children.clone().zip(&values) {
            self.tree.add_prior(child, self.path.len(), value);
        }
        self.see_priors(node, &values);
        self.informed.values = values;
        self.work.nodes += (children.end - tried.end) as u64;
        let row = &mut self.tree.rows[node as usize];
        row.tried = row.count;
        self.tree.set_primed(node as usize);
        self.set_channels_of_parent(node, position.to_move());
        if self.update_bounds(node, position.to_move()) {
            self.note_news();
        }
        let bounds = self.tree.bounds(node as usize);
        bounds.is_exact().then(|| Outcome::from_margin(bounds.lo))
    }
}

/// The mean of a move's virtual visits in the first player's view: a whole number of them is won, the
/// others are lost.
fn node_prior<G: Game>(position: &G, mv: G::Move, visits: u16) -> f64 {
    let visits = f64::from(visits);
    // A number that is not from 0 to 1 means nothing.
    let share = position.knowledge().node_prior(mv).filter(|share| (0.0..=1.0).contains(share));
    let wins = (share.unwrap_or(0.5) * visits).floor();
    position.to_move().sign() as f64 * (2.0 * wins - visits) / visits
}
