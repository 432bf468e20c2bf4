//! Guided playouts as one loop, in which all shifts have one direction and nothing is a list.

use treegraft::bits::Cpu;
use treegraft::{Guide, GuidedEnd, GuidedPlayout, Outcome, Rng, Side};

use super::{Breakthrough, Word};

/// A playout with an evaluation that cannot guide greedy ones.
pub(super) fn unless_greedy<B: Word>(
    board: &mut Breakthrough<B>,
    guide: &Guide,
    evaluate: fn(&Breakthrough<B>) -> i32,
    rng: &mut Rng,
) -> Option<GuidedPlayout> {
    guide.greedy.is_none().then(|| guided(board, guide, evaluate, rng))
}

treegraft::dispatch! {
    /// A playout with an evaluation. Greedy ones are by efMS, whatever it is.
    pub(super) fn guided<B: Word>(
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
    /// Plies after which the position is looked at next.
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
            && let Some(end) = position.turn::<true>(cpu, &mut run, rng)
        {
            break end;
        }
        if let Some(end) = position.turn::<false>(cpu, &mut run, rng) {
            break end;
        }
    };
    *board = position;
    GuidedPlayout { end, plies: run.plies, evaluations: run.evaluations }
}

impl<B: Word> Breakthrough<B> {
    /// One move, unless the playout is over.
    #[inline(always)]
    fn turn<const UP: bool>(
        &mut self,
        cpu: impl Cpu,
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
        let (to, length) = self.guided_target::<UP>(cpu, run, rng);
        self.step::<UP>(to, length);
        run.plies += 1;
        None
    }

    #[inline(always)]
    fn guided_target<const UP: bool>(
        &self,
        cpu: impl Cpu,
        run: &Run<'_, B>,
        rng: &mut Rng,
    ) -> (B, u32) {
        if let Some(other) = run.other
            && rng.next_u64() >= other
        {
            return match self.greedy_targets::<UP>(run.guide.ipp) {
                Some(targets) => self.random_among::<UP>(cpu, targets, rng),
                None => self.slow_greedy_target::<UP>(run.guide.ipp, rng),
            };
        }
        match run.guide.ipp {
            Some(ipp) => self.improved_target::<UP>(cpu, ipp, rng),
            None => self.random_target::<UP>(cpu, rng),
        }
    }
}

#[cfg(test)]
mod tests {
    use treegraft::bits::Portable;
    use treegraft::{Evaluator, Game, Ipp, Knowledge, legal_moves};

    use super::super::Step;
    use super::super::evaluate::{ef_lh, ef_ms, pieces};
    use super::*;

    const PLAIN: Guide = Guide { ipp: None, greedy: None, cut: None, mercy: None, max_plies: 999 };

    /// Guides of all kinds, those that are not greedy first.
    fn guides() -> Vec<Guide> {
        let ipps = [None, Some(Ipp::Program), Some(Ipp::Printed)];
        let stops = [
            PLAIN,
            Guide { cut: Some(6), ..PLAIN },
            Guide { mercy: Some((3, 150_000)), max_plies: 20, ..PLAIN },
            Guide { max_plies: 7, ..PLAIN },
        ];
        let of = |greedy| {
            let with = move |ipp| stops.map(|stop| Guide { ipp, greedy, ..stop });
            ipps.into_iter().flat_map(with)
        };
        [None, Some(0.0), Some(0.3)].into_iter().flat_map(of).collect()
    }

    /// The start, and the positions after some random moves.
    fn positions<B: Word>(width: u32, height: u32) -> [Breakthrough<B>; 3] {
        let start = Breakthrough::<B>::new(width, height).expect("a board");
        let after = |plies: u32| {
            let mut board = start;
            treegraft::playout(&mut board, &mut Rng::new(7), &mut Vec::new(), plies, None);
            assert!(board.outcome().is_none());
            board
        };
        [start, after(9), after(16)]
    }

    fn check_processors<B: Word>(width: u32, height: u32) {
        for start in positions::<B>(width, height) {
            for (seed, guide) in guides().iter().enumerate() {
                let (mut plain, mut best) = (start, start);
                let (mut one, mut two) = (Rng::new(seed as u64), Rng::new(seed as u64));
                let plain_end = guided_on(Portable, &mut plain, guide, ef_ms, &mut one);
                let best_end = guided(&mut best, guide, ef_ms, &mut two);
                assert_eq!((plain_end, plain), (best_end, best), "{guide:?}");
                assert_eq!(one.next_u64(), two.next_u64(), "{guide:?}");
            }
        }
    }

    #[test]
    fn every_processor_plays_the_same() {
        check_processors::<u64>(8, 8);
        check_processors::<u64>(6, 6);
        check_processors::<u128>(18, 6);
    }

    /// A move by the list of legal ones.
    fn slow_move<B: Word>(
        board: &Breakthrough<B>,
        guide: &Guide,
        evaluator: &Evaluator<Breakthrough<B>>,
        rng: &mut Rng,
    ) -> Step {
        let mut moves = legal_moves(board);
        let weight = |mv: Step| {
            guide.ipp.map_or((0, 1), |ipp| {
                let told = board.knowledge().playout_weight(mv, ipp).expect("a weight");
                (told.urgency, told.weight)
            })
        };
        let highest = moves.iter().map(|&mv| weight(mv).0).max();
        moves.retain(|&mv| Some(weight(mv).0) == highest);
        if guide.greedy.is_some_and(|epsilon| rng.unit() >= epsilon) {
            let value = |mv: Step| {
                let mut next = *board;
                next.play(mv);
                let value = || board.mover.sign() as i32 * evaluator.evaluate(&next);
                next.outcome().map_or_else(value, |_| i32::MAX)
            };
            let best = moves.iter().map(|&mv| value(mv)).max();
            moves.retain(|&mv| Some(value(mv)) == best);
            return *rng.draw_from(&moves).expect("a move");
        }
        let repeated = |&mv: &Step| std::iter::repeat_n(mv, weight(mv).1 as usize);
        let tickets: Vec<Step> = moves.iter().flat_map(repeated).collect();
        *rng.draw_from(&tickets).expect("a move")
    }

