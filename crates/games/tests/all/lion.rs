//! Catch the Lion: rules, notation, speed-ups.

use crate::walks;
use treegraft::{
    Charset, Ending, Game, Knowledge, Notation, Outcome, Playthrough, Reason, Rng, Side, perft,
};
use treegraft_games::lion::Piece;
use treegraft_games::{AnyGame, Lion};

fn start() -> Lion {
    Lion::new(400).expect("a game")
}

fn fen(text: &str) -> Lion {
    start().notation().parse_position(text).expect("a position")
}

fn after(start: Lion, moves: &str) -> Lion {
    let mut game = Playthrough::new(start);
    game.play_text(moves).expect("legal moves");
    *game.position()
}

#[test]
fn perft_agrees_with_other_programs() {
    let middle = "b1c2 b3b2 a1b2 C@c3 C@a2 c4b3 c2c3 b4c4 c3c2 c4b4 b2a3 b3a2 a3b2 b4c4 c2b1 a4b4 \
                  C@b3 b4a4 b2a3 a4a3 b3b4+ a3b3 b1a2 C@a4 E@b1 E@c3";
    let late = "b2b3 b4a3 b3b4+ a3b3 a1b2 b3b2 C@a3 E@a1 b4c4 b2b3 c4b4 b3c4 E@b3 a4a3 b3c2 a3b3 \
                c2b3 c4c3 b4a4 c3b4 G@c2 C@a3 b3a2 b4c3 b1a1 c3c4 E@b2 c4b3 a1b1 a3a2 b1a1 E@c4 \
                a4a3 b3b4 a3b3 b4a3 c2c3 a3a4 c1c2 a4a3 c3c4 a3b2";
    for (moves, counts) in [
        ("", &[4, 17, 123, 976, 8_122, 70_628, 623_381][..]),
        (middle, &[9, 51, 493, 3_560, 34_643, 256_477]),
        (late, &[19, 219, 2_407, 23_531, 256_053]),
    ] {
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(perft(&after(start(), moves), depth), count, "{moves} {depth}");
        }
    }
}

#[test]
fn texts_are_read_back() {
    walks::check_notation(&start(), 300);
    assert_eq!(start().notation().position_text().as_deref(), Some("gle/1c1/1C1/ELG[-] w"));
    assert_eq!(start().notation().parse_position("gle/1c1/1C1/ELG[] w - - 0 1"), Ok(start()));
    // The limit on plies is a rule, not part of the text.
    let short = Lion::new(30).expect("a game");
    assert_eq!(short.notation().parse_position("gle/1c1/1C1/ELG[-] w"), Ok(short));
}

#[test]
fn moves_have_several_spellings() {
    let drops = after(start(), "b2b3 c4b3 c1c2");
    assert_eq!(drops.notation().parse_move("C*a2"), drops.notation().parse_move("C@a2"));
    assert_eq!(drops.notation().parse_move("c@a2"), drops.notation().parse_move("C@a2"));
    let promotion = fen("g1e/lC1/3/ELG[c] w");
    assert_eq!(promotion.notation().parse_move("b3b4+"), promotion.notation().parse_move("b3b4"));
    let promoted = after(promotion, "b3b4+");
    assert_eq!(promoted.at(1, 3), Some((Side::First, Piece::Chicken)));
    for bad in [
        "", "b", "b3", "b3b", "b3b3", "b3b5", "b3d4", "b3a4", "b1b3", "a4a3", "C@c2", "c@c2",
        "G@c2", "C@", "@c2", "L@c2", "+C@c2", "b1b2+", "b3b4++", "b3b4=", "B3B4", "b3b4 ", "🦁",
        "é@b2", "b3é4",
    ] {
        assert!(promotion.notation().parse_move(bad).is_err(), "{bad}");
    }
    let black = fen("g1e/lC1/3/ELG[c] b");
    assert!(black.notation().parse_move("C@c2").is_ok());
    for bad in ["C@c2+", "C@b1", "C@b3", "b3b4", "C@d2", "C@c5", "E@c2"] {
        assert!(black.notation().parse_move(bad).is_err(), "{bad}");
    }
}

#[test]
fn impossible_positions_are_refused() {
    for bad in [
        "",
        "gle/1c1/1C1/ELG[-]",
        "gle/1c1/1C1/ELG w",
        "gle/1c1/1C1/ELG[-] x",
        "gle/1c1/1C1/ELG[-] w junk",
        "gle/1c1/1C1/ELG[ w",
        "gle/1c1/1C1/ELG] w",
        "gle/1c1/ELG[-] w",
        "gle/1c1/1C1/EL[-] w",
        "gle/1c1/1C1/ELGG[-] w",
        "gle/1c1/1C1/ELG[C] w",
        "gle/1c1/1C1/ELG[x] w",
        "gle/1c1/3/ELG[-] w",
        "gle/1c1/3/ELG[+C] w",
        "gl1/1c1/1C1/ELG[-] w",
        "gLe/1c1/1C1/ElG[-] w",
        "g1e/1c1/1C1/ELG[-] w",
        "g1e/1c1/1C1/ELG[l] b",
        "g1e/1c1/1C1/ELG[L] w",
        "gLe/1c1/lC1/E1G[-] w",
        "gLe/1c1/1C1/ElG[-] b",
        "GE1/LGE/CCl/3[-] w",
        "3/Lcc/egl/1eg[-] b",
        "+gle/1c1/1C1/ELG[-] w",
        "gle/1c1/1C1/+LEG[-] w",
        "gle/1c1/1C1/ELG[CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC] w",
        "🦁/🦁/🦁/🦁[🦁] 🦁",
    ] {
        let error = start().notation().parse_position(bad).expect_err(bad).to_string();
        assert!(error.contains("gle/1c1/1C1/ELG[-] w"), "{error}");
    }
    assert!(
        start()
            .notation()
            .parse_position(&format!("gle/1c1/1C1/ELG[{}] w", "c".repeat(70_000)))
            .is_err()
    );
}

