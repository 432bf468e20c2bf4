//! A board is a game like the position inside it.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use treegraft::rollout::{self, Embed, Implicit, Informed, Mixture, Playouts, Rollout};
use treegraft::{
    Budget, Charset, Evaluator, Exactness, Game, Ipp, Knowledge, Notation, Outcome, Playthrough,
    Request, Rng, Searcher, Side, Speed, Trace, presets,
};
use treegraft_conformance::{Options, check};
use treegraft_games::{Breakthrough, Connect4, GAMES, Kalah, Loa};
use treegraft_players::{Board, MoveIndex, Registry};

use crate::common::{Nim, board, start};

/// Every game, and some that are types of their own.
fn texts() -> Vec<&'static str> {
    let more = ["hex:5", "breakthrough:12x6", "tree:((3 5) (2 -9 4))"];
    GAMES.iter().map(|info| info.name).chain(more).collect()
}

#[test]
fn boards_of_every_game_keep_the_contract() {
    for text in texts() {
        let options = Options { walks: 2, samples: 100, ..Options::default() };
        let report = check(&board(text), &options);
        assert!(report.passed(), "{text}\n{report}");
        assert!(report.positions > 0);
        // The same from inside, and reported as it goes on.
        let mut told = Vec::new();
        let registry = Registry::standard();
        let inside = registry.check(&start(&registry, text), &options, &mut |it| told.push(it));
        assert!(inside.passed(), "{text}\n{inside}");
        assert!(!told.is_empty() && told.is_sorted(), "{text}: {told:?}");
    }
}

/// Plays random games on a board and on the position inside it: they agree all along.
fn agree<G: Game + Send + Sync + 'static>(text: &str, games: u64) -> usize
where
    G::Move: Send + Sync,
{
    let first = board(text);
    let start: G = first.downcast::<G>().expect(text).clone();
    let mut positions = 0;
    for seed in 0..games {
        let mut rng = Rng::new(seed);
        let mut on_board = Playthrough::new(first.clone());
        let mut inside = Playthrough::new(start.clone());
        loop {
            same(on_board.position(), inside.position(), seed);
            assert_eq!(on_board.ending(), inside.ending());
            positions += 1;
            if inside.ending().is_some() {
                break;
            }
            let mut also = rng.clone();
            let number = on_board.position().speed().random_move(&mut rng, &mut Vec::new());
            let mv = inside.position().speed().random_move(&mut also, &mut Vec::new());
            assert_eq!(rng.next_u64(), also.next_u64(), "as many random numbers");
            assert_eq!(
                on_board.position().notation().move_text(number),
                inside.position().notation().move_text(mv)
            );
            on_board.play(number);
            inside.play(mv);
        }
        assert_eq!(on_board.move_texts(), inside.move_texts());
    }
    positions
}

