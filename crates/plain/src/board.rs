//! A rectangle of cells and the names of its squares.

/// A column and a row, both from 0: `(0, 0)` is a1. May lie off the board.
pub type Square = (i32, i32);

/// The eight directions, as columns and rows.
pub(crate) const DIRECTIONS: [(i32, i32); 8] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// Cells with a piece on each, or nothing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Board<T> {
    pub(crate) width: i32,
    pub(crate) height: i32,
    /// Row by row from a1.
    cells: Vec<Option<T>>,
}

impl<T: Copy + PartialEq> Board<T> {
    pub(crate) fn new(width: u32, height: u32) -> Board<T> {
        let cells = vec![None; (width * height) as usize];
        Board { width: width as i32, height: height as i32, cells }
    }

    /// All squares, row by row from a1.
    pub(crate) fn squares(&self) -> impl Iterator<Item = Square> + use<T> {
        let (width, height) = (self.width, self.height);
        (0..height).flat_map(move |row| (0..width).map(move |column| (column, row)))
    }

    /// The squares on which this lies.
    pub(crate) fn squares_with(&self, piece: Option<T>) -> impl Iterator<Item = Square> {
        self.squares().filter(move |&square| self.get(square) == piece)
    }

    /// Whether the board has such a square.
    pub(crate) fn has(&self, (column, row): Square) -> bool {
        (0..self.width).contains(&column) && (0..self.height).contains(&row)
    }

    /// Whether the board has such a square, and nothing lies there.
    pub(crate) fn is_free(&self, square: Square) -> bool {
        self.has(square) && self.get(square).is_none()
    }

    /// What lies on a square; nothing off the board.
    pub(crate) fn get(&self, square: Square) -> Option<T> {
        if self.has(square) {
            self.cells[(square.1 * self.width + square.0) as usize]
        } else {
            None
        }
    }

    /// Puts something on a square of the board.
    pub(crate) fn set(&mut self, (column, row): Square, piece: Option<T>) {
        self.cells[(row * self.width + column) as usize] = piece;
    }
}

/// "a1" for `(0, 0)`.
pub(crate) fn name((column, row): Square) -> String {
    let letter = (b'a' + column as u8) as char;
    format!("{letter}{}", row + 1)
}

/// The rows of a position from the top (the last row) down, `/` between them, runs of empty
/// cells as numbers: the first part of a FEN.
pub(crate) fn fen_rows<T: Copy + PartialEq>(
    board: &Board<T>,
    letter: impl Fn(T) -> String,
) -> String {
    let cell = |square| board.get(square).map_or(".".to_owned(), &letter);
    let row = |row| (0..board.width).map(|column| cell((column, row))).collect();
    let mut text = (0..board.height).rev().map(row).collect::<Vec<String>>().join("/");
    // Long runs first, because they contain the shorter ones.
    for empties in (1..=board.width as usize).rev() {
        text = text.replace(&".".repeat(empties), &empties.to_string());
    }
    text
}
