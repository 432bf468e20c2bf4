//! MCTS-MR: minimax searches for the moves of playouts (Baier & Winands 2015).

#[cfg(test)]
use super::Event;
use crate::depth_first::WinLossQuestion;
use crate::observe::{Observer, Phase};
use crate::rollout::shared::Policy;
use crate::rollout::{Playouts, Worker};
use crate::{Game, Speed};

impl<G: Game, O: Observer<G::Move>> Worker<'_, G, O> {
    /// MCTS-MR: a move that wins within `depth` plies, else one that does not lose within them,
    /// else any move. Of several winning moves it is a random one, of several others one by the
    /// default policy.
    #[inline(always)]
    pub(in crate::rollout) fn minimax_move(
        &mut self,
        policy: &Policy<G>,
        position: &G,
        depth: u32,
    ) -> G::Move {
        // The game's own fast search knows neither k nor hints.
        let quick = match self.shared.config.embed.k {
            None if policy.playouts == Playouts::Random => {
                position.speed().minimax_move(depth, &mut self.rng)
            }
            _ => None,
        };
        let mv = match quick {
            Some(mv) => mv,
            None => match self.moves_left(position, depth) {
                Some(mv) => mv,
                None => self.any_move(policy, position),
            },
        };
        #[cfg(test)]
        self.minimax.log.push(Event::Playout(position.speed().key(), mv));
        mv
    }

    /// A move that wins; if there is none, the moves to pick from are left in `buffer`.
    pub(in crate::rollout) fn moves_left(&mut self, position: &G, depth: u32) -> Option<G::Move> {
        self.buffer.clear();
        position.moves(&mut self.buffer);
        if self.alarm.rings_before(self.buffer.len()) {
            return None;
        }
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

    /// Puts winning moves in `buffer` first and losing moves last, and leaves equals in their order:
    /// if this decides which untried move comes next, it is MCTS-MR's choice among them.
    pub(in crate::rollout) fn put_wins_first(&mut self, position: &G, depth: u32) {
        let mover = position.to_move();
        let (mut won, mut lost) =
            (std::mem::take(&mut self.minimax.moves), std::mem::take(&mut self.minimax.lost));
        won.clear();
        lost.clear();
        let mut open = 0;
        for i in 0..self.buffer.len() {
            let mv = self.buffer[i];
            match self.value_of(position, mv, depth, mover, WinLossQuestion::Value) {
                1 => won.push(mv),
                -1 => lost.push(mv),
                _ => {
                    self.buffer[open] = mv;
                    open += 1;
                }
            }
        }
        let found =
            won.iter().map(|&mv| (mv, mover)).chain(lost.iter().map(|&mv| (mv, mover.other())));
        self.see_minimax(Phase::Expansion, None, depth, &[], found);
        self.buffer.truncate(open);
        self.buffer.splice(0..0, won.iter().copied());
        self.buffer.extend_from_slice(&lost);
        (self.minimax.moves, self.minimax.lost) = (won, lost);
    }

    /// Whether the search for the first move of a playout from here finds a win: a proof.
    pub(in crate::rollout) fn wins_within(&mut self, position: &G, depth: u32) -> bool {
        if self.shared.config.embed.k.is_some() {
            // k leaves out replies, but none of the moves to choose from.
            self.buffer.clear();
            position.moves(&mut self.buffer);
            let mover = position.to_move();
            return (0..self.buffer.len()).any(|i| {
                self.value_of(position, self.buffer[i], depth, mover, WinLossQuestion::Value) == 1
            });
        }
        if self.alarm.has_rung() {
            return false;
        }
        // The other side's loss is a null window, in which only a win of the mover is looked for.
        let other = position.to_move().other();
        let question = WinLossQuestion::IsLost;
        let (search, alarm) = (&mut self.minimax.search, &mut self.alarm);
        let value = search.value_until(position, depth, other, question, alarm);
        value == Some(-1)
    }
}
