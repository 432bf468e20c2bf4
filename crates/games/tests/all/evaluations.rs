//! Static evaluations and the other hooks of searches: against their definitions, square by
//! square, and against mirror images.

use treegraft::{EVAL_ONE, Exactness, Game, Knowledge, Notation, Outcome, Part, Rng, Side, Speed};
use treegraft_games::lion::Piece;
use treegraft_games::loa::LoaRules;
use treegraft_games::{AnyGame, Breakthrough, Kalah, Lion, Loa, Othello, Visitor};

/// The unfinished positions of random games.
fn walk<G: Game>(start: &G, games: u64, mut check: impl FnMut(&G)) {
    for seed in 0..games {
        let mut rng = Rng::new(seed);
        let mut position = start.clone();
        for _ in 0..300 {
            if position.outcome().is_some() {
                break;
            }
            check(&position);
            let mv = position.speed().random_move(&mut rng, &mut Vec::new());
            position.play(mv);
        }
    }
}

/// The evaluation with a name.
fn evaluate<G: Game>(position: &G, name: &str) -> i32 {
    let evaluator =
        position.knowledge().evaluators().into_iter().find(|evaluator| evaluator.name == name);
    evaluator.expect("an evaluation").evaluate(position)
}

#[test]
fn only_shares_of_pieces_need_a_curve() {
    let start = Breakthrough::<u64>::new(8, 8).expect("a board");
    let slopes: Vec<f64> =
        start.knowledge().evaluators().iter().map(|evaluator| evaluator.slope).collect();
    assert_eq!(slopes, [40.0, 0.0, 0.0, 0.0]);
}

/// A sum over the sides, the second player's part negative.
fn lead(worth: impl Fn(Side) -> f64) -> f64 {
    worth(Side::First) - worth(Side::Second)
}

fn assert_near(value: i32, expected: f64, position: &impl std::fmt::Debug) {
    let expected = expected * f64::from(EVAL_ONE);
    // What integer division may lose, and one for rounding.
    assert!((f64::from(value) - expected).abs() < 900.0, "{value} {expected} {position:?}");
}

fn assert_equal(value: i32, expected: f64, position: &impl std::fmt::Debug) {
    assert_eq!(value, (expected * f64::from(EVAL_ONE)).round() as i32, "{position:?}");
}

#[test]
fn breakthrough_counts_pieces_rows_and_squares() {
    const SQUARES: &str = "5 15 15 5 5 15 15 5  2 3 3 3 3 3 3 2  4 6 6 6 6 6 6 4 \
                           7 10 10 10 10 10 10 7  11 15 15 15 15 15 15 11 \
                           16 21 21 21 21 21 21 16  20 28 28 28 28 28 28 20";
    let squares: Vec<f64> = SQUARES.split_whitespace().map(|n| n.parse().expect("x")).collect();
    for (width, height) in [(8, 8), (6, 6), (5, 4), (2, 9)] {
        let start = Breakthrough::<u64>::new(width, height).expect("a board");
        let is_full_size = (width, height) == (8, 8);
        assert_eq!(start.knowledge().evaluators().len(), if is_full_size { 4 } else { 2 });
        walk(&start, 40, |position| {
            let of = |side: Side| {
                let all = (0..height).flat_map(|row| (0..width).map(move |column| (column, row)));
                all.filter(move |&(column, row)| position.at(column, row) == Some(side)).map(
                    move |(c, row)| (c, if side == Side::First { row } else { height - 1 - row }),
                )
            };
            let pieces = lead(|side| of(side).count() as f64);
            assert_near(evaluate(position, "pieces"), pieces / f64::from(2 * width), position);
            let rows = lead(|side| of(side).map(|(_, row)| f64::from(row)).fold(0.0, f64::max));
            let ms = (10.0 * pieces + 2.5 * rows).clamp(-100.0, 100.0) / 60.0;
            assert_equal(evaluate(position, "efMS"), ms.tanh(), position);
            if is_full_size {
                let worth = |(column, row)| squares[(8 * row + column) as usize];
                let lh = lead(|side| of(side).map(worth).sum()) / 100.0;
                assert_equal(evaluate(position, "efLH"), lh.tanh(), position);
            }
        });
    }
    let wide = Breakthrough::<u128>::new(8, 8).expect("a board");
    walk(&wide, 5, |position| {
        let text = position.notation().position_text().expect("a text");
        let narrow =
            Breakthrough::<u64>::new(8, 8).and_then(|b| b.notation().parse_position(&text).ok());
        for (a, b) in
            position.knowledge().evaluators().iter().zip(narrow.expect("a board").evaluators())
        {
            assert_eq!(a.evaluate(position), b.evaluate(&narrow.expect("a board")), "{text}");
        }
    });
}

