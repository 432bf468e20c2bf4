//! The fitted evaluation of the 8x8 board: patterns in small windows, in the mover's view.
//!
//! The board is turned so that the mover goes up. Then every window of 2x3, 3x2 and 3x3 squares has a
//! weight by its place and by what stands in it; windows that mirror each other share it. Two tables
//! know what windows do not: how far the nearest pieces are that nobody can stop, and how many pieces
//! there are. `tune/breakthrough.toml` says how the weights were fitted.

use std::sync::{Arc, LazyLock};

use treegraft::linear::{Active, Features, Weights, grouped_parts};
use treegraft::{Evaluate, Evaluator, Part, Side};

use super::{Breakthrough, Word};

mod fast;

use fast::{Tables, value};

/// The shipped weights.
static WEIGHTS: &[u8] = include_bytes!("weights.bin");

/// The same, read.
static SHIPPED: LazyLock<Option<Weights>> = LazyLock::new(|| Weights::from_bytes(WEIGHTS).ok());

/// The same, ready for use.
static TABLES: LazyLock<Option<Tables>> = LazyLock::new(|| Tables::new(SHIPPED.as_ref()?));

/// The fitted evaluation of the 8x8 board.
pub(super) fn evaluator<B: Word>() -> Evaluator<Breakthrough<B>> {
    let about = "patterns in small windows, fitted to the results of games, for 8x8";
    Evaluator::plain("tuned", about, shipped).with_parts(parts).with_features(Arc::new(Windows))
}

fn shipped<B: Word>(position: &Breakthrough<B>) -> i32 {
    // A test asks for the weights to be there.
    TABLES.as_ref().map_or(0, |tables| value(&position.seen_by_mover(), tables))
}

/// What the value is made of, in logits.
fn parts<B: Word>(position: &Breakthrough<B>) -> Vec<Part> {
    const GROUPS: [&str; 4] = ["turn", "windows", "runners", "pieces"];
    let group = |feature: usize| {
        usize::from(feature != TURN)
            + usize::from(feature >= RUNNERS)
            + usize::from(feature >= PIECES)
    };
    let weights = SHIPPED.as_ref();
    weights.map_or(Vec::new(), |it| grouped_parts(&Windows, it, position, &GROUPS, group))
}

/// An 8x8 board in the view of the side to move, which goes up.
pub(super) struct View {
    own: u64,
    opp: u64,
    mover: Side,
}

impl<B: Word> Breakthrough<B> {
    #[inline(always)]
    fn seen_by_mover(&self) -> View {
        let (white, black, mover) = (self.white.low(), self.black.low(), self.mover);
        match mover {
            Side::First => View { own: white, opp: black, mover },
            // A row is a byte.
            Side::Second => View { own: black.swap_bytes(), opp: white.swap_bytes(), mover },
        }
    }
}

impl View {
    /// How many steps the nearest pieces of the mover and of the other side have to go that nobody
    /// can meet; 8 if there is none.
    #[inline(always)]
    fn runners(&self) -> [usize; 2] {
        let steps = |free: u64| (free.leading_zeros() / 8) as usize;
        let met_by_opp = down_from(self.opp);
        let met_by_own = down_from(self.own.swap_bytes());
        [steps(self.own & !met_by_opp), steps(self.opp.swap_bytes() & !met_by_own)]
    }
}

/// The squares that pieces can come to, or could if nothing were in their way.
#[inline(always)]
fn down_from(pieces: u64) -> u64 {
    const COLUMN_A: u64 = 0x0101_0101_0101_0101;
    const COLUMN_H: u64 = COLUMN_A << 7;
    let mut reach = pieces;
    // Each row down is one column wider on either side: one row, then two, then four.
    let wider = |set: u64| set | (set & !COLUMN_A) >> 1 | (set & !COLUMN_H) << 1;
    let first = wider(reach) >> 8;
    reach |= first;
    reach |= wider(wider(reach)) >> 16;
    reach |= wider(wider(wider(wider(reach)))) >> 32;
    // What a piece stands on is no step away from it.
    wider(reach) >> 8
}

/// A family of windows of one shape.
struct Shape {
    rows: usize,
    columns: usize,
    /// The number of its first feature.
    base: usize,
}

impl Shape {
    /// What can stand in a window: three things on every square.
    const fn patterns(&self) -> usize {
        3usize.pow((self.rows * self.columns) as u32)
    }

    /// Windows that are not the mirror images of others, in a row.
    const fn classes(&self) -> usize {
        (9 - self.columns).div_ceil(2)
    }

