//! What can move along lines, and what stands in the way: looked up line by line.
//!
//! A move depends on nothing outside its line, so that a table holds the answer for every line and
//! everything that can stand on it. Rows are bytes of the board; columns and diagonals are, after
//! the board has been turned. A byte of a board turned by 45 degrees holds two diagonals.

use std::sync::LazyLock;

/// What [`look`] finds, for the side of the first set of pieces and that of the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lines {
    /// The moves of a side, as if it were its turn: 2 for each, twice that for a capture, half of it
    /// for a move onto the edge of the board.
    pub(super) mobility: [i32; 2],
    /// Pieces that stand in the way of a piece of the other side on the edge: it could otherwise
    /// move over them to a square that is not on the edge.
    pub(super) walls: [u64; 2],
}

/// Looks at all lines of a board with these pieces of two sides.
#[inline(always)]
pub(super) fn look(pieces: [u64; 2]) -> Lines {
    let table: &Table = &TABLE;
    let mut found = Sum::default();
    let rows = |found: &mut Sum, pieces: [u64; 2]| {
        let [first, second] = pieces.map(u64::to_le_bytes);
        let mut walls = [[0; 8]; 2];
        for row in 0..8 {
            let start = if row == 0 || row == 7 { Table::EDGES } else { Table::start(8) };
            let line = table.line(start, first[row], second[row]);
            found.add(line);
            (walls[0][row], walls[1][row]) = (line.walls[0], line.walls[1]);
        }
        walls.map(u64::from_le_bytes)
    };
    let walls = rows(&mut found, pieces);
    found.walls(walls);
    let walls = rows(&mut found, pieces.map(transposed));
    found.walls(walls.map(transposed));
    // The length of the diagonal in the low bits of a byte; the rest is another one.
    let rising = |row| 8 - row;
    let walls = diagonals(table, &mut found, pieces.map(turned::<RISING>), rising);
    found.walls(walls.map(turned_back::<RISING>));
    let falling = |row| row;
    let walls = diagonals(table, &mut found, pieces.map(turned::<FALLING>), falling);
    found.walls(walls.map(turned_back::<FALLING>));
    Lines {
        mobility: [(found.mobility & 0xffff) as i32, (found.mobility >> 16) as i32],
        walls: found.walls,
    }
}

#[inline(always)]
fn diagonals(
    table: &Table,
    found: &mut Sum,
    pieces: [u64; 2],
    length: impl Fn(usize) -> usize,
) -> [u64; 2] {
    let [first, second] = pieces.map(u64::to_le_bytes);
    let mut walls = [[0; 8]; 2];
    for row in 0..8 {
        let low = length(row);
        let below = ((1u32 << low) - 1) as u8;
        let line = table.line(Table::start(low), first[row] & below, second[row] & below);
        found.add(line);
        let shifted = |byte: u8| (u32::from(byte) >> low) as u8;
        let rest = table.line(Table::start(8 - low), shifted(first[row]), shifted(second[row]));
        found.add(rest);
        for side in 0..2 {
            walls[side][row] = line.walls[side] | (u32::from(rest.walls[side]) << low) as u8;
        }
    }
    walls.map(u64::from_le_bytes)
}

/// Lines that have been looked at.
#[derive(Default)]
struct Sum {
    /// Sixteen bits for each side.
    mobility: u32,
    walls: [u64; 2],
}

impl Sum {
    #[inline(always)]
    fn add(&mut self, line: Line) {
        self.mobility += u32::from(line.mobility[0]) | u32::from(line.mobility[1]) << 16;
    }

    #[inline(always)]
    fn walls(&mut self, walls: [u64; 2]) {
        self.walls[0] |= walls[0];
        self.walls[1] |= walls[1];
    }
}

/// Rows for columns.
#[inline(always)]
fn transposed(mut x: u64) -> u64 {
    let swap = |x: u64, distance: u32, mask: u64| {
        let moved = mask & (x ^ x << distance);
        x ^ moved ^ moved >> distance
    };
    x = swap(x, 28, 0x0f0f_0f0f_0000_0000);
    x = swap(x, 14, 0x3333_0000_3333_0000);
    swap(x, 7, 0x5500_5500_5500_5500)
}

