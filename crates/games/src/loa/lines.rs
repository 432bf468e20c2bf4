//! What can move along lines, and what stands in the way: looked up line by line.
//!
//! A move depends on nothing outside its line, so that a table holds the answer for every line and
//! everything that can stand on it. Rows are bytes of the board; columns and diagonals are, after
//! the board has been turned. A byte of a board turned by 45 degrees holds two diagonals.

use std::sync::LazyLock;

/// What [`look`] finds, for the side of the first set of pieces and that of the second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Lines {
    /// The moves of a side, as if it were its turn: 2 for each, twice that for a capture, half of it
    /// for a move onto the edge of the board.
    pub(super) mobility: [i32; 2],
    /// Pieces that stand in the way of a piece of the other side on the edge: it could otherwise
    /// move over them to a square that is not on the edge.
    pub(super) walls: [u64; 2],
}

/// Looks at all lines of a board with these pieces of two sides.
// Loops and no closures, here and below: what is not inlined into the caller would be compiled for
// any machine, and not for the one at hand.
#[inline(always)]
pub(super) fn look(first: u64, second: u64) -> Lines {
    let table: &Table = &TABLE;
    let mut found = Lines::default();
    let [a, b] = rows(table, &mut found, first, second);
    found.add_walls(a, b);
    let [a, b] = rows(table, &mut found, transposed(first), transposed(second));
    found.add_walls(transposed(a), transposed(b));
    let turned = [turned::<true>(first), turned::<true>(second)];
    let [a, b] = diagonals(table, &mut found, turned, &RISING);
    found.add_walls(turned_back::<true>(a), turned_back::<true>(b));
    let turned = [self::turned::<false>(first), self::turned::<false>(second)];
    let [a, b] = diagonals(table, &mut found, turned, &FALLING);
    found.add_walls(turned_back::<false>(a), turned_back::<false>(b));
    found
}

/// Looks at all rows of a board. Returns the walls, where they stand on it.
#[inline(always)]
fn rows(table: &Table, found: &mut Lines, first: u64, second: u64) -> [u64; 2] {
    let (mut moves, mut walls) = (0, [0; 2]);
    for row in 0..8 {
        const INSIDE: usize = Table::start(8);
        let start = if row == 0 || row == 7 { Table::EDGES } else { INSIDE };
        let line = table.line(start, first >> (8 * row), second >> (8 * row));
        moves += line.mobility();
        if line.has_walls() {
            walls[0] |= line.walls(0) << (8 * row);
            walls[1] |= line.walls(1) << (8 * row);
        }
    }
    found.add_moves(moves);
    walls
}

/// The same for the diagonals of a board that has been turned.
#[inline(always)]
fn diagonals(
    table: &Table,
    found: &mut Lines,
    [first, second]: [u64; 2],
    diagonals: &[Diagonal; 13],
) -> [u64; 2] {
    let (mut moves, mut walls) = (0, [0; 2]);
    for &Diagonal { place, squares, start } in diagonals {
        let line = table.line(start, first >> place & squares, second >> place & squares);
        moves += line.mobility();
        if line.has_walls() {
            walls[0] |= line.walls(0) << place;
            walls[1] |= line.walls(1) << place;
        }
    }
    found.add_moves(moves);
    walls
}

impl Lines {
    /// Adds the sum of what [`Line::mobility`] returns.
    #[inline(always)]
    fn add_moves(&mut self, moves: u32) {
        self.mobility[0] += (moves & 0xffff) as i32;
        self.mobility[1] += (moves >> 16) as i32;
    }

    #[inline(always)]
    fn add_walls(&mut self, first: u64, second: u64) {
        self.walls[0] |= first;
        self.walls[1] |= second;
    }
}

/// Rows for columns.
#[inline(always)]
fn transposed(x: u64) -> u64 {
    let x = swapped(x, 28, 0x0f0f_0f0f_0000_0000);
    let x = swapped(x, 14, 0x3333_0000_3333_0000);
    swapped(x, 7, 0x5500_5500_5500_5500)
}

/// Exchanges the bits of a mask for those `distance` places below.
#[inline(always)]
fn swapped(x: u64, distance: u32, mask: u64) -> u64 {
    let moved = mask & (x ^ x << distance);
    x ^ moved ^ moved >> distance
}

/// A diagonal on a board that has been turned: where it begins, its squares if it began at the
/// first bit, and where lines of its length begin in the table.
#[derive(Clone, Copy)]
struct Diagonal {
    place: u32,
    squares: u64,
    start: usize,
}

static RISING: [Diagonal; 13] = all_diagonals(true);
static FALLING: [Diagonal; 13] = all_diagonals(false);

/// All but the corners, along which nothing moves.
const fn all_diagonals(rise: bool) -> [Diagonal; 13] {
    let mut all = [Diagonal { place: 0, squares: 0, start: 0 }; 13];
    let (mut filled, mut row) = (0, 0);
    while row < 8 {
        // The low bits of a row are one diagonal, the others another one.
        let low = if rise { 8 - row } else { row };
        let mut place = 8 * row;
        while place < 8 * row + 8 {
            let length = if place == 8 * row && low > 0 { low } else { 8 * row + 8 - place };
            if length > 1 {
                let start = Table::start(length);
                all[filled] = Diagonal { place, squares: (1 << length) - 1, start };
                filled += 1;
            }
            place += length;
        }
        row += 1;
    }
    all
}

