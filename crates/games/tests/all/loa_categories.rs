//! Lines of Action: categories of moves, their probabilities, and moves drawn by them.

use std::collections::HashMap;

use treegraft::{Game, Ipp, Knowledge, Notation, PlayoutWeight, Rng, Side, Speed, legal_moves};
use treegraft_games::loa::{Loa, LoaMove, LoaRules};

const TABLE: &str = include_str!("../../src/loa/categories.csv");

fn at(text: &str) -> Loa {
    Loa::new(LoaRules::default()).notation().parse_position(text).expect("a position")
}

const START: &str = "1BBBBBB1/W6W/W6W/W6W/W6W/W6W/W6W/1BBBBBB1 b";
/// White can only pass.
const BLOCKED: &str = "6BW/6BB/8/8/8/8/BB6/WB6 w";

fn name_of(position: &Loa, mv: LoaMove) -> String {
    let category = position.knowledge().move_category(mv).expect("a category");
    position.knowledge().move_categories().swap_remove(category as usize)
}

#[test]
fn moves_have_the_categories_that_one_sees() {
    for (position, mv, expected) in [
        // The centre of mass is between four squares, and counts as e5.
        (START, "b1b3", "move from edge to 6x6 ring: 1 closer"),
        (START, "b1d3", "move from edge to 4x4 ring: 2 closer"),
        (START, "b1h1", "move from edge to corner: as far"),
        // Black's centre is e3.
        ("7B/8/8/8/8/7W/8/W1BB4 b", "d1a1", "capture from edge to corner: 2 further"),
        ("7B/8/8/8/8/7W/8/W1BB4 b", "h8h6", "move from corner to edge: 2 closer"),
        ("7B/8/8/8/8/7W/8/W1BB4 b", "h8g8", "move from corner to edge: as far"),
        // Four squares count as three.
        ("W7/8/B2BBB2/8/8/8/8/7W b", "d6h6", "move from 4x4 ring to edge: 3+ further"),
        ("8/8/8/B3B2B/8/8/8/W6W b", "a5d5", "move from edge to centre: 3+ closer"),
        ("8/8/8/B3B2B/8/8/8/W6W b", "e5e6", "move from centre to 4x4 ring: 1 further"),
        (BLOCKED, "pass", "pass"),
    ] {
        let position = at(position);
        let mv = position.notation().parse_move(mv).expect("a legal move");
        assert_eq!(name_of(&position, mv), expected);
    }
}

/// The name of a category, found with fractions and loops.
fn plain_name(position: &Loa, mv: LoaMove) -> String {
    if mv == LoaMove::PASS {
        return "pass".to_owned();
    }
    let place = |square: u8| [u32::from(square) % 8, u32::from(square) / 8];
    let squares = || (0..64).map(place);
    let mover = Some(position.to_move());
    let own: Vec<[u32; 2]> = squares().filter(|&[x, y]| position.at(x, y) == mover).collect();
    let centre = [0, 1].map(|axis| {
        let sum: u32 = own.iter().map(|place| place[axis]).sum();
        (f64::from(sum) / own.len() as f64 + 0.5).floor() as u32
    });
    let distance = |[x, y]: [u32; 2]| x.abs_diff(centre[0]).max(y.abs_diff(centre[1])) as i32;
    let region = |[x, y]: [u32; 2]| match x.min(7 - x).min(y.min(7 - y)) {
        0 if x % 7 == 0 && y % 7 == 0 => "corner",
        0 => "edge",
        1 => "6x6 ring",
        2 => "4x4 ring",
        _ => "centre",
    };
    let (from, to) = (place(mv.from), place(mv.to));
    let kind = if position.at(to[0], to[1]).is_some() { "capture" } else { "move" };
    let change = match distance(from) - distance(to) {
        0 => "as far".to_owned(),
        3.. => "3+ closer".to_owned(),
        closer @ 1.. => format!("{closer} closer"),
        ..=-3 => "3+ further".to_owned(),
        further => format!("{} further", -further),
    };
    format!("{kind} from {} to {}: {change}", region(from), region(to))
}

