//! MCTS-MR: minimax searches for the moves of playouts (Baier & Winands 2015).

#[cfg(test)]
use super::Event;
use crate::Game;
use crate::depth_first::WinLossQuestion;
use crate::rollout::{Playouts, RolloutSearch};

impl<G: Game> RolloutSearch<'_, G> {
    /// MCTS-MR: a move that wins within `depth` plies, else one that does not lose within them,
    /// else any move. Of several winning moves it is a random one, of several others one by the
    /// default policy.
    #[inline(always)]
    pub(in crate::rollout) fn minimax_move(&mut self, position: &G, depth: u32) -> G::Move {
        // The game's own fast search knows neither k nor hints.
        let quick = match (self.minimax.search.k, self.config.playouts) {
            (None, Playouts::Random) => position.minimax_move(depth, &mut self.rng),
            _ => None,
        };
        let mv = match quick {
            Some(mv) => mv,
            None => match self.moves_left(position, depth) {
                Some(mv) => mv,
                None => self.any_move(position),
            },
        };
        #[cfg(test)]
        self.minimax.log.push(Event::Playout(position.key(), mv));
        mv
    }

    /// A move that wins; if there is none, the moves to pick from are left in `buffer`.
    pub(in crate::rollout) fn moves_left(&mut self, position: &G, depth: u32) -> Option<G::Move> {
        self.buffer.clear();
        position.moves(&mut self.buffer);
        // The first win in random order is a random win.
        self.rng.shuffle(&mut self.buffer);
        let mover = position.to_move();
        // Moves that do not lose are gathered in front.
        let mut safe = 0;
        for i in 0..self.buffer.len() {
            match self.value_of(position, self.buffer[i], depth, mover, WinLossQuestion::Value) {
                1 => return Some(self.buffer[i]),
                -1 => {}
                _ => {
                    self.buffer.swap(safe, i);
                    safe += 1;
                }
            }
        }
        if safe > 0 {
            self.buffer.truncate(safe);
        }
        None
    }
}
