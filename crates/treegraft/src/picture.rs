//! Pictures of positions as plain data, for whatever draws them: an SVG file, a web page, a
//! notebook.
//!
//! Lengths are in units of one cell; `x` runs to the right and `y` downwards from the upper left
//! corner of the picture. Colours are names: whatever draws the picture picks the shades.

use serde::Serialize;

use crate::Side;

/// A position as a picture: draw the board, the lines, the cells, the pieces and the labels, in
/// this order.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Picture {
    /// From the left edge to the right one; nothing is outside.
    pub width: f64,
    /// From the upper edge to the lower one; nothing is outside.
    pub height: f64,
    /// The colours of the first and of the second player's pieces.
    pub colours: [Colour; 2],
    /// What the cells lie on, if not on the bare page.
    pub board: Option<BoardArea>,
    /// Lines behind the cells, such as edges that belong to a player.
    pub lines: Vec<Line>,
    /// The places for pieces. The cells of a board stay the same throughout a game; those of other
    /// pictures, such as a node with its children, need not.
    pub cells: Vec<Cell>,
    /// The pieces, at most one on a cell.
    pub pieces: Vec<Piece>,
    /// Coordinates, counts and notes.
    pub labels: Vec<TextLabel>,
}

/// The colour of a player's pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Colour {
    /// With a dark outline, so that it stands out from the page.
    White,
    /// Black, or nearly so.
    Black,
    /// Lighter than red when printed in greys.
    Yellow,
    /// Darker than yellow when printed in greys.
    Red,
    /// Goes with orange: colour-blind people can tell the two apart.
    Blue,
    /// Goes with blue: colour-blind people can tell the two apart.
    Orange,
}

/// What a cell or a board looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Tint {
    /// Light wood.
    Light,
    /// Dark wood.
    Dark,
    /// Green felt.
    Green,
    /// Blue plastic.
    Blue,
    /// A hole, or a pit in the board.
    Hollow,
    /// Paper.
    Plain,
}

/// A rectangle with rounded corners behind the cells.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BoardArea {
    /// Its left edge.
    pub x: f64,
    /// Its upper edge.
    pub y: f64,
    /// From left to right.
    pub width: f64,
    /// From top to bottom.
    pub height: f64,
    /// What it is made of.
    pub tint: Tint,
}

/// Straight lines from point to point.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// Whose it is: a thick line in the player's colour, of which cells may cover one half. A thin
    /// line if it belongs to neither side.
    pub owner: Option<Side>,
    /// `[x, y]` of every point.
    pub points: Vec<[f64; 2]>,
}

/// A place for a piece.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cell {
    /// What moves call it, such as `e4`. No other cell of the picture has the same name.
    pub name: String,
    /// Its middle.
    pub x: f64,
    /// Its middle.
    pub y: f64,
    /// From its leftmost to its rightmost point.
    pub width: f64,
    /// From its uppermost to its lowest point.
    pub height: f64,
    /// Its outline.
    pub shape: Shape,
    /// Its colour.
    pub tint: Tint,
}

/// The outline of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// A rectangle, nearly always a square.
    Square,
    /// Corners at the top and the bottom, upright edges on the left and the right. A regular one
    /// is 2/√3 times as high as wide.
    Hexagon,
    /// A circle, or two half circles joined by straight lines.
    Round,
}

/// A piece, or several of a kind, on a cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Piece {
    /// Its place in [`Picture::cells`].
    pub cell: usize,
    /// Whose it is.
    pub owner: Option<Side>,
    /// What it is.
    #[serde(flatten)]
    pub kind: Kind,
    /// How many there are, at least one.
    pub count: u32,
}

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Kind {
    /// A stone or a disc.
    Disc,
    /// A pawn as in chess.
    Pawn,
    /// A tile that points at the opponent: upwards for the first player, downwards for the second.
    Tile {
        /// What stands on it, upright for both players.
        letter: char,
        /// Whether it has been promoted.
        promoted: bool,
    },
    /// Seeds in a pit. They take no player's colour.
    Seeds,
}

/// Text, its middle at a point.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TextLabel {
    /// One line.
    pub text: String,
    /// Its middle.
    pub x: f64,
    /// Its middle.
    pub y: f64,
    /// What it is for.
    pub role: Role,
}

/// What a label is for. All letters are about a third of a cell high.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The name of a row, a column or a cell.
    Coordinate,
    /// A number that is part of the position.
    Count,
    /// Something to know about the position.
    Note,
}

impl Picture {
    /// An empty picture.
    #[must_use]
    pub fn new(width: f64, height: f64, colours: [Colour; 2]) -> Picture {
        Picture {
            width,
            height,
            colours,
            board: None,
            lines: Vec::new(),
            cells: Vec::new(),
            pieces: Vec::new(),
            labels: Vec::new(),
        }
    }

    /// Puts a piece on a cell.
    pub fn put(&mut self, cell: usize, owner: Side, kind: Kind) {
        self.pieces.push(Piece { cell, owner: Some(owner), kind, count: 1 });
    }

    /// Writes a label.
    pub fn write(&mut self, text: impl Into<String>, x: f64, y: f64, role: Role) {
        self.labels.push(TextLabel { text: text.into(), x, y, role });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The empty picture with a cell "a1".
    fn one_cell() -> Picture {
        let mut picture = Picture::new(1.0, 1.0, [Colour::White, Colour::Black]);
        let (name, shape, tint) = ("a1".to_owned(), Shape::Hexagon, Tint::Light);
        picture.cells.push(Cell { name, x: 0.5, y: 0.5, width: 1.0, height: 1.0, shape, tint });
        picture
    }

    #[test]
    fn what_is_added_is_there() {
        let mut picture = one_cell();
        picture.put(0, Side::Second, Kind::Tile { letter: 'C', promoted: true });
        picture.write("a", 0.5, 0.9, Role::Coordinate);
        let owner = Some(Side::Second);
        let kind = Kind::Tile { letter: 'C', promoted: true };
        assert_eq!(picture.pieces, [Piece { cell: 0, owner, kind, count: 1 }]);
        let label = TextLabel { text: "a".to_owned(), x: 0.5, y: 0.9, role: Role::Coordinate };
        assert_eq!(picture.labels, [label]);
        assert_eq!((picture.board, picture.lines.len()), (None, 0));
    }
}
