//! Searches that are stopped early: budgets, memory, the decided move, horizons.

use super::reference::minimax;
use super::*;
use crate::Limit;

fn after(place: &Place, mv: u8) -> Place {
    let mut next = place.clone();
    next.play(mv);
    next
}

/// Everything that a search says at any time is true.
fn check(search: &Prover<Place>, place: &Place, report: &Report<u8>, label: &str) {
    let value = minimax(place);
    let bounds = search.root_bounds().expect("a search was made");
    assert!(bounds.lo <= value && value <= bounds.hi, "{label}: {value} in {bounds:?}");
    let outcome = Outcome::from_margin(value);
    assert_eq!(report.proof, bounds.outcome(), "{label}");
    assert!(report.proof.is_none_or(|proof| proof == outcome), "{label}");
    assert_eq!(report.margin, bounds.is_exact().then_some(value), "{label}");
    assert!(report.proof.is_none_or(|proof| proof.value() as f64 == report.value), "{label}");
    assert!((-1.0..=1.0).contains(&report.value), "{label}");
    let moves = search.guarantee().expect("a search was made").moves;
    assert_eq!(moves.len(), report.moves.len(), "{label}");
    let mut best: Option<(u8, Bounds)> = None;
    for (&(mv, bounds), about) in moves.iter().zip(&report.moves) {
        assert_eq!(about.mv, mv, "{label}");
        let value = minimax(&after(place, mv));
        assert!(bounds.lo <= value && value <= bounds.hi, "{label} {mv}: {value} in {bounds:?}");
        assert_eq!(about.proof, bounds.outcome(), "{label} {mv}");
        let is_better = best.is_none_or(|(_, best)| match place.to_move() {
            Side::First => (bounds.lo, bounds.hi) > (best.lo, best.hi),
            Side::Second => bounds.hi < best.hi || bounds.hi == best.hi && bounds.lo < best.lo,
        });
        best = if is_better { Some((mv, bounds)) } else { best };
    }
    // The best guarantee, then the best hope, then the leftmost.
    assert_eq!(report.best_move, best.map(|(mv, _)| mv), "{label}");
    assert_eq!(report.pv.first(), report.best_move.as_ref(), "{label}");
    let leaves: u64 = report.moves.iter().map(|about| about.visits).sum();
    assert_eq!(leaves, report.work.evaluations, "{label}");
}

#[test]
fn what_is_known_is_true_whenever_the_search_is_stopped() {
    let mut early = 0;
    for n in 0..1_500 {
        let place = nth(n);
        let method = Method::ALL[n as usize % 7];
        let config = Config { method, scores: Scores::Margin, ..Config::default() };
        let config = Config { bounds: n / 7 % 3 == 0, restart: n / 7 % 2 == 0, ..config };
        let mut search = Prover::new(config, None).unwrap();
        for evaluations in 1.. {
            let budget = Budget { evaluations: Some(evaluations), ..Budget::default() };
            let budget = Budget { memory: Some(64 << 10), ..budget };
            let report = search.search(&place, Request::new(budget, 5));
            let label = format!("{n} {config:?} {evaluations} {:?}", place.tree);
            check(&search, &place, &report, &label);
            if report.stop == Stop::Done {
                assert_eq!(report.margin, Some(minimax(&place)), "{label}");
                break;
            }
            assert_eq!(report.stop, Stop::Spent(Limit::Evaluations), "{label}");
            assert_eq!(report.work.evaluations, evaluations, "{label}");
            early += u32::from(report.proof.is_some());
        }
    }
    // Who wins is often certain before the margin is.
    assert!(early > 300, "{early}");
}

