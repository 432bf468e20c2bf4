//! Othello as a picture: discs on green felt.

use treegraft::picture::{Colour, Kind, Picture, Tint};

use super::{Othello, PASS};
use crate::grid::Grid;

pub(super) fn picture(position: &Othello) -> Picture {
    let size = position.size();
    let grid = Grid { columns: size, rows: size, first_row_on_top: true, board: Tint::Dark };
    let mut picture = grid.picture([Colour::Black, Colour::White], |_, _| Tint::Green);
    grid.put(&mut picture, Kind::Disc, |column, row| position.at(column, row));
    picture
}

/// Where the disc is placed.
pub(super) fn move_cells(position: &Othello, mv: u8) -> Vec<usize> {
    if mv == PASS {
        return Vec::new();
    }
    let (column, row) = (usize::from(mv % 8), usize::from(mv / 8));
    vec![row * position.size() as usize + column]
}
