//! Accuracy: values by brute force and by other programs, players whose accuracy is known.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use treegraft::depth_first::Scores;
use treegraft::{Exactness, Game};
use treegraft_players::{Board, MoveIndex};
use treegraft_studies::Watch;
use treegraft_studies::accuracy::{
    AccuracyError, AccuracyStudy, AccuracySummary, Drawing, DrawingError, MoveValue,
    SolvedPosition, SolvedSet, WrongPosition, accuracy_plot, accuracy_tables, draw_positions,
    measure, move_values,
};

use crate::common::{player, registry, start};

fn drawing(game: &str, positions: usize) -> Drawing {
    Drawing { positions, jobs: 2, ..Drawing::new(start(game)) }
}

fn drawn(drawing: &Drawing) -> SolvedSet {
    draw_positions(registry(), drawing, Watch::default()).unwrap()
}

fn summary(set: &SolvedSet, players: &[&str], seed: u64, jobs: usize) -> AccuracySummary {
    let players = players.iter().map(|text| player(text)).collect();
    let study = AccuracyStudy { start: start(&set.game), set: set.clone(), players, seed, jobs };
    let choices = measure(registry(), &study, Watch::default()).unwrap();
    AccuracySummary::new(&study, &choices)
}

/// The value in the first player's view, by looking at everything.
fn brute_force(board: &Board, scores: Scores, known: &mut HashMap<Board, i64>) -> i64 {
    if let Some(outcome) = board.outcome() {
        return match scores {
            Scores::Outcome => outcome.value(),
            Scores::Margin => board.exactness().margin().unwrap(),
        };
    }
    if let Some(&value) = known.get(board) {
        return value;
    }
    let mut moves = Vec::new();
    board.moves(&mut moves);
    let sign = board.to_move().sign();
    let after = |mv: MoveIndex| {
        let mut next = board.clone();
        next.play(mv);
        sign * brute_force(&next, scores, known)
    };
    let value = sign * moves.into_iter().map(after).max().unwrap();
    known.insert(board.clone(), value);
    value
}

#[test]
fn values_are_those_of_brute_force() {
    for (game, scores) in [
        ("connect4:4x4", Scores::Outcome),
        ("hex:3", Scores::Outcome),
        ("breakthrough:3x5", Scores::Outcome),
        ("othello:4", Scores::Outcome),
        ("othello:4", Scores::Margin),
        ("kalah:3,2", Scores::Margin),
    ] {
        let set = drawn(&Drawing { scores, beyond: 0, ..drawing(game, 30) });
        assert_eq!((set.positions.len(), set.drawn.kept), (30, 30), "{game}");
        let (start, mut known) = (start(game), HashMap::new());
        for (number, position) in set.positions.iter().enumerate() {
            let playthrough = set.playthrough(&start, number).unwrap();
            let board = playthrough.position();
            let sign = board.to_move().sign();
            let values = playthrough.legal_moves().into_iter().map(|mv| {
                let mut next = board.clone();
                next.play(mv);
                sign * brute_force(&next, scores, &mut known)
            });
            let stated: Vec<i64> = position.values.iter().map(|mv| mv.value).collect();
            assert_eq!(stated, values.collect::<Vec<_>>(), "{game}, after {}", position.moves);
            assert_eq!(position.value(), sign * brute_force(board, scores, &mut known));
            assert!(position.is_a_choice());
        }
    }
}

/// Lines of a file of facts, without comments.
fn facts(name: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/testdata").join(name);
    let text = fs::read_to_string(path).unwrap();
    text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
}

/// PascalPons' test sets say who wins.
#[test]
fn values_of_connect4_are_those_of_another_program() {
    let start = start("connect4");
    let end_games = facts("connect4-solved.txt").into_iter().step_by(9);
    let mut seen = [0; 3];
    for line in end_games.take(60) {
        let (moves, score) = line.split_once(' ').unwrap();
        let mut game = start.playthrough();
        game.play_text(moves).unwrap();
        let values = move_values(registry(), &start, &game, Scores::Outcome, 200_000).unwrap();
        let Some(values) = values else { continue };
        let best = values.iter().map(|mv| mv.value).max().unwrap();
        assert_eq!(best, score.parse::<i64>().unwrap().signum(), "{line}");
        seen[(best + 1) as usize] += 1;
    }
    assert!(seen.iter().all(|&count| count > 5), "{seen:?}");
}

