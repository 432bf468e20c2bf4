//! The fast games against the plain ones of `treegraft-plain`, which were written from the rules
//! and share nothing with them: the same positions, moves and results in random games.

use std::any::{Any, type_name};

use treegraft::{Charset, Exactness, Game, Notation, Rng, Side};
use treegraft_games::hex::Cells;
use treegraft_games::{AnyGame, Connect4, Hex, Kalah, Lion, Loa, Visitor};
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

tests! { connect4, breakthrough, othello, lion, hex, kalah, loa }

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

fn breakthrough(positions: u64, seed: u64) {
    let variants = [
        ("breakthrough", 8, 8, 40),
        ("breakthrough:6x6", 6, 6, 20),
        ("breakthrough:5x4", 5, 4, 10),
        ("breakthrough:2x4", 2, 4, 5),
        ("breakthrough:18x6", 18, 6, 10),
        ("breakthrough:9x6", 9, 6, 5),
        ("breakthrough:12x10", 12, 10, 10),
    ];
    for (text, width, height, percent) in variants {
        let plain = plain::Breakthrough::new(width, height);
        agree_in_text(text, &plain, positions * percent / 100, seed);
    }
}

fn othello(positions: u64, seed: u64) {
    for (text, size, percent) in [("othello", 8, 70), ("othello:6", 6, 20), ("othello:4", 4, 10)] {
        let plain = plain::Othello::new(size);
        let positions = positions * percent / 100;
        agree_in_text(text, &plain, positions, seed);
        // Small boards more often: there, many games end before the board is full.
        let text = format!("othello:{size},empties=winner");
        agree_in_text(&text, &plain.winner_takes_empties(), positions / 4 + 2_000, seed + 1);
    }
}

fn lion(positions: u64, seed: u64) {
    // No rule says in which order the pieces in hand are written, or whether a
    // captured Lion is written at all.
    fn sorted(text: Option<String>) -> Option<(String, Vec<char>, String)> {
        let text = text?;
        let (board, rest) = text.split_once('[')?;
        let (hand, side) = rest.split_once(']')?;
        let mut hand: Vec<char> = hand.chars().filter(|c| !"-Ll".contains(*c)).collect();
        hand.sort_unstable();
        Some((board.to_owned(), hand, side.to_owned()))
    }
    let same = |fast: &Lion, plain: &plain::Lion| {
        let text = sorted(fast.notation().position_text());
        text.is_some() && text == sorted(plain.notation().position_text())
    };
    agree(&start::<Lion>("lion"), &plain::Lion::new(400), same, positions, seed);
}

fn hex(positions: u64, seed: u64) {
    let variants = [
        ("hex:3", 3, false, 10),
        ("hex:5", 5, false, 15),
        ("hex:7", 7, false, 30),
        ("hex:11", 11, false, 20),
        ("hex:19", 19, false, 10),
        ("hex:5,swap=true", 5, true, 15),
    ];
    for (text, size, swap, percent) in variants {
        let (plain, positions) = (plain::Hex::new(size, swap), positions * percent / 100);
        match size {
            2..=8 => agree_hex::<u64>(text, &plain, positions, seed),
            9..=11 => agree_hex::<u128>(text, &plain, positions, seed),
            _ => agree_hex::<treegraft_games::hex::Wide>(text, &plain, positions, seed),
        }
    }
}

fn agree_hex<W: Cells + 'static>(text: &str, plain: &plain::Hex, positions: u64, seed: u64) {
    let same = |fast: &Hex<W>, plain: &plain::Hex| {
        cells(fast.size(), fast.size()).all(|(c, r)| fast.at(c, r) == plain.at(c, r))
    };
    agree(&start::<Hex<W>>(text), plain, same, positions, seed);
}

fn kalah(positions: u64, seed: u64) {
    let variants = [
        ("kalah", plain::Kalah::new(6, 4, true), 40),
        ("kalah:6,4,capture-empty=false", plain::Kalah::new(6, 4, false), 30),
        ("kalah:3,3", plain::Kalah::new(3, 3, true), 10),
        ("kalah:4,6", plain::Kalah::new(4, 6, true), 19),
        ("kalah:1,3", plain::Kalah::new(1, 3, true), 1),
    ];
    let same = |fast: &Kalah, plain: &plain::Kalah| {
        [Side::First, Side::Second].into_iter().all(|side| {
            let mut houses = 0..plain.houses();
            fast.store(side) == plain.store(side)
                && houses.all(|house| fast.at(side, house) == plain.house(side, house))
        })
    };
    for (text, plain, percent) in variants {
        agree(&start::<Kalah>(text), &plain, same, positions * percent / 100, seed);
    }
}

