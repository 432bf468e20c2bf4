//! Random games in one go: the empty cells are dealt to both sides, and then one look shows who
//! has joined its edges.
//!
//! A game of random moves that does not stop when somebody wins fills the board, and the side
//! to move gets a uniformly random half of the cells. The winner is the same as that of the
//! game that stops: stones put later cannot part what is joined, and never do both sides join
//! their edges. Only the number of plies differs, which here is the number of stones put.

use treegraft::bits::Cpu;
use treegraft::{Outcome, Playout, Rng, Side, Trace};

use super::{Cells, Hex, SWAP};

treegraft::dispatch! {
    pub(super) fn random_move<W: Cells>(position: &Hex<W>, rng: &mut Rng) -> u16 = random_move_on;
}

#[inline(always)]
fn random_move_on<C: Cpu, W: Cells>(cpu: C, position: &Hex<W>, rng: &mut Rng) -> u16 {
    let empty = position.empty();
    let cells = empty.count();
    let n = rng.below(cells + u32::from(position.can_swap()));
    if n == cells {
        return SWAP;
    }
    empty.nth(cpu, n).lowest().map_or(SWAP, |cell| cell as u16)
}

/// A random one of some cells.
#[inline(always)]
pub(super) fn random_cell<C: Cpu, W: Cells>(cpu: C, cells: W, rng: &mut Rng) -> u16 {
    let cell = cells.nth(cpu, rng.below(cells.count())).lowest();
    cell.map_or(SWAP, |cell| cell as u16)
}

treegraft::dispatch! {
    pub(super) fn playout<W: Cells>(
        position: &mut Hex<W>,
        rng: &mut Rng,
        max_plies: u32,
        trace: Option<&mut Trace>,
    ) -> Playout = playout_on;
}

#[inline(always)]
fn playout_on<C: Cpu, W: Cells>(
    cpu: C,
    position: &mut Hex<W>,
    rng: &mut Rng,
    max_plies: u32,
    trace: Option<&mut Trace>,
) -> Playout {
    let Some(trace) = trace else {
        return deal_on(cpu, position, rng, max_plies, |_, _| ());
    };
    let (mut before, mut is_full) = (*position, false);
    let playout = deal_on(cpu, position, rng, max_plies, |position, mv| match mv {
        Some(mv) => trace.add_move(position, mv),
        None => (before, is_full) = (*position, true),
    });
    if is_full {
        for side in [Side::First, Side::Second] {
            let new = position.stones[side.index()] & !before.stones[side.index()];
            for at in 0..size_of::<W>() / size_of::<u64>() {
                trace.add_word(side, at, new.word(at));
            }
        }
    }
    playout
}

/// Plays a random game. Reports every move before it is played; and when the rest of the board is about
/// to be filled at once, that there is no move.
#[inline(always)]
fn deal_on<C: Cpu, W: Cells>(
    cpu: C,
    position: &mut Hex<W>,
    rng: &mut Rng,
    max_plies: u32,
    mut tell: impl FnMut(&Hex<W>, Option<u16>),
) -> Playout {
    let mut plies = 0;
    // Move by move while the swap may be played, and if the limit may be reached.
    while position.swap_ahead() || max_plies - plies < position.empty().count() {
        if position.winner.is_some() {
            break;
        }
        if plies == max_plies {
            return Playout { outcome: Outcome::Draw, plies, capped: true };
        }
        let mv = random_move_on(cpu, position, rng);
        tell(position, Some(mv));
        match mv {
            SWAP => position.swap_stone(),
            cell => position.put(cell.into()),
        }
        plies += 1;
    }
    let winner = match position.winner {
        Some(winner) => winner,
        None => {
            plies += position.empty().count();
            tell(position, None);
            fill_on(cpu, position, rng)
        }
    };
    Playout { outcome: Outcome::Win(winner), plies, capped: false }
}

/// Deals the empty cells and returns the winner.
#[inline(always)]
fn fill_on<C: Cpu, W: Cells>(cpu: C, position: &mut Hex<W>, rng: &mut Rng) -> Side {
    let empty = position.empty();
    let cells = empty.count();
    let own = random_subset(cpu, empty, cells, cells.div_ceil(2), rng);
    let mover = position.mover;
    let stones = &mut position.stones;
    stones[mover.index()] = stones[mover.index()] | own;
    stones[mover.other().index()] = stones[mover.other().index()] | (empty ^ own);
    if cells % 2 == 1 {
        position.mover = mover.other();
    }
    let winner = winner_when_full(position);
    position.finish(winner);
    winner
}

/// A uniformly random set of `size` out of `count` cells.
///
/// Every cell is taken with probability one half, and then random ones are taken or put back
/// until the number is right. No step prefers a cell to another, so that all sets of the size
/// are equally likely.
#[inline(always)]
fn random_subset<C: Cpu, W: Cells>(cpu: C, cells: W, count: u32, size: u32, rng: &mut Rng) -> W {
    let mut subset = W::random(rng) & cells;
    let taken = subset.count();
    let (mut pool, mut left, wrong) = if taken > size {
        (subset, taken, taken - size)
    } else {
        (cells ^ subset, count - taken, size - taken)
    };
    for _ in 0..wrong {
        let cell = pool.nth(cpu, rng.below(left));
        pool = pool ^ cell;
        subset = subset ^ cell;
        left -= 1;
    }
    subset
}

/// The winner on a full board.
///
/// A full Hex board is part of a full board of the game of Y: a triangle with the Hex board in
/// one corner, black stones below it and white ones to its right. Let every cell take the colour
/// of the majority of itself, its neighbour below and its neighbour to the right: what results
/// is a smaller triangle that the same side wins ("Y-reduction"). The last cell has the winner's
/// colour. Outside the Hex board nothing ever changes, so that the Hex board is all there is to
/// store.
#[inline(always)]
fn winner_when_full<W: Cells>(position: &Hex<W>) -> Side {
    let (shape, n) = (position.shape(), position.size());
    let not_right = !shape.right;
    let mut black = position.stones[0];
    for _ in 0..2 * (n - 1) {
        let below = black.lowered(n) | shape.bottom;
        let beside = black.lowered(1) & not_right;
        black = (black & (below | beside)) | (below & beside);
    }
    if black & W::one(0) == W::NONE { Side::Second } else { Side::First }
}
