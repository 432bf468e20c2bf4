//! How a game will end: by what is known without a search, and by a search of the last moves.
//!
//! *Following* is a strategy: drop a stone on top of every stone of the opponent. If all columns have
//! an even number of empty cells, whoever follows gets every second one of them, and the opponent the
//! others. If the opponent cannot complete a line with those, the follower does not lose; if the follower
//! completes one, it wins. Three things make the strategy more powerful (Allis 1988 has them as claimeven,
//! baseinverse and zugzwang):
//!
//! - Of two columns with an odd number of empty cells, each side gets one lowest cell: the answer to the
//!   one is the other. Then both are even.
//! - A column ends where the follower completes a line: what lies above does not count.
//! - Up to that cell the column is even, whatever lies above, if an odd number of cells lies below it.

use treegraft::bits::Cpu;

use super::Connect4;

/// The most empty cells: beyond that, a table saves more than this search is faster.
const MAX_EMPTY: u32 = 12;

/// Endings that are at most this many cells longer than the plies to the horizon are solved: that is
/// exact, and hardly slower than to go on to the horizon and evaluate.
const BEYOND_HORIZON: u32 = 3;

/// With fewer empty cells, looking at what would follow every move does not pay.
const FEW_EMPTY: u32 = 8;

/// Whether the side to move can force at least a draw (`least` is 0) or a win (`least` is 1); `None` if
/// that is not known without a search, and a search would take too long: too many empty cells for one
/// that would look `plies` plies ahead, or more than `nodes` positions. Subtracts from `nodes` those that
/// were looked at.
#[inline]
pub(super) fn reaches(board: &Connect4, plies: u32, least: i64, nodes: &mut u64) -> Option<bool> {
    if let Some(answer) = told(board, board.safe_cells(), least) {
        return Some(answer);
    }
    let empty = (board.cells() ^ board.all).count_ones();
    if empty > MAX_EMPTY.min(plies.saturating_add(BEYOND_HORIZON)) {
        return None;
    }
    let answer = search_from(nodes, board, least);
    (*nodes > 0).then_some(answer)
}

treegraft::dispatch! {
    /// Whether the side to move reaches at least `least`. `nodes` is how many positions may still be
    /// looked at; with none left, all answers are meaningless.
    fn search_from(nodes: &mut u64, board: &Connect4, least: i64) -> bool = search_on, recursive;
}

#[inline(always)]
fn search_on<C: Cpu>(_: C, nodes: &mut u64, board: &Connect4, least: i64) -> bool {
    if *nodes == 0 {
        return false;
    }
    *nodes -= 1;
    let open = board.open();
    if open == 0 {
        return least <= 0;
    }
    if board.winning_cells(board.own) & open != 0 {
        return true;
    }
    let mut cells = board.safe_cells();
    if cells == 0 {
        return false;
    }
    if let Some(answer) = told(board, cells, least) {
        return answer;
    }
    // The moves that make most threats first; a column has at most one move.
    let mut moves = [(0, 0); MAX_EMPTY as usize];
    let mut count = 0;
    while cells != 0 {
        let cell = cells & cells.wrapping_neg();
        cells ^= cell;
        let threats = (board.winning_cells(board.own | cell) & !cell).count_ones();
        let mut to = count;
        while to > 0 && moves[to - 1].0 < threats {
            moves[to] = moves[to - 1];
            to -= 1;
        }
        moves[to] = (threats, cell);
        count += 1;
    }
    moves[..count].iter().any(|&(_, cell)| {
        let mut next = *board;
        next.drop_into(cell);
        !search_from(nodes, &next, 1 - least)
    })
}

