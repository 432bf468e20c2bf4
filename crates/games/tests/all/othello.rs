//! Othello: rules against published counts, notation, and playouts against exact probabilities.

use std::collections::HashMap;

use treegraft::{
    Charset, Exactness, Game, Knowledge, Notation, Outcome, Playthrough, Rng, Side, Speed, perft,
};
use treegraft_games::{AnyGame, Othello, othello::PASS};

fn after(moves: &str) -> Othello {
    let mut game = Playthrough::new(Othello::new(8).unwrap());
    game.play_text(moves).unwrap();
    *game.position()
}

fn position(text: &str) -> Othello {
    let size = if text.len() < 30 { 4 } else { 8 };
    Othello::new(size).unwrap().notation().parse_position(text).unwrap()
}

fn moves(position: &Othello) -> Vec<String> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves.iter().map(|&mv| position.notation().move_text(mv)).collect()
}

#[test]
fn perft_agrees_with_published_counts() {
    let counts = |position: &Othello, depth: u32| -> Vec<u64> {
        (1..=depth).map(|d| perft(position, d)).collect()
    };
    let start = after("");
    assert_eq!(moves(&start), ["d3", "c4", "f5", "e6"]);
    assert_eq!(counts(&start, 8), [4, 12, 56, 244, 1396, 8200, 55_092, 390_216]);
    // Near the end, with passes.
    let late = after(
        "c4 c5 e6 f5 g4 g5 d6 c7 g6 e3 d3 d2 c6 e7 e2 h5 d7 f3 b7 d1 h3 d8 g2 g3 e1 f2 g1 b3 c1 \
         c3 f8 f6 c8 h1 h4 g7 h6 h7 a2 a8 e8 h8 g8 c2 b5 h2 f4 a5 b1 f7 f1 b8 b2 b4",
    );
    assert_eq!(counts(&late, 9), [4, 16, 34, 88, 104, 126, 45, 20, 0]);
}

/// The rules again, a square and a direction at a time.
fn slow_turned(position: &Othello, column: u32, row: u32) -> Vec<(u32, u32)> {
    let mover = position.to_move();
    let size = position.size() as i32;
    let at = |x: i32, y: i32| {
        let on_board = (0..size).contains(&x) && (0..size).contains(&y);
        on_board.then(|| position.at(x as u32, y as u32)).flatten()
    };
    let mut turned = Vec::new();
    for (dx, dy) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
        let (mut x, mut y) = (column as i32 + dx, row as i32 + dy);
        let mut line = Vec::new();
        while at(x, y) == Some(mover.other()) {
            line.push((x as u32, y as u32));
            (x, y) = (x + dx, y + dy);
        }
        if at(x, y) == Some(mover) {
            turned.extend(line);
        }
    }
    turned
}

#[test]
fn placements_and_turned_discs_agree_with_slow_rules() {
    let mut rng = Rng::new(1);
    for game in 0..300 {
        let size = [4, 6, 8][game % 3];
        let mut now = Othello::new(size).unwrap();
        while now.outcome().is_none() {
            let squares = (0..size * size).map(|i| (i % size, i / size));
            let placements: Vec<(u32, u32)> = squares
                .clone()
                .filter(|&(c, r)| now.at(c, r).is_none() && !slow_turned(&now, c, r).is_empty())
                .collect();
            let mut legal = Vec::new();
            now.moves(&mut legal);
            let expected: Vec<u8> = match placements.len() {
                0 => vec![PASS],
                _ => placements.iter().map(|&(c, r)| (8 * r + c) as u8).collect(),
            };
            assert_eq!(legal, expected);
            let mv = *rng.draw_from(&legal).unwrap();
            let mut next = now;
            next.play(mv);
            let placed = (u32::from(mv % 8), u32::from(mv / 8));
            let turned = slow_turned(&now, placed.0, placed.1);
            for (c, r) in squares {
                let changed = mv != PASS && ((c, r) == placed || turned.contains(&(c, r)));
                let expected = if changed { Some(now.to_move()) } else { now.at(c, r) };
                assert_eq!(next.at(c, r), expected);
            }
            assert_eq!(next.to_move(), now.to_move().other());
            assert_ne!(next.speed().key(), now.speed().key());
            now = next;
        }
    }
}

