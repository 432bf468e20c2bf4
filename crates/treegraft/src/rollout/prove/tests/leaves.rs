//! Which leaves are expanded, and in which order.

use std::collections::HashSet;

use super::reference::{Floats, alpha_beta, minimax, mtd};
use super::*;

fn config(method: Method) -> Config {
    Config { method, ..Config::default() }
}

/// The tree of figure 3.1 in Weinstein et al. (own numbers).
#[test]
fn the_worked_example_has_the_known_leaves() {
    let place = complete(&[4, 1, 5, 0, 0, 0, 8, 8, 9, 7, 2, 1, 7, 4, 2, 2], 2);
    let numbers: Vec<usize> =
        (0..place.tree.len()).filter(|&at| place.tree[at].children.is_empty()).collect();
    for restart in [true, false] {
        for (method, expected) in [
            (Method::AlphaBeta, None),
            (Method::AlphaBeta2, None),
            (Method::Mtd, Some(vec![0, 2, 8, 10, 9, 12, 13, 14, 3, 1])),
            (Method::Fsss, Some(vec![0, 2, 8, 9, 12, 13, 14, 3])),
        ] {
            let config = Config { method, restart, ..Config::default() };
            let (seen, report) = expand(config, &place);
            let number = |at: &usize| numbers.binary_search(at).expect("a leaf");
            let seen: Vec<usize> = seen.iter().map(number).collect();
            assert_eq!(report.margin, Some(4), "{method:?}");
            assert_eq!(report.best_move, Some(1), "{method:?}");
            assert_eq!(report.stop, Stop::Done);
            assert_eq!(report.work.evaluations, seen.len() as u64);
            match expected {
                Some(expected) => assert_eq!(seen, expected, "{method:?}"),
                None => assert_eq!(seen.len(), 14, "{method:?}"),
            }
        }
    }
}

/// The number of trees in the tests of one kind.
const TREES: u64 = 20_000;

/// What every exact search owes: the right value, a move that has it and a line that leads there,
/// and no leaf twice.
fn check(place: &Place, config: Config) -> Vec<usize> {
    let (seen, report) = expand(config, place);
    let value = minimax(place);
    let label = || format!("{config:?} {:?}", place.tree);
    let once: HashSet<usize> = seen.iter().copied().collect();
    assert_eq!(once.len(), seen.len(), "{}", label());
    assert_eq!(report.stop, Stop::Done, "{}", label());
    assert_eq!(report.margin, Some(value), "{}", label());
    assert_eq!(report.proof, Some(Outcome::from_margin(value)), "{}", label());
    assert_eq!(report.pv.first(), report.best_move.as_ref(), "{}", label());
    let mut at = place.clone();
    for &mv in &report.pv {
        at.play(mv);
        assert_eq!(minimax(&at), value, "{}", label());
    }
    // With one bound per visit, or bounds from the game, a value may be known without a whole line.
    if config.method != Method::Mtd && !config.bounds {
        assert_eq!(at.margin(), Some(value), "{}", label());
    }
    for about in &report.moves {
        let mut child = place.clone();
        child.play(about.mv);
        let proof = Outcome::from_margin(minimax(&child));
        assert!(about.proof.is_none_or(|told| told == proof), "{}", label());
        assert!(about.value.is_none_or(|told| told == proof.value() as f64), "{}", label());
    }
    seen
}

#[test]
fn rollout_alpha_beta_sees_the_leaves_of_alpha_beta_in_its_order() {
    for n in 0..TREES {
        let place = nth(n);
        let (value, plain) = alpha_beta(&place);
        assert_eq!(value, minimax(&place));
        assert_eq!(check(&place, config(Method::AlphaBeta)), plain, "{n}");
        assert_eq!(check(&place, config(Method::AlphaBeta2)), plain, "{n}");
        let (seen, report) = expand(Config { restart: false, ..config(Method::AlphaBeta) }, &place);
        assert_eq!((&seen, report.margin), (&plain, Some(value)), "{n}");
    }
}