    const fn end(&self) -> usize {
        self.base + (9 - self.rows) * self.classes() * self.patterns()
    }

    /// The feature of a window with its lower left corner in this row and column. `cell` tells what
    /// stands in a row and column of the window: nothing, an own piece, one of the other side.
    fn feature(&self, row: usize, column: usize, cell: impl Fn(usize, usize) -> usize) -> usize {
        let code = |mirrored: bool| {
            let mut code = 0;
            for (r, c) in (0..self.rows).flat_map(|r| (0..self.columns).map(move |c| (r, c))) {
                code = 3 * code + cell(r, if mirrored { self.columns - 1 - c } else { c });
            }
            code
        };
        let twin = 8 - self.columns - column;
        let code = match column.cmp(&twin) {
            std::cmp::Ordering::Less => code(false),
            std::cmp::Ordering::Equal => code(false).min(code(true)),
            std::cmp::Ordering::Greater => code(true),
        };
        self.base + (row * self.classes() + column.min(twin)) * self.patterns() + code
    }
}

/// Whose turn it is: the mover's, whose view it is.
const TURN: usize = 0;
const WIDE: Shape = Shape { rows: 2, columns: 3, base: 1 };
const TALL: Shape = Shape { rows: 3, columns: 2, base: WIDE.end() };
const SQUARE: Shape = Shape { rows: 3, columns: 3, base: TALL.end() };
/// By the runners of both sides, 0 to 8.
const RUNNERS: usize = SQUARE.end();
/// By the number of pieces of both sides, 0 to 16.
const PIECES: usize = RUNNERS + 9 * 9;
const COUNT: usize = PIECES + 17 * 17;

/// What the fitted evaluation looks at.
struct Windows;

impl<B: Word> Features<Breakthrough<B>> for Windows {
    fn name(&self) -> &str {
        "windows-8x8"
    }

    fn count(&self) -> usize {
        COUNT
    }

    fn list(&self, position: &Breakthrough<B>, active: &mut Vec<Active>) {
        let view = position.seen_by_mover();
        let amount = view.mover.sign() as f32;
        let mut push = |feature: usize| active.push(Active { feature: feature as u32, amount });
        push(TURN);
        for shape in [WIDE, TALL, SQUARE] {
            for (row, column) in
                (0..9 - shape.rows).flat_map(|r| (0..9 - shape.columns).map(move |c| (r, c)))
            {
                push(shape.feature(row, column, |r, c| {
                    let square = 8 * (row + r) + column + c;
                    (view.own >> square & 1) as usize + 2 * (view.opp >> square & 1) as usize
                }));
            }
        }
        let [own, opp] = view.runners();
        push(RUNNERS + 9 * own + opp);
        push(PIECES + 17 * view.own.count_ones() as usize + view.opp.count_ones() as usize);
    }

    fn label(&self, feature: usize) -> String {
        match feature {
            TURN => "turn".to_owned(),
            feature if feature < RUNNERS => {
                let shapes = [WIDE, TALL, SQUARE];
                let shape = shapes.iter().find(|shape| feature < shape.end()).unwrap_or(&SQUARE);
                let (place, code) = (
                    (feature - shape.base) / shape.patterns(),
                    (feature - shape.base) % shape.patterns(),
                );
                let (row, column) = (place / shape.classes(), place % shape.classes());
                let cells = shape.rows * shape.columns;
                let cell =
                    |n: usize| [".", "o", "x"][code / 3usize.pow((cells - 1 - n) as u32) % 3];
                let rows: Vec<String> = (0..shape.rows)
                    .rev()
                    .map(|r| (0..shape.columns).map(|c| cell(r * shape.columns + c)).collect())
                    .collect();
                format!("row {}, column {}: {}", row + 1, column + 1, rows.join("/"))
            }
            feature if feature < PIECES => {
                let at = feature - RUNNERS;
                format!("runners {} and {}", at / 9, at % 9)
            }
            feature => {
                let at = feature - PIECES;
                format!("pieces {} and {}", at / 17, at % 17)
            }
        }
    }

    fn fast(&self, weights: &Weights) -> Option<Box<dyn Evaluate<Breakthrough<B>> + Send + Sync>> {
        let tables = Tables::new(weights)?;
        Some(Box::new(move |position: &Breakthrough<B>| value(&position.seen_by_mover(), &tables)))
    }
}

#[cfg(test)]
mod tests;