#[test]
fn moves_and_positions_round_trip() {
    let mut rng = Rng::new(2);
    for size in [4, 6, 8] {
        let mut game = Playthrough::new(Othello::new(size).unwrap());
        while game.ending().is_none() {
            let now = *game.position();
            for mv in game.legal_moves() {
                let text = now.notation().move_text(mv);
                assert_eq!(now.notation().parse_move(&text), Ok(mv));
                assert_eq!(now.notation().parse_move(&text.to_uppercase()), Ok(mv));
                assert!(now.speed().move_slot(mv) < now.speed().move_slots());
            }
            let text = now.notation().position_text().unwrap();
            assert_eq!(Othello::new(size).unwrap().notation().parse_position(&text), Ok(now));
            game.play(now.speed().random_move(&mut rng, &mut Vec::new()));
        }
        let last = game.position();
        assert_eq!(
            last.notation().parse_position(&last.notation().position_text().unwrap()),
            Ok(*last)
        );
        let mut again = Playthrough::new(*game.start());
        again.play_text(&game.move_texts().concat()).unwrap();
        assert_eq!(again.position(), last);
    }
}

#[test]
fn texts_of_problems_are_read() {
    let text = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
    let problem = position(text);
    assert_eq!(problem.notation().position_text().unwrap(), text);
    assert_eq!(moves(&problem), ["b1", "h1", "a2", "g2", "a3", "a4", "h7", "g8"]);
    let other = text.replace('X', "*").replace('O', "w").replace('-', ".") + ";\n";
    assert_eq!(position(&other), problem);
    assert_eq!(
        after("f5d6c3").notation().position_text(),
        after("F5 d6,C3").notation().position_text()
    );
}

#[test]
fn the_game_ends_when_neither_side_can_place() {
    // Black can enclose nothing, White can.
    let pass = position("OX-- ---- ---- ---- X");
    assert_eq!((pass.outcome(), moves(&pass)), (None, vec!["pass".to_owned()]));
    for text in ["pass", "PASS", "pa", "--"] {
        assert_eq!(pass.notation().parse_move(text), Ok(PASS));
    }
    let mut passed = pass;
    passed.play(PASS);
    assert_eq!(moves(&passed), ["c1"]);
    // Empty squares belong to neither side.
    let over = position("XX-- ---- --O- ---- O");
    assert_eq!(
        (over.outcome(), over.exactness().margin()),
        (Some(Outcome::Win(Side::First)), Some(1))
    );
    assert_eq!((over.discs(Side::First), over.discs(Side::Second)), (2, 1));
    assert_eq!(pass.exactness().margin(), None);
    assert!(over.notation().parse_move("pass").unwrap_err().problem.contains("over"));
}

#[test]
fn bad_texts_are_refused() {
    let start = after("");
    for text in ["", "d", "d9", "i1", "d03", "d3 ", "d3c", "a1", "pass", "pas", "é3", "🙂", "--"]
    {
        let error = start.notation().parse_move(text).unwrap_err();
        assert!(error.expected.contains("d3, c4, f5, e6"), "{error}");
    }
    let board = "-".repeat(64);
    for (text, problem) in [
        (String::new(), "only 0 squares"),
        (board.clone(), "side to move is missing"),
        (format!("{board} -"), "side to move is not"),
        (format!("{board}- X"), "more than 64"),
        (format!("{}? X", &board[1..]), "'?'"),
        (format!("{}🙂 X", &board[1..]), "neither"),
        ("X".repeat(1_000_000), "more than 64"),
    ] {
        let error = start.notation().parse_position(&text).unwrap_err();
        assert!(error.problem.contains(problem), "{error}");
    }
    for text in ["othello:5", "othello:2", "othello:10", "othello:8x8", "othello:8,x=1"] {
        assert!(AnyGame::parse(text).is_err(), "{text}");
    }
    for text in ["othello", "othello:6", "othello:4"] {
        assert_eq!(AnyGame::parse(text).unwrap().canonical(), text);
    }
    assert_eq!(AnyGame::parse("othello:8").unwrap().canonical(), "othello");
}

#[test]
fn diagrams_show_discs_and_placements() {
    let start = Othello::new(4).unwrap();
    let ascii = "  a b c d\n1 . + . .\n2 + W B .\n3 . B W +\n4 . . + .";
    assert_eq!(start.notation().diagram(Charset::Ascii), ascii);
    let unicode = ascii.replace('B', "●").replace('W', "○").replace('.', "·");
    assert_eq!(start.notation().diagram(Charset::Unicode), unicode);
}

#[test]
fn corners_are_tried_first() {
    for size in [4, 6, 8] {
        let start = Othello::new(size).unwrap();
        let corner = start.knowledge().order_hint((size - 1) as u8);
        let cells = (0..size * size).map(|i| (8 * (i / size) + i % size) as u8);
        assert!(cells.clone().all(|mv| start.knowledge().order_hint(mv) <= corner));
        assert_eq!(cells.filter(|&mv| start.knowledge().order_hint(mv) == corner).count(), 4);
    }
}

