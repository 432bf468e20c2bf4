//! The fitted evaluation: pieces by square and neighbours, how far they are from their centre, groups,
//! moves, walls, quads, the rectangle around all pieces and where its centre lies. `tune/loa.toml` says
//! how the weights were fitted.
//!
//! All of it is the same for a board that is turned or mirrored. Most of it is about the pieces of one
//! side alone, which stay where they are when the other side moves: `memo` remembers their values.

use std::sync::LazyLock;

use treegraft::Evaluator;
use treegraft::linear::Weights;

use super::Loa;
use super::board::group;
use super::ef_wb::{bounding_box, neighbours, quads};
use super::evaluate::{NEAR, Spread};
use super::lines::look;
use crate::tuned::{self, Look, Seen};

mod memo;

/// The shipped weights.
static WEIGHTS: &[u8] = include_bytes!("weights.bin");

/// The same, read.
static SHIPPED: LazyLock<Option<Weights>> = LazyLock::new(|| tuned::read::<Loa, Pieces>(WEIGHTS));

/// The fitted evaluation.
pub(super) fn evaluator() -> Evaluator<Loa> {
    let about =
        "squares, groups, moves and how close the pieces stand, fitted to the results of games";
    Evaluator::plain("tuned", about, memo::evaluate)
        .with_parts(|it| tuned::parts::<_, Pieces>(SHIPPED.as_ref(), it))
        .with_features(tuned::features::<_, Pieces>())
}

/// A number below 10 for every square, the same as for those that a turn or a mirror leads to.
static CLASS: [u8; 64] = {
    let mut class = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (column, row) = (square % 8, square / 8);
        let column = if column < 4 { column } else { 7 - column };
        let row = if row < 4 { row } else { 7 - row };
        class[square] = triangle(column, row) as u8;
        square += 1;
    }
    class
};

/// A number for two numbers in either order: those of smaller ones come first.
const fn triangle(a: usize, b: usize) -> usize {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    high * (high + 1) / 2 + low
}

/// Numbers of pieces: none to twelve.
const NUMBERS: usize = 13;

/// By side, square, and own pieces around it, up to four.
const SQUARES: usize = 1;
/// By side, pieces, and steps that they are away from their centre.
const STEPS: usize = SQUARES + 2 * 10 * 5;
/// By these steps of both sides.
const RACE: usize = STEPS + 2 * NUMBERS * 32;
/// By side, groups, and pieces outside of the largest, up to seven.
const GROUPS: usize = RACE + 24 * 24;
/// By the pieces of both sides outside of their largest groups.
const OUTSIDE: usize = GROUPS + 2 * 8 * 8;
/// By side and moves, in the units of `look`, three at a time.
const MOVES: usize = OUTSIDE + 8 * 8;
/// By side and walls.
const WALLS: usize = MOVES + 2 * 32;
/// By side and quads.
const QUADS: usize = WALLS + 2 * 8;
/// By side, pieces and pairs of neighbours.
const PAIRS: usize = QUADS + 2 * 8;
/// By side and the rectangle around all pieces.
const BOXES: usize = PAIRS + 2 * NUMBERS * 24;
/// By side and how far the centre of mass is from that of the board.
const CENTRES: usize = BOXES + 2 * 36;

/// What the fitted evaluation looks at.
struct Pieces;

impl Look<Loa> for Pieces {
    const NAME: &'static str = "pieces";
    const COUNT: usize = CENTRES + 2 * 36;
    const GROUPS: &'static [(&'static str, usize)] = &[
        ("turn", 0),
        ("squares", SQUARES),
        ("steps from the centre", STEPS),
        ("both sides' steps", RACE),
        ("groups", GROUPS),
        ("outside the largest group", OUTSIDE),
        ("moves", MOVES),
        ("walls", WALLS),
        ("quads", QUADS),
        ("neighbours", PAIRS),
        ("rectangle", BOXES),
        ("centre of mass", CENTRES),
    ];

    #[inline(always)]
    fn look(position: &Loa, seen: &mut impl Seen) {
        let sides = [position.own, position.theirs];
        let mut alone = [Alone { steps: 0, outside: 0 }; 2];
        for side in 0..2 {
            alone[side] = Alone::look(sides[side], |of| seen.see(of[side]));
        }
        look_at_both(position, alone, seen);
    }
}

