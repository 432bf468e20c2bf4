//! Lines of Action: rules, notation, and fast playouts against slow ones.

use crate::starts::shown;
use crate::statistics;
use treegraft::{
    Charset, Game, Knowledge, Notation, Outcome, Playthrough, Reason, Side, Speed, perft,
};
use treegraft_games::AnyGame;
use treegraft_games::loa::{Loa, LoaMove, LoaRules, NoMove, Simultaneous};

fn loa() -> Loa {
    Loa::new(LoaRules::default())
}

fn at(rules: LoaRules, text: &str) -> Loa {
    Loa::new(rules).notation().parse_position(text).expect("a position")
}

fn after(position: Loa, mv: &str) -> Loa {
    let mut next = position;
    next.play(position.notation().parse_move(mv).expect("a legal move"));
    next
}

/// White's two pieces cannot move, and neither side is connected.
const BLOCKED: &str = "6BW/6BB/8/8/8/8/BB6/WB6 w";

#[test]
fn perft_counts() {
    let mut game = Playthrough::new(loa());
    let counts = |position: &Loa| [1, 2, 3].map(|depth| perft(position, depth));
    assert_eq!(counts(game.position()), [36, 1244, 44_952]);
    let moves = "c8a6 a4c4 b1h1 h6f4 e1e3 a3c5 e8d7 c5e7 d7d4 h3g4 c1b2 h2e5 g8g5 g4g1 d4d7 h7g6 \
                 d1d4 h5g4 d7e8 f4c7";
    game.play_text(moves).unwrap();
    assert_eq!(counts(game.position()), [28, 989, 28_805]);
}

#[test]
fn movement() {
    // Three pieces on the row: d1 goes three squares, over its own piece, onto the enemy.
    let position = at(LoaRules::default(), "7B/8/8/8/8/7W/8/W1BB4 b");
    let captured = after(position, "d1xa1");
    assert_eq!(captured.notation().position_text().unwrap(), "7B/8/8/8/8/7W/8/B1B5 w");
    assert_eq!(position.notation().parse_move("d1a1"), position.notation().parse_move("d1-a1"));
    // Not over an enemy, not onto an own piece, not off the board, not another distance.
    let position = at(LoaRules::default(), "7B/8/8/8/8/7W/8/BWB4B b");
    for bad in ["c1g1x", "a1e1", "c1a1", "h1a1", "c1b1", "c1d1"] {
        assert!(position.notation().parse_move(bad).is_err(), "{bad}");
    }
    assert!(position.notation().parse_move("h1d1").is_ok());
    assert!(position.notation().parse_move("h1xd1").is_err(), "nothing to capture");
}

#[test]
fn connection_wins_for_whoever_is_connected() {
    let rules = LoaRules::default();
    let start = loa();
    assert_eq!(start.outcome(), None);
    // By an own move, and by the loss of a stray piece.
    let own = at(rules, "8/8/8/W7/8/8/B6W/2B5 b");
    assert_eq!(after(own, "c1b1").outcome(), Some(Outcome::Win(Side::First)));
    let theirs = at(rules, "7B/8/8/4W3/4W3/8/8/W1B5 b");
    assert_eq!(after(theirs, "c1a1").outcome(), Some(Outcome::Win(Side::Second)));
    // A single piece is connected.
    let single = at(rules, "7B/8/8/8/8/8/8/W1B4W b");
    assert_eq!(single.outcome(), None);
    let single = at(rules, "7B/8/8/8/8/8/8/W1B5 b");
    assert_eq!(single.outcome(), Some(Outcome::Win(Side::Second)));
}

#[test]
fn simultaneous_connection_is_a_rule() {
    let text = "8/8/8/4W3/4W3/8/B7/W1B5 b";
    let end = |simultaneous| {
        after(at(LoaRules { simultaneous, ..LoaRules::default() }, text), "c1xa1").outcome()
    };
    assert_eq!(end(Simultaneous::Draw), Some(Outcome::Draw));
    assert_eq!(end(Simultaneous::Mover), Some(Outcome::Win(Side::First)));
}