/// The same where it is known without a search, if only these moves matter.
#[inline(always)]
fn told(board: &Connect4, mut cells: u64, least: i64) -> Option<bool> {
    let stride = board.stride();
    let (theirs, empty) = (board.own ^ board.all, board.cells() ^ board.all);
    // Whoever has no line left cannot win.
    if least > 0 && !Connect4::has_four(board.own | empty, stride) {
        return Some(false);
    }
    if least <= 0 && !Connect4::has_four(theirs | empty, stride) {
        return Some(true);
    }
    // The opponent follows.
    if board.follower_reaches(1 - least) {
        return Some(false);
    }
    // A move, and the side to move follows from then on: first whether any move can succeed.
    if empty.count_ones() < FEW_EMPTY {
        return None;
    }
    if board.winning_cells(board.own | cells) == 0 {
        let second = board.second_cells();
        let movers = empty & !(second | cells);
        let is_hopeless = empty.count_ones().is_multiple_of(2)
            || Connect4::has_four(theirs | movers, stride)
            || least > 0 && !Connect4::has_four(board.own | empty & second | cells, stride);
        if is_hopeless {
            return None;
        }
    }
    while cells != 0 {
        let cell = cells & cells.wrapping_neg();
        cells ^= cell;
        let mut next = *board;
        next.drop_into(cell);
        if next.follower_reaches(least) {
            return Some(true);
        }
    }
    None
}

impl Connect4 {
    /// Whether the side that is not to move is certain of at least a draw (`least` is 0) or a win (`least`
    /// is 1) if it follows.
    #[inline(always)]
    fn follower_reaches(&self, least: i64) -> bool {
        let (stride, open, second) = (self.stride(), self.open(), self.second_cells());
        let (mover, follower) = (self.own, self.own ^ self.all);
        let empty = self.cells() ^ self.all;
        let mut lines = self.winning_cells(follower);
        // Columns are odd in pairs where an even number of cells is empty, and no column ends early.
        if lines == 0 && !empty.count_ones().is_multiple_of(2) {
            return false;
        }
        let (mut movers, mut followers) = (empty & !second, empty & second);
        let mut odd = open & second;
        let mut wins = false;
        while lines != 0 {
            let line = lines & lines.wrapping_neg();
            lines ^= line;
            // The line's column is the last one that begins at or below it.
            let lowest = 1u64 << (open & (line | (line - 1))).ilog2();
            let below = line - lowest;
            if below.count_ones().is_multiple_of(2) {
                continue;
            }
            let above = (self.bottom << self.height) & !(line - 1);
            let column = (above & above.wrapping_neg()) - lowest;
            let turn = if lowest & second == 0 { second } else { !second };
            movers = movers & !column | below & !turn;
            followers = followers & !column | below & turn | line;
            odd &= !lowest;
            lines &= !column;
            wins = true;
        }
        // If the mover gets these cells, too, and the follower the others of each pair.
        let is_certain = |taken: u64| {
            !Connect4::has_four(mover | movers | taken, stride)
                && (least <= 0 || wins || Connect4::has_four(follower | followers & !taken, stride))
        };
        let mut next_odd = || {
            let cell = odd & odd.wrapping_neg();
            odd ^= cell;
            cell
        };
        let [a, b, c, d] = [next_odd(), next_odd(), next_odd(), next_odd()];
        match (a, b, c, d) {
            _ if odd != 0 => false,
            (0, ..) => is_certain(0),
            (_, 0, ..) => false,
            (_, _, 0, _) => is_certain(a) && is_certain(b),
            (.., 0) => false,
            _ => [[a, b, c, d], [a, c, b, d], [a, d, b, c]]
                .into_iter()
                .any(|[a, b, c, d]| [a | c, a | d, b | c, b | d].into_iter().all(is_certain)),
        }
    }

    /// Every second cell of all columns, from the top: those of whoever follows.
    #[inline(always)]
    fn second_cells(&self) -> u64 {
        let column = (1u64 << self.height) - 1;
        let every_second = 0x5555_5555_5555_5555u64 << (1 - self.height % 2);
        self.bottom.wrapping_mul(every_second & column)
    }
}