/// A board says of a position what the position says itself.
fn same<G: Game + Send + Sync + 'static>(board: &Board, position: &G, seed: u64)
where
    G::Move: Send + Sync,
{
    assert_eq!(board.downcast::<G>(), Some(position));
    assert_eq!(format!("{board:?}"), format!("{position:?}"));
    assert_eq!(
        (
            board.to_move(),
            board.outcome(),
            board.speed().key(),
            board.exactness().margin(),
            board.exactness().foregone()
        ),
        (
            position.to_move(),
            position.outcome(),
            position.speed().key(),
            position.exactness().margin(),
            position.exactness().foregone()
        )
    );
    assert_eq!(board.notation().position_text(), position.notation().position_text());
    assert_eq!(
        board.notation().diagram(Charset::Ascii),
        position.notation().diagram(Charset::Ascii)
    );
    assert_eq!(board.notation().picture(), position.notation().picture());
    assert_eq!(board.exactness().win_loss(1), position.exactness().win_loss(1));
    assert_eq!(board.knowledge().plies_left(), position.knowledge().plies_left());
    for least in [0, 1] {
        let mut nodes = [u64::MAX; 2];
        let [ours, theirs] = &mut nodes;
        assert_eq!(
            board.exactness().ending(5, least, ours),
            position.exactness().ending(5, least, theirs)
        );
        assert_eq!(nodes[0], nodes[1]);
    }
    let mut numbers = Vec::new();
    let mut moves = Vec::new();
    if position.outcome().is_none() {
        board.moves(&mut numbers);
        position.moves(&mut moves);
    }
    assert_eq!(numbers, (0..moves.len() as u32).map(MoveIndex).collect::<Vec<_>>());
    for (&number, &mv) in numbers.iter().zip(&moves) {
        let text = position.notation().move_text(mv);
        assert_eq!(board.notation().move_text(number), text);
        assert_eq!(board.notation().parse_move(&text), Ok(number));
        assert_eq!(board.speed().move_slot(number), position.speed().move_slot(mv));
        assert_eq!(board.knowledge().order_hint(number), position.knowledge().order_hint(mv));
        assert_eq!(board.knowledge().exchange(number), position.knowledge().exchange(mv));
        assert_eq!(board.speed().replies(number), position.speed().replies(mv));
        for ipp in [Ipp::Program, Ipp::Printed] {
            assert_eq!(
                board.knowledge().playout_weight(number, ipp),
                position.knowledge().playout_weight(mv, ipp)
            );
        }
        assert_eq!(board.knowledge().node_prior(number), position.knowledge().node_prior(mv));
        assert_eq!(
            board.knowledge().transition_probability(number),
            position.knowledge().transition_probability(mv)
        );
        assert_eq!(board.notation().move_cells(number), position.notation().move_cells(mv));
        let (mut next, mut inside) = (board.clone(), position.clone());
        next.play(number);
        inside.play(mv);
        assert_eq!(next.downcast::<G>(), Some(&inside));
        assert_ne!(&next, board);
    }
    if position.outcome().is_none() {
        same_choices(board, position, &moves, seed);
    }
    let (ours, theirs) = (board.knowledge().evaluators(), position.knowledge().evaluators());
    assert_eq!(ours.len(), theirs.len());
    for (our, their) in ours.iter().zip(&theirs) {
        assert_eq!((&our.name, &our.about, our.slope), (&their.name, &their.about, their.slope));
        if position.outcome().is_none() {
            assert_eq!(our.evaluate(board), their.evaluate(position));
            for ipp in [None, Some(Ipp::Program), Some(Ipp::Printed)] {
                let number = our.greedy_move(board, ipp, &mut Rng::new(seed));
                let mv = their.greedy_move(position, ipp, &mut Rng::new(seed));
                assert_eq!(number.map(|number| moves[number.0 as usize]), mv);
            }
        }
    }
    let limit = position.limits().playout_plies;
    assert_eq!(board.limits().playout_plies, limit);
    let (mut end, mut inside) = (board.clone(), position.clone());
    let ours = treegraft::playout(&mut end, &mut Rng::new(seed), &mut Vec::new(), limit, None);
    assert_eq!(
        ours,
        treegraft::playout(&mut inside, &mut Rng::new(seed), &mut Vec::new(), limit, None)
    );
    assert_eq!(end.downcast::<G>(), Some(&inside));
}

