//! Sets of squares on the 8x8 board: bit 0 is a1, bit 7 h1, bit 63 h8.

/// Steps to the next square in the eight directions; opposite ones are four apart.
pub(super) const STEPS: [i8; 8] = [1, 9, 8, 7, -1, -9, -8, -7];

/// The squares from a square to the edge, without itself, by square and direction.
pub(super) static RAYS: [[u64; 8]; 64] = {
    let mut rays = [[0; 8]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            rays[square][direction] = ray(square as i8, STEPS[direction]);
            direction += 1;
        }
        square += 1;
    }
    rays
};

const fn ray(square: i8, step: i8) -> u64 {
    let mut squares = 0;
    let mut at = square;
    loop {
        let next = at + step;
        let columns = (next & 7) - (at & 7);
        // A step over the left or right edge lands seven columns away.
        if next < 0 || next > 63 || columns < -1 || columns > 1 {
            return squares;
        }
        squares |= 1 << next;
        at = next;
    }
}

/// The king's steps between two squares.
pub(super) static DISTANCE: [[i8; 64]; 64] = {
    let mut distance = [[0; 64]; 64];
    let mut i = 0usize;
    while i < 64 * 64 {
        let (from, to) = (i / 64, i % 64);
        let columns = (from % 8).abs_diff(to % 8);
        let rows = (from / 8).abs_diff(to / 8);
        distance[from][to] = (if columns > rows { columns } else { rows }) as i8;
        i += 1;
    }
    distance
};

const A_FILE: u64 = 0x0101_0101_0101_0101;
const H_FILE: u64 = A_FILE << 7;

/// Whether no piece stands apart from the others, where pieces that touch in any of the eight
/// directions stand together. One piece is connected; no piece would be too.
#[inline(always)]
pub(super) fn connected(pieces: u64) -> bool {
    let lowest = pieces & pieces.wrapping_neg();
    // Most often some piece stands all alone, which needs no search.
    let beside = (pieces & !H_FILE) << 1 | (pieces & !A_FILE) >> 1;
    let row = pieces | beside;
    if pieces & !(beside | row << 8 | row >> 8) != 0 {
        return pieces == lowest;
    }
    group(pieces) == pieces
}

/// The pieces that stand together with the lowest one.
#[inline(always)]
pub(super) fn group(pieces: u64) -> u64 {
    let mut group = pieces & pieces.wrapping_neg();
    loop {
        let row = group | (group & !H_FILE) << 1 | (group & !A_FILE) >> 1;
        let grown = (row | row << 8 | row >> 8) & pieces;
        if grown == group {
            return group;
        }
        group = grown;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rays_end_at_the_edge() {
        let lengths = |square: usize| RAYS[square].map(u64::count_ones);
        assert_eq!(lengths(0), [7, 7, 7, 0, 0, 0, 0, 0]);
        assert_eq!(lengths(63), [0, 0, 0, 0, 7, 7, 7, 0]);
        assert_eq!(lengths(27), [4, 4, 4, 3, 3, 3, 3, 3]);
        let total: u32 = (0..64).flat_map(lengths).sum();
        assert_eq!(total, 1456);
    }

    #[test]
    fn groups_do_not_wrap_around_the_edge() {
        assert!(connected(1 << 20));
        assert!(connected(0b11 << 20));
        assert!(connected(1 << 20 | 1 << 29 | 1 << 36));
        assert!(!connected(1 << 7 | 1 << 8));
        assert!(!connected(1 << 7 | 1 << 16));
        assert!(!connected(1 | 1 << 63));
        assert!(connected(u64::MAX));
    }

    #[test]
    fn connection_agrees_with_a_walk_from_square_to_square() {
        let near = |a: u32, b: u32| (a & 7).abs_diff(b & 7) <= 1 && (a >> 3).abs_diff(b >> 3) <= 1;
        let mut rng = treegraft::Rng::new(9);
        let mut seen = [0, 0];
        for _ in 0..100_000 {
            // Few pieces in a small corner of the board, or they would never be connected.
            let pieces = (0..1 + rng.below(8))
                .fold(0u64, |set, _| set | 1 << (8 * (2 + rng.below(5)) + 3 + rng.below(5)));
            let squares: Vec<u32> = (0..64).filter(|&square| pieces >> square & 1 == 1).collect();
            let mut reached = vec![squares[0]];
            let mut next = 0;
            while next < reached.len() {
                let more = squares.iter().filter(|&&s| near(s, reached[next]));
                let more: Vec<u32> = more.copied().filter(|s| !reached.contains(s)).collect();
                reached.extend(more);
                next += 1;
            }
            let expected = reached.len() == squares.len();
            assert_eq!(connected(pieces), expected, "{pieces:#x}");
            seen[usize::from(expected)] += 1;
        }
        assert!(seen.iter().all(|&n| n > 10_000), "{seen:?}");
    }
}
