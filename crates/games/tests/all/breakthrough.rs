//! Breakthrough: rules, notation, speed-ups.

use crate::starts::shown;
use crate::walks;
use std::collections::HashMap;

use treegraft::{Charset, Game, Knowledge, Notation, Outcome, Playthrough, Rng, Side, perft};
use treegraft_games::{AnyGame, Breakthrough};

fn board(width: u32, height: u32) -> Breakthrough<u64> {
    Breakthrough::new(width, height).expect("a board")
}

fn wide(width: u32, height: u32) -> Breakthrough<u128> {
    Breakthrough::new(width, height).expect("a board")
}

fn after<G: Game>(start: G, moves: &str) -> G {
    let mut game = Playthrough::new(start);
    game.play_text(moves).expect("legal moves");
    game.position().clone()
}

#[test]
fn perft_agrees_with_other_programs() {
    let check = |position: &Breakthrough<u64>, counts: &[u64]| {
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(perft(position, depth), count, "{position:?} {depth}");
        }
    };
    check(&board(8, 8), &[22, 484, 11_132, 256_036]);
    check(&board(6, 6), &[16, 256, 4_308, 71_478]);
    check(&board(9, 6), &[25, 625, 16_179]);
    check(&board(5, 6), &[13, 169, 2_331, 31_545, 453_608]);
    check(&board(4, 7), &[10, 100, 1_100, 12_032, 143_896]);
    let moves = "a2b3 b5b4 b1a2 b6b5 c2c3 b4c3 b2c3 d5d4 d2e3 a5a4 b3c4 c5b4 a1b2 c6d5";
    check(&after(board(5, 6), moves), &[17, 224, 3_416, 41_815, 591_586]);
    let moves = "d2d3 e5f4 b2a3 b5c4 c1b2 f6e5 b2c3 c5b4 a3a4 f4f3 d3e4 b4a3 c2d3 a3b2 a4b5 e5f4 \
                 e2e3 c6b5 b1c2 b5b4 a2a3 f4e3 a1a2 e3f2";
    check(&after(board(6, 6), moves), &[17, 346, 4_398, 84_483]);
}

#[test]
fn both_bitboards_play_the_same_game() {
    for (width, height) in [(2, 4), (5, 6), (8, 8), (16, 4), (3, 18)] {
        let (narrow, wide) = (board(width, height), wide(width, height));
        for seed in 0..20 {
            let (mut narrow, mut wide) = (narrow, wide);
            let narrow_end =
                treegraft::playout(&mut narrow, &mut Rng::new(seed), &mut Vec::new(), 999, None);
            let wide_end =
                treegraft::playout(&mut wide, &mut Rng::new(seed), &mut Vec::new(), 999, None);
            assert_eq!(narrow_end, wide_end);
            assert_eq!(narrow.notation().position_text(), wide.notation().position_text());
        }
    }
}

#[test]
fn small_boards_have_the_known_winner() {
    fn wins(position: &Breakthrough<u64>, known: &mut HashMap<Breakthrough<u64>, bool>) -> bool {
        if position.outcome().is_some() {
            return false;
        }
        if let Some(&wins) = known.get(position) {
            return wins;
        }
        let mut moves = Vec::new();
        position.moves(&mut moves);
        let result = moves.into_iter().any(|mv| {
            let mut next = *position;
            next.play(mv);
            !wins(&next, known)
        });
        known.insert(*position, result);
        result
    }
    for (width, height, first) in
        [(2, 4, false), (3, 4, false), (4, 4, false), (2, 5, false), (3, 5, false), (2, 6, true)]
    {
        let winner = wins(&board(width, height), &mut HashMap::new());
        assert_eq!(winner, first, "{width}x{height}");
    }
}

#[test]
fn texts_are_read_back() {
    walks::check_notation(&board(8, 8), 20);
    walks::check_notation(&board(5, 6), 50);
    walks::check_notation(&board(2, 4), 50);
    walks::check_notation(&wide(18, 6), 10);
    walks::check_notation(&wide(7, 18), 10);
    let start = board(8, 8);
    let text = "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w";
    assert_eq!(start.notation().position_text().as_deref(), Some(text));
    assert_eq!(start.notation().parse_position(&format!("{text} - - 0 1")), Ok(start));
    let text = "pppppppppppp/pppppppppppp/12/12/PPPPPPPPPPPP/PPPPPPPPPPPP w";
    assert_eq!(wide(12, 6).notation().position_text().as_deref(), Some(text));
}

#[test]
fn moves_have_several_spellings() {
    let start = board(8, 8);
    assert_eq!(start.notation().parse_move("e2-e3"), start.notation().parse_move("e2e3"));
    let capture = after(start, "e2e3 d7d6 e3e4 d6d5");
    assert_eq!(capture.notation().parse_move("e4xd5"), capture.notation().parse_move("e4d5"));
    assert!(capture.notation().parse_move("e4-d5").is_ok());
    for bad in [
        "",
        "e",
        "e2",
        "e2e",
        "e2x",
        "e2xd3",
        "e4xf5",
        "e2e2",
        "e2e4",
        "e7e6",
        "d1d2",
        "e2--e3",
        "h2i3",
        "a2`3",
        "e9e10",
        "E2E3",
        "e2e3+",
        "🦁",
        "e2é3",
        "a99999999999a1",
        "d5d4",
        "e4d4",
    ] {
        assert!(capture.notation().parse_move(bad).is_err(), "{bad}");
    }
    // The same for Black, whose steps lead to lower squares.
    let black = after(start, "e2e3");
    for bad in ["a1a2", "a1h1", "a7b5", "h7a5", "a8a7", "e3e2"] {
        assert!(black.notation().parse_move(bad).is_err(), "{bad}");
    }
}

