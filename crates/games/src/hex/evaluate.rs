//! Hints, and static evaluations: how many stones each side still needs to join its edges, and simpler
//! ones for playouts.

use treegraft::bits::Cpu;
use treegraft::{Evaluator, Ipp, Knowledge, Part, PlayoutWeight, Side};

use super::{Cells, Hex, SWAP, foresight, greedy, tuned};
use crate::squash;

impl<W: Cells> Knowledge for Hex<W> {
    /// Cells in the middle reach both edges; a swap is as good as the stone it takes.
    #[inline]
    fn order_hint(&self, mv: u16) -> i32 {
        let n = i32::from(self.size);
        let cell = match mv {
            SWAP => self.stones[0].lowest().unwrap_or_default() as i32,
            cell => i32::from(cell),
        };
        // Twice the distances from the middle along the board's three directions.
        let (x, y) = (2 * (cell % n) - (n - 1), 2 * (cell / n) - (n - 1));
        -(x.abs() + y.abs() + (x + y).abs())
    }

    /// Decisive moves: a cell that wins, or one with which the other side would win.
    fn playout_weight(&self, mv: u16, _: Ipp) -> Option<PlayoutWeight> {
        Some(PlayoutWeight { urgency: foresight::urgency(self, mv), weight: 1 })
    }

    fn evaluators(&self) -> Vec<Evaluator<Self>> {
        vec![
            Evaluator::plain(
                "distance",
                "difference of the stones that the sides still need to join their edges",
                distance,
            )
            .with_greedy(greedy::by_distance)
            .with_parts(|it| vec![part(it, "stones needed", Hex::stones_needed, -1.0)]),
            Evaluator::plain(
                "two-distance",
                "difference of the ways that the sides still have to go if the other may always take the \
                 best (van Rijswijck 2002)",
                two_distance,
            )
            .with_parts(|it| vec![Part::new("two-distance", ways(it), -1.0)]),
            Evaluator::plain(
                "reach",
                "difference of the empty cells that touch stones of each side",
                reach,
            )
            .with_greedy(greedy::by_reach)
            .with_parts(|it| vec![part(it, "cells touched", Hex::reach, 1.0)]),
            Evaluator::plain(
                "own-reach",
                "empty cells that touch stones of the side that has just moved: for playouts",
                own_reach,
            )
            .with_greedy(greedy::by_own_reach)
            .with_parts(|it| {
                let name = "cells touched by the side that has just moved";
                vec![Part::new(name, own_reaches(it), 1.0)]
            }),
            Evaluator::plain("pairs", "difference of the pairs of stones that touch", pairs)
                .with_greedy(greedy::by_pairs)
                .with_parts(|it| vec![part(it, "touching pairs", Hex::pairs, 1.0)]),
            tuned::evaluator(),
        ]
    }
}

const SIDES: [Side; 2] = [Side::First, Side::Second];

/// A lead, from the counts of both sides, as an evaluation.
fn by_lead<W: Cells>(position: &Hex<W>, [first, second]: [u32; 2]) -> i32 {
    squash::share(first as i32 - second as i32, position.size() as i32)
}

/// What is counted for both sides.
fn part<W: Cells, N: Into<f64>>(
    position: &Hex<W>,
    name: &'static str,
    count: fn(&Hex<W>, Side) -> N,
    weight: f64,
) -> Part {
    Part::new(name, SIDES.map(|side| count(position, side)), weight)
}

fn two_distance<W: Cells>(position: &Hex<W>) -> i32 {
    let [first, second] = ways(position);
    by_lead(position, [second, first])
}

/// The ways that the sides still have to go. One that has none has lost, and the other won: but for
/// playouts nothing is proven here.
fn ways<W: Cells>(position: &Hex<W>) -> [u32; 2] {
    SIDES.map(|side| position.two_distance(side).min(4 * position.size()))
}

pub(super) fn reach<W: Cells>(position: &Hex<W>) -> i32 {
    by_lead(position, SIDES.map(|side| position.reach(side)))
}

/// By side: only the one that has just moved has any.
fn own_reaches<W: Cells>(position: &Hex<W>) -> [u32; 2] {
    let own = position.mover.other();
    SIDES.map(|side| if side == own { position.reach(side) } else { 0 })
}

pub(super) fn own_reach<W: Cells>(position: &Hex<W>) -> i32 {
    by_lead(position, own_reaches(position))
}

pub(super) fn pairs<W: Cells>(position: &Hex<W>) -> i32 {
    by_lead(position, SIDES.map(|side| position.pairs(side)))
}

treegraft::dispatch! {
    pub(super) fn distance<W: Cells>(position: &Hex<W>) -> i32 = distance_on;
}

#[inline(always)]
fn distance_on<C: Cpu, W: Cells>(_: C, position: &Hex<W>) -> i32 {
    let lead = position.stones_needed(Side::Second) - position.stones_needed(Side::First);
    squash::share(lead, position.size() as i32)
}

impl<W: Cells> Hex<W> {
    /// The empty cells that touch a stone of `side`.
    pub(super) fn reach(&self, side: Side) -> u32 {
        (self.around(self.stones[side.index()]) & self.empty()).count()
    }

    /// The pairs of touching stones of `side`.
    pub(super) fn pairs(&self, side: Side) -> u32 {
        let (shape, n) = (self.shape(), self.size());
        let own = self.stones[side.index()];
        let (not_right, not_left) = (own & !shape.right, own & !shape.left);
        let beside = [own.raised(n), not_right.raised(1), not_left.raised(n - 1)];
        beside.into_iter().map(|moved| (moved & own).count()).sum()
    }

