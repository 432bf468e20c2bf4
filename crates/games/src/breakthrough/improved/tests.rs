//! The fast ways against plain ones: move by move, square by square.

use std::collections::HashMap;

use treegraft::bits::Portable;
use treegraft::{Knowledge, Notation, Speed, legal_moves};

use super::*;
use crate::breakthrough::hinted::tests::steps_to;

const IPPS: [Ipp; 2] = [Ipp::Program, Ipp::Printed];
const FILTERS: [Option<Ipp>; 3] = [None, Some(Ipp::Program), Some(Ipp::Printed)];

/// Random squares for random numbers of pieces, also few against many, that leave the game open.
fn scattered<B: Word>(empty: Breakthrough<B>, rng: &mut Rng) -> Breakthrough<B> {
    let (width, height) = (empty.width(), empty.height());
    let mut some = |rows: std::ops::Range<u32>| {
        let mut squares: Vec<u32> = (rows.start * width..rows.end * width).collect();
        rng.shuffle(&mut squares);
        let most = (2 * width).min(squares.len() as u32);
        let count = if rng.below(3) == 0 { 1 + rng.below(2) } else { 1 + rng.below(most) };
        let pieces = &squares[..count.min(most) as usize];
        pieces.iter().fold(B::NONE, |all, &square| all | B::ONE << square)
    };
    let white = some(0..height - 1);
    let black = some(1..height) & !white;
    let mover = if rng.below(2) == 0 { Side::First } else { Side::Second };
    Breakthrough { white, black, mover, ..empty }
}

/// Calls for the positions of games, by random, weighted and greedy moves, and for scattered pieces.
fn each_position<B: Word>(
    (width, height): (u32, u32),
    games: u64,
    check: &mut dyn FnMut(&Breakthrough<B>),
) {
    let start = Breakthrough::<B>::new(width, height).expect("a board");
    for seed in 0..games {
        let (mut rng, mut board) = (Rng::new(seed), start);
        while board.outcome().is_none() {
            check(&board);
            let mv = match (seed % 2, rng.below(3)) {
                (1, 1) => greedy_step(&board, FILTERS[rng.below(3) as usize], &mut rng),
                (1, 2) => improved_step(&board, Ipp::Program, &mut rng),
                _ => board.speed().random_move(&mut rng, &mut Vec::new()),
            };
            board.play(mv);
        }
        for _ in 0..30 {
            let board = scattered(start, &mut rng);
            if board.black != B::NONE {
                check(&board);
            }
        }
    }
}

/// The same on boards of all shapes.
fn everywhere(
    narrow: &mut dyn FnMut(&Breakthrough<u64>),
    wide: &mut dyn FnMut(&Breakthrough<u128>),
) {
    for size in [(2, 4), (3, 7), (6, 6), (7, 7), (8, 8), (16, 4)] {
        each_position(size, 40, narrow);
    }
    for size in [(6, 6), (18, 6), (16, 8), (7, 18)] {
        each_position(size, 20, wide);
    }
}

fn after<B: Word>(board: &Breakthrough<B>, mv: Step) -> Breakthrough<B> {
    let mut next = *board;
    next.play(mv);
    next
}

/// Whether a square that may be off the board holds a piece of one of these sides.
fn holds<B: Word>(board: &Breakthrough<B>, column: i64, row: i64, sides: &[Side]) -> bool {
    let is_on_board = (0..i64::from(board.width())).contains(&column)
        && (0..i64::from(board.height())).contains(&row);
    is_on_board && board.at(column as u32, row as u32).is_some_and(|side| sides.contains(&side))
}

/// How many of the two squares beside this one in another row hold such a piece.
fn beside<B: Word>(board: &Breakthrough<B>, square: u8, rows: i64, sides: &[Side]) -> usize {
    let (column, row) = board.place(square);
    let (column, row) = (i64::from(column), i64::from(row) + rows);
    [column - 1, column + 1].into_iter().filter(|&c| holds(board, c, row, sides)).count()
}