#[test]
fn impossible_positions_are_refused() {
    let start = board(4, 5);
    for good in [
        "pppp/pppp/4/PPPP/PPPP w",
        "pppp/pppp/4/PPPP/PPPP b",
        "pP2/4/4/4/4 b",
        "4/4/4/4/p2P w",
        "4/4/p3/4/4 w",
    ] {
        assert_eq!(
            start.notation().parse_position(good).unwrap().position_text().as_deref(),
            Some(good)
        );
    }
    for bad in [
        "",
        "pppp/pppp/4/PPPP/PPPP",
        "pppp/pppp/4/PPPP/PPPP x",
        "pppp/pppp/4/PPPP/PPPP w junk",
        "pppp/pppp/4/PPPP w",
        "pppp/pppp/4/4/PPPP/PPPP w",
        "pppp/pppp/5/PPPP/PPPP w",
        "pppp/pppp/3/PPPP/PPPP w",
        "pppp/pppp/4/PPPP/PPQP w",
        "pppp/pppp/p3/PPPP/PPPP w",
        "pppp/pppp/P3/PPPP/PPPP w",
        "4/4/4/4/4 w",
        "P3/4/4/4/p3 w",
        "P3/4/4/4/p3 b",
        "P3/p3/4/4/4 w",
        "PP2/p3/4/4/4 b",
        "4/4/p3/4/4 b",
        "🦁/🦁/🦁/🦁/🦁 w",
    ] {
        let error = start.notation().parse_position(bad).expect_err(bad).to_string();
        assert!(error.contains("pppp/pppp/4/PPPP/PPPP w"), "{error}");
    }
}

#[test]
fn games_end_at_the_other_end_or_without_pieces() {
    let start = board(4, 5);
    let reached = after(start.notation().parse_position("4/P2p/4/4/4 w").unwrap(), "a4a5");
    assert_eq!(reached.outcome(), Some(Outcome::Win(Side::First)));
    assert!(reached.parse_move("d4d3").is_err());
    let taken = after(start.notation().parse_position("4/4/p3/1P2/4 b").unwrap(), "a3xb2");
    assert_eq!(taken.outcome(), Some(Outcome::Win(Side::Second)));
    assert_eq!(start.outcome(), None);
}

#[test]
fn random_moves_are_uniform_and_playouts_exact() {
    walks::check_random_moves(&after(board(8, 8), "e2e3 d7d6 e3e4 d6d5"));
    walks::check_random_moves(&after(wide(18, 6), "r2r3 a5a4 b2b3"));
    walks::check_playouts(&board(8, 8), 100);
    walks::check_playouts(&after(board(5, 6), "a2b3"), 200);
    walks::check_playouts(&wide(15, 6), 100);
    walks::check_playouts(&after(wide(7, 18), "a2b3"), 40);
    walks::check_slots(&board(6, 6), 20);
    walks::check_slots(&wide(18, 7), 5);
}

#[test]
fn wins_come_before_rescues_captures_and_progress() {
    let check = |fen: &str, order: &[&str]| {
        let position = board(4, 6).notation().parse_position(fen).unwrap();
        let hints: Vec<i32> = order
            .iter()
            .map(|t| position.knowledge().order_hint(position.parse_move(t).unwrap()))
            .collect();
        assert!(hints.is_sorted_by(|a, b| a > b), "{order:?} {hints:?}");
    };
    check("4/P3/1p2/P2p/3p/2P1 w", &["a5a6", "c1d2", "a3b4", "a3a4", "c1c2"]);
    check("2p1/3P/3P/1P2/p3/4 b", &["a2a1", "c6d5", "c6c5"]);
    check("4/4/1p2/P3/4/4 w", &["a3b4", "a3a4"]);
}

#[test]
fn game_texts() {
    for text in ["breakthrough", "breakthrough:6x6", "breakthrough:18x6", "breakthrough:2x4"] {
        assert_eq!(AnyGame::parse(text).unwrap().canonical(), text);
    }
    assert_eq!(AnyGame::parse("breakthrough:8x8").unwrap().canonical(), "breakthrough");
    assert!(shown("breakthrough:16x4").contains("Breakthrough<u64>"));
    assert!(shown("breakthrough:13x5").contains("Breakthrough<u128>"));
    for bad in ["1x8", "8x3", "19x6", "18x8", "8", "8x8x8", "0x0", "-8x8", "8x8,9", "8x8,x=1"] {
        assert!(AnyGame::parse(&format!("breakthrough:{bad}")).is_err(), "{bad}");
    }
}

#[test]
fn diagrams() {
    let position = after(board(3, 4), "b2c3");
    assert_eq!(position.at(2, 2), Some(Side::First));
    assert_eq!(
        position.notation().diagram(Charset::Ascii),
        " 4 B B B\n 3 B B W\n 2 W . W\n 1 W W W\n   a b c"
    );
    assert_eq!(
        position.notation().diagram(Charset::Unicode),
        " 4 ● ● ●\n 3 ● ● ○\n 2 ○ · ○\n 1 ○ ○ ○\n   a b c"
    );
}