#[test]
fn othello_counts_discs_squares_and_moves() {
    const WEIGHTS: [[f64; 4]; 4] = [
        [1.0, -0.25, 0.1, 0.05],
        [-0.25, -0.25, 0.01, 0.01],
        [0.1, 0.01, 0.05, 0.02],
        [0.05, 0.01, 0.02, 0.01],
    ];
    for size in [8, 6, 4] {
        let start = Othello::new(size).expect("a board");
        walk(&start, 30, |position| {
            let discs = lead(|side| f64::from(position.discs(side)));
            let value = evaluate(position, "discs");
            assert_near(value, discs / f64::from(size * size), position);
            let moves = |side: Side| {
                let text = position.notation().position_text().expect("a text");
                let letter = if side == Side::First { 'X' } else { 'O' };
                let turn = format!("{} {letter}", &text[..text.len() - 2]);
                let position = start.notation().parse_position(&turn).expect("a position");
                let mut moves = Vec::new();
                position.moves(&mut moves);
                moves.iter().filter(|&&mv| mv != treegraft_games::othello::PASS).count() as f64
            };
            let mobility = lead(moves);
            let share = mobility / (mobility.abs() + f64::from(2 * size));
            assert_near(evaluate(position, "mobility"), share, position);
            if size == 8 {
                let from_edge = |x: u32| x.min(7 - x) as usize;
                let worth = |side: Side| {
                    let squares = (0..64).map(|i| (i % 8, i / 8));
                    squares
                        .filter(|&(c, r)| position.at(c, r) == Some(side))
                        .map(|(c, r)| WEIGHTS[from_edge(r)][from_edge(c)])
                        .sum()
                };
                assert_near(evaluate(position, "wpc"), lead(worth) / 8.77, position);
            }
        });
    }
}

#[test]
fn kalah_counts_stores() {
    for (houses, stones) in [(6, 4), (2, 2), (8, 15)] {
        let start = Kalah::new(houses, stones, true).expect("a board");
        walk(&start, 30, |position| {
            let stores = lead(|side| f64::from(position.store(side)));
            let most = f64::from(EVAL_ONE - 1) / f64::from(EVAL_ONE);
            let expected = (stores / 10.0).tanh().clamp(-most, most);
            assert_equal(evaluate(position, "stores"), expected, position);
            if let Some(outcome) = position.exactness().foregone() {
                assert_eq!(outcome, Outcome::from_margin(stores as i64), "{position:?}");
            }
        });
    }
}

#[test]
fn lion_counts_material() {
    let on_board = |piece: Piece| match piece {
        Piece::Chick => 10.0,
        Piece::Giraffe => 35.0,
        Piece::Elephant => 30.0,
        Piece::Chicken => 40.0,
        Piece::Lion => 0.0,
    };
    let start = Lion::new(400).expect("a game");
    walk(&start, 100, |position| {
        let worth = |side: Side| {
            let squares = (0..12).filter_map(|i| position.at(i % 3, i / 3));
            let board: f64 = squares.filter(|on| on.0 == side).map(|on| on_board(on.1)).sum();
            let hand: f64 = [Piece::Chick, Piece::Giraffe, Piece::Elephant]
                .into_iter()
                .map(|piece| f64::from(position.in_hand(side, piece)) * (on_board(piece) + 3.0))
                .sum();
            board + hand
        };
        assert_near(evaluate(position, "material"), lead(worth) / 223.0, position);
    });
}

