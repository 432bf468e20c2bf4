//! Minimax without an evaluation: win, loss, or unknown within so many plies.
//!
//! The search inside the MCTS-minimax hybrids of Baier & Winands (2015): plain alpha-beta, without
//! ordering, table or evaluation. Draws and the horizon are both 0.

use crate::{Game, Side};

/// What a win-loss search is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Win, loss or neither: the full window.
    Value,
    /// Loss or not: the null window [-1, 0]; a win comes out as 0 or 1.
    IsLost,
}

/// A win-loss search, with its work so far and its scratch memory.
#[derive(Debug)]
pub struct WinLoss<M> {
    /// Positions visited, all searches together.
    pub nodes: u64,
    /// Moves played, all searches together.
    pub transitions: u64,
    stack: Vec<M>,
}

impl<M> Default for WinLoss<M> {
    fn default() -> WinLoss<M> {
        WinLoss { nodes: 0, transitions: 0, stack: Vec::new() }
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
        let (alpha, beta) = match question {
            Question::Value => (-1, 1),
            Question::IsLost => (-1, 0),
        };
        let mover = position.to_move();
        if mover == me {
            self.negamax(position, depth, mover, alpha, beta)
        } else {
            -self.negamax(position, depth, mover, -beta, -alpha)
        }
    }

    /// In the view of `mover`, whose turn it is; fail-soft.
    fn negamax<G: Game<Move = M>>(
        &mut self,
        position: &G,
        depth: u32,
        mover: Side,
        mut alpha: i64,
        beta: i64,
    ) -> i64 {
        self.nodes += 1;
        if let Some(outcome) = position.outcome() {
            return mover.sign() * outcome.value();
        }
        if depth == 0 {
            return 0;
        }
        let base = self.stack.len();
        position.moves(&mut self.stack);
        let mut best = -1;
        for i in base..self.stack.len() {
            let mut child = position.clone();
            child.play(self.stack[i]);
            self.transitions += 1;
            let next = child.to_move();
            let value = if next == mover {
                self.negamax(&child, depth - 1, next, alpha, beta)
            } else {
                -self.negamax(&child, depth - 1, next, -beta, -alpha)
            };
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
