//! Rules that a count of moves hardly shows: rare endings, captures, passes, and notation.

use treegraft::{Exactness, Game, Notation, Outcome, Playthrough, Side};
use treegraft_plain::lion::Kind;
use treegraft_plain::loa::{NoMove, Simultaneous};
use treegraft_plain::{Breakthrough, Connect4, Hex, Kalah, Lion, Loa, Othello, Square};

fn after<G: Game>(start: G, moves: &str) -> G {
    let mut game = Playthrough::new(start);
    if let Err(error) = game.play_text(moves) {
        panic!("{error}");
    }
    game.position().clone()
}

fn move_texts<G: Game>(position: &G) -> Vec<String> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves.into_iter().map(|mv| position.notation().move_text(mv)).collect()
}

#[test]
fn connect4_ends_with_four_or_a_full_board() {
    let first_wins = Some(Outcome::Win(Side::First));
    assert_eq!(after(Connect4::new(7, 6), "1 2 1 2 1 2 1").outcome(), first_wins);
    assert_eq!(after(Connect4::new(7, 6), "1 1 2 2 3 3 4").outcome(), first_wins);
    assert_eq!(after(Connect4::new(7, 6), "1 2 2 3 3 4 3 4 4 7 4").outcome(), first_wins);
    assert_eq!(after(Connect4::new(2, 2), "1 2 1 2").outcome(), Some(Outcome::Draw));
}

#[test]
fn breakthrough_is_won_by_taking_every_piece() {
    let start = Breakthrough::new(2, 4);
    assert_eq!(start.notation().position_text().unwrap(), "pp/pp/PP/PP w");
    let one_left = after(start.clone(), "a2b3 a3a2 b1a2 a4b3 a2b3 b4a3");
    assert_eq!(
        (one_left.notation().position_text().unwrap().as_str(), one_left.outcome()),
        ("2/pP/1P/P1 w", None)
    );
    let none_left = after(one_left, "b2a3");
    assert_eq!(none_left.notation().position_text().unwrap(), "2/PP/2/P1 b");
    assert_eq!(none_left.outcome(), Some(Outcome::Win(Side::First)));
    // A piece on the enemy's home row wins whatever else there is.
    let through = after(start, "a2b3 a3b2 b3a4");
    assert_eq!(through.outcome(), Some(Outcome::Win(Side::First)));
    assert_eq!(through.at(0, 3), Some(Side::First));
}

#[test]
fn breakthrough_numbers_of_empty_squares_may_have_two_digits() {
    let text = after(Breakthrough::new(12, 6), "a2a3 l5l4").notation().position_text().unwrap();
    assert_eq!(text, "pppppppppppp/ppppppppppp1/11p/P11/1PPPPPPPPPPP/PPPPPPPPPPPP w");
}

#[test]
fn othello_starts_as_usual_and_ends_when_nobody_can_place() {
    let start = Othello::new(8);
    let (d, e, row4, row5) = (3, 4, 3, 4);
    assert_eq!(start.at(e, row4), Some(Side::First));
    assert_eq!(start.at(d, row5), Some(Side::First));
    assert_eq!(start.at(d, row4), Some(Side::Second));
    assert_eq!(start.at(e, row5), Some(Side::Second));
    assert_eq!(move_texts(&start), ["d3", "c4", "f5", "e6"]);
    assert_eq!(Othello::new(4).notation().position_text().unwrap(), "-----OX--XO----- X");
    // The shortest wipe-out: nine moves, all discs black, the empty cells count for neither side.
    let moves = "e6f4e3f6g5d6e7f5c5";
    let wiped_out = after(start, moves);
    assert_eq!(wiped_out.outcome(), Some(Outcome::Win(Side::First)));
    assert_eq!(wiped_out.exactness().margin(), Some(13));
    let taking = after(Othello::new(8).winner_takes_empties(), moves);
    assert_eq!(taking.exactness().margin(), Some(64));
}

#[test]
fn lion_wins_by_reaching_the_far_row_even_if_it_can_be_captured() {
    let start = Lion::new(400);
    assert_eq!(start.notation().position_text().unwrap(), "gle/1c1/1C1/ELG[-] w");
    let game = after(start, "b2b3 b4b3 b1b2 b3c3 b2b3 c3c2 b3b4");
    assert_eq!(game.notation().position_text().unwrap(), "gLe/3/2l/E1G[Cc] b");
    assert_eq!(game.outcome(), Some(Outcome::Win(Side::First)));
}

#[test]
fn lion_chicks_promote_by_moving_only_and_chickens_are_captured_as_chicks() {
    let promoted = after(Lion::new(400), "b2b3 b4a3 b3b4");
    assert_eq!(promoted.at(1, 3), Some((Side::First, Kind::Chicken)));
    assert_eq!(promoted.notation().position_text().unwrap(), "g+Ce/l2/3/ELG[C] b");
    let captured = after(promoted, "a3b4");
    assert_eq!(captured.in_hand(Side::Second, Kind::Chick), 1);
    // Dropped on the far row a Chick stays a Chick, and cannot move.
    let dropped = after(captured, "c1c2 C@c1 a1b2");
    assert_eq!(dropped.at(2, 0), Some((Side::Second, Kind::Chick)));
    assert_eq!(dropped.notation().position_text().unwrap(), "gle/3/1EG/1Lc[C] b");
    assert!(move_texts(&dropped).iter().all(|text| !text.starts_with("c1")));
}

