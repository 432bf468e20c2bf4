//! Matches from outside: repeatable, fair, cancellable, and the stronger player wins.

use std::sync::atomic::{AtomicBool, Ordering};

use treegraft::{Game, Notation, Report, Request, Searcher, Side};
use treegraft_engine::{SearchSeat, Seat};
use treegraft_games::Connect4;
use treegraft_lab::{
    GameEnd, GameError, Match, MatchError, MatchResult, PerMove, Progress, Terms, Watch, play_game,
    play_pair, run_match,
};
use treegraft_players::{Random, bridge};
use treegraft_stats::Evidence;

use crate::common::{player, registry, start};

fn setup(game: &str, a: &str, b: &str, games: u32) -> Match {
    Match { games, seed: 7, ..Match::new(start(game), player(a), player(b)) }
}

fn play(setup: &Match) -> MatchResult {
    run_match(registry(), setup, Watch::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// The result without what no two runs have in common.
fn without_times(result: MatchResult) -> MatchResult {
    MatchResult {
        seconds: 0.0,
        a_spent: PerMove { seconds: 0.0, ..result.a_spent },
        b_spent: PerMove { seconds: 0.0, ..result.b_spent },
        ..result
    }
}

#[test]
fn the_same_match_at_any_number_of_jobs() {
    for (game, a, b, opening_plies) in [
        ("connect4", "mcts-solver@60it,1MiB", "uct(reuse)@80it,1MiB", 0),
        ("connect4:5x4", "mcts-sb@30it,1MiB", "random", 3),
        ("connect4", "ab@500nodes,1MiB", "alpha-beta(depth=2)", 2),
        ("connect4", "mtd(f)@500nodes,1MiB", "mcts@50it,1MiB", 4),
        ("tree:branching=3,height=8", "mcts(final=value)@20it,1MiB", "random", 1),
    ] {
        let at =
            |jobs| without_times(play(&Match { jobs, opening_plies, ..setup(game, a, b, 25) }));
        let one = at(1);
        assert_eq!(one.games, 25);
        assert!(one.repeatable && one.complete);
        assert_eq!(at(2), one);
        assert_eq!(at(8), one);
        let other = Match { seed: 8, opening_plies, ..setup(game, a, b, 25) };
        assert_ne!(without_times(play(&other)).digest, one.digest);
    }
}

#[test]
fn the_stronger_player_wins() {
    let result = play(&setup("connect4", "mcts-solver@200it,4MiB", "random", 40));
    assert!(result.score >= 0.9, "{result:?}");
    assert!(result.ci95.low > 0.75 && result.los > 0.999, "{result:?}");
    assert!((result.a_spent.iterations - 200.0).abs() < 100.0, "{result:?}");
    assert_eq!(result.b_spent.iterations, 0.0);
    let other_way = play(&setup("connect4", "random", "mcts-solver@200it,4MiB", 40));
    assert!(other_way.score <= 0.1, "{other_way:?}");
}

#[test]
fn the_numbers_add_up() {
    let result = play(&Match { jobs: 2, ..setup("connect4:4x4", "random", "random", 51) });
    assert_eq!(result.wins + result.draws + result.losses, 51);
    assert_eq!(result.pairs.pairs(), 25);
    assert_eq!(result.as_first.games(), 26);
    assert_eq!(result.as_second.games(), 25);
    assert_eq!(result.as_first.wins + result.as_second.wins, result.wins);
    assert_eq!(result.score, (f64::from(result.wins) + f64::from(result.draws) / 2.0) / 51.0);
    let moves = result.a_spent.moves + result.b_spent.moves;
    assert!((result.plies * 51.0 - moves as f64).abs() < 1e-6, "{result:?}");
    assert!(result.distinct_games > 40);
    let json = serde_json::to_value(&result).unwrap();
    for key in ["games", "wins", "draws", "losses", "score", "ci95", "elo"] {
        assert!(json.get(key).is_some(), "{key}");
    }
    assert_eq!(json["a"], "random");
    assert_eq!(json["ci95"].as_array().map(Vec::len), Some(2));
}

/// Players without randomness play the same two games again and again: twenty of them prove no more
/// than two.
#[test]
fn repeated_games_prove_nothing() {
    let (a, b) = ("ab(depth=3)", "ab(depth=1)");
    let result = play(&setup("connect4", a, b, 20));
    assert_eq!((result.games, result.distinct_games, result.worth), (20, 2, 2.0));
    let two = play(&setup("connect4", a, b, 2));
    assert_eq!((result.score, result.ci95), (two.score, two.ci95));
    assert_eq!((result.elo_ci95, result.los, result.p), (two.elo_ci95, two.los, two.p));
    assert!(result.p > 0.3 && result.ci95.high - result.ci95.low > 0.5, "{result:?}");
    // A game more is one that was played before.
    let odd = play(&setup("connect4", a, b, 21));
    assert!(odd.distinct_games == 2 && odd.worth <= 2.0, "{odd:?}");
    // With openings the games are different, and worth as many as there are.
    let open = play(&Match { opening_plies: 6, ..setup("connect4", a, b, 20) });
    assert!(open.worth > 15.0, "{open:?}");
    // A progress bar does not promise more either.
    let mut widest: f64 = 0.0;
    let mut progress = |now: &Progress| widest = now.ci95.high - now.ci95.low;
    let watch = Watch { progress: Some(&mut progress), ..Watch::default() };
    run_match(registry(), &setup("connect4", a, b, 20), watch).expect("a match");
    assert!(widest > 0.5, "{widest}");
}

/// The first player always wins this tree, whatever is played.
#[test]
fn sides_are_swapped() {
    let result = play(&setup("tree:((1 1) (1 1))", "random", "random", 10));
    assert_eq!((result.as_first.wins, result.as_second.losses), (5, 5), "{result:?}");
    assert_eq!((result.wins, result.losses, result.score), (5, 5, 0.5));
    assert!(result.distinct_games <= 4);
    // Games that offset each other say more than as many independent ones.
    assert_eq!(result.pairs.counts, [0, 0, 5, 0, 0]);
    let interval = Evidence::from(result.pairs).wilson95();
    assert!(interval.high - interval.low < 0.4, "{interval:?}");

    // Only Max chooses: the solver always wins as Max, and gets what chance gives it as Min.
    let result = play(&setup("tree:((1) (-1))", "ab@100nodes", "random", 40));
    assert_eq!((result.as_first.wins, result.as_first.losses), (20, 0), "{result:?}");
    assert!(result.as_second.wins > 0 && result.as_second.losses > 0, "{result:?}");
}

#[test]
fn a_pair_has_one_opening() {
    let setup = Match { opening_plies: 6, ..setup("connect4", "random", "random", 10) };
    let pairing = setup.pairing();
    let moves = |number: u64| {
        let rows = play_pair(registry(), &pairing.pair(number / 2), None).unwrap();
        let row = &rows[(number % 2) as usize];
        assert_eq!(row.opening_plies, 6);
        row.moves.split(' ').map(str::to_owned).collect::<Vec<String>>()
    };
    let opening = |number| moves(number)[..6].to_vec();
    assert_eq!(opening(0), opening(1));
    assert_eq!(opening(8), opening(9));
    assert_ne!(opening(0), opening(2));
    assert_ne!(moves(0), moves(1));
}

#[test]
fn an_opening_that_leaves_no_game_is_an_error() {
    let too_long = Match { opening_plies: 3, ..setup("tree:((1 2) (3 4))", "random", "random", 4) };
    let error = run_match(registry(), &too_long, Watch::default()).unwrap_err().to_string();
    assert!(error.contains("openings of 3 plies"), "{error}");
}

#[test]
fn progress_is_told_after_every_game() {
    let mut seen = Vec::new();
    let mut progress = |progress: &Progress| {
        assert_eq!(progress.games, 9);
        seen.push(progress.tally.games());
    };
    let watch = Watch { progress: Some(&mut progress), cancel: None };
    run_match(registry(), &Match { jobs: 3, ..setup("connect4", "random", "random", 9) }, watch)
        .unwrap();
    assert_eq!(seen, (1..=9).collect::<Vec<u32>>());
}

#[test]
fn a_cancelled_match_keeps_the_games_that_are_over() {
    let cancel = AtomicBool::new(false);
    let mut told = 0;
    let mut progress = |progress: &Progress| {
        told = progress.tally.games();
        if told == 5 {
            cancel.store(true, Ordering::Relaxed);
        }
    };
    let watch = Watch { progress: Some(&mut progress), cancel: Some(&cancel) };
    let result =
        run_match(registry(), &setup("connect4", "random", "random", 1000), watch).unwrap();
    // Games that were over by then count, and there are few of them: threads wait to be heard.
    assert_eq!(result.games, told);
    assert!((5..50).contains(&result.games), "{}", result.games);
    assert!(!result.complete);
    // Nothing is over when the flag is set from the start, and long searches end soon.
    let long = setup("connect4", "mcts@1h,1MiB", "mcts@1h,1MiB", 2);
    let watch = Watch { progress: None, cancel: Some(&cancel) };
    assert_eq!(run_match(registry(), &long, watch), Err(MatchError::Cancelled));
}

#[test]
fn what_cannot_be_played_is_refused_before_the_first_game() {
    let nobody = |game: &str, a: &str| {
        run_match(registry(), &setup(game, a, "random", 2), Watch::default())
            .unwrap_err()
            .to_string()
    };
    let error = nobody("tree:((1 2) (3 4))", "ab(eval=pieces)");
    assert!(error.contains("eval is \"pieces\", which tree does not have"), "{error}");
    assert!(error.starts_with("player \"ab(eval=pieces)"), "{error}");
    let none = run_match(registry(), &setup("connect4", "random", "random", 0), Watch::default());
    assert_eq!(none, Err(MatchError::NoGames));
}

#[test]
fn a_player_without_a_budget_gets_a_second() {
    let result = play(&setup("tree:(1 2)", "mcts", "random", 1));
    assert_eq!(result.a.to_string(), "mcts@1s");
    assert_eq!(result.b.to_string(), "random");
    assert!(!result.repeatable);
}

/// Plays a column that is not there.
struct Cheat;

impl Searcher<Connect4> for Cheat {
    fn search(
        &mut self,
        _: &Connect4,
        request: Request<'_, <Connect4 as Game>::Move>,
    ) -> Report<<Connect4 as Game>::Move> {
        let wide = Connect4::new(8, 5).unwrap();
        let mut report = Random.search(&wide, request);
        report.best_move = wide.notation().parse_move("8").ok();
        report
    }
}

/// Gives up.
struct Silent;

impl Searcher<Connect4> for Silent {
    fn search(
        &mut self,
        position: &Connect4,
        request: Request<'_, <Connect4 as Game>::Move>,
    ) -> Report<<Connect4 as Game>::Move> {
        let report = Random.search(position, request);
        Report { best_move: None, ..report }
    }
}

#[test]
fn illegal_and_missing_moves_are_errors() {
    let against = |second: &mut dyn Seat| {
        let mut first = SearchSeat(Box::new(Random));
        let terms = Terms { seed: 1, ..Terms::default() };
        play_game(start("connect4").playthrough(), [&mut first, second], terms).unwrap_err()
    };
    let cheat = against(&mut SearchSeat(bridge(Cheat)));
    assert!(matches!(cheat, GameError::IllegalMove { ply: 1, .. }), "{cheat}");
    assert_eq!(against(&mut SearchSeat(bridge(Silent))), GameError::NoMove { ply: 1 });
}

#[test]
fn a_game_is_recorded_as_it_was_played() {
    let start = start("connect4:4x4");
    let [mut first, mut second] = [(); 2].map(|()| SearchSeat(Box::new(Random)));
    let terms = Terms { seed: 5, ..Terms::default() };
    let record = play_game(start.playthrough(), [&mut first, &mut second], terms).unwrap();
    let mut again = start.playthrough();
    record.moves.iter().for_each(|&mv| again.play(mv));
    let ending = again.ending().expect("the game is over");
    assert_eq!((ending.outcome, GameEnd::Rules(ending.reason)), (record.outcome, record.end));
    let asked = record.sides[Side::First.index()].moves + record.sides[Side::Second.index()].moves;
    assert_eq!(asked as usize, record.moves.len());
}
