//! Othello's margins, with the empty squares of finished games for the winner and for nobody, against
//! brute force that knows nothing but the rules.

use treegraft::depth_first::{Config, DepthFirst, Driver, Scores, solver_config};
use treegraft::{
    Budget, Exactness, Game, Notation, Outcome, Request, Rng, Searcher, Side, Speed, legal_moves,
};
use treegraft_games::othello::Empties;
use treegraft_games::{AnyGame, Othello};

const BOTH: [Empties; 2] = [Empties::Nobody, Empties::Winner];

/// A position by its text; the size follows from its length.
fn position(text: &str) -> Othello {
    let squares = text.chars().filter(|c| !c.is_whitespace()).count() - 1;
    let size = (2..=4).map(|half| 2 * half).find(|size| size * size == squares).expect("a size");
    Othello::new(size as u32).expect("a board").parse_position(text).expect("a position")
}

/// How a finished game is counted: from its text, square by square.
fn counted(position: &Othello, empties: Empties) -> i64 {
    let text = position.position_text().expect("a text");
    let (board, _) = text.split_once(' ').expect("a board");
    let count = |disc: char| board.chars().filter(|&c| c == disc).count() as i64;
    let (black, white, empty) = (count('X'), count('O'), count('-'));
    match empties {
        Empties::Winner if black > white => black + empty - white,
        Empties::Winner if white > black => black - (white + empty),
        _ => black - white,
    }
}

/// The margins of both conventions under best play, in the view of the side to move, by looking at every
/// game: and whether any of them ends with empty squares.
fn brute_force(position: &Othello) -> ([i64; 2], bool) {
    let sign = position.to_move().sign();
    if position.outcome().is_some() {
        let is_full = !position.position_text().expect("a text").contains('-');
        return (BOTH.map(|empties| sign * counted(position, empties)), !is_full);
    }
    let mut best = [i64::MIN; 2];
    let mut some_end_early = false;
    for mv in legal_moves(position) {
        let mut after = *position;
        after.play(mv);
        let (values, ends_early) = brute_force(&after);
        best = [0, 1].map(|i| best[i].max(-values[i]));
        some_end_early |= ends_early;
    }
    (best, some_end_early)
}

/// Positions of random games with 1 to `most` empty squares, before their end.
fn from_games(size: u32, count: usize, most: u32, rng: &mut Rng) -> Vec<Othello> {
    let mut found = Vec::new();
    while found.len() < count {
        let mut now = Othello::new(size).expect("a board");
        while now.outcome().is_none() && found.len() < count {
            if empty(&now) <= most {
                found.push(now);
            }
            let mv = now.random_move(rng, &mut Vec::new());
            now.play(mv);
        }
    }
    found
}

/// Random discs with `empty` empty squares. Often nearly all are of one side, which leads to wipe-outs
/// and to games that neither side can continue.
fn arranged(size: u32, count: usize, most: u32, rng: &mut Rng) -> Vec<Othello> {
    let mut found = Vec::new();
    while found.len() < count {
        let squares = size * size;
        let free = 1 + rng.below(most);
        let white = [1, 1, 2, 12][rng.below(4) as usize];
        let mut text: Vec<char> = (0..squares)
            .map(|i| match (i < free, rng.below(40) < white) {
                (true, _) => '-',
                (_, true) => 'O',
                _ => 'X',
            })
            .collect();
        for i in (1..text.len()).rev() {
            text.swap(i, rng.below(i as u32 + 1) as usize);
        }
        let mover = ['X', 'O'][rng.below(2) as usize];
        let now = position(&format!("{} {mover}", text.into_iter().collect::<String>()));
        if now.outcome().is_none() {
            found.push(now);
        }
    }
    found
}

fn empty(position: &Othello) -> u32 {
    position.size() * position.size() - position.discs(Side::First) - position.discs(Side::Second)
}

/// Random late positions on boards of all sizes.
fn late_positions() -> Vec<Othello> {
    let mut rng = Rng::new(11);
    let mut found = Vec::new();
    for (size, count, most) in [(4, 300, 7), (6, 250, 6), (8, 250, 6)] {
        found.extend(from_games(size, count, most, &mut rng));
        found.extend(arranged(size, count, most, &mut rng));
    }
    found
}

/// The exact margin that a search proves, in the view of the side to move.
fn searched(position: &Othello, driver: Driver) -> Option<i64> {
    let config =
        Config { scores: Scores::Margin, driver, glance: false, ..solver_config(position) };
    let budget = Budget { memory: Some(1 << 20), ..Budget::default() };
    let mut search = DepthFirst::new(config, None).expect("a configuration");
    let report = search.search(position, Request::new(budget, 0));
    report.margin.map(|margin| position.to_move().sign() * margin)
}