/// The moves that a board chooses or lists are those of the position inside it, and leave as many
/// random numbers.
fn same_choices<G: Game + Send + Sync + 'static>(
    board: &Board,
    position: &G,
    moves: &[G::Move],
    seed: u64,
) where
    G::Move: Send + Sync,
{
    let moves_of = |numbers: &[MoveIndex]| -> Vec<G::Move> {
        numbers.iter().map(|number| moves[number.0 as usize]).collect()
    };
    let (mut numbers, mut listed) = (Vec::new(), Vec::new());
    board.knowledge().loud_moves(&mut numbers);
    position.knowledge().loud_moves(&mut listed);
    if position.exactness().foregone().is_none() {
        board.exactness().candidate_moves(&mut numbers);
        position.exactness().candidate_moves(&mut listed);
    }
    assert_eq!(moves_of(&numbers), listed);
    let passed = board.knowledge().null_move();
    assert_eq!(
        passed.as_ref().and_then(Board::downcast::<G>),
        position.knowledge().null_move().as_ref()
    );

    let (mut ours, mut theirs) = (Rng::new(seed), Rng::new(seed));
    let none = &mut Vec::new();
    let mut drawn = vec![board.speed().guided_move(None, &mut ours, &mut Vec::new())];
    let mut expected = vec![position.speed().guided_move(None, &mut theirs, none)];
    for ipp in [Ipp::Program, Ipp::Printed] {
        drawn.push(board.speed().guided_move(Some(ipp), &mut ours, &mut Vec::new()));
        expected.push(position.speed().guided_move(Some(ipp), &mut theirs, none));
    }
    drawn.extend(board.speed().minimax_move(2, &mut ours));
    expected.extend(position.speed().minimax_move(2, &mut theirs));
    assert_eq!(moves_of(&drawn), expected);

    let (mut end, mut inside) = (board.clone(), position.clone());
    let mut trace = Trace::new(position.speed().move_slots());
    trace.add(Side::First, 0);
    let mut played = trace.clone();
    assert_eq!(
        treegraft::playout(&mut end, &mut ours, &mut Vec::new(), 9, Some(&mut trace)),
        treegraft::playout(&mut inside, &mut theirs, none, 9, Some(&mut played))
    );
    assert_eq!((end.downcast::<G>(), trace), (Some(&inside), played));
    assert_eq!(ours.next_u64(), theirs.next_u64());
}

/// Whatever a search can call on a game, it can call on a board too.
#[test]
fn a_search_of_boards_is_the_search_of_the_game() {
    let told = rollout::Config {
        playouts: Playouts::Improved(Ipp::Program),
        informed: Informed { ir: Some(0.2), np: Some(10), ..Informed::default() },
        implicit: Some(Implicit::constant(0.4, Mixture::Minimax)),
        ..presets::mcts_solver()
    };
    let plain = presets::mcts_solver();
    let configs = [
        told,
        rollout::Config { informed: Informed::default(), ..told },
        rollout::Config { playouts: Playouts::Hints, ..plain },
        rollout::Config { embed: Embed { mr: Some(2), ..Embed::default() }, ..plain },
    ];
    fn search<G: Game>(position: &G, config: rollout::Config, name: &str) -> [String; 2] {
        let named = |evaluator: &Evaluator<G>| evaluator.name == name;
        let evaluator = position.knowledge().evaluators().into_iter().find(named);
        let mut search = Rollout::with_evaluator(config, evaluator).unwrap();
        let report = search.search(position, Request::new(Budget::iterations(300), 7));
        let moves: Vec<_> = report.moves.iter().map(|of| (of.visits, of.value)).collect();
        let best = report.best_move.map(|mv| position.notation().move_text(mv));
        [format!("{best:?} {moves:?}"), format!("{:x}", report.digest)]
    }
    let mut all = HashSet::new();
    for config in configs {
        let board = board("breakthrough");
        let inside: &Breakthrough<u64> = board.downcast().expect("a board of 64 squares");
        let said = search(inside, config, "efMS");
        assert_eq!(search(&board, config, "efMS"), said, "{config:?}");
        all.insert(said);
    }
    assert_eq!(all.len(), configs.len(), "they differ in what they use");
}

#[test]
fn a_board_is_the_position_inside_it() {
    assert!(agree::<Breakthrough<u64>>("breakthrough:5x6", 5) > 80);
    assert!(agree::<Breakthrough<u128>>("breakthrough:12x6", 1) > 30);
    assert!(agree::<Connect4>("connect4", 30) > 300);
    assert!(agree::<Kalah>("kalah", 20) > 300);
    assert!(agree::<Kalah>("kalah:3,2,random-start=5", 20) > 100);
    assert!(agree::<Loa>("loa", 2) > 30);
    assert!(board("connect4").downcast::<Kalah>().is_none());
    assert!(board("connect4").downcast::<MoveIndex>().is_none());
}

