//! efWB of Lines of Action, feature by feature: against a slow version in the words of its
//! definition, and by hand.

use std::collections::BTreeSet;

use treegraft::{EVAL_ONE, Evaluator, Game, Knowledge, Notation, Part, Rng, Side, Speed};
use treegraft_games::Loa;
use treegraft_games::loa::{LoaMove, LoaRules};

const SIDES: [Side; 2] = [Side::First, Side::Second];

fn ef_wb() -> Evaluator<Loa> {
    let evaluators = Loa::new(LoaRules::default()).knowledge().evaluators();
    evaluators.into_iter().find(|evaluator| evaluator.name == "efWB").expect("efWB")
}

fn read(text: &str) -> Loa {
    Loa::new(LoaRules::default()).notation().parse_position(text).expect("a position")
}

type Square = (i32, i32);

fn squares() -> impl Iterator<Item = Square> {
    (0..64).map(|i| (i % 8, i / 8))
}

fn pieces(position: &Loa, side: Side) -> Vec<Square> {
    squares().filter(|&(c, r)| position.at(c as u32, r as u32) == Some(side)).collect()
}

/// King's steps.
fn distance(a: Square, b: Square) -> i32 {
    (a.0 - b.0).abs().max((a.1 - b.1).abs())
}

fn on_edge((column, row): Square) -> bool {
    [0, 7].contains(&column) || [0, 7].contains(&row)
}

fn ring((column, row): Square) -> f64 {
    let from_edge = |x: i32| x.min(7 - x);
    match (from_edge(column).min(from_edge(row)), from_edge(column).max(from_edge(row))) {
        (0, 0) => -80.0,
        (0, _) => -22.0,
        (1, _) => 10.0,
        (2, _) => 25.0,
        _ => 50.0,
    }
}

/// The same position with this side to move.
fn with_turn(position: &Loa, side: Side) -> Loa {
    let text = position.notation().position_text().expect("a text");
    let letter = if side == Side::First { 'b' } else { 'w' };
    read(&format!("{} {letter}", &text[..text.len() - 2]))
}

/// Where a piece would go in a direction if nothing were in the way, and what it would go over.
fn way(position: &Loa, from: Square, step: Square) -> Option<(Square, Vec<Square>)> {
    let at = |n: i32| (from.0 + n * step.0, from.1 + n * step.1);
    let on_board = |square: &Square| squares().any(|other| other == *square);
    let is_taken = |&(c, r): &Square| position.at(c as u32, r as u32).is_some();
    let count = (-7..=7).map(at).filter(on_board).filter(is_taken).count() as i32;
    let to = at(count);
    on_board(&to).then(|| (to, (1..count).map(at).collect()))
}

/// The eight features of a side, in amounts: what SPEC says, word by word.
fn slow_features(position: &Loa, side: Side) -> [f64; 8] {
    let own = pieces(position, side);
    let theirs = pieces(position, side.other());
    let n = own.len() as f64;
    let mean = |sum: i32| (f64::from(sum) / n + 0.5).floor() as i32;
    let centre = (mean(own.iter().map(|p| p.0).sum()), mean(own.iter().map(|p| p.1).sum()));

    let distances: i32 = own.iter().map(|&piece| distance(piece, centre)).sum();
    let least = if n <= 9.0 { n - 1.0 } else { 8.0 + 2.0 * (n - 9.0) };
    let concentration = 1.0 / (1.0 + (f64::from(distances) - least) / n);

    let centralisation = own.iter().map(|&piece| ring(piece)).sum::<f64>() / n;

    let windows = squares().filter(|&(c, r)| c < 7 && r < 7);
    let quads = windows
        .map(|(c, r)| [(c, r), (c + 1, r), (c, r + 1), (c + 1, r + 1)])
        .filter(|window| window.iter().all(|&square| distance(square, centre) <= 2))
        .filter(|window| window.iter().filter(|square| own.contains(square)).count() >= 3)
        .count() as f64;

    let mut moves = Vec::new();
    with_turn(position, side).moves(&mut moves);
    moves.retain(|&mv| mv != LoaMove::PASS);
    let worth = |mv: &LoaMove| {
        let to = (i32::from(mv.to % 8), i32::from(mv.to / 8));
        let capture = if theirs.contains(&to) { 2.0 } else { 1.0 };
        capture * if on_edge(to) { 0.5 } else { 1.0 }
    };
    let mobility = moves.iter().map(worth).sum();

    let mut walls = BTreeSet::new();
    for &piece in theirs.iter().filter(|&&piece| on_edge(piece)) {
        for step in squares().map(|(c, r)| (c - 1, r - 1)).filter(|&s| distance(s, (0, 0)) == 1) {
            let Some((to, between)) = way(position, piece, step) else { continue };
            if !on_edge(to) && !theirs.contains(&to) {
                walls.extend(between.into_iter().filter(|square| own.contains(square)));
            }
        }
    }

    let near = |&piece: &Square| own.iter().filter(|&&o| distance(o, piece) == 1).count() as f64;
    let connectedness = own.iter().map(near).sum::<f64>() / n;

    let span = |of: fn(&Square) -> i32| {
        let (least, most) = (own.iter().map(of).min(), own.iter().map(of).max());
        f64::from(most.expect("a piece") - least.expect("a piece") + 1)
    };
    let uniformity = 64.0 / (span(|p| p.0) * span(|p| p.1));

    let walls = walls.len() as f64;
    [concentration, centralisation, ring(centre), quads, mobility, walls, connectedness, uniformity]
}

