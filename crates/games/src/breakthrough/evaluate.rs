//! Hints, and static evaluations: pieces, and the two of Lanctot et al. (2014).
//!
//! They are compiled for the processor: without its own way to count bits, counting would take most of
//! the time.

use std::sync::LazyLock;

use treegraft::bits::Cpu;
use treegraft::{EVAL_ONE, Evaluator, Game, Ipp, Knowledge, Part, PlayoutWeight, Side};

use super::guided::{guided, unless_greedy};
use super::improved::greedy_step;
use super::{Breakthrough, Step, Word, for_mover};
use crate::squash;

/// Baier (2018) squashes a share of the pieces and does not print the slope. With 40, MCTS-IC
/// scores what the paper prints at 500, 2,500 and 10,000 nodes (`papers/baier-2018`); so it does
/// with anything from 32 to 48, and not with 16.
const PIECES_SLOPE: f64 = 40.0;

impl<B: Word> Knowledge for Breakthrough<B> {
    /// Wins, then captures of a piece that threatens to win, then other captures, then the
    /// rest; among each, the most advanced first.
    #[inline]
    fn order_hint(&self, mv: Step) -> i32 {
        let row = self.place(mv.to).1;
        let last = self.height() - 1;
        let rank = if self.mover == Side::First { row } else { last - row };
        let theirs = self.pieces(self.mover.other());
        let captures = theirs & B::ONE << u32::from(mv.to) != B::NONE;
        let group = if rank == last || (captures && theirs.count() == 1) {
            3
        } else if captures && rank == 1 {
            2
        } else {
            i32::from(captures)
        };
        32 * group + rank as i32
    }

    #[inline]
    fn playout_weight(&self, mv: Step, ipp: Ipp) -> Option<PlayoutWeight> {
        Some(self.weight_of(mv, ipp))
    }

    #[inline]
    fn node_prior(&self, mv: Step) -> Option<f64> {
        Some(self.prior_of(mv))
    }

    /// All evaluations that know this size of board.
    fn evaluators(&self) -> Vec<Evaluator<Self>> {
        let mut evaluators = vec![
            Evaluator::plain(
                "pieces",
                "difference of pieces, as a part of all pieces of a side",
                pieces,
            )
            .with_slope(PIECES_SLOPE)
            .with_parts(|position| vec![position.pieces_part(1.0)])
            .with_playouts(|board, guide, rng| unless_greedy(board, guide, pieces, rng)),
            Evaluator::plain(
                "efMS",
                "ten times the pieces and 2.5 times the row of the most advanced one \
                 (Maarten Schadd's, in Lanctot et al. 2014)",
                ef_ms,
            )
            .with_parts(ef_ms_parts)
            .with_greedy(greedy_step)
            .with_playouts(|board, guide, rng| Some(guided(board, guide, ef_ms, rng))),
        ];
        if (self.width, self.height) == (8, 8) {
            let ef_lh = Evaluator::plain(
                "efLH",
                "value of every piece by its square (Lorentz & Horey's, in Lanctot et al. \
                 2014), for 8x8",
                ef_lh,
            );
            let by_ef_lh = |board: &mut _, guide: &_, rng: &mut _| {
                unless_greedy(board, guide, self::ef_lh, rng)
            };
            evaluators.push(ef_lh.with_parts(ef_lh_parts).with_playouts(by_ef_lh));
            evaluators.push(super::tuned::evaluator());
        }
        evaluators
    }

    fn null_move(&self) -> Option<Self> {
        let passed = Breakthrough { mover: self.mover.other(), ..*self };
        self.outcome().is_none().then_some(passed)
    }

    /// Wins, then captures.
    fn loud_moves(&self, moves: &mut Vec<Step>) {
        for_mover!(self.push_loud_steps(moves));
    }

    /// All pieces have the same value, so a piece is lost where the other side has more that can capture
    /// than the own side.
    #[inline]
    fn exchange(&self, mv: Step) -> Option<i32> {
        for_mover!(self.exchange_on(mv))
    }
}

