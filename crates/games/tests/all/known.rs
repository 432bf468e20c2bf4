//! Depth-first search against values that other programs have found (`testdata/`).

use crate::starts::shown;
use treegraft::depth_first::{Config, DepthFirst, Driver, Scores, solver_config};
use treegraft::{Budget, Game, Notation, Outcome, Playthrough, Report, Request, Searcher, Side};
use treegraft_games::loa::LoaRules;
use treegraft_games::othello::Empties;
use treegraft_games::{Breakthrough, Connect4, Kalah, Lion, Loa, Othello};

/// The lines of a file of `testdata/`, split at their bars.
fn rows(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.map(|line| line.split('|').map(str::trim).collect())
}

/// Pairs such as `3:-10`.
fn pairs(text: &str) -> impl Iterator<Item = (&str, i64)> {
    let pair = |word| {
        let (text, value) = str::split_once(word, ':').expect("a move and a value");
        (text, number(value))
    };
    text.split_whitespace().map(pair)
}

fn after<G: Game>(start: G, moves: &str) -> G {
    let mut game = Playthrough::new(start);
    game.play_text(moves).expect("legal moves");
    game.position().clone()
}

/// The position after each legal move, by the move's text.
fn children<G: Game>(position: &G) -> Vec<(String, G)> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let child = |&mv: &G::Move| {
        let mut child = position.clone();
        child.play(mv);
        (position.notation().move_text(mv), child)
    };
    moves.iter().map(child).collect()
}

fn search<G: Game>(position: &G, config: Config) -> Report<G::Move> {
    // A table that is cleared in no time: there are thousands of searches.
    let budget = Budget { memory: Some(4 << 20), ..Budget::default() };
    DepthFirst::new(config, None).unwrap().search(position, Request::new(budget, 0))
}

/// The exact final margin, in the view of `side`.
fn margin<G: Game>(position: &G, side: Side) -> i64 {
    let config = Config {
        scores: Scores::Margin,
        driver: Driver::MtdF,
        glance: false,
        ..solver_config(position)
    };
    let report = search(position, config);
    let margin = report.margin.expect("a margin");
    assert_eq!(report.proof, Some(Outcome::from_margin(margin)), "{position:?}");
    side.sign() * margin
}

/// Checks the margins of a position and of all its moves, in the mover's view.
fn check_margins<G: Game>(position: &G, value: i64, moves: &str) {
    let mover = position.to_move();
    assert_eq!(margin(position, mover), value, "{position:?}");
    for (text, value) in pairs(moves) {
        let mv = position.notation().parse_move(text).expect("a legal move");
        let mut child = position.clone();
        child.play(mv);
        assert_eq!(margin(&child, mover), value, "{text} in {position:?}");
    }
}

/// The two sizes in a game's text.
fn sizes(text: &str) -> [u32; 2] {
    let (_, sizes) = text.split_once(':').expect("sizes");
    let mut sizes = sizes.split(['x', ',']).map(|size| size.parse().expect("a number"));
    let first = sizes.next().expect("a size");
    [first, sizes.next().unwrap_or(first)]
}

fn number(text: &str) -> i64 {
    text.parse().expect("a number")
}

#[test]
fn connect4_positions_have_the_known_winners() {
    let empty = Connect4::new(7, 6).expect("the usual board");
    let mut checked = 0;
    for line in include_str!("../../testdata/connect4-solved.txt").lines() {
        if line.starts_with('#') {
            continue;
        }
        let (moves, score) = line.split_once(' ').expect("moves and score");
        let position = after(empty, moves);
        let report = search(&position, solver_config(&position));
        let value = position.to_move().sign() * report.proof.expect("a proof").value();
        assert_eq!(value, number(score).signum(), "{line}");
        let end = report.pv.iter().fold(position, |mut at, &mv| {
            at.play(mv);
            at
        });
        assert_eq!(end.outcome(), report.proof, "{line}: {:?}", report.pv);
        checked += 1;
    }
    assert_eq!(checked, 3000);
}

fn check_kalah_boards(is_asked: impl Fn(&str) -> bool) {
    for row in rows(include_str!("../../testdata/kalah-solved.txt")).filter(|row| is_asked(row[0]))
    {
        let [houses, stones] = sizes(row[0]);
        let start = Kalah::new(houses, stones, true).expect("a board");
        assert!(shown(row[0]).ends_with(&format!("{start:?}")));
        check_margins(&start, number(row[1]), row[2]);
    }
}

