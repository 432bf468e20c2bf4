//! The pieces of a side as one word of four planes, and their moves.
//!
//! A plane has 16 bits, four a row with an empty fourth column, so that a step over the left or
//! right edge falls on no square. The planes do not hold kinds of pieces but ways to step:
//!
//! | plane | steps | Chick | Giraffe | Elephant | Lion | Chicken |
//! |---|---|---|---|---|---|---|
//! | 0 | straight forward only | x | | | | |
//! | 1 | up, down, left, right | | x | | x | x |
//! | 2 | diagonally forward | | | x | x | x |
//! | 3 | diagonally backward | | | x | x | |
//!
//! Every kind has its own pattern, and the targets of all pieces in one direction are one shift
//! away. All legal moves are eleven planes of targets: eight directions and three kinds of drops.

use std::hint::select_unpredictable;

use treegraft::Rng;
use treegraft::bits::Cpu;

/// A kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Piece {
    /// Steps straight forward; becomes a Chicken when it moves onto the last row.
    Chick,
    /// Steps up, down, left and right.
    Giraffe,
    /// Steps diagonally.
    Elephant,
    /// Steps everywhere; whoever loses it loses.
    Lion,
    /// Steps everywhere but diagonally backward; a captured one is a Chick again.
    Chicken,
}

/// The kinds of pieces that can be in hand, in the order of the planes of `hands` and of drops.
pub(super) const DROPPED: [Piece; 3] = [Piece::Chick, Piece::Giraffe, Piece::Elephant];

/// How far a step leads, for each plane of targets: up, down, right, left, then the diagonals
/// up right, up left, down right, down left.
pub(super) const LENGTHS: [i8; 8] = [4, -4, 1, -1, 5, 3, -3, -5];

/// One bit in each of the four planes.
pub(super) const PLANES: u64 = 0x0001_0001_0001_0001;
pub(super) const BOARD: u64 = 0x7777;
const LOWEST_ROW: u64 = 0x0007;
const HIGHEST_ROW: u64 = 0x7000;

/// The planes a piece is on.
#[inline(always)]
pub(super) fn pattern_of(piece: Piece) -> u64 {
    match piece {
        Piece::Chick => 0x0000_0000_0000_0001,
        Piece::Giraffe => 0x0000_0000_0001_0000,
        Piece::Elephant => 0x0001_0001_0000_0000,
        Piece::Lion => 0x0001_0001_0001_0000,
        Piece::Chicken => 0x0000_0001_0001_0000,
    }
}

/// The piece with this pattern of planes (bits 0, 16, 32 and 48), if there is one.
pub(super) fn piece_of(pattern: u64) -> Option<Piece> {
    let mut kinds = DROPPED.into_iter().chain([Piece::Lion, Piece::Chicken]);
    kinds.find(|&piece| pattern_of(piece) == pattern)
}

/// The squares on which a side has pieces.
#[inline(always)]
pub(super) fn occupied(planes: u64) -> u64 {
    (planes | planes >> 16 | planes >> 32) & BOARD
}

/// The squares on which a side has Lions: only they are on planes 1, 2 and 3.
#[inline(always)]
pub(super) fn lions(planes: u64) -> u64 {
    planes >> 16 & planes >> 32 & planes >> 48
}

/// The last row of the side that moves up, or down.
#[inline(always)]
pub(super) const fn last_row(up: bool) -> u64 {
    if up { HIGHEST_ROW } else { LOWEST_ROW }
}

/// Where the pieces of a side in their planes can step, in eight planes of targets.
#[inline(always)]
pub(super) fn steps<const UP: bool>(own: u64) -> [u64; 2] {
    let free = !(occupied(own) * PLANES);
    reached::<UP>(own).map(|targets| targets & free)
}

/// The same with the squares of own pieces, which are defended.
#[inline(always)]
pub(super) fn reached<const UP: bool>(own: u64) -> [u64; 2] {
    let (chicks, orthogonal) = (own & BOARD, own >> 16 & BOARD);
    let (forward, backward) = (own >> 32 & BOARD, own >> 48);
    let board = BOARD * PLANES;
    let (ups, downs, diagonal_ups, diagonal_downs) = if UP {
        (chicks | orthogonal, orthogonal, forward, backward)
    } else {
        (orthogonal, chicks | orthogonal, backward, forward)
    };
    // Steps over the upper and lower edge would reach the next plane; the others fall on the
    // column that is no part of the board. Shifts are the length plus 16 for each plane.
    let (ups, diagonal_ups) = (ups & !HIGHEST_ROW, diagonal_ups & !HIGHEST_ROW);
    let (downs, diagonal_downs) = (downs & !LOWEST_ROW, diagonal_downs & !LOWEST_ROW);
    [
        (ups << 4 | downs << 12 | orthogonal << 33 | orthogonal << 47) & board,
        (diagonal_ups << 5 | diagonal_ups << 19 | diagonal_downs << 29 | diagonal_downs << 43)
            & board,
    ]
}