/// Kalah: the margin of every move, by another program. Othello: its outcome, since empty squares count
/// for the winner there.
#[test]
fn values_are_those_of_other_programs() {
    for (file, scores, at, count) in [
        ("kalah-endgames.txt", Scores::Margin, 3, 12),
        ("othello-endgames.txt", Scores::Outcome, 4, 15),
    ] {
        let mut found = 0;
        for line in facts(file) {
            let parts: Vec<&str> = line.split('|').map(str::trim).collect();
            if found == count {
                break;
            }
            let start = start(parts[0]);
            let mut game = start.playthrough();
            game.play_text(parts[1]).unwrap();
            let values = move_values(registry(), &start, &game, scores, 100_000).unwrap();
            let Some(mut values) = values else { continue };
            let worth =
                |margin: i64| if scores == Scores::Outcome { margin.signum() } else { margin };
            let mut stated: Vec<MoveValue> = parts[at]
                .split(' ')
                .map(|item| item.split_once(':').unwrap())
                .map(|(mv, value)| (mv.to_owned(), worth(value.parse().unwrap())))
                .map(|(text, value)| MoveValue { text, value })
                .collect();
            for list in [&mut values, &mut stated] {
                list.sort_by(|a, b| a.text.cmp(&b.text));
            }
            assert_eq!(values, stated, "{line}");
            found += 1;
        }
        assert_eq!(found, count, "{file}");
    }
}

#[test]
fn who_plays_perfectly_makes_no_mistake() {
    for (game, perfect) in [("connect4:4x4", "ab(depth=16)"), ("hex:3", "fsss(depth=9)")] {
        let set = drawn(&drawing(game, 40));
        let summary = summary(&set, &[perfect, "random"], 0, 2);
        let [perfect, random] = &summary.players[..] else { panic!() };
        assert_eq!((perfect.all.kept, perfect.all.positions), (40, 40), "{game}");
        assert_eq!((perfect.all.accuracy, perfect.mean_loss), (1.0, 0.0));
        assert!(random.mean_loss > 0.1 && random.all.kept < 35);
        assert_eq!(random.won.kept + random.drawn.kept + random.lost.kept, random.all.kept);
        assert_eq!(random.lost.positions, 0);
        let [pair] = &summary.comparisons[..] else { panic!() };
        assert_eq!((pair.only_a, pair.only_b), (40 - random.all.kept, 0));
        assert!(pair.p < 0.01, "{pair:?}");
    }
    // By margins, lost positions count too.
    let set = drawn(&Drawing { scores: Scores::Margin, ..drawing("kalah:3,2", 40) });
    let summary = summary(&set, &["ab(depth=60,scores=margin)"], 0, 2);
    assert_eq!(summary.players[0].all.kept, 40);
    assert!(summary.players[0].lost.positions > 0);
}

#[test]
fn random_moves_keep_their_share() {
    let set = drawn(&drawing("breakthrough:4x5", 100));
    let share = set.random_share();
    assert!(share > 0.1 && share < 0.9, "{share}");
    let seeds = 30;
    let kept: u32 =
        (0..seeds).map(|seed| summary(&set, &["random"], seed, 2).players[0].all.kept).sum();
    let variance: f64 = set.positions.iter().map(|it| it.share() * (1.0 - it.share())).sum();
    let (mean, sd) = (100.0 * share * seeds as f64, (seeds as f64 * variance).sqrt());
    assert!((f64::from(kept) - mean).abs() < 4.0 * sd, "{kept}, expected {mean} ± {sd}");
}

#[test]
fn the_same_seed_gives_the_same_positions_and_moves() {
    let one = drawn(&Drawing { jobs: 1, ..drawing("connect4:5x4", 25) });
    assert_eq!(one, drawn(&drawing("connect4:5x4", 25)));
    assert_ne!(one, drawn(&Drawing { seed: 1, ..drawing("connect4:5x4", 25) }));
    // A longer set begins with the shorter one.
    let longer = drawn(&drawing("connect4:5x4", 30));
    assert_eq!(one.positions, longer.positions[..25]);
    let players = ["mcts@30it", "ab@60nodes"];
    let work = |summary: AccuracySummary| {
        summary.players.into_iter().map(|it| (it.all, it.mean_loss, it.nodes)).collect::<Vec<_>>()
    };
    assert_eq!(work(summary(&one, &players, 7, 1)), work(summary(&one, &players, 7, 2)));
}

#[test]
fn what_is_left_out_is_counted() {
    let all = Drawing { beyond: 0, ..drawing("connect4:5x4", 50) };
    let set = drawn(&all);
    assert_eq!((set.drawn.kept, set.drawn.short), (50, 0));
    assert!(set.drawn.all_lost > 0 && set.drawn.all() > 60, "{:?}", set.drawn);
    let deep = drawn(&Drawing { beyond: 3, ..all.clone() });
    assert!(deep.drawn.short > 5, "{:?}", deep.drawn);
    let start = start("connect4:5x4");
    for number in 0..deep.positions.len() {
        let game = deep.playthrough(&start, number).unwrap();
        assert!(game.position().forced(game.position().to_move(), 3) < 1);
    }
    // A solver that may not look at anything solves little, and nothing is made up.
    let blind = drawn(&Drawing { limit: 1, draws: 300, ..all.clone() });
    assert!(blind.drawn.unsolved > 100 && blind.drawn.all() == 300, "{:?}", blind.drawn);
    let error = Drawing { scores: Scores::Margin, ..all };
    let error = draw_positions(registry(), &error, Watch::default()).unwrap_err();
    assert_eq!(error, DrawingError::NoMargin { game: "connect4:5x4".to_owned() });
}

