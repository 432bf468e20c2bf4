//! The horizon: a static evaluation, or captures until the position is quiet.

use super::window::{INFINITY, WIN, Window};
use super::{Scores, Worker};
use crate::observe::Observer;
use crate::{Exactness, Game, Knowledge};

/// Captures come to an end long before. If the loud moves of a game do not, the stack would.
const DEEPEST: u32 = 256;

impl<G: Game, O: Observer<G::Move>> Worker<'_, '_, G, O> {
    /// The value of an unfinished position at the horizon, in the view of the side to move.
    #[inline(always)]
    pub(super) fn horizon(&mut self, position: &G, window: Window) -> Window {
        if self.shared.evaluator.is_none() || self.shared.config.scores == Scores::Margin {
            return Window::exactly(0);
        }
        if self.shared.config.quiescence {
            self.quiescence(position, window, DEEPEST)
        } else {
            Window::exactly(self.evaluation(position))
        }
    }

    #[inline(always)]
    pub(super) fn evaluation(&mut self, position: &G) -> i64 {
        self.work.evaluations += 1;
        let value =
            self.shared.evaluator.as_ref().map_or(0, |evaluator| evaluator.evaluate(position));
        position.to_move().sign() * i64::from(value)
    }

    /// Loud moves only. No side has to make one, so the evaluation as it stands is a lower bound.
    fn quiescence(&mut self, position: &G, window: Window, depth: u32) -> Window {
        let stand = self.evaluation(position);
        let mut best = Window::exactly(stand);
        if stand >= window.hi {
            return Window { lo: stand, hi: INFINITY };
        }
        if depth == 0 {
            return best;
        }
        let base = self.quiet_stack.len();
        position.knowledge().loud_moves(&mut self.quiet_stack);
        if self.shared.config.selective.exchange {
            self.keep_good_exchanges(position, base);
        }
        for at in base..self.quiet_stack.len() {
            let mut child = position.clone();
            child.play(self.quiet_stack[at]);
            self.work.transitions += 1;
            let turn = position.to_move().sign() * child.to_move().sign();
            let rest = Window { lo: window.lo.max(best.lo), hi: window.hi };
            let answer = self.quiet_child(&child, rest.seen(turn), depth - 1).seen(turn);
            if self.stop.is_some() {
                break;
            }
            best = Window { lo: best.lo.max(answer.lo), hi: best.hi.max(answer.hi) };
            if best.lo >= window.hi {
                best.hi = INFINITY;
                break;
            }
        }
        self.quiet_stack.truncate(base);
        best
    }

    fn quiet_child(&mut self, position: &G, window: Window, depth: u32) -> Window {
        if self.must_stop() {
            return Window::ALL;
        }
        self.work.nodes += 1;
        match position.outcome() {
            Some(outcome) => {
                let value = self.score(position, outcome);
                Window::exactly(position.to_move().sign() * value)
            }
            None if self.shared.config.selective.threats
                && let Some(outcome) = position.exactness().foregone() =>
            {
                Window::exactly(position.to_move().sign() * outcome.value() * WIN)
            }
            None => self.quiescence(position, window, depth),
        }
    }

    /// Of the loud moves from `base` on, keeps those that lose nothing, the best first.
    fn keep_good_exchanges(&mut self, position: &G, base: usize) {
        let gain = |mv: G::Move| position.knowledge().exchange(mv).unwrap_or(0);
        let mut kept = base;
        for at in base..self.quiet_stack.len() {
            let mv = self.quiet_stack[at];
            if gain(mv) < 0 {
                continue;
            }
            let mut to = kept;
            while to > base && gain(self.quiet_stack[to - 1]) < gain(mv) {
                self.quiet_stack[to] = self.quiet_stack[to - 1];
                to -= 1;
            }
            self.quiet_stack[to] = mv;
            kept += 1;
        }
        self.quiet_stack.truncate(kept);
    }
}
