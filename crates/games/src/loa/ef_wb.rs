//! The evaluation efWB of Lanctot et al. (2014): the nine features of MIA (Winands, van den Herik
//! & Uiterwijk 2003). The weights are ours, since MIA's are not published.

use std::sync::LazyLock;

use treegraft::{Part, Side};

use super::Loa;
use super::evaluate::Mass;
use super::lines::{Lines, look};
use crate::squash;

/// A point, in the units in which points are counted: every feature of a side is rounded to one.
pub(super) const POINT: i32 = 1024;

/// The points S at which the value is tanh(1): 700 points have the value 0.9, since playouts are won
/// with more. This is 700 divided by the inverse hyperbolic tangent of 0.9.
const SCALE: f64 = 475.472_580_653_152;

/// What the sides are compared in, with the points for one of it.
const FEATURES: [(&str, i32); 8] = [
    ("concentration", 1000),
    ("centralisation", 2),
    ("centre of mass", 1),
    ("quads", 30),
    ("mobility", 2),
    ("walls", 15),
    ("connectedness", 60),
    ("uniformity", 20),
];

/// The points of the side to move.
const TURN: i32 = 30;

/// The squares of the rings from the centre of the board outwards; the corners are apart.
const RINGS: [u64; 5] = [
    0x0000_0018_1800_0000,
    0x0000_3c24_243c_0000,
    0x007e_4242_4242_7e00,
    0x7e81_8181_8181_817e,
    0x8100_0000_0000_0081,
];
const RING_WORTH: [i32; 5] = [50, 25, 10, -22, -80];

/// The value of a square by its ring.
static SQUARE_WORTH: [i8; 64] = {
    let mut worth = [0; 64];
    let mut i = 0;
    while i < 5 * 64 {
        let (ring, square) = (i / 64, i % 64);
        if RINGS[ring] >> square & 1 == 1 {
            worth[square] = RING_WORTH[ring] as i8;
        }
        i += 1;
    }
    worth
};

/// The lowest squares of all 2x2 windows within two steps of a square.
static WINDOWS: [u64; 64] = {
    let mut windows = [0; 64];
    let mut i = 0;
    while i < 64 * 64 {
        let (centre, lowest) = (i / 64, i % 64);
        let (column, row) = (lowest % 8, lowest / 8);
        // The window reaches one step further to the right and upwards.
        let is_near = column + 2 >= centre % 8
            && column < centre % 8 + 2
            && row + 2 >= centre / 8
            && row < centre / 8 + 2;
        if column < 7 && row < 7 && is_near {
            windows[centre] |= 1 << lowest;
        }
        i += 1;
    }
    windows
};

treegraft::dispatch! {
    pub(super) fn ef_wb(position: &Loa) -> i32 = |_| value(points(position));
}

/// The value of a lead in units of points: the hyperbolic tangent at whole points, a straight line
/// between them. Values are rounded there and here, and so at most 1.5 millionths off.
#[inline(always)]
fn value(points: i32) -> i32 {
    /// From this number of points on, the value is the highest of an unfinished game.
    const MOST: i32 = 4096;
    static TANH: LazyLock<[i32; MOST as usize + 1]> =
        LazyLock::new(|| std::array::from_fn(|points| squash::tanh(points as f64 / SCALE)));
    let table: &[i32; MOST as usize + 1] = &TANH;
    let units = points.abs().min(MOST * POINT - 1);
    let (whole, rest) = ((units / POINT) as usize, units % POINT);
    let steps = rest * (table[whole + 1] - table[whole]);
    points.signum() * (table[whole] + (steps + POINT / 2) / POINT)
}

/// The lead of the first player, in units of points.
#[inline(always)]
fn points(position: &Loa) -> i32 {
    let [own, theirs] = features([position.own, position.theirs]);
    let mut lead = 0;
    for feature in 0..8 {
        lead += own[feature] - theirs[feature];
    }
    position.mover.sign() as i32 * (lead + TURN * POINT)
}

