//! Games as they are played: history, endings, and moves from text.

use treegraft::{
    Ending, Game, Limits, Notation, NotationError, Outcome, Playthrough, Reason, Side, divide,
    perft,
};

/// Two players step along a line of cells, in turn, one or two to the left or right; whoever steps
/// on the last cell wins. Nothing keeps them from going to and fro.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Steps {
    cell: i8,
    mover: Side,
    repetitions: Option<u32>,
    plies: Option<u32>,
}

const LAST: i8 = 5;

const START: Steps = Steps { cell: 0, mover: Side::First, repetitions: None, plies: None };

impl Game for Steps {
    type Move = i8;

    fn to_move(&self) -> Side {
        self.mover
    }

    fn moves(&self, moves: &mut Vec<i8>) {
        moves
            .extend([-2, -1, 1, 2].into_iter().filter(|mv| (0..=LAST).contains(&(self.cell + mv))));
    }

    fn play(&mut self, mv: i8) {
        self.cell += mv;
        self.mover = self.mover.other();
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.cell == LAST).then_some(Outcome::Win(self.mover.other()))
    }

    fn limits(&self) -> Limits {
        Limits { repetitions: self.repetitions, plies: self.plies, ..Limits::default() }
    }

    treegraft::brings!(Notation);
}

impl Notation for Steps {
    /// `r` and `rr` to the right, `l` and `ll` to the left.
    fn move_text(&self, mv: i8) -> String {
        if mv > 0 { "r" } else { "l" }.repeat(mv.unsigned_abs() as usize)
    }
}

fn played(start: Steps, text: &str) -> Playthrough<Steps> {
    let mut game = Playthrough::new(start);
    game.play_text(text).unwrap();
    game
}

fn refusal(start: Steps, text: &str) -> NotationError {
    Playthrough::new(start).play_text(text).unwrap_err()
}

const DRAWN: Outcome = Outcome::Draw;

#[test]
fn moves_are_taken_back() {
    let mut game = played(START, "r rr l");
    assert_eq!(game.moves(), [1, 2, -1]);
    assert_eq!(game.move_texts(), ["r", "rr", "l"]);
    assert_eq!((game.position().cell, game.position().mover), (2, Side::Second));
    assert_eq!(game.undo(), Some(-1));
    assert_eq!((game.position().cell, game.position().mover), (3, Side::First));
    assert_eq!((game.undo(), game.undo(), game.undo()), (Some(2), Some(1), None));
    assert_eq!(game.position(), game.start());
    game.play(2);
    assert_eq!((game.start(), game.position().cell), (&START, 2));
}

#[test]
fn the_rules_end_a_game() {
    let mut game = played(START, "rr rr r");
    let ending = Ending { outcome: Outcome::Win(Side::First), reason: Reason::Rules };
    assert_eq!(game.ending(), Some(ending));
    assert_eq!(game.legal_moves(), [0; 0]);
    let error = game.play_text("l").unwrap_err();
    assert_eq!(
        error.to_string(),
        "move \"l\": it is move 4, and the game is over before it; expected no more moves"
    );
    assert_eq!(game.moves().len(), 3);
    game.undo();
    assert_eq!(game.ending(), None);
    assert_eq!(game.legal_moves(), [-2, -1, 1]);
}

#[test]
fn repetition_is_a_draw_where_it_counts() {
    let to_and_fro = "r l r l r l r l";
    assert_eq!(played(START, to_and_fro).ending(), None);
    let thrice = Steps { repetitions: Some(3), ..START };
    assert_eq!(played(thrice.clone(), "r l r").ending(), None);
    let game = played(thrice.clone(), "r l r l");
    assert_eq!(game.ending(), Some(Ending { outcome: DRAWN, reason: Reason::Repetition }));
    assert_eq!(game.legal_moves(), [0; 0]);
    assert!(refusal(thrice.clone(), to_and_fro).problem.contains("move 5"));
    // The same cell with the other side to move is another position.
    assert_eq!(played(thrice, "rr l l rr").ending(), None);
}

