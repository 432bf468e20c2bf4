//! Kalah: rules, notation, and fast playouts against slow ones.

use crate::starts::shown;
use crate::statistics;
use std::collections::HashMap;

use treegraft::{Charset, Exactness, Game, Knowledge, Notation, Outcome, Rng, Side, Speed, perft};
use treegraft_games::{AnyGame, Kalah};

fn kalah(capture_empty: bool) -> Kalah {
    Kalah::new(6, 4, capture_empty).expect("the usual board")
}

fn at(text: &str) -> Kalah {
    kalah(true).notation().parse_position(text).expect("a position")
}

/// The position after one move, as text.
fn after(position: Kalah, mv: &str) -> String {
    let mut next = position;
    next.play(position.notation().parse_move(mv).expect("a legal move"));
    next.notation().position_text().expect("a notation")
}

#[test]
fn perft_counts() {
    let counts = |game: Kalah| (1..=7).map(|depth| perft(&game, depth)).collect::<Vec<_>>();
    assert_eq!(counts(kalah(true))[..6], [6, 35, 185, 942, 4685, 23_169]);
    assert_eq!(counts(kalah(false)), [6, 35, 185, 942, 4690, 23_233, 114_430]);
    let small = Kalah::new(3, 3, false).unwrap();
    assert_eq!(counts(small), [3, 8, 19, 48, 120, 280, 610]);
    assert_eq!((perft(&small, 36), perft(&small, 37)), (47, 0));
    let large = Kalah::new(6, 6, false).unwrap();
    assert_eq!(counts(large), [6, 35, 190, 1056, 5882, 32_243, 177_827]);
}

/// Exact margins, found by an independent solver.
#[test]
fn solved_boards() {
    fn solve(position: &Kalah, known: &mut HashMap<Kalah, i64>) -> i64 {
        if let Some(margin) = position.exactness().margin() {
            return margin;
        }
        if let Some(&value) = known.get(position) {
            return value;
        }
        let sign = position.to_move().sign();
        let values = move_values(position, known).into_iter().map(|value| value * sign);
        let best = values.max().expect("a move") * sign;
        known.insert(*position, best);
        best
    }
    fn move_values(position: &Kalah, known: &mut HashMap<Kalah, i64>) -> Vec<i64> {
        let mut moves = Vec::new();
        position.moves(&mut moves);
        let value = |&mv: &u8| {
            let mut next = *position;
            next.play(mv);
            solve(&next, known)
        };
        moves.iter().map(value).collect()
    }
    let solved: [(u32, u32, &[i64]); 9] = [
        (1, 1, &[0]),
        (1, 3, &[6]),
        (1, 5, &[2]),
        (2, 1, &[-2, 2]),
        (2, 3, &[-2, -4]),
        (2, 5, &[6, -2]),
        (3, 3, &[2, 2, -6]),
        (5, 1, &[0, 0, 0, -4, 0]),
        (6, 1, &[0, 0, 0, -2, -2, 2]),
    ];
    for (houses, stones, values) in solved {
        let start = Kalah::new(houses, stones, true).unwrap();
        assert_eq!(move_values(&start, &mut HashMap::new()), values, "kalah:{houses},{stones}");
    }
}

/// The rules stone by stone, in the order of the pits: the mover's houses, its store,
/// the other side's.
fn slow_play(position: &Kalah, house: usize, capture_empty: bool) -> (Vec<u32>, bool) {
    let houses = position.houses() as usize;
    let (me, you) = (position.to_move(), position.to_move().other());
    let row = |side| (0..houses as u32).map(move |house| position.at(side, house));
    let mut pits: Vec<u32> = row(me).chain([position.store(me)]).chain(row(you)).collect();
    let mut your_store = position.store(you);
    let mut last = house;
    for _ in 0..std::mem::take(&mut pits[house]) {
        last = (last + 1) % pits.len();
        pits[last] += 1;
    }
    let opposite = 2 * houses - last.min(houses);
    if last < houses && pits[last] == 1 && (capture_empty || pits[opposite] > 0) {
        pits[houses] += 1 + std::mem::take(&mut pits[opposite]);
        pits[last] = 0;
    }
    if pits[..houses].iter().sum::<u32>() == 0 || pits[houses + 1..].iter().sum::<u32>() == 0 {
        for pit in 0..houses {
            pits[houses] += std::mem::take(&mut pits[pit]);
            your_store += std::mem::take(&mut pits[houses + 1 + pit]);
        }
    }
    pits.push(your_store);
    (pits, last == houses)
}

