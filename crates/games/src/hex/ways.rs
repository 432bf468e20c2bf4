//! Ways from edge to edge on which a bridge is as good as a step.
//!
//! Two cells are a bridge apart if two empty cells lie between them, which both touch. An edge and a
//! cell of the second row are too.

use treegraft::Side;

use super::words::MAX_SIZE;
use super::{Cells, Hex};

/// What a side needs to join its edges if no bridge is cut.
#[derive(Clone, Copy)]
pub(super) struct Ways<W> {
    /// The fewest stones; 0 if bridges join the edges already.
    pub(super) needed: usize,
    /// The empty cells on ways that take no more stones than that.
    pub(super) shortest: W,
    /// The empty cells on ways that take one more, but not on shortest ones.
    pub(super) longer: W,
}

/// The six directions around a cell, by their number in [`Hex::step`].
const CIRCLE: [usize; 7] = [2, 4, 1, 3, 5, 0, 2];

/// Layers of a flood: no way is longer.
type Layers<W> = [W; MAX_SIZE as usize + 2];

impl<W: Cells> Hex<W> {
    /// The ways of a side.
    #[inline(always)]
    pub(super) fn ways(&self, side: Side) -> Ways<W> {
        let (start, goal) = self.edges(side);
        let (near_start, near_goal) = match side {
            Side::First => (self.near_edge(start, [0, 5]), self.near_edge(goal, [1, 4])),
            Side::Second => (self.near_edge(start, [2, 4]), self.near_edge(goal, [3, 5])),
        };
        let mut layers = [W::NONE; MAX_SIZE as usize + 2];
        let mut back = layers;
        let most = layers.len() - 2;
        let needed = self.flood(side, near_start, near_goal, most, &mut layers);
        let (mut shortest, mut longer) = (W::NONE, W::NONE);
        if needed > 0 {
            self.flood(side, near_goal, W::NONE, needed + 1, &mut back);
            for at in 0..needed {
                shortest = shortest | layers[at] & back[needed - 1 - at];
                longer = longer | layers[at] & back[needed - at];
            }
        }
        Ways { needed, shortest, longer }
    }

    /// The cells of an edge and those a bridge away from it, in either of two directions.
    #[inline(always)]
    fn near_edge(&self, edge: W, [a, b]: [usize; 2]) -> W {
        let open = edge & self.empty();
        edge | self.step(a, open) & self.step(b, open)
    }

    /// Fills in the empty cells by how many stones it takes to come to them from an edge, until a stone
    /// or cell of `goal` is reached. Returns the number of stones needed. At most `most` layers are
    /// filled in.
    #[inline(always)]
    fn flood(&self, side: Side, near: W, goal: W, most: usize, layers: &mut Layers<W>) -> usize {
        let mut open = self.empty();
        let mut rest = self.stones[side.index()];
        // What can be reached with the stones counted so far, and a step or bridge from there.
        let mut linked = near;
        let mut needed = 0;
        loop {
            let mut joined = linked & rest;
            while joined != W::NONE {
                if joined & goal != W::NONE {
                    return needed;
                }
                rest = rest & !joined;
                linked = linked | self.links(joined);
                joined = linked & rest;
            }
            let new = linked & open;
            if new == W::NONE || needed == most {
                return needed;
            }
            layers[needed] = new;
            needed += 1;
            if new & goal != W::NONE {
                return needed;
            }
            open = open & !new;
            linked = self.links(new);
        }
    }

