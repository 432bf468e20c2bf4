//! The sum of all weights of a position, a row of each class at a time.
//!
//! Counting the pieces of all rows at once and weighing rows instead of squares was no faster, and
//! played worse: 129 to 171 at 20,000 nodes.

use treegraft::bits::Cpu;
use treegraft::linear::{Weights, value_of};

use super::{CLASSES, COUNT, COUNTS, NAME, RUNNERS, TURN, View, feature};

/// The weights of all pieces of a row, by the set of their columns.
type Row = [i16; 256];

/// Weights by what stands in each row, by the runners, and by the numbers of pieces.
pub(super) struct Tables {
    /// By side, class and row.
    rows: [[[Row; 8]; CLASSES]; 2],
    runners: [i32; 9 * 9],
    /// With the weight of the turn.
    counts: [i32; 17 * 17],
}

impl Tables {
    /// The tables of these weights, if they are for these features and not too large.
    pub(super) fn new(weights: &Weights) -> Option<Tables> {
        let units = &weights.units;
        if weights.features != NAME || units.len() != COUNT {
            return None;
        }
        let mut rows = [[[[0; 256]; 8]; CLASSES]; 2];
        for (side, classes) in rows.iter_mut().enumerate() {
            for (class, rows) in classes.iter_mut().enumerate() {
                for (row, sets) in rows.iter_mut().enumerate() {
                    for (set, entry) in sets.iter_mut().enumerate() {
                        let columns = (0..8).filter(|column| set >> column & 1 == 1);
                        let units = columns.map(|it| units[feature(side, class, 8 * row + it)]);
                        *entry = i16::try_from(units.map(i64::from).sum::<i64>()).ok()?;
                    }
                }
            }
        }
        let runners = std::array::from_fn(|at| units[RUNNERS + at]);
        let counts = std::array::from_fn(|at| units[COUNTS + at].saturating_add(units[TURN]));
        Some(Tables { rows, runners, counts })
    }
}

treegraft::dispatch! {
    /// The value of a position in the first player's view.
    pub(super) fn value(view: &View, tables: &Tables) -> i32 = value_on;
}

#[inline(always)]
fn value_on<C: Cpu>(_: C, view: &View, tables: &Tables) -> i32 {
    let mut sum = 0;
    for (sets, tables) in view.classes().iter().zip(&tables.rows) {
        for (set, rows) in sets.iter().zip(tables) {
            let worth = |(set, row): (u8, &Row)| i32::from(row[usize::from(set)]);
            sum += set.to_le_bytes().into_iter().zip(rows).map(worth).sum::<i32>();
        }
    }
    let [own, opp] = view.runners();
    sum += tables.runners[9 * own + opp];
    let [own, opp] = [view.own, view.opp].map(|pieces| pieces.count_ones() as usize);
    sum += tables.counts.get(17 * own + opp).copied().unwrap_or(0);
    view.mover.sign() as i32 * value_of(sum)
}