impl<B: Word> Breakthrough<B> {
    fn pieces_part(&self, weight: f64) -> Part {
        Part::new("pieces", [self.white.count(), self.black.count()], weight)
    }

    /// How many pieces White has more than Black.
    #[inline(always)]
    fn lead(&self) -> i32 {
        self.white.count() as i32 - self.black.count() as i32
    }

    /// The row of the most advanced piece of a side, counted from its own home row.
    #[inline(always)]
    fn furthest(&self, side: Side) -> u32 {
        match side {
            Side::First => self.white.highest() / self.width(),
            Side::Second => self.height() - 1 - self.black.lowest() / self.width(),
        }
    }
}

treegraft::dispatch! {
    pub(super) fn pieces<B: Word>(position: &Breakthrough<B>) -> i32
        = |_| EVAL_ONE / (2 * position.width() as i32) * position.lead();
}

treegraft::dispatch! {
    pub(super) fn ef_ms<B: Word>(position: &Breakthrough<B>) -> i32 = ef_ms_on;
}

#[inline(always)]
fn ef_ms_on<C: Cpu, B: Word>(_: C, position: &Breakthrough<B>) -> i32 {
    /// Values by the lead in units of 2.5, up to the most that counts, 100.
    static TANH: LazyLock<[i32; 41]> =
        LazyLock::new(|| std::array::from_fn(|lead| squash::tanh(2.5 * lead as f64 / 60.0)));
    let rows = position.furthest(Side::First) as i32 - position.furthest(Side::Second) as i32;
    let lead = (4 * position.lead() + rows).clamp(-40, 40);
    lead.signum() * TANH[lead.unsigned_abs() as usize]
}

/// Together at most 100 points count.
fn ef_ms_parts<B: Word>(position: &Breakthrough<B>) -> Vec<Part> {
    let rows = [Side::First, Side::Second].map(|side| position.furthest(side));
    vec![position.pieces_part(10.0), Part::new("furthest row", rows, 2.5)]
}

/// The value of a piece, by the row from its home row and by column.
const SQUARES: [[i16; 8]; 8] = [
    [5, 15, 15, 5, 5, 15, 15, 5],
    [2, 3, 3, 3, 3, 3, 3, 2],
    [4, 6, 6, 6, 6, 6, 6, 4],
    [7, 10, 10, 10, 10, 10, 10, 7],
    [11, 15, 15, 15, 15, 15, 15, 11],
    [16, 21, 21, 21, 21, 21, 21, 16],
    [20, 28, 28, 28, 28, 28, 28, 20],
    [36; 8],
];

/// The value of all pieces of a row, by the set of their columns.
static ROWS: [[i16; 256]; 8] = squash::rows(SQUARES);

pub(super) fn ef_lh<B: Word>(position: &Breakthrough<B>) -> i32 {
    /// Values by lead. No set of 16 pieces has a higher value.
    static TANH: LazyLock<[i32; 16 * 36 + 1]> =
        LazyLock::new(|| std::array::from_fn(|lead| squash::tanh(lead as f64 / 100.0)));
    let worth = |rows: [u8; 8]| -> i32 {
        rows.iter().zip(&ROWS).map(|(&set, worth)| i32::from(worth[usize::from(set)])).sum()
    };
    let (white, black) = (position.white.low().to_le_bytes(), position.black.low().to_be_bytes());
    let lead = worth(white) - worth(black);
    lead.signum() * TANH[lead.unsigned_abs() as usize]
}

/// The value of the pieces in every row, counted from a side's own home row.
fn ef_lh_parts<B: Word>(position: &Breakthrough<B>) -> Vec<Part> {
    let (white, black) = (position.white.low().to_le_bytes(), position.black.low().to_be_bytes());
    let part = |row: usize| {
        let worth = |rows: [u8; 8]| ROWS[row][usize::from(rows[row])];
        let name = if row == 0 { "home row".to_owned() } else { format!("row {}", row + 1) };
        Part::new(name, [worth(white), worth(black)], 1.0)
    };
    (0..8).map(part).collect()
}
