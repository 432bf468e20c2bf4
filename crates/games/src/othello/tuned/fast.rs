//! The sum of all weights of a position in a few dozen lookups.

use treegraft::bits::Cpu;
use treegraft::linear::{Weights, value_of};

use super::{
    COUNT, NAME, OPP_MOVES, OWN_MOVES, PARITY, PLACES, Place, SHAPES, STAGE, STAGES, base, code,
    stage,
};
use crate::othello::Othello;
use crate::othello::discs::Steps;

/// The weights of every stage.
pub(super) struct Tables(Vec<Stage>);

struct Stage {
    /// By what is on the squares of each shape, the first square in the lowest digit.
    shapes: [Vec<i16>; SHAPES.len()],
    /// The same for corners whose columns are in the opposite order.
    mirrored_corner: Vec<i16>,
    own_moves: [i32; 33],
    opp_moves: [i32; 33],
    parity: [i32; 2],
}

const CORNER: usize = 9;

impl Tables {
    /// The tables of these weights, if they are for these features and not too large.
    pub(super) fn new(weights: &Weights) -> Option<Tables> {
        if weights.features != NAME || weights.units.len() != COUNT {
            return None;
        }
        let is_small = |unit: &i32| i16::try_from(*unit).is_ok();
        if !weights.units.iter().all(is_small) {
            return None;
        }
        let stages = (0..STAGES).map(|stage| Stage::new(&weights.units[stage * STAGE..]));
        Some(Tables(stages.collect()))
    }
}

impl Stage {
    fn new(units: &[i32]) -> Stage {
        let at = |shape: usize, squares: &[usize]| table(units, shape, squares);
        let in_order = |shape: usize| -> Vec<usize> {
            SHAPES[shape].iter().map(|(column, row)| 8 * row + column).collect()
        };
        let mirrored = [2, 1, 0, 10, 9, 8, 18, 17, 16];
        Stage {
            shapes: std::array::from_fn(|shape| at(shape, &in_order(shape))),
            mirrored_corner: at(CORNER, &mirrored),
            own_moves: std::array::from_fn(|moves| units[OWN_MOVES + moves]),
            opp_moves: std::array::from_fn(|moves| units[OPP_MOVES + moves]),
            parity: [units[PARITY], units[PARITY + 1]],
        }
    }
}

/// The weights of a shape by a number whose digits are its squares in this order, the lowest first.
fn table(units: &[i32], shape: usize, squares: &[usize]) -> Vec<i16> {
    let place: &Place = &PLACES[shape][0];
    let entry = |number: usize| {
        let digit = |square: usize| {
            let at = squares.iter().position(|it| *it == square).unwrap_or(0);
            number / 3usize.pow(at as u32) % 3
        };
        units[base(shape) + code(place, digit)] as i16
    };
    (0..3usize.pow(squares.len() as u32)).map(entry).collect()
}

/// A set of up to ten squares as a number with a digit of 1 for each.
static DIGITS: [u16; 1024] = {
    let mut digits = [0; 1024];
    let mut set = 1;
    while set < 1024 {
        digits[set] = 3 * digits[set >> 1] + (set & 1) as u16;
        set += 1;
    }
    digits
};

/// What two sets of squares of a shape look like together.
#[inline(always)]
fn number(own: u64, opp: u64) -> usize {
    usize::from(DIGITS[own as usize & 1023]) + 2 * usize::from(DIGITS[opp as usize & 1023])
}

#[inline(always)]
fn look(table: &[i16], own: u64, opp: u64) -> i32 {
    i32::from(table.get(number(own, opp)).copied().unwrap_or(0))
}

/// Rows become columns.
#[inline(always)]
fn transposed(mut x: u64) -> u64 {
    let mut swap = |by: u32, mask: u64| {
        let t = (x ^ (x >> by)) & mask;
        x ^= t ^ (t << by);
    };
    swap(7, 0x00aa_00aa_00aa_00aa);
    swap(14, 0x0000_cccc_0000_cccc);
    swap(28, 0x0000_0000_f0f0_f0f0);
    x
}

/// From the upper left corner down to the right.
const LONGEST: u64 = 0x8040_2010_0804_0201;

/// A diagonal down to the right that begins `down` rows below the upper left corner, the lowest bit first.
#[inline(always)]
fn below(x: u64, down: u32) -> u64 {
    gathered(x & LONGEST << (8 * down))
}

/// The same to the right of the corner.
#[inline(always)]
fn above(x: u64, right: u32) -> u64 {
    gathered(x & LONGEST >> (8 * right)) >> right
}

/// Squares of which each has a column of its own: the product adds up all rows in the highest byte.
#[inline(always)]
fn gathered(squares: u64) -> u64 {
    squares.wrapping_mul(0x0101_0101_0101_0101) >> 56
}

treegraft::dispatch! {
    /// The value of a position in the first player's view.
    pub(super) fn value(position: &Othello, tables: &Tables) -> i32 = value_on;
}

#[inline(always)]
fn value_on<C: Cpu>(_: C, position: &Othello, tables: &Tables) -> i32 {
    let Some(weights) = tables.0.get(stage(position)) else { return 0 };
    let (own, opp) = (position.own, position.opp);
    let (own_t, opp_t) = (transposed(own), transposed(opp));
    let turns = [
        [own, opp],
        [own.swap_bytes(), opp.swap_bytes()],
        [own_t, opp_t],
        [own_t.swap_bytes(), opp_t.swap_bytes()],
    ];
    let mut sum = 0;
    for (turn, [own, opp]) in turns.into_iter().enumerate() {
        let edge = |x: u64| x & 0xff | (x >> 9 & 1) << 8 | (x >> 14 & 1) << 9;
        sum += look(&weights.shapes[0], edge(own), edge(opp));
        for (line, table) in (1..).zip(&weights.shapes[1..4]) {
            sum += look(table, own >> (8 * line) & 0xff, opp >> (8 * line) & 0xff);
        }
        // The transposed boards have the same diagonals and corners.
        if turn < 2 {
            let low = |x: u64| x & 7 | (x >> 8 & 7) << 3 | (x >> 16 & 7) << 6;
            let high = |x: u64| low(x >> 5);
            sum += look(&weights.shapes[CORNER], low(own), low(opp));
            sum += look(&weights.mirrored_corner, high(own), high(opp));
            sum += look(&weights.shapes[4], below(own, 0), below(opp, 0));
            for (by, table) in (1..).zip(&weights.shapes[5..9]) {
                sum += look(table, below(own, by), below(opp, by));
                sum += look(table, above(own, by), above(opp, by));
            }
        }
    }
    let steps = Steps::new();
    let moves = |it: &Othello| it.placements_inlined(steps).count_ones() as usize;
    sum += weights.own_moves[moves(position).min(32)];
    sum += weights.opp_moves[moves(&position.passed()).min(32)];
    sum += weights.parity[((own | opp).count_ones() & 1) as usize];
    position.mover.sign() as i32 * value_of(sum)
}
