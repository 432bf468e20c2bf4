//! Selective searches against brute-force minimax: what they prove is so, and what they play keeps it.

use treegraft::bits::mix;
use treegraft::depth_first::{Config, DepthFirst, Scores, Selective};
use treegraft::{Budget, Game, Request, Searcher};

use crate::agreement::{
    DRIVERS, HASHED, RandomGame, Rules, WIN, keeps, memory, minimax, options, rules,
};

/// Each option on or off, with margins from next to nothing to everything.
fn selective(bits: u64) -> Selective {
    let is_on = |n: u64| bits >> n & 1 == 1;
    let number = |n: u64, most: u64| is_on(n).then(|| 1 + ((bits >> (20 + n)) % most) as u32);
    Selective {
        lmr: number(0, 300),
        late_pruning: is_on(1),
        futility: number(2, 1000),
        reverse_futility: number(3, 1000),
        razoring: number(4, 1000),
        aspiration: number(5, 1000),
        exchange: is_on(6),
        countermoves: is_on(7),
        malus: is_on(8),
        unknown_reduction: is_on(9),
        replies: is_on(13),
        ending: number(14, 4),
        threats: is_on(10),
        partial: is_on(11),
        reuse: is_on(12),
    }
}

#[test]
fn selective_searches_play_legal_moves_and_prove_nothing_false() {
    let mut proofs = 0;
    for seed in 0..4_000u64 {
        let start = RandomGame::new(seed, Rules { branching: 4, plies: 6, ..rules(seed) });
        let bits = mix(seed);
        let config = Config {
            driver: DRIVERS[(seed % 6) as usize],
            k: [None, Some(1), Some(2)][(seed / 6 % 3) as usize],
            null_move: [None, Some(0), Some(2)][(seed / 18 % 3) as usize],
            multi_cut: seed / 54 % 2 == 0,
            quiescence: seed / 108 % 2 == 0,
            depth: Some(5),
            selective: selective(mix(bits)),
            ..options(bits)
        };
        let request = Request::new(Budget { nodes: Some(2_000_000), ..memory(bits) }, seed);
        let report = DepthFirst::new(config, Some(HASHED)).search(&start, request);
        let mut moves = Vec::new();
        start.moves(&mut moves);
        assert_eq!(report.stop, treegraft::Stop::Done, "{start:?} {config:?} {:?}", report.work);
        assert!(moves.contains(&report.best_move.unwrap()), "{start:?} {config:?}");
        if let Some(outcome) = report.proof {
            let truth = minimax(&start, 99, Scores::Outcome, false);
            assert_eq!(outcome.value() * WIN, truth, "{start:?} {config:?}");
            assert!(keeps(&start, report.best_move, truth), "{start:?} {config:?} {report:?}");
            proofs += 1;
        }
    }
    assert!(proofs > 100, "{proofs}");
}

#[test]
fn searches_that_leave_endings_to_the_game_prove_what_is_true() {
    let mut outcomes = [0; 3];
    for seed in 0..6_000u64 {
        let start = RandomGame::new(seed, Rules { branching: 4, plies: 6, ..rules(seed) });
        let bits = mix(seed);
        let selective = Selective {
            replies: seed % 2 == 0,
            ending: Some(1 + (seed / 12 % 5) as u32),
            lmr: (seed / 60 % 2 == 0).then_some(100),
            aspiration: (seed / 120 % 2 == 0).then_some(30),
            ..Selective::default()
        };
        let driver = DRIVERS[(seed / 2 % 6) as usize];
        let config = Config { driver, depth: None, selective, ..options(bits) };
        let config = Config { k: None, scores: Scores::Outcome, ..config };
        let report =
            DepthFirst::new(config, Some(HASHED)).search(&start, Request::new(memory(bits), seed));
        let truth = minimax(&start, 99, Scores::Outcome, false);
        let proof = report.proof.map(|outcome| outcome.value() * WIN);
        assert_eq!(proof, Some(truth), "{start:?} {config:?}");
        assert!(keeps(&start, report.best_move, truth), "{start:?} {config:?}");
        outcomes[(truth.signum() + 1) as usize] += 1;
    }
    assert!(outcomes.iter().all(|&count| count > 300), "{outcomes:?}");
}
