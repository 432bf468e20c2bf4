//! Lines of Action in text: moves, positions and pictures.

use treegraft::picture::{Colour, Kind, Tint};
use treegraft::{Charset, Game, Notation, NotationError, Picture, Side, legal_moves};

use super::{Loa, LoaMove};
use crate::grid::{Grid, chequered};
use crate::{fen, square};

impl Notation for Loa {
    fn side_name(&self, side: Side) -> &'static str {
        ["Black", "White"][side.index()]
    }

    fn move_text(&self, mv: LoaMove) -> String {
        if mv == LoaMove::PASS {
            return "pass".to_owned();
        }
        let name = |square: u8| square::name(u32::from(square & 7), u32::from(square >> 3));
        name(mv.from) + &name(mv.to)
    }

    fn parse_move(&self, text: &str) -> Result<LoaMove, NotationError> {
        let refuse = |problem: &str| {
            let expected = "a legal move as two squares, such as b1h1, b1-h1 or c1xa3, or pass if \
                            there is none";
            NotationError::of_move(text, problem, expected)
        };
        let illegal = |problem: &str| Err(refuse(problem).illegal());
        let (mv, captures) = match (text, square::parse_two(text, 8, 8)) {
            ("pass", _) => (LoaMove::PASS, false),
            // The same square twice would be a pass, which has a word of its own.
            (_, Some(([from, to], captures))) if from != to => (LoaMove { from, to }, captures),
            _ => return Err(refuse("not a move")),
        };
        if self.outcome().is_some() {
            return illegal("the game is over");
        }
        if !legal_moves(self).contains(&mv) {
            let is_own = self.own >> mv.from & 1 == 1;
            return match mv == LoaMove::PASS {
                true => illegal("a piece can be moved"),
                false if is_own => illegal("the piece cannot go there"),
                false => illegal("there is no piece of the side to move"),
            };
        }
        if captures && self.theirs >> mv.to & 1 == 0 {
            return illegal("there is nothing to capture");
        }
        Ok(mv)
    }

    fn position_text(&self) -> Option<String> {
        let letter = |column, row| self.at(column, row).map(|side| ["B", "W"][side.index()]);
        let mover = ["b", "w"][self.mover.index()];
        Some(format!("{} {mover}", fen::board_text(8, 8, letter)))
    }

    fn parse_position(&self, text: &str) -> Result<Loa, NotationError> {
        self.read_position(text).map_err(|problem| {
            let expected = "eight rows from the eighth to the first, of B, W and digits for empty \
                            squares, 1 to 12 pieces a side, and the side to move (b or w), such as \
                            1BBBBBB1/W6W/W6W/W6W/W6W/W6W/W6W/1BBBBBB1 b";
            NotationError::of_position(text, problem, expected)
        })
    }

    fn diagram(&self, charset: Charset) -> String {
        let row = |row: u32| {
            let discs = square::spaced(8, |column| square::disc(charset, self.at(column, row)));
            format!("{}{discs}\n", row + 1)
        };
        (0..8).rev().map(row).collect::<String>() + " " + &square::spaced(8, square::column_letter)
    }

    fn picture(&self) -> Option<Picture> {
        let grid = Grid { columns: 8, rows: 8, first_row_on_top: false, board: Tint::Dark };
        let mut picture = grid.picture([Colour::Black, Colour::White], chequered);
        grid.put(&mut picture, Kind::Disc, |column, row| self.at(column, row));
        Some(picture)
    }

    fn move_cells(&self, mv: LoaMove) -> Vec<usize> {
        if mv == LoaMove::PASS {
            return Vec::new();
        }
        vec![usize::from(mv.from), usize::from(mv.to)]
    }
}

impl Loa {
    fn read_position(&self, text: &str) -> Result<Loa, String> {
        let (board, mover) = fen::split_by(text, ["b", "w"])?;
        let rows: Vec<&str> = board.split('/').collect();
        if rows.len() != 8 {
            return Err(format!("it has {} rows, not 8", rows.len()));
        }
        let (mut black, mut white) = (0, 0);
        for (row, letters) in (0..8).rev().zip(rows) {
            let (b, w) =
                parse_row(letters).map_err(|problem| format!("row {} {problem}", row + 1))?;
            black |= b << (8 * row);
            white |= w << (8 * row);
        }
        for (name, pieces) in [("Black", black), ("White", white)] {
            let count = pieces.count_ones();
            if !(1..=12).contains(&count) {
                return Err(format!("{name} has {count} pieces, not 1 to 12"));
            }
        }
        let (own, theirs) = if mover == Side::First { (black, white) } else { (white, black) };
        Ok(Loa { own, theirs, mover, ..*self })
    }
}

/// The black and white pieces of a row.
fn parse_row(letters: &str) -> Result<(u64, u64), String> {
    let (mut black, mut white, mut column) = (0, 0, 0);
    for letter in letters.chars() {
        let width = match letter {
            'B' | 'W' => 1,
            '1'..='8' => letter as u32 - '0' as u32,
            _ => return Err(format!("has {letter:?} in it")),
        };
        if column + width > 8 {
            return Err("is longer than 8 squares".to_owned());
        }
        match letter {
            'B' => black |= 1 << column,
            'W' => white |= 1 << column,
            _ => {}
        }
        column += width;
    }
    if column < 8 {
        return Err(format!("has {column} squares, not 8"));
    }
    Ok((black, white))
}