/// All features but the turn, for two sides, in units of points.
#[inline(always)]
fn features(pieces: [u64; 2]) -> [[i32; 8]; 2] {
    let lines = look(pieces[0], pieces[1]);
    [features_of(pieces[0], &lines, 0), features_of(pieces[1], &lines, 1)]
}

#[inline(always)]
fn features_of(pieces: u64, lines: &Lines, side: usize) -> [i32; 8] {
    let Mass { pieces: n, centre, excess } = Mass::of(pieces);
    let [width, height] = bounding_box(pieces);
    let mut rings = 0;
    for ring in 0..5 {
        rings += RING_WORTH[ring] * count(pieces & RINGS[ring]);
    }
    [
        rounded(weight(0) * n, n + excess),
        rounded(weight(1) * rings, n),
        weight(2) * i32::from(SQUARE_WORTH[centre]),
        weight(3) * count(quads(pieces) & WINDOWS[centre]),
        // Moves are counted twice.
        weight(4) / 2 * lines.mobility[side],
        weight(5) * count(lines.walls[side]),
        rounded(weight(6) * 2 * neighbours(pieces), n),
        rounded(weight(7) * 64, width * height),
    ]
}

/// The points for one of a feature, in units.
#[inline(always)]
const fn weight(feature: usize) -> i32 {
    FEATURES[feature].1 * POINT
}

#[inline(always)]
fn count(squares: u64) -> i32 {
    squares.count_ones() as i32
}

/// The quotient, rounded, halves up.
#[inline(always)]
fn rounded(a: i32, b: i32) -> i32 {
    (2 * a + b).div_euclid(2 * b)
}

/// All squares but those of the h-file.
const BESIDE: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// The lowest squares of the 2x2 windows with three pieces or four.
#[inline(always)]
pub(super) fn quads(pieces: u64) -> u64 {
    let right = pieces >> 1 & BESIDE;
    let (both, any) = (pieces & right, pieces | right);
    // Both of one row and any of the other.
    (both & any >> 8 | any & both >> 8) & BESIDE
}

/// How many pairs of pieces stand side by side, in any of the eight directions.
#[inline(always)]
pub(super) fn neighbours(pieces: u64) -> i32 {
    let right = pieces >> 1 & BESIDE;
    // Beside each other, and on the two diagonals of a window.
    count(pieces & right)
        + count(pieces & pieces >> 8)
        + count(pieces & right >> 8)
        + count(right & (pieces & BESIDE) >> 8)
}

/// The width and height of the smallest rectangle around all pieces.
#[inline(always)]
pub(super) fn bounding_box(pieces: u64) -> [i32; 2] {
    let height = (pieces.leading_zeros() / 8).abs_diff(7 - pieces.trailing_zeros() / 8) + 1;
    let mut columns = pieces | pieces >> 32;
    columns |= columns >> 16;
    columns = (columns | columns >> 8) & 0xff;
    let width = 64 - columns.leading_zeros() - columns.trailing_zeros();
    [width as i32, height as i32]
}

/// The features of both sides, and whose turn it is.
pub(super) fn parts(position: &Loa) -> Vec<Part> {
    let sides = [Side::First, Side::Second];
    let [first, second] = features(sides.map(|side| position.pieces(side)));
    let amount = |units: i32, weight: i32| f64::from(units) / f64::from(POINT * weight);
    let mut parts: Vec<Part> = FEATURES
        .into_iter()
        .zip(first.into_iter().zip(second))
        .map(|((name, weight), (first, second))| {
            Part::new(name, [amount(first, weight), amount(second, weight)], f64::from(weight))
        })
        .collect();
    let turn = sides.map(|side| u8::from(side == position.mover));
    parts.push(Part::new("side to move", turn, f64::from(TURN)));
    parts
}