#[test]
fn a_full_tree_ends_the_search() {
    let mut full = 0;
    for n in 0..600 {
        let place = nth(n);
        let method = Method::ALL[n as usize % 7];
        let config = Config { method, scores: Scores::Margin, ..Config::default() };
        let mut search = Prover::new(config, None).unwrap();
        for memory in [1, 200, 1000] {
            let budget = Budget { memory: Some(memory), ..Budget::default() };
            let report = search.search(&place, Request::new(budget, 5));
            let label = format!("{n} {config:?} {memory} {:?}", place.tree);
            check(&search, &place, &report, &label);
            if report.margin.is_none() {
                assert_eq!(report.stop, Stop::Spent(Limit::Memory), "{label}");
                full += 1;
            }
            let root = 1 + place.tree[0].children.len() as u64;
            let room = memory / Arena::<u8>::ROW;
            assert!(report.work.nodes <= room.max(root), "{label}");
            assert!(report.work.memory <= memory.max(root * Arena::<u8>::ROW), "{label}");
        }
    }
    assert!(full > 300, "{full}");
}

#[test]
fn a_decided_move_is_right_and_saves_leaves() {
    let (mut with, mut without, mut undecided_values) = (0, 0, 0);
    for n in 0..20_000 {
        let place = nth(n);
        let method = Method::ALL[n as usize % 7];
        let config = Config { method, bounds: n % 5 == 0, ..Config::default() };
        let (all, _) = expand(config, &place);
        let (some, report) = expand(Config { decide: true, ..config }, &place);
        let best = report.best_move.expect("a move");
        assert_eq!(minimax(&after(&place, best)), minimax(&place), "{n} {:?}", place.tree);
        assert_eq!(report.stop, Stop::Done);
        assert!(all.starts_with(&some), "{n}: {all:?} {some:?}");
        if report.margin.is_none() {
            undecided_values += 1;
        }
        with += some.len();
        without += all.len();
    }
    assert!(with < without && undecided_values > 1_000, "{with} {without} {undecided_values}");
}

/// Depth-limited minimax of the first k moves; at the horizon 0.
fn limited(place: &Place, depth: u32, k: usize) -> i64 {
    if let Some(value) = place.margin() {
        return value;
    }
    if depth == 0 {
        return 0;
    }
    let moves = place.tree[place.at].children.len().min(k) as u8;
    let values = (0..moves).map(|mv| limited(&after(place, mv), depth - 1, k));
    match place.to_move() {
        Side::First => values.max().expect("a move"),
        Side::Second => values.min().expect("a move"),
    }
}

#[test]
fn horizons_and_left_out_moves_prove_nothing() {
    let (mut proofs, mut none) = (0, 0);
    for n in 0..8_000 {
        let place = nth(n);
        let method = Method::ALL[n as usize % 7];
        let depth = 1 + (n / 7 % 4) as u32;
        let k = (n / 28 % 3 == 0).then_some(2);
        let scores = Scores::Margin;
        let config = Config { method, depth: Some(depth), k, scores, ..Config::default() };
        let config = Config { bounds: n / 84 % 2 == 0, deepening: n / 168 % 2 == 0, ..config };
        let mut search = Prover::new(config, None).unwrap();
        let report = search.search(&place, Request::default());
        let label = format!("{n} {config:?} {:?}", place.tree);
        let width = k.map_or(usize::MAX, |k| k as usize);
        // A deepening that proves the value may do so before the last depth; it is the same there.
        let value = limited(&place, depth, width);
        assert_eq!(search.root_bounds(), Some(Bounds::exactly(value)), "{label}");
        assert_eq!(report.stop, Stop::Done, "{label}");
        let best = report.best_move.expect("a move");
        assert_eq!(limited(&after(&place, best), depth - 1, width), value, "{label}");
        let truth = minimax(&place);
        assert!(report.margin.is_none_or(|margin| margin == truth), "{label}");
        assert!(report.proof.is_none_or(|proof| proof == Outcome::from_margin(truth)), "{label}");
        for about in &report.moves {
            let truth = Outcome::from_margin(minimax(&after(&place, about.mv)));
            assert!(about.proof.is_none_or(|proof| proof == truth), "{label}");
        }
        proofs += u32::from(report.proof.is_some());
        none += u32::from(report.proof.is_none());
    }
    assert!(proofs > 1_000 && none > 1_000, "{proofs} {none}");
}

