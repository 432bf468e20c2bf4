//! The fitted evaluation of the 8x8 board: pieces by their square and by what stands around them, in the
//! mover's view.
//!
//! The board is turned so that the mover goes up. Every piece has a weight by its square, and more by each
//! class that it belongs to: attacked, defended, beside another, and so on. Squares that mirror each other
//! share their weights. Two tables know what single pieces do not: how far the nearest pieces are that
//! nobody can stop, and how many pieces there are. `tune/breakthrough.toml` says how the weights were
//! fitted.
//!
//! A few hundred weights play better here than many. Patterns in all windows of 3x3 squares, with 88,000
//! weights, predicted the results of held-out games better, and lost most games against efLH.

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

/// The name of the features.
const NAME: &str = "pieces-8x8";

/// The fitted evaluation of the 8x8 board.
pub(super) fn evaluator<B: Word>() -> Evaluator<Breakthrough<B>> {
    let about = "pieces by square, attack, defence and neighbours, fitted to the results of games, \
                 for 8x8";
    Evaluator::plain("tuned", about, shipped)
        .with_parts(parts)
        .with_features(Arc::new(PieceClasses))
}

fn shipped<B: Word>(position: &Breakthrough<B>) -> i32 {
    // A test checks that the weights are there.
    TABLES.as_ref().map_or(0, |tables| value(&position.seen_by_mover(), tables))
}

/// What the value is made of, in logits.
fn parts<B: Word>(position: &Breakthrough<B>) -> Vec<Part> {
    const GROUPS: [&str; CLASSES + 3] = {
        let mut groups = ["turn"; CLASSES + 3];
        let mut class = 0;
        while class < CLASSES {
            groups[1 + class] = CLASS_NAMES[class];
            class += 1;
        }
        groups[1 + CLASSES] = "runners";
        groups[2 + CLASSES] = "numbers of pieces";
        groups
    };
    let group = |feature: usize| match feature {
        TURN => 0,
        feature if feature < RUNNERS => 1 + (feature - PIECES) / SQUARES % CLASSES,
        feature if feature < COUNTS => 1 + CLASSES,
        _ => 2 + CLASSES,
    };
    let weights = SHIPPED.as_ref();
    weights.map_or(Vec::new(), |it| grouped_parts(&PieceClasses, it, position, &GROUPS, group))
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

const COLUMN_A: u64 = 0x0101_0101_0101_0101;
const COLUMN_H: u64 = COLUMN_A << 7;

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

    /// The pieces of each class, of the mover and of the other side, each as if it went up.
    #[inline(always)]
    fn classes(&self) -> [[u64; CLASSES]; 2] {
        [classes(self.own, self.opp), classes(self.opp.swap_bytes(), self.own.swap_bytes())]
    }
}

/// The classes of pieces.
const CLASSES: usize = 9;
const CLASS_NAMES: [&str; CLASSES] = [
    "pieces",
    "hanging",
    "attacked",
    "defended",
    "defended twice",
    "beside another",
    "before another",
    "blocked",
    "free",
];

/// The pieces of a side that goes up, by class.
#[inline(always)]
fn classes(own: u64, opp: u64) -> [u64; CLASSES] {
    let [attacked, attacked_twice] = {
        let (left, right) = ((opp & !COLUMN_A) >> 9, (opp & !COLUMN_H) >> 7);
        [own & (left | right), own & left & right]
    };
    let [defended, defended_twice] = {
        let (left, right) = ((own & !COLUMN_A) << 7, (own & !COLUMN_H) << 9);
        [own & (left | right), own & left & right]
    };
    let hanging = attacked & !defended | attacked_twice & !defended_twice;
    [
        own,
        hanging,
        attacked & !hanging,
        defended,
        defended_twice,
        own & ((own & !COLUMN_A) >> 1 | (own & !COLUMN_H) << 1),
        own & own << 8,
        own & (own | opp) >> 8,
        own & !down_from(opp),
    ]
}

/// The squares that pieces can come to, or could if nothing were in their way.
#[inline(always)]
fn down_from(pieces: u64) -> u64 {
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

/// Whose turn it is: the mover's, whose view it is.
const TURN: usize = 0;
/// By side, class, row and column, of which mirror images share a feature.
const PIECES: usize = 1;
/// Squares that are not the mirror images of others.
const SQUARES: usize = 8 * 4;
/// By the runners of both sides, 0 to 8.
const RUNNERS: usize = PIECES + 2 * CLASSES * SQUARES;
/// By the number of pieces of both sides, 0 to 16.
const COUNTS: usize = RUNNERS + 9 * 9;
const COUNT: usize = COUNTS + 17 * 17;

/// The feature of a piece of a class and a side (0: the mover) on a square.
const fn feature(side: usize, class: usize, square: usize) -> usize {
    let (row, column) = (square / 8, square % 8);
    let column = if column < 4 { column } else { 7 - column };
    PIECES + (side * CLASSES + class) * SQUARES + 4 * row + column
}

/// What the fitted evaluation looks at.
struct PieceClasses;

impl<B: Word> Features<Breakthrough<B>> for PieceClasses {
    fn name(&self) -> &str {
        NAME
    }

    fn count(&self) -> usize {
        COUNT
    }

    fn list(&self, position: &Breakthrough<B>, active: &mut Vec<Active>) {
        let view = position.seen_by_mover();
        let amount = view.mover.sign() as f32;
        let mut push = |feature: usize| active.push(Active { feature: feature as u32, amount });
        push(TURN);
        for (side, classes) in view.classes().into_iter().enumerate() {
            for (class, set) in classes.into_iter().enumerate() {
                let squares = (0..64).filter(|square| set >> square & 1 == 1);
                squares.for_each(|square| push(feature(side, class, square)));
            }
        }
        let [own, opp] = view.runners();
        push(RUNNERS + 9 * own + opp);
        push(COUNTS + 17 * view.own.count_ones() as usize + view.opp.count_ones() as usize);
    }

    fn label(&self, feature: usize) -> String {
        match feature {
            TURN => "turn".to_owned(),
            feature if feature < RUNNERS => {
                let (kind, square) = ((feature - PIECES) / SQUARES, (feature - PIECES) % SQUARES);
                let side = ["own", "other"][kind / CLASSES];
                let class = CLASS_NAMES[kind % CLASSES];
                format!("{side} {class}, row {}, column {}", square / 4 + 1, square % 4 + 1)
            }
            feature if feature < COUNTS => {
                let at = feature - RUNNERS;
                format!("runners {} and {}", at / 9, at % 9)
            }
            feature => {
                let at = feature - COUNTS;
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
