//! Alpha-beta of a few plies with an evaluation at the horizon, for use inside other searches.
//!
//! The search inside MCTS-IR-M, MCTS-IC-M and MCTS-IP-M (Baier & Winands 2014): plain alpha-beta,
//! without table, and unless asked for without ordering or k-best. A depth of 0 is the evaluation.

use crate::game::sort_by_hint;
use crate::{Alarm, Evaluator, Game, Side};

/// A search to a fixed depth, with its work so far and its scratch memory.
///
/// Values are those of [`Evaluate`](crate::Evaluate) in the view of the side that asks; a finished
/// game is worth [`Shallow::WIN`], its negative or 0, whatever the depth.
#[derive(Debug)]
pub struct Shallow<G: Game> {
    evaluator: Option<Evaluator<G>>,
    /// Positions visited, all searches together.
    pub nodes: u64,
    /// Static evaluations, all searches together.
    pub evaluations: u64,
    /// Moves played, all searches together.
    pub transitions: u64,
    /// Look at the first k moves of a position only, by the game's hints.
    pub k: Option<u32>,
    /// Look at moves in the order of the game's hints. Changes how long it takes, not what is found.
    pub order: bool,
    stack: Vec<G::Move>,
    /// The number of nodes at which to look at the clock again.
    next_look: u64,
    gave_up: bool,
}

impl<G: Game> Shallow<G> {
    /// A won game: more than any evaluation.
    pub const WIN: i64 = super::WIN;

    /// A search that looks at all moves, in the game's order. Without an evaluation, unfinished
    /// positions at the horizon are worth 0.
    #[must_use]
    pub fn new(evaluator: Option<Evaluator<G>>) -> Shallow<G> {
        Shallow {
            evaluator,
            nodes: 0,
            evaluations: 0,
            transitions: 0,
            k: None,
            order: false,
            stack: Vec::new(),
            next_look: NODES_A_LOOK,
            gave_up: false,
        }
    }

    /// The static value of an unfinished position in the first player's view.
    pub fn evaluate(&mut self, position: &G) -> i64 {
        self.evaluations += 1;
        self.evaluator.as_ref().map_or(0, |evaluator| i64::from(evaluator.evaluate(position)))
    }

    /// The minimax value of `position` for `me` after `depth` plies.
    pub fn value(&mut self, position: &G, depth: u32, me: Side) -> i64 {
        self.value_above(-Self::WIN, position, depth, me, &Alarm::default()).unwrap_or(0)
    }

    /// The same if it is more than `alpha`, else something not above `alpha`; `None` if the alarm
    /// rings before it is known.
    pub fn value_above(
        &mut self,
        alpha: i64,
        position: &G,
        depth: u32,
        me: Side,
        alarm: &Alarm<'_>,
    ) -> Option<i64> {
        let mover = position.to_move();
        let value = if mover == me {
            self.negamax(position, depth, mover, (alpha, Self::WIN), alarm)
        } else {
            -self.negamax(position, depth, mover, (-Self::WIN, -alpha), alarm)
        };
        (!std::mem::take(&mut self.gave_up)).then_some(value)
    }

    /// In the view of `mover`, whose turn it is; fail-soft.
    fn negamax(
        &mut self,
        position: &G,
        depth: u32,
        mover: Side,
        (mut alpha, beta): (i64, i64),
        alarm: &Alarm<'_>,
    ) -> i64 {
        self.nodes += 1;
        if let Some(outcome) = position.outcome() {
            return mover.sign() * outcome.value() * Self::WIN;
        }
        if self.nodes >= self.next_look {
            self.next_look = self.nodes + NODES_A_LOOK;
            if alarm.rings() {
                self.gave_up = true;
                return 0;
            }
        }
        if depth == 0 {
            return mover.sign() * self.evaluate(position);
        }
        let base = self.stack.len();
        position.moves(&mut self.stack);
        if self.order || self.k.is_some() {
            sort_by_hint(position, &mut self.stack[base..]);
        }
        if let Some(k) = self.k {
            self.stack.truncate(base + k as usize);
        }
        let mut best = -Self::WIN;
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

/// The clock is looked at every so many positions.
const NODES_A_LOOK: u64 = 256;