#[test]
fn hex_second_player_may_swap_once() {
    let opened = after(Hex::new(3, true), "b1");
    assert_eq!(move_texts(&opened).last().unwrap(), "swap");
    let swapped = after(opened.clone(), "swap");
    assert_eq!(swapped.at(1, 0), None);
    assert_eq!(swapped.at(0, 1), Some(Side::Second));
    assert_eq!(swapped.to_move(), Side::First);
    assert!(!move_texts(&swapped).contains(&"swap".to_owned()));
    assert!(!move_texts(&after(swapped, "a1")).contains(&"swap".to_owned()));
    assert!(!move_texts(&after(opened, "a1 a2")).contains(&"swap".to_owned()));
    assert!(!move_texts(&after(Hex::new(3, false), "b1")).contains(&"swap".to_owned()));
}

#[test]
fn hex_joins_top_with_bottom_and_left_with_right() {
    let first = after(Hex::new(3, false), "c1 a1 b2 b1 a3");
    assert_eq!(first.outcome(), Some(Outcome::Win(Side::First)));
    // The other diagonal does not touch.
    assert_eq!(after(Hex::new(3, false), "a1 c1 b2 b1 c3").outcome(), None);
    let second = after(Hex::new(3, false), "a1 a2 b1 b2 c3 c2");
    assert_eq!(second.outcome(), Some(Outcome::Win(Side::Second)));
}

fn kalah(first: [u32; 6], second: [u32; 6], capture_empty: bool) -> Kalah {
    Kalah::from_parts([first.to_vec(), second.to_vec()], [0, 0], Side::First, capture_empty)
}

fn side_of(position: &Kalah, side: Side) -> (Vec<u32>, u32) {
    ((0..position.houses()).map(|i| position.house(side, i)).collect(), position.store(side))
}

#[test]
fn kalah_captures_into_the_store() {
    let captured = after(kalah([1, 0, 0, 0, 0, 2], [1, 1, 1, 1, 7, 1], true), "1");
    assert_eq!(side_of(&captured, Side::First), (vec![0, 0, 0, 0, 0, 2], 8));
    assert_eq!(side_of(&captured, Side::Second), (vec![1, 1, 1, 1, 0, 1], 0));
    assert_eq!(captured.to_move(), Side::Second);
    // With nothing opposite, the rules differ about the last seed itself.
    for (capture_empty, houses, store) in
        [(true, [0, 0, 0, 0, 0, 2], 1), (false, [0, 1, 0, 0, 0, 2], 0)]
    {
        let moved = after(kalah([1, 0, 0, 0, 0, 2], [1, 1, 1, 1, 0, 1], capture_empty), "1");
        assert_eq!(side_of(&moved, Side::First), (houses.to_vec(), store));
    }
}

#[test]
fn kalah_sows_around_the_enemy_store_and_captures_where_it_began() {
    let around = after(kalah([0, 0, 13, 0, 0, 0], [2, 0, 0, 0, 0, 0], true), "3");
    // One seed everywhere but in the enemy's store; the last one, and the one opposite, captured.
    assert_eq!(side_of(&around, Side::First), (vec![1, 1, 0, 1, 1, 1], 3));
    assert_eq!(side_of(&around, Side::Second), (vec![3, 1, 1, 0, 1, 1], 0));
}

#[test]
fn kalah_gives_another_turn_and_ends_when_either_side_is_empty() {
    let again = after(kalah([0, 0, 0, 0, 2, 1], [1, 1, 1, 1, 1, 4], true), "6");
    assert_eq!((again.to_move(), again.store(Side::First)), (Side::First, 1));
    let over = after(kalah([0, 0, 0, 0, 0, 1], [1, 1, 1, 1, 1, 4], true), "6");
    assert_eq!(
        (over.exactness().margin(), over.outcome()),
        (Some(-8), Some(Outcome::Win(Side::Second)))
    );
    assert_eq!(side_of(&over, Side::Second), (vec![0; 6], 9));
    // The side that is not to move may be the empty one.
    let over = after(kalah([1, 0, 0, 0, 0, 3], [0, 0, 0, 0, 1, 0], true), "1");
    assert_eq!(over.exactness().margin(), Some(5));
}

fn loa(simultaneous: Simultaneous, no_move: NoMove, black: &[Square], white: &[Square]) -> Loa {
    Loa::new(simultaneous, no_move, Some(3)).with_pieces(black, white, Side::First)
}

#[test]
fn loa_moves_that_connect_both_sides() {
    // b4 takes the white piece on d4 (two pieces on the row, and two squares to go).
    let (black, white) = ([(1, 3), (4, 4)], [(3, 3), (7, 7)]);
    let rules =
        [(Simultaneous::Draw, Outcome::Draw), (Simultaneous::MoverWins, Outcome::Win(Side::First))];
    for (simultaneous, outcome) in rules {
        let start = loa(simultaneous, NoMove::Pass, &black, &white);
        assert_eq!(after(start, "b4d4").outcome(), Some(outcome));
    }
    // A capture that connects only the enemy loses.
    let start = loa(Simultaneous::MoverWins, NoMove::Pass, &[(1, 3), (6, 6)], &white);
    assert_eq!(after(start, "b4d4").outcome(), Some(Outcome::Win(Side::Second)));
}

#[test]
fn loa_side_without_a_move_passes_or_loses() {
    // Every line of the corners is blocked by White two squares away or leads off the board.
    let black = [(0, 0), (7, 7)];
    let white = [(1, 0), (1, 1), (0, 1), (6, 7), (6, 6), (7, 6)];
    let passing = loa(Simultaneous::Draw, NoMove::Pass, &black, &white);
    assert_eq!(passing.outcome(), None);
    assert_eq!(move_texts(&passing), ["pass"]);
    assert_eq!(after(passing, "pass").to_move(), Side::Second);
    let losing = loa(Simultaneous::Draw, NoMove::Loss, &black, &white);
    assert_eq!(losing.outcome(), Some(Outcome::Win(Side::Second)));
}
