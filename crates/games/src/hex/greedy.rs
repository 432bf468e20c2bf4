//! Greedy moves without lists of moves: the cells with the best value are a set.

use treegraft::bits::Cpu;
use treegraft::{Ipp, Rng, Side};

use super::playout::random_cell;
use super::{Cells, Hex, evaluate, foresight};

/// By which evaluation a move is the best.
#[derive(Clone, Copy, Debug)]
enum By {
    Distance,
    Reach,
    OwnReach,
    Pairs,
}

/// Makes the function of each evaluation.
macro_rules! greedy {
    ($($by:ident: $moves:ident;)*) => {$(
        pub(super) fn $moves<W: Cells>(position: &Hex<W>, ipp: Option<Ipp>, rng: &mut Rng) -> u16 {
            greedy_move(position, By::$by, ipp.is_some(), rng)
        }
    )*};
}

greedy! {
    Distance: by_distance;
    Reach: by_reach;
    OwnReach: by_own_reach;
    Pairs: by_pairs;
}

treegraft::dispatch! {
    fn greedy_move<W: Cells>(position: &Hex<W>, by: By, weighted: bool, rng: &mut Rng) -> u16
        = greedy_move_on;
}

#[inline(always)]
fn greedy_move_on<C: Cpu, W: Cells>(
    cpu: C,
    position: &Hex<W>,
    by: By,
    weighted: bool,
    rng: &mut Rng,
) -> u16 {
    if position.can_swap() {
        return one_by_one(position, by, weighted, rng);
    }
    let mut cells = position.winning_cells(position.mover);
    if cells == W::NONE {
        cells = position.empty();
        if weighted {
            let threats = position.winning_cells(position.mover.other());
            cells = if threats == W::NONE { cells } else { threats };
        }
        cells = match by {
            By::Distance => position.nearest(cells),
            By::Reach => position.reaching(cells, true),
            By::OwnReach => position.reaching(cells, false),
            By::Pairs => position.pairing(cells),
        };
    }
    random_cell(cpu, cells, rng)
}

/// The slow way, for the one position of a game in which a move is not a cell.
#[cold]
fn one_by_one<W: Cells>(position: &Hex<W>, by: By, weighted: bool, rng: &mut Rng) -> u16 {
    let evaluate = match by {
        By::Distance => evaluate::distance,
        By::Reach => evaluate::reach,
        By::OwnReach => evaluate::own_reach,
        By::Pairs => evaluate::pairs,
    };
    let sign = if position.mover == Side::First { 1 } else { -1 };
    let worth = |mv: u16| {
        let mut next = *position;
        treegraft::Game::play(&mut next, mv);
        let urgency = if weighted { foresight::urgency(position, mv) } else { 0 };
        (urgency, if next.winner.is_some() { i32::MAX } else { sign * evaluate(&next) })
    };
    let mut moves = treegraft::legal_moves(position);
    let best = moves.iter().map(|&mv| worth(mv)).max();
    moves.retain(|&mv| Some(worth(mv)) == best);
    moves[rng.below(moves.len() as u32) as usize]
}

/// A number from 0 to 15 for every cell, a bit of each in a set.
struct Numbers<W>([W; 4]);

impl<W: Cells> Numbers<W> {
    #[inline(always)]
    fn count(sets: impl IntoIterator<Item = W>) -> Numbers<W> {
        let mut bits = [W::NONE; 4];
        for set in sets {
            let mut carry = set;
            for bit in &mut bits {
                (*bit, carry) = (*bit ^ carry, *bit & carry);
            }
        }
        Numbers(bits)
    }

    /// The cells with the highest number.
    #[inline(always)]
    fn highest(&self, cells: W) -> W {
        self.0.iter().rev().fold(cells, |best, &bit| match best & bit {
            with if with == W::NONE => best,
            with => with,
        })
    }
}

/// More layers than any way on a board has empty cells: no two of them that do not follow each other
/// touch.
const MAX_LAYERS: usize = 192;

impl<W: Cells> Hex<W> {
    /// The cells next to most stones of the side to move: the pairs that a stone adds.
    #[inline(always)]
    fn pairing(&self, cells: W) -> W {
        Numbers::count(self.beside(self.stones[self.mover.index()])).highest(cells)
    }

    /// The cells with most reach. A stone adds the empty cells next to it that were not reached, and
    /// takes its own cell from both sides.
    #[inline(always)]
    fn reaching(&self, cells: W, counts_both: bool) -> W {
        let (empty, mover) = (self.empty(), self.mover);
        let reached = |side: Side| self.around(self.stones[side.index()]) & empty;
        let own = reached(mover);
        let taken = if counts_both { reached(mover.other()) } else { W::NONE };
        let numbers =
            Numbers::count(self.beside(empty & !own).into_iter().chain([empty & !own, taken]));
        numbers.highest(cells)
    }

