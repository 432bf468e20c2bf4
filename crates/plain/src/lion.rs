//! Catch the Lion (Dōbutsu shōgi) on three columns and four rows.

use treegraft::{Game, Limits, Notation, Outcome, Side};

use crate::board::{self, Board, Square};

/// A kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// One step forward.
    Chick,
    /// One step diagonally.
    Elephant,
    /// One step straight.
    Giraffe,
    /// One step in any direction.
    Lion,
    /// A promoted Chick: one step in any direction but diagonally backward.
    Chicken,
}

use Kind::{Chick, Chicken, Elephant, Giraffe, Lion as King};

/// The pieces that can be in hand, in the order in which they are written.
const IN_HAND: [Kind; 3] = [Chick, Elephant, Giraffe];

/// What the side to move can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Move a piece from one square to another.
    Step(Square, Square),
    /// Put a piece from the hand on an empty square.
    Drop(Kind, Square),
}

/// A position of Catch the Lion. The first player sits at the bottom, below row 1.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lion {
    board: Board<(Side, Kind)>,
    /// How many of each of [`IN_HAND`] a side has, by [`Side::index`].
    hands: [[u32; 3]; 2],
    mover: Side,
    max_plies: u32,
}

impl Lion {
    /// The start; a game or playout of more than `max_plies` is a draw.
    #[must_use]
    pub fn new(max_plies: u32) -> Lion {
        let mut board = Board::new(3, 4);
        // Each side has its Giraffe on its own right.
        for (column, kind) in [(0, Elephant), (1, King), (2, Giraffe)] {
            board.set((column, 0), Some((Side::First, kind)));
            board.set((2 - column, 3), Some((Side::Second, kind)));
        }
        board.set((1, 1), Some((Side::First, Chick)));
        board.set((1, 2), Some((Side::Second, Chick)));
        Lion { board, hands: [[0; 3]; 2], mover: Side::First, max_plies }
    }

    /// The piece on a square and its owner; row 0 is the first player's home row.
    #[must_use]
    pub fn at(&self, column: u32, row: u32) -> Option<(Side, Kind)> {
        self.board.get((column as i32, row as i32))
    }

    /// How many Chicks, Elephants or Giraffes a side has in hand.
    #[must_use]
    pub fn in_hand(&self, side: Side, kind: Kind) -> u32 {
        IN_HAND.iter().position(|&k| k == kind).map_or(0, |i| self.hands[side.index()][i])
    }

    /// Whether a piece can go `sideways` columns and `forward` rows in one move.
    fn goes(kind: Kind, sideways: i32, forward: i32) -> bool {
        let one_step = sideways.abs() <= 1 && forward.abs() <= 1 && (sideways, forward) != (0, 0);
        let diagonal = sideways != 0 && forward != 0;
        one_step
            && match kind {
                Chick => forward == 1 && sideways == 0,
                Elephant => diagonal,
                Giraffe => !diagonal,
                King => true,
                Chicken => !(diagonal && forward == -1),
            }
    }

    /// The row farthest from a side: the enemy's home row.
    fn far_row(side: Side) -> i32 {
        if side == Side::First { 3 } else { 0 }
    }

    /// How many rows forward `to` lies of `from`, as `side` sees it.
    fn forward(side: Side, from: Square, to: Square) -> i32 {
        if side == Side::First { to.1 - from.1 } else { from.1 - to.1 }
    }
}

impl Game for Lion {
    type Move = Move;

    fn to_move(&self) -> Side {
        self.mover
    }

    fn moves(&self, moves: &mut Vec<Move>) {
        for from in self.board.squares() {
            let Some((owner, kind)) = self.board.get(from) else { continue };
            if owner != self.mover {
                continue;
            }
            for to in self.board.squares() {
                let forward = Lion::forward(self.mover, from, to);
                let onto_own = self.board.get(to).is_some_and(|(side, _)| side == self.mover);
                if Lion::goes(kind, to.0 - from.0, forward) && !onto_own {
                    moves.push(Move::Step(from, to));
                }
            }
        }
        for kind in IN_HAND {
            if self.in_hand(self.mover, kind) > 0 {
                moves.extend(self.board.squares_with(None).map(|to| Move::Drop(kind, to)));
            }
        }
    }

    fn play(&mut self, mv: Move) {
        match mv {
            Move::Step(from, to) => {
                let (_, mut kind) = self.board.get(from).expect("a piece to move");
                if let Some((_, captured)) = self.board.get(to) {
                    // A Chicken becomes a Chick again. A captured Lion ends the game and goes
                    // nowhere.
                    let captured = if captured == Chicken { Chick } else { captured };
                    if let Some(i) = IN_HAND.iter().position(|&k| k == captured) {
                        self.hands[self.mover.index()][i] += 1;
                    }
                }
                if kind == Chick && to.1 == Lion::far_row(self.mover) {
                    kind = Chicken;
                }
                self.board.set(from, None);
                self.board.set(to, Some((self.mover, kind)));
            }
            // No promotion: a Chick dropped on the far row stays a Chick.
            Move::Drop(kind, to) => {
                let i = IN_HAND.iter().position(|&k| k == kind).expect("a piece for the hand");
                self.hands[self.mover.index()][i] -= 1;
                self.board.set(to, Some((self.mover, kind)));
            }
        }
        self.mover = self.mover.other();
    }

    fn outcome(&self) -> Option<Outcome> {
        for side in [Side::First, Side::Second] {
            match self.board.squares_with(Some((side, King))).next() {
                None => return Some(Outcome::Win(side.other())),
                Some((_, row)) if row == Lion::far_row(side) => return Some(Outcome::Win(side)),
                Some(_) => {}
            }
        }
        None
    }

    fn limits(&self) -> Limits {
        Limits { playout_plies: self.max_plies, plies: Some(self.max_plies), ..Limits::default() }
    }

    treegraft::brings!(Notation);
}

impl Notation for Lion {
    fn move_text(&self, mv: Move) -> String {
        match mv {
            Move::Step(from, to) => format!("{}{}", board::name(from), board::name(to)),
            Move::Drop(kind, to) => format!("{}@{}", letter(Side::First, kind), board::name(to)),
        }
    }

    fn position_text(&self) -> Option<String> {
        let rows = board::fen_rows(&self.board, |(side, kind)| letter(side, kind));
        let mut hands = String::new();
        for side in [Side::First, Side::Second] {
            for kind in IN_HAND {
                hands += &letter(side, kind).repeat(self.in_hand(side, kind) as usize);
            }
        }
        if hands.is_empty() {
            hands.push('-');
        }
        let mover = if self.mover == Side::First { "w" } else { "b" };
        Some(format!("{rows}[{hands}] {mover}"))
    }
}

/// The letter of a piece: upper case for the first player, `+` before a promoted one.
fn letter(side: Side, kind: Kind) -> String {
    let letter = match kind {
        Chick => "C",
        Elephant => "E",
        Giraffe => "G",
        King => "L",
        Chicken => "+C",
    };
    if side == Side::First { letter.to_owned() } else { letter.to_lowercase() }
}