#[test]
fn kalah_boards_have_the_known_margins() {
    check_kalah_boards(|game| !["kalah:4,5", "kalah:6,3"].contains(&game));
}

#[test]
#[ignore = "long: cargo xtask test-long"]
fn larger_kalah_boards_have_the_known_margins() {
    check_kalah_boards(|game| ["kalah:4,5", "kalah:6,3"].contains(&game));
}

/// Checks the positions with at most `most` stones in houses: the fewer, the sooner it is over.
fn check_kalah_endgames(most: u32) -> usize {
    let mut checked = 0;
    for row in rows(include_str!("../../testdata/kalah-endgames.txt")) {
        let start = Kalah::new(6, 4, false).expect("a board");
        assert!(shown(row[0]).ends_with(&format!("{start:?}")));
        let position = after(start, row[1]);
        if 48 - position.store(Side::First) - position.store(Side::Second) > most {
            continue;
        }
        check_margins(&position, number(row[2]), row[3]);
        // The same stones under the other rule.
        let other_rule = Kalah::new(6, 4, true).expect("a board");
        let text = position.position_text().expect("a text");
        let position = other_rule.parse_position(&text).expect("a position");
        check_margins(&position, number(row[4]), "");
        checked += 1;
    }
    checked
}

#[test]
fn kalah_endgames_have_the_known_margins() {
    assert_eq!(check_kalah_endgames(20), 43);
}

#[test]
#[ignore = "long: cargo xtask test-long"]
fn longer_kalah_endgames_have_the_known_margins() {
    assert_eq!(check_kalah_endgames(48), 60);
}

/// The game as other programs count it.
fn othello() -> Othello {
    Othello::new(8).expect("a board").with_empties(Empties::Winner)
}

/// The margin where nobody gets the empty squares, in the view of `side`: with the same sign as
/// `value`, which is that with the empty squares, and no larger.
fn plain_margin(position: &Othello, side: Side, value: i64) -> i64 {
    let position = &position.with_empties(Empties::Nobody);
    let plain = margin(position, side);
    assert_eq!(plain.signum(), value.signum(), "{position:?}");
    assert!(plain.abs() <= value.abs(), "{position:?}");
    let report = search(position, solver_config(position));
    let outcome = Outcome::from_margin(side.sign() * value);
    assert_eq!(report.proof, Some(outcome), "{position:?}");
    plain
}

