//! A rectangle of cells and the names of its squares.

/// A column and a row, both from 0: `(0, 0)` is a1. May lie off the board.
pub type Square = (i32, i32);

/// Cells with something in each.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Board<T> {
    pub(crate) width: i32,
    pub(crate) height: i32,
    /// Row by row from a1.
    cells: Vec<T>,
}

impl<T: Copy> Board<T> {
    pub(crate) fn new(width: u32, height: u32, empty: T) -> Board<T> {
        let cells = vec![empty; (width * height) as usize];
        Board { width: width as i32, height: height as i32, cells }
    }

    /// All squares, row by row from a1.
    pub(crate) fn squares(&self) -> impl Iterator<Item = Square> + use<T> {
        let (width, height) = (self.width, self.height);
        (0..height).flat_map(move |row| (0..width).map(move |column| (column, row)))
    }

    /// What lies on a square; `None` off the board.
    pub(crate) fn get(&self, (column, row): Square) -> Option<T> {
        if (0..self.width).contains(&column) && (0..self.height).contains(&row) {
            Some(self.cells[(row * self.width + column) as usize])
        } else {
            None
        }
    }

    /// Puts something on a square of the board.
    pub(crate) fn set(&mut self, (column, row): Square, value: T) {
        self.cells[(row * self.width + column) as usize] = value;
    }
}

/// "a1" for `(0, 0)`.
pub(crate) fn name((column, row): Square) -> String {
    let letter = (b'a' + column as u8) as char;
    format!("{letter}{}", row + 1)
}

/// The rows of a position from the top (the last row) down, `/` between them, runs of empty
/// cells as numbers: the first part of a FEN. `letter` is `None` for an empty cell.
pub(crate) fn fen_rows<T: Copy>(board: &Board<T>, letter: impl Fn(T) -> Option<String>) -> String {
    let mut rows = Vec::new();
    for row in (0..board.height).rev() {
        let mut text = String::new();
        let mut empties = 0;
        for column in 0..board.width {
            match board.get((column, row)).and_then(&letter) {
                None => empties += 1,
                Some(piece) => {
                    if empties > 0 {
                        text.push_str(&empties.to_string());
                    }
                    empties = 0;
                    text.push_str(&piece);
                }
            }
        }
        if empties > 0 {
            text.push_str(&empties.to_string());
        }
        rows.push(text);
    }
    rows.join("/")
}
