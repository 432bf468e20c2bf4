//! Othello: place a disc so that enemy discs lie between it and another of yours, and turn them.

use treegraft::{Exactness, Game, Notation, Outcome, Side};

use crate::board::{self, Board, DIRECTIONS, Square};

/// A position of Othello. Black moves first; a1 is the top left corner.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Othello {
    board: Board<Side>,
    mover: Side,
    winner_takes_empties: bool,
}

/// What the side to move can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Place a disc.
    Place(Square),
    /// Nothing, which is only allowed when no disc can be placed.
    Pass,
}

impl Othello {
    /// Two discs each in the centre: on 8x8 Black's on e4 and d5, White's on d4 and e5.
    #[must_use]
    pub fn new(size: u32) -> Othello {
        assert!(size >= 4 && size.is_multiple_of(2), "the board needs a centre of four cells");
        let mut board = Board::new(size, size);
        let (left, right) = (board.width / 2 - 1, board.width / 2);
        let (upper, lower) = (left, right);
        board.set((right, upper), Some(Side::First));
        board.set((left, lower), Some(Side::First));
        board.set((left, upper), Some(Side::Second));
        board.set((right, lower), Some(Side::Second));
        Othello { board, mover: Side::First, winner_takes_empties: false }
    }

    /// The same game, in which squares that stay empty count as discs of the winner.
    #[must_use]
    pub fn winner_takes_empties(self) -> Othello {
        Othello { winner_takes_empties: true, ..self }
    }

    /// Whose disc lies in a cell; row 0 is the upper one.
    #[must_use]
    pub fn at(&self, column: u32, row: u32) -> Option<Side> {
        self.board.get((column as i32, row as i32))
    }

    /// The enemy discs that a disc of `side` on an empty square would turn.
    fn turned(&self, side: Side, square: Square) -> Vec<Square> {
        let mut turned = Vec::new();
        for (right, down) in DIRECTIONS {
            let mut between = Vec::new();
            let mut next = (square.0 + right, square.1 + down);
            while self.board.get(next) == Some(side.other()) {
                between.push(next);
                next = (next.0 + right, next.1 + down);
            }
            if self.board.get(next) == Some(side) {
                turned.extend(between);
            }
        }
        turned
    }

    fn placements(&self, side: Side) -> Vec<Square> {
        let free = self.board.squares_with(None);
        free.filter(|&square| !self.turned(side, square).is_empty()).collect()
    }

    fn is_over(&self) -> bool {
        self.placements(Side::First).is_empty() && self.placements(Side::Second).is_empty()
    }

    /// Black discs minus white discs.
    fn difference(&self) -> i64 {
        self.board.squares().filter_map(|square| self.board.get(square)).map(Side::sign).sum()
    }
}

impl Game for Othello {
    type Move = Move;

    fn to_move(&self) -> Side {
        self.mover
    }

    fn moves(&self, moves: &mut Vec<Move>) {
        let placements = self.placements(self.mover);
        if placements.is_empty() {
            moves.push(Move::Pass);
        }
        moves.extend(placements.into_iter().map(Move::Place));
    }

    fn play(&mut self, mv: Move) {
        if let Move::Place(square) = mv {
            for enemy in self.turned(self.mover, square) {
                self.board.set(enemy, Some(self.mover));
            }
            self.board.set(square, Some(self.mover));
        }
        self.mover = self.mover.other();
    }

    fn outcome(&self) -> Option<Outcome> {
        self.is_over().then(|| Outcome::from_margin(self.difference()))
    }

    treegraft::brings!(Exactness, Notation);
}

impl Exactness for Othello {
    fn margin(&self) -> Option<i64> {
        if !self.is_over() {
            return None;
        }
        let empty = self.board.squares_with(None).count() as i64;
        Some(match self.difference() {
            black if self.winner_takes_empties && black > 0 => black + empty,
            black if self.winner_takes_empties && black < 0 => black - empty,
            black => black,
        })
    }
}

impl Notation for Othello {
    fn move_text(&self, mv: Move) -> String {
        match mv {
            Move::Place(square) => board::name(square),
            Move::Pass => "pass".to_owned(),
        }
    }

    fn position_text(&self) -> Option<String> {
        let letter = |side| if side == Side::First { 'X' } else { 'O' };
        let mut text = String::new();
        for square in self.board.squares() {
            text.push(self.board.get(square).map_or('-', letter));
        }
        Some(format!("{text} {}", letter(self.mover)))
    }
}
