//! MCTS-IP: values as virtual visits of new children (Baier & Winands 2014).

#[cfg(test)]
use super::Event;
use crate::report::fold;
use crate::rollout::RolloutSearch;
use crate::rollout::tree::Id;
use crate::{Game, Outcome};

impl<G: Game> RolloutSearch<'_, G> {
    /// MCTS-IP: adds all children to the tree, with virtual visits. Returns the outcome if looking
    /// at them decides the node.
    #[cold]
    pub(in crate::rollout) fn give_priors(&mut self, node: Id, position: &G) -> Option<Outcome> {
        // In the order of first play, as if the children had been tried one by one.
        let (tried, children) = (self.tree.tried(node), self.tree.children(node));
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
            let value = match outcome.or(self.tree.bounds(child).outcome()) {
                Some(outcome) => outcome.value() as f64,
                None => self.judge(&next, self.config.informed.ip_depth),
            };
            self.digest = fold(self.digest, value.to_bits());
            values.push(value);
        }
        #[cfg(test)]
        self.informed.log.push(Event::Priors(node, self.tree.rows[node as usize].visits));
        for (child, &value) in children.clone().zip(&values) {
            self.tree.add_prior(child, value);
        }
        self.informed.values = values;
        self.work.nodes += (children.end - tried.end) as u64;
        let row = &mut self.tree.rows[node as usize];
        row.tried = row.count;
        self.tree.set_primed(node as usize);
        if self.set_bounds(node, position.to_move()) {
            self.note_news();
        }
        let bounds = self.tree.bounds(node as usize);
        bounds.is_exact().then(|| Outcome::from_margin(bounds.lo))
    }
}