#[test]
fn loa_measures_concentration() {
    let start = Loa::new(LoaRules::default());
    assert_eq!(evaluate(&start, "concentration"), 0);
    walk(&start, 30, |position| {
        let worth = |side: Side| {
            let squares = (0..64).map(|i| (i % 8, i / 8));
            let pieces: Vec<(u32, u32)> =
                squares.filter(|&(c, r)| position.at(c, r) == Some(side)).collect();
            let n = pieces.len() as f64;
            let mean = |sum: u32| (f64::from(sum) / n + 0.5).floor() as u32;
            let column = mean(pieces.iter().map(|piece| piece.0).sum());
            let row = mean(pieces.iter().map(|piece| piece.1).sum());
            let far = |&(c, r): &(u32, u32)| f64::from(c.abs_diff(column).max(r.abs_diff(row)));
            let distances: f64 = pieces.iter().map(far).sum();
            let least = if n <= 9.0 { n - 1.0 } else { 8.0 + 2.0 * (n - 9.0) };
            1.0 / (1.0 + (distances - least) / n)
        };
        assert_near(evaluate(position, "concentration"), lead(worth), position);
    });
}

/// Exchanges characters: those of the first text for those of the second, and the other way round.
fn exchange(text: &str, these: &str, those: &str) -> String {
    let partner = |c: char| {
        let pairs = || these.chars().zip(those.chars());
        let found = pairs().find(|pair| pair.0 == c).map(|pair| pair.1);
        found.or_else(|| pairs().find(|pair| pair.1 == c).map(|pair| pair.0)).unwrap_or(c)
    };
    text.chars().map(partner).collect()
}

/// Rows of a FEN from last to first, the colours of the pieces exchanged.
fn upside_down(fen: &str) -> String {
    let (board, rest) = fen.split_once([' ', '[']).expect("a side to move");
    let rows: Vec<&str> = board.split('/').rev().collect();
    let between = &fen[board.len()..=board.len()];
    let board = exchange(&rows.join("/"), "pcgel", "PCGEL");
    let (hands, turn) = rest.split_at(rest.len() - 1);
    format!("{board}{between}{}{}", exchange(hands, "cge", "CGE"), exchange(turn, "w", "b"))
}

/// Every evaluation changes its sign when the players change places.
fn check_mirror<G: Game>(start: &G, games: u64, mirror: impl Fn(&str) -> String) {
    let mut different = 0;
    walk(start, games, |position| {
        let text = position.notation().position_text().expect("a text");
        let mirrored = start.notation().parse_position(&mirror(&text)).expect("a position");
        assert_ne!(mirrored.to_move(), position.to_move());
        for (here, there) in
            position.knowledge().evaluators().iter().zip(mirrored.knowledge().evaluators())
        {
            let (a, b) = (here.evaluate(position), there.evaluate(&mirrored));
            assert_eq!(a, -b, "{} of {text}", here.name);
            different += u32::from(a != 0);
        }
        let foregone = position.exactness().foregone().map(Outcome::value);
        assert_eq!(
            foregone,
            mirrored.exactness().foregone().map(|outcome| -outcome.value()),
            "{text}"
        );
    });
    assert!(different > 100, "{different}");
}

#[test]
fn evaluations_change_sign_when_the_players_change_places() {
    for (width, height) in [(8, 8), (6, 6), (5, 7)] {
        check_mirror(&Breakthrough::<u64>::new(width, height).expect("it"), 30, upside_down);
    }
    check_mirror(&Breakthrough::<u128>::new(15, 6).expect("it"), 30, upside_down);
    check_mirror(&Lion::new(400).expect("it"), 50, upside_down);
    for size in [4, 6, 8] {
        let start = Othello::new(size).expect("it");
        check_mirror(&start, 30, |text| exchange(text, "X", "O"));
    }
    check_mirror(&Kalah::new(6, 4, true).expect("it"), 30, |text| {
        let (rows, turn) = text.split_once(' ').expect("a side to move");
        let (south, north) = rows.split_once('/').expect("two sides");
        format!("{north}/{south} {}", exchange(turn, "s", "n"))
    });
    // Exchanging rows and columns too, the starting position is its own mirror image.
    check_mirror(&Loa::new(LoaRules::default()), 20, |text| {
        let (board, turn) = text.split_once(' ').expect("a side to move");
        let digits = |c: char| c.to_digit(10).map_or(c.to_string(), |n| "1".repeat(n as usize));
        let rows: Vec<Vec<char>> = board
            .split('/')
            .rev()
            .map(|row| row.chars().map(digits).collect::<String>().chars().collect())
            .collect();
        let column = |c: usize| rows.iter().map(|row| row[c]).collect::<String>();
        let transposed: Vec<String> = (0..8).rev().map(column).collect();
        let squeezed = transposed.join("/");
        let squeezed = (1..=8).rev().fold(squeezed, |text, n| {
            text.replace(&"1".repeat(n), &char::from(b'a' + n as u8).to_string())
        });
        let board: String = squeezed
            .chars()
            .map(|c| match c {
                'b'..='i' => char::from(c as u8 - b'a' + b'0'),
                c => c,
            })
            .collect();
        format!("{} {}", exchange(&board, "B", "W"), exchange(turn, "b", "w"))
    });
}

