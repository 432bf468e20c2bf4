//! The fast games against the plain ones of `treegraft-plain`, which were written from the rules
//! and share nothing with them: the same positions, moves and results in random games.

use std::any::{Any, type_name};

use treegraft::{Charset, Game, Rng};
use treegraft_games::{AnyGame, Connect4, Visitor};
use treegraft_plain as plain;

/// Declares the tests of some games: each is a function of the number of positions to compare,
/// summed over the variants of the game, and of the seed.
macro_rules! tests {
    ($($game:ident),* $(,)?) => {$(
        mod $game {
            #[test]
            fn agrees() {
                super::$game(110_000, 1);
            }

            #[test]
            #[ignore = "long: cargo xtask test-long"]
            fn agrees_at_length() {
                super::$game(5_000_000, 2);
            }
        }
    )*};
}

tests! { connect4 }

fn connect4(positions: u64, seed: u64) {
    let variants = [
        ("connect4", plain::Connect4::new(7, 6), 60),
        ("connect4:5x4", plain::Connect4::new(5, 4), 20),
        ("connect4:9x6", plain::Connect4::new(9, 6), 20),
    ];
    for (text, plain, percent) in variants {
        let fast: Connect4 = start(text);
        let (width, height) = (fast.width(), fast.height());
        let same = |fast: &Connect4, plain: &plain::Connect4| {
            cells(width, height).all(|(c, r)| fast.at(c, r) == plain.at(c, r))
        };
        agree(&fast, &plain, same, positions * percent / 100, seed);
    }
}

#[test]
#[should_panic(expected = "the legal moves differ after 0 moves")]
fn a_difference_is_found() {
    agree(&start::<Connect4>("connect4"), &plain::Connect4::new(6, 6), |_, _| true, 100, 1);
}

/// All cells of a board, as column and row.
fn cells(width: u32, height: u32) -> impl Iterator<Item = (u32, u32)> {
    (0..height).flat_map(move |row| (0..width).map(move |column| (column, row)))
}

/// The start of the game that `text` names, which must be an `F`.
fn start<F: Game + 'static>(text: &str) -> F {
    struct Boxed;
    impl Visitor for Boxed {
        type Output = Box<dyn Any>;
        fn visit<G: Game + Send + Sync + 'static>(self, start: G) -> Box<dyn Any> {
            Box::new(start)
        }
    }
    let start = AnyGame::parse(text).unwrap_or_else(|error| panic!("{error}")).visit(Boxed);
    *start.downcast().unwrap_or_else(|_| panic!("{text} is not a {}", type_name::<F>()))
}

/// Walks random games on both sides at once and compares everything the rules say about so many
/// positions; about one in eight, also about all that can follow. `same` compares the boards.
fn agree<F: Game, P: Game>(
    fast: &F,
    plain: &P,
    same: impl Fn(&F, &P) -> bool,
    positions: u64,
    seed: u64,
) {
    assert_eq!(fast.max_plies(), plain.max_plies());
    assert_eq!(fast.repetition_limit(), plain.repetition_limit());
    let longest = fast.playout_plies().min(plain.playout_plies()) as usize;
    let mut rng = Rng::new(seed);
    let mut compared = 0;
    while compared < positions {
        let mut pair = Pair { fast: fast.clone(), plain: plain.clone(), played: Vec::new() };
        loop {
            let over = pair.compare(&same);
            compared += 1;
            if over || pair.played.len() >= longest || compared >= positions {
                break;
            }
            let moves = pair.moves();
            if rng.below(8) == 0 {
                let (fast, plain) = (pair.fast.clone(), pair.plain.clone());
                for (text, fast_move, plain_move) in &moves {
                    pair.play(text, *fast_move, *plain_move);
                    pair.compare(&same);
                    pair.played.pop();
                    (pair.fast, pair.plain) = (fast.clone(), plain.clone());
                }
            }
            let (text, fast, plain) = rng.choose(&moves).expect("a move while the game goes on");
            if pair.fast.parse_move(text).as_ref() != Ok(fast) {
                pair.differ(&format!("the moves that {text:?} stands for"));
            }
            pair.play(text, *fast, *plain);
        }
    }
}

/// What should be the same position twice.
struct Pair<F: Game, P: Game> {
    fast: F,
    plain: P,
    played: Vec<String>,
}

impl<F: Game, P: Game> Pair<F, P> {
    /// Compares all but the moves, and tells whether the game is over.
    fn compare(&self, same: &impl Fn(&F, &P) -> bool) -> bool {
        let (fast, plain) = (&self.fast, &self.plain);
        let outcome = plain.outcome();
        if fast.outcome() != outcome {
            self.differ("the outcomes");
        }
        if fast.margin() != plain.margin() {
            self.differ("the margins");
        }
        // Once the game is over, any answer will do.
        if outcome.is_none() && fast.to_move() != plain.to_move() {
            self.differ("the sides to move");
        }
        if !same(fast, plain) {
            self.differ("the boards");
        }
        outcome.is_some()
    }

    /// The legal moves of both, matched by their texts. Only asked while the game goes on.
    fn moves(&self) -> Vec<(String, F::Move, P::Move)> {
        let (fast, plain) = (moves_by_text(&self.fast), moves_by_text(&self.plain));
        if !fast.iter().map(|(text, _)| text).eq(plain.iter().map(|(text, _)| text)) {
            self.differ("the legal moves");
        }
        fast.into_iter().zip(plain).map(|((text, fast), (_, plain))| (text, fast, plain)).collect()
    }

    fn play(&mut self, text: &str, fast: F::Move, plain: P::Move) {
        self.fast.play(fast);
        self.plain.play(plain);
        self.played.push(text.to_owned());
    }

    fn differ(&self, what: &str) -> ! {
        panic!(
            "{}: {what} differ after {} moves\nplayed: {}\n\nfast:\n{}\n\nplain:\n{}",
            type_name::<F>(),
            self.played.len(),
            self.played.join(" "),
            view(&self.fast),
            view(&self.plain),
        );
    }
}

/// The legal moves in the order of their texts.
fn moves_by_text<G: Game>(position: &G) -> Vec<(String, G::Move)> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let mut moves: Vec<_> = moves.into_iter().map(|mv| (position.move_text(mv), mv)).collect();
    moves.sort_by(|(a, _), (b, _)| a.cmp(b));
    moves
}

/// Everything there is to see of a position.
fn view<G: Game>(position: &G) -> String {
    let mut moves = Vec::new();
    if position.outcome().is_none() {
        moves.extend(moves_by_text(position).into_iter().map(|(text, _)| text));
    }
    format!(
        "{:?} to move, outcome {:?}, margin {:?}, {} moves: {}\n{}\n{position:?}",
        position.to_move(),
        position.outcome(),
        position.margin(),
        moves.len(),
        moves.join(" "),
        position.diagram(Charset::Ascii),
    )
}
