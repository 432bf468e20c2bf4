//! Catch the Lion as a picture: tiles on a board with the home rows marked, and on the stands
//! beside it the pieces in hand.

use treegraft::Side;
use treegraft::picture::{Colour, Kind, Picture, Piece as Tile, Role, Tint};

use super::notation::{IN_HAND, letters};
use super::{Lion, LionMove, Piece};
use crate::grid::{Grid, MARGIN, square_cell};

const GRID: Grid = Grid { columns: 3, rows: 4, first_row_on_top: false, board: Tint::Dark };

/// Cells of the board; those of the stands follow, the first player's before the second's.
const SQUARES: usize = 12;
/// A stand and the gap beside it.
const STAND: f64 = 1.0 + MARGIN;

pub(super) fn picture(position: &Lion) -> Picture {
    let home = |_, row| if row == 0 || row == 3 { Tint::Dark } else { Tint::Light };
    let mut picture = GRID.picture([Colour::White, Colour::Black], home);
    let right_edge = picture.width;
    // The second player's stand is on the left, the first player's on the right: at the right
    // hand of both.
    picture.width += 2.0 * STAND;
    for cell in &mut picture.cells {
        cell.x += STAND;
    }
    for label in &mut picture.labels {
        label.x += STAND;
    }
    if let Some(board) = &mut picture.board {
        board.x += STAND;
    }
    for side in [Side::First, Side::Second] {
        let (x, from_top) = match side {
            Side::First => (right_edge + STAND + 0.5, [0, 1, 2, 3]),
            Side::Second => (MARGIN + 0.5, [3, 2, 1, 0]),
        };
        for (piece, row) in IN_HAND.into_iter().zip(from_top) {
            let y = MARGIN + 0.5 + f64::from(row);
            let name = format!("{}@", letters(side, piece));
            picture.cells.push(square_cell(name, x, y, Tint::Plain));
        }
        picture.write("in hand", x, picture.height - 0.35, Role::Coordinate);
    }
    put_pieces(position, &mut picture);
    picture
}

fn put_pieces(position: &Lion, picture: &mut Picture) {
    for cell in 0..SQUARES {
        if let Some((side, piece)) = position.at(cell as u32 % 3, cell as u32 / 3) {
            picture.put(cell, side, tile(piece));
        }
    }
    for side in [Side::First, Side::Second] {
        for piece in IN_HAND {
            let count = position.in_hand(side, piece);
            if count > 0 {
                let (cell, owner, kind) = (hand_cell(side, piece), Some(side), tile(piece));
                picture.pieces.push(Tile { cell, owner, kind, count });
            }
        }
    }
}

fn tile(piece: Piece) -> Kind {
    let (letter, promoted) = match piece {
        Piece::Chick => ('C', false),
        Piece::Giraffe => ('G', false),
        Piece::Elephant => ('E', false),
        Piece::Lion => ('L', false),
        Piece::Chicken => ('C', true),
    };
    Kind::Tile { letter, promoted }
}

/// The place of a kind on a player's stand.
fn hand_cell(side: Side, piece: Piece) -> usize {
    let place = IN_HAND.iter().position(|&kind| kind == piece).unwrap_or(0);
    SQUARES + IN_HAND.len() * side.index() + place
}

/// From and to; a drop comes from the stand.
pub(super) fn move_cells(position: &Lion, mv: LionMove) -> Vec<usize> {
    let square = |(column, row): (u32, u32)| (3 * row + column) as usize;
    let from = mv.from().map(square);
    let from = from.or(mv.dropped().map(|piece| hand_cell(position.mover, piece)));
    from.into_iter().chain([square(mv.to())]).collect()
}
