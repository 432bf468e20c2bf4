//! The value of a position, by trying everything.

use std::collections::HashMap;

use treegraft::{Bounds, Exactness, Game, legal_moves};
use treegraft_players::{Board, MoveIndex};

/// Exact bounds on the score of positions: the margin where the game keeps count, else the outcome.
/// No cleverness that could be wrong: no window, no order of moves, no keys.
pub(super) struct Truth {
    known: HashMap<Board, Bounds>,
    /// How far to look where the whole game is too large.
    horizon: Option<u32>,
    /// In games that can go on for ever, a position's value depends on how it came about.
    remembers: bool,
    /// How many positions may be looked at for an answer.
    limit: u32,
    /// How many more; when none are left, nothing more is known.
    room: u32,
}

impl Truth {
    pub(super) fn new(start: &Board, horizon: Option<u32>, limit: u32) -> Truth {
        let is_endless = start.limits().repetitions.is_some() || start.limits().plies.is_some();
        Truth {
            known: HashMap::new(),
            horizon,
            remembers: horizon.is_none() && !is_endless,
            limit,
            room: 0,
        }
    }

    /// Whether everything is tried.
    pub(super) fn is_whole(&self) -> bool {
        self.horizon.is_none()
    }

    pub(super) fn of(&mut self, board: &Board) -> Bounds {
        self.room = self.limit;
        self.look(board, self.horizon.unwrap_or(u32::MAX))
    }

    fn look(&mut self, board: &Board, depth: u32) -> Bounds {
        if let Some(outcome) = board.outcome() {
            return Bounds::exactly(board.exactness().margin().unwrap_or(outcome.value()));
        }
        if depth == 0 || self.room == 0 {
            return if board.keeps_count() { Bounds::MARGIN } else { Bounds::OUTCOME };
        }
        self.room -= 1;
        if self.remembers
            && let Some(&bounds) = self.known.get(board)
        {
            return bounds;
        }
        let mover = board.to_move();
        let mut bounds: Option<Bounds> = None;
        for mv in legal_moves(board) {
            let next = self.look(&played(board, mv), depth - 1);
            let best = bounds.map_or(next, |bounds| bounds.or(next, mover));
            bounds = Some(best);
            // Nothing is better than a won game.
            if !board.keeps_count() && best == Bounds::exactly(mover.sign()) {
                break;
            }
        }
        let bounds = bounds.expect("a position with nothing to play is finished");
        if self.remembers && self.room > 0 {
            self.known.insert(board.clone(), bounds);
        }
        bounds
    }
}

pub(super) fn played(board: &Board, mv: MoveIndex) -> Board {
    let mut next = board.clone();
    next.play(mv);
    next
}