    /// The cells next to the first edge of `side` or to what is joined to it.
    #[inline(always)]
    pub(super) fn first_layer(&self, side: Side) -> W {
        self.around(self.reached[side.index()]) | self.edges(side).0
    }

    /// The fewest empty cells on a way of `side` from edge to edge, while nobody has won: a flood
    /// from the first edge, an empty cell further each time.
    #[inline(always)]
    pub(super) fn stones_needed(&self, side: Side) -> i32 {
        let (_, goal) = self.edges(side);
        let own = self.stones[side.index()];
        let mut open = self.empty();
        let mut rest = own & !self.reached[side.index()];
        let mut new = self.first_layer(side) & open;
        let mut needed = 1;
        while new & goal == W::NONE && new != W::NONE {
            open = open & !new;
            let joined = self.spread(new, rest);
            if joined & goal != W::NONE {
                break;
            }
            rest = rest & !joined;
            new = self.around(joined) & open;
            needed += 1;
        }
        needed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use treegraft::{Game, Rng, Speed};

    /// The same board with the colours exchanged, and the edges with them.
    fn mirrored<W: Cells>(position: &Hex<W>) -> Hex<W> {
        let transposed = |cells: W| {
            cells.iter().fold(W::NONE, |all, cell| all | W::one(position.mirrored(cell)))
        };
        let [black, white] = position.stones.map(transposed);
        let [from_top, from_left] = position.reached.map(transposed);
        Hex {
            stones: [white, black],
            reached: [from_left, from_top],
            winner: position.winner.map(Side::other),
            mover: position.mover.other(),
            ..*position
        }
    }

    /// The fewest empty cells on a way, cell by cell (Bellman and Ford).
    fn slow_stones_needed<W: Cells>(position: &Hex<W>, side: Side) -> i32 {
        let n = position.size() as i32;
        let cost = |c: i32, r: i32| match position.at(c as u32, r as u32) {
            None => 1,
            Some(owner) if owner == side => 0,
            Some(_) => 10_000,
        };
        // Distance from the first edge, the cell's own cost included.
        let mut far = vec![10_000; (n * n) as usize];
        for _ in 0..n * n {
            let before = far.clone();
            for (c, r) in (0..n * n).map(|cell| (cell % n, cell / n)) {
                let on_edge = if side == Side::First { r == 0 } else { c == 0 };
                let beside = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)];
                let beside = beside.map(|(dc, dr)| (c + dc, r + dr)).into_iter();
                let on_board = |&(c, r): &(i32, i32)| (0..n).contains(&c) && (0..n).contains(&r);
                let nearest =
                    beside.filter(on_board).map(|(c, r)| before[(r * n + c) as usize]).min();
                let nearest = if on_edge { 0 } else { nearest.unwrap_or(10_000) };
                far[(r * n + c) as usize] = (nearest + cost(c, r)).min(10_000);
            }
            if far == before {
                break;
            }
        }
        let last = |i: i32| if side == Side::First { (n - 1) * n + i } else { i * n + n - 1 };
        (0..n).map(|i| far[last(i) as usize]).min().unwrap_or_default()
    }

    /// Cell by cell.
    fn check_counts<W: Cells>(position: &Hex<W>) {
        let n = position.size() as i32;
        let owner = |c: i32, r: i32| {
            let is_on_board = (0..n).contains(&c) && (0..n).contains(&r);
            is_on_board.then(|| position.at(c as u32, r as u32))
        };
        for side in SIDES {
            let (mut touched, mut pairs) = (0, 0);
            for (c, r) in (0..n * n).map(|cell| (cell % n, cell / n)) {
                let beside = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)];
                let own =
                    beside.iter().filter(|(dc, dr)| owner(c + dc, r + dr) == Some(Some(side)));
                match owner(c, r) {
                    Some(None) => touched += u32::from(own.count() > 0),
                    Some(Some(it)) if it == side => pairs += own.count() as u32,
                    _ => {}
                }
            }
            assert_eq!((position.reach(side), 2 * position.pairs(side)), (touched, pairs));
        }
    }

    fn check<W: Cells>(size: u32, games: u64) {
        let start = Hex::<W>::new(size, false).expect("a board");
        assert_eq!(start.stones_needed(Side::First), size as i32);
        for seed in 0..games {
            let mut rng = Rng::new(seed);
            let mut position = start;
            while position.outcome().is_none() {
                for side in [Side::First, Side::Second] {
                    let slow = slow_stones_needed(&position, side);
                    assert_eq!(position.stones_needed(side), slow, "{position:?} {side:?}");
                }
                for evaluator in position.knowledge().evaluators() {
                    let value = evaluator.evaluate(&position);
                    assert_eq!(evaluator.evaluate(&mirrored(&position)), -value, "{position:?}");
                }
                check_counts(&position);
                let mv = position.speed().random_move(&mut rng, &mut Vec::new());
                position.play(mv);
            }
        }
    }

    #[test]
    fn distances_agree_with_a_slow_search_and_with_the_mirror_image() {
        check::<u64>(2, 20);
        check::<u64>(5, 60);
        check::<u64>(8, 20);
        check::<u128>(11, 10);
        check::<super::super::Wide>(13, 4);
    }
}