/// Columns with bit 0, 1 and 2 of their number set; for falling diagonals, clear.
#[inline(always)]
const fn columns<const RISE: bool>() -> [u64; 3] {
    let set = [0xaaaa_aaaa_aaaa_aaaa, 0xcccc_cccc_cccc_cccc, 0xf0f0_f0f0_f0f0_f0f0];
    if RISE { set } else { [!set[0], !set[1], !set[2]] }
}

/// Every column moved down by its number (or by seven less its number), over the edge and in again
/// on top: what was a rising (or falling) diagonal is a row.
#[inline(always)]
fn turned<const RISE: bool>(mut x: u64) -> u64 {
    for bit in 0..3 {
        x ^= columns::<RISE>()[bit] & (x ^ x.rotate_right(8 << bit));
    }
    x
}

#[inline(always)]
fn turned_back<const RISE: bool>(mut x: u64) -> u64 {
    for bit in 0..3 {
        x ^= columns::<RISE>()[bit] & (x ^ x.rotate_left(8 << bit));
    }
    x
}

/// What is on one line, a byte each: the mobility of a side and its walls, then those of the other; see
/// [`Lines`].
#[derive(Clone, Copy, Debug, Default)]
struct Line(u32);

impl Line {
    /// The mobility of the sides, 16 bits each: that of all lines can be added up at once.
    #[inline(always)]
    fn mobility(self) -> u32 {
        self.0 & 0x00ff_00ff
    }

    /// Whether there are walls: most often there are none.
    #[inline(always)]
    fn has_walls(self) -> bool {
        self.0 & 0xff00_ff00 != 0
    }

    #[inline(always)]
    fn walls(self, side: u32) -> u64 {
        u64::from(self.0 >> (16 * side + 8) & 0xff)
    }
}

/// Lines of every length with everything that can stand on them: numbers to base three, 1 for a
/// piece of the first side, 2 for one of the second.
struct Table([Line; Table::SIZE]);

static TABLE: LazyLock<Box<Table>> = LazyLock::new(Table::new);

/// The digits of a number to base two as those of one to base three.
static TERNARY: [u16; 256] = {
    let mut ternary = [0; 256];
    let mut i = 1;
    while i < 256 {
        ternary[i] = 3 * ternary[i / 2] + (i % 2) as u16;
        i += 1;
    }
    ternary
};

impl Table {
    /// Where the lines along an edge of the board begin, on which all squares are edge.
    const EDGES: usize = Table::start(9);
    const SIZE: usize = Table::EDGES + 3usize.pow(8);

    /// Where the lines of a length begin.
    #[inline(always)]
    const fn start(length: u32) -> usize {
        // 1 + 3 + 9 + …
        (3usize.pow(length) - 1) / 2
    }

    #[inline(always)]
    fn line(&self, start: usize, first: u64, second: u64) -> Line {
        self.0[start + number(first as u8, second as u8)]
    }

    fn new() -> Box<Table> {
        let mut table = Box::new(Table([Line::default(); Table::SIZE]));
        for length in 1..=8 {
            let sets = || (0..1u32 << length).map(|set| set as u8);
            for first in sets() {
                for second in sets().filter(|second| second & first == 0) {
                    let at = Table::start(length) + number(first, second);
                    table.0[at] = line(length, [first, second], false);
                    if length == 8 {
                        let at = Table::EDGES + number(first, second);
                        table.0[at] = line(length, [first, second], true);
                    }
                }
            }
        }
        table
    }
}

/// The number of what stands on a line.
#[inline(always)]
fn number(first: u8, second: u8) -> usize {
    usize::from(TERNARY[usize::from(first)] + 2 * TERNARY[usize::from(second)])
}

/// What is on a line, square by square; its ends are on the edge of the board, or all of it is.
fn line(length: u32, pieces: [u8; 2], is_edge: bool) -> Line {
    let length = length as usize;
    let has = |side: usize, at: usize| pieces[side] >> at & 1 == 1;
    let on_edge = |at: usize| is_edge || at == 0 || at == length - 1;
    let count = (pieces[0] | pieces[1]).count_ones() as usize;
    let (mut mobility, mut walls) = ([0; 2], [0; 2]);
    for (side, other) in [(0, 1), (1, 0)] {
        for from in (0..length).filter(|&from| has(side, from)) {
            let targets = [from.checked_sub(count), Some(from + count)];
            for to in targets.into_iter().flatten().filter(|&to| to < length && !has(side, to)) {
                let between = from.min(to) + 1..from.max(to);
                let blocking: u8 = between.filter(|&at| has(other, at)).map(|at| 1 << at).sum();
                if blocking == 0 {
                    let capture = if has(other, to) { 2 } else { 1 };
                    mobility[side] += if on_edge(to) { capture } else { 2 * capture };
                } else if on_edge(from) && !on_edge(to) {
                    walls[other] |= blocking;
                }
            }
        }
    }
    Line(u32::from_le_bytes([mobility[0], walls[0], mobility[1], walls[1]]))
}
