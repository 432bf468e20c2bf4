//! Random moves and playouts, compiled for the processor.

use treegraft::bits::Cpu;
use treegraft::{Outcome, Playout, Rng, Side};

use super::{Breakthrough, Step, Word, for_mover};

treegraft::dispatch! {
    pub(super) fn random_step<B: Word>(board: &Breakthrough<B>, rng: &mut Rng) -> Step
        = |cpu| for_mover!(board.random_step(cpu, rng));
}

impl<B: Word> Breakthrough<B> {
    #[inline(always)]
    fn random_step<const UP: bool>(&self, cpu: impl Cpu, rng: &mut Rng) -> Step {
        self.step_to::<UP>(self.random_target::<UP>(cpu, rng))
    }
}

treegraft::dispatch! {
    pub(super) fn playout<B: Word>(
        board: &mut Breakthrough<B>,
        rng: &mut Rng,
        max_plies: u32
    ) -> Playout = playout_on;
}

#[inline(always)]
fn playout_on<C: Cpu, B: Word>(
    cpu: C,
    board: &mut Breakthrough<B>,
    rng: &mut Rng,
    max_plies: u32,
) -> Playout {
    let mut position = *board;
    let mut plies = 0;
    let playout = loop {
        // Wins and turns are settled once for each side, so that all shifts have one direction.
        if position.mover == Side::First {
            if position.has_won(Side::Second) {
                break Playout { outcome: Outcome::Win(Side::Second), plies, capped: false };
            }
            if plies == max_plies {
                break Playout { outcome: Outcome::Draw, plies, capped: true };
            }
            let (to, length) = position.random_target::<true>(cpu, rng);
            position.step::<true>(to, length);
            plies += 1;
        }
        if position.has_won(Side::First) {
            break Playout { outcome: Outcome::Win(Side::First), plies, capped: false };
        }
        if plies == max_plies {
            break Playout { outcome: Outcome::Draw, plies, capped: true };
        }
        let (to, length) = position.random_target::<false>(cpu, rng);
        position.step::<false>(to, length);
        plies += 1;
    };
    *board = position;
    playout
}

#[cfg(test)]
mod tests {
    use super::*;
    use treegraft::bits::Portable;

    fn check_processors<B: Word>(start: Breakthrough<B>) {
        for seed in 0..50 {
            let (mut plain, mut best) = (start, start);
            let plain_end = playout_on(Portable, &mut plain, &mut Rng::new(seed), 999);
            let best_end = playout(&mut best, &mut Rng::new(seed), 999);
            assert_eq!((plain_end, plain), (best_end, best));
        }
    }

    #[test]
    fn every_processor_plays_the_same() {
        check_processors(Breakthrough::<u64>::new(8, 8).expect("a board"));
        check_processors(Breakthrough::<u128>::new(18, 6).expect("a board"));
    }
}
