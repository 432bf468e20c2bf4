//! Lines of Action as a picture: discs on a chessboard.

use treegraft::picture::{Colour, Kind, Picture, Tint};

use super::{Loa, LoaMove};
use crate::grid::{Grid, chequered};

pub(super) fn picture(position: &Loa) -> Picture {
    let grid = Grid { columns: 8, rows: 8, first_row_on_top: false, board: Tint::Dark };
    let mut picture = grid.picture([Colour::Black, Colour::White], chequered);
    grid.put(&mut picture, Kind::Disc, |column, row| position.at(column, row));
    picture
}

pub(super) fn move_cells(mv: LoaMove) -> Vec<usize> {
    if mv == LoaMove::PASS {
        return Vec::new();
    }
    vec![usize::from(mv.from), usize::from(mv.to)]
}