#[test]
fn long_games_are_drawn_where_it_counts() {
    let short = Steps { plies: Some(3), ..START };
    assert_eq!(played(short.clone(), "r r").ending(), None);
    let too_long = Some(Ending { outcome: DRAWN, reason: Reason::TooLong });
    assert_eq!(played(short.clone(), "r r l").ending(), too_long);
    // A win with the last move allowed is a win.
    let ending = played(short, "rr rr r").ending().unwrap();
    assert_eq!(ending, Ending { outcome: Outcome::Win(Side::First), reason: Reason::Rules });
    // A repetition that comes with the last move allowed is called by its name.
    let both = Steps { plies: Some(4), repetitions: Some(3), ..START };
    assert_eq!(played(both, "r l r l").ending().unwrap().reason, Reason::Repetition);
}

#[test]
fn text_may_be_separated_or_run_together() {
    let expected = [2, 1, -2, 2];
    for text in ["rr r ll rr", "rr,r,ll,rr", " rr, r\tll\nrr ,", "rr r llrr", "rr\u{a0}r ll rr"] {
        assert_eq!(played(START, text).moves(), expected, "{text:?}");
    }
    // Read from the left, the longest move first.
    assert_eq!(played(START, "rrr").moves(), [2, 1]);
    assert_eq!(played(START, "rrllr").moves(), [2, -2, 1]);
    // The longest that is legal there: after one to the right only one to the left is.
    assert_eq!(played(START, "rlrr").moves(), [1, -1, 2]);
    assert_eq!(played(START, "").moves(), [0; 0]);
    assert_eq!(played(START, " , ,").moves(), [0; 0]);
    // Run together for longer than any move is.
    assert_eq!(played(START, &"rrll".repeat(1000)).moves().len(), 2000);
}

#[test]
fn errors_name_the_text_its_number_and_what_could_be_played() {
    assert_eq!(
        refusal(START, "rr rr x").to_string(),
        "move \"x\": it is move 3: not legal here; expected one of ll, l, r"
    );
    assert_eq!(
        refusal(START, "rll").to_string(),
        "move \"l\": it is move 3: not legal here; expected one of r, rr"
    );
    assert_eq!(
        refusal(START, "l").to_string(),
        "move \"l\": it is move 1: not legal here; expected one of r, rr"
    );
    // What was legal has been played.
    let mut game = Playthrough::new(START);
    game.play_text("rr r ?").unwrap_err();
    assert_eq!(game.moves(), [2, 1]);
}

#[test]
fn any_text_is_refused_with_an_error() {
    for text in ["🎲", "é", "r🎲", "r\u{301}", "\0", "R", &"🎲".repeat(100_000), &"x".repeat(9999)]
    {
        let error = refusal(START, text);
        assert!(error.to_string().len() < 1000, "{error}");
        assert_eq!(error.what, "move");
    }
}

#[test]
fn perft_counts_sequences_of_exactly_that_length() {
    // One or two to the right; then, from 1: l r rr, and from 2: ll l r rr.
    let counts: Vec<u64> = (0..4).map(|depth| perft(&START, depth)).collect();
    assert_eq!(counts[..3], [1, 2, 7]);
    let brute = |depth| {
        let mut sequences = vec![START];
        for _ in 0..depth {
            let next = |at: Steps| {
                let moves = Playthrough::new(at.clone()).legal_moves();
                moves.into_iter().map(move |mv| {
                    let mut next = at.clone();
                    next.play(mv);
                    next
                })
            };
            sequences = sequences.into_iter().flat_map(next).collect();
        }
        sequences.len() as u64
    };
    for depth in 0..9 {
        assert_eq!(perft(&START, depth), brute(depth), "depth {depth}");
    }
    // Limits of played games do not count.
    let limited = Steps { repetitions: Some(1), plies: Some(1), ..START };
    assert_eq!(perft(&limited, 6), perft(&START, 6));
    // A finished game is one sequence of no plies, and none of more.
    let over = Steps { cell: LAST, ..START };
    assert_eq!([0, 1, 5].map(|depth| perft(&over, depth)), [1, 0, 0]);
}

#[test]
fn divide_adds_up_to_perft() {
    for depth in 1..8 {
        let parts: Vec<(i8, u64)> = divide(&START, depth).collect();
        assert_eq!(parts.iter().map(|(mv, _)| *mv).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(parts.iter().map(|(_, n)| n).sum::<u64>(), perft(&START, depth));
    }
    let over = Steps { cell: LAST, ..START };
    assert_eq!(divide(&over, 3).len(), 0);
    // The iterator does not hold on to the position.
    let rest = {
        let start = START;
        divide(&start, 3)
    };
    assert_eq!(rest.len(), 2);
}