#[test]
fn having_no_move_is_a_rule() {
    let rules = LoaRules::default();
    let blocked = at(rules, BLOCKED);
    let mut moves = Vec::new();
    blocked.moves(&mut moves);
    assert_eq!((blocked.outcome(), moves), (None, vec![LoaMove::PASS]));
    assert_eq!(blocked.notation().move_text(LoaMove::PASS), "pass");
    assert_eq!(
        after(blocked, "pass").notation().position_text().unwrap(),
        BLOCKED.replace(" w", " b")
    );
    assert!(loa().notation().parse_move("pass").is_err());
    let lost = at(LoaRules { no_move: NoMove::Loss, ..rules }, BLOCKED);
    assert_eq!(lost.outcome(), Some(Outcome::Win(Side::First)));
}

#[test]
fn repetition_is_a_rule() {
    let ending = |repetition, cycles: usize| {
        let mut game = Playthrough::new(Loa::new(LoaRules { repetition, ..LoaRules::default() }));
        game.play_text(&"b1b3 h2f2 b3b1 f2h2 ".repeat(cycles)).unwrap();
        game.ending().map(|end| (end.outcome, end.reason))
    };
    let drawn = Some((Outcome::Draw, Reason::Repetition));
    assert_eq!((ending(Some(3), 1), ending(Some(3), 2)), (None, drawn));
    assert_eq!((ending(Some(2), 1), ending(Some(4), 2), ending(None, 9)), (drawn, None, None));
}

#[test]
fn game_texts() {
    let canonical = |text: &str| AnyGame::parse(text).map(|game| game.canonical().to_owned());
    for (text, expected) in [
        ("loa", "loa"),
        ("loa:simultaneous=draw,no-move=pass,repetition=3", "loa"),
        (
            "loa:repetition=off,no-move=loss,simultaneous=mover",
            "loa:simultaneous=mover,no-move=loss,repetition=off",
        ),
        ("loa:repetition=255", "loa:repetition=255"),
    ] {
        assert_eq!(canonical(text).as_deref(), Ok(expected));
        assert_eq!(shown(text), shown(expected));
    }
    for bad in [
        "loa:",
        "loa:8",
        "loa:8x8",
        "loa:simultaneous=both",
        "loa:no-move=",
        "loa:repetition=1",
        "loa:repetition=0",
        "loa:repetition=+3",
        "loa:repetition=256",
        "loa:repetition=🦁",
        "loa:colour=red",
    ] {
        let error = canonical(bad).expect_err(bad).to_string();
        assert!(error.contains(bad) && error.contains("simultaneous=draw|mover"), "{error}");
    }
}

#[test]
fn notation_round_trips() {
    statistics::assert_notation_round_trips(&loa(), 20, 400);
    let white = at(LoaRules::default(), "1BBBBBB1/W6W/W6W/W6W/W6W/W6W/W6W/1BBBBBB1 w");
    assert_ne!(white, loa());
    assert_ne!(white.speed().key(), loa().speed().key());
}