#[test]
fn sowing_agrees_with_stone_by_stone() {
    let mut rng = Rng::new(11);
    for game in 0..2_000 {
        let houses = 1 + rng.below(8);
        let stones = 1 + rng.below(255 / (2 * houses));
        let capture_empty = game % 2 == 0;
        let mut position = Kalah::random_start(houses, stones, capture_empty, &mut rng).unwrap();
        for _ in 0..60 {
            if position.outcome().is_some() {
                break;
            }
            let me = position.to_move();
            let mv = position.speed().random_move(&mut rng, &mut Vec::new());
            let (pits, again) = slow_play(&position, usize::from(mv), capture_empty);
            position.play(mv);
            let row = |side| (0..houses).map(move |house| position.at(side, house));
            let mine = row(me).chain([position.store(me)]);
            let all: Vec<u32> =
                mine.chain(row(me.other())).chain([position.store(me.other())]).collect();
            assert_eq!(all, pits);
            assert_eq!(position.to_move() == me, again);
            assert_eq!(all.iter().sum::<u32>(), 2 * houses * stones);
        }
    }
}

#[test]
fn rules_in_single_moves() {
    // Last stone in the own store: the same side moves again.
    assert_eq!(after(kalah(true), "3"), "4,4,0,5,5,5:1/4,4,4,4,4,4:0 s");
    // The enemy store is skipped; the last stone captures.
    let position = at("0,0,0,0,1,8:15/1,1,1,1,1,1:18 s");
    assert_eq!(after(position, "6"), "0,0,0,0,1,0:19/2,2,2,2,2,0:18 n");
    // A lap of 13 ends in the house it emptied, and captures what it put opposite.
    let position = at("13,0,0,0,0,1:10/0,0,0,0,0,1:23 s");
    assert_eq!(after(position, "1"), "0,1,1,1,1,2:14/1,1,1,1,1,0:23 n");
    // Capture, and the rest to its owner because the mover has no stones left.
    let position = at("1,0,0,0,0,0:17/1,0,0,0,3,2:24 s");
    assert_eq!(after(position, "1"), "0,0,0,0,0,0:21/0,0,0,0,0,0:27 n");
    // The other side is out of stones: the mover keeps its own.
    let position = at("0,3,0,0,0,1:17/0,0,0,0,0,1:26 n");
    assert_eq!(after(position, "6"), "0,0,0,0,0,0:21/0,0,0,0,0,0:27 n");
}

#[test]
fn capture_empty_is_a_rule() {
    let text = "1,0,0,0,0,1:20/1,0,0,0,0,1:24 s";
    let position = |capture_empty| kalah(capture_empty).notation().parse_position(text).unwrap();
    assert_eq!(after(position(true), "1"), "0,0,0,0,0,1:21/1,0,0,0,0,1:24 n");
    assert_eq!(after(position(false), "1"), "0,1,0,0,0,1:20/1,0,0,0,0,1:24 n");
    assert_ne!(position(true), position(false));
}

#[test]
fn endings_and_margins() {
    let end = |south: u32| at(&format!("0,0,0,0,0,0:{south}/0,0,0,0,0,0:{} n", 48 - south));
    assert_eq!(
        (end(30).outcome(), end(30).exactness().margin()),
        (Some(Outcome::Win(Side::First)), Some(12))
    );
    assert_eq!(
        (end(20).outcome(), end(20).exactness().margin()),
        (Some(Outcome::Win(Side::Second)), Some(-8))
    );
    assert_eq!((end(24).outcome(), end(24).exactness().margin()), (Some(Outcome::Draw), Some(0)));
    assert_eq!((kalah(true).outcome(), kalah(true).exactness().margin()), (None, None));
}

