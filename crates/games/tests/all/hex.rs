//! Hex: rules against published counts and a slow search for chains, notation, and playouts
//! against exact probabilities.

use std::collections::HashMap;

use treegraft::{Charset, Game, Notation, Outcome, Playthrough, Rng, Side, Speed, perft};
use treegraft_games::hex::{Cells, SWAP, Wide};
use treegraft_games::{AnyGame, Hex, Visitor};

fn hex(size: u32) -> Hex<u128> {
    Hex::new(size, false).unwrap()
}

fn after<G: Game>(start: G, moves: &str) -> G {
    let mut game = Playthrough::new(start);
    game.play_text(moves).unwrap();
    game.position().clone()
}

#[test]
fn perft_agrees_with_published_counts() {
    let counts = |size: u32, moves: &str, depth: u32| -> Vec<u64> {
        (1..=depth).map(|d| perft(&after(hex(size), moves), d)).collect()
    };
    let whole = [9, 72, 504, 3024, 15_120, 54_720, 146_880, 207_360, 120_960, 0];
    assert_eq!(counts(3, "", 10), whole);
    assert_eq!(counts(3, "a3 b2 a1", 7), [6, 30, 100, 252, 384, 192, 0]);
    assert_eq!(counts(4, "c2b3d2a3b1c3", 6), [10, 90, 648, 4536, 23_520, 110_040]);
    assert_eq!(counts(11, "", 2), [121, 14_520]);
}

#[test]
fn every_width_of_words_plays_the_same_game() {
    let counts = |game: AnyGame| game.visit(Perft(5));
    assert_eq!(counts(AnyGame::parse("hex:5").unwrap()), 6_375_600);
    let wide = Hex::<Wide>::new(4, true).unwrap();
    let narrow = Hex::<u64>::new(4, true).unwrap();
    assert_eq!(perft(&wide, 5), perft(&narrow, 5));
    assert_eq!(perft(&narrow, 2), 16 * 16);
}

struct Perft(u32);

impl Visitor for Perft {
    type Output = u64;

    fn visit<G: Game + Send + Sync + 'static>(self, start: G) -> u64 {
        perft(&start, self.0)
    }
}

/// The side that joins its edges, by walking from cell to cell.
fn slow_winner<W: Cells>(position: &Hex<W>) -> Option<Side> {
    let size = position.size() as i32;
    [Side::First, Side::Second].into_iter().find(|&side| {
        let along = |x: i32, y: i32| if side == Side::First { y } else { x };
        let cells = (0..size * size).map(|i| (i % size, i / size));
        let mut open: Vec<(i32, i32)> = cells.filter(|&(x, y)| along(x, y) == 0).collect();
        let mut seen = vec![false; (size * size) as usize];
        let mut joined = false;
        while let Some((x, y)) = open.pop() {
            let on_board = (0..size).contains(&x) && (0..size).contains(&y);
            if !on_board || position.at(x as u32, y as u32) != Some(side) {
                continue;
            }
            if std::mem::replace(&mut seen[(y * size + x) as usize], true) {
                continue;
            }
            joined |= along(x, y) == size - 1;
            for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)] {
                open.push((x + dx, y + dy));
            }
        }
        joined
    })
}

fn check_winners<W: Cells>(size: u32) {
    let mut rng = Rng::new(u64::from(size));
    for round in 0..100 {
        let start = Hex::<W>::new(size, round % 2 == 0).unwrap();
        // Filled at once, from the start and from the middle of the game.
        let mut full = start;
        for _ in 0..round % 5 {
            let mv = full.speed().random_move(&mut rng, &mut Vec::new());
            full.play(mv);
        }
        if full.outcome().is_none() {
            let playout = treegraft::playout(
                &mut full,
                &mut rng,
                &mut Vec::new(),
                start.limits().playout_plies,
                None,
            );
            assert!(!playout.capped && playout.plies <= size * size + 1);
            let occupied = (0..size * size).all(|i| full.at(i % size, i / size).is_some());
            assert!(occupied);
            assert_eq!(full.outcome(), Some(playout.outcome));
        }
        assert_eq!(full.outcome(), slow_winner(&full).map(Outcome::Win));
        if round % 10 == 0 {
            // And move by move.
            let mut now = start;
            loop {
                assert_eq!(now.outcome(), slow_winner(&now).map(Outcome::Win));
                if now.outcome().is_some() {
                    break;
                }
                let mv = now.speed().random_move(&mut rng, &mut Vec::new());
                now.play(mv);
            }
        }
    }
}

