//! Depth-first search on real games against brute force.

use std::collections::HashMap;

use treegraft::depth_first::{
    Config, DepthFirst, Driver, Scores, WinLoss, WinLossQuestion, solver_config,
};
use treegraft::{
    Budget, EVAL_ONE, Exactness, Game, Knowledge, Outcome, Request, Rng, Searcher, Side, Speed,
};
use treegraft_games::{Breakthrough, Connect4};

/// The game's value in the first player's view, by looking at everything once.
fn solve(position: &Connect4, memo: &mut HashMap<u64, i64>) -> i64 {
    if let Some(outcome) = position.outcome() {
        return outcome.value();
    }
    if let Some(&value) = memo.get(&position.speed().key()) {
        return value;
    }
    let values: Vec<i64> = children(position).iter().map(|child| solve(child, memo)).collect();
    let value = best(position.to_move(), values);
    memo.insert(position.speed().key(), value);
    value
}

fn best(side: Side, values: Vec<i64>) -> i64 {
    side.sign() * values.into_iter().map(|value| side.sign() * value).max().expect("a move")
}

fn children(position: &Connect4) -> Vec<Connect4> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let play = |&mv: &u8| {
        let mut child = *position;
        child.play(mv);
        child
    };
    moves.iter().map(play).collect()
}

/// Unfinished positions of random games, those left out that take long without any pruning.
fn random_positions(start: Connect4, games: u64) -> Vec<Connect4> {
    let mut positions = Vec::new();
    for seed in 0..games {
        let mut rng = Rng::new(seed);
        let mut position = start;
        let mut buffer = Vec::new();
        while position.outcome().is_none() {
            let cells = position.width() as usize * position.height() as usize;
            if cells < 17 || cells < 15 + stones(&position) || cells > 40 {
                positions.push(position);
            }
            let mv = position.speed().random_move(&mut rng, &mut buffer);
            position.play(mv);
        }
    }
    positions
}

fn board(width: u32, height: u32) -> Connect4 {
    Connect4::new(width, height).expect("it fits")
}

#[test]
fn connect4_is_right_at_a_glance() {
    let (mut foregone, mut left_out) = (0, 0);
    for (width, height, games) in [(4, 4, 400), (5, 4, 300), (4, 5, 300), (5, 5, 60)] {
        let mut memo = HashMap::new();
        for position in random_positions(board(width, height), games) {
            let value = solve(&position, &mut memo);
            if let Some(outcome) = position.exactness().foregone() {
                assert_eq!(outcome.value(), value, "{position:?}");
                foregone += 1;
                continue;
            }
            let mut moves = Vec::new();
            position.exactness().candidate_moves(&mut moves);
            let (mut all, mut values) = (Vec::new(), Vec::new());
            position.moves(&mut all);
            for &mv in &moves {
                assert!(all.contains(&mv), "{position:?}: {mv} is illegal");
                let mut child = position;
                child.play(mv);
                values.push(solve(&child, &mut memo));
            }
            assert_eq!(best(position.to_move(), values), value, "{position:?}: {moves:?}");
            left_out += all.len() - moves.len();
        }
    }
    assert!(foregone > 1_000 && left_out > 1_000, "{foregone} {left_out}");
}

fn stones(position: &Connect4) -> usize {
    let cells = (0..position.width()).flat_map(|c| (0..position.height()).map(move |r| (c, r)));
    cells.filter(|&(column, row)| position.at(column, row).is_some()).count()
}

#[test]
fn every_driver_solves_small_connect4() {
    let drivers = [Driver::AlphaBeta, Driver::MtdF, Driver::MtdPlus, Driver::SssStar];
    for (width, height, games) in [(4, 4, 20), (5, 4, 12)] {
        let mut memo = HashMap::new();
        for (i, position) in random_positions(board(width, height), games).iter().enumerate() {
            let value = solve(position, &mut memo);
            let driver = drivers[i % 4];
            for config in [
                solver_config(position),
                Config { driver, glance: i % 3 == 0, ..Config::default() },
                Config {
                    driver,
                    etc: true,
                    scores: Scores::Margin,
                    glance: false,
                    ..solver_config(position)
                },
            ] {
                // Without a budget to stop at: the search ends because it is sure.
                let report =
                    DepthFirst::new(config, None).unwrap().search(position, Request::default());
                let proof = Some(Outcome::from_margin(value));
                assert_eq!(report.proof, proof, "{position:?} {config:?}");
                let mut end = *position;
                for &mv in &report.pv {
                    assert!(end.outcome().is_none(), "{position:?} {config:?}");
                    end.play(mv);
                    assert_eq!(solve(&end, &mut memo), value, "{position:?} {config:?}");
                }
                assert_eq!(end.outcome(), proof, "{position:?} {config:?}");
                for about in report.moves.iter().filter(|about| about.proof.is_some()) {
                    let mut child = *position;
                    child.play(about.mv);
                    let proof = Outcome::from_margin(solve(&child, &mut memo));
                    assert_eq!(about.proof, Some(proof), "{position:?} {config:?}");
                }
            }
        }
    }
}

