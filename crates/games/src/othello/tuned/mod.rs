//! The fitted evaluation of the 8x8 board: patterns by stage of the game, in the mover's view.
//!
//! The patterns are among those of Buro (1997): edges with the squares diagonally next to their corners,
//! the other lines, diagonals of at least four squares, and corners of 3x3. Patterns that are the same
//! but for a turn or a mirror share a weight. With them go the moves of both sides, and whether an
//! even number of squares is empty. `tune/othello.toml` says how the weights were fitted.

use std::sync::{Arc, LazyLock};

use treegraft::linear::{Active, Features, Weights, grouped_parts};
use treegraft::{Evaluate, Evaluator, Part};

use super::Othello;
use super::discs::Steps;

mod fast;

use fast::{Tables, value};

/// The shipped weights.
static WEIGHTS: &[u8] = include_bytes!("weights.bin");

/// The same, read.
static SHIPPED: LazyLock<Option<Weights>> = LazyLock::new(|| Weights::from_bytes(WEIGHTS).ok());

/// The same, ready for use.
static TABLES: LazyLock<Option<Tables>> = LazyLock::new(|| Tables::new(SHIPPED.as_ref()?));

/// The name of the features.
const NAME: &str = "patterns-8x8";

/// The fitted evaluation of the 8x8 board.
pub(super) fn evaluator() -> Evaluator<Othello> {
    let about = "patterns and moves by stage of the game, fitted to the results of games, for 8x8";
    Evaluator::plain("tuned", about, shipped).with_parts(parts).with_features(Arc::new(Patterns))
}

fn shipped(position: &Othello) -> i32 {
    // A test checks that the weights are there.
    TABLES.as_ref().map_or(0, |tables| value(position, tables))
}

/// What the value is made of, in logits.
fn parts(position: &Othello) -> Vec<Part> {
    const GROUPS: [&str; 5] = ["edges", "other lines", "diagonals", "corners", "moves and turn"];
    /// The first feature of every group after the first.
    const FIRST: [usize; 4] = [base(1), base(4), base(9), OWN_MOVES];
    let group = |feature: usize| FIRST.iter().filter(|first| feature % STAGE >= **first).count();
    let weights = SHIPPED.as_ref();
    weights.map_or(Vec::new(), |it| grouped_parts(&Patterns, it, position, &GROUPS, group))
}

/// Stages of the game, of ten discs each.
const STAGES: usize = 6;

#[inline(always)]
fn stage(position: &Othello) -> usize {
    let discs = (position.own | position.opp).count_ones() as usize;
    (discs.saturating_sub(5) / 10).min(STAGES - 1)
}

/// The shapes by their squares, column and row, in one of the places they have.
const SHAPES: [&[(usize, usize)]; 10] = [
    &[(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0), (1, 1), (6, 1)],
    &[(0, 1), (1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (7, 1)],
    &[(0, 2), (1, 2), (2, 2), (3, 2), (4, 2), (5, 2), (6, 2), (7, 2)],
    &[(0, 3), (1, 3), (2, 3), (3, 3), (4, 3), (5, 3), (6, 3), (7, 3)],
    &[(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (7, 7)],
    &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7)],
    &[(0, 2), (1, 3), (2, 4), (3, 5), (4, 6), (5, 7)],
    &[(0, 3), (1, 4), (2, 5), (3, 6), (4, 7)],
    &[(0, 4), (1, 5), (2, 6), (3, 7)],
    &[(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1), (0, 2), (1, 2), (2, 2)],
];

/// What can be on the squares of a shape: three things on each.
const fn patterns(shape: usize) -> usize {
    3usize.pow(SHAPES[shape].len() as u32)
}

/// The first feature of a shape, within those of a stage; of the number after the last, their end.
const fn base(shape: usize) -> usize {
    let (mut base, mut before) = (0, 0);
    while before < shape {
        base += patterns(before);
        before += 1;
    }
    base
}

