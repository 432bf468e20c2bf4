//! Connect-4: drop stones into columns; four in a line win.

use treegraft::{Game, Notation, Outcome, Side};

use crate::board::Board;

/// A position of Connect-4. Row 0 is the lowest.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Connect4 {
    board: Board<Side>,
    mover: Side,
}

impl Connect4 {
    /// The empty board.
    #[must_use]
    pub fn new(width: u32, height: u32) -> Connect4 {
        Connect4 { board: Board::new(width, height), mover: Side::First }
    }

    /// Whose stone lies in a cell.
    #[must_use]
    pub fn at(&self, column: u32, row: u32) -> Option<Side> {
        self.board.get((column as i32, row as i32))
    }

    fn has_four(&self, side: Side) -> bool {
        for (column, row) in self.board.squares() {
            for (right, up) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let cell = |step: i32| (column + step * right, row + step * up);
                if (0..4).all(|step| self.board.get(cell(step)) == Some(side)) {
                    return true;
                }
            }
        }
        false
    }

    fn is_full(&self, column: i32) -> bool {
        !self.board.is_free((column, self.board.height - 1))
    }
}

impl Game for Connect4 {
    /// A column, from 0.
    type Move = i32;

    fn to_move(&self) -> Side {
        self.mover
    }

    fn moves(&self, moves: &mut Vec<i32>) {
        moves.extend((0..self.board.width).filter(|&column| !self.is_full(column)));
    }

    fn play(&mut self, column: i32) {
        let mut row = 0;
        while !self.board.is_free((column, row)) {
            row += 1;
        }
        self.board.set((column, row), Some(self.mover));
        self.mover = self.mover.other();
    }

    fn outcome(&self) -> Option<Outcome> {
        for side in [Side::First, Side::Second] {
            if self.has_four(side) {
                return Some(Outcome::Win(side));
            }
        }
        let full = (0..self.board.width).all(|column| self.is_full(column));
        full.then_some(Outcome::Draw)
    }

    treegraft::brings!(Notation);
}

impl Notation for Connect4 {
    fn move_text(&self, column: i32) -> String {
        (column + 1).to_string()
    }
}