/// All legal moves: eight planes of steps and three of drops.
#[inline(always)]
pub(super) fn targets<const UP: bool>(own: u64, other: u64, hands: u64) -> [u64; 3] {
    let [straight, diagonal] = steps::<UP>(own);
    let hand = if UP { hands } else { hands >> 8 };
    // A count is at most 2.
    let in_hand = (hand | hand >> 1) & 0x0001_0001_0001;
    [straight, diagonal, (!occupied(own | other) & BOARD) * in_hand]
}

/// A random one of the legal moves, as its number in `targets`.
#[inline(always)]
pub(super) fn random_target<C: Cpu>(cpu: C, targets: [u64; 3], rng: &mut Rng) -> u32 {
    let [straight, diagonal, drops] = targets;
    let straights = straight.count_ones();
    let steps = straights + diagonal.count_ones();
    let n = rng.below(steps + drops.count_ones());
    // Which word it is cannot be predicted, so no branches.
    let (is_straight, is_drop) = (n < straights, n >= steps);
    let before = select_unpredictable(is_drop, steps, straights);
    let before = select_unpredictable(is_straight, 0, before);
    let word = select_unpredictable(is_drop, drops, diagonal);
    let word = select_unpredictable(is_straight, straight, word);
    let offset = select_unpredictable(is_drop, 128, 64);
    let offset = select_unpredictable(is_straight, 0, offset);
    offset + cpu.nth_bit(word, n - before).trailing_zeros()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::Lion;
    use treegraft::{Game, Notation};

    /// Puts none or one of each further kind on the board in all ways and collects those in
    /// which no piece can step. Enemies, which can be captured, block no piece.
    fn collect_stuck(own: u64, further: &[&[Piece]], stuck: &mut HashSet<u64>) {
        let Some((kinds, further)) = further.split_first() else {
            if steps::<true>(own) == [0, 0] {
                stuck.insert(own);
            }
            return;
        };
        collect_stuck(own, further, stuck);
        for square in (0..16).filter(|square| BOARD & !occupied(own) & 1 << square != 0) {
            for &kind in *kinds {
                collect_stuck(own | pattern_of(kind) << square, further, stuck);
            }
        }
    }

    #[test]
    fn no_side_is_ever_without_a_move() {
        const CHICKS: &[Piece] = &[Piece::Chick, Piece::Chicken];
        const GIRAFFE: &[Piece] = &[Piece::Giraffe];
        const ELEPHANT: &[Piece] = &[Piece::Elephant];
        let mut stuck = HashSet::new();
        // A Lion on the last row has won.
        for square in (0..16).filter(|square| BOARD & !HIGHEST_ROW & 1 << square != 0) {
            let lion = pattern_of(Piece::Lion) << square;
            let others = [CHICKS, CHICKS, GIRAFFE, GIRAFFE, ELEPHANT, ELEPHANT];
            collect_stuck(lion, &others, &mut stuck);
        }
        assert_eq!(stuck.len(), 2);
        for first in stuck {
            let second_lions = (4..16).filter(|square| BOARD & !occupied(first) & 1 << square != 0);
            for square in second_lions {
                let second = pattern_of(Piece::Lion) << square;
                let position = Lion { first, second, ..Lion::new(400).expect("a game") };
                assert_eq!(position.outcome(), None);
                assert!(position.notation().parse_position(&position.fen()).is_err());
                // Black's Lion has no neighbour that it can have come from.
                let from_anywhere = steps::<false>(second)
                    .map(|word| (0..4).fold(0, |all, plane| all | word >> (16 * plane) & BOARD));
                let from = (from_anywhere[0] | from_anywhere[1]) & !occupied(first) & !LOWEST_ROW;
                assert_eq!(from, 0);
            }
        }
    }
}