#[test]
fn winners_agree_with_a_slow_search_on_all_sizes() {
    (2..=8).for_each(check_winners::<u64>);
    (2..=11).for_each(check_winners::<u128>);
    (2..=19).for_each(check_winners::<Wide>);
}

fn check_notation<W: Cells>(size: u32, swap: bool, rng: &mut Rng) {
    let start = Hex::<W>::new(size, swap).unwrap();
    let mut game = Playthrough::new(start);
    loop {
        let now = *game.position();
        let text = now.notation().position_text().expect("a played position has a text");
        let read = start.notation().parse_position(&text).unwrap();
        assert_eq!((read, read.key()), (now, now.speed().key()), "{text}");
        let legal = game.legal_moves();
        for &mv in &legal {
            assert_eq!(now.notation().parse_move(&now.notation().move_text(mv)), Ok(mv));
            assert!(now.speed().move_slot(mv) < now.speed().move_slots());
        }
        // Every second game with the rule begins with a swap.
        let Some(&random) = rng.draw_from(&legal) else { break };
        let swaps = legal.contains(&SWAP) && rng.below(2) == 0;
        game.play(if swaps { SWAP } else { random });
    }
    let mut again = Playthrough::new(start);
    again.play_text(&game.move_texts().concat()).unwrap();
    assert_eq!(again.position(), game.position());
}

#[test]
fn moves_and_positions_round_trip() {
    let mut rng = Rng::new(1);
    for round in 0..60 {
        check_notation::<u64>(2 + round % 7, round % 3 > 0, &mut rng);
    }
    for round in 0..4 {
        check_notation::<u128>(10 + round % 2, round > 1, &mut rng);
        check_notation::<Wide>(16 + round, round > 1, &mut rng);
    }
}

#[test]
fn the_order_of_moves_does_not_matter() {
    let (one, other) = (after(hex(5), "a1 b1 c3 d3"), after(hex(5), "c3 d3 a1 b1"));
    assert_eq!((one, one.speed().key()), (other, other.speed().key()));
    assert_ne!(one.speed().key(), after(hex(5), "a1 b1 c3 d4").speed().key());
    assert_ne!(one.speed().key(), after(hex(4), "a1 b1 c3 d3").speed().key());
}

/// Whether Black wins with best play.
fn black_can_win(now: Hex<u128>) -> bool {
    if let Some(outcome) = now.outcome() {
        return outcome == Outcome::Win(Side::First);
    }
    let mut moves = Vec::new();
    now.moves(&mut moves);
    let mut results = moves.iter().map(|&mv| {
        let mut next = now;
        next.play(mv);
        black_can_win(next)
    });
    if now.to_move() == Side::First { results.any(|won| won) } else { results.all(|won| won) }
}

#[test]
fn black_joins_top_and_bottom_and_white_left_and_right() {
    let winning = |size: u32| -> Vec<String> {
        let start = hex(size);
        let cells = (0..size * size).map(|cell| start.notation().move_text(cell as u16));
        cells.filter(|cell| black_can_win(after(start, cell))).collect()
    };
    // Published winning openings.
    assert_eq!(winning(2), ["b1", "a2"]);
    assert_eq!(winning(3), ["c1", "a2", "b2", "c2", "a3"]);
    assert_eq!(after(hex(2), "b1 b2 a2").outcome(), Some(Outcome::Win(Side::First)));
    assert_eq!(after(hex(3), "a1 c1 a2 b2 b3 a3").outcome(), Some(Outcome::Win(Side::Second)));
}