    /// The cells a step or a bridge away.
    #[inline(always)]
    fn links(&self, cells: W) -> W {
        let empty = self.empty();
        let steps = self.beside(cells);
        let carriers = steps.map(|cells| cells & empty);
        let mut links = steps.into_iter().fold(W::NONE, |all, cells| all | cells);
        for pair in CIRCLE.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            links = links | self.step(a, carriers[b]) & self.step(b, carriers[a]);
        }
        links
    }

    /// The bridges between stones of a side.
    #[inline(always)]
    pub(super) fn bridges(&self, side: Side) -> u32 {
        let (own, empty) = (self.stones[side.index()], self.empty());
        let carriers = self.beside(own).map(|cells| cells & empty);
        let mut bridges = 0;
        // Half of the directions: every bridge has two ends.
        for pair in CIRCLE[..4].windows(2) {
            let (a, b) = (pair[0], pair[1]);
            bridges += (self.step(a, carriers[b]) & self.step(b, carriers[a]) & own).count();
        }
        bridges
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use treegraft::{Game, Rng, Speed};

    /// The same cell by cell: every cell with the stones that it takes to come there (Bellman and Ford).
    fn slow_needed(position: &Hex<u64>, side: Side) -> i32 {
        let n = position.size() as i32;
        let at = |(c, r): (i32, i32)| {
            ((0..n).contains(&c) && (0..n).contains(&r)).then(|| position.at(c as u32, r as u32))
        };
        let is_empty = |cell| at(cell) == Some(None);
        let circle = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)];
        let cost = |cell| match at(cell) {
            Some(None) => 1,
            Some(Some(owner)) if owner == side => 0,
            _ => 10_000,
        };
        let is_at = |(c, r): (i32, i32), is_goal: bool| {
            let (row, along) = if side == Side::First { (r, c) } else { (c, r) };
            let cell = |row: i32, along: i32| {
                if side == Side::First { (along, row) } else { (row, along) }
            };
            let (edge, second, sidewards) = if is_goal { (n - 1, n - 2, -1) } else { (0, 1, 1) };
            let carriers = [cell(edge, along), cell(edge, along + sidewards)];
            row == edge || row == second && carriers.into_iter().all(is_empty)
        };
        let cells: Vec<(i32, i32)> = (0..n * n).map(|cell| (cell % n, cell / n)).collect();
        let mut far = vec![10_000; cells.len()];
        for _ in 0..n * n {
            for &(c, r) in &cells {
                let mut nearest = if is_at((c, r), false) { 0 } else { 10_000 };
                for i in 0..6 {
                    let [(ac, ar), (bc, br)] = [circle[i], circle[(i + 1) % 6]];
                    let (a, b) = ((c + ac, r + ar), (c + bc, r + br));
                    let beyond = (c + ac + bc, r + ar + br);
                    let has_bridge = is_empty(a) && is_empty(b);
                    for next in [Some(a), has_bridge.then_some(beyond)].into_iter().flatten() {
                        if at(next).is_some() {
                            nearest = nearest.min(far[(next.1 * n + next.0) as usize]);
                        }
                    }
                }
                let here = &mut far[(r * n + c) as usize];
                *here = (*here).min(nearest + cost((c, r)));
            }
        }
        let ends = cells.iter().zip(&far).filter(|(cell, _)| is_at(**cell, true));
        ends.map(|(_, far)| *far).min().unwrap_or(10_000)
    }

    #[test]
    fn ways_agree_with_a_slow_search() {
        for (size, games) in [(3, 30), (5, 30), (8, 8)] {
            let start = Hex::<u64>::new(size, false).expect("a board");
            for seed in 0..games {
                let (mut rng, mut position) = (Rng::new(seed), start);
                while position.outcome().is_none() {
                    for side in [Side::First, Side::Second] {
                        let ways = position.ways(side);
                        let slow = slow_needed(&position, side);
                        assert_eq!(ways.needed as i32, slow, "{position:?} {side:?}");
                        assert_eq!(ways.needed == 0, ways.shortest == 0);
                        assert_eq!(ways.shortest & ways.longer, 0);
                    }
                    let mv = position.speed().random_move(&mut rng, &mut Vec::new());
                    position.play(mv);
                }
            }
        }
    }

    #[test]
    fn bridges_need_both_cells() {
        let start = Hex::<u64>::new(5, false).expect("a board");
        let c3_d2_away = Hex { stones: [1 << 12 | 1 << 3, 0], ..start };
        // Two steps right and one up, by way of the cells right and up right.
        let bridge = Hex { stones: [1 << 12 | 1 << 9, 0], ..start };
        assert_eq!([c3_d2_away, bridge].map(|it| it.bridges(Side::First)), [1, 1]);
        let cut = Hex { stones: [1 << 12 | 1 << 9, 1 << 8], ..start };
        assert_eq!(cut.bridges(Side::First), 0);
    }
}
