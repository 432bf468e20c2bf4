//! Breakthrough: pieces step forward, and one that reaches the enemy's home row wins.

use treegraft::{Game, Notation, Outcome, Side};

use crate::board::{self, Board, Square};

/// A position of Breakthrough. White, the first player, starts on rows 1 and 2 and moves up.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Breakthrough {
    board: Board<Side>,
    mover: Side,
}

impl Breakthrough {
    /// Both sides on their two home rows.
    #[must_use]
    pub fn new(width: u32, height: u32) -> Breakthrough {
        // On a single column a side could be blocked, and on three rows the home rows overlap.
        assert!(width >= 2 && height >= 4, "no board for Breakthrough");
        let mut board = Board::new(width, height);
        for (column, row) in board.squares() {
            if row < 2 {
                board.set((column, row), Some(Side::First));
            } else if row >= board.height - 2 {
                board.set((column, row), Some(Side::Second));
            }
        }
        Breakthrough { board, mover: Side::First }
    }

    /// Whose piece stands on a square; row 0 is White's home row.
    #[must_use]
    pub fn at(&self, column: u32, row: u32) -> Option<Side> {
        self.board.get((column as i32, row as i32))
    }

    fn home_row(&self, side: Side) -> i32 {
        if side == Side::First { 0 } else { self.board.height - 1 }
    }

    /// White moves to higher rows, Black to lower ones.
    fn forward(side: Side) -> i32 {
        if side == Side::First { 1 } else { -1 }
    }
}

impl Game for Breakthrough {
    /// From, to.
    type Move = (Square, Square);

    fn to_move(&self) -> Side {
        self.mover
    }

    fn moves(&self, moves: &mut Vec<(Square, Square)>) {
        for from in self.board.squares_with(Some(self.mover)) {
            for sideways in [-1, 0, 1] {
                let to = (from.0 + sideways, from.1 + Breakthrough::forward(self.mover));
                let allowed = match self.board.get(to) {
                    None => self.board.has(to),
                    // A capture: diagonally only, and only of the enemy.
                    Some(owner) => sideways != 0 && owner != self.mover,
                };
                if allowed {
                    moves.push((from, to));
                }
            }
        }
    }

    fn play(&mut self, (from, to): (Square, Square)) {
        self.board.set(from, None);
        self.board.set(to, Some(self.mover));
        self.mover = self.mover.other();
    }

    fn outcome(&self) -> Option<Outcome> {
        for side in [Side::First, Side::Second] {
            let enemy = side.other();
            let goal = self.home_row(enemy);
            let is_there = |column| self.board.get((column, goal)) == Some(side);
            let broken_through = (0..self.board.width).any(is_there);
            if broken_through || self.board.squares_with(Some(enemy)).next().is_none() {
                return Some(Outcome::Win(side));
            }
        }
        None
    }

    treegraft::brings!(Notation);
}

impl Notation for Breakthrough {
    fn move_text(&self, (from, to): (Square, Square)) -> String {
        format!("{}{}", board::name(from), board::name(to))
    }

    fn position_text(&self) -> Option<String> {
        let letter = |side| if side == Side::First { "P" } else { "p" };
        let rows = board::fen_rows(&self.board, |side| letter(side).to_owned());
        let mover = if self.mover == Side::First { "w" } else { "b" };
        Some(format!("{rows} {mover}"))
    }
}
