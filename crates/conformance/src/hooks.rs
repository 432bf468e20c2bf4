//! The laws of what a game may provide beside its rules: limits, names, and moves for special
//! purposes.

use std::collections::HashSet;

use super::book::{Book, Spot, Walk, ensure, text_of};
use super::subject::Subject;
use super::weights::IPPS;
use super::{notation, rules};
use treegraft::{
    Exactness, Game, Knowledge, Notation, Outcome, Part, PlayoutWeight, Rng, Side, Speed,
    legal_moves, played,
};

/// Longer sequences of loud moves are endless: no quiescence search could follow them.
const MAX_LOUD: u32 = 500;

/// Tests along a walk.
pub(super) fn check<G: Subject>(book: &mut Book, rng: &mut Rng, walk: &Walk<G>) {
    for at in walk.spots() {
        constants(book, &at);
        let seed = rng.next_u64();
        if at.position().outcome().is_none() {
            null_move(book, &at);
            special_moves(book, &at, seed);
        }
        // What takes long is not tested everywhere.
        if seed.is_multiple_of(4) {
            notation::pictures(book, &at);
            book.test("categories", &at, &mut || categories(at.walk.start(), at.position()));
            equal_answers(book, &at);
        }
    }
}

/// What a position says about the game as a whole.
pub(super) fn constants<G: Game>(book: &mut Book, at: &Spot<G>) {
    let (start, position) = (at.walk.start(), at.position());
    book.test("limits", at, &mut || limits(start, position));
    book.test("side-names", at, &mut || side_names(start, position));
}

fn limits<G: Game>(start: &G, position: &G) -> Result<(), String> {
    let least = [
        ("playout_plies", Some(position.limits().playout_plies), 1),
        ("max_plies", position.limits().plies, 1),
        // Every position has occurred once.
        ("repetition_limit", position.limits().repetitions, 2),
    ];
    for (what, limit, least) in least {
        if let Some(limit) = limit {
            ensure(limit >= least, || {
                format!("{what} is {limit}, which ends everything at once; at least {least}")
            })?;
        }
    }
    let played = |position: &G| {
        [
            ("max_plies", position.limits().plies),
            ("repetition_limit", position.limits().repetitions),
        ]
    };
    for ((what, here), (_, there)) in played(position).into_iter().zip(played(start)) {
        ensure(here == there, || format!("{what} is {here:?}, but {there:?} at the start"))?;
    }
    Ok(())
}

fn side_names<G: Game>(start: &G, position: &G) -> Result<(), String> {
    let names =
        |position: &G| [Side::First, Side::Second].map(|side| position.notation().side_name(side));
    let (here, there) = (names(position), names(start));
    ensure(here == there, || format!("they are {here:?}, but {there:?} at the start"))?;
    ensure(here.iter().all(|name| !name.trim().is_empty()), || {
        format!("one of {here:?} is empty")
    })?;
    ensure(here[0] != here[1], || format!("both are {:?}", here[0]))
}

fn categories<G: Game>(start: &G, position: &G) -> Result<(), String> {
    let (names, at_start) =
        (position.knowledge().move_categories(), start.knowledge().move_categories());
    ensure(names == at_start, || format!("they are {names:?}, but {at_start:?} at the start"))?;
    let mut once = HashSet::new();
    for name in &names {
        ensure(!name.trim().is_empty(), || "one of them has no name".to_owned())?;
        ensure(once.insert(name), || format!("two of them are called {name:?}"))?;
    }
    let count = names.len();
    for mv in legal_moves(position) {
        let category = position.knowledge().move_category(mv);
        ensure(category.map_or(count == 0, |category| (category as usize) < count), || {
            let text = text_of(position, mv);
            format!("{text} has category {category:?}, and there are {count}")
        })?;
    }
    Ok(())
}