#[test]
fn bad_texts_are_errors() {
    let huge = "a1".repeat(5_000);
    for bad in [
        "", "b1", "b1b", "b1b3 ", " b1b3", "b1b3b", "b1--b3", "B1B3", "b1b4", "b1x", "b1xb3",
        "a1a1", "i1i3", "b9b1", "b1b33", "pass", "🦁b1b3", "b1🦁", &huge,
    ] {
        let error = loa().notation().parse_move(bad).expect_err(bad).to_string();
        assert!(error.contains("b1h1"), "{error}");
    }
    let over = at(LoaRules::default(), "7B/8/8/8/8/8/8/W1B5 b");
    assert!(over.notation().parse_move("c1b1").expect_err("over").to_string().contains("over"));
    for bad in [
        "",
        "1BBBBBB1/W6W/W6W/W6W/W6W/W6W/W6W/1BBBBBB1",
        "1BBBBBB1/W6W/W6W/W6W/W6W/W6W/W6W/1BBBBBB1 x",
        "1BBBBBB1/W6W/W6W/W6W/W6W/W6W/1BBBBBB1 b",
        "1BBBBBB1/W6W/W6W/W6W/W6W/W6W/W6W/1BBBBBB1/8 b",
        "1BBBBBB1/W6W/W6W/W6W/W6W/W6W/W7W/1BBBBBB1 b",
        "1BBBBBB1/W6W/W6W/W6W/W6W/W6W/W5W/1BBBBBB1 b",
        "1BBBBBB1/W6W/W6W/W6W/W6W/W6W/W6W/1BBBBBBB b",
        "1BBBBBB1/W6W/W6W/W6W/W6W/W6W/W6W/WBBBBBB1 b",
        "1BBBBBB1/8/8/8/8/8/8/1BBBBBB1 b",
        "8/8/8/8/8/8/8/8 b",
        "1bbbbbb1/w6w/w6w/w6w/w6w/w6w/w6w/1bbbbbb1 b",
        "0BBBBBB2/W6W/W6W/W6W/W6W/W6W/W6W/1BBBBBB1 b",
        "1🦁BBBBB1/W6W/W6W/W6W/W6W/W6W/W6W/1BBBBBB1 b",
        &huge,
    ] {
        let error = loa().notation().parse_position(bad).expect_err(bad).to_string();
        assert!(error.contains("1BBBBBB1/W6W"), "{error}");
    }
}

#[test]
fn moves_are_numbered_and_ordered() {
    let mut moves = Vec::new();
    loa().moves(&mut moves);
    let slots: std::collections::HashSet<usize> =
        moves.iter().map(|&mv| loa().speed().move_slot(mv)).collect();
    assert_eq!(slots.len(), moves.len());
    assert!(slots.iter().all(|&slot| slot < loa().speed().move_slots()));
    assert!(!slots.contains(&loa().speed().move_slot(LoaMove::PASS)));
    let hint =
        |text: &str| loa().knowledge().order_hint(loa().notation().parse_move(text).unwrap());
    assert!(hint("b1b3") > hint("b1h1"));
}

#[test]
fn diagrams() {
    let text = at(LoaRules::default(), BLOCKED).notation().diagram(Charset::Ascii);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "8 . . . . . . B W");
    assert_eq!(lines[7..], ["1 W B . . . . . .", "  a b c d e f g h"]);
    assert!(loa().notation().diagram(Charset::Unicode).starts_with("8 · ● ● ● ● ● ● ·\n7 ○ "));
}

#[test]
fn random_moves_are_uniform() {
    statistics::assert_uniform(&loa(), 1_000);
    statistics::assert_uniform(&at(LoaRules::default(), "6BW/6BB/8/8/8/8/BB6/W6W w"), 1_000);
    statistics::assert_uniform(&at(LoaRules::default(), BLOCKED), 10);
}

#[test]
fn fast_playouts_agree_with_slow_ones() {
    let rules = LoaRules::default();
    statistics::assert_playouts_agree(&loa(), loa().limits().playout_plies, 3_000);
    // Few pieces: both sides are often connected at once, and blocked sides are common.
    for text in ["7B/8/2W5/8/5W2/8/B7/W1B5 b", BLOCKED] {
        statistics::assert_playouts_agree(&at(rules, text), 60, 20_000);
        let strict = LoaRules { simultaneous: Simultaneous::Mover, no_move: NoMove::Loss, ..rules };
        statistics::assert_playouts_agree(&at(strict, text), 60, 20_000);
        statistics::assert_playouts_agree(&at(strict, text), 3, 20_000);
    }
}