#[test]
fn a_swap_mirrors_the_first_stone() {
    let start = Hex::<u64>::new(5, true).unwrap();
    let swapped = after(start, "b4 swap");
    assert_eq!((swapped.at(1, 3), swapped.at(3, 1)), (None, Some(Side::Second)));
    assert_eq!(swapped.to_move(), Side::First);
    assert_eq!(swapped.notation().position_text().unwrap(), "b4 swap");
    assert_eq!(after(start, "b4 Swap-Pieces"), swapped);
    // The stone taken over on the left edge is joined to it.
    let won = after(start, "c1 swap a1 b3 b1 c3 c1 d3 d1 e3");
    assert_eq!(won.outcome(), Some(Outcome::Win(Side::Second)));
    assert_eq!(start.notation().parse_position(&won.notation().position_text().unwrap()), Ok(won));
    for moves in ["", "b4 c3", "b4 swap", "b4 swap a1"] {
        let error = after(start, moves).notation().parse_move("swap").unwrap_err();
        assert!(error.problem.contains("only the first stone"), "{error}");
    }
    let error = after(hex(5), "b4").notation().parse_move("swap").unwrap_err();
    assert!(error.problem.contains("without the swap"), "{error}");
}

#[test]
fn bad_texts_are_refused() {
    let now = after(hex(11), "a1 k11");
    for text in ["", "a", "a0", "a01", "a12", "l1", "a1", "k11", "b2 ", "b2c", "é1", "🙂", "11"]
    {
        let error = now.notation().parse_move(text).unwrap_err();
        assert!(error.expected.contains("a1 to k11"), "{error}");
    }
    let over = after(hex(2), "a1 b1 a2");
    assert!(over.notation().parse_move("b2").unwrap_err().problem.contains("over"));
    for text in ["a1 a1", "z9", "a1 b2 🙂", "a1 swap", &"x".repeat(100_000)] {
        assert!(now.notation().parse_position(text).is_err());
    }
    assert!(over.notation().parse_position("a1 b1 a2 b2").is_err());
    for text in ["hex:1", "hex:20", "hex:+5", "hex:5x5", "hex:5,swap=yes", "hex:5,swop=true"] {
        assert!(AnyGame::parse(text).is_err(), "{text}");
    }
    for text in ["hex", "hex:2", "hex:8", "hex:9", "hex:19,swap=true", "hex:swap=true"] {
        assert_eq!(AnyGame::parse(text).unwrap().canonical(), text);
    }
    assert_eq!(AnyGame::parse("hex:11,swap=false").unwrap().canonical(), "hex");
    assert_eq!(Hex::<u64>::new(9, false), None);
    assert_eq!(Hex::<Wide>::new(100_000, false), None);
}

#[test]
fn diagrams_are_rhombs() {
    let now = after(hex(3), "a1 c2");
    let ascii = "  a b c\n 1 B . .\n  2 . . W\n   3 . . .\n\
                 B Black: top to bottom\nW White: left to right";
    assert_eq!(now.notation().diagram(Charset::Ascii), ascii);
    let unicode = "  a b c\n 1 ● · ·\n  2 · · ○\n   3 · · ·\n\
                   ● Black: top to bottom\n○ White: left to right";
    assert_eq!(now.notation().diagram(Charset::Unicode), unicode);
    // Whose edges are whose, as the rules have it: the first stone of a column that wins is Black.
    assert_eq!(after(hex(3), "a1 b1 a2 b2 a3").outcome(), Some(Outcome::Win(Side::First)));
}

#[test]
fn random_moves_are_uniform_over_cells_and_swap() {
    let now = after(Hex::<u64>::new(3, true).unwrap(), "b2");
    let mut rng = Rng::new(2);
    let mut counts: HashMap<u16, u32> = HashMap::new();
    for _ in 0..90_000 {
        *counts.entry(now.speed().random_move(&mut rng, &mut Vec::new())).or_default() += 1;
    }
    // The standard deviation is below 100.
    assert_eq!(counts.len(), 9);
    assert!(counts.values().all(|&count| count.abs_diff(10_000) < 500), "{counts:?}");
}

