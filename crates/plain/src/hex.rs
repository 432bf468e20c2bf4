//! Hex: join your two sides of the rhombus with a chain of stones.

use treegraft::{Game, Notation, Outcome, Side};

use crate::board::{self, Board, Square};

/// A position of Hex. The first player joins top (row 1) and bottom, the second player left
/// (column a) and right.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Hex {
    board: Board<Side>,
    mover: Side,
    swap: bool,
}

/// What the side to move can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Put a stone on an empty cell.
    Place(Square),
    /// The second player's first move only: make the first player's stone one's own, mirrored
    /// at the long diagonal.
    Swap,
}

impl Hex {
    /// The empty board; `swap` says whether the second player may take over the first stone.
    #[must_use]
    pub fn new(size: u32, swap: bool) -> Hex {
        Hex { board: Board::new(size, size), mover: Side::First, swap }
    }

    /// Whose stone lies in a cell; row 0 is the upper one.
    #[must_use]
    pub fn at(&self, column: u32, row: u32) -> Option<Side> {
        self.board.get((column as i32, row as i32))
    }

    fn stones(&self) -> Vec<Square> {
        self.board.squares().filter(|&cell| self.board.get(cell).is_some()).collect()
    }

    fn may_swap(&self) -> bool {
        self.swap && self.mover == Side::Second && self.stones().len() == 1
    }

    /// Whether stones of `side` lead from one of its edges to the other.
    fn has_joined(&self, side: Side) -> bool {
        // How far a cell is on the way from the side's first edge to its second.
        let progress = |(column, row): Square| if side == Side::First { row } else { column };
        let mut seen = Board::new(self.board.width as u32, self.board.height as u32);
        let mut to_visit: Vec<Square> =
            self.board.squares().filter(|&cell| progress(cell) == 0).collect();
        while let Some(cell) = to_visit.pop() {
            if self.board.get(cell) != Some(side) || seen.get(cell) == Some(true) {
                continue;
            }
            if progress(cell) == self.board.width - 1 {
                return true;
            }
            seen.set(cell, Some(true));
            let (c, r) = cell;
            to_visit.extend([(c - 1, r), (c + 1, r), (c, r - 1), (c, r + 1)]);
            to_visit.extend([(c + 1, r - 1), (c - 1, r + 1)]);
        }
        false
    }
}

impl Game for Hex {
    type Move = Move;

    fn to_move(&self) -> Side {
        self.mover
    }

    fn moves(&self, moves: &mut Vec<Move>) {
        moves.extend(self.board.squares_with(None).map(Move::Place));
        if self.may_swap() {
            moves.push(Move::Swap);
        }
    }

    fn play(&mut self, mv: Move) {
        match mv {
            Move::Place(cell) => self.board.set(cell, Some(self.mover)),
            Move::Swap => {
                let (column, row) = self.stones()[0];
                self.board.set((column, row), None);
                self.board.set((row, column), Some(self.mover));
            }
        }
        self.mover = self.mover.other();
    }

    fn outcome(&self) -> Option<Outcome> {
        [Side::First, Side::Second]
            .into_iter()
            .find(|&side| self.has_joined(side))
            .map(Outcome::Win)
    }

    treegraft::brings!(Notation);
}

impl Notation for Hex {
    fn move_text(&self, mv: Move) -> String {
        match mv {
            Move::Place(cell) => board::name(cell),
            Move::Swap => "swap".to_owned(),
        }
    }
}
