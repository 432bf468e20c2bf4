//! Guided playouts as one loop, in which all shifts have one direction and nothing is a list.

use treegraft::bits::Cpu;
use treegraft::{Guide, GuidedEnd, GuidedPlayout, Outcome, Rng, Side};

use super::evaluate::{ef_lh, ef_ms, pieces};
use super::{Breakthrough, Word};

/// Playouts with efMS, the only evaluation by which they can be greedy.
pub(super) fn by_ef_ms<B: Word>(
    board: &mut Breakthrough<B>,
    guide: &Guide,
    rng: &mut Rng,
) -> Option<GuidedPlayout> {
    Some(guided(board, guide, ef_ms, rng))
}

/// Playouts with efLH.
pub(super) fn by_ef_lh<B: Word>(
    board: &mut Breakthrough<B>,
    guide: &Guide,
    rng: &mut Rng,
) -> Option<GuidedPlayout> {
    guide.greedy.is_none().then(|| guided(board, guide, ef_lh, rng))
}

/// Playouts with the difference of pieces.
pub(super) fn by_pieces<B: Word>(
    board: &mut Breakthrough<B>,
    guide: &Guide,
    rng: &mut Rng,
) -> Option<GuidedPlayout> {
    guide.greedy.is_none().then(|| guided(board, guide, pieces, rng))
}

treegraft::dispatch! {
    fn guided<B: Word>(
        board: &mut Breakthrough<B>,
        guide: &Guide,
        evaluate: fn(&Breakthrough<B>) -> i32,
        rng: &mut Rng
    ) -> GuidedPlayout = guided_on;
}

/// The state of a playout beside its position.
struct Run<'a, B> {
    guide: &'a Guide,
    evaluate: fn(&Breakthrough<B>) -> i32,
    /// A random number below this makes a greedy playout play another move.
    other: Option<u64>,
    plies: u32,
    /// After so many plies the position is looked at.
    look: u32,
    evaluations: u32,
}

#[inline(always)]
fn guided_on<C: Cpu, B: Word>(
    cpu: C,
    board: &mut Breakthrough<B>,
    guide: &Guide,
    evaluate: fn(&Breakthrough<B>) -> i32,
    rng: &mut Rng,
) -> GuidedPlayout {
    let mut position = *board;
    // Probabilities in units of 2^-64; a cast brings what is too large to the largest.
    let other = guide.greedy.map(|epsilon| (epsilon * 2f64.powi(64)) as u64);
    let look = if guide.cut == Some(0) || guide.max_plies == 0 { 0 } else { guide.next_look(0) };
    let mut run = Run { guide, evaluate, other, plies: 0, look, evaluations: 0 };
    let end = loop {
        if position.mover == Side::First
            && let Some(end) = position.turn::<true, C>(cpu, &mut run, rng)
        {
            break end;
        }
        if let Some(end) = position.turn::<false, C>(cpu, &mut run, rng) {
            break end;
        }
    };
    *board = position;
    GuidedPlayout { end, plies: run.plies, evaluations: run.evaluations }
}

impl<B: Word> Breakthrough<B> {
    /// One move, unless the playout is over.
    #[inline(always)]
    fn turn<const UP: bool, C: Cpu>(
        &mut self,
        cpu: C,
        run: &mut Run<'_, B>,
        rng: &mut Rng,
    ) -> Option<GuidedEnd> {
        let last = Self::mover_of::<UP>().other();
        if self.has_won(last) {
            return Some(GuidedEnd::Over(Outcome::Win(last)));
        }
        if run.plies == run.look {
            let (end, evaluations) = run.guide.look(self, run.plies, run.evaluate);
            run.evaluations += evaluations;
            if end.is_some() {
                return end;
            }
            run.look = run.guide.next_look(run.plies);
        }
        let (to, length) = self.guided_target::<UP, C>(cpu, run, rng);
        self.step::<UP>(to, length);
        run.plies += 1;
        None
    }

    #[inline(always)]
    fn guided_target<const UP: bool, C: Cpu>(
        &self,
        cpu: C,
        run: &Run<'_, B>,
        rng: &mut Rng,
    ) -> (B, u32) {
        if let Some(other) = run.other
            && rng.next_u64() >= other
        {
            return match self.greedy_targets::<UP>(run.guide.ipp) {
                Some(targets) => self.random_among::<UP, C>(cpu, targets, rng),
                None => self.slow_greedy_target::<UP>(run.guide.ipp, rng),
            };
        }
        match run.guide.ipp {
            Some(ipp) => self.improved_target::<UP, C>(cpu, ipp, rng),
            None => self.random_target::<UP, C>(cpu, rng),
        }
    }
}
