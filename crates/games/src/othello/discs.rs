//! Where a disc can be placed and which discs it turns: four directions at once, in a shape that
//! compilers turn into vector instructions.
//!
//! Boards smaller than 8x8 lie in the upper left corner. No disc is ever outside the board, so
//! a line that leaves it is not closed by a disc and nothing here needs to know the size.

use std::array::from_fn;
use std::hint::black_box;

/// How far apart two neighbours are along a line: across, the two diagonals, down.
#[derive(Clone, Copy)]
pub(super) struct Steps([u64; 4]);

impl Steps {
    /// The compiler must not know the numbers: with constants it finds a way of its own for each
    /// direction, and no longer sees that one vector instruction would do for all.
    #[inline(always)]
    pub(super) fn new() -> Steps {
        Steps(black_box([1, 7, 8, 9]))
    }
}

/// Cells with a neighbour on either side: discs elsewhere cannot be turned but along an edge.
const INNER_COLUMNS: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// A set of cells for each of the four directions.
type Lines = [u64; 4];

#[inline(always)]
fn up(x: Lines, by: [u32; 4]) -> Lines {
    from_fn(|d| x[d].wrapping_shl(by[d]))
}

#[inline(always)]
fn down(x: Lines, by: [u32; 4]) -> Lines {
    from_fn(|d| x[d].wrapping_shr(by[d]))
}

#[inline(always)]
fn and(x: Lines, y: Lines) -> Lines {
    from_fn(|d| x[d] & y[d])
}

#[inline(always)]
fn or(x: Lines, y: Lines) -> Lines {
    from_fn(|d| x[d] | y[d])
}

/// The union over the four directions.
#[inline(always)]
fn any(x: Lines) -> u64 {
    (x[0] | x[1]) | (x[2] | x[3])
}

/// The cells from which a disc of `own` closes a line over discs of `opp`, some of which may be
/// occupied or off a small board.
#[inline(always)]
pub(super) fn closing_cells(own: u64, opp: u64, steps: Steps) -> u64 {
    let one = steps.0.map(|s| s as u32);
    let (high, low) = runs(own, opp, steps);
    any(or(up(high, one), down(low, one)))
}

/// The cells of `free` from which a disc of `own` closes a line over discs of `opp`, and those of
/// these discs that are next to them.
#[inline(always)]
pub(super) fn closing_cells_and_discs(own: u64, opp: u64, free: u64, steps: Steps) -> (u64, u64) {
    let one = steps.0.map(|s| s as u32);
    let (high, low) = runs(own, opp, steps);
    let (above, below) = (and(up(high, one), [free; 4]), and(down(low, one), [free; 4]));
    (any(or(above, below)), any(or(down(above, one), up(below, one))))
}

/// The discs of `opp` in runs that begin next to a disc of `own`, towards higher and lower bits.
#[inline(always)]
fn runs(own: u64, opp: u64, steps: Steps) -> (Lines, Lines) {
    let one = steps.0.map(|s| s as u32);
    let two = steps.0.map(|s| 2 * s as u32);
    let inner = opp & INNER_COLUMNS;
    let turnable = [inner, inner, opp, inner];
    // At most six discs are turned along a line: one and one more, then twice two more.
    let mut high = and(turnable, up([own; 4], one));
    let mut low = and(turnable, down([own; 4], one));
    high = or(high, and(turnable, up(high, one)));
    low = or(low, and(turnable, down(low, one)));
    let pairs_up = and(turnable, up(turnable, one));
    let pairs_down = and(turnable, down(turnable, one));
    for _ in 0..2 {
        high = or(high, and(pairs_up, up(high, two)));
        low = or(low, and(pairs_down, down(low, two)));
    }
    (high, low)
}

/// For every cell the cells seen from it in all eight directions.
static SEEN: [u64; 64] = seen();

const fn seen() -> [u64; 64] {
    let mut seen = [0; 64];
    let mut i = 0;
    while i < 64 * 4 {
        let (cell, way) = (i / 4, i % 4);
        let ray = rays()[cell][way];
        seen[cell] |= ray;
        let mut other = 0;
        while other < 64 {
            if ray >> other & 1 == 1 {
                seen[other] |= 1 << cell;
            }
            other += 1;
        }
        i += 1;
    }
    seen
}

/// Whether all these discs are seen from one of these cells.
#[inline(always)]
pub(super) fn all_seen_from_one(mut cells: u64, discs: u64) -> bool {
    while cells != 0 {
        if discs & !SEEN[cells.trailing_zeros() as usize] == 0 {
            return true;
        }
        cells &= cells - 1;
    }
    false
}

/// For every cell the cells seen from it, without itself, in the four directions that lead to
/// higher bits: right, and down to the left, straight and to the right.
static RAYS: [[u64; 4]; 64] = rays();

const fn rays() -> [[u64; 4]; 64] {
    const WAYS: [(i32, i32); 4] = [(1, 0), (-1, 1), (0, 1), (1, 1)];
    let mut rays = [[0; 4]; 64];
    let mut i = 0;
    while i < 64 * 4 {
        let (cell, way) = (i / 4, i % 4);
        let (dx, dy) = WAYS[way];
        let (mut x, mut y) = ((cell % 8) as i32 + dx, (cell / 8) as i32 + dy);
        while 0 <= x && x < 8 && y < 8 {
            rays[cell][way] |= 1 << (8 * y + x);
            x += dx;
            y += dy;
        }
        i += 1;
    }
    rays
}

/// The discs of `opp` that a disc of `own` turns when it is placed on `cell`.
#[inline(always)]
pub(super) fn turned(cell: u32, own: u64, opp: u64) -> u64 {
    // With its rows swapped, the board has the upward lines where the downward ones were.
    let down = turned_above(cell, own, opp);
    let up = turned_above(cell ^ 56, own.swap_bytes(), opp.swap_bytes()).swap_bytes();
    // What remains is the line to the left.
    let left = (1 << cell) - (1 << (cell & 56));
    // The lowest bit stands for "no such cell": either it is not on the line, or it is a disc
    // of `opp`, and both ways it is not an end.
    let beyond = (left & !opp) | 1;
    let end = ((1 << 63) >> beyond.leading_zeros()) & own & left;
    down | up | ((end.wrapping_neg() << 1) & left)
}

/// The discs turned along the four lines that lead to higher bits.
#[inline(always)]
fn turned_above(cell: u32, own: u64, opp: u64) -> u64 {
    let rays = &RAYS[cell as usize & 63];
    let lines: [u64; 4] = from_fn(|d| {
        // The line ends at the first cell without a disc of `opp`; it must be one of `own`.
        let beyond = rays[d] & !opp;
        let end = beyond & beyond.wrapping_neg() & own;
        end.wrapping_sub(u64::from(end != 0)) & rays[d]
    });
    (lines[0] | lines[1]) | (lines[2] | lines[3])
}
