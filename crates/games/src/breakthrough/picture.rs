//! Breakthrough as a picture: pawns on a chessboard.

use treegraft::picture::{Colour, Kind, Picture, Tint};

use super::{Breakthrough, Step, Word};
use crate::grid::{Grid, chequered};

pub(super) fn picture<B: Word>(position: &Breakthrough<B>) -> Picture {
    let (columns, rows) = (position.width(), position.height());
    let grid = Grid { columns, rows, first_row_on_top: false, board: Tint::Dark };
    let mut picture = grid.picture([Colour::White, Colour::Black], chequered);
    grid.put(&mut picture, Kind::Pawn, |column, row| position.at(column, row));
    picture
}

pub(super) fn move_cells(mv: Step) -> Vec<usize> {
    vec![usize::from(mv.from), usize::from(mv.to)]
}
