//! Boards of squares as pictures, shared by the games that are played on them.

use treegraft::Side;
use treegraft::picture::{BoardArea, Cell, Colour, Kind, Picture, Role, Shape, Tint};

use crate::square;

/// Room for coordinates on the left of a grid and below or above it, and on the other two sides.
pub(crate) const WIDE_MARGIN: f64 = 0.7;
pub(crate) const MARGIN: f64 = 0.25;
/// How far a board sticks out beyond its cells.
pub(crate) const RIM: f64 = 0.1;

/// A board of rows and columns. Cells are numbered from a1, row by row.
#[derive(Clone, Copy)]
pub(crate) struct Grid {
    pub(crate) columns: u32,
    pub(crate) rows: u32,
    /// Whether row 1 is the top one, with the columns' letters above it.
    pub(crate) first_row_on_top: bool,
    pub(crate) board: Tint,
}

impl Grid {
    /// The empty board with letters and numbers along its edges; `tint` gets column and row.
    pub(crate) fn picture(&self, colours: [Colour; 2], tint: impl Fn(u32, u32) -> Tint) -> Picture {
        let mut picture = self.bare(colours);
        for row in 0..self.rows {
            for column in 0..self.columns {
                let (x, y) = self.middle(column, row);
                let cell = square_cell(square::name(column, row), x, y, tint(column, row));
                picture.cells.push(cell);
            }
            let y = self.middle(0, row).1;
            picture.write((row + 1).to_string(), WIDE_MARGIN / 2.0, y, Role::Coordinate);
        }
        self.write_columns(&mut picture, |column| square::column_letter(column).to_string());
        picture
    }

    /// The board without cells.
    pub(crate) fn bare(&self, colours: [Colour; 2]) -> Picture {
        let (columns, rows) = (f64::from(self.columns), f64::from(self.rows));
        let margins = WIDE_MARGIN + MARGIN;
        let mut picture = Picture::new(columns + margins, rows + margins, colours);
        picture.board = Some(BoardArea {
            x: WIDE_MARGIN - RIM,
            y: self.top() - RIM,
            width: columns + 2.0 * RIM,
            height: rows + 2.0 * RIM,
            tint: self.board,
        });
        picture
    }

    /// Names the columns.
    pub(crate) fn write_columns(&self, picture: &mut Picture, name: impl Fn(u32) -> String) {
        let edge = WIDE_MARGIN / 2.0;
        let y = if self.first_row_on_top { edge } else { picture.height - edge };
        for column in 0..self.columns {
            picture.write(name(column), self.middle(column, 0).0, y, Role::Coordinate);
        }
    }

    /// The middle of a cell.
    pub(crate) fn middle(&self, column: u32, row: u32) -> (f64, f64) {
        let from_top = if self.first_row_on_top { row } else { self.rows - 1 - row };
        (WIDE_MARGIN + f64::from(column) + 0.5, self.top() + f64::from(from_top) + 0.5)
    }

    fn top(&self) -> f64 {
        if self.first_row_on_top { WIDE_MARGIN } else { MARGIN }
    }

    /// Puts a piece on every occupied cell.
    pub(crate) fn put(
        &self,
        picture: &mut Picture,
        kind: Kind,
        at: impl Fn(u32, u32) -> Option<Side>,
    ) {
        for cell in 0..self.columns * self.rows {
            if let Some(side) = at(cell % self.columns, cell / self.columns) {
                picture.put(cell as usize, side, kind);
            }
        }
    }
}

/// A square of side 1.
pub(crate) fn square_cell(name: String, x: f64, y: f64, tint: Tint) -> Cell {
    Cell { name, x, y, width: 1.0, height: 1.0, shape: Shape::Square, tint }
}

/// The squares of a chessboard: a1 is dark.
pub(crate) fn chequered(column: u32, row: u32) -> Tint {
    if (column + row).is_multiple_of(2) { Tint::Dark } else { Tint::Light }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_row_is_where_it_belongs() {
        for first_row_on_top in [true, false] {
            let grid = Grid { columns: 3, rows: 4, first_row_on_top, board: Tint::Dark };
            let picture = grid.picture([Colour::White, Colour::Black], chequered);
            let cell = |name: &str| picture.cells.iter().find(|cell| cell.name == name).unwrap();
            assert_eq!(cell("a1").y < cell("a4").y, first_row_on_top);
            assert_eq!(cell("c1").x - cell("a1").x, 2.0);
            assert_eq!((cell("a1").tint, cell("c4").tint), (Tint::Dark, Tint::Light));
            assert_eq!(picture.cells[4].name, "b2");
            let label = |text: &str| picture.labels.iter().find(|l| l.text == text).unwrap();
            assert_eq!(label("b").x, cell("b1").x);
            assert_eq!(label("3").y, cell("a3").y);
            assert_eq!(label("b").y < cell("b1").y, first_row_on_top);
        }
    }
}