#[test]
fn sets_are_texts() {
    let set = drawn(&drawing("kalah:3,2", 10));
    let text = set.to_string();
    let (start, read) = SolvedSet::parse(&text, registry()).unwrap();
    assert_eq!((start.text(), &read), ("kalah:3,2", &set));
    assert_eq!(set.check(registry(), &start, 2, Watch::default()).unwrap(), []);
    // A wrong value is found.
    let mut wrong = set.clone();
    let SolvedPosition { values, .. } = &mut wrong.positions[3];
    values[0].value = -values[0].value + i64::from(values[0].value == 0);
    let found = wrong.check(registry(), &start, 1, Watch::default()).unwrap();
    assert!(matches!(found[..], [WrongPosition::Value { number: 4, .. }]), "{found:?}");
    let limited = SolvedSet { limit: 1, ..set.clone() };
    let found = limited.check(registry(), &start, 1, Watch::default()).unwrap();
    assert!(matches!(found[0], WrongPosition::Unsolved { limit: 1, .. }), "{found:?}");
    // Damage is named with its line.
    let line = |n: usize| text.lines().nth(n - 1).unwrap().to_owned();
    let counts = "unsolved 1, all won 0, all drawn 0, all lost 0, short 0, repeated 0";
    let last = |value: &str| format!("{}:{value}", line(9).rsplit_once(':').unwrap().0);
    for (n, damaged, problem) in [
        (1, "something else".to_owned(), "expected treegraft solved positions 1"),
        (2, "game chess".to_owned(), "there is no such game"),
        (3, "values points".to_owned(), "expected outcome or margin"),
        (4, "seed x".to_owned(), "expected a whole number"),
        (7, "drawn kept 1".to_owned(), "expected counts"),
        // Numbers whose sums and differences would overflow.
        (7, format!("drawn kept {}, {counts}", u64::MAX), "expected counts"),
        (9, last("-9223372036854775808"), "with a value from"),
        (9, last("9223372036854775807"), "with a value from"),
        (9, "nonsense".to_owned(), "MOVES | VALUE | MOVE:VALUE"),
        (9, format!("9 9{}", &line(9)[line(9).find(" |").unwrap()..]), "9"),
        (9, line(9).rsplit_once(' ').unwrap().0.to_owned(), "legal, in this order"),
        (9, line(9).replace("| 1 |", "| 5 |").replace("| 0 |", "| 5 |"), "that of the best move"),
    ] {
        let damaged = text.replacen(&line(n), &damaged, 1);
        let error = SolvedSet::parse(&damaged, registry()).unwrap_err();
        assert_eq!(error.line, n, "{error}");
        assert!(error.to_string().contains(problem), "{error}");
    }
}

#[test]
fn results_are_shown() {
    let set = drawn(&drawing("connect4:5x4", 20));
    let texts = ["mcts@10it", "mcts@100it", "random"];
    let players = texts.iter().map(|text| player(text)).collect();
    let study = AccuracyStudy { start: start(&set.game), set, players, seed: 0, jobs: 1 };
    let choices = measure(registry(), &study, Watch::default()).unwrap();
    let summary = AccuracySummary::new(&study, &choices);
    let tables = accuracy_tables(&summary);
    assert_eq!(tables.iter().map(|it| it.rows.len()).collect::<Vec<_>>(), [3, 3, 8]);
    // Lines over the budget, and levels for those without one.
    let plot = accuracy_plot(&study, &summary);
    assert_eq!((plot.series.len(), plot.series[0].points.len()), (1, 2));
    assert_eq!(plot.references.len(), 2);
    // Part of the choices is a smaller study.
    let part: Vec<_> = choices.iter().map(|choices| choices[..5].to_vec()).collect();
    let part = AccuracySummary::new(&study, &part);
    assert_eq!((part.positions, part.complete, summary.complete), (5, false, true));
}

#[test]
fn who_cannot_play_is_refused() {
    let set = drawn(&drawing("connect4:4x4", 5));
    let players = vec![player("engine:\"./no such program\"@1s")];
    let study = AccuracyStudy { start: start(&set.game), set, players, seed: 0, jobs: 1 };
    let error = measure(registry(), &study, Watch::default()).unwrap_err();
    assert!(matches!(error, AccuracyError::Fault { number: 1, .. }), "{error}");
}