/// The exact probabilities of wins of Black and of White under at most `limit` random moves.
fn win_rates(
    now: Hex<u64>,
    limit: u32,
    known: &mut HashMap<(Hex<u64>, u32), [f64; 2]>,
) -> [f64; 2] {
    match now.outcome() {
        Some(Outcome::Win(Side::First)) => return [1.0, 0.0],
        Some(_) => return [0.0, 1.0],
        None if limit == 0 => return [0.0, 0.0],
        None => {}
    }
    if let Some(&rates) = known.get(&(now, limit)) {
        return rates;
    }
    let mut legal = Vec::new();
    now.moves(&mut legal);
    let mut rates = [0.0; 2];
    for &mv in &legal {
        let mut next = now;
        next.play(mv);
        let after = win_rates(next, limit - 1, known);
        (0..2).for_each(|side| rates[side] += after[side] / legal.len() as f64);
    }
    known.insert((now, limit), rates);
    rates
}

#[test]
fn playouts_win_with_the_exact_probability() {
    let mut known = HashMap::new();
    let mut rng = Rng::new(3);
    for (size, swap, moves) in [
        (2, false, ""),
        (2, true, ""),
        (2, true, "a1"),
        (3, false, ""),
        (3, true, ""),
        (3, true, "a1"),
        (3, true, "b2"),
        (3, true, "a3 swap"),
        (3, false, "b2 a1 a3"),
        (4, false, "b2 c3 a4 d1 c2 b3"),
        (4, true, "d1 swap b2 c3 c2 b3 d4"),
    ] {
        let start = after(Hex::<u64>::new(size, swap).unwrap(), moves);
        for limit in [start.limits().playout_plies, size * size - 1, size * size - 3] {
            let exact = win_rates(start, limit, &mut known);
            let samples = 100_000;
            let mut wins = [0u32; 2];
            for _ in 0..samples {
                let mut now = start;
                let playout = treegraft::playout(&mut now, &mut rng, &mut Vec::new(), limit, None);
                assert!(playout.plies <= limit && playout.capped == now.outcome().is_none());
                if let Some(side) = playout.outcome.winner() {
                    wins[side.index()] += 1;
                }
            }
            for (seen, p) in wins.into_iter().zip(exact) {
                let expected = f64::from(samples) * p;
                let tolerance = 5.0 * (expected * (1.0 - p)).sqrt() + 1e-3;
                assert!(
                    (f64::from(seen) - expected).abs() < tolerance,
                    "hex:{size} after {moves:?}, limit {limit}: {seen}, expected {expected}"
                );
            }
        }
    }
}

/// Dealing the cells must prefer none: the chance of a cell to become black, and of two cells
/// to become black together.
#[test]
fn every_cell_is_dealt_alike() {
    let start = after(hex(9), "e5 a1 b7");
    let mut rng = Rng::new(4);
    let samples = 40_000;
    let (mut single, mut pair) = ([0u32; 81], [0u32; 80]);
    for _ in 0..samples {
        let mut now = start;
        treegraft::playout(&mut now, &mut rng, &mut Vec::new(), 100, None);
        let black = |i: u32| now.at(i % 9, i / 9) == Some(Side::First);
        (0..81).for_each(|i| single[i as usize] += u32::from(black(i)));
        (0..80).for_each(|i| pair[i as usize] += u32::from(black(i) && black(i + 1)));
    }
    // 78 empty cells, 39 for each side.
    let fixed = [4 * 9 + 4, 0, 6 * 9 + 1];
    let near = |count: u32, p: f64| {
        let n = f64::from(samples);
        (f64::from(count) - n * p).abs() < 5.0 * (n * p * (1.0 - p)).sqrt()
    };
    for i in (0..81).filter(|i| !fixed.contains(i)) {
        assert!(near(single[i], 0.5), "cell {i}: {}", single[i]);
        if i < 80 && !fixed.contains(&(i + 1)) {
            let both = 0.5 * 38.0 / 77.0;
            assert!(near(pair[i], both), "cells {i} and the next: {}", pair[i]);
        }
    }
}
