//! The two-distance of van Rijswijck (2002): how far an edge is if the other side may always take the
//! best way.
//!
//! For a side, two empty cells are neighbours if they touch or if both touch one of its groups. A cell
//! that is a neighbour of the edge has distance 1; any other cell one more than the second-nearest of its
//! neighbours, because the other side would block the nearest.

use treegraft::Side;

use super::{Cells, Hex};

/// Farther than any cell that has a distance.
const NO_WAY: u32 = 10_000;

impl<W: Cells> Hex<W> {
    /// The least sum of the distances of an empty cell from both edges of a side; [`NO_WAY`] if no cell has
    /// both.
    pub(super) fn two_distance(&self, side: Side) -> u32 {
        let empty = self.empty();
        let (start, goal) = self.edges(side);
        let groups = self.groups(side);
        let neighbours: Vec<(u32, W)> = empty
            .iter()
            .map(|cell| {
                let own = W::one(cell);
                let mut near = self.around(own);
                for &(group, liberties) in &groups {
                    if near & group != W::NONE {
                        near = near | liberties;
                    }
                }
                (cell, near & empty & !own)
            })
            .collect();
        let from_start = self.two_distances(&neighbours, start, &groups);
        let from_goal = self.two_distances(&neighbours, goal, &groups);
        let sums = from_start.iter().zip(&from_goal).map(|(a, b)| a + b);
        sums.min().unwrap_or(NO_WAY).min(NO_WAY)
    }

    /// The groups of a side and the cells that touch them.
    fn groups(&self, side: Side) -> Vec<(W, W)> {
        let mut rest = self.stones[side.index()];
        let mut groups = Vec::new();
        while let Some(stone) = rest.lowest() {
            let group = self.spread(W::one(stone), rest);
            rest = rest & !group;
            groups.push((group, self.around(group) & self.empty()));
        }
        groups
    }

    /// The distances of the empty cells, in their order, from an edge.
    fn two_distances(&self, neighbours: &[(u32, W)], edge: W, groups: &[(W, W)]) -> Vec<u32> {
        let at_edge = groups.iter().filter(|(group, _)| *group & edge != W::NONE);
        let mut reached = at_edge.fold(edge & self.empty(), |all, &(_, liberties)| all | liberties);
        let is_in = |cells: W, cell: u32| cells & W::one(cell) != W::NONE;
        let mut distances: Vec<u32> = neighbours
            .iter()
            .map(|&(cell, _)| if is_in(reached, cell) { 1 } else { NO_WAY })
            .collect();
        for distance in 2.. {
            let mut new = W::NONE;
            for (known, &(cell, near)) in distances.iter_mut().zip(neighbours) {
                if *known == NO_WAY && (near & reached).count() >= 2 {
                    *known = distance;
                    new = new | W::one(cell);
                }
            }
            if new == W::NONE {
                break;
            }
            reached = reached | new;
        }
        distances
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use treegraft::{Game, Rng, Speed};

    /// Cell by cell, by the definition, until nothing changes.
    fn slow(position: &Hex<u64>, side: Side) -> u32 {
        let n = position.size() as i32;
        let cells: Vec<(i32, i32)> = (0..n * n).map(|cell| (cell % n, cell / n)).collect();
        let at = |(c, r): (i32, i32)| position.at(c as u32, r as u32);
        let touching = |(c, r): (i32, i32)| {
            [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)]
                .map(|(dc, dr)| (c + dc, r + dr))
                .into_iter()
                .filter(|&(c, r)| (0..n).contains(&c) && (0..n).contains(&r))
                .collect::<Vec<_>>()
        };
        // What can be reached from a cell by way of own stones alone, and whether an edge can.
        let reach = |from: (i32, i32)| {
            let (mut seen, mut open) = (vec![from], vec![from]);
            while let Some(cell) = open.pop() {
                for next in touching(cell) {
                    if !seen.contains(&next) {
                        seen.push(next);
                        if at(next) == Some(side) {
                            open.push(next);
                        }
                    }
                }
            }
            seen
        };
        let on = |(c, r): (i32, i32), is_goal: bool| {
            let i = if side == Side::First { r } else { c };
            i == if is_goal { n - 1 } else { 0 }
        };
        let empty: Vec<(i32, i32)> = cells.iter().copied().filter(|&it| at(it).is_none()).collect();
        let distances = |is_goal: bool| {
            let is_near = |cell: (i32, i32)| {
                let own = |it: &(i32, i32)| at(*it) == Some(side) || *it == cell;
                reach(cell).iter().filter(|it| own(it)).any(|&it| on(it, is_goal))
            };
            let mut known: Vec<u32> =
                empty.iter().map(|&it| if is_near(it) { 1 } else { NO_WAY }).collect();
            loop {
                let before = known.clone();
                for (i, &cell) in empty.iter().enumerate() {
                    let near = reach(cell);
                    let mut around: Vec<u32> = empty
                        .iter()
                        .zip(&before)
                        .filter(|(it, _)| **it != cell && near.contains(it))
                        .map(|(_, &distance)| distance)
                        .collect();
                    around.sort_unstable();
                    let second = around.get(1).copied().unwrap_or(NO_WAY);
                    known[i] = known[i].min(second + 1).min(NO_WAY);
                }
                if known == before {
                    return known;
                }
            }
        };
        let sums = distances(false).into_iter().zip(distances(true)).map(|(a, b)| a + b);
        sums.min().unwrap_or(NO_WAY).min(NO_WAY)
    }

    #[test]
    fn two_distances_are_those_of_their_definition() {
        let mut blocked = 0;
        for seed in 0..12 {
            let mut rng = Rng::new(seed);
            let mut position = Hex::<u64>::new(3 + seed as u32 % 4, false).expect("a board");
            while position.outcome().is_none() {
                for side in [Side::First, Side::Second] {
                    let right = slow(&position, side);
                    assert_eq!(position.two_distance(side), right, "{position:?}");
                    blocked += u32::from(right == NO_WAY);
                }
                let mv = position.speed().random_move(&mut rng, &mut Vec::new());
                position.play(mv);
            }
        }
        assert!(blocked > 5, "{blocked}");
    }
}