    /// The cells after which the side to move is furthest ahead in the stones needed. A stone saves it
    /// one if it is on one of its shortest ways, and costs the other side something if all its shortest
    /// ways go through it.
    #[inline(always)]
    fn nearest(&self, cells: W) -> W {
        let mut layers = [W::NONE; MAX_LAYERS];
        let own = self.shortest_ways(self.mover, &mut layers);
        let on_ways = layers[..own].iter().fold(W::NONE, |all, &layer| all | layer) & cells;
        let (mut best, mut highest) = if on_ways == W::NONE { (cells, 0) } else { (on_ways, 1) };
        let other = self.mover.other();
        let needed = self.shortest_ways(other, &mut layers);
        for &cell in layers[..needed].iter().filter(|layer| layer.count() == 1) {
            if cell & cells == W::NONE {
                continue;
            }
            let mut next = *self;
            let stones = &mut next.stones[self.mover.index()];
            *stones = *stones | cell;
            let costs = next.stones_needed(other) - needed as i32;
            let value = costs + i32::from(cell & on_ways != W::NONE);
            if value > highest {
                (best, highest) = (W::NONE, value);
            }
            if value == highest {
                best = best | cell;
            }
        }
        best
    }

    /// How many empty cells the shortest ways of a side have; and those of all these ways, by how far
    /// they are from the first edge.
    #[inline(always)]
    fn shortest_ways(&self, side: Side, layers: &mut [W; MAX_LAYERS]) -> usize {
        let goal = self.edges(side).1;
        let own = self.stones[side.index()];
        let from_goal = self.spread(own & goal, own);
        let at_goal = goal | self.around(from_goal);
        let mut open = self.empty();
        let mut rest = own & !self.reached[side.index()];
        let mut new = self.first_layer(side) & open;
        let mut needed = 0;
        while needed < MAX_LAYERS {
            layers[needed] = new;
            needed += 1;
            if new & at_goal != W::NONE || new == W::NONE {
                break;
            }
            open = open & !new;
            let joined = self.spread(new, rest);
            rest = rest & !joined;
            new = self.around(joined) & open;
        }
        let mut behind = at_goal;
        for layer in layers[..needed].iter_mut().rev() {
            *layer = *layer & behind;
            behind = self.around(self.spread(*layer, own));
        }
        needed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use treegraft::{Game, Knowledge, Speed, legal_moves};

    /// Every best move is found, and no other.
    fn check<W: Cells>(size: u32, swap: bool, games: u64) {
        let start = Hex::<W>::new(size, swap).expect("a board");
        for seed in 0..games {
            let mut rng = Rng::new(seed);
            let mut position = start;
            while position.outcome().is_none() {
                for evaluator in position.knowledge().evaluators() {
                    for ipp in [None, Some(Ipp::Program)] {
                        if evaluator.has_greedy() {
                            check_moves(&position, &evaluator, ipp, &mut rng);
                        }
                    }
                }
                let mv = position.speed().random_move(&mut rng, &mut Vec::new());
                position.play(mv);
            }
        }
    }

    fn check_moves<W: Cells>(
        position: &Hex<W>,
        evaluator: &treegraft::Evaluator<Hex<W>>,
        ipp: Option<Ipp>,
        rng: &mut Rng,
    ) {
        let sign = if position.mover == Side::First { 1 } else { -1 };
        let worth = |mv: u16| {
            let mut next = *position;
            next.play(mv);
            let value = match next.outcome() {
                Some(_) => i32::MAX,
                None => sign * evaluator.evaluate(&next),
            };
            (if ipp.is_some() { foresight::urgency(position, mv) } else { 0 }, value)
        };
        let moves = legal_moves(position);
        let best = moves.iter().map(|&mv| worth(mv)).max();
        let expected: Vec<u16> = moves.into_iter().filter(|&mv| Some(worth(mv)) == best).collect();
        let mut found: Vec<u16> = (0..8 * expected.len() + 20)
            .filter_map(|_| evaluator.greedy_move(position, ipp, rng))
            .collect();
        found.sort_unstable();
        found.dedup();
        let name = &evaluator.name;
        assert!(found.iter().all(|mv| expected.contains(mv)), "{name} {position:?} {found:?}");
        assert!(found.len() + 2 >= expected.len(), "{name} {position:?} {found:?} {expected:?}");
    }

    #[test]
    fn greedy_moves_are_the_best_of_all() {
        check::<u64>(2, true, 20);
        check::<u64>(3, false, 40);
        check::<u64>(5, true, 40);
        check::<u64>(8, false, 8);
        check::<u128>(9, true, 5);
        check::<u128>(11, false, 3);
        check::<super::super::words::Wide>(13, false, 1);
    }
}
