//! How moves and positions of Breakthrough are written and drawn.

use treegraft::picture::{Colour, Kind, Tint};
use treegraft::{Charset, Game, Notation, NotationError, Picture, Side};

use super::{Breakthrough, Step, Word};
use crate::grid::{Grid, chequered};
use crate::{fen, square};

impl<B: Word> Notation for Breakthrough<B> {
    fn side_name(&self, side: Side) -> &'static str {
        ["White", "Black"][side.index()]
    }

    fn move_text(&self, mv: Step) -> String {
        let [from, to] = [mv.from, mv.to].map(|square| {
            let (column, row) = self.place(square);
            square::name(column, row)
        });
        from + &to
    }

    /// `e2e3`, `e2-e3`, and for a capture also `e2xd3`.
    fn parse_move(&self, text: &str) -> Result<Step, NotationError> {
        let refuse = |problem: &str| {
            let example = "a step of the side to move, such as e2e3, e2-e3 or e2xd3";
            NotationError::of_move(text, problem, example)
        };
        let ([from, to], claims_capture) = square::parse_two(text, self.width(), self.height())
            .ok_or_else(|| refuse("not two squares of the board"))?;
        if self.outcome().is_some() {
            return Err(refuse("the game is over").illegal());
        }
        let mv = Step { from, to };
        if !self.is_legal(mv) {
            let is_own = self.pieces(self.mover) & B::ONE << u32::from(from) != B::NONE;
            let problem = match is_own {
                true => "the piece cannot go there",
                false => "there is no piece of the side to move",
            };
            return Err(refuse(problem).illegal());
        }
        let captures = self.pieces(self.mover.other()) & B::ONE << u32::from(to) != B::NONE;
        if claims_capture && !captures {
            return Err(refuse("there is nothing to capture").illegal());
        }
        Ok(mv)
    }

    fn position_text(&self) -> Option<String> {
        Some(self.fen())
    }

    fn parse_position(&self, text: &str) -> Result<Self, NotationError> {
        self.read_position(text).map_err(|problem| {
            let start = Self::new(self.width(), self.height()).map_or(String::new(), |s| s.fen());
            let expected = format!(
                "{} rows of P (White), p (Black) and numbers of empty squares, and w or b to move: \
                 {start}",
                self.height
            );
            NotationError::of_position(text, problem, expected)
        })
    }

    fn diagram(&self, charset: Charset) -> String {
        let row = |row: u32| {
            // White has the first move.
            let sign = |column| square::disc(charset, self.at(column, row).map(Side::other));
            format!("{:>2}{}\n", row + 1, square::spaced(self.width(), sign))
        };
        let rows: String = (0..self.height()).rev().map(row).collect();
        rows + "  " + &square::spaced(self.width(), square::column_letter)
    }

    fn picture(&self) -> Option<Picture> {
        let (columns, rows) = (self.width(), self.height());
        let grid = Grid { columns, rows, first_row_on_top: false, board: Tint::Dark };
        let mut picture = grid.picture([Colour::White, Colour::Black], chequered);
        grid.put(&mut picture, Kind::Pawn, |column, row| self.at(column, row));
        Some(picture)
    }

    fn move_cells(&self, mv: Step) -> Vec<usize> {
        vec![usize::from(mv.from), usize::from(mv.to)]
    }
}

impl<B: Word> Breakthrough<B> {
    pub(super) fn fen(&self) -> String {
        let letter = |column, row| self.at(column, row).map(|side| ["P", "p"][side.index()]);
        let board = fen::board_text(self.width(), self.height(), letter);
        format!("{board} {}", fen::side_letter(self.mover))
    }

    fn read_position(&self, text: &str) -> Result<Self, String> {
        let (board, mover) = fen::split(text)?;
        let mut position = Breakthrough { white: B::NONE, black: B::NONE, mover, ..*self };
        fen::read_board(board, self.width(), self.height(), |piece, column, row| {
            let square = B::ONE << (row * self.width() + column);
            match piece {
                "P" => position.white = position.white | square,
                "p" => position.black = position.black | square,
                _ => return false,
            }
            true
        })?;
        for side in [Side::First, Side::Second] {
            let name = self.notation().side_name(side);
            let (pieces, most) = (position.pieces(side), 2 * self.width());
            if pieces.count() > most {
                return Err(format!("{name} has {} pieces, more than {most}", pieces.count()));
            }
            if (pieces & position.goal(side)).count() > 1 {
                return Err(format!("{name} has reached the other end more than once"));
            }
        }
        // The last move ended the game, so the winner cannot be to move; this also refuses
        // boards on which both have won.
        if position.has_won(mover) {
            return Err(format!(
                "{} is to move and has already won",
                self.notation().side_name(mover)
            ));
        }
        Ok(position)
    }
}
