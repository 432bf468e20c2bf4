//! The last moves of a game, searched without a table: who wins?
//!
//! The answer is only yes or no, so that every position has a null window. It is about the margin of the
//! game, whatever that does with empty cells, so that it is right for any number of discs. Moves that leave the
//! opponent few replies come first, then those in parts of the board with an odd number of empty cells:
//! whoever moves there first will also move there last.

use treegraft::bits::Cpu;

use super::discs::{self, Steps};
use super::{Empties, Othello};

/// The most empty cells: beyond that, a table saves more than this search is faster.
const MAX_EMPTY: u32 = 11;

/// Endings that are at most this many cells longer than the plies to the horizon are solved: that is
/// exact, and hardly slower than to go on to the horizon and evaluate.
const BEYOND_HORIZON: u32 = 3;

/// With at most this many empty cells, moves are not ordered by replies.
const UNORDERED: u32 = 5;

/// The quarters of the board: most separate parts of it lie in different ones.
const QUARTERS: [u64; 4] = [0x0f0f_0f0f, 0xf0f0_f0f0, 0x0f0f_0f0f_0000_0000, 0xf0f0_f0f0_0000_0000];

const CORNERS: u64 = 0x8100_0000_0000_0081;

/// Whether the side to move can win by a margin of at least `least`; `None` if there are too many empty cells
/// for a search that would look `plies` plies ahead, or more than `nodes` positions, from which those that
/// were looked at are taken off.
#[inline]
pub(super) fn reaches(position: &Othello, plies: u32, least: i64, nodes: &mut u64) -> Option<bool> {
    let empty = position.empty_cells();
    let most = MAX_EMPTY.min(plies.saturating_add(BEYOND_HORIZON));
    if empty.count_ones() > most {
        return None;
    }
    let mut search = Search { nodes: *nodes, empties: position.empties, steps: Steps::new() };
    let answer = search_from(&mut search, position.own, position.opp, empty, least as i32);
    *nodes = search.nodes;
    (search.nodes > 0).then_some(answer)
}

struct Search {
    /// How many may still be looked at. With none left, all answers are meaningless.
    nodes: u64,
    empties: Empties,
    steps: Steps,
}

impl Search {
    /// The margin of a finished game for the side with the discs `own`.
    #[inline(always)]
    fn margin(&self, own: u64, opp: u64, empty: u64) -> i32 {
        self.empties.margin(i64::from(lead(own, opp)), empty.count_ones()) as i32
    }
}

treegraft::dispatch! {
    /// Whether the side with the discs `own`, to move, can win by a margin of at least `least`.
    fn search_from(search: &mut Search, own: u64, opp: u64, empty: u64, least: i32) -> bool
        = search_on, recursive;
}

/// A move with what it makes of the board.
#[derive(Clone, Copy, Default)]
struct Ranked {
    rank: u32,
    own: u64,
    opp: u64,
    cell: u64,
}

#[inline(always)]
fn search_on<C: Cpu>(
    _: C,
    search: &mut Search,
    own: u64,
    opp: u64,
    empty: u64,
    least: i32,
) -> bool {
    if search.nodes == 0 {
        return false;
    }
    search.nodes -= 1;
    if empty.count_ones() <= UNORDERED {
        return last_moves(search, own, opp, empty, least);
    }
    let mut cells = discs::closing_cells(own, opp, search.steps) & empty;
    if cells == 0 {
        if discs::closing_cells(opp, own, search.steps) & empty == 0 {
            return search.margin(own, opp, empty) >= least;
        }
        return !search_from(search, opp, own, empty, 1 - least);
    }
    let odd = odd_cells(empty);
    let mut moves = [Ranked::default(); MAX_EMPTY as usize];
    let mut count = 0;
    while cells != 0 {
        let cell = cells & cells.wrapping_neg();
        cells ^= cell;
        let turned = discs::turned(cell.trailing_zeros(), own, opp);
        let (own, opp) = (own ^ turned ^ cell, opp ^ turned);
        let replies = discs::closing_cells(opp, own, search.steps) & empty & !cell;
        // A corner counts twice.
        let freedom = replies.count_ones() + (replies & CORNERS).count_ones();
        let rank = 4 * freedom + 3 * u32::from(cell & odd == 0);
        let entry = Ranked { rank, own, opp, cell };
        let mut to = count;
        while to > 0 && moves[to - 1].rank > rank {
            moves[to] = moves[to - 1];
            to -= 1;
        }
        moves[to] = entry;
        count += 1;
    }
    moves[..count].iter().any(|mv| !search_from(search, mv.opp, mv.own, empty ^ mv.cell, 1 - least))
}

/// The same with very few empty cells: whether a move is legal is found by trying it.
#[inline(always)]
fn last_moves(search: &mut Search, own: u64, opp: u64, empty: u64, least: i32) -> bool {
    let odd = odd_cells(empty);
    let mut has_moved = false;
    for mut cells in [empty & odd, empty & !odd] {
        while cells != 0 {
            let cell = cells & cells.wrapping_neg();
            cells ^= cell;
            let turned = discs::turned(cell.trailing_zeros(), own, opp);
            if turned == 0 {
                continue;
            }
            has_moved = true;
            let (own, opp, empty) = (own ^ turned ^ cell, opp ^ turned, empty ^ cell);
            let is_good = if empty == 0 {
                search.nodes = search.nodes.saturating_sub(1);
                lead(own, opp) >= least
            } else {
                !search_from(search, opp, own, empty, 1 - least)
            };
            if is_good {
                return true;
            }
        }
    }
    if has_moved {
        return false;
    }
    if discs::closing_cells(opp, own, search.steps) & empty == 0 {
        return search.margin(own, opp, empty) >= least;
    }
    !search_from(search, opp, own, empty, 1 - least)
}

#[inline(always)]
fn lead(own: u64, opp: u64) -> i32 {
    own.count_ones() as i32 - opp.count_ones() as i32
}

/// The quarters with an odd number of empty cells.
#[inline(always)]
fn odd_cells(empty: u64) -> u64 {
    QUARTERS.iter().map(|&quarter| quarter * u64::from((empty & quarter).count_ones() & 1)).sum()
}