/// By the number of moves of the mover, of the other side, and by parity and turn.
const OWN_MOVES: usize = base(SHAPES.len());
const OPP_MOVES: usize = OWN_MOVES + 33;
const PARITY: usize = OPP_MOVES + 33;
const STAGE: usize = PARITY + 2;
const COUNT: usize = STAGES * STAGE;

/// A place of a shape: all orders of its squares that a turn or a mirror gives.
type Place = Vec<Vec<usize>>;

/// All places of every shape.
static PLACES: LazyLock<Vec<Vec<Place>>> = LazyLock::new(|| {
    let places = |shape: &&[(usize, usize)]| {
        let mut places: Vec<Place> = Vec::new();
        for turn in 0..8 {
            let square = |&(x, y): &(usize, usize)| {
                let (x, y) = if turn & 1 == 0 { (x, y) } else { (7 - x, y) };
                let (x, y) = if turn & 2 == 0 { (x, y) } else { (x, 7 - y) };
                let (x, y) = if turn & 4 == 0 { (x, y) } else { (y, x) };
                8 * y + x
            };
            let squares: Vec<usize> = shape.iter().map(square).collect();
            let is_same = |place: &&mut Place| squares.iter().all(|it| place[0].contains(it));
            match places.iter_mut().find(is_same) {
                Some(place) => place.push(squares),
                None => places.push(vec![squares]),
            }
        }
        places
    };
    SHAPES.iter().map(places).collect()
});

/// The number of what is on the squares of a place, the same for all turns and mirrors.
fn code(place: &Place, cell: impl Fn(usize) -> usize) -> usize {
    let code = |squares: &Vec<usize>| squares.iter().fold(0, |code, &it| 3 * code + cell(it));
    place.iter().map(code).min().unwrap_or(0)
}

/// What the fitted evaluation looks at.
struct Patterns;

impl Features<Othello> for Patterns {
    fn name(&self) -> &str {
        NAME
    }

    fn count(&self) -> usize {
        COUNT
    }

    fn list(&self, position: &Othello, active: &mut Vec<Active>) {
        let amount = position.mover.sign() as f32;
        let first = stage(position) * STAGE;
        let mut push = |feature: usize| {
            active.push(Active { feature: (first + feature) as u32, amount });
        };
        let cell =
            |it: usize| (position.own >> it & 1) as usize + 2 * (position.opp >> it & 1) as usize;
        for (shape, places) in PLACES.iter().enumerate() {
            places.iter().for_each(|place| push(base(shape) + code(place, cell)));
        }
        let moves = |it: &Othello| it.placements_inlined(Steps::new()).count_ones() as usize;
        push(OWN_MOVES + moves(position).min(32));
        push(OPP_MOVES + moves(&position.passed()).min(32));
        push(PARITY + ((position.own | position.opp).count_ones() & 1) as usize);
    }

    fn label(&self, feature: usize) -> String {
        let (stage, at) = (feature / STAGE + 1, feature % STAGE);
        let what = if at < OWN_MOVES {
            let shape = (1..SHAPES.len()).rev().find(|&it| base(it) <= at).unwrap_or(0);
            let (code, cells) = (at - base(shape), SHAPES[shape].len());
            let cell = |n: usize| ["-", "o", "x"][code / 3usize.pow((cells - 1 - n) as u32) % 3];
            format!("shape {}: {}", shape + 1, (0..cells).map(cell).collect::<String>())
        } else if at < OPP_MOVES {
            format!("{} moves", at - OWN_MOVES)
        } else if at < PARITY {
            format!("{} moves of the other side", at - OPP_MOVES)
        } else {
            format!("turn, {} number of squares empty", ["even", "odd"][at - PARITY])
        };
        format!("stage {stage}, {what}")
    }

    fn fast(&self, weights: &Weights) -> Option<Box<dyn Evaluate<Othello> + Send + Sync>> {
        let tables = Tables::new(weights)?;
        Some(Box::new(move |position: &Othello| value(position, &tables)))
    }
}

#[cfg(test)]
mod tests;