#[test]
fn games_end_with_a_captured_or_returned_lion() {
    // The Lion in hand shows who captured it.
    let captured = after(fen("g1e/lC1/G2/EL1[c] w"), "a2a3");
    assert_eq!(captured.outcome(), Some(Outcome::Win(Side::First)));
    assert_eq!(captured.notation().position_text().as_deref(), Some("g1e/GC1/3/EL1[Lc] b"));
    assert_eq!(captured.in_hand(Side::First, Piece::Lion), 1);
    assert!(captured.notation().parse_move("a4a3").is_err());
    // The far row wins at once, even where the Lion could be captured.
    let home = after(fen("g1e/1Lc/2l/E1G[C] w"), "b3b4");
    assert_eq!(home.outcome(), Some(Outcome::Win(Side::First)));
    let home = after(fen("g1e/1Lc/2l/E1G[C] b"), "c2b1");
    assert_eq!(home.outcome(), Some(Outcome::Win(Side::Second)));
}

#[test]
fn captured_chickens_and_dropped_chicks_are_chicks() {
    let position = after(fen("g1e/lC1/3/ELG[c] w"), "b3b4 a3b4");
    assert_eq!(position.in_hand(Side::Second, Piece::Chick), 2);
    // A Chick dropped on the last row stays there and cannot move, and two in hand are one move.
    let dropping = after(position, "b1b2");
    let mut moves = Vec::new();
    dropping.moves(&mut moves);
    assert_eq!(moves.iter().filter(|mv| mv.dropped().is_some()).count(), 6);
    let dropped = after(dropping, "C@b1 b2a2");
    assert_eq!(dropped.at(1, 0), Some((Side::Second, Piece::Chick)));
    let mut moves = Vec::new();
    dropped.moves(&mut moves);
    assert!(moves.iter().all(|mv| mv.from() != Some((1, 0))));
}

#[test]
fn random_moves_are_uniform_and_playouts_exact() {
    let drops = fen("1ge/l2/cGL/E2[C] w");
    walks::check_random_moves(&start());
    walks::check_random_moves(&drops);
    walks::check_playouts(&start(), 2_000);
    walks::check_playouts(&after(start(), "b2b3"), 200);
    walks::check_playouts(&drops, 200);
    walks::check_slots(&start(), 100);
}

#[test]
fn played_games_and_playouts_have_a_limit() {
    let short = Lion::new(2).expect("a game");
    let mut game = Playthrough::new(short);
    game.play_text("b1a2 b4a3").unwrap();
    let ending = Ending { outcome: Outcome::Draw, reason: Reason::TooLong };
    assert_eq!(game.ending(), Some(ending));
    let playout = treegraft::playout(
        &mut { short },
        &mut Rng::new(1),
        &mut Vec::new(),
        short.limits().playout_plies,
        None,
    );
    assert!(playout.capped && playout.plies == 2);
}

#[test]
fn wins_come_before_captures_and_promotions() {
    let check = |text: &str, order: &[&str]| {
        let position = fen(text);
        let hints: Vec<i32> = order
            .iter()
            .map(|t| position.knowledge().order_hint(position.notation().parse_move(t).unwrap()))
            .collect();
        assert!(hints.is_sorted_by(|a, b| a > b), "{order:?} {hints:?}");
    };
    check("g1e/lC1/G2/EL1[c] w", &["a2a3", "b3b4", "a2b2"]);
    check("g1e/1Lc/2l/E1G[C] w", &["b3b4", "b3c3", "b3b2", "C@b1"]);
}

#[test]
fn game_texts() {
    for text in ["lion", "lion:max-plies=1", "lion:max-plies=100000"] {
        assert_eq!(AnyGame::parse(text).unwrap().canonical(), text);
    }
    assert_eq!(AnyGame::parse("lion:max-plies=400").unwrap().canonical(), "lion");
    for bad in ["", "3x4", "max-plies", "max-plies=", "max-plies=0", "max-plies=100001", "x=1"] {
        assert!(AnyGame::parse(&format!("lion:{bad}")).is_err(), "{bad}");
    }
    for bad in ["+7", "-1", "1e3", "99999999999999999999", "é"] {
        assert!(AnyGame::parse(&format!("lion:max-plies={bad}")).is_err(), "{bad}");
    }
}

#[test]
fn diagrams() {
    let position = fen("g1e/el1/1L1/+c+c1[g] b");
    assert_eq!(
        position.notation().diagram(Charset::Ascii),
        "Gote in hand: g\n4   g   .   e\n3   e   l   .\n2   .   L   .\n1  +c  +c   .\n    a   b   c\n\
         Sente in hand: -"
    );
    assert_eq!(
        position.notation().diagram(Charset::Unicode),
        "Gote in hand: g\n4  ▽G   ·  ▽E\n3  ▽E  ▽L   ·\n2   ·  ▲L   ·\n1 ▽+C ▽+C   ·\n    a   b   c\n\
         Sente in hand: -"
    );
}