/// Positions of random games with at most `most` empty squares, in which the game goes on.
fn endings(games: u32, most: u32, seed: u64) -> Vec<Othello> {
    let mut rng = Rng::new(seed);
    let mut found = Vec::new();
    for game in 0..games {
        let mut now = Othello::new([4, 6, 8][game as usize % 3]).unwrap();
        while now.outcome().is_none() {
            if now.knowledge().plies_left().unwrap() <= most {
                found.push(now);
            }
            let mv = now.speed().random_move(&mut rng, &mut Vec::new());
            now.play(mv);
        }
    }
    found
}

#[test]
fn replies_are_the_squares_that_the_other_side_can_use() {
    let mut passes = 0;
    for now in endings(60, 60, 3) {
        let mut legal = Vec::new();
        now.moves(&mut legal);
        for mv in legal {
            let mut after = now;
            after.play(mv);
            let mut replies = Vec::new();
            after.moves(&mut replies);
            passes += u32::from(replies == [PASS]);
            replies.retain(|&reply| reply != PASS);
            assert_eq!(now.speed().replies(mv), replies.len() as u32, "{now:?} {mv}");
        }
    }
    assert!(passes > 20, "{passes}");
}

#[test]
fn few_empty_squares_are_left() {
    assert_eq!(after("").knowledge().plies_left(), Some(60));
    assert_eq!(Othello::new(4).unwrap().knowledge().plies_left(), Some(12));
}

/// The outcome under best play for the side to move, by brute force.
fn slow_value(now: &Othello) -> i64 {
    if let Some(outcome) = now.outcome() {
        return now.to_move().sign() * outcome.value();
    }
    let mut legal = Vec::new();
    now.moves(&mut legal);
    let values = legal.iter().map(|&mv| {
        let mut after = *now;
        after.play(mv);
        -slow_value(&after)
    });
    values.max().unwrap()
}

#[test]
fn the_solver_of_endings_agrees_with_brute_force() {
    let mut seen = [0; 3];
    for now in endings(150, 7, 4) {
        let value = slow_value(&now);
        for least in [0, 1] {
            let mut left = u64::MAX;
            let found = now.exactness().ending(1000, least, &mut left);
            assert_eq!(found, Some(value >= least), "{now:?} {least}");
            // With fewer nodes than that it gives up, and uses no more.
            let needed = u64::MAX - left;
            assert!(needed > 0);
            for few in [0, 1, needed / 2, needed] {
                let mut left = few;
                assert_eq!(now.exactness().ending(1000, least, &mut left), None, "{now:?} {few}");
                assert_eq!(left, 0);
            }
            assert_eq!(now.exactness().ending(1000, least, &mut (needed + 1)), found);
        }
        seen[(value + 1) as usize] += 1;
    }
    assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
}

#[test]
fn the_solver_of_endings_agrees_with_other_searches() {
    use treegraft::depth_first::{Config, DepthFirst, Selective, solver_config};
    use treegraft::{Request, Searcher};
    let selective = Selective { replies: true, ending: Some(3), ..Selective::default() };
    let config = Config { selective, ..Config::default() };
    let late = endings(120, 13, 5);
    let late: Vec<_> =
        late.into_iter().filter(|now| now.knowledge().plies_left() >= Some(9)).collect();
    assert!(late.len() > 100);
    for (number, now) in late.into_iter().enumerate().filter(|(number, _)| number % 8 == 0) {
        let mut plain = DepthFirst::new(solver_config(&now), None).unwrap();
        let mut solving = DepthFirst::new(config, None).unwrap();
        let [plain, solving] =
            [&mut plain, &mut solving].map(|it| it.search(&now, Request::default()).proof);
        assert!(plain.is_some());
        assert_eq!(solving, plain, "{number} {now:?}");
    }
}

#[test]
fn long_endings_are_left_to_the_search() {
    let mut nodes = 100_000;
    assert_eq!(after("").exactness().ending(1000, 1, &mut nodes), None);
    // Near the horizon, still shorter ones are.
    let late = endings(30, 10, 6)
        .into_iter()
        .find(|now| now.knowledge().plies_left() == Some(10))
        .unwrap();
    assert_eq!(late.exactness().ending(0, 1, &mut nodes), None);
    assert_eq!(nodes, 100_000);
    assert!(late.exactness().ending(10, 1, &mut nodes).is_some());
}

