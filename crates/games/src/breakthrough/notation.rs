//! How moves and positions of Breakthrough are written and drawn.

use treegraft::{Charset, Game, Notation, NotationError, Side};

use super::{Breakthrough, Step, Word};
use crate::{fen, square};

impl<B: Word> Breakthrough<B> {
    pub(super) fn text_of_step(&self, mv: Step) -> String {
        let name = |square| {
            let (column, row) = self.place(square);
            square::name(column, row)
        };
        name(mv.from) + &name(mv.to)
    }

    /// `e2e3`, `e2-e3`, and for a capture also `e2xd3`.
    pub(super) fn read_step(&self, text: &str) -> Result<Step, NotationError> {
        let refuse = |problem: &str| {
            let example = "a step of the side to move, such as e2e3, e2-e3 or e2xd3";
            NotationError::of_move(text, problem, example)
        };
        let place = |text| {
            let ((column, row), rest) = square::parse(text)?;
            let inside = column < self.width() && row < self.height();
            inside.then_some((row * self.width() + column, rest))
        };
        let squares = || {
            let (from, rest) = place(text)?;
            let (mark, rest) = match rest.as_bytes().first() {
                Some(&mark @ (b'-' | b'x')) => (Some(mark), &rest[1..]),
                _ => (None, rest),
            };
            let (to, rest) = place(rest)?;
            rest.is_empty().then_some((from, to, mark))
        };
        let (from, to, mark) = squares().ok_or_else(|| refuse("not two squares of the board"))?;
        if self.outcome().is_some() {
            return Err(refuse("the game is over").illegal());
        }
        let mv = Step { from: from as u8, to: to as u8 };
        if !self.is_legal(mv) {
            let is_own = self.pieces(self.mover) & B::ONE << from != B::NONE;
            let problem = match is_own {
                true => "the piece cannot go there",
                false => "there is no piece of the side to move",
            };
            return Err(refuse(problem).illegal());
        }
        let captures = self.pieces(self.mover.other()) & B::ONE << to != B::NONE;
        if mark == Some(b'x') && !captures {
            return Err(refuse("there is nothing to capture").illegal());
        }
        Ok(mv)
    }

    pub(super) fn fen(&self) -> String {
        let letter = |column, row| match self.at(column, row)? {
            Side::First => Some("P"),
            Side::Second => Some("p"),
        };
        let board = fen::board_text(self.width(), self.height(), letter);
        format!("{board} {}", fen::side_letter(self.mover))
    }

    pub(super) fn read_fen(&self, text: &str) -> Result<Self, NotationError> {
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

    pub(super) fn text_diagram(&self, charset: Charset) -> String {
        let (white, black, empty) = match charset {
            Charset::Unicode => ('○', '●', '·'),
            Charset::Ascii => ('W', 'B', '.'),
        };
        let mut text = String::new();
        for row in (0..self.height()).rev() {
            text.push_str(&format!("{:>2}", row + 1));
            for column in 0..self.width() {
                text.push(' ');
                text.push(match self.at(column, row) {
                    Some(Side::First) => white,
                    Some(Side::Second) => black,
                    None => empty,
                });
            }
            text.push('\n');
        }
        text.push_str("  ");
        for column in 0..self.width() {
            text.push(' ');
            text.push(square::column_letter(column));
        }
        text
    }
}
