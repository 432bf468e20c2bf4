//! The sum of all weights of a position, several classes of pieces at a time.
//!
//! What the pieces of a side are to each other is read off half a row and the half row behind it, for
//! five classes at once; few pieces are attacked, so these are visited one by one; the other classes are
//! read off a row at a time.
//!
//! Working out the change that a move makes, with the sums of both views carried from position to
//! position, took 1.8 times as long: a dozen pieces of unforeseeable classes change theirs with every
//! move. Counting the pieces of all rows at once and weighing rows instead of squares played worse: 129
//! to 171 at 20,000 nodes.

use treegraft::bits::Cpu;
use treegraft::linear::{Weights, value_of};

use super::{CLASSES, COUNT, COUNTS, NAME, RUNNERS, TURN, View, classes, feature};

/// A piece that is in the last row has won.
const ROWS: usize = 7;

/// The classes that depend on the pieces of a side in a row and in the row behind: all pieces, defended,
/// defended twice, beside another, before another.
const FORMATION: [usize; 5] = [0, 3, 4, 5, 6];
/// The classes that few pieces belong to: hanging and attacked.
const ATTACKED: [usize; 2] = [1, 2];
/// The others: blocked and free.
const WHOLE: [usize; 2] = [7, 8];
const _: () = assert!(FORMATION.len() + ATTACKED.len() + WHOLE.len() == CLASSES);

/// The columns of half a row and the next one, which its pieces may stand beside: of a row in the high
/// byte, and of the row behind it in the low one.
const HALVES: usize = 0x1f1f;

/// The weights of all pieces of a row, by the set of their columns.
type Row = [i16; 256];

/// Weights by what stands in each row, by the runners, and by the numbers of pieces.
pub(super) struct Tables {
    sides: [Side; 2],
    runners: [i32; 9 * 9],
    /// With the weight of the turn.
    counts: [i32; 17 * 17],
}

/// The weights of a side's pieces.
struct Side {
    /// By the [half rows](HALVES), with the number of the row in the three bits between them.
    formations: [i16; 1 << 13],
    whole: [[Row; ROWS]; 2],
    /// By square.
    attacked: [[i16; 64]; 2],
}

impl Tables {
    /// The tables of these weights, if they are for these features and not too large.
    pub(super) fn new(weights: &Weights) -> Option<Tables> {
        let units = &weights.units;
        if weights.features != NAME || units.len() != COUNT {
            return None;
        }
        let runners = std::array::from_fn(|at| units[RUNNERS + at]);
        let counts = std::array::from_fn(|at| units[COUNTS + at].saturating_add(units[TURN]));
        Some(Tables { sides: [Side::new(units, 0)?, Side::new(units, 1)?], runners, counts })
    }
}

impl Side {
    fn new(units: &[i32], side: usize) -> Option<Side> {
        let weight = |class, square| i64::from(units[feature(side, class, square)]);
        let mut formations = [0; 1 << 13];
        for (index, entry) in formations.iter_mut().enumerate() {
            let row = index >> 5 & 7;
            if row < ROWS {
                // The classes do not depend on the number of the row.
                let sets = classes((index & HALVES) as u64, 0);
                let squares =
                    |class: usize| (0..4).filter(move |it| sets[class] >> (8 + it) & 1 == 1);
                let worth =
                    |class| squares(class).map(|it| weight(class, 8 * row + it)).sum::<i64>();
                *entry = i16::try_from(FORMATION.into_iter().map(worth).sum::<i64>()).ok()?;
            }
        }
        let mut whole = [[[0; 256]; ROWS]; 2];
        for (class, rows) in WHOLE.into_iter().zip(&mut whole) {
            for (row, sets) in rows.iter_mut().enumerate() {
                for (set, entry) in sets.iter_mut().enumerate() {
                    let columns = (0..8).filter(|column| set >> column & 1 == 1);
                    let worth = columns.map(|it| weight(class, 8 * row + it)).sum::<i64>();
                    *entry = i16::try_from(worth).ok()?;
                }
            }
        }
        let mut attacked = [[0; 64]; 2];
        for (class, squares) in ATTACKED.into_iter().zip(&mut attacked) {
            for (square, entry) in squares.iter_mut().enumerate() {
                *entry = i16::try_from(weight(class, square)).ok()?;
            }
        }
        Some(Side { formations, whole, attacked })
    }

    /// The weights of all pieces of the side.
    #[inline(always)]
    fn sum(&self, sets: &[u64; CLASSES]) -> i32 {
        let mut sum = 0;
        let pieces = sets[0];
        let mirrored = pieces.reverse_bits().swap_bytes();
        for half in [pieces, mirrored] {
            for row in 0..ROWS {
                // Nothing is behind the first row.
                let halves = (half << 8 >> (8 * row)) as usize & HALVES;
                sum += i32::from(self.formations[halves | row << 5]);
            }
        }
        for (class, rows) in WHOLE.into_iter().zip(&self.whole) {
            let worth = |(set, row): (u8, &Row)| i32::from(row[usize::from(set)]);
            sum += sets[class].to_le_bytes().into_iter().zip(rows).map(worth).sum::<i32>();
        }
        for (class, squares) in ATTACKED.into_iter().zip(&self.attacked) {
            let mut set = sets[class];
            while set != 0 {
                sum += i32::from(squares[set.trailing_zeros() as usize & 63]);
                set &= set - 1;
            }
        }
        sum
    }
}

treegraft::dispatch! {
    /// The value of a position in the first player's view.
    pub(super) fn value(view: &View, tables: &Tables) -> i32 = value_on;
}

#[inline(always)]
fn value_on<C: Cpu>(_: C, view: &View, tables: &Tables) -> i32 {
    let sides = view.classes().into_iter().zip(&tables.sides);
    let mut sum: i32 = sides.map(|(sets, side)| side.sum(&sets)).sum();
    let [own, opp] = view.runners();
    sum += tables.runners[9 * own + opp];
    let [own, opp] = [view.own, view.opp].map(|pieces| pieces.count_ones() as usize);
    sum += tables.counts.get(17 * own + opp).copied().unwrap_or(0);
    view.mover.sign() as i32 * value_of(sum)
}
