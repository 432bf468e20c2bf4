//! Connect-4 as a picture: discs in the holes of a blue wall.

use treegraft::picture::{Cell, Colour, Kind, Picture, Shape, Tint};

use super::Connect4;
use crate::grid::Grid;

/// How wide a hole is.
const HOLE: f64 = 0.84;

pub(super) fn picture(position: &Connect4) -> Picture {
    let (columns, rows) = (position.width(), position.height());
    let grid = Grid { columns, rows, first_row_on_top: false, board: Tint::Blue };
    let mut picture = grid.bare([Colour::Red, Colour::Yellow]);
    for cell in 0..columns * rows {
        let (column, row) = (cell % columns, cell / columns);
        let (x, y) = grid.middle(column, row);
        // Column and row, for boards may have more columns than there are letters.
        let name = format!("{}.{}", column + 1, row + 1);
        let (shape, tint) = (Shape::Round, Tint::Hollow);
        picture.cells.push(Cell { name, x, y, width: HOLE, height: HOLE, shape, tint });
    }
    grid.write_columns(&mut picture, |column| (column + 1).to_string());
    grid.put(&mut picture, Kind::Disc, |column, row| position.at(column, row));
    picture
}