#[test]
fn game_texts() {
    let canonical = |text: &str| AnyGame::parse(text).map(|game| game.canonical().to_owned());
    for (text, expected) in [
        ("kalah", "kalah"),
        ("kalah:6,4", "kalah"),
        ("kalah:6,4,capture-empty=true", "kalah"),
        ("kalah:4,3,capture-empty=false", "kalah:4,3,capture-empty=false"),
        ("kalah:8,12", "kalah:8,12"),
        ("kalah:8,15", "kalah:8,15"),
        ("kalah:1,127", "kalah:1,127"),
        ("kalah:random-start=007", "kalah:random-start=7"),
        (
            "kalah:1,1,random-start=18446744073709551615",
            "kalah:1,1,random-start=18446744073709551615",
        ),
    ] {
        assert_eq!(canonical(text).as_deref(), Ok(expected));
        assert_eq!(shown(text), shown(expected));
    }
    for bad in [
        "kalah:",
        "kalah:6",
        "kalah:0,4",
        "kalah:9,4",
        "kalah:8,16",
        "kalah:6,0",
        "kalah:6,4,1",
        "kalah:6x4",
        "kalah:capture-empty=maybe",
        "kalah:capture-empty=false,6,4",
        "kalah:random-start=-1",
        "kalah:random-start=+1",
        "kalah:random-start=18446744073709551616",
        "kalah:random-start=",
        "kalah:start=1",
    ] {
        let error = canonical(bad).expect_err(bad).to_string();
        assert!(error.contains(bad) && error.contains("kalah:6,4"), "{error}");
    }
}

#[test]
fn random_starts_scatter_the_stones() {
    let mut rng = Rng::new(1);
    let mut sums = [0; 12];
    for _ in 0..2_000 {
        let start = Kalah::random_start(6, 4, true, &mut rng).unwrap();
        assert_eq!((start.to_move(), start.outcome()), (Side::First, None));
        assert_eq!(start.store(Side::First) + start.store(Side::Second), 0);
        for (pit, sum) in sums.iter_mut().enumerate() {
            let side = if pit < 6 { Side::First } else { Side::Second };
            *sum += start.at(side, pit as u32 % 6);
        }
    }
    // 8,000 stones a house; standard deviation about 86.
    assert!(sums.iter().all(|&n| (7_570..=8_430).contains(&n)), "{sums:?}");
    assert_eq!(sums.iter().sum::<u32>(), 96_000);
    // Two stones are on one side half of the time, which would be the end.
    for seed in 0..50 {
        let start = Kalah::random_start(1, 1, true, &mut Rng::new(seed)).unwrap();
        assert_eq!(start, Kalah::new(1, 1, true).unwrap());
    }
}

#[test]
fn notation_round_trips() {
    for (houses, stones) in [(6, 4), (1, 5), (3, 3), (8, 15)] {
        let start = Kalah::new(houses, stones, true).unwrap();
        statistics::assert_notation_round_trips(&start, 40, 500);
    }
    let north = at("4,4,4,4,4,4:0/4,4,4,4,4,4:0 n");
    assert_ne!(north, kalah(true));
    assert_ne!(north.speed().key(), kalah(true).speed().key());
}

