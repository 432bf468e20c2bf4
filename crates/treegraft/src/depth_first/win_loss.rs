//! Minimax without an evaluation: win, loss, or unknown within so many plies.
//!
//! The search inside the MCTS-minimax hybrids of Baier & Winands (2015): plain alpha-beta, without
//! table or evaluation, and unless asked for without ordering. Draws and the horizon are both 0.

use crate::game::sort_by_hint;
use crate::{Alarm, Game, Side};

/// What a win-loss search is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Win, loss or neither: the full window.
    Value,
    /// Loss or not: the null window [-1, 0]; a win comes out as 0 or 1.
    IsLost,
}

/// A win-loss search, with its work so far and its scratch memory.
///
/// The default looks at all moves, in the game's order, and lets the game tell what it can tell
/// quickly ([`Game::win_loss`]).
#[derive(Debug)]
pub struct WinLoss<M> {
    /// Positions visited, all searches together.
    pub nodes: u64,
    /// Moves played, all searches together.
    pub transitions: u64,
    /// Look at the first k moves only, by the game's hints. What is left out may always be better, so
    /// a position with more moves is never found lost.
    pub k: Option<u32>,
    /// Look at moves in the order of the game's hints. Changes how long it takes, not what is found.
    pub order: bool,
    /// Look for yourself, whatever the game could tell quickly.
    pub slow: bool,
    stack: Vec<M>,
    gave_up: bool,
}

impl<M> Default for WinLoss<M> {
    fn default() -> WinLoss<M> {
        WinLoss {
            nodes: 0,
            transitions: 0,
            k: None,
            order: false,
            slow: false,
            stack: Vec::new(),
            gave_up: false,
        }
    }
}

impl<M: Copy> WinLoss<M> {
    /// The value of `position` for `me` within `depth` plies: 1 won, -1 lost, 0 neither (a draw, or
    /// not seen that far).
    #[inline]
    pub fn value<G: Game<Move = M>>(
        &mut self,
        position: &G,
        depth: u32,
        me: Side,
        question: Question,
    ) -> i64 {
        self.value_until(position, depth, me, question, &Alarm::default()).unwrap_or(0)
    }

    /// The same, but `None` if the alarm rings before it is known.
    #[inline]
    pub fn value_until<G: Game<Move = M>>(
        &mut self,
        position: &G,
        depth: u32,
        me: Side,
        question: Question,
        alarm: &Alarm<'_>,
    ) -> Option<i64> {
        let (alpha, beta) = match question {
            Question::Value => (-1, 1),
            Question::IsLost => (-1, 0),
        };
        let mover = position.to_move();
        let value = if mover == me {
            self.negamax(position, depth, mover, (alpha, beta), alarm)
        } else {
            -self.negamax(position, depth, mover, (-beta, -alpha), alarm)
        };
        (!std::mem::take(&mut self.gave_up)).then_some(value)
    }

    /// In the view of `mover`, whose turn it is; fail-soft.
    fn negamax<G: Game<Move = M>>(
        &mut self,
        position: &G,
        depth: u32,
        mover: Side,
        (mut alpha, beta): (i64, i64),
        alarm: &Alarm<'_>,
    ) -> i64 {
        self.nodes += 1;
        if let Some(outcome) = position.outcome() {
            return mover.sign() * outcome.value();
        }
        if depth == 0 {
            return 0;
        }
        if self.k.is_none()
            && !self.slow
            && let Some(value) = position.win_loss(depth)
        {
            return value;
        }
        if self.nodes.is_multiple_of(NODES_A_LOOK) && alarm.rings() {
            self.gave_up = true;
            return 0;
        }
        let base = self.stack.len();
        position.moves(&mut self.stack);
        let all = self.stack.len() - base;
        if self.order || self.k.is_some() {
            sort_by_hint(position, &mut self.stack[base..]);
        }
        if let Some(k) = self.k {
            self.stack.truncate(base + k as usize);
        }
        // A move that is left out is no loss.
        let mut best = if self.stack.len() - base < all { 0 } else { -1 };
        for i in base..self.stack.len() {
            let mut child = position.clone();
            child.play(self.stack[i]);
            self.transitions += 1;
            let next = child.to_move();
            let value = if next == mover {
                self.negamax(&child, depth - 1, next, (alpha, beta), alarm)
            } else {
                -self.negamax(&child, depth - 1, next, (-beta, -alpha), alarm)
            };
            if self.gave_up {
                break;
            }
            best = best.max(value);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        self.stack.truncate(base);
        best
    }
}

/// The clock is looked at every so many positions: about every 50 microseconds.
const NODES_A_LOOK: u64 = 1024;