/// The weight in the words of the paper and of its program.
fn plain_weight<B: Word>(board: &Breakthrough<B>, mv: Step, ipp: Ipp) -> PlayoutWeight {
    let (mover, other) = (board.mover, board.mover.other());
    if after(board, mv).outcome().is_some() {
        return PlayoutWeight { urgency: 2, weight: 1 };
    }
    let (column, row) = board.place(mv.to);
    if board.at(column, row) != Some(other) {
        return PlayoutWeight { urgency: 0, weight: 1 };
    }
    let steps_to_its_goal = if other == Side::First { board.height() - 1 - row } else { row };
    if steps_to_its_goal == 1 {
        return PlayoutWeight { urgency: 1, weight: 1 };
    }
    // Behind a piece is where it came from.
    let is_undefended = beside(board, mv.to, mover.sign(), &[mover, other]) == 0;
    let weight = match (ipp, is_undefended) {
        (Ipp::Program, true) => 5,
        (Ipp::Program, false) => 2,
        (Ipp::Printed, true) => 4,
        (Ipp::Printed, false) => 1,
    };
    PlayoutWeight { urgency: 0, weight }
}

fn plain_prior<B: Word>(board: &Breakthrough<B>, mv: Step) -> f64 {
    let (mover, next) = (board.mover, after(board, mv));
    let attackers = beside(&next, mv.to, mover.sign(), &[mover.other()]);
    let defenders = beside(&next, mv.to, -mover.sign(), &[mover]);
    let (column, row) = board.place(mv.to);
    let distance = if mover == Side::First { board.height() - 1 - row } else { row };
    if attackers <= defenders {
        *[1.0, 1.0, 0.95, 0.85, 0.75, 0.6].get(distance as usize).unwrap_or(&0.3)
    } else if board.at(column, row).is_some() {
        0.6
    } else {
        0.3
    }
}

/// The moves with the highest urgency, with their weights.
fn plain_choice<B: Word>(board: &Breakthrough<B>, ipp: Ipp) -> Vec<(Step, PlayoutWeight)> {
    let weighed = legal_moves(board).into_iter().map(|mv| (mv, plain_weight(board, mv, ipp)));
    let mut weighed: Vec<_> = weighed.collect();
    let highest = weighed.iter().map(|(_, told)| told.urgency).max();
    weighed.retain(|(_, told)| Some(told.urgency) == highest);
    weighed
}

fn check_weights<B: Word>(board: &Breakthrough<B>) -> bool {
    let all = match board.mover {
        Side::First => board.urgent_targets::<true>(board.targets::<true>()),
        Side::Second => board.urgent_targets::<false>(board.targets::<false>()),
    };
    let urgent = all.map(|targets| steps_to(board, targets));
    for ipp in IPPS {
        for mv in legal_moves(board) {
            let (told, plain) =
                (board.knowledge().playout_weight(mv, ipp), plain_weight(board, mv, ipp));
            assert_eq!(told, Some(plain), "{} {}", board.fen(), board.notation().move_text(mv));
        }
        let choice = plain_choice(board, ipp);
        let moves: Vec<Step> = choice.iter().map(|&(mv, _)| mv).collect();
        let is_urgent = choice[0].1.urgency > 0;
        assert_eq!(urgent, is_urgent.then_some(moves.clone()), "{}", board.fen());
        for seed in 0..3 {
            let mv = board.speed().guided_move(Some(ipp), &mut Rng::new(seed), &mut Vec::new());
            assert!(moves.contains(&mv), "{} {}", board.fen(), board.notation().move_text(mv));
            let portable = for_mover!(board.improved_step_on(Portable, ipp, &mut Rng::new(seed)));
            assert_eq!(mv, portable, "{}", board.fen());
        }
    }
    for mv in legal_moves(board) {
        let (told, plain) = (board.knowledge().node_prior(mv), plain_prior(board, mv));
        assert_eq!(told, Some(plain), "{} {}", board.fen(), board.notation().move_text(mv));
    }
    urgent.is_some()
}

#[test]
fn weights_and_priors_are_those_of_their_definitions() {
    let (mut narrow, mut wide) = ([0; 2], [0; 2]);
    everywhere(&mut |board| narrow[usize::from(check_weights(board))] += 1, &mut |board| {
        wide[usize::from(check_weights(board))] += 1;
    });
    assert!(narrow.iter().chain(&wide).all(|&count| count > 300), "{narrow:?} {wide:?}");
}