/// The value of a number of points in the evaluation with a name.
type Curve = fn(&str, f64) -> f64;

/// Compares every evaluation with the sum of its parts. Returns their names.
struct Parts(Curve);

impl Visitor for Parts {
    type Output = Vec<String>;

    fn visit<G: Game + Send + Sync + 'static>(self, start: G) -> Vec<String> {
        walk(&start, 20, |position| {
            for evaluator in position.knowledge().evaluators() {
                let points = Part::sum(&evaluator.parts(position));
                let expected = self.0(&evaluator.name, points);
                assert_near(evaluator.evaluate(position), expected, position);
            }
        });
        start.knowledge().evaluators().iter().map(|evaluator| evaluator.name.to_string()).collect()
    }
}

#[test]
fn parts_add_up_to_the_points_behind_every_value() {
    /// Half a game for a lead of `half`, more for more.
    fn share(points: f64, half: f64) -> f64 {
        points / (points.abs() + half)
    }
    /// The odds behind logits, of which 256ths count.
    fn logistic(points: f64) -> f64 {
        let units = (1024.0 * points).round();
        ((units / 4.0).trunc() / 256.0 / 2.0).tanh()
    }
    const OTHELLO: &[&str] = &["wpc", "discs", "mobility", "own-mobility", "tuned"];
    const HEX: &[&str] = &["distance", "two-distance", "reach", "own-reach", "pairs", "tuned"];
    let curves: [(&str, &[&str], Curve); 11] = [
        ("connect4", &["lines", "tuned"], |name, points| match name {
            "tuned" => logistic(points),
            _ => share(points, 40.0),
        }),
        ("connect4:6x7", &["lines"], |_, points| share(points, 40.0)),
        ("breakthrough", &["pieces", "efMS", "efLH", "tuned"], |name, points| match name {
            "tuned" => logistic(points),
            "pieces" => points / 16.0,
            "efMS" => (points.clamp(-100.0, 100.0) / 60.0).tanh(),
            _ => (points / 100.0).tanh(),
        }),
        ("breakthrough:9x6", &["pieces", "efMS"], |name, points| match name {
            "pieces" => points / 18.0,
            _ => (points.clamp(-100.0, 100.0) / 60.0).tanh(),
        }),
        ("othello", OTHELLO, |name, points| match name {
            "tuned" => logistic(points),
            "wpc" => points / 8.77,
            "discs" => points / 64.0,
            _ => share(points, 16.0),
        }),
        ("lion", &["material", "tuned"], |name, points| match name {
            "tuned" => logistic(points),
            _ => points / 223.0,
        }),
        ("hex:5", HEX, |name, points| match name {
            "tuned" => logistic(points),
            _ => share(points, 5.0),
        }),
        ("hex:13", HEX, |name, points| match name {
            "tuned" => logistic(points),
            _ => share(points, 13.0),
        }),
        ("kalah", &["stores", "tuned"], |name, points| match name {
            "tuned" => logistic(points),
            _ => (points / 10.0).tanh(),
        }),
        ("kalah:6,5", &["stores"], |_, points| (points / 10.0).tanh()),
        ("loa", &["concentration", "efWB", "tuned"], |name, points| match name {
            "tuned" => logistic(points),
            "efWB" => (points / 700.0 * 0.9f64.atanh()).tanh(),
            _ => points,
        }),
    ];
    for (game, names, curve) in curves {
        assert_eq!(AnyGame::parse(game).expect("a game").visit(Parts(curve)), names, "{game}");
    }
}

/// What every game's hooks must keep to.
struct Hooks;

impl Visitor for Hooks {
    type Output = [usize; 4];

