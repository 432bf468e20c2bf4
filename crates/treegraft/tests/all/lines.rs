//! Several lines: the best moves have exact values and lines, and no other move is better.

use treegraft::bits::mix;
use treegraft::depth_first::{Config, DepthFirst, Scores};
use treegraft::{Budget, EVAL_ONE, Game, MoveReport, Report, Request, Searcher, legal_moves};

use crate::agreement::{DRIVERS, HASHED, RandomGame, memory, minimax, options, rules, sensible};

/// A score as reports have it.
fn shown(value: i64) -> f64 {
    (value as f64 / f64::from(EVAL_ONE)).clamp(-1.0, 1.0)
}

/// The moves with lines are the best ones at the depth of the report, with their exact values.
fn check_lines(start: RandomGame, report: &Report<u8>, wanted: usize, label: &str) {
    let sign = start.to_move().sign() as f64;
    let value_of = |mv: u8| {
        let mut child = start;
        child.play(mv);
        shown(minimax(&child, report.depth - 1, Scores::Outcome, true))
    };
    let found: Vec<&MoveReport<u8>> =
        report.moves.iter().filter(|about| !about.pv.is_empty()).collect();
    let moves = legal_moves(&start);
    if wanted > 1 {
        assert_eq!(found.len(), wanted, "{label}");
    }
    for about in &found {
        assert_eq!(about.value, Some(value_of(about.mv)), "{label}");
        assert_eq!(about.pv[0], about.mv, "{label}");
        let mut position = start;
        for &mv in &about.pv {
            assert!(legal_moves(&position).contains(&mv), "{label}");
            position.play(mv);
        }
    }
    let mut all: Vec<f64> = moves.iter().map(|&mv| sign * value_of(mv)).collect();
    all.sort_by(|a, b| b.total_cmp(a));
    let mut best: Vec<f64> = found.iter().filter_map(|about| Some(sign * about.value?)).collect();
    best.sort_by(|a, b| b.total_cmp(a));
    assert_eq!(best, all[..best.len()], "{label}");
    assert_eq!(sign * report.value, all[0], "{label}");
}

#[test]
fn the_best_moves_of_alpha_beta_have_exact_values() {
    let mut several = 0;
    for seed in 0..3_000u64 {
        let start = RandomGame::new(seed, rules(seed));
        for (depth, lines) in [(1, 2), (2, 3), (3, 2), (4, 9)] {
            let driver = DRIVERS[(seed % 6) as usize];
            let bits = mix(seed ^ mix(u64::from(depth)));
            let config = sensible(Config { driver, depth: Some(depth), ..options(bits) });
            let request = Request { lines, ..Request::new(memory(bits), seed) };
            let report = DepthFirst::new(config, Some(HASHED)).unwrap().search(&start, request);
            let label = format!("{start:?} {config:?} {bits} {lines}: {report:?}");
            let moves = legal_moves(&start).len();
            let wanted = moves.min(lines as usize);
            several += u32::from(wanted > 1 && wanted < moves);
            check_lines(start, &report, wanted, &label);
        }
    }
    assert!(several > 1_000, "{several}");
}

/// A search that is stopped while it looks for its lines has those of the depth before: all of them are
/// compared at one depth.
#[test]
fn lines_are_of_one_depth_whenever_a_search_is_stopped() {
    let mut stopped = 0;
    for seed in 0..1_000u64 {
        let start = RandomGame::new(seed, rules(seed));
        let moves = legal_moves(&start).len();
        let (wanted, config) = (moves.min(3), Config { depth: Some(6), ..Config::default() });
        let search = |nodes: u64| {
            let budget = Budget { nodes: Some(nodes), ..memory(seed) };
            let request = Request { lines: 3, ..Request::new(budget, seed) };
            DepthFirst::new(config, Some(HASHED)).unwrap().search(&start, request)
        };
        for nodes in (1..40).map(|step| 7 * step) {
            let report = search(nodes);
            let has_all =
                report.moves.iter().filter(|about| !about.pv.is_empty()).count() == wanted;
            // Before the first depth has its lines, there are none to compare; proofs count at once.
            let is_proven = report.moves.iter().any(|about| about.proof.is_some());
            if wanted > 1 && report.depth > 1 && !is_proven {
                assert!(has_all, "{start:?} {nodes} nodes: {report:?}");
                check_lines(start, &report, wanted, &format!("{start:?} {nodes}: {report:?}"));
                stopped += 1;
            }
        }
    }
    assert!(stopped > 1_000, "{stopped}");
}

/// Asking for more does not change what is said about the best move.
#[test]
fn the_first_line_is_the_only_one() {
    for seed in 0..1_000u64 {
        let start = RandomGame::new(seed, rules(seed));
        let config =
            sensible(Config { driver: DRIVERS[(seed % 6) as usize], ..options(mix(seed)) });
        let ask = |lines| {
            let request = Request { lines, ..Request::new(memory(seed), seed) };
            DepthFirst::new(config, None).unwrap().search(&start, request)
        };
        let (one, three) = (ask(1), ask(3));
        assert_eq!((one.value, one.proof), (three.value, three.proof), "{start:?} {config:?}");
        assert!(one.moves.iter().all(|about| about.pv.is_empty()));
        // To the end of the game, everything is proven.
        let proven = three.moves.iter().filter(|about| !about.pv.is_empty());
        assert!(proven.clone().all(|about| about.proof.is_some()), "{three:?}");
        let moves = legal_moves(&start).len();
        assert!(moves == 1 || proven.count() == moves.min(3), "{three:?}");
    }
}
