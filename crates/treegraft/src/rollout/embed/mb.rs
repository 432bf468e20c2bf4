//! MCTS-MB: minimax searches where a proven loss is backed up (Baier & Winands 2015).

#[cfg(test)]
use super::Event;
use crate::depth_first::WinLossQuestion;
use crate::observe::Observer;
use crate::rollout::{Step, Worker};
use crate::{Game, Outcome};

impl<G: Game, O: Observer<G::Move>> Worker<'_, G, O> {
    /// MCTS-MB: where the move that leads on from this place on the path has just been proven lost,
    /// looks for wins and losses among the node's other moves. Returns whether the node's bounds
    /// have changed.
    pub(in crate::rollout) fn minimax_back_up(&mut self, place: usize) -> bool {
        let Step { node, mover } = self.path[place];
        let child = self.path[place + 1].node as usize;
        let is_lost = self.tree.bounds(child).outcome() == Some(Outcome::Win(mover.other()));
        let is_open = self.tree.bounds(node as usize).outcome().is_none();
        // Every open move was searched the first time: a second search would find nothing new.
        if !is_lost || !is_open || self.tree.side.searched[node as usize] {
            return false;
        }
        let depth = self.shared.schedule.back_up.unwrap_or(0);
        let mut position = self.root.clone();
        for step in &self.path[1..=place] {
            position.play(self.tree.moves[step.node as usize]);
        }
        self.work.transitions += place as u64;
        #[cfg(test)]
        {
            let moves = self.open_children(node).map(|child| self.tree.moves[child]).collect();
            self.minimax.log.push(Event::BackUp(node, moves));
        }
        self.alarm.expect(self.tree.children(node).len());
        let asked = self.see_open_children(node);
        for child in self.tree.children(node) {
            if self.tree.bounds(child).outcome().is_some() {
                continue;
            }
            let mv = self.tree.moves[child];
            match self.value_of(&position, mv, depth, mover, WinLossQuestion::Value) {
                1 => {
                    self.note_win(child, mover);
                    break;
                }
                -1 => self.note_win(child, mover.other()),
                _ => {}
            }
        }
        self.see_minimax_of_children(node, depth, &asked);
        if !self.alarm.has_rung() {
            self.tree.side.searched[node as usize] = true;
        }
        self.update_bounds(node, mover)
    }
}
