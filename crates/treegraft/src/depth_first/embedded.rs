//! Plain alpha-beta to a fixed depth, for use inside other searches: one recursion, and a trait
//! that says where it stops and how leaves are scored.
//!
//! It has no table. Move ordering and k-best are options.

use crate::weights::sort_by_weight_or_hint;
use crate::{Alarm, Game, Ipp, Side};

/// A search inside another one, with its work so far and its scratch memory. `L` says how leaves
/// are scored; see [`WinLoss`](super::WinLoss) and [`Shallow`](super::Shallow).
///
/// # Complexity
///
/// O(b^d) positions at worst and O(b^(d/2)) at best, for d plies with b moves per position. Memory
/// is the moves of the positions on the current path.
#[derive(Debug)]
pub struct Embedded<M, L> {
    /// Positions visited, all searches together.
    pub nodes: u64,
    /// Static evaluations, all searches together.
    pub evaluations: u64,
    /// Moves played, all searches together.
    pub transitions: u64,
    /// Look only at the first k moves of a position by the game's hints.
    pub k: Option<u32>,
    /// Look at moves in the order of the game's hints: the same result, sooner or later.
    pub order: bool,
    /// These weights instead of the hints decide about k and the order, in games that have them.
    pub weights: Option<Ipp>,
    /// Search move by move, even where the game has a quick answer.
    pub slow: bool,
    pub(super) leaf: L,
    stack: Vec<M>,
}

/// Moves of a node between two checks of the alarm. A check for each move would cost more than some
/// leaves do; one check for all moves may come late where evaluations are slow.
const MOVES_AT_ONCE: usize = 16;

/// Where a search stops, and how leaves are scored.
pub(super) trait Leaf<G: Game>: Sized {
    /// The value of a won game.
    const WIN: i64;

    /// The least value of a position if moves were left out.
    const LEFT_OUT: i64;

    /// The value of an unfinished position for `mover`, whose turn it is; `None` if its moves must
    /// be searched, which takes a depth of at least 1.
    fn value(
        search: &mut Embedded<G::Move, Self>,
        position: &G,
        depth: u32,
        mover: Side,
    ) -> Option<i64>;
}

impl<M: Copy, L> Embedded<M, L> {
    /// A search that looks at all moves, in the game's order.
    pub(super) fn with(leaf: L) -> Embedded<M, L> {
        Embedded {
            nodes: 0,
            evaluations: 0,
            transitions: 0,
            k: None,
            order: false,
            weights: None,
            slow: false,
            leaf,
            stack: Vec::new(),
        }
    }

    /// The value of `position` for `me` by a search of `depth` plies, fail-soft; `None` if the
    /// alarm rings before it is known.
    ///
    /// The recursion announces the moves of every inner node to the alarm; the caller announces the
    /// position itself.
    #[inline]
    pub(super) fn value_within<G: Game<Move = M>>(
        &mut self,
        (alpha, beta): (i64, i64),
        position: &G,
        depth: u32,
        me: Side,
        alarm: &mut Alarm<'_>,
    ) -> Option<i64>
    where
        L: Leaf<G>,
    {
        let mover = position.to_move();
        let value = if mover == me {
            self.negamax(position, depth, mover, (alpha, beta), alarm)
        } else {
            -self.negamax(position, depth, mover, (-beta, -alpha), alarm)
        };
        (!alarm.has_rung()).then_some(value)
    }

    /// The value in the view of `mover`, whose turn it is; fail-soft.
    fn negamax<G: Game<Move = M>>(
        &mut self,
        position: &G,
        depth: u32,
        mover: Side,
        (mut alpha, beta): (i64, i64),
        alarm: &mut Alarm<'_>,
    ) -> i64
    where
        L: Leaf<G>,
    {
        self.nodes += 1;
        if let Some(outcome) = position.outcome() {
            return mover.sign() * outcome.value() * L::WIN;
        }
        if let Some(value) = L::value(self, position, depth, mover) {
            return value;
        }
        let base = self.stack.len();
        position.moves(&mut self.stack);
        let all = self.stack.len() - base;
        if self.order || self.k.is_some() {
            sort_by_weight_or_hint(position, self.weights, &mut self.stack[base..]);
        }
        if let Some(k) = self.k {
            self.stack.truncate(base + k as usize);
        }
        let mut best = if self.stack.len() - base < all { L::LEFT_OUT } else { -L::WIN };
        let end = self.stack.len();
        let mut first = base;
        'moves: while first < end {
            let last = end.min(first + MOVES_AT_ONCE);
            if alarm.rings_before(last - first) {
                break;
            }
            for i in first..last {
                let mut child = position.clone();
                child.play(self.stack[i]);
                self.transitions += 1;
                let next = child.to_move();
                let value = if next == mover {
                    self.negamax(&child, depth - 1, next, (alpha, beta), alarm)
                } else {
                    -self.negamax(&child, depth - 1, next, (-beta, -alpha), alarm)
                };
                if alarm.has_rung() {
                    break 'moves;
                }
                best = best.max(value);
                alpha = alpha.max(best);
                if alpha >= beta {
                    break 'moves;
                }
            }
            first = last;
        }
        self.stack.truncate(base);
        best
    }
}
