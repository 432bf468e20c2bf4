//! Positions of built-in games as arrays of numbers, for networks. docs/python.md has the layouts.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use treegraft::picture::{Kind, Piece};
use treegraft::{Game, Notation, Picture, Side};

/// The planes of one game: what they are, and how many rows and columns they have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    kind: Planes,
    rows: usize,
    columns: usize,
    /// Where in a plane each cell of the picture is: rows from the top, in them from the left.
    places: Vec<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Planes {
    /// Pieces of the first player, of the second player, and the turn.
    Pieces,
    /// Seeds, and the turn.
    Seeds,
    /// Five kinds of pieces of either player, three kinds in hand of either player, and the turn.
    Lion,
}

/// The cells of the board of Catch the Lion; those behind it are the players' hands.
const LION_CELLS: usize = 12;

impl Layout {
    /// The layout of a game with this name, by the picture of a position; `None` if it has none.
    pub(crate) fn of(name: &str, picture: &Picture) -> Option<Layout> {
        let cells = picture.cells.len();
        let rows_of = |rows: usize| (rows > 0 && cells.is_multiple_of(rows)).then(|| cells / rows);
        let (kind, rows, columns) = match name {
            "kalah" => (Planes::Seeds, 2, rows_of(2)?),
            "lion" => (Planes::Lion, 4, 3),
            "connect4" | "breakthrough" | "othello" | "loa" | "hex" => {
                let mut heights: Vec<i64> =
                    picture.cells.iter().map(|cell| height(cell.y)).collect();
                heights.sort_unstable();
                heights.dedup();
                let rows = heights.len();
                (Planes::Pieces, rows, rows_of(rows)?)
            }
            _ => return None,
        };
        Some(Layout { kind, rows, columns, places: kind.places(picture) })
    }

    /// Planes, rows and columns.
    pub(crate) fn shape(&self) -> [usize; 3] {
        let planes = match self.kind {
            Planes::Pieces => 3,
            Planes::Seeds => 2,
            Planes::Lion => 17,
        };
        [planes, self.rows, self.columns]
    }

    /// Appends the numbers of a position.
    pub(crate) fn append<G: Game>(&self, position: &G, numbers: &mut Vec<f32>) {
        let Some(picture) = position.notation().picture() else { return };
        let [planes, rows, columns] = self.shape();
        let (size, begin) = (rows * columns, numbers.len());
        numbers.resize(begin + planes * size, 0.0);
        let numbers = &mut numbers[begin..];
        for piece in &picture.pieces {
            match self.kind.plane(piece) {
                Where::Cell(plane) => {
                    numbers[plane * size + self.places[piece.cell]] = piece.count as f32;
                }
                Where::Everywhere(plane) => {
                    numbers[plane * size..(plane + 1) * size].fill(piece.count as f32);
                }
            }
        }
        if position.to_move() == Side::First {
            numbers[(planes - 1) * size..].fill(1.0);
        }
    }
}

impl Planes {
    fn places(self, picture: &Picture) -> Vec<usize> {
        let cells = match self {
            // South's houses and its store, then North's: the order of the picture.
            Planes::Seeds => return (0..picture.cells.len()).collect(),
            Planes::Lion => &picture.cells[..LION_CELLS],
            Planes::Pieces => &picture.cells[..],
        };
        let mut order: Vec<usize> = (0..cells.len()).collect();
        order.sort_by(|&a, &b| {
            let by_height = height(cells[a].y).cmp(&height(cells[b].y));
            by_height.then(cells[a].x.total_cmp(&cells[b].x))
        });
        let mut places = vec![0; picture.cells.len()];
        for (place, cell) in order.into_iter().enumerate() {
            places[cell] = place;
        }
        places
    }

    fn plane(self, piece: &Piece) -> Where {
        let side = piece.owner.map_or(0, Side::index);
        match (self, piece.kind) {
            (Planes::Seeds, _) => Where::Cell(0),
            (Planes::Lion, Kind::Tile { letter, promoted }) => {
                let kind = match (letter, promoted) {
                    ('C', false) => 0,
                    ('G', _) => 1,
                    ('E', _) => 2,
                    ('L', _) => 3,
                    _ => 4,
                };
                match piece.cell < LION_CELLS {
                    true => Where::Cell(5 * side + kind),
                    false => Where::Everywhere(10 + 3 * side + kind.min(2)),
                }
            }
            _ => Where::Cell(side),
        }
    }
}

/// The numbers that a piece changes.
enum Where {
    /// One of this plane.
    Cell(usize),
    /// All of this plane.
    Everywhere(usize),
}

/// A height as a number that can be compared: cells of a row differ by rounding at most.
fn height(y: f64) -> i64 {
    (y * 1000.0).round() as i64
}

/// A NumPy array of 32-bit floats.
pub(crate) fn to_numpy<'py>(
    py: Python<'py>,
    numbers: &[f32],
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    let numpy = py.import("numpy").map_err(|error| {
        let problem = format!("arrays need NumPy, which cannot be imported: {error}");
        PyValueError::new_err(problem)
    })?;
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_ne_bytes()).collect();
    let flat = numpy.call_method1("frombuffer", (PyBytes::new(py, &bytes), "float32"))?;
    flat.call_method1("reshape", (shape.to_vec(),))
}
