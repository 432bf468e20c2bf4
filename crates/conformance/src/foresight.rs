//! The laws of looking ahead: a game's quick answers are those of a slow search.

use super::book::{Book, Spot, Walk, ensure, text_of};
use super::draws::evenly_drawn;
use super::subject::Subject;
use super::weights::one_of;
use treegraft::{Exactness, Rng, Speed, legal_moves, played};

/// Tests along a walk, as deep as a slow search can look.
pub(super) fn check<G: Subject>(book: &mut Book, rng: &mut Rng, walk: &Walk<G>) {
    for at in walk.spots() {
        let moves = legal_moves(at.position());
        let seed = rng.next_u64();
        for plies in (1..=4).take_while(|&plies| few(moves.len(), plies)) {
            if !moves.is_empty() {
                test(book, &at, &moves, plies, seed);
            }
        }
    }
}

/// Whether a slow search is quickly done.
fn few(moves: usize, plies: u32) -> bool {
    moves.checked_pow(plies).is_some_and(|leaves| leaves <= 1000)
}

fn test<G: Subject>(book: &mut Book, at: &Spot<G>, moves: &[G::Move], plies: u32, seed: u64) {
    let position = at.position();
    let mover = position.to_move();
    // Most games have no answer: then nothing is searched.
    let given = book.ask("win-loss", at, || position.exactness().win_loss(plies));
    if let Some(given) = given.flatten() {
        book.test("win-loss", at, &mut || {
            let found = position.tested().slow_win_loss(plies, mover);
            ensure(given == found, || {
                format!("{given} within {plies} plies, but looking at all moves finds {found}")
            })
        });
    }
    let mut draw = |rng: &mut Rng| position.speed().minimax_move(plies, rng);
    if book.ask("minimax-move", at, || draw(&mut Rng::new(seed))).flatten().is_none() {
        return;
    }
    let value = |mv: G::Move| played(position, mv).tested().slow_win_loss(plies - 1, mover);
    let values: Vec<i64> = moves.iter().map(|&mv| value(mv)).collect();
    let best = values.iter().copied().max().unwrap_or(0);
    let is_right = |&(_, &value): &(&G::Move, &i64)| value == best;
    let right: Vec<G::Move> =
        moves.iter().zip(&values).filter(is_right).map(|(&mv, _)| mv).collect();
    book.test("minimax-move", at, &mut || {
        let mut rng = Rng::new(seed);
        for _ in 0..8 {
            let drawn = draw(&mut rng);
            one_of(position, drawn, &right, || {
                let drawn = drawn.map_or("nothing".to_owned(), |mv| text_of(position, mv));
                format!("{drawn} within {plies} plies")
            })?;
        }
        Ok(())
    });
    // Where every move is right, a few positions will do.
    let is_telling = right.len() < moves.len() || seed.is_multiple_of(16);
    if is_telling && !book.failed("minimax-move") {
        book.test("minimax-uniform", at, &mut || {
            evenly_drawn(position, &right, 200, seed, &mut draw)
        });
    }
}