/// Five standard deviations around what the weights say.
#[test]
fn weighted_moves_come_as_often_as_their_weights_say() {
    let mut telling = 0;
    let mut rng = Rng::new(1);
    each_position::<u64>((6, 6), 40, &mut |board| {
        let mut kinds: Vec<u32> =
            plain_choice(board, Ipp::Program).iter().map(|(_, told)| told.weight).collect();
        kinds.sort_unstable();
        kinds.dedup();
        if kinds.len() < 3 || telling == 30 {
            return;
        }
        telling += 1;
        for ipp in IPPS {
            let choice = plain_choice(board, ipp);
            let total: u32 = choice.iter().map(|(_, told)| told.weight).sum();
            let mut times: HashMap<Step, f64> = HashMap::new();
            for _ in 0..400 * total {
                let mv = board.speed().guided_move(Some(ipp), &mut rng, &mut Vec::new());
                *times.entry(mv).or_default() += 1.0;
            }
            for (mv, told) in choice {
                let (expected, share) =
                    (f64::from(400 * told.weight), f64::from(told.weight) / f64::from(total));
                let most = 5.0 * (expected * (1.0 - share)).sqrt();
                let came = times.get(&mv).copied().unwrap_or(0.0);
                assert!((came - expected).abs() < most, "{} {mv:?} {came}", board.fen());
            }
        }
    });
    assert_eq!(telling, 30);
}

/// The moves with the best efMS for the mover, of the most urgent ones if there are weights.
fn plain_greedy<B: Word>(board: &Breakthrough<B>, filter: Option<Ipp>) -> Vec<Step> {
    let moves: Vec<Step> = match filter {
        None => legal_moves(board),
        Some(ipp) => plain_choice(board, ipp).into_iter().map(|(mv, _)| mv).collect(),
    };
    let value = |mv: Step| {
        let next = after(board, mv);
        match next.outcome() {
            Some(_) => i32::MAX,
            None => board.mover.sign() as i32 * ef_ms(&next),
        }
    };
    let best = moves.iter().map(|&mv| value(mv)).max();
    moves.into_iter().filter(|&mv| Some(value(mv)) == best).collect()
}

/// What a position is good for in a test of greedy moves.
#[derive(Default, Debug)]
struct Kinds {
    quick: u32,
    /// Beyond what the masks can show.
    lopsided: u32,
    /// A capture of the other side's only foremost piece is among the best moves, and it is the best
    /// or one of several.
    falls_back: [u32; 2],
}

fn check_greedy<B: Word>(board: &Breakthrough<B>, kinds: &mut Kinds) {
    for filter in FILTERS {
        let best = plain_greedy(board, filter);
        let quick = match board.mover {
            Side::First => board.greedy_targets::<true>(filter),
            Side::Second => board.greedy_targets::<false>(filter),
        };
        match quick {
            Some(targets) => {
                assert_eq!(steps_to(board, targets), best, "{} {filter:?}", board.fen());
                kinds.quick += 1;
            }
            None => kinds.lopsided += 1,
        }
        for seed in 0..2 {
            let mv = greedy_step(board, filter, &mut Rng::new(seed));
            assert!(best.contains(&mv), "{} {filter:?} {mv:?}", board.fen());
            let portable = for_mover!(board.greedy_step_on(Portable, filter, &mut Rng::new(seed)));
            assert_eq!(mv, portable, "{} {filter:?}", board.fen());
        }
        let theirs = board.pieces(board.mover.other());
        let foremost = match board.mover {
            Side::First => theirs & board.row_of(theirs.lowest()),
            Side::Second => theirs & board.row_of(theirs.highest()),
        };
        let captures = |mv: &Step| foremost & B::ONE << u32::from(mv.to) != B::NONE;
        if theirs.count() > 1 && foremost.count() == 1 && best.iter().any(captures) {
            kinds.falls_back[usize::from(!best.iter().all(captures))] += 1;
        }
    }
}

#[test]
fn greedy_moves_are_those_with_the_best_efms() {
    let (mut narrow, mut wide) = (Kinds::default(), Kinds::default());
    everywhere(&mut |board| check_greedy(board, &mut narrow), &mut |board| {
        check_greedy(board, &mut wide);
    });
    for kinds in [narrow, wide] {
        assert!(kinds.quick > 3000 && kinds.lopsided > 300, "{kinds:?}");
        assert!(kinds.falls_back.iter().all(|&count| count > 100), "{kinds:?}");
    }
}