const WEIGHTS: [f64; 8] = [1000.0, 2.0, 1.0, 30.0, 2.0, 15.0, 60.0, 20.0];

/// In the first player's view.
fn slow_points(position: &Loa) -> f64 {
    let score = |side: Side| -> f64 {
        let features = slow_features(position, side).into_iter().zip(WEIGHTS);
        // Every feature is rounded to 1/1024 of a point.
        features.map(|(amount, weight)| (amount * weight * 1024.0 + 0.5).floor() / 1024.0).sum()
    };
    score(Side::First) - score(Side::Second) + 30.0 * position.to_move().sign() as f64
}

/// Random positions with any number of pieces, dense ones and sparse ones, and those of games.
fn positions() -> Vec<Loa> {
    let mut rng = Rng::new(4);
    let mut positions = Vec::new();
    for game in 0..150 {
        let mut position = Loa::new(LoaRules::default());
        while position.outcome().is_none() && position.limits().playout_plies > 0 {
            if rng.below(8) == 0 {
                positions.push(position);
            }
            let mv = position.speed().random_move(&mut rng, &mut Vec::new());
            position.play(mv);
            if rng.below(100) == 0 {
                break;
            }
        }
        let area = [64, 16, 8][game % 3];
        let mut board = [None; 64];
        for side in SIDES {
            for _ in 0..1 + rng.below(if area < 16 { 4 } else { 12 }) {
                board[rng.below(area) as usize * 64 / area as usize] = Some(side);
            }
        }
        let rows: Vec<String> = board
            .chunks(8)
            .map(|row| {
                let letter = |on: &Option<Side>| match on {
                    None => '1',
                    Some(Side::First) => 'B',
                    Some(Side::Second) => 'W',
                };
                row.iter().map(letter).collect()
            })
            .collect();
        let turn = if rng.below(2) == 0 { 'b' } else { 'w' };
        let start = Loa::new(LoaRules::default());
        positions
            .extend(start.notation().parse_position(&format!("{} {turn}", rows.join("/"))).ok());
    }
    positions.retain(|position| position.outcome().is_none());
    positions
}

#[test]
fn features_are_what_their_definitions_say() {
    let evaluator = ef_wb();
    let positions = positions();
    assert!(positions.len() > 500, "{}", positions.len());
    let mut seen = [0; 8];
    for position in &positions {
        let text = position.notation().position_text().expect("a text");
        let parts = evaluator.parts(position);
        assert_eq!(parts.len(), 9);
        let slow = SIDES.map(|side| slow_features(position, side));
        for (i, part) in parts.iter().take(8).enumerate() {
            assert_eq!(part.weight, WEIGHTS[i]);
            for side in SIDES {
                let (fast, slow) = (part.amounts[side.index()], slow[side.index()][i]);
                let error = (fast - slow).abs() * part.weight;
                assert!(error <= 0.5001 / 1024.0, "{} of {side:?} in {text}: {fast}", part.name);
            }
            seen[i] += u32::from(part.lead() != 0.0);
        }
        let points = slow_points(position);
        assert!((Part::sum(&parts) - points).abs() < 1e-9, "{text}");
        let expected = (points / 700.0 * 0.9f64.atanh()).tanh() * f64::from(EVAL_ONE);
        let value = evaluator.evaluate(position);
        assert!((f64::from(value) - expected).abs() < 1.5, "{value} {expected} {text}");
    }
    // Walls are rare in random positions.
    assert!(seen.iter().all(|&n| n > 100), "{seen:?}");
}