/// An iteration that is not completed does not count, unless it is the first.
#[test]
fn deepening_keeps_the_last_completed_iteration() {
    let mut kept = 0;
    for n in 0..600 {
        let place = nth(n);
        let method = Method::ALL[n as usize % 7];
        let config =
            Config { method, deepening: true, scores: Scores::Margin, ..Config::default() };
        let mut search = Prover::new(config, None).unwrap();
        let mut last = 0;
        for evaluations in 1.. {
            let budget = Budget { evaluations: Some(evaluations), ..Budget::default() };
            let report = search.search(&place, Request::new(budget, 5));
            let bounds = search.root_bounds().expect("a search was made");
            let label = format!("{n} {config:?} {evaluations} {:?}", place.tree);
            let truth = minimax(&place);
            let outcome = Outcome::from_margin(truth);
            assert!(report.proof.is_none_or(|proof| proof == outcome), "{label}");
            assert!(report.margin.is_none_or(|margin| margin == truth), "{label}");
            assert!(report.depth >= last, "{label}");
            last = report.depth;
            if bounds.is_exact() {
                let value = limited(&place, report.depth, usize::MAX);
                assert_eq!(bounds.lo, value, "{label}");
                let best = after(&place, report.best_move.expect("a move"));
                // A proof may be newer than the iteration, and is what the move is to keep.
                match report.proof {
                    None => {
                        assert_eq!(limited(&best, report.depth - 1, usize::MAX), value, "{label}");
                    }
                    Some(_) => assert_eq!(Outcome::from_margin(minimax(&best)), outcome, "{label}"),
                }
                kept += u32::from(report.stop != Stop::Done);
            } else {
                assert_eq!(report.depth, 1, "{label}");
            }
            if report.stop == Stop::Done {
                assert_eq!(report.margin, Some(truth), "{label}");
                break;
            }
        }
    }
    assert!(kept > 500, "{kept}");
}

#[test]
fn the_same_request_gives_the_same_report() {
    let mut search =
        Prover::new(Config { scores: Scores::Margin, ..Config::default() }, None).unwrap();
    for n in 0..50 {
        let place = nth(n);
        let budget = Budget { evaluations: Some(20), ..Budget::default() };
        let [mut a, mut b] = [0; 2].map(|_| search.search(&place, Request::new(budget, 3)));
        (a.work.time, b.work.time) = Default::default();
        assert_eq!(a, b);
        assert_ne!(a.digest, 0);
    }
    // A finished game has no move.
    let mut leaf = nth(0);
    while leaf.margin().is_none() {
        leaf.play(0);
    }
    let report = search.search(&leaf, Request::default());
    assert_eq!((report.best_move, report.margin), (None, leaf.margin()));
    assert_eq!((search.root_bounds(), search.guarantee()), (None, None));
}

/// Where every move loses, the answer is the one that looked best an iteration earlier.
#[test]
fn a_lost_game_is_not_thrown_away() {
    // Both moves lose: the first after two plies, the second after four.
    let node = |mover, children: &[usize]| {
        let (children, range) = (children.to_vec(), (-1, 1));
        Node { mover, children, value: -1, range, told: range }
    };
    let (me, you) = (Side::First, Side::Second);
    let nodes = [(me, vec![1, 3]), (you, vec![2]), (me, vec![])];
    let rest = [(you, vec![4]), (me, vec![5]), (you, vec![6]), (me, vec![])];
    let all = nodes.into_iter().chain(rest);
    let tree: Vec<Node> = all.map(|(mover, children)| node(mover, &children)).collect();
    let place = Place { tree: tree.into(), at: 0 };
    for method in Method::ALL {
        for (deepening, best) in [(false, 0), (true, 1)] {
            let config = Config { method, deepening, ..Config::default() };
            let report = Prover::new(config, None).unwrap().search(&place, Request::default());
            assert_eq!(report.proof, Some(Outcome::Win(you)), "{config:?}");
            if deepening || method != Method::Random {
                assert_eq!(report.best_move, Some(best), "{config:?}");
            }
        }
    }
}
