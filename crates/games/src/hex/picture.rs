//! Hex as a picture: a rhombus of hexagons between the edges of both players.

use treegraft::Side;
use treegraft::picture::{Cell, Colour, Kind, Line, Picture, Role, Shape, Tint};

use super::{Cells, Hex};
use crate::square;

/// The height of a hexagon of width 1, and from one row to the next.
const HEIGHT: f64 = 1.154_700_538_379_251_5;
const PITCH: f64 = 0.75 * HEIGHT;
/// The middle of a1.
const LEFT: f64 = 1.5;
const TOP: f64 = 1.5;

pub(super) fn picture<W: Cells>(position: &Hex<W>) -> Picture {
    let size = position.size();
    let last = middle(size - 1, size - 1);
    let mut picture = Picture::new(last.0 + 1.0, last.1 + 1.0, [Colour::Black, Colour::White]);
    picture.lines = edges(size);
    for cell in 0..size * size {
        let (column, row) = (cell % size, cell / size);
        let (x, y) = middle(column, row);
        let (name, shape, tint) = (square::name(column, row), Shape::Hexagon, Tint::Light);
        picture.cells.push(Cell { name, x, y, width: 1.0, height: HEIGHT, shape, tint });
        if let Some(side) = position.at(column, row) {
            picture.put(cell as usize, side, Kind::Disc);
        }
    }
    for i in 0..size {
        let ((x, y), letter) = (middle(i, 0), square::column_letter(i));
        picture.write(letter, x - 0.3, y - 1.05, Role::Coordinate);
        let (x, y) = middle(0, i);
        picture.write((i + 1).to_string(), x - 1.0, y, Role::Coordinate);
    }
    picture
}

/// The middle of a cell: every row is half a cell to the right of the one above.
fn middle(column: u32, row: u32) -> (f64, f64) {
    let (column, row) = (f64::from(column), f64::from(row));
    (LEFT + column + row / 2.0, TOP + row * PITCH)
}

/// Top and bottom are the first player's, left and right the second player's.
fn edges(size: u32) -> Vec<Line> {
    let last = size - 1;
    // Upper and lower edge: over the corners of the cells, from the left to the right.
    let level = |row: u32, down: f64| {
        let mut points = Vec::new();
        for column in 0..size {
            let (x, y) = middle(column, row);
            points.push([x - 0.5, y + down * HEIGHT / 4.0]);
            points.push([x, y + down * HEIGHT / 2.0]);
        }
        let (x, y) = middle(last, row);
        points.push([x + 0.5, y + down * HEIGHT / 4.0]);
        Line { owner: Some(Side::First), points }
    };
    let upright = |column: u32, right: f64| {
        let points = (0..size).flat_map(|row| {
            let (x, y) = middle(column, row);
            [-1.0, 1.0].map(|down| [x + right * 0.5, y + down * HEIGHT / 4.0])
        });
        Line { owner: Some(Side::Second), points: points.collect() }
    };
    vec![level(0, -1.0), level(last, 1.0), upright(0, -1.0), upright(last, 1.0)]
}
