//! The laws of what a game may say about its moves (weights for playouts, priors, probabilities), and
//! of moves that are chosen by weights or by evaluations.

use super::book::{Book, Spot, Walk, ensure, text_of};
use super::draws::{drawn_by_weight, evenly_drawn};
use super::subject::EvaluatorCard;
use super::subject::Subject;
use treegraft::{
    EVAL_ONE, Game, Ipp, Knowledge, PlayoutWeight, Rng, Speed, in_scale, legal_moves, played,
};

/// Both kinds of weights.
pub(super) const IPPS: [Ipp; 2] = [Ipp::Program, Ipp::Printed];

/// What a game says about a move: nothing, or something that is right or not.
type Told = Option<Result<(), String>>;

/// How that is queried.
type Ask<G> = fn(&G, <G as Game>::Move) -> Told;

/// The hooks that say something about all moves of a game or none, by their laws.
fn hooks<G: Game>() -> [(&'static str, Ask<G>); 3] {
    [
        ("playout-weight", weights_of),
        ("node-prior", |position, mv| position.knowledge().node_prior(mv).map(share)),
        ("transition-probability", |position, mv| {
            position.knowledge().transition_probability(mv).map(share)
        }),
    ]
}

fn weights_of<G: Game>(position: &G, mv: G::Move) -> Told {
    let given = IPPS.map(|ipp| position.knowledge().playout_weight(mv, ipp));
    let [Some(program), Some(printed)] = given else {
        let is_given = given.iter().any(Option::is_some);
        return is_given.then(|| Err(format!("{given:?} with {IPPS:?}: both or none")));
    };
    let wrong = [program, printed].into_iter().find(|given| {
        let PlayoutWeight { weight, .. } = given;
        !(1..=PlayoutWeight::MOST).contains(weight)
    });
    Some(match wrong {
        None => Ok(()),
        Some(wrong) => Err(format!("{wrong:?}: expected from 1 to {}", PlayoutWeight::MOST)),
    })
}

fn share(given: f64) -> Result<(), String> {
    ensure((0.0..=1.0).contains(&given), || format!("{given}: expected from 0 to 1"))
}

/// Tests along a walk.
pub(super) fn check<G: Subject>(book: &mut Book, rng: &mut Rng, walk: &Walk<G>) {
    let mut is_given = [false; 3];
    for at in walk.spots() {
        let moves = legal_moves(at.position());
        let seed = rng.next_u64();
        if moves.is_empty() {
            continue;
        }
        for ((law, ask), is_given) in hooks().into_iter().zip(&mut is_given) {
            given_alike(book, &at, &moves, law, ask, is_given);
        }
        if book.failed("playout-weight") {
            continue;
        }
        book.test("weighted-move", &at, &mut || weighted_moves_are_urgent(&at, &moves, seed));
        each_greedy(book, &at, &mut |book, evaluator| {
            let best = BestMoves::of(at.position(), &moves, evaluator);
            book.test("greedy-move", &at, &mut || best.are_chosen(&at, seed));
        });
    }
    let at = walk.any_spot(rng);
    let seed = rng.next_u64();
    if at.position().outcome().is_none() && !book.failed("playout-weight") {
        book.test("seeded", &at, &mut || weighted_moves_are_seeded(at.position(), seed));
        each_greedy(book, &at, &mut |book, evaluator| {
            book.test("seeded", &at, &mut || greedy_moves_are_seeded(&at, evaluator, seed));
        });
    }
}

/// What the game says about some moves, compared with whether it says anything at the start.
fn given_alike<G: Subject>(
    book: &mut Book,
    at: &Spot<G>,
    moves: &[G::Move],
    law: &str,
    ask: Ask<G>,
    is_given: &mut bool,
) {
    let position = at.position();
    let ask = || moves.iter().map(|&mv| ask(position, mv)).collect::<Vec<Told>>();
    let Some(given) = book.ask(law, at, ask) else { return };
    if at.ply() == 0 {
        *is_given = given[0].is_some();
    }
    if !*is_given && given.iter().all(Option::is_none) {
        return;
    }
    book.test(law, at, &mut || {
        for (&mv, given) in moves.iter().zip(&given) {
            let name = text_of(position, mv);
            match given {
                None if *is_given => {
                    return Err(format!(
                        "{name} has none, but the first move at the start has one"
                    ));
                }
                Some(_) if !*is_given => {
                    return Err(format!(
                        "{name} has one, but the first move at the start has none"
                    ));
                }
                Some(Err(problem)) => return Err(format!("{name}: {problem}")),
                _ => {}
            }
        }
        Ok(())
    });
}

/// Of these moves, those of the highest urgency, with their weights.
pub(super) fn most_urgent<G: Game>(
    position: &G,
    moves: &[G::Move],
    ipp: Ipp,
) -> Vec<(G::Move, u32)> {
    let given = |mv| {
        let none = PlayoutWeight { urgency: 0, weight: 1 };
        position.knowledge().playout_weight(mv, ipp).unwrap_or(none)
    };
    let highest = moves.iter().map(|&mv| given(mv).urgency).max();
    let urgent = moves.iter().copied().filter(|&mv| Some(given(mv).urgency) == highest);
    urgent.map(|mv| (mv, given(mv).weight)).collect()
}

fn weighted_moves_are_urgent<G: Game>(
    at: &Spot<G>,
    moves: &[G::Move],
    seed: u64,
) -> Result<(), String> {
    let position = at.position();
    let (mut rng, mut buffer) = (Rng::new(seed), Vec::new());
    for ipp in IPPS {
        let urgent: Vec<G::Move> =
            most_urgent(position, moves, ipp).into_iter().map(|(mv, _)| mv).collect();
        for _ in 0..4 {
            let mv = position.speed().guided_move(Some(ipp), &mut rng, &mut buffer);
            one_of(position, Some(mv), &urgent, || format!("{mv:?} with {ipp:?}"))?;
        }
    }
    Ok(())
}

/// Whether a move is one of the right ones; `drawn` says what it is.
pub(super) fn one_of<G: Game>(
    position: &G,
    mv: Option<G::Move>,
    right: &[G::Move],
    drawn: impl FnOnce() -> String,
) -> Result<(), String> {
    ensure(mv.is_some_and(|mv| right.contains(&mv)), || {
        let names: Vec<String> = right.iter().map(|&mv| text_of(position, mv)).collect();
        format!("{}, and not one of {}", drawn(), names.join(", "))
    })
}

fn weighted_moves_are_seeded<G: Game>(position: &G, seed: u64) -> Result<(), String> {
    let all = |buffer: &mut Vec<G::Move>| {
        let mut rng = Rng::new(seed);
        let moves = IPPS.map(|ipp| position.speed().guided_move(Some(ipp), &mut rng, buffer));
        (moves, rng.next_u64())
    };
    let mut full = [legal_moves(position), legal_moves(position)].concat();
    let (once, again) = (all(&mut Vec::new()), all(&mut full));
    ensure(once == again, || "the weighted moves differ".to_owned())
}

/// Calls for every evaluation that can do something, unless its values are wrong.
pub(super) fn each_evaluation<G: Subject>(
    book: &mut Book,
    at: &Spot<G>,
    can: fn(&EvaluatorCard) -> bool,
    test: &mut dyn FnMut(&mut Book, usize),
) {
    let cards = match book.stopped || book.failed("evaluators") || book.failed("evaluation") {
        true => Vec::new(),
        false => at.walk.start().tested().evaluator_cards(),
    };
    for evaluator in (0..cards.len()).filter(|&number| can(&cards[number])) {
        test(book, evaluator);
    }
}

fn each_greedy<G: Subject>(book: &mut Book, at: &Spot<G>, test: &mut dyn FnMut(&mut Book, usize)) {
    each_evaluation(book, at, |card| card.has_greedy, test);
}

/// Without weights, and with both kinds.
pub(super) const FILTERS: [Option<Ipp>; 3] = [None, Some(Ipp::Program), Some(Ipp::Printed)];

/// The moves after which an evaluation is best for the mover, by filter.
struct BestMoves<G: Game> {
    evaluator: usize,
    moves: [Vec<G::Move>; 3],
}

/// These moves with the values for the mover of what they lead to.
pub(super) fn valued<G: Subject>(
    position: &G,
    moves: &[G::Move],
    evaluator: usize,
) -> Vec<(G::Move, i32)> {
    let value = |mv: G::Move| {
        let next = played(position, mv);
        let value = match next.outcome() {
            Some(outcome) => outcome.value() as i32 * EVAL_ONE,
            None => in_scale(next.tested().evaluate(evaluator)),
        };
        position.to_move().sign() as i32 * value
    };
    moves.iter().map(|&mv| (mv, value(mv))).collect()
}

/// Of these moves with their values, the best, or the best of the most urgent.
pub(super) fn best_of<G: Game>(
    position: &G,
    valued: &[(G::Move, i32)],
    filter: Option<Ipp>,
) -> Vec<G::Move> {
    let urgency = |mv| {
        let given = filter.and_then(|ipp| position.knowledge().playout_weight(mv, ipp));
        given.map_or(0, |given| given.urgency)
    };
    let highest = valued.iter().map(|&(mv, value)| (urgency(mv), value)).max();
    let best = valued.iter().filter(|&&(mv, value)| Some((urgency(mv), value)) == highest);
    best.map(|&(mv, _)| mv).collect()
}

impl<G: Subject> BestMoves<G> {
    fn of(position: &G, moves: &[G::Move], evaluator: usize) -> BestMoves<G> {
        let valued = valued(position, moves, evaluator);
        BestMoves { evaluator, moves: FILTERS.map(|filter| best_of(position, &valued, filter)) }
    }

    fn are_chosen(&self, at: &Spot<G>, seed: u64) -> Result<(), String> {
        let (position, mut rng) = (at.position(), Rng::new(seed));
        for (filter, best) in FILTERS.into_iter().zip(&self.moves) {
            for _ in 0..4 {
                let mv = position.tested().greedy_move(self.evaluator, filter, &mut rng);
                let drawn = || format!("{mv:?} with {}", self.describe(at, filter));
                one_of(position, Some(mv), best, drawn)?;
            }
        }
        Ok(())
    }

    fn are_chosen_evenly(&self, at: &Spot<G>, samples: u32, seed: u64) -> Result<(), String> {
        let position = at.position();
        for (filter, best) in FILTERS.into_iter().zip(&self.moves) {
            let mut draw =
                |rng: &mut Rng| Some(position.tested().greedy_move(self.evaluator, filter, rng));
            evenly_drawn(position, best, samples, seed, &mut draw)
                .map_err(|problem| format!("{}: {problem}", self.describe(at, filter)))?;
        }
        Ok(())
    }

    fn describe(&self, at: &Spot<G>, filter: Option<Ipp>) -> String {
        let name = &at.walk.start().tested().evaluator_cards()[self.evaluator].name;
        match filter {
            None => format!("{name:?}"),
            Some(ipp) => format!("{name:?} and {ipp:?}"),
        }
    }
}

fn greedy_moves_are_seeded<G: Subject>(
    at: &Spot<G>,
    evaluator: usize,
    seed: u64,
) -> Result<(), String> {
    let all = || {
        let mut rng = Rng::new(seed);
        let moves =
            FILTERS.map(|filter| at.position().tested().greedy_move(evaluator, filter, &mut rng));
        (moves, rng.next_u64())
    };
    ensure(all() == all(), || "the greedy moves differ".to_owned())
}

/// Compares how often moves are chosen with how often they should be.
pub(super) fn compare<G: Subject>(book: &mut Book, at: &Spot<G>, samples: u32, seed: u64) {
    let position = at.position();
    if position.outcome().is_some() || book.failed("playout-weight") {
        return;
    }
    let moves = legal_moves(position);
    if !book.failed("weighted-move") {
        book.test("weighted-frequency", at, &mut || {
            let is_weighed = position.knowledge().playout_weight(moves[0], Ipp::Program).is_some();
            // Without weights they are the same.
            for &ipp in if is_weighed { &IPPS[..] } else { &IPPS[..1] } {
                let urgent = most_urgent(position, &moves, ipp);
                let mut buffer = Vec::new();
                let mut draw =
                    |rng: &mut Rng| Some(position.speed().guided_move(Some(ipp), rng, &mut buffer));
                drawn_by_weight(position, &urgent, samples, seed, &mut draw)
                    .map_err(|problem| format!("{ipp:?}: {problem}"))?;
            }
            Ok(())
        });
    }
    each_greedy(book, at, &mut |book, evaluator| {
        if !book.failed("greedy-move") {
            let best = BestMoves::of(position, &moves, evaluator);
            book.test("greedy-uniform", at, &mut || best.are_chosen_evenly(at, samples, seed));
        }
    });
}
