//! The value of a position from what is remembered of the pieces of each side.
//!
//! A move changes the pieces of one side, and of both if it captures. The others have been looked at a
//! moment ago. A search also meets the same pieces again after other moves of the other side.

use std::cell::Cell;

use treegraft::bits::Cpu;
use treegraft::linear::value_of;

use super::{Alone, Loa, SHIPPED, look_at_both};
use crate::tuned::{Seen, Sum};

/// How many sets of pieces are remembered, as a power of two. Half of all questions are answered, those
/// about the side that did not move. Eight times as many sets gained 1 to 3 % more, and would take 200 kB
/// of every thread.
const BITS: u32 = 10;

/// What is remembered of a set of pieces.
#[derive(Clone, Copy)]
struct Entry {
    /// None at all for an entry that is not in use: no side is without pieces.
    pieces: u64,
    /// The weights if they are the mover's, and if they are the other side's.
    sums: [i32; 2],
    alone: Alone,
}

const UNUSED: Entry = Entry { pieces: 0, sums: [0; 2], alone: Alone { steps: 0, outside: 0 } };

thread_local! {
    /// For the shipped weights. What is remembered changes no value, so threads may differ in it.
    static MEMO: [Cell<Entry>; 1 << BITS] = const { [const { Cell::new(UNUSED) }; 1 << BITS] };
}

/// The value by the shipped weights, in the first player's view.
pub(super) fn evaluate(position: &Loa) -> i32 {
    SHIPPED.as_ref().map_or(0, |weights| value(position, &weights.units))
}

treegraft::dispatch! {
    fn value(position: &Loa, units: &[i32]) -> i32 = value_on;
}

#[inline(always)]
fn value_on<C: Cpu>(_: C, position: &Loa, units: &[i32]) -> i32 {
    let own = remembered(position.own, units);
    let theirs = remembered(position.theirs, units);
    let mut both = Sum::new(units);
    look_at_both(position, [own.alone, theirs.alone], &mut both);
    position.mover.sign() as i32 * value_of(both.sum() + own.sums[0] + theirs.sums[1])
}

#[inline(always)]
fn remembered(pieces: u64, units: &[i32]) -> Entry {
    let slot = (pieces.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - BITS)) as usize;
    let entry = MEMO.with(|memo| memo[slot].get());
    if entry.pieces == pieces {
        return entry;
    }
    let entry = looked_at(pieces, units);
    MEMO.with(|memo| memo[slot].set(entry));
    entry
}

#[inline(always)]
fn looked_at(pieces: u64, units: &[i32]) -> Entry {
    let mut sums = [Sum::new(units), Sum::new(units)];
    let alone = Alone::look(pieces, |of| {
        sums[0].see(of[0]);
        sums[1].see(of[1]);
    });
    Entry { pieces, sums: sums.map(|it| it.sum()), alone }
}

#[cfg(test)]
mod tests {
    use treegraft::Game;

    use super::*;
    use crate::loa::LoaRules;
    use crate::loa::tuned::Pieces;
    use crate::tuned::{self, tests::positions};

    #[test]
    fn what_is_remembered_is_what_would_be_found() {
        let slow = |it: &Loa| tuned::evaluate::<_, Pieces>(SHIPPED.as_ref(), it);
        let mut boards = positions(&Loa::new(LoaRules::default()), 20);
        boards.truncate(4000);
        // All children of a position, as a search meets them; then other positions that share slots.
        for board in &boards {
            assert_eq!(evaluate(board), slow(board), "{board:?}");
            let mut moves = Vec::new();
            board.moves(&mut moves);
            for mv in moves {
                let mut child = *board;
                child.play(mv);
                if child.outcome().is_none() {
                    assert_eq!(evaluate(&child), slow(&child), "{child:?}");
                }
            }
        }
        for board in boards.iter().rev() {
            assert_eq!(evaluate(board), slow(board), "{board:?}");
        }
    }
}