/// Win, loss or unknown within some plies, by looking at everything.
fn win_loss(position: &Connect4, depth: u32) -> i64 {
    match position.outcome() {
        Some(outcome) => outcome.value(),
        None if depth == 0 => 0,
        None => {
            let values =
                children(position).iter().map(|child| win_loss(child, depth - 1)).collect();
            best(position.to_move(), values)
        }
    }
}

#[test]
fn win_loss_searches_agree_with_brute_force() {
    let mut search = WinLoss::default();
    let (mut wins, mut losses) = (0, 0);
    for position in random_positions(board(5, 4), 60) {
        for depth in 0..=4 {
            for me in [Side::First, Side::Second] {
                let value = me.sign() * win_loss(&position, depth);
                assert_eq!(search.value(&position, depth, me, WinLossQuestion::Value), value);
                let before = search.nodes;
                let is_lost = search.value(&position, depth, me, WinLossQuestion::IsLost);
                assert_eq!(is_lost == -1, value == -1, "{position:?} {depth} {me:?}");
                assert!(search.nodes > before);
                wins += u32::from(value == 1);
                losses += u32::from(value == -1);
            }
        }
    }
    assert!(wins > 100 && wins == losses, "{wins} {losses}");
}

#[test]
fn the_evaluation_sees_open_lines() {
    let start = board(7, 6);
    let evaluator = &start.knowledge().evaluators()[0];
    assert_eq!(evaluator.evaluate(&start), 0);
    for position in random_positions(start, 100) {
        assert_eq!(evaluator.evaluate(&position), slow_lines(&position), "{position:?}");
    }
}

/// The same evaluation, a cell at a time.
fn slow_lines(position: &Connect4) -> i32 {
    let mut lead = 0;
    for column in 0..7i32 {
        for row in 0..6i32 {
            for (right, up) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let cells: Vec<(i32, i32)> =
                    (0..4).map(|i| (column + i * right, row + i * up)).collect();
                if cells.iter().any(|&(c, r)| !(0..7).contains(&c) || !(0..6).contains(&r)) {
                    continue;
                }
                let count = |side| {
                    let at = |&&(c, r): &&(i32, i32)| position.at(c as u32, r as u32) == Some(side);
                    cells.iter().filter(at).count()
                };
                let (first, second) = (count(Side::First), count(Side::Second));
                match (first, second) {
                    (1..=3, 0) => lead += 4i32.pow(first as u32 - 1),
                    (0, 1..=3) => lead -= 4i32.pow(second as u32 - 1),
                    _ => {}
                }
            }
        }
    }
    treegraft::EVAL_ONE / (lead.abs() + 40) * lead
}

/// Alpha-beta on the first k moves by the hints, as it is written in books; counts its nodes.
fn k_best_by_hand(
    position: &Breakthrough<u64>,
    (k, depth): (usize, u32),
    (mut alpha, beta): (f64, f64),
    nodes: &mut u64,
) -> f64 {
    *nodes += 1;
    let sign = position.to_move().sign() as f64;
    if let Some(outcome) = position.outcome() {
        return sign * outcome.value() as f64 * 1.1;
    }
    if depth == 0 {
        let pieces = position.knowledge().evaluators()[0].evaluate(position);
        return sign * f64::from(pieces) / f64::from(EVAL_ONE);
    }
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves.sort_by_key(|&mv| std::cmp::Reverse(position.knowledge().order_hint(mv)));
    for &mv in moves.iter().take(k) {
        let mut child = *position;
        child.play(mv);
        let value = -k_best_by_hand(&child, (k, depth - 1), (-beta, -alpha), nodes);
        alpha = alpha.max(value);
        if alpha >= beta {
            break;
        }
    }
    alpha
}

/// The baseline of Baier 2018, value for value, and node for node: one for every visit, also in
/// later iterations.
#[test]
fn k_best_is_what_one_would_write_by_hand() {
    let start = Breakthrough::<u64>::new(6, 6).expect("a board");
    let pieces = start.knowledge().evaluators().into_iter().next();
    assert_eq!(pieces.as_ref().map(|it| &*it.name), Some("pieces"));
    let mut undecided = 0;
    for seed in 0..60 {
        let mut position = start;
        treegraft::playout(
            &mut position,
            &mut Rng::new(seed),
            &mut Vec::new(),
            seed as u32 % 30,
            None,
        );
        if position.outcome().is_some() {
            continue;
        }
        for (k, depth) in [(10, 4), (3, 6), (1, 5)] {
            let config = Config {
                k: Some(k),
                depth: Some(depth),
                killers: false,
                history: false,
                table: false,
                pvs: false,
                ..Config::default()
            };
            let mut search = DepthFirst::new(config, pieces.clone()).unwrap();
            let report = search.search(&position, Request::new(Budget::nodes(1_000_000), 0));
            let mut nodes = 0;
            let mut value = 0.0;
            for depth in 1..=report.depth {
                let window = (-1.1, 1.1);
                value = k_best_by_hand(&position, (k as usize, depth), window, &mut nodes);
            }
            let value = position.to_move().sign() as f64 * value;
            assert!((report.value - value.clamp(-1.0, 1.0)).abs() < 1e-9, "{position:?} {k}");
            if value.abs() < 1.0 {
                assert_eq!((report.work.nodes, report.depth), (nodes, depth), "{position:?} {k}");
                undecided += 1;
            }
        }
    }
    assert!(undecided > 100, "{undecided}");
}
