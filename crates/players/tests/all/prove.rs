//! Rollouts that prune, on real games: against brute force, and against depth-first search.

use std::collections::HashMap;

use treegraft::depth_first::{self, DepthFirst, Scores};
use treegraft::rollout::prove::{Config, Method, Prover};
use treegraft::{
    Bounds, Budget, Charset, Exactness, Game, Knowledge, Notation, Outcome, Playthrough, Request,
    Rng, Searcher, Side, Speed, Stop,
};
use treegraft_players::Board;

use crate::common::board;

/// The final margin under best play, or the outcome's value in games without, by looking at
/// everything once.
fn solve<G: Game>(position: &G, memo: &mut HashMap<u64, i64>) -> i64 {
    if let Some(outcome) = position.outcome() {
        return position.exactness().margin().unwrap_or(outcome.value());
    }
    if let Some(&value) = memo.get(&position.speed().key()) {
        return value;
    }
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let values = moves.into_iter().map(|mv| {
        let mut next = position.clone();
        next.play(mv);
        solve(&next, memo)
    });
    let value = match position.to_move() {
        Side::First => values.max(),
        Side::Second => values.min(),
    }
    .expect("a move");
    memo.insert(position.speed().key(), value);
    value
}

/// Every method proves the value, with margins and without, with the game's bounds and without.
fn check<G: Game>(position: &G, memo: &mut HashMap<u64, i64>) {
    if position.outcome().is_some() {
        return;
    }
    let value = solve(position, memo);
    let outcome = Outcome::from_margin(value);
    for (i, method) in Method::ALL.into_iter().enumerate() {
        for scores in [Scores::Outcome, Scores::Margin] {
            for bounds in [true, false] {
                let (hints, shuffle) = (i % 2 == 0, i % 3 == 0);
                let config = Config { method, scores, bounds, hints, shuffle, ..Config::default() };
                let mut search = Prover::new(config, None).unwrap();
                let budget = Budget { memory: Some(64 << 20), ..Budget::default() };
                let report = search.search(position, Request::new(budget, 1));
                assert_eq!(report.proof, Some(outcome), "{position:?} {config:?}");
                let mut next = position.clone();
                next.play(report.best_move.expect("a move"));
                let kept = solve(&next, memo);
                let is_margin = scores == Scores::Margin;
                let is_kept =
                    if is_margin { kept == value } else { kept.signum() == value.signum() };
                assert!(is_kept, "{position:?} {config:?}");
                assert!(report.margin.is_none_or(|margin| is_margin && margin == value));
                let decide = Config { decide: true, ..config };
                let decided =
                    Prover::new(decide, None).unwrap().search(position, Request::new(budget, 1));
                assert!(decided.work.evaluations <= report.work.evaluations);
                let mut next = position.clone();
                next.play(decided.best_move.expect("a move"));
                let kept = solve(&next, memo);
                let is_kept =
                    if is_margin { kept == value } else { kept.signum() == value.signum() };
                assert!(is_kept, "{position:?} {decide:?}");
            }
        }
    }
}

/// Positions of random games with `plies` plies to go.
fn endings<G: Game>(start: &G, plies: usize, number: u64) -> Vec<G> {
    let ending = |seed| {
        let mut rng = Rng::new(seed);
        let mut game = Playthrough::new(start.clone());
        while game.position().outcome().is_none() {
            let mv = game.position().speed().random_move(&mut rng, &mut Vec::new());
            game.play(mv);
        }
        for _ in 0..plies {
            game.undo();
        }
        game.position().clone()
    };
    (0..number).map(ending).collect()
}

#[test]
fn small_boards_are_proven() {
    let mut memo = HashMap::new();
    for (houses, stones) in [(1, 3), (2, 1), (2, 2), (3, 1)] {
        for capture_empty in [true, false] {
            memo.clear();
            let text = format!("kalah:{houses},{stones},capture-empty={capture_empty}");
            check(&board(&text), &mut memo);
        }
    }
    for position in endings(&board("kalah:4,3"), 5, 40) {
        check(&position, &mut memo);
    }
    memo.clear();
    for position in endings(&board("othello:6"), 5, 20) {
        check(&position, &mut memo);
    }
    memo.clear();
    // Not those of short games, which are nearly empty.
    for position in endings(&board("connect4:4x4"), 7, 60) {
        let stones = position.notation().diagram(Charset::Ascii).matches(['X', 'O']).count();
        if stones >= 8 {
            check(&position, &mut memo);
        }
    }
}

