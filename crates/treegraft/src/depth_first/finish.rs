//! The end of the game: one search of everything, once that is likely to come to an end in time.
//!
//! Iterative deepening spends most of its nodes on what the next iteration searches again, and values
//! between a draw and a win keep it from cutting off. Once the end of the game is not much further away
//! than the last iteration has looked, it is cheaper to search to the end, where there are three values.

use super::window::WIN;
use super::{DepthFirstSearch, RootMove, Scores};
use crate::Game;
use crate::observe::Observer;

/// What deepening may spend before the search to the end, in hundredths of the budget. More of it makes the
/// answer better where the end is not reached, and the end harder to reach: in Connect-4 with a million
/// nodes, 10, 20 and 35 made no difference that 200 solved positions could show.
const DEEPENING: u64 = 10;

impl<G: Game, O: Observer<G::Move>> DepthFirstSearch<'_, '_, G, O> {
    /// Whether to search to the end now, after an iteration of this depth.
    pub(super) fn is_time_to_finish(&self, depth: u32) -> bool {
        let (Some(percent), Some(left)) = (self.config.selective.finish, self.root.plies_left())
        else {
            return false;
        };
        !self.is_finishing
            && self.config.scores == Scores::Outcome
            && u64::from(depth) * 100 >= u64::from(percent) * u64::from(left)
            && self.meter.has_spent(&self.work, DEEPENING)
    }

    /// From now on no move is looked at less deeply than others: a search with a horizon is no proof.
    pub(super) fn begin_to_finish(&mut self) {
        self.is_finishing = true;
        self.config.etc = true;
        let selective = &mut self.config.selective;
        selective.lmr = None;
        selective.unknown_reduction = false;
        // Values are few and far between: a narrow window asks whether there is a better one.
        selective.aspiration = Some(1);
    }

    /// The move to play if the search to the end is stopped: what it has proven to be a draw at least, or
    /// else a move that may be worth most, by the last iteration and by what is proven since; `best` if
    /// that is one.
    pub(super) fn least_refuted(&self, best: G::Move) -> G::Move {
        if let Some(found) = self.root_best.map(|number| &self.root_moves[number as usize])
            && found.proven.lo >= 0
        {
            return found.mv;
        }
        let at_most = |it: &RootMove<G::Move>| it.last.hi.min(it.proven.hi).min(WIN);
        let most = self.root_moves.iter().map(at_most).max();
        let mut good = self.root_moves.iter().filter(|it| Some(at_most(it)) == most);
        let first = good.clone().next().map_or(best, |it| it.mv);
        good.find(|it| it.mv == best).map_or(first, |it| it.mv)
    }
}
