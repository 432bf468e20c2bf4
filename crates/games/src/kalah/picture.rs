//! Kalah as a picture: seeds in the pits of a board, and how many there are.

use treegraft::Side;
use treegraft::picture::{BoardArea, Cell, Colour, Kind, Picture, Piece, Role, Shape, Tint};

use super::Kalah;

/// From the middle of a house to that of the next.
const PITCH: f64 = 1.15;
const STORE_WIDTH: f64 = 1.1;
/// Beside the stores, on either side.
const GAP: f64 = 0.15;
/// Middles of the two rows of houses, of the counts beside them, and of the numbers off the board.
const ROWS: [f64; 2] = [2.95, 1.75];
const COUNTS: [f64; 2] = [3.75, 0.95];
const NUMBERS: [f64; 2] = [4.4, 0.3];
const BOARD: [f64; 2] = [0.6, 4.1];
const MARGIN: f64 = 0.3;

pub(super) fn picture(position: &Kalah) -> Picture {
    let houses = f64::from(position.houses());
    let board_width = houses * PITCH + 2.0 * (STORE_WIDTH + 2.0 * GAP);
    let width = board_width + 2.0 * MARGIN;
    let height = NUMBERS[0] + NUMBERS[1];
    let mut picture = Picture::new(width, height, [Colour::White, Colour::Black]);
    let [top, bottom] = BOARD;
    picture.board = Some(BoardArea {
        x: MARGIN,
        y: top,
        width: board_width,
        height: bottom - top,
        tint: Tint::Light,
    });
    for side in [Side::First, Side::Second] {
        let (row, letter) = (side.index(), ['s', 'n'][side.index()]);
        // South's houses run to the right, North's to the left: seeds travel counter-clockwise.
        let x_of = |from_middle: f64| width / 2.0 + side.sign() as f64 * from_middle;
        for house in 0..position.houses() {
            let x = x_of((f64::from(house) - (houses - 1.0) / 2.0) * PITCH);
            let number = (house + 1).to_string();
            let pit = pit(format!("{letter}{number}"), (x, ROWS[row]), (1.0, 1.0));
            picture.write(number, x, NUMBERS[row], Role::Coordinate);
            add_pit(&mut picture, side, pit, position.at(side, house), COUNTS[row]);
        }
        let x = x_of((houses * PITCH + STORE_WIDTH) / 2.0 + GAP);
        let middle = f64::midpoint(ROWS[0], ROWS[1]);
        let pit = pit(format!("{letter}-store"), (x, middle), (STORE_WIDTH, 2.2));
        let name = ["South", "North"][row];
        picture.write(name, x, NUMBERS[row], Role::Coordinate);
        add_pit(&mut picture, side, pit, position.store(side), COUNTS[row]);
    }
    picture
}

fn pit(name: String, (x, y): (f64, f64), (width, height): (f64, f64)) -> Cell {
    Cell { name, x, y, width, height, shape: Shape::Round, tint: Tint::Hollow }
}

fn add_pit(picture: &mut Picture, side: Side, pit: Cell, count: u32, count_y: f64) {
    picture.write(count.to_string(), pit.x, count_y, Role::Count);
    picture.cells.push(pit);
    if count > 0 {
        let (cell, owner) = (picture.cells.len() - 1, Some(side));
        picture.pieces.push(Piece { cell, owner, kind: Kind::Seeds, count });
    }
}