fn loa(positions: u64, seed: u64) {
    use plain::loa::{NoMove, Simultaneous};
    let variants = [
        ("loa", Simultaneous::Draw, NoMove::Pass, 60),
        ("loa:simultaneous=mover", Simultaneous::MoverWins, NoMove::Pass, 20),
        ("loa:no-move=loss", Simultaneous::Draw, NoMove::Loss, 20),
    ];
    let same =
        |fast: &Loa, plain: &plain::Loa| cells(8, 8).all(|(c, r)| fast.at(c, r) == plain.at(c, r));
    for (text, simultaneous, no_move, percent) in variants {
        let plain = plain::Loa::new(simultaneous, no_move, Some(3));
        let positions = positions * percent / 100;
        agree(&start::<Loa>(text), &plain, same, positions * 3 / 4, seed);
        // Random games from the start hardly ever connect both sides at once or block one.
        let mut rng = Rng::new(seed);
        for game in 0..positions / 4 / FEW {
            let (black, white) = if game % 2 == 0 { crowd(&mut rng) } else { corners(&mut rng) };
            let fast = with_pieces(&start(text), &black, &white);
            let plain = plain.with_pieces(&black, &white, Side::First);
            agree(&fast, &plain, same, FEW, seed + game);
        }
    }
}

/// How many positions to compare from each start with few pieces.
const FEW: u64 = 10;

/// The squares of Black's pieces and of White's.
type Pieces = (Vec<plain::Square>, Vec<plain::Square>);

/// A few pieces in the middle of the board: moves that connect both sides are common.
fn crowd(rng: &mut Rng) -> Pieces {
    let mut middle: Vec<plain::Square> =
        cells(4, 4).map(|(c, r)| (c as i32 + 2, r as i32 + 2)).collect();
    rng.shuffle(&mut middle);
    let black = middle[..2 + rng.below(3) as usize].to_vec();
    (black, middle[8..10 + rng.below(3) as usize].to_vec())
}

/// Black in two corners and White around them: often Black cannot move.
fn corners(rng: &mut Rng) -> Pieces {
    let (mut black, mut white) = (Vec::new(), Vec::new());
    for (column, row, right, up) in [(0, 0, 1, 1), (7, 7, -1, -1)] {
        black.push((column, row));
        for square in [(column + right, row), (column + right, row + up), (column, row + up)] {
            // A side without any piece is no position.
            if rng.below(8) > 0 || white.is_empty() {
                white.push(square);
            }
        }
    }
    (black, white)
}

/// A position with the rules of `rules`, these pieces, and Black to move.
fn with_pieces(rules: &Loa, black: &[plain::Square], white: &[plain::Square]) -> Loa {
    let row = |row: i32| -> String {
        let piece = |column: i32| match (column, row) {
            square if black.contains(&square) => 'B',
            square if white.contains(&square) => 'W',
            _ => '1',
        };
        (0..8).map(piece).collect()
    };
    let rows: Vec<String> = (0..8).rev().map(row).collect();
    let text = format!("{} b", rows.join("/"));
    rules.notation().parse_position(&text).unwrap_or_else(|error| panic!("{error}"))
}

/// [`agree`] for a game whose notation for positions is not a list of moves: its text and that
/// of the plain one are the same.
fn agree_in_text<P: Game>(text: &str, plain: &P, positions: u64, seed: u64) {
    struct InText<'a, P>(&'a P, u64, u64);
    impl<P: Game> Visitor for InText<'_, P> {
        type Output = ();
        fn visit<F: Game + Send + Sync + 'static>(self, fast: F) {
            let InText(plain, positions, seed) = self;
            let same = |fast: &F, plain: &P| {
                let text = fast.notation().position_text();
                text.is_some() && text == plain.notation().position_text()
            };
            agree(&fast, plain, same, positions, seed);
        }
    }
    let fast = AnyGame::parse(text).unwrap_or_else(|error| panic!("{error}"));
    fast.visit(InText(plain, positions, seed));
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

/// Walks random games on both sides at once and compares everything the rules say about `positions`
/// positions; about one in eight, also about all that can follow. `same` compares the boards.
fn agree<F: Game, P: Game>(
    fast: &F,
    plain: &P,
    same: impl Fn(&F, &P) -> bool,
    positions: u64,
    seed: u64,
) {
    assert_eq!(fast.limits().plies, plain.limits().plies);
    assert_eq!(fast.limits().repetitions, plain.limits().repetitions);
    let longest = fast.limits().playout_plies.min(plain.limits().playout_plies) as usize;
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
            let (text, fast, plain) = rng.draw_from(&moves).expect("a move while the game goes on");
            if pair.fast.notation().parse_move(text).as_ref() != Ok(fast) {
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
    /// Compares all but the moves, and returns whether the game is over.
    fn compare(&self, same: &impl Fn(&F, &P) -> bool) -> bool {
        let (fast, plain) = (&self.fast, &self.plain);
        let outcome = plain.outcome();
        if fast.outcome() != outcome {
            self.differ("the outcomes");
        }
        if fast.exactness().margin() != plain.exactness().margin() {
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

    /// The legal moves of both, matched by their texts. Only called while the game goes on.
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
    let mut moves: Vec<_> =
        moves.into_iter().map(|mv| (position.notation().move_text(mv), mv)).collect();
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
        position.exactness().margin(),
        moves.len(),
        moves.join(" "),
        position.notation().diagram(Charset::Ascii),
    )
}