#[test]
fn colours_change_the_sign() {
    let evaluator = ef_wb();
    for position in positions() {
        let text = position.notation().position_text().expect("a text");
        let exchanged: String = text
            .chars()
            .map(|c| match c {
                'B' => 'W',
                'W' => 'B',
                'b' => 'w',
                'w' => 'b',
                c => c,
            })
            .collect();
        let exchanged = read(&exchanged);
        assert_eq!(evaluator.evaluate(&position), -evaluator.evaluate(&exchanged), "{text}");
        // But for the turn, which is 30 points for whoever has it.
        let other = with_turn(&position, position.to_move().other());
        let turn = Part::sum(&evaluator.parts(&position)) - Part::sum(&evaluator.parts(&other));
        assert!((turn - 60.0 * position.to_move().sign() as f64).abs() < 1e-9, "{text}");
    }
}

/// Compares the amounts of both sides, to three digits.
fn check(position: &Loa, expected: [(&str, [f64; 2]); 9]) {
    for (part, (name, amounts)) in ef_wb().parts(position).iter().zip(expected) {
        let round = |amounts: [f64; 2]| amounts.map(|x| (x * 1000.0).round() / 1000.0);
        assert_eq!((&*part.name, round(part.amounts)), (name, round(amounts)));
    }
}

#[test]
fn the_start_is_even_but_for_the_turn() {
    let start = Loa::new(LoaRules::default());
    // Black's centre is d4½ both ways, so e5. Row 1 is 4 steps away and row 8 3, 42 in all; 14 is
    // the least. Of a row of six, two pieces can go to its ends (½ each), all go two squares up,
    // and of the ten diagonal moves the two captures are on the edge (2 times ½).
    let both = |amount: f64| [amount; 2];
    check(
        &start,
        [
            ("concentration", both(12.0 / (12.0 + 42.0 - 14.0))),
            ("centralisation", both(-22.0)),
            ("centre of mass", both(50.0)),
            ("quads", both(0.0)),
            ("mobility", both(2.0 * (1.0 + 6.0 + 10.0))),
            ("walls", both(0.0)),
            // Four pieces of a row have two neighbours, two have one.
            ("connectedness", both(20.0 / 12.0)),
            ("uniformity", both(64.0 / 48.0)),
            ("side to move", [1.0, 0.0]),
        ],
    );
    assert_eq!(ef_wb().evaluate(&start), 63_012);
}

#[test]
fn a_small_position_by_hand() {
    // Black: b4, c4 and c5 together, g1 far away; centre d4. White: a4 and h8; centre e6.
    let position = read("7W/8/8/2B5/WBB5/8/8/6B1 w");
    let expected = [
        // Distances 2, 1, 1 and 3 (at least 3), and 4 and 3 (at least 1).
        ("concentration", [4.0 / 8.0, 2.0 / 8.0]),
        ("centralisation", [(10.0 + 25.0 + 25.0 - 22.0) / 4.0, (-22.0 - 80.0) / 2.0]),
        ("centre of mass", [50.0, 25.0]),
        // b4, c4 and c5, all within two steps of d4.
        ("quads", [1.0, 0.0]),
        // Black: b4 5½, c4 7, c5 7, g1 3½. White: a4 a5, a3, b5, b3; h8 g8, h7, g7.
        ("mobility", [23.0, 3.0 + 2.0]),
        // a4 would go to d4, but for b4 and c4.
        ("walls", [2.0, 0.0]),
        ("connectedness", [6.0 / 4.0, 0.0]),
        ("uniformity", [64.0 / (6.0 * 5.0), 64.0 / (8.0 * 5.0)]),
        ("side to move", [0.0, 1.0]),
    ];
    check(&position, expected);
    let points =
        250.0 + 121.0 + 25.0 + 30.0 + 36.0 + 30.0 + 90.0 + 20.0 * (32.0 / 15.0 - 1.6) - 30.0;
    assert!((Part::sum(&ef_wb().parts(&position)) - points).abs() < 0.001);
    assert_eq!(ef_wb().evaluate(&position), 828_516);
}