fn null_move<G: Game>(book: &mut Book, at: &Spot<G>) {
    let position = at.position();
    let passed = book.ask("null-move", at, || position.knowledge().null_move());
    let Some(passed) = passed.flatten() else { return };
    book.test("null-move", at, &mut || {
        let mover = passed.to_move();
        ensure(mover == position.to_move().other(), || {
            format!("{mover:?} was to move, and is after it")
        })?;
        let outcome = passed.outcome();
        ensure(outcome.is_none(), || format!("after it the game is over: {outcome:?}"))?;
        let moves = legal_moves(&passed);
        ensure(!moves.is_empty(), || "after it no move is legal".to_owned())?;
        // Nothing must panic there.
        at.some_of(&moves).for_each(|mv| drop(legal_moves(&played(&passed, mv))));
        Ok(())
    });
}

fn special_moves<G: Game>(book: &mut Book, at: &Spot<G>, seed: u64) {
    let position = at.position();
    let moves = legal_moves(position);
    let mut loud = Vec::new();
    let ask = || position.knowledge().loud_moves(&mut loud);
    if book.ask("loud-moves", at, ask).is_some() && !loud.is_empty() {
        book.test("loud-moves", at, &mut || {
            among(position, &moves, &loud, &|position, moves| {
                position.knowledge().loud_moves(moves);
            })?;
            loud_moves_end(position, &mut Rng::new(seed))
        });
    }
    book.test("exchange", at, &mut || exchanges(position, &moves, &loud));
    // Where something is foregone, candidates are not requested.
    if book.ask("foregone", at, || position.exactness().foregone()) != Some(None) {
        return;
    }
    book.test("candidate-moves", at, &mut || {
        let mut candidates = Vec::new();
        position.exactness().candidate_moves(&mut candidates);
        ensure(!candidates.is_empty(), || "there is none".to_owned())?;
        among(position, &moves, &candidates, &|position, moves| {
            position.exactness().candidate_moves(moves);
        })
    });
}

/// Whether all loud moves have an exchange or none, and no other move has one that does not lose.
fn exchanges<G: Game>(position: &G, moves: &[G::Move], loud: &[G::Move]) -> Result<(), String> {
    let given = loud.iter().filter(|&&mv| position.knowledge().exchange(mv).is_some()).count();
    ensure(given == 0 || given == loud.len(), || {
        format!("{given} of {} loud moves have an exchange", loud.len())
    })?;
    for &mv in moves.iter().filter(|mv| !loud.contains(mv)) {
        let gain = position.knowledge().exchange(mv);
        ensure(gain.is_none_or(|gain| gain < 0), || {
            format!("{} is not loud, and its exchange is {gain:?}", text_of(position, mv))
        })?;
    }
    Ok(())
}

/// Whether some of the legal moves are legal and listed once, and appended by `list`.
fn among<G: Game>(
    position: &G,
    legal: &[G::Move],
    some: &[G::Move],
    list: &dyn Fn(&G, &mut Vec<G::Move>),
) -> Result<(), String> {
    let (legal_set, mut once) = (legal.iter().copied().collect::<HashSet<_>>(), HashSet::new());
    for &mv in some {
        ensure(legal_set.contains(&mv), || format!("{mv:?} is not legal"))?;
        ensure(once.insert(mv), || format!("{} is listed more than once", text_of(position, mv)))?;
    }
    let mut buffer = legal.to_vec();
    list(position, &mut buffer);
    let expected = [legal, some].concat();
    ensure(buffer == expected, || {
        format!("with moves in it, the buffer then holds {buffer:?} and not {expected:?}")
    })
}

fn loud_moves_end<G: Game>(position: &G, rng: &mut Rng) -> Result<(), String> {
    let (mut at, mut loud) = (position.clone(), Vec::new());
    for _ in 0..MAX_LOUD {
        loud.clear();
        if at.outcome().is_none() {
            at.knowledge().loud_moves(&mut loud);
        }
        // Illegal ones there are found when that place is tested.
        let legal = legal_moves(&at);
        loud.retain(|mv| legal.contains(mv));
        let Some(&mv) = rng.draw_from(&loud) else { return Ok(()) };
        at.play(mv);
    }
    Err(format!("{MAX_LOUD} of them in a row have not led to a position without one"))
}