#[test]
fn rollouts_to_the_most_promising_child_are_mt_sss() {
    for n in 0..TREES {
        let place = nth(n);
        let recursive = check(&place, config(Method::MtSss));
        assert_eq!(check(&place, config(Method::Sss)), recursive, "{n}");
        let (seen, _) = expand(Config { restart: false, ..config(Method::Sss) }, &place);
        assert_eq!(seen, recursive, "{n}");
        let mut rollouts = Floats::new(&place);
        assert_eq!(rollouts.sss(&place), minimax(&place));
        assert_eq!(recursive, rollouts.seen, "{n}");
    }
}

#[test]
fn mtd_sees_the_leaves_of_plain_mtd() {
    let mut differ = 0;
    for n in 0..TREES {
        let place = nth(n);
        let (value, plain) = mtd(&place);
        assert_eq!(value, minimax(&place));
        assert_eq!(check(&place, config(Method::Mtd)), plain, "{n}");
        let (both, _) = expand(config(Method::MtSss), &place);
        differ += u32::from(both != plain);
    }
    // One bound is not as good as two.
    assert!(differ > 300, "{differ}");
}

#[test]
fn fsss_is_as_printed_and_sees_no_leaf_that_alpha_beta_leaves_out() {
    let (mut fewer, mut differ) = (0, 0);
    for n in 0..2 * TREES {
        let place = nth(n);
        let seen = check(&place, config(Method::Fsss));
        let (_, plain) = alpha_beta(&place);
        assert!(seen.iter().all(|leaf| plain.contains(leaf)), "{n}: {seen:?}, not {plain:?}");
        let mut printed = Floats::new(&place);
        assert_eq!(printed.fsss(&place), minimax(&place));
        assert_eq!(seen, printed.seen, "{n}");
        let (again, report) = expand(Config { restart: false, ..config(Method::Fsss) }, &place);
        assert_eq!(again, seen, "{n}");
        assert_eq!(report.margin, Some(minimax(&place)), "{n}");
        // One leaf per rollout: none enters a closed node.
        assert_eq!(report.work.iterations, seen.len() as u64, "{n}");
        fewer += u32::from(seen.len() < plain.len());
        let (sss, _) = expand(config(Method::Sss), &place);
        differ += u32::from(sss != seen);
    }
    assert!(fewer > 2_000 && differ > 2_000, "{fewer} {differ}");
}

#[test]
fn random_rollouts_find_the_value() {
    for n in 0..TREES / 4 {
        let place = nth(n);
        check(&place, config(Method::Random));
    }
    let place = nth(TREES + 8);
    let search = |seed| {
        let mut seen = Vec::new();
        let request = Request::new(Budget::default(), seed);
        let config = Config { scores: Scores::Margin, ..config(Method::Random) };
        Prover::new(config, None)
            .unwrap()
            .search_watched(&place, request, &mut |at| seen.push(at.at));
        seen
    };
    assert_eq!(search(1), search(1));
    assert!((2..20).any(|seed| search(seed) != search(1)));
}

#[test]
fn bounds_of_the_game_save_leaves_and_keep_the_value() {
    let (mut with, mut without) = (0, 0);
    for n in 0..TREES / 2 {
        let place = nth(n);
        let (_, plain) = alpha_beta(&place);
        for method in Method::ALL {
            for restart in [true, false] {
                let config = Config { bounds: true, restart, ..config(method) };
                let seen = check(&place, config);
                if method == Method::Fsss {
                    let dominates = seen.iter().all(|leaf| plain.contains(leaf));
                    assert!(dominates, "{n}: {seen:?}, not {plain:?}");
                    with += seen.len();
                    without += expand(Config { bounds: false, ..config }, &place).0.len();
                }
            }
        }
    }
    assert!(with * 10 < without * 9, "{with} {without}");
}
