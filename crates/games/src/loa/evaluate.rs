//! Hints, and static evaluations: how close together the pieces stand (Winands' concentration), and
//! all features of his program MIA.

use treegraft::{EVAL_ONE, Evaluator, Game, Ipp, Knowledge, Part, PlayoutWeight, Side};

use super::board::{DISTANCE, connected};
use super::{Loa, LoaMove, categories, ef_wb, tuned};

impl Knowledge for Loa {
    /// Towards the middle of the board, then captures of the same value.
    #[inline]
    fn order_hint(&self, mv: LoaMove) -> i32 {
        // Twice the distance from the middle, in the longer of the two directions.
        let edge = |square: u8| {
            let off = |coordinate: u8| (2 * i32::from(coordinate) - 7).abs();
            off(square & 7).max(off(square >> 3))
        };
        let captures = self.theirs >> mv.to & 1;
        edge(mv.from) - edge(mv.to) + captures as i32
    }

    fn move_categories(&self) -> Vec<String> {
        categories::names()
    }

    #[inline]
    fn move_category(&self, mv: LoaMove) -> Option<u32> {
        Some(categories::category(self, mv))
    }

    /// A move is played as often as its category is likely; nothing is urgent.
    #[inline]
    fn playout_weight(&self, mv: LoaMove, _: Ipp) -> Option<PlayoutWeight> {
        Some(PlayoutWeight { urgency: 0, weight: categories::weight(self, mv) })
    }

    #[inline]
    fn transition_probability(&self, mv: LoaMove) -> Option<f64> {
        Some(f64::from(categories::weight(self, mv)) / f64::from(PlayoutWeight::MOST))
    }

    /// The usual one first: another order would change the searches that use it.
    fn evaluators(&self) -> Vec<Evaluator<Loa>> {
        let concentration = Evaluator::plain(
            "concentration",
            "how close the pieces stand to their centre of mass (after Winands)",
            concentration,
        );
        let ef_wb = Evaluator::plain(
            "efWB",
            "the nine features of MIA, with weights of our own (Winands', in Lanctot et al. 2014)",
            ef_wb::ef_wb,
        );
        vec![
            concentration.with_parts(concentration_parts),
            ef_wb.with_parts(ef_wb::parts),
            tuned::evaluator(),
        ]
    }

    fn null_move(&self) -> Option<Loa> {
        let mut passed = *self;
        passed.play(LoaMove::PASS);
        self.outcome().is_none().then_some(passed)
    }

    /// Captures, and moves that connect all pieces.
    fn loud_moves(&self, moves: &mut Vec<LoaMove>) {
        self.for_each_move(|mv| {
            let (from, to) = (1u64 << mv.from, 1u64 << mv.to);
            if self.theirs & to != 0 || connected(self.own ^ from ^ to) {
                moves.push(mv);
            }
        });
    }
}

/// The squares within a number of king's steps, by square and distance.
pub(super) static NEAR: [[u64; 7]; 64] = {
    let mut near = [[0; 7]; 64];
    let mut i = 0usize;
    while i < 64 * 64 {
        let (from, to) = (i / 64, i % 64);
        let mut distance = DISTANCE[from][to] as usize;
        while distance < 7 {
            near[from][distance] |= 1 << to;
            distance += 1;
        }
        i += 1;
    }
    near
};

treegraft::dispatch! {
    fn concentration(position: &Loa) -> i32 = |_| position.mover.sign() as i32
        * (togetherness(position.own) - togetherness(position.theirs));
}

fn concentration_parts(position: &Loa) -> Vec<Part> {
    let amounts = [Side::First, Side::Second]
        .map(|side| f64::from(togetherness(position.pieces(side))) / f64::from(EVAL_ONE));
    vec![Part::new("concentration", amounts, 1.0)]
}

/// `EVAL_ONE` for pieces as close together as can be, less the further away they are.
#[inline(always)]
fn togetherness(pieces: u64) -> i32 {
    let Mass { pieces, excess, .. } = Mass::of(pieces);
    EVAL_ONE * pieces / (pieces + excess)
}

/// Where pieces have their centre, and how far from it they are.
pub(super) struct Mass {
    /// How many pieces there are.
    pub(super) pieces: i32,
    /// The square of their centre of mass, rounded, halves up.
    pub(super) centre: usize,
    /// The sum of their distances from it, in king's steps, less what it is at least.
    pub(super) excess: i32,
}

impl Mass {
    #[inline(always)]
    pub(super) fn of(pieces: u64) -> Mass {
        let spread = Spread::of(pieces);
        let centre = spread.centre();
        Mass { pieces: spread.n as i32, centre, excess: spread.excess(centre) as i32 }
    }
}

/// Pieces, with the sums of their columns and rows.
pub(super) struct Spread {
    pieces: u64,
    n: u32,
    sums: [u32; 2],
}

impl Spread {
    #[inline(always)]
    pub(super) fn of(pieces: u64) -> Spread {
        /// Squares whose column has bit 0, 1 or 2 set; the same for rows.
        const COLUMNS: [u64; 3] =
            [0xaaaa_aaaa_aaaa_aaaa, 0xcccc_cccc_cccc_cccc, 0xf0f0_f0f0_f0f0_f0f0];
        const ROWS: [u64; 3] =
            [0xff00_ff00_ff00_ff00, 0xffff_0000_ffff_0000, 0xffff_ffff_0000_0000];
        let sum =
            |bits: [u64; 3]| (0..3).map(|i| (pieces & bits[i]).count_ones() << i).sum::<u32>();
        Spread { pieces, n: pieces.count_ones(), sums: [sum(COLUMNS), sum(ROWS)] }
    }

    /// The square of the centre of mass, rounded, halves up; any square for no pieces.
    #[inline(always)]
    pub(super) fn centre(&self) -> usize {
        let n = self.n.max(1);
        let [column, row] = self.sums.map(|sum| (2 * sum + n) / (2 * n));
        (8 * row + column) as usize & 63
    }

    /// The sum of the distances from a square, in king's steps, less what it is at least.
    #[inline(always)]
    fn excess(&self, centre: usize) -> u32 {
        let mut distances = 0;
        for near in NEAR[centre] {
            distances += (self.pieces & !near).count_ones();
        }
        // One piece on the centre, eight around it, the others two steps away.
        let least = self.n - 1 + self.n.saturating_sub(9);
        distances - least
    }

    /// The same from the best of the squares around the centre of mass: no mirror changes it.
    #[inline(always)]
    pub(super) fn least_excess(&self) -> u32 {
        let [columns, rows] = self.sums.map(|sum| [sum / self.n, sum.div_ceil(self.n)]);
        let mut least = u32::MAX;
        for row in rows {
            for column in columns {
                least = least.min(self.excess((8 * row + column) as usize & 63));
            }
        }
        least
    }

    /// How far the centre of mass is from that of the board, in half columns and rows below 8.
    #[inline(always)]
    pub(super) fn off_centre(&self) -> [u32; 2] {
        self.sums.map(|sum| (2 * sum).abs_diff(7 * self.n) / self.n)
    }
}