/// Columns with bit 0, 1 and 2 set.
const RISING: bool = true;
/// Columns with bit 0, 1 and 2 clear.
const FALLING: bool = false;

#[inline(always)]
const fn columns(rising: bool) -> [u64; 3] {
    let set = [0xaaaa_aaaa_aaaa_aaaa, 0xcccc_cccc_cccc_cccc, 0xf0f0_f0f0_f0f0_f0f0];
    if rising { set } else { [!set[0], !set[1], !set[2]] }
}

/// Every column moved down by its number (or by seven less its number), over the edge and in again
/// on top: what was a diagonal is a row.
#[inline(always)]
fn turned<const DIRECTION: bool>(mut x: u64) -> u64 {
    for (bit, column) in columns(DIRECTION).into_iter().enumerate() {
        x ^= column & (x ^ x.rotate_right(8 << bit));
    }
    x
}

#[inline(always)]
fn turned_back<const DIRECTION: bool>(mut x: u64) -> u64 {
    for (bit, column) in columns(DIRECTION).into_iter().enumerate() {
        x ^= column & (x ^ x.rotate_left(8 << bit));
    }
    x
}

/// What is on one line; see [`Lines`].
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    mobility: [u8; 2],
    walls: [u8; 2],
}

/// Lines of every length with everything that can stand on them: numbers to base three, 1 for a
/// piece of the first side, 2 for one of the second.
struct Table([Line; Table::SIZE]);

static TABLE: LazyLock<Box<Table>> = LazyLock::new(Table::new);

/// The number to base two as one to base three.
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

    /// Where the lines of this length begin. No diagonal of no length is looked up, but a
    /// board turned by 45 degrees has them.
    #[inline(always)]
    const fn start(length: usize) -> usize {
        // 1 + 3 + 9 + …
        (3usize.pow(length as u32) - 1) / 2
    }

    #[inline(always)]
    fn line(&self, start: usize, first: u8, second: u8) -> Line {
        let number = TERNARY[usize::from(first)] + 2 * TERNARY[usize::from(second)];
        self.0[start + usize::from(number)]
    }

    fn new() -> Box<Table> {
        let mut table = Box::new(Table([Line::default(); Table::SIZE]));
        for length in 1..=8 {
            for first in 0..1u32 << length {
                for second in (0..1 << length).filter(|second| second & first == 0) {
                    let number = TERNARY[first as usize] + 2 * TERNARY[second as usize];
                    let number = usize::from(number);
                    table.0[Table::start(length) + number] = line(length, [first, second], false);
                    if length == 8 {
                        table.0[Table::EDGES + number] = line(length, [first, second], true);
                    }
                }
            }
        }
        table
    }
}

/// What is on a line, square by square; its ends are on the edge of the board, or all of it is.
fn line(length: usize, pieces: [u32; 2], is_edge: bool) -> Line {
    let has = |side: usize, at: usize| pieces[side] >> at & 1 == 1;
    let on_edge = |at: usize| is_edge || at == 0 || at == length - 1;
    let count = (pieces[0] | pieces[1]).count_ones() as usize;
    let mut line = Line::default();
    for (side, other) in [(0, 1), (1, 0)] {
        for from in (0..length).filter(|&from| has(side, from)) {
            let targets = [from.checked_sub(count), Some(from + count)];
            for to in targets.into_iter().flatten().filter(|&to| to < length) {
                let between = || from.min(to) + 1..from.max(to);
                if has(side, to) {
                    continue;
                }
                if between().any(|at| has(other, at)) {
                    if on_edge(from) && !on_edge(to) {
                        let blocking = between().filter(|&at| has(other, at));
                        blocking.for_each(|at| line.walls[other] |= 1 << at);
                    }
                    continue;
                }
                let capture = if has(other, to) { 2 } else { 1 };
                line.mobility[side] += if on_edge(to) { capture } else { 2 * capture };
            }
        }
    }
    line
}