#[test]
fn every_legal_move_has_its_category_and_a_weight() {
    let names = at(START).knowledge().move_categories();
    assert_eq!(names.len(), 351);
    let mut rng = Rng::new(4);
    let mut seen = vec![false; names.len()];
    for _ in 0..60 {
        let mut position = at(START);
        for _ in 0..position.limits().playout_plies {
            for mv in legal_moves(&position) {
                let category = position.knowledge().move_category(mv).expect("a category") as usize;
                assert_eq!(names[category], plain_name(&position, mv), "{mv:?}\n{position:?}");
                seen[category] = true;
                let [program, printed] = [Ipp::Program, Ipp::Printed]
                    .map(|ipp| position.knowledge().playout_weight(mv, ipp).expect("a weight"));
                assert_eq!((program, program.urgency), (printed, 0));
                assert!((1..=PlayoutWeight::MOST).contains(&program.weight));
                let probability =
                    position.knowledge().transition_probability(mv).expect("a probability");
                assert!((probability * 1e6 - f64::from(program.weight)).abs() < 1e-6);
            }
            if position.outcome().is_some() {
                break;
            }
            let mv = position.speed().random_move(&mut rng, &mut Vec::new());
            position.play(mv);
        }
    }
    assert!(seen.iter().filter(|&&seen| seen).count() > 200);
}

#[test]
fn moves_are_drawn_as_often_as_they_weigh() {
    const DRAWS: u32 = 40_000;
    for text in
        [START, "2W1B3/1B3W2/3BB3/2W2W2/2B2B2/8/1W4B1/3W4 w", BLOCKED, "7B/8/8/8/8/7W/8/W1BB4 w"]
    {
        let position = at(text);
        let mut rng = Rng::new(9);
        let (mut counts, mut buffer) = (HashMap::new(), Vec::new());
        for _ in 0..DRAWS {
            let mv = position.speed().guided_move(Some(Ipp::Program), &mut rng, &mut buffer);
            *counts.entry(mv).or_insert(0) += 1;
        }
        let weight =
            |mv| position.knowledge().playout_weight(mv, Ipp::Program).expect("a weight").weight;
        let moves = legal_moves(&position);
        assert!(counts.keys().all(|mv| moves.contains(mv)), "{text}");
        let total: u32 = moves.iter().map(|&mv| weight(mv)).sum();
        for &mv in &moves {
            let share = f64::from(weight(mv)) / f64::from(total);
            let expected = share * f64::from(DRAWS);
            let drawn = f64::from(counts.get(&mv).copied().unwrap_or(0));
            let deviation = (expected * (1.0 - share)).sqrt();
            assert!((drawn - expected).abs() <= 5.0 * deviation + 1e-6, "{text} {mv:?}: {drawn}");
        }
    }
}

/// The table that is compiled into the game is the file, and the file is what its own counts say.
#[test]
fn probabilities_are_those_of_the_file() {
    let mut lines = TABLE.lines();
    let command = lines.next().expect("a command");
    assert!(command.starts_with("# treegraft categories loa --player "), "{command}");
    let mut lines = lines.skip_while(|line| line.starts_with('#'));
    assert_eq!(lines.next(), Some("number,category,played,available,probability"));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    let names = at(START).knowledge().move_categories();
    assert_eq!(rows.len(), names.len());
    let count = |row: &[&str], column: usize| row[column].parse::<f64>().expect("a number");
    let sum = |column| rows.iter().map(|row| count(row, column)).sum::<f64>();
    let one_in = sum(3) / sum(2);
    for (number, row) in rows.iter().enumerate() {
        assert_eq!(row[..2], [number.to_string(), names[number].clone()]);
        let expected = (count(row, 2) + 1.0) / (count(row, 3) + one_in);
        assert!((count(row, 4) - expected).abs() < 1e-6, "{row:?}");
    }
    for (position, mv) in [(START, "b1d3"), (START, "b1h1"), (BLOCKED, "pass")] {
        let position = at(position);
        let mv = position.notation().parse_move(mv).expect("a legal move");
        let row = &rows[position.knowledge().move_category(mv).expect("a category") as usize];
        assert_eq!(position.knowledge().transition_probability(mv), Some(count(row, 4)));
    }
    // What good players know: pieces belong together.
    let likely = |mv| {
        at(START)
            .knowledge()
            .transition_probability(at(START).notation().parse_move(mv).expect("legal"))
    };
    assert!(likely("b1d3") > likely("b1h1"));
}

#[test]
fn playouts_by_categories_come_to_an_end() {
    let (mut rng, mut buffer) = (Rng::new(2), Vec::new());
    let mut wins = [0, 0];
    for _ in 0..200 {
        let mut position = at(START);
        for _ in 0..position.limits().playout_plies {
            if position.outcome().is_some() {
                break;
            }
            let mv = position.speed().guided_move(Some(Ipp::Program), &mut rng, &mut buffer);
            position.play(mv);
        }
        for (side, wins) in [Side::First, Side::Second].into_iter().zip(&mut wins) {
            *wins += u32::from(position.outcome() == Some(treegraft::Outcome::Win(side)));
        }
    }
    // Of uniformly random ones more than half are cut off.
    assert!(wins[0] + wins[1] > 180 && wins.iter().all(|&wins| wins > 60), "{wins:?}");
}