/// What is known is true at any time, and the search never has to be run twice.
#[test]
fn stopped_searches_say_what_is_true() {
    let mut memo = HashMap::new();
    let (mut proofs, mut open) = (0, 0);
    for position in endings(&board("kalah:4,3"), 7, 60) {
        if position.outcome().is_some() {
            continue;
        }
        let value = solve(&position, &mut memo);
        let scores = Scores::Margin;
        for (n, method) in (0..).zip(Method::ALL) {
            let config = Config { method, scores, bounds: n % 2 == 0, ..Config::default() };
            let mut search = Prover::new(config, None).unwrap();
            for evaluations in [1, 2, 4, 8, 16, 32, 64] {
                let budget = Budget { evaluations: Some(evaluations), ..Budget::default() };
                let report = search.search(&position, Request::new(budget, 1));
                let Bounds { lo, hi } = search.root_bounds().expect("a search was made");
                assert!((lo..=hi).contains(&value), "{position:?} {config:?} {evaluations}");
                let outcome = Outcome::from_margin(value);
                assert!(report.proof.is_none_or(|proof| proof == outcome));
                assert!(report.margin.is_none_or(|margin| margin == value));
                assert!(report.best_move.is_some());
                proofs += u32::from(report.proof.is_some());
                open += u32::from(report.stop != Stop::Done);
            }
        }
    }
    assert!(proofs > 100 && open > 100, "{proofs} {open}");
}

/// How many values were compared with those of alpha-beta.
fn compare_at_depths(start: &Board, deepest: u32) -> u32 {
    let evaluator = || start.knowledge().evaluators().into_iter().next();
    let mut compared = 0;
    for position in random_positions(start, 40) {
        for depth in 1..=deepest {
            let (k, hints) = ([None, Some(3)][compared as usize % 2], compared % 3 != 0);
            let shuffle = compared % 5 == 0;
            let plain = depth_first::Config {
                depth: Some(depth),
                deepening: false,
                k,
                hints,
                shuffle,
                killers: false,
                history: false,
                table: false,
                pvs: false,
                ..depth_first::Config::default()
            };
            let request = || Request::new(Budget::default(), 7);
            let expected =
                DepthFirst::new(plain, evaluator()).unwrap().search(&position, request());
            let method = Method::ALL[compared as usize % 7];
            let bounds = compared % 4 == 0;
            let config = Config {
                method,
                depth: Some(depth),
                k,
                hints,
                shuffle,
                bounds,
                ..Config::default()
            };
            let label = format!("{position:?} {config:?}");
            let mut search = Prover::new(config, evaluator()).unwrap();
            let report = search.search(&position, request());
            assert_eq!(report.value, expected.value, "{label}");
            let bounds = search.root_bounds().expect("a search was made");
            assert!(bounds.is_exact(), "{label}");
            // The same moves in the same order: the leftmost best move.
            if method == Method::AlphaBeta && report.value.abs() < 1.0 {
                assert_eq!(report.best_move, expected.best_move, "{label}");
            }
            let deepening = Config { deepening: true, ..config };
            let report = Prover::new(deepening, evaluator()).unwrap().search(&position, request());
            // Won and lost games need no deeper look, though nothing is proven if moves are
            // left out.
            if report.proof.is_none() && report.value.abs() < 1.0 {
                assert_eq!(report.value, expected.value, "{label}");
                assert_eq!(report.depth, depth, "{label}");
            }
            compared += 1;
        }
    }
    compared
}

/// Unfinished positions of random games.
fn random_positions<G: Game>(start: &G, number: u64) -> Vec<G> {
    let walk = |seed| {
        let mut rng = Rng::new(seed);
        let mut position = start.clone();
        for _ in 0..rng.below(20) {
            let mut next = position.clone();
            let mv = next.speed().random_move(&mut rng, &mut Vec::new());
            next.play(mv);
            if next.outcome().is_some() {
                break;
            }
            position = next;
        }
        position
    };
    (0..number).map(walk).collect()
}

#[test]
fn depth_limited_values_are_those_of_alpha_beta() {
    for (game, depth) in [
        ("connect4", 6),
        ("breakthrough:6x6", 4),
        ("othello", 4),
        ("lion", 3),
        ("kalah", 6),
        ("hex:5", 3),
        ("loa", 3),
    ] {
        let compared = compare_at_depths(&board(game), depth);
        assert!(compared >= 100, "{compared}");
    }
}

fn search_under_pressure(start: &Board) {
    let evaluator = || start.knowledge().evaluators().into_iter().next();
    let mut moves = Vec::new();
    start.moves(&mut moves);
    for (i, method) in Method::ALL.into_iter().enumerate() {
        for deepening in [true, false] {
            let config = Config { method, deepening, bounds: i % 2 == 0, ..Config::default() };
            for budget in
                ["1evals", "1nodes", "1it,1MiB", "1us", "100evals", "5ms", "1KiB,500evals"]
            {
                let budget: Budget = budget.parse().expect("a budget");
                let mut search = Prover::new(config, evaluator()).unwrap();
                let report = search.search(start, Request::new(budget, 1));
                let label = format!("{start:?} {config:?} {budget}");
                assert!(report.best_move.is_some_and(|mv| moves.contains(&mv)), "{label}");
                assert_eq!(report.moves.len(), moves.len(), "{label}");
                let most = budget.evaluations.unwrap_or(u64::MAX);
                assert!(report.work.evaluations <= most, "{label}");
            }
        }
    }
}

/// A move is owed however small the budget, in games that may go on for ever as well.
#[test]
fn every_budget_gives_a_move() {
    for game in ["connect4", "breakthrough:6x6", "othello", "lion", "kalah", "hex:7", "loa"] {
        search_under_pressure(&board(game));
    }
}