/// Everything a search may query of an unfinished position, beside what the rules say.
#[derive(Debug, PartialEq)]
struct Hooks<G: Game> {
    margin_bounds: Option<(i64, i64)>,
    counts: Option<[i64; 2]>,
    hints: Vec<i32>,
    weights: Vec<[Option<PlayoutWeight>; 2]>,
    /// In words, so that what is not a number is equal to itself.
    node_priors: Vec<String>,
    transition_probabilities: Vec<String>,
    slots: Vec<usize>,
    categories: Vec<Option<u32>>,
    evaluations: Vec<(i32, Vec<Part>)>,
    null_move: Option<G>,
    loud_moves: Vec<G::Move>,
    exchanges: Vec<Option<i32>>,
    replies: Vec<u32>,
    plies_left: Option<u32>,
    foregone: Option<Outcome>,
    candidate_moves: Vec<G::Move>,
    win_loss: [Option<i64>; 3],
    playout_plies: u32,
    move_cells: Vec<Vec<usize>>,
}

impl<G: Subject> Hooks<G> {
    fn of(position: &G, moves: &[G::Move]) -> Hooks<G> {
        let (mut loud_moves, mut candidate_moves) = (Vec::new(), Vec::new());
        position.knowledge().loud_moves(&mut loud_moves);
        let foregone = position.exactness().foregone();
        if foregone.is_none() {
            position.exactness().candidate_moves(&mut candidate_moves);
        }
        let evaluators = 0..position.tested().evaluator_cards().len();
        let evaluation =
            |number| (position.tested().evaluate(number), position.tested().parts(number));
        let weights = |&mv: &G::Move| IPPS.map(|ipp| position.knowledge().playout_weight(mv, ipp));
        let prior = |&mv: &G::Move| format!("{:?}", position.knowledge().node_prior(mv));
        let probability =
            |&mv: &G::Move| format!("{:?}", position.knowledge().transition_probability(mv));
        Hooks {
            margin_bounds: position.exactness().margin_bounds(),
            counts: position.notation().counts(),
            hints: moves.iter().map(|&mv| position.knowledge().order_hint(mv)).collect(),
            weights: moves.iter().map(weights).collect(),
            node_priors: moves.iter().map(prior).collect(),
            transition_probabilities: moves.iter().map(probability).collect(),
            slots: moves.iter().map(|&mv| position.speed().move_slot(mv)).collect(),
            categories: moves.iter().map(|&mv| position.knowledge().move_category(mv)).collect(),
            evaluations: evaluators.map(evaluation).collect(),
            null_move: position.knowledge().null_move(),
            loud_moves,
            exchanges: moves.iter().map(|&mv| position.knowledge().exchange(mv)).collect(),
            replies: moves.iter().map(|&mv| position.speed().replies(mv)).collect(),
            plies_left: position.knowledge().plies_left(),
            foregone,
            candidate_moves,
            win_loss: [1, 2, 3].map(|plies| position.exactness().win_loss(plies)),
            playout_plies: position.limits().playout_plies,
            move_cells: moves.iter().map(|&mv| position.notation().move_cells(mv)).collect(),
        }
    }
}

/// Queries a position twice, and those that are equal to it.
fn equal_answers<G: Subject>(book: &mut Book, at: &Spot<G>) {
    let position = at.position();
    // What is not a number is not even equal to itself.
    let is_read = !["position-text", "evaluators", "parts"].iter().any(|law| book.failed(law));
    if position.outcome().is_some() || !is_read {
        return;
    }
    book.test("equal-hooks", at, &mut || {
        let moves = legal_moves(position);
        let here = Hooks::of(position, &moves);
        let read = position
            .notation()
            .position_text()
            .and_then(|text| position.notation().parse_position(&text).ok());
        let others = [
            ("on a second call", Some(position.clone())),
            ("when read from its text", read),
            ("with the last three moves in reverse order", rules::reordered(at)),
        ];
        for (how, other) in others {
            if let Some(other) = other.filter(|other| other == position) {
                let there = Hooks::of(&other, &moves);
                ensure(here == there, || format!("{here:?}, but {there:?} {how}"))?;
            }
        }
        Ok(())
    });
}