#[test]
fn greedy_moves_are_equally_likely() {
    let (mut quick, mut lopsided) = (0, 0);
    let mut rng = Rng::new(1);
    each_position::<u64>((6, 6), 40, &mut |board| {
        let filter = FILTERS[rng.below(3) as usize];
        let best = plain_greedy(board, filter);
        let is_quick = match board.mover {
            Side::First => board.greedy_targets::<true>(filter).is_some(),
            Side::Second => board.greedy_targets::<false>(filter).is_some(),
        };
        let seen = if is_quick { &mut quick } else { &mut lopsided };
        if best.len() < 2 || *seen == 15 {
            return;
        }
        *seen += 1;
        let mut times: HashMap<Step, f64> = HashMap::new();
        for _ in 0..500 * best.len() {
            *times.entry(greedy_step(board, filter, &mut rng)).or_default() += 1.0;
        }
        // Five standard deviations around 500.
        let even = |mv: &Step| times.get(mv).is_some_and(|&n| (n - 500.0).abs() < 112.0);
        assert!(best.iter().all(even), "{} {times:?}", board.fen());
    });
    assert_eq!((quick, lopsided), (15, 15));
}

/// The rules of the paper and of its program, position by position: urgency, and both weights.
#[test]
fn wins_come_first_then_saves_then_captures_by_their_defence() {
    let empty = Breakthrough::<u64>::new(6, 6).expect("a board");
    for (fen, mv, expected) in [
        // A win; a piece one step from its goal could be captured too.
        ("5p/P5/6/6/3p2/4P1 w", "a5a6", (2, [1, 1])),
        ("5p/P5/6/6/3p2/4P1 w", "a5b6", (2, [1, 1])),
        ("5p/P5/6/6/3p2/4P1 w", "e1d2", (1, [1, 1])),
        ("5p/P5/6/6/3p2/4P1 w", "e1e2", (0, [1, 1])),
        ("2p3/6/6/1P4/p5/6 b", "a2a1", (2, [1, 1])),
        ("2p3/3P2/6/4p1/3P2/6 b", "c6d5", (1, [1, 1])),
        ("2p3/3P2/6/4p1/3P2/6 b", "e3d2", (0, [5, 4])),
        // The last piece may be anywhere.
        ("6/6/P5/3p2/2P3/6 w", "c2d3", (2, [1, 1])),
        ("6/6/P1p3/3P2/6/6 b", "c4d3", (0, [5, 4])),
        ("6/6/2p3/3P2/6/6 b", "c4d3", (2, [1, 1])),
        // A save stays one if the piece is defended.
        ("p5/6/6/2p3/3p2/4P1 w", "e1d2", (1, [1, 1])),
        // Nothing, a defender, an own piece, and something straight behind the piece.
        ("p5/6/3p2/2P3/6/6 w", "c3d4", (0, [5, 4])),
        ("p5/4p1/3p2/2P3/6/6 w", "c3d4", (0, [2, 1])),
        ("p5/2P3/3p2/2P3/6/6 w", "c3d4", (0, [2, 1])),
        ("p5/3p2/3p2/2P3/6/6 w", "c3d4", (0, [5, 4])),
        ("p5/6/2p3/3P2/6/P5 b", "c4d3", (0, [5, 4])),
        ("p5/6/2p3/3P2/2P3/P5 b", "c4d3", (0, [2, 1])),
        ("p5/6/2p3/3P2/4p1/P5 b", "c4d3", (0, [2, 1])),
        // At the edge one of the two squares is missing, and the next row begins elsewhere.
        ("5p/6/p4p/1P4/6/6 w", "b3a4", (0, [5, 4])),
        ("5p/1p4/p5/1P4/6/6 w", "b3a4", (0, [2, 1])),
        ("p5/6/5p/4P1/6/6 w", "e3f4", (0, [5, 4])),
        ("p5/4p1/5p/4P1/6/6 w", "e3f4", (0, [2, 1])),
        ("p5/6/1p4/P4P/6/5P b", "b4a3", (0, [5, 4])),
        ("p5/6/4p1/P4P/6/P5 b", "e4f3", (0, [5, 4])),
        // Other moves.
        ("p5/4p1/3p2/2P3/6/6 w", "c3b4", (0, [1, 1])),
    ] {
        let board = empty.parse_position(fen).expect("a position");
        let mv = board.notation().parse_move(mv).expect("a legal move");
        let (urgency, weights) = expected;
        let told = IPPS.map(|ipp| board.knowledge().playout_weight(mv, ipp));
        let expected = weights.map(|weight| Some(PlayoutWeight { urgency, weight }));
        assert_eq!(told, expected, "{fen} {}", board.notation().move_text(mv));
    }
}

