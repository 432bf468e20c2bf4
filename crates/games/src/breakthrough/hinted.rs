//! Moves by the order hints, without a list of moves: the informed default policy of Baier (2018).

use treegraft::Rng;
use treegraft::bits::Cpu;

use super::{Breakthrough, Step, Word, for_mover};

impl<B: Word> Breakthrough<B> {
    /// The targets of the moves with the highest order hint: wins, else captures of a piece that
    /// threatens to win, else other captures, else the rest; and of these the most advanced.
    #[inline(always)]
    fn hinted_targets<const UP: bool>(&self) -> [B; 3] {
        let all = self.targets::<UP>();
        let [left, straight, right] = all;
        let diagonal = left | right;
        let theirs = if UP { self.black } else { self.white };
        let captures = diagonal & theirs;
        let goal = (diagonal | straight) & self.goal(Self::mover_of::<UP>());
        let saves = captures & self.threats::<UP>();
        // Capturing the last piece wins too, but then there is no other capture.
        let row = if goal != B::NONE {
            goal
        } else if saves != B::NONE {
            saves
        } else if captures != B::NONE {
            captures & self.furthest_row::<UP>(captures)
        } else {
            self.furthest_row::<UP>(diagonal | straight)
        };
        all.map(|targets| targets & row)
    }

    /// The row of the most advanced of some squares, for the side to move.
    #[inline(always)]
    fn furthest_row<const UP: bool>(&self, squares: B) -> B {
        self.row_of(if UP { squares.highest() } else { squares.lowest() })
    }

    #[inline(always)]
    fn hinted_step_on<const UP: bool>(&self, cpu: impl Cpu, rng: &mut Rng) -> Step {
        self.step_among::<UP>(cpu, self.hinted_targets::<UP>(), rng)
    }
}

treegraft::dispatch! {
    pub(super) fn hinted_step<B: Word>(board: &Breakthrough<B>, rng: &mut Rng) -> Step
        = |cpu| for_mover!(board.hinted_step_on(cpu, rng));
}

#[cfg(test)]
pub(super) mod tests {
    use std::collections::HashMap;

    use treegraft::bits::Portable;
    use treegraft::{Game, Knowledge, Notation, Side, Speed};

    use super::*;

    /// The legal moves with the highest hint, in the game's order.
    fn highest_hints<B: Word>(board: &Breakthrough<B>) -> Vec<Step> {
        let mut moves = Vec::new();
        board.moves(&mut moves);
        let highest = moves.iter().map(|&mv| board.knowledge().order_hint(mv)).max();
        moves.retain(|&mv| Some(board.knowledge().order_hint(mv)) == highest);
        moves
    }

    /// The moves that the fast way chooses from, each as often as it counts.
    fn fast_choice<B: Word>(board: &Breakthrough<B>) -> Vec<Step> {
        steps_to(board, for_mover!(board.hinted_targets()))
    }

    /// The moves to targets on the left, straight on and on the right.
    pub(in crate::breakthrough) fn steps_to<B: Word>(
        board: &Breakthrough<B>,
        targets: [B; 3],
    ) -> Vec<Step> {
        let lengths = match board.mover {
            Side::First => board.lengths::<true>(),
            Side::Second => board.lengths::<false>(),
        };
        let mut moves = Vec::new();
        for (targets, length) in targets.into_iter().zip(lengths) {
            for to in (0..B::BITS).filter(|&to| targets & B::ONE << to != B::NONE) {
                let from = if board.mover == Side::First { to - length } else { to + length };
                moves.push(Step { from: from as u8, to: to as u8 });
            }
        }
        moves
    }

    /// Random games with some hinted moves, which lead to captures and races.
    fn check<B: Word>(width: u32, height: u32) -> u32 {
        let start = Breakthrough::<B>::new(width, height).expect("a board");
        let mut positions = 0;
        for seed in 0..150 {
            let (mut rng, mut board) = (Rng::new(seed), start);
            while board.outcome().is_none() {
                let right = highest_hints(&board);
                assert_eq!(fast_choice(&board), right, "{}", board.fen());
                assert!(right.contains(&hinted_step(&board, &mut rng)), "{}", board.fen());
                let hinted = seed % 3 > 0 && rng.below(3) > 0;
                let mv = match hinted {
                    true => hinted_step(&board, &mut rng),
                    false => board.speed().random_move(&mut rng, &mut Vec::new()),
                };
                board.play(mv);
                positions += 1;
            }
        }
        positions
    }

    #[test]
    fn the_fast_way_chooses_from_the_highest_hints() {
        let mut positions = 0;
        for (width, height) in [(2, 4), (3, 7), (6, 6), (7, 7), (8, 8), (16, 4)] {
            positions += check::<u64>(width, height);
        }
        for (width, height) in [(6, 6), (18, 6), (16, 8), (7, 18)] {
            positions += check::<u128>(width, height);
        }
        assert!(positions > 50_000, "{positions}");
    }

    #[test]
    fn all_of_them_are_equally_likely() {
        let start = Breakthrough::<u64>::new(6, 6).expect("a board");
        let mut rng = Rng::new(1);
        let mut telling = 0;
        for seed in 0..40 {
            let mut board = start;
            treegraft::playout(
                &mut board,
                &mut Rng::new(seed),
                &mut Vec::new(),
                seed as u32 % 20,
                None,
            );
            let right = highest_hints(&board);
            if board.outcome().is_some() || right.len() < 2 {
                continue;
            }
            let draws = 2000 * right.len();
            let mut times: HashMap<Step, f64> = HashMap::new();
            for _ in 0..draws {
                *times.entry(for_mover!(board.hinted_step_on(Portable, &mut rng))).or_default() +=
                    1.0;
            }
            // Five standard deviations around 2000.
            let even = |mv: &Step| times.get(mv).is_some_and(|&n| (n - 2000.0).abs() < 224.0);
            assert!(right.iter().all(even), "{} {times:?}", board.fen());
            assert_eq!(times.len(), right.len());
            telling += 1;
        }
        assert!(telling > 20, "{telling}");
    }

    /// The order of Baier (2018), position by position.
    #[test]
    fn hints_are_wins_saves_captures_and_the_rest() {
        let empty = Breakthrough::<u64>::new(6, 6).expect("a board");
        for (fen, best) in [
            // A win, though a piece could be captured that wins next.
            ("6/P5/6/6/3p2/4P1 w", "a5a6 a5b6"),
            ("2p3/6/6/1P4/p5/6 b", "a2a1 a2b1"),
            // The last piece may be anywhere.
            ("6/6/P5/3p2/2P3/6 w", "c2d3"),
            // Captures of a piece one step from home go before others further on.
            ("p5/1P1p2/P5/6/3p2/4P1 w", "b5a6 b5b6 b5c6"),
            ("pp4/3p2/P1P3/6/3p2/4P1 w", "e1d2"),
            ("2p3/3P2/6/4p1/3P2/6 b", "c6d5"),
            // Among captures, the most advanced, two ways.
            ("pp4/3p2/2P1P1/2p3/1P4/6 w", "c4d5 e4d5"),
            // A step straight on that is blocked is no save; then the most advanced.
            ("pp4/6/1P2P1/2P3/3p2/3P2 w", "b4a5 b4b5 b4c5 e4d5 e4e5 e4f5"),
        ] {
            let board = empty.parse_position(fen).expect("a position");
            let mut names: Vec<String> = highest_hints(&board)
                .into_iter()
                .map(|mv| board.notation().move_text(mv))
                .collect();
            names.sort();
            assert_eq!(names.join(" "), best, "{fen}");
        }
    }
}