/// Checks all endgames with so many empty squares. Returns their number, and the moves whose margins
/// differ between the conventions, with both.
fn check_othello(empties: std::ops::RangeInclusive<i64>) -> (usize, Vec<(&'static str, i64, i64)>) {
    let (mut checked, mut differing) = (0, Vec::new());
    for row in rows(include_str!("../../testdata/othello-endgames.txt")) {
        if !empties.contains(&number(row[2])) {
            continue;
        }
        let position = after(othello(), row[1]);
        let mover = position.to_move();
        check_margins(&position, number(row[3]), row[4]);
        for (text, value) in pairs(row[4]) {
            let mut child = position;
            child.play(position.parse_move(text).expect("a legal move"));
            let plain = plain_margin(&child, mover, value);
            if plain != value {
                differing.push((text, value, plain));
            }
        }
        plain_margin(&position, mover, number(row[3]));
        checked += 1;
    }
    (checked, differing)
}

#[test]
fn othello_endgames_have_the_known_margins() {
    assert_eq!(check_othello(0..=10), (23, vec![("h7", -32, -31)]));
}

#[test]
#[ignore = "long: cargo xtask test-long"]
fn longer_othello_endgames_have_the_known_margins() {
    assert_eq!(check_othello(11..=14).0, 17);
}

/// The published values of two of the problems are won games that end with an empty square.
#[test]
#[ignore = "long: cargo xtask test-long"]
fn othello_problems_have_the_known_margins() {
    let mut differing = Vec::new();
    for row in rows(include_str!("../../testdata/othello-fforum.txt")) {
        let position = othello().parse_position(row[1]).expect("a position");
        let best = pairs(row[3]).map(|pair| pair.1).max().expect("a move");
        check_margins(&position, best, "");
        let plain = plain_margin(&position, position.to_move(), best);
        if plain != best {
            differing.push((best, plain));
        }
    }
    assert_eq!(differing, [(32, 31), (30, 29)]);
}

/// The winner of a game that has no draws.
fn winner<G: Game>(position: &G) -> Side {
    let report = DepthFirst::new(solver_config(position), None)
        .unwrap()
        .search(position, Request::default());
    report.proof.and_then(Outcome::winner).expect("a winner")
}

fn check_breakthrough(is_asked: impl Fn(&str) -> bool) {
    for row in rows(include_str!("../../testdata/breakthrough-solved.txt")) {
        if is_asked(row[0]) {
            let [width, height] = sizes(row[0]);
            let start = Breakthrough::<u64>::new(width, height).expect("a board");
            assert!(shown(row[0]).ends_with(&format!("{start:?}")));
            let expected = if row[1] == "first" { Side::First } else { Side::Second };
            assert_eq!(winner(&start), expected, "{}", row[0]);
        }
    }
}

/// Boards that take more than a moment.
const LARGE: [&str; 3] = ["breakthrough:5x5", "breakthrough:6x4", "breakthrough:4x6"];

#[test]
fn breakthrough_boards_have_the_known_winners() {
    check_breakthrough(|game| !LARGE.contains(&game));
}

#[test]
#[ignore = "long: cargo xtask test-long"]
fn larger_breakthrough_boards_have_the_known_winners() {
    check_breakthrough(|game| LARGE.contains(&game));
}

/// What a search of exactly `plies` plies proves. Without a table, which would let the search see
/// further along some ways.
fn proof_at<G: Game>(position: &G, plies: u32) -> Option<Outcome> {
    if plies == 0 {
        return position.outcome();
    }
    let plain = Config { depth: Some(plies), table: false, ..Config::default() };
    let proof = search(position, plain).proof;
    let with_table = search(position, Config { table: true, ..plain }).proof;
    assert!(proof.is_none() || proof == with_table, "{position:?}");
    proof
}

fn check_lion(plies: std::ops::RangeInclusive<u32>) -> usize {
    let start = Lion::new(400).expect("a game");
    let mut checked = 0;
    for row in rows(include_str!("../../testdata/lion-endings.txt")) {
        let position = after(start, row[1]);
        let mover = position.to_move();
        let outcome = match row[2] {
            "win" => Outcome::Win(mover),
            "loss" => Outcome::Win(mover.other()),
            _ => continue,
        };
        let distance = row[3].parse().expect("a number");
        if plies.contains(&distance) {
            assert_eq!(proof_at(&position, distance), Some(outcome), "{position:?}");
            assert_eq!(proof_at(&position, distance - 1), None, "{position:?}");
            let glance = Config { depth: Some(distance), glance: true, ..Config::default() };
            assert_eq!(search(&position, glance).proof, Some(outcome), "{position:?}");
            checked += 1;
        }
    }
    checked
}

#[test]
fn lion_endings_take_as_long_as_known() {
    assert_eq!(check_lion(0..=11), 67);
}

#[test]
fn nothing_is_proven_of_drawn_or_long_lion_endings() {
    let start = Lion::new(400).expect("a game");
    let mut checked = 0;
    for row in rows(include_str!("../../testdata/lion-endings.txt")) {
        if row[2] == "draw" || row[3].parse().is_ok_and(|plies: u32| plies > 30) {
            let position = after(start, row[1]);
            for glance in [false, true] {
                let config = Config { depth: Some(5), glance, ..Config::default() };
                assert_eq!(search(&position, config).proof, None, "{position:?}");
            }
            checked += 1;
        }
    }
    assert_eq!(checked, 40);
}

#[test]
fn loa_wins_take_as_long_as_known() {
    let start = Loa::new(LoaRules::default());
    for row in rows(include_str!("../../testdata/loa-wins.txt")) {
        let distance: u32 = row[2].parse().expect("a number");
        let position = after(start, row[1]);
        let win = Some(Outcome::Win(position.to_move()));
        assert_eq!(proof_at(&position, distance), win, "{position:?}");
        assert_ne!(proof_at(&position, distance - 1), win, "{position:?}");
        for (text, child) in children(&position) {
            let is_known = row[3].split_whitespace().any(|mv| mv == text);
            assert_eq!(proof_at(&child, distance - 1) == win, is_known, "{text} {position:?}");
        }
    }
}
