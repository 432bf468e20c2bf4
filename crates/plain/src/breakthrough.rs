//! Breakthrough: pieces step forward, and one that reaches the enemy's home row wins.

use treegraft::{Game, Notation, Outcome, Side};

use crate::board::{self, Board, Square};

/// A position of Breakthrough. White, the first player, starts on rows 1 and 2 and moves up.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Breakthrough {
    board: Board<Option<Side>>,
    mover: Side,
}

impl Breakthrough {
    /// Both sides on their two home rows.
    #[must_use]
    pub fn new(width: u32, height: u32) -> Breakthrough {
        // On a single column a side could be blocked, and on three rows the home rows overlap.
        assert!(width >= 2 && height >= 4, "no board for Breakthrough");
        let mut board = Board::new(width, height, None);
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
        self.board.get((column as i32, row as i32)).flatten()
    }

    fn home_row(&self, side: Side) -> i32 {
        match side {
            Side::First => 0,
            Side::Second => self.board.height - 1,
        }
    }

    /// White moves to higher rows, Black to lower ones.
    fn forward(side: Side) -> i32 {
        match side {
            Side::First => 1,
            Side::Second => -1,
        }
    }
}

impl Game for Breakthrough {
    /// From, to.
    type Move = (Square, Square);

    fn to_move(&self) -> Side {
        self.mover
    }

    fn moves(&self, moves: &mut Vec<(Square, Square)>) {
        for from in self.board.squares() {
            if self.board.get(from) != Some(Some(self.mover)) {
                continue;
            }
            for sideways in [-1, 0, 1] {
                let to = (from.0 + sideways, from.1 + Breakthrough::forward(self.mover));
                let allowed = match self.board.get(to) {
                    // Off the board.
                    None => false,
                    // An empty square.
                    Some(None) => true,
                    // A capture: diagonally only, and only of the enemy.
                    Some(Some(owner)) => sideways != 0 && owner != self.mover,
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
            let mut enemies = 0;
            for square in self.board.squares() {
                if self.board.get(square) == Some(Some(enemy)) {
                    enemies += 1;
                }
                let broken_through = square.1 == self.home_row(enemy);
                if broken_through && self.board.get(square) == Some(Some(side)) {
                    return Some(Outcome::Win(side));
                }
            }
            if enemies == 0 {
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
        let rows = board::fen_rows(&self.board, |cell| match cell {
            None => None,
            Some(Side::First) => Some("P".to_owned()),
            Some(Side::Second) => Some("p".to_owned()),
        });
        let mover = if self.mover == Side::First { "w" } else { "b" };
        Some(format!("{rows} {mover}"))
    }
}