/// What counts for both sides together of the pieces of one side alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Alone {
    /// Steps that they are away from their centre.
    steps: u8,
    /// Pieces outside of the largest group, up to seven.
    outside: u8,
}

impl Alone {
    /// Reports the features of a side's pieces that do not depend on the other side: those that they have
    /// if they are the mover's, and if they are not.
    #[inline(always)]
    fn look(pieces: u64, mut tell: impl FnMut([usize; 2])) -> Alone {
        let n = pieces.count_ones() as usize;
        let mut tell = |first: usize, per_side: usize, at: usize| {
            tell([first + at, first + per_side + at]);
        };
        let mut rest = pieces;
        while rest != 0 {
            let square = rest.trailing_zeros() as usize & 63;
            rest &= rest - 1;
            let around = (NEAR[square][1] & pieces).count_ones() as usize - 1;
            tell(SQUARES, 10 * 5, 5 * usize::from(CLASS[square]) + around.min(4));
        }
        let spread = Spread::of(pieces);
        let steps = spread.least_excess() as usize;
        let number = n.min(NUMBERS - 1);
        tell(STEPS, NUMBERS * 32, 32 * number + steps.min(31));
        let (groups, largest) = groups(pieces);
        let outside = (n - largest).min(7);
        tell(GROUPS, 8 * 8, 8 * (groups.min(8) - 1) + outside);
        tell(QUADS, 8, (quads(pieces).count_ones() as usize).min(7));
        tell(PAIRS, NUMBERS * 24, 24 * number + (neighbours(pieces) as usize).min(23));
        let [width, height] = bounding_box(pieces).map(|it| it as usize - 1);
        tell(BOXES, 36, triangle(width.min(7), height.min(7)));
        let [column, row] = spread.off_centre().map(|it| it as usize);
        tell(CENTRES, 36, triangle(column, row));
        Alone { steps: steps.min(23) as u8, outside: outside as u8 }
    }
}

/// Reports the features that depend on both sides, and whose turn it is.
#[inline(always)]
fn look_at_both(position: &Loa, alone: [Alone; 2], seen: &mut impl Seen) {
    let lines = look(position.own, position.theirs);
    seen.see(0);
    for side in 0..2 {
        seen.see(MOVES + 32 * side + (lines.mobility[side] as usize / 3).min(31));
        seen.see(WALLS + 8 * side + (lines.walls[side].count_ones() as usize).min(7));
    }
    let [own, theirs] = alone.map(|it| usize::from(it.steps));
    seen.see(RACE + 24 * own + theirs);
    let [own, theirs] = alone.map(|it| usize::from(it.outside));
    seen.see(OUTSIDE + 8 * own + theirs);
}

/// How many groups there are, and how many pieces the largest has.
#[inline(always)]
fn groups(pieces: u64) -> (usize, usize) {
    let (mut rest, mut groups, mut largest) = (pieces, 0, 0);
    while rest != 0 {
        let group = group(rest);
        rest &= !group;
        groups += 1;
        largest = largest.max(group.count_ones() as usize);
    }
    (groups, largest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loa::LoaRules;
    use crate::tuned::tests::{check, positions};

    fn boards() -> Vec<Loa> {
        let mut boards = positions(&Loa::new(LoaRules::default()), 20);
        boards.truncate(4000);
        boards
    }

    #[test]
    fn fast_is_slow() {
        check::<Loa, Pieces>(WEIGHTS, &boards());
    }

    #[test]
    fn colours_can_be_swapped_and_the_board_turned() {
        let value = |it: &Loa| tuned::evaluate::<_, Pieces>(SHIPPED.as_ref(), it);
        let transposed = |set: u64| {
            let on = |square: u32| (set >> (square % 8 * 8 + square / 8) & 1) << square;
            (0..64).map(on).sum::<u64>()
        };
        for position in boards() {
            let swapped = Loa { mover: position.mover.other(), ..position };
            assert_eq!(value(&swapped), -value(&position), "{position:?}");
            for turn in [u64::swap_bytes, u64::reverse_bits, transposed] {
                let (own, theirs) = (turn(position.own), turn(position.theirs));
                assert_eq!(value(&Loa { own, theirs, ..position }), value(&position));
            }
        }
    }
}