#[test]
fn priors_are_those_of_the_table() {
    let empty = Breakthrough::<u64>::new(8, 8).expect("a board");
    for (fen, mv, expected) in [
        // By the distance to the goal, where nothing attacks.
        ("7p/8/8/8/8/8/8/P7 w", "a1a2", 0.3),
        ("7p/8/8/8/8/8/P7/8 w", "a2a3", 0.6),
        ("7p/8/8/8/8/P7/8/8 w", "a3a4", 0.75),
        ("7p/8/8/8/P7/8/8/8 w", "a4a5", 0.85),
        ("7p/8/8/P7/8/8/8/8 w", "a5a6", 0.95),
        ("7p/8/P7/8/8/8/8/8 w", "a6a7", 1.0),
        ("7p/P7/8/8/8/8/8/8 w", "a7a8", 1.0),
        ("7p/8/8/8/8/8/8/P7 b", "h8h7", 0.3),
        ("8/7p/8/8/8/8/8/P7 b", "h7h6", 0.6),
        ("8/8/7p/8/8/8/8/P7 b", "h6h5", 0.75),
        ("8/8/8/7p/8/8/8/P7 b", "h5h4", 0.85),
        ("8/8/8/8/7p/8/8/P7 b", "h4h3", 0.95),
        ("8/8/8/8/8/7p/8/P7 b", "h3h2", 1.0),
        ("8/8/8/8/8/8/7p/P7 b", "h2h1", 1.0),
        // Attacked, and as often defended.
        ("8/1p6/8/P7/8/8/8/8 w", "a5a6", 0.3),
        ("8/1p6/8/PP6/8/8/8/8 w", "a5a6", 0.95),
        ("8/1p6/8/1P6/8/8/8/8 w", "b5a6", 0.3),
        ("8/p1p5/8/1P6/8/8/8/8 w", "b5b6", 0.3),
        ("8/p1p5/8/PP6/8/8/8/8 w", "b5b6", 0.3),
        ("8/p1p5/8/PPP5/8/8/8/8 w", "b5b6", 0.95),
        ("8/8/8/8/7p/8/6P1/8 b", "h4h3", 0.3),
        ("8/8/8/8/6pp/8/6P1/8 b", "h4h3", 0.95),
        ("8/8/8/8/6p1/8/6P1/8 b", "g4h3", 0.3),
        // What stands straight before or behind it does neither, nor what is over the edge.
        ("8/p7/8/P7/8/8/8/8 w", "a5a6", 0.95),
        ("8/7p/8/P7/8/8/8/8 w", "a5a6", 0.95),
        ("7p/8/8/P7/8/8/8/8 w", "a5a6", 0.95),
        ("8/1p6/8/P6P/8/8/8/8 w", "a5a6", 0.3),
        ("8/1p6/8/P7/7P/8/8/8 w", "a5a6", 0.3),
        ("p7/6p1/8/7P/8/8/8/8 w", "h5h6", 0.3),
        // Captures that are attacked; those that are not go by the distance.
        ("8/1p6/p7/1P6/8/8/8/8 w", "b5a6", 0.6),
        ("7p/8/p7/1P6/8/8/8/8 w", "b5a6", 0.95),
        ("7p/8/8/8/8/8/1p6/P7 w", "a1b2", 0.3),
        ("8/8/8/8/6p1/7P/6P1/8 b", "g4h3", 0.6),
    ] {
        let board = empty.parse_position(fen).expect("a position");
        let mv = board.notation().parse_move(mv).expect("a legal move");
        assert_eq!(
            board.knowledge().node_prior(mv),
            Some(expected),
            "{fen} {}",
            board.notation().move_text(mv)
        );
    }
}
