//! Improved playouts: moves by weights that a game gives them.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use crate::{Game, Knowledge, Rng};

/// How a playout that knows the game weighs a move.
///
/// Only moves of the highest urgency are played, each as often as its weight says. The order of the
/// fields makes this the order of moves for alpha-beta too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlayoutWeight {
    /// 0 for most moves; more for moves that prevent a loss, and most for moves that win.
    pub urgency: u8,
    /// From 1 to [`MOST`](PlayoutWeight::MOST).
    pub weight: u32,
}

impl PlayoutWeight {
    /// The largest [`weight`](PlayoutWeight::weight). What is larger counts as this, and 0 as 1.
    pub const MOST: u32 = 1_000_000;

    /// A number that is larger for moves to be looked at earlier.
    pub(crate) fn rank(self) -> i64 {
        const BITS: u32 = u32::BITS - PlayoutWeight::MOST.leading_zeros();
        i64::from(self.urgency) << BITS | i64::from(self.weight.min(PlayoutWeight::MOST))
    }
}

/// Which weights improved playouts have, where a paper and its authors' program differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ipp {
    /// Those of the authors' program.
    Program,
    /// Those that are printed.
    Printed,
}

/// Brings the moves with the highest key, above `lowest` or equal to it, to the front, and returns their
/// number.
#[inline(always)]
pub(crate) fn best_first<M, K: Copy + PartialOrd>(
    moves: &mut [M],
    lowest: K,
    key: impl Fn(M) -> K,
) -> usize
where
    M: Copy,
{
    let (mut best, mut highest) = (0, lowest);
    for i in 0..moves.len() {
        let key = key(moves[i]);
        (best, highest) = if key > highest { (0, key) } else { (best, highest) };
        // Without a branch, which could not be predicted: after the best moves any order will do.
        moves.swap(best, i);
        best += usize::from(key == highest);
    }
    best
}

/// Brings the moves with the highest urgency to the front, and returns their number: all in a game
/// without weights.
#[inline]
pub(crate) fn most_urgent_first<G: Game>(position: &G, ipp: Ipp, moves: &mut [G::Move]) -> usize {
    let weight = |mv| position.knowledge().playout_weight(mv, ipp);
    best_first(moves, 0, |mv| weight(mv).map_or(0, |told| told.urgency))
}

/// One of some moves, at least one, by their weights; uniformly in a game without weights.
#[inline]
pub(crate) fn draw_by_weight<G: Game>(
    position: &G,
    ipp: Ipp,
    moves: &mut [G::Move],
    rng: &mut Rng,
) -> G::Move {
    let urgent = most_urgent_first(position, ipp, moves);
    let weight = |mv| {
        let told = position.knowledge().playout_weight(mv, ipp);
        told.map_or(1, |told| u64::from(told.weight.clamp(1, PlayoutWeight::MOST)))
    };
    let total = moves[..urgent].iter().map(|&mv| weight(mv)).sum();
    let mut left = rng.below_many(total);
    for &mv in &moves[..urgent] {
        match left.checked_sub(weight(mv)) {
            Some(rest) => left = rest,
            None => return mv,
        }
    }
    moves[0]
}

/// Sorts moves by their weights, the most urgent and heaviest first, or by their hints if there are
/// no weights; equal ones keep their order.
///
/// One function for all searches: sorting is much code.
#[inline(never)]
pub(crate) fn sort_by_weight_or_hint<G: Game>(
    position: &G,
    ipp: Option<Ipp>,
    moves: &mut [G::Move],
) {
    let rank = |mv: G::Move| match ipp.and_then(|ipp| position.knowledge().playout_weight(mv, ipp))
    {
        Some(weight) => weight.rank(),
        None => i64::from(position.knowledge().order_hint(mv)),
    };
    moves.sort_by_cached_key(|&mv| Reverse(rank(mv)));
}