/// With a margin of nearly nothing, futility pruning leaves most moves out at every depth, and not only where
/// a child is exact, which next to the horizon it often is and elsewhere hardly ever.
#[test]
fn futile_moves_are_left_out_far_from_the_horizon() {
    use treegraft::depth_first::{Config, DepthFirst, Selective};
    use treegraft::{Request, Searcher};
    let start = after("f5d6c3d3c4");
    let visited = |futility| {
        let selective = Selective { futility, ..Selective::default() };
        let config = Config { depth: Some(7), selective, ..Config::default() };
        let wpc =
            start.knowledge().evaluators().into_iter().find(|evaluator| evaluator.name == "wpc");
        assert!(wpc.is_some());
        DepthFirst::new(config, wpc).unwrap().search(&start, Request::default()).work.nodes
    };
    let [all, few] = [None, Some(1)].map(visited);
    assert!(4 * few < all, "{few} of {all}");
}

#[test]
fn random_moves_are_uniform() {
    let now = after("f5d6c3d3c4");
    let mut legal = Vec::new();
    now.moves(&mut legal);
    let mut rng = Rng::new(3);
    let mut counts: HashMap<u8, u32> = HashMap::new();
    let samples = 10_000 * legal.len() as u32;
    for _ in 0..samples {
        *counts.entry(now.speed().random_move(&mut rng, &mut Vec::new())).or_default() += 1;
    }
    // The standard deviation is below 100.
    assert!(legal.iter().all(|mv| counts[mv].abs_diff(10_000) < 500), "{counts:?}");
    assert_eq!(counts.len(), legal.len());
}

/// The exact probability of every final margin under random moves.
fn margins(now: Othello, known: &mut HashMap<Othello, HashMap<i64, f64>>) -> HashMap<i64, f64> {
    if let Some(margin) = now.exactness().margin() {
        return HashMap::from([(margin, 1.0)]);
    }
    if let Some(result) = known.get(&now) {
        return result.clone();
    }
    let mut legal = Vec::new();
    now.moves(&mut legal);
    let mut result = HashMap::new();
    for &mv in &legal {
        let mut next = now;
        next.play(mv);
        for (margin, p) in margins(next, known) {
            *result.entry(margin).or_default() += p / legal.len() as f64;
        }
    }
    known.insert(now, result.clone());
    result
}

#[test]
fn playouts_have_the_exact_distribution_of_margins() {
    let mut known = HashMap::new();
    // The small board from its start, and the end of a game on the large one.
    let late = after(
        "d3 e3 f4 g3 e6 e7 g4 c4 e2 f1 g2 f5 e8 h3 d6 c5 g1 h1 f6 f8 c2 h2 c6 c3 d8 g7 h4 d7 c7 f2 \
         g6 f3 e1 c8 b3 h7 f7 g5 b4 h5 b8 d1 h6 d2 b7 a6 h8 a5 b2 b6 b5",
    );
    for start in [Othello::new(4).unwrap(), late] {
        let exact = margins(start, &mut known);
        let samples = 200_000;
        let mut rng = Rng::new(4);
        let mut counts: HashMap<i64, u32> = HashMap::new();
        for _ in 0..samples {
            let mut now = start;
            let playout = treegraft::playout(
                &mut now,
                &mut rng,
                &mut Vec::new(),
                start.limits().playout_plies,
                None,
            );
            assert_eq!(Some(playout.outcome), now.outcome());
            let sides_swapped = now.to_move() != start.to_move();
            assert_eq!((playout.capped, playout.plies % 2 == 1), (false, sides_swapped));
            *counts.entry(now.exactness().margin().unwrap()).or_default() += 1;
        }
        assert!(counts.keys().all(|margin| exact.contains_key(margin)));
        for (margin, p) in exact {
            let n = f64::from(samples);
            let seen = f64::from(counts.get(&margin).copied().unwrap_or(0));
            let tolerance = 5.0 * (n * p * (1.0 - p)).sqrt() + 3.0;
            assert!((seen - n * p).abs() < tolerance, "{margin}: {seen}, expected {}", n * p);
        }
    }
}

#[test]
fn playouts_stop_at_the_limit() {
    let mut rng = Rng::new(5);
    for limit in 0..30 {
        let mut now = Othello::new(4).unwrap();
        let playout = treegraft::playout(&mut now, &mut rng, &mut Vec::new(), limit, None);
        assert!(playout.plies <= limit);
        assert_eq!(playout.capped, now.outcome().is_none());
        assert!(!playout.capped || (playout.plies, playout.outcome) == (limit, Outcome::Draw));
    }
}
