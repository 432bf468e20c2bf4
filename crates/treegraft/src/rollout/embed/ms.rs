//! MCTS-MS: minimax searches for lost moves in the selection phase (Baier & Winands 2015).

#[cfg(test)]
use super::Event;
use crate::depth_first::WinLossQuestion;
use crate::observe::{Observer, Phase};
use crate::rollout::Worker;
use crate::rollout::tree::Id;
use crate::{Game, Outcome};

impl<G: Game, O: Observer<G::Move>> Worker<'_, G, O> {
    /// MCTS-MS: looks for losing moves at a node that has just been reached, and notes them in the
    /// tree. Returns the outcome if that decides the node.
    #[cold]
    pub(in crate::rollout) fn minimax_selection(
        &mut self,
        node: Id,
        position: &G,
    ) -> Option<Outcome> {
        let (depth, mover) = (self.shared.schedule.select_depth, position.to_move());
        let mut moves = std::mem::take(&mut self.minimax.moves);
        moves.clear();
        if self.tree.rows[node as usize].count == 0 {
            position.moves(&mut moves);
        } else {
            moves.extend(self.open_children(node).map(|child| self.tree.moves[child]));
        }
        let mut lost = std::mem::take(&mut self.minimax.lost);
        lost.clear();
        self.alarm.expect(moves.len());
        for &mv in &moves {
            if self.value_of(position, mv, depth, mover, WinLossQuestion::IsLost) < 0 {
                lost.push(mv);
            }
        }
        #[cfg(test)]
        {
            let visits = self.tree.rows[node as usize].visits;
            self.minimax.log.push(Event::Selection(node, visits, moves.clone()));
        }
        let found = lost.iter().map(|&mv| (mv, mover.other()));
        self.see_minimax(Phase::Selection, Some(node), depth, &moves, found);
        if !lost.is_empty() {
            self.remember_lost(node, position, &lost, lost.len() == moves.len());
        }
        self.minimax.moves = moves;
        self.minimax.lost = lost;
        let bounds = self.tree.bounds(node as usize);
        bounds.is_exact().then(|| Outcome::from_margin(bounds.lo))
    }

    /// Notes that these moves of a node, or all its moves, are lost.
    fn remember_lost(&mut self, node: Id, position: &G, lost: &[G::Move], all: bool) {
        let mover = position.to_move();
        if self.tree.rows[node as usize].count > 0 || self.expand(node, position) {
            for &mv in lost {
                let child = self.tree.children(node).find(|&child| self.tree.moves[child] == mv);
                if let Some(child) = child {
                    self.note_win(child, mover.other());
                }
            }
            if self.update_bounds(node, mover) {
                self.note_news();
            }
        } else if all {
            // There is no room for the children, but a decided node needs none.
            self.note_win(node as usize, mover.other());
            self.note_news();
        }
    }
}