    fn slow<B: Word>(
        board: &mut Breakthrough<B>,
        guide: &Guide,
        evaluator: &Evaluator<Breakthrough<B>>,
        rng: &mut Rng,
    ) -> GuidedPlayout {
        let (mut plies, mut evaluations) = (0, 0);
        loop {
            let (end, valued) = match board.outcome() {
                Some(outcome) => (Some(GuidedEnd::Over(outcome)), 0),
                None => guide.look(board, plies, |board| evaluator.evaluate(board)),
            };
            evaluations += valued;
            if let Some(end) = end {
                return GuidedPlayout { end, plies, evaluations };
            }
            board.play(slow_move(board, guide, evaluator, rng));
            plies += 1;
        }
    }

    /// A playout in numbers.
    fn facts<B: Word>(board: &Breakthrough<B>, playout: GuidedPlayout) -> [f64; 10] {
        let GuidedPlayout { end, plies, evaluations } = playout;
        let (plies, first) = (f64::from(plies), Side::First);
        let (white, black) = (f64::from(board.white.count()), f64::from(board.black.count()));
        [
            f64::from(u8::from(end == GuidedEnd::Over(Outcome::Win(first)))),
            f64::from(u8::from(end == GuidedEnd::Over(Outcome::Win(first.other())))),
            f64::from(u8::from(end == GuidedEnd::Mercy(first))),
            f64::from(u8::from(end == GuidedEnd::Capped)),
            if let GuidedEnd::Cut(value) = end { f64::from(value) } else { 0.0 },
            plies,
            plies * plies,
            f64::from(evaluations),
            white - black,
            white + black,
        ]
    }

    /// Means agree within five standard errors.
    fn check_distribution<B: Word>(width: u32, height: u32, samples: u32) {
        for (number, start) in positions::<B>(width, height).into_iter().enumerate() {
            for evaluator in
                start.knowledge().evaluators().into_iter().filter(Evaluator::has_playouts)
            {
                let all = guides();
                let usable = if evaluator.has_greedy() { all.len() } else { all.len() / 3 };
                // Every third, others at every position.
                for guide in all[..usable].iter().skip(number).step_by(3) {
                    let sample = |is_fast: bool| {
                        let mut rng = Rng::new(u64::from(is_fast));
                        let (mut sums, mut squares) = ([0.0; 10], [0.0; 10]);
                        for _ in 0..samples {
                            let mut end = start;
                            let playout = match is_fast {
                                true => by(&evaluator, &mut end, guide, &mut rng).expect("one"),
                                false => slow(&mut end, guide, &evaluator, &mut rng),
                            };
                            for (i, fact) in facts(&end, playout).into_iter().enumerate() {
                                sums[i] += fact;
                                squares[i] += fact * fact;
                            }
                        }
                        (sums, squares)
                    };
                    let n = f64::from(samples);
                    let (fast, slow) = (sample(true), sample(false));
                    for i in 0..10 {
                        let mean = [fast.0[i] / n, slow.0[i] / n];
                        let variance =
                            (fast.1[i] + slow.1[i]) / n - mean[0] * mean[0] - mean[1] * mean[1];
                        let error = (variance.max(0.0) / n).sqrt();
                        assert!(
                            (mean[0] - mean[1]).abs() <= 5.0 * error + 1e-9,
                            "{i} {mean:?} {width}x{height} {number} {} {guide:?}",
                            evaluator.name
                        );
                    }
                }
            }
        }
    }

    /// The playout by an evaluation.
    fn by<B: Word>(
        evaluator: &Evaluator<Breakthrough<B>>,
        board: &mut Breakthrough<B>,
        guide: &Guide,
        rng: &mut Rng,
    ) -> Option<GuidedPlayout> {
        match &*evaluator.name {
            "pieces" => unless_greedy(board, guide, pieces, rng),
            "efMS" => Some(guided(board, guide, ef_ms, rng)),
            "efLH" => unless_greedy(board, guide, ef_lh, rng),
            name => panic!("no playouts by {name}"),
        }
    }

    #[test]
    fn playouts_have_the_distribution_of_slow_ones() {
        check_distribution::<u64>(8, 8, 300);
        check_distribution::<u64>(6, 6, 300);
        check_distribution::<u128>(18, 6, 80);
    }

    #[test]
    fn only_ef_ms_makes_greedy_playouts() {
        let start = Breakthrough::<u64>::new(8, 8).expect("a board");
        let evaluators = start.knowledge().evaluators();
        let with_playouts = evaluators.iter().filter(|evaluator| evaluator.has_playouts());
        assert_eq!(with_playouts.clone().count(), 3);
        for evaluator in with_playouts {
            let can_be_greedy = evaluator.name == "efMS";
            assert_eq!(evaluator.has_greedy(), can_be_greedy);
            for guide in guides() {
                let (mut board, mut rng) = (start, Rng::new(1));
                let playout = by(evaluator, &mut board, &guide, &mut rng);
                assert_eq!(playout.is_some(), guide.greedy.is_none() || can_be_greedy);
                if playout.is_none() {
                    assert_eq!((board, rng.next_u64()), (start, Rng::new(1).next_u64()));
                }
            }
        }
    }
}
