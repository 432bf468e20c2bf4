//! Perft: counting move sequences, the classic test of a move generator.

use crate::Game;
use crate::legal_moves;

/// The number of legal move sequences of exactly `depth` plies from `position`.
///
/// A finished game has no successors; passes and extra turns are plies. Repetitions and other
/// limits of played games do not count.
///
/// # Complexity
///
/// One move generation per sequence of up to `depth` - 1 plies; the moves of the last ply are
/// counted without being played. Memory is one list of moves per ply.
#[must_use]
pub fn perft<G: Game>(position: &G, depth: u32) -> u64 {
    count(position, depth, &mut Vec::new())
}

/// The legal moves of `position`, each with the number of sequences of exactly `depth` plies
/// that start with it; `depth` must be at least 1. The moves come one by one, so that a caller
/// can show progress.
pub fn divide<G: Game>(
    position: &G,
    depth: u32,
) -> impl ExactSizeIterator<Item = (G::Move, u64)> + use<G> {
    let position = position.clone();
    let mut buffers = Vec::new();
    legal_moves(&position).into_iter().map(move |mv| {
        let mut next = position.clone();
        next.play(mv);
        (mv, count(&next, depth.saturating_sub(1), &mut buffers))
    })
}

/// `buffers` holds one move list for every level below, so that none is allocated twice.
fn count<G: Game>(position: &G, depth: u32, buffers: &mut Vec<Vec<G::Move>>) -> u64 {
    if depth == 0 {
        return 1;
    }
    if position.outcome().is_some() {
        return 0;
    }
    let mut moves = buffers.pop().unwrap_or_default();
    moves.clear();
    position.moves(&mut moves);
    let nodes = if depth == 1 {
        moves.len() as u64
    } else {
        let below = |&mv: &G::Move| {
            let mut next = position.clone();
            next.play(mv);
            count(&next, depth - 1, buffers)
        };
        moves.iter().map(below).sum()
    };
    buffers.push(moves);
    nodes
}
