//! Cells, lists of moves, and the rhombus.

use treegraft::{Charset, Game, Notation, NotationError, Picture, Side};

use super::{Cells, Hex, SWAP, picture};
use crate::{by_moves, square};

impl<W: Cells> Notation for Hex<W> {
    fn side_name(&self, side: Side) -> &'static str {
        ["Black", "White"][side.index()]
    }

    fn move_text(&self, mv: u16) -> String {
        match mv {
            SWAP => "swap".to_owned(),
            cell => square::name(u32::from(cell) % self.size(), u32::from(cell) / self.size()),
        }
    }

    /// Reads `a1` and `swap`, also `swap-pieces`, in letters of either case.
    fn parse_move(&self, text: &str) -> Result<u16, NotationError> {
        let size = self.size();
        let refuse = |problem: &str| {
            let last = square::name(size - 1, size - 1);
            let swap = if self.can_swap() { ", or swap" } else { "" };
            let expected = format!("an empty cell from a1 to {last}{swap}");
            NotationError::of_move(text, problem, expected)
        };
        let illegal = |problem: &str| Err(refuse(problem).illegal());
        let lower = text.to_ascii_lowercase();
        let mv = match (lower.as_str(), square::parse(&lower)) {
            ("swap" | "swap-pieces", _) if self.can_swap() => SWAP,
            ("swap" | "swap-pieces", _) if !self.swap => {
                return illegal("the game is played without the swap");
            }
            ("swap" | "swap-pieces", _) => {
                return illegal("only the first stone can be taken over");
            }
            (_, Some(((column, row), ""))) if column < size && row < size => {
                self.cell(column, row) as u16
            }
            _ => return Err(refuse("not a cell of the board")),
        };
        if self.outcome().is_some() {
            return illegal("the game is over");
        }
        if mv != SWAP && self.empty() & W::one(mv.into()) == W::NONE {
            return illegal("the cell is occupied");
        }
        Ok(mv)
    }

    fn position_text(&self) -> Option<String> {
        let moves: Vec<String> = self.some_moves()?.iter().map(|&mv| self.move_text(mv)).collect();
        Some(moves.join(" "))
    }

    fn position_is_moves(&self) -> Option<&'static str> {
        Some(" ")
    }

    fn parse_position(&self, text: &str) -> Result<Hex<W>, NotationError> {
        let empty = Hex::start(self.size(), self.swap);
        by_moves::parse(empty, text, "the moves played, such as \"a1 b2 c1\"")
    }

    /// The board with every row half a cell further to the right, and whose edges are whose.
    fn diagram(&self, charset: Charset) -> String {
        let mut text = " ".to_owned() + &square::spaced(self.size(), square::column_letter);
        for row in 0..self.size() {
            let stone = |column| square::disc(charset, self.at(column, row));
            let (stones, indent) = (square::spaced(self.size(), stone), row as usize);
            text.push_str(&format!("\n{:indent$}{:>2}{stones}", "", row + 1));
        }
        let [black, white] =
            [Side::First, Side::Second].map(|side| square::disc(charset, Some(side)));
        text + &format!("\n{black} Black: top to bottom\n{white} White: left to right")
    }

    fn picture(&self) -> Option<Picture> {
        Some(picture::picture(self))
    }

    /// The cell of the stone; for a swap, where it lay and where its mirror image will.
    fn move_cells(&self, mv: u16) -> Vec<usize> {
        if mv != SWAP {
            return vec![usize::from(mv)];
        }
        let Some(taken) = self.stones[0].lowest() else { return Vec::new() };
        let mut cells = vec![taken as usize, self.mirrored(taken) as usize];
        cells.dedup();
        cells
    }
}