#[test]
fn moves_are_counted_as_inside() {
    assert_eq!(board("connect4").perft(0), 1);
    assert_eq!(board("connect4").perft(4), 2401);
    let mut all = Vec::new();
    board("connect4:4x4").divide(3, &mut |mv, nodes| all.push((mv, nodes)));
    assert_eq!(all, [0, 1, 2, 3].map(|number| (MoveIndex(number), 16)));
    assert!(board("kalah").keeps_count() && !board("connect4").keeps_count());
}

#[test]
fn equal_boards_are_equal_and_have_one_hash() {
    let hasher = RandomState::new();
    let after = |text: &str, moves: &str| {
        let mut game = Playthrough::new(board(text));
        game.play_text(moves).unwrap_or_else(|error| panic!("{error}"));
        game.position().clone()
    };
    // The same stones in another order.
    let (one, other) = (after("connect4", "1 2 3 4"), after("connect4", "3 4 1 2"));
    assert_eq!(one, other);
    assert_eq!(hasher.hash_one(&one), hasher.hash_one(&other));
    assert_eq!(one, one.clone());
    assert_ne!(one, after("connect4", "1 2 4 3"));
    // Another board, or another game, is never equal.
    assert_ne!(board("connect4"), board("connect4:8x7"));
    let starts: HashSet<Board> = texts().into_iter().map(board).collect();
    assert_eq!(starts.len(), texts().len());
    assert!(starts.contains(&board("loa")) && !starts.contains(&one));
    assert_eq!(Board::new(Nim { heap: 3, mover: Side::First }), nim(3));
    assert_ne!(nim(3), nim(4));
}

fn nim(heap: u8) -> Board {
    Board::new(Nim { heap, mover: Side::First })
}

#[test]
fn moves_that_are_not_legal_are_errors() {
    for (text, moves) in [
        ("connect4", &["0", "8", "", "a1"][..]),
        ("kalah", &["0", "7", "x"]),
        ("hex:5", &["a6", "f1", "5"]),
        ("othello", &["a1", "d4", "z9"]),
        ("breakthrough:12x6", &["a1a4", "a6a5", "b2"]),
        ("tree:((3 5) (2 -9 4))", &["3", "0"]),
    ] {
        for wrong in moves {
            let error = board(text).notation().parse_move(wrong).expect_err(wrong).to_string();
            assert!(error.contains("expected"), "{text} {wrong}: {error}");
        }
    }
    // A column that is full, a square that is taken.
    let mut game = Playthrough::new(board("connect4:4x4"));
    game.play_text("1 1 1 1").unwrap();
    assert!(game.position().notation().parse_move("1").is_err());
    let mut game = Playthrough::new(board("hex:5"));
    game.play_text("c3").unwrap();
    assert!(game.position().notation().parse_move("c3").is_err());
    // A game may read moves that are not legal: a board checks the list.
    assert!(Lenient(3).parse_move("9").is_ok());
    let error = Board::new(Lenient(3)).notation().parse_move("9").unwrap_err().to_string();
    assert!(error.contains("not legal here"), "{error}");
    assert_eq!(Board::new(Lenient(3)).notation().parse_move("1"), Ok(MoveIndex(0)));
}

/// No game with a board of its own reports it yet.
#[test]
fn a_board_tells_transition_probabilities() {
    assert_eq!(Board::new(Lenient(4)).knowledge().transition_probability(MoveIndex(0)), Some(0.25));
}

/// A game that reads any number as a move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Lenient(u32);

impl Game for Lenient {
    type Move = u32;

    fn to_move(&self) -> Side {
        Side::First
    }

    fn moves(&self, moves: &mut Vec<u32>) {
        moves.push(1);
    }

    fn play(&mut self, mv: u32) {
        self.0 -= mv;
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.0 == 0).then_some(Outcome::Draw)
    }

    treegraft::brings!(Knowledge, Notation);
}

impl Knowledge for Lenient {
    fn transition_probability(&self, mv: u32) -> Option<f64> {
        Some(f64::from(mv) / f64::from(self.0))
    }
}

impl Notation for Lenient {
    fn parse_move(&self, text: &str) -> Result<u32, treegraft::NotationError> {
        let wrong = |_| treegraft::NotationError::of_move(text, "no number", "a number");
        text.parse().map_err(wrong)
    }
}