#[test]
fn margins_of_both_conventions_are_those_of_brute_force() {
    let (mut differ, mut end_early) = (0, [0; 3]);
    let positions = late_positions();
    assert!(positions.len() >= 1_500);
    for now in positions {
        let (values, ends_early) = brute_force(&now);
        assert_eq!(values[0].signum(), values[1].signum(), "{now:?}");
        assert!(values[0].abs() <= values[1].abs(), "{now:?}");
        differ += u32::from(values[0] != values[1]);
        end_early[now.size() as usize / 2 - 2] += u32::from(ends_early);
        for (empties, value) in BOTH.into_iter().zip(values) {
            let now = now.with_empties(empties);
            for driver in [Driver::AlphaBeta, Driver::MtdF] {
                assert_eq!(searched(&now, driver), Some(value), "{now:?} {driver:?}");
            }
            // The solver of endings is exact for every margin, not only for who wins.
            for least in [-64, value - 1, value, value + 1, 0, 1, 64] {
                let found = now.ending(1000, least, &mut { u64::MAX });
                assert_eq!(found, Some(value >= least), "{now:?} {least}");
            }
            let outcome = Outcome::from_margin(now.to_move().sign() * value);
            let config = Config { glance: false, ..solver_config(&now) };
            let mut search = DepthFirst::new(config, None).expect("a configuration");
            let request = Request::new(Budget { memory: Some(1 << 20), ..Budget::default() }, 0);
            assert_eq!(search.search(&now, request).proof, Some(outcome), "{now:?}");
        }
    }
    assert!(differ >= 200, "{differ}");
    assert!(end_early.into_iter().all(|count| count >= 50), "{end_early:?}");
}

#[test]
fn empty_squares_are_for_the_winner_or_for_nobody() {
    for (text, [nobody, winner], counts) in [
        // A wipe-out, and both sides without a move.
        ("XX-- ---- ---- ---- O", [2, 16], [16, 0]),
        ("OO-- -O-- ---- ---- X", [-3, -16], [0, 16]),
        ("XX-- ---- --O- ---- O", [1, 14], [15, 1]),
        ("XX-- ---- --O- --OO X", [-1, -12], [2, 14]),
        // In a draw there is no winner.
        ("X--- ---- --O- ---- O", [0, 0], [1, 1]),
        // A full board.
        ("XXXX XXXX XXXO OOOO O", [6, 6], [11, 5]),
    ] {
        let over = position(text);
        let taking = over.with_empties(Empties::Winner);
        assert_eq!((over.margin(), taking.margin()), (Some(nobody), Some(winner)), "{text}");
        assert_eq!(over.outcome(), taking.outcome(), "{text}");
        assert_eq!(taking.counts(), Some(counts), "{text}");
        assert_eq!(
            over.counts(),
            Some([Side::First, Side::Second].map(|s| i64::from(over.discs(s))))
        );
    }
    // While the game goes on, nobody has won anything.
    let going_on = position("OX-- ---- ---- ---- X").with_empties(Empties::Winner);
    assert_eq!((going_on.margin(), going_on.counts()), (None, Some([1, 1])));
}

#[test]
fn the_option_is_kept_by_moves_and_positions_and_is_part_of_the_key() {
    let plain = Othello::new(6).expect("a board");
    let taking = plain.with_empties(Empties::Winner);
    assert_ne!(plain.key(), taking.key());
    let mut after = taking;
    after.play(legal_moves(&taking)[0]);
    assert_eq!(after.empties(), Empties::Winner);
    let text = after.position_text().expect("a text");
    assert_eq!(taking.parse_position(&text), Ok(after));
    assert_ne!(plain.parse_position(&text), Ok(after));
}

#[test]
fn the_default_is_not_written() {
    for (text, canonical) in [
        ("othello:empties=nobody", "othello"),
        ("othello:8,empties=winner", "othello:empties=winner"),
        ("othello:6,empties=nobody", "othello:6"),
        ("othello:6, empties=winner", "othello:6,empties=winner"),
        ("othello(empties=winner)", "othello:empties=winner"),
        ("othello(6,empties=winner)", "othello:6,empties=winner"),
    ] {
        assert_eq!(AnyGame::parse(text).expect(text).canonical(), canonical);
    }
    let error = AnyGame::parse("othello:empties=loser").expect_err("no such word").to_string();
    assert!(error.contains("empties is \"loser\", not nobody or winner"), "{error}");
}