    /// How many evaluations, null moves, loud moves and foregone positions there were.
    fn visit<G: Game + Send + Sync + 'static>(self, start: G) -> [usize; 4] {
        let mut seen = [0; 4];
        walk(&start, 40, |position| {
            for evaluator in position.knowledge().evaluators() {
                let value = evaluator.evaluate(position);
                assert!(value.abs() < EVAL_ONE, "{} of {position:?}", evaluator.name);
                seen[0] += 1;
            }
            if let Some(passed) = position.knowledge().null_move() {
                assert_eq!(passed.to_move(), position.to_move().other(), "{position:?}");
                assert_ne!(passed.speed().key(), position.speed().key(), "{position:?}");
                assert_eq!(passed.knowledge().null_move().as_ref(), Some(position), "{position:?}");
                seen[1] += 1;
            }
            let (mut moves, mut loud) = (Vec::new(), Vec::new());
            position.moves(&mut moves);
            position.knowledge().loud_moves(&mut loud);
            for (i, mv) in loud.iter().enumerate() {
                assert!(moves.contains(mv) && !loud[..i].contains(mv), "{position:?}: {mv:?}");
            }
            seen[2] += loud.len();
            let wins = |side: Side| {
                moves.iter().copied().filter(move |&mv| {
                    let mut child = position.clone();
                    child.play(mv);
                    child.outcome() == Some(Outcome::Win(side))
                })
            };
            if position.knowledge().null_move().is_some() {
                // Where a game has loud moves, those that win are among them.
                assert!(wins(position.to_move()).all(|mv| loud.contains(&mv)), "{position:?}");
            }
            if let Some(outcome) = position.exactness().foregone() {
                let mover = position.to_move();
                assert!(
                    outcome == Outcome::Win(mover) || wins(mover).next().is_none(),
                    "{position:?}"
                );
                seen[3] += 1;
            } else {
                let mut candidates = Vec::new();
                position.exactness().candidate_moves(&mut candidates);
                assert!(!candidates.is_empty(), "{position:?}");
                assert!(candidates.iter().all(|mv| moves.contains(mv)), "{position:?}");
            }
        });
        seen
    }
}

#[test]
fn hooks_keep_to_the_contract() {
    for (game, has) in [
        ("connect4", [true, false, false, true]),
        ("breakthrough", [true, true, true, true]),
        ("breakthrough:9x6", [true, true, true, true]),
        ("othello", [true, false, false, false]),
        ("lion", [true, true, true, true]),
        ("hex:5", [true, false, false, false]),
        ("hex:11,swap=true", [true, false, false, false]),
        ("kalah", [true, false, false, true]),
        ("loa", [true, true, true, false]),
        ("tree:branching=2,height=6", [false, false, false, false]),
    ] {
        let start = AnyGame::parse(game).expect("a game");
        assert_eq!(start.visit(Hooks).map(|count| count > 0), has, "{game}");
    }
}

#[test]
fn wins_and_captures_are_loud() {
    fn loud<G: Game>(position: &G) -> Vec<String> {
        let mut moves = Vec::new();
        position.knowledge().loud_moves(&mut moves);
        moves.iter().map(|&mv| position.notation().move_text(mv)).collect()
    }
    let breakthrough = Breakthrough::<u64>::new(4, 4).expect("a board");
    let position =
        breakthrough.notation().parse_position("1p1p/P1p1/1PP1/4 w").expect("a position");
    assert_eq!(loud(&position), ["a3a4", "a3b4", "b2c3"]);
    let lion = Lion::new(400).expect("a game");
    let position = lion.notation().parse_position("g1e/1lE/1CL/g1C[] b").expect("a position");
    assert_eq!(loud(&position), ["b3b2", "b3c3", "b3c2"]);
    // The Lion takes or runs home, and a Giraffe goes home in vain.
    let position = lion.notation().parse_position("1ge/LG1/1Cl/2e[c] w").expect("a position");
    assert_eq!(loud(&position), ["a3a4", "b3b4", "a3b4"]);
}

#[test]
fn a_pass_that_leaves_a_side_stuck_is_no_null_move() {
    // Sente's pieces block each other; no game leads here with Sente to move.
    let start = Lion::new(400).expect("a game");
    let position = start.notation().parse_position("GE1/LGE/CCl/3[-] b").expect("a position");
    assert_eq!(position.null_move(), None);
}