#[test]
fn bad_texts_are_errors() {
    let position = at("0,4,4,4,4,8:0/4,4,4,4,4,4:0 s");
    for bad in ["", "0", "1", "7", "9", "02", "+2", "2 ", "22", "pass", "２", "🦁"] {
        let error = position.notation().parse_move(bad).expect_err(bad).to_string();
        assert!(error.contains("from 1 to 6"), "{error}");
    }
    let over = at("0,0,0,0,0,0:25/0,0,0,0,0,0:23 s");
    assert!(
        over.notation().parse_move("1").expect_err("over").to_string().contains("the game is over")
    );
    let huge = "9".repeat(10_000);
    for bad in [
        "",
        " ",
        "4,4,4,4,4,4:0/4,4,4,4,4,4:0",
        "4,4,4,4,4,4:0/4,4,4,4,4,4:0 w",
        "4,4,4,4,4,4:0/4,4,4,4,4,4:0 s s",
        "4,4,4,4,4,4:0 4,4,4,4,4,4:0 s",
        "4,4,4,4,4:4/4,4,4,4,4,4:0 s",
        "4,4,4,4,4,4,0:0/4,4,4,4,4,4:0 s",
        "4,4,4,4,4,4/4,4,4,4,4,4:0 s",
        "4,4,4,4,4,4:0/4,4,4,4,4,4:0/4,4,4,4,4,4:0 s",
        "4,4,4,4,4,5:0/4,4,4,4,4,4:0 s",
        "4,4,4,4,4,260:0/4,4,4,4,4,4:0 s",
        "4,4,4,4,4,-4:8/4,4,4,4,4,4:0 s",
        "4,4,4,4,4,+4:0/4,4,4,4,4,4:0 s",
        "4,4,4,4,4,:4/4,4,4,4,4,4:0 s",
        "0,0,0,0,0,0:24/4,4,4,4,4,4:0 s",
        "४,4,4,4,4,4:0/4,4,4,4,4,4:0 s",
        "🦁:🦁/🦁 s",
        &huge,
        &format!("{huge}:0/0 s"),
    ] {
        let error = kalah(true).notation().parse_position(bad).expect_err(bad).to_string();
        assert!(error.contains("4,4,4,4,4,4:0/4,4,4,4,4,4:0 s"), "{error}");
    }
}

#[test]
fn moves_are_ordered_and_numbered() {
    let start = at("1,0,4,4,4,4:3/4,4,4,4,4,4:4 s");
    // House 3 moves again; house 1 captures; the others are ordered by their number.
    let hints: Vec<i32> =
        [2, 0, 5, 4, 3].iter().map(|&house| start.knowledge().order_hint(house)).collect();
    assert!(hints.is_sorted_by(|a, b| a > b), "{hints:?}");
    let north = at("1,0,4,4,4,4:3/4,4,4,4,4,4:4 n");
    assert_eq!(
        (start.speed().move_slots(), start.speed().move_slot(2), north.speed().move_slot(2)),
        (12, 2, 8)
    );
}

#[test]
fn diagrams() {
    let text = at("1,0,4,4,4,10:3/2,4,4,4,4,4:0 s").notation().diagram(Charset::Ascii);
    let expected = "
         6     5     4     3     2     1    North
      +-----+-----+-----+-----+-----+-----+
      |  4  |  4  |  4  |  4  |  4  |  2  |
    0 +-----+-----+-----+-----+-----+-----+ 3
      |  1  |  0  |  4  |  4  |  4  | 10  |
      +-----+-----+-----+-----+-----+-----+
         1     2     3     4     5     6    South";
    assert_eq!(text, expected[1..]);
}

#[test]
fn random_moves_are_uniform() {
    statistics::assert_uniform(&kalah(true), 2_000);
    statistics::assert_uniform(&at("1,0,40,0,0,1:1/1,0,0,2,1,1:0 n"), 2_000);
}

#[test]
fn fast_playouts_agree_with_slow_ones() {
    statistics::assert_playouts_agree(&kalah(true), 10_000, 20_000);
    statistics::assert_playouts_agree(&kalah(false), 10_000, 20_000);
    statistics::assert_playouts_agree(&kalah(true), 40, 20_000);
    statistics::assert_playouts_agree(&Kalah::new(2, 20, true).unwrap(), 10_000, 20_000);
}
