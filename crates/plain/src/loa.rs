//! Lines of Action: bring all your pieces together.

use treegraft::{Game, Limits, Notation, Outcome, Side};

use crate::board::{self, Board, DIRECTIONS, Square};

/// A position of Lines of Action. Black moves first; a1 is the bottom left corner.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Loa {
    board: Board<Side>,
    mover: Side,
    simultaneous: Simultaneous,
    no_move: NoMove,
    repetition: Option<u32>,
}

/// What it means when a move connects both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Simultaneous {
    /// A draw.
    Draw,
    /// The side that moved wins.
    MoverWins,
}

/// What happens to a side that cannot move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoMove {
    /// It passes.
    Pass,
    /// It loses.
    Loss,
}

/// What the side to move can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Move a piece from one square to another.
    Go(Square, Square),
    /// Nothing, which is only allowed when no piece can move.
    Pass,
}

impl Loa {
    /// Black on b1–g1 and b8–g8, White on a2–a7 and h2–h7. `repetition` is after how many
    /// occurrences of a position a played game is drawn.
    #[must_use]
    pub fn new(simultaneous: Simultaneous, no_move: NoMove, repetition: Option<u32>) -> Loa {
        let mut board = Board::new(8, 8);
        for i in 1..=6 {
            for edge in [0, 7] {
                board.set((i, edge), Some(Side::First));
                board.set((edge, i), Some(Side::Second));
            }
        }
        Loa { board, mover: Side::First, simultaneous, no_move, repetition }
    }

    /// A position with the same rules and any pieces.
    #[must_use]
    pub fn with_pieces(&self, black: &[Square], white: &[Square], mover: Side) -> Loa {
        let mut board = Board::new(8, 8);
        for &square in black {
            board.set(square, Some(Side::First));
        }
        for &square in white {
            board.set(square, Some(Side::Second));
        }
        Loa { board, mover, ..self.clone() }
    }

    /// Whose piece stands on a square.
    #[must_use]
    pub fn at(&self, column: u32, row: u32) -> Option<Side> {
        self.board.get((column as i32, row as i32))
    }

    /// The pieces of both colours on the whole line through `square` in this direction and the
    /// opposite one, the piece on `square` included.
    fn pieces_on_line(&self, square: Square, (right, up): (i32, i32)) -> i32 {
        let other = |step: i32| (square.0 + step * right, square.1 + step * up);
        (-7..=7).filter(|&step| self.board.get(other(step)).is_some()).count() as i32
    }

    /// Where a piece of `side` on `from` ends up in a direction, if it can move there.
    fn destination(&self, side: Side, from: Square, (right, up): (i32, i32)) -> Option<Square> {
        let distance = self.pieces_on_line(from, (right, up));
        for step in 1..distance {
            let between = (from.0 + step * right, from.1 + step * up);
            if self.board.get(between) == Some(side.other()) {
                return None;
            }
        }
        let to = (from.0 + distance * right, from.1 + distance * up);
        (self.board.has(to) && self.board.get(to) != Some(side)).then_some(to)
    }

    /// All moves of the side to move but the pass.
    fn piece_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for from in self.board.squares_with(Some(self.mover)) {
            for direction in DIRECTIONS {
                let to = self.destination(self.mover, from, direction);
                moves.extend(to.map(|to| Move::Go(from, to)));
            }
        }
        moves
    }

    /// Whether all pieces of a side hang together, diagonals included.
    fn is_connected(&self, side: Side) -> bool {
        let pieces: Vec<Square> = self.board.squares_with(Some(side)).collect();
        let mut reached: Vec<Square> = pieces.iter().copied().take(1).collect();
        let mut i = 0;
        while i < reached.len() {
            for (right, up) in DIRECTIONS {
                let neighbour = (reached[i].0 + right, reached[i].1 + up);
                if pieces.contains(&neighbour) && !reached.contains(&neighbour) {
                    reached.push(neighbour);
                }
            }
            i += 1;
        }
        reached.len() == pieces.len()
    }
}

impl Game for Loa {
    type Move = Move;

    fn to_move(&self) -> Side {
        self.mover
    }

    fn moves(&self, moves: &mut Vec<Move>) {
        let piece_moves = self.piece_moves();
        if piece_moves.is_empty() {
            moves.push(Move::Pass);
        }
        moves.extend(piece_moves);
    }

    fn play(&mut self, mv: Move) {
        if let Move::Go(from, to) = mv {
            self.board.set(from, None);
            self.board.set(to, Some(self.mover));
        }
        self.mover = self.mover.other();
    }

    fn outcome(&self) -> Option<Outcome> {
        let moved = self.mover.other();
        match (self.is_connected(moved), self.is_connected(self.mover)) {
            (true, true) if self.simultaneous == Simultaneous::Draw => Some(Outcome::Draw),
            (true, _) => Some(Outcome::Win(moved)),
            (false, true) => Some(Outcome::Win(self.mover)),
            (false, false) => {
                let lost = self.no_move == NoMove::Loss && self.piece_moves().is_empty();
                lost.then_some(Outcome::Win(moved))
            }
        }
    }

    fn limits(&self) -> Limits {
        Limits { playout_plies: 200, repetitions: self.repetition, ..Limits::default() }
    }

    treegraft::brings!(Notation);
}

impl Notation for Loa {
    fn move_text(&self, mv: Move) -> String {
        match mv {
            Move::Go(from, to) => format!("{}{}", board::name(from), board::name(to)),
            Move::Pass => "pass".to_owned(),
        }
    }
}
