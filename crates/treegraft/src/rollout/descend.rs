//! Selection: from the root to a leaf.

use super::tree::{Hot, Id, ROOT};
use super::{Leaf, Run, Select, Step};
use crate::bits::prefetch;
use crate::{Game, Outcome};

impl<G: Game> Run<'_, G> {
    /// Walks down the tree, leaving the way in `path`, until a node is new, finished, or not to be
    /// expanded; `position` is played along.
    #[inline(always)]
    pub(super) fn descend(&mut self, position: &mut G) -> Leaf {
        let mut node = ROOT;
        loop {
            let mover = position.to_move();
            self.path.push(Step { node, mover });
            let row = self.tree.rows[node as usize];
            if row.finished() {
                // A proven node is not walked into; this is a draw, or nothing is proven here.
                return Leaf::Finished(position.outcome().expect("the node is finished"));
            }
            if row.visits == self.minimax.select_at
                && let Some(outcome) = self.minimax_selection(node, position)
            {
                return Leaf::Finished(outcome);
            }
            let row = self.tree.rows[node as usize];
            if row.count == 0
                && !(row.visits >= self.config.expand_at && self.expand(node, position))
            {
                return Leaf::Open;
            }
            let row = &self.tree.rows[node as usize];
            let (first, tried, count) = (row.first, row.tried, row.count);
            let bounds = self.tree.bounds(node as usize);
            if bounds.is_exact() {
                // Looking at all children has just decided it.
                return Leaf::Finished(Outcome::from_margin(bounds.lo));
            }
            if tried < count {
                return self.try_new_child(node, position);
            }
            self.tree.prefetch_children(node);
            let child = first + self.best_child(node, mover.sign() as f32) as Id;
            position.play(self.tree.moves[child as usize]);
            self.work.transitions += 1;
            node = child;
        }
    }

    /// Unvisited children come first, in random order: the next one is drawn from those left.
    #[inline(always)]
    fn try_new_child(&mut self, node: Id, position: &mut G) -> Leaf {
        let row = &mut self.tree.rows[node as usize];
        let left = u32::from(row.count - row.tried);
        let at = row.first as usize + usize::from(row.tried);
        row.tried += 1;
        let drawn = at + self.rng.below(left) as usize;
        self.tree.swap_untried(at, drawn);
        // Needed when the simulation is over.
        prefetch(&self.tree.rows, at);
        prefetch(&self.tree.hot, at);
        position.play(self.tree.moves[at]);
        self.work.transitions += 1;
        self.work.nodes += 1;
        self.path.push(Step { node: at as Id, mover: position.to_move() });
        match position.outcome() {
            Some(outcome) => {
                self.mark_finished(at, position, outcome);
                Leaf::Finished(outcome)
            }
            None if self.minimax.select_at == 0 => {
                self.minimax_selection(at as Id, position).map_or(Leaf::Open, Leaf::Finished)
            }
            None => Leaf::Open,
        }
    }

    /// The place among its siblings of the child with the highest upper confidence bound.
    ///
    /// Children stand in the random order in which they were first tried, so that taking the first
    /// of several equal ones prefers none of them.
    #[inline(always)]
    pub(super) fn best_child(&self, node: Id, sign: f32) -> usize {
        let children = self.tree.children(node);
        let hot = &self.tree.hot[children.clone()];
        let sqrt_ln = self.sqrt_ln.of(self.tree.rows[node as usize].visits);
        // Rewards are kept from -1 to 1, C is meant for rewards from 0 to 1: hence twice C.
        let c = 2.0 * self.config.c as f32 * sqrt_ln;
        match self.config.select {
            Select::Ucb1 => argmax(hot, hot, |child, _| sign * child.mean + c * child.rarity),
            Select::Ucb1Tuned => {
                let variance = &self.tree.variance[children];
                let spread = std::f32::consts::SQRT_2 * sqrt_ln;
                argmax(hot, variance, |&Hot { mean, rarity }, variance| {
                    // A quarter of the variance is that of rewards from 0 to 1.
                    let v = 0.25 * variance + spread * rarity;
                    sign * mean + c * rarity * v.clamp(0.0, 0.25).sqrt()
                })
            }
        }
    }
}

/// The first place with the largest value, which is made from two columns of the same length.
///
/// Long columns are gone through twice in blocks that the compiler turns into vector instructions:
/// the values are cheap, carrying an index along is not.
#[inline(always)]
fn argmax<A, B>(a: &[A], b: &[B], value: impl Fn(&A, &B) -> f32) -> usize {
    const LANES: usize = 8;
    let from = |start: usize| {
        let (mut best, mut at) = (f32::NEG_INFINITY, start);
        for (i, (a, b)) in a[start..].iter().zip(&b[start..]).enumerate() {
            let v = value(a, b);
            (best, at) = std::hint::select_unpredictable(v > best, (v, start + i), (best, at));
        }
        (best, at)
    };
    if a.len() < LANES {
        return from(0).1;
    }
    let larger = |a: f32, b: f32| if b > a { b } else { a };
    let blocks = || a.chunks_exact(LANES).zip(b.chunks_exact(LANES));
    let mut lanes = [f32::NEG_INFINITY; LANES];
    for (a, b) in blocks() {
        for lane in 0..LANES {
            lanes[lane] = larger(lanes[lane], value(&a[lane], &b[lane]));
        }
    }
    let best = lanes.into_iter().fold(f32::NEG_INFINITY, larger);
    let (best_of_rest, place_in_rest) = from(a.len() / LANES * LANES);
    if best_of_rest > best {
        return place_in_rest;
    }
    for (block, (a, b)) in blocks().enumerate() {
        let is_best: [bool; LANES] = std::array::from_fn(|lane| value(&a[lane], &b[lane]) == best);
        if is_best.iter().fold(false, |any, &it| any | it) {
            let lane = is_best.iter().position(|&it| it).unwrap_or(0);
            return block * LANES + lane;
        }
    }
    0
}

/// sqrt(ln n), with the logarithm from a table: fast, and the same on every machine.
#[derive(Clone, Debug)]
pub(super) struct SqrtLn {
    /// sqrt(ln n) for n below `TABLE`.
    small: Box<[f32]>,
    /// ln m for m from `TABLE / 2` to `TABLE`.
    ln: Box<[f64]>,
}

impl SqrtLn {
    const TABLE: u32 = 4096;

    pub(super) fn new() -> SqrtLn {
        let ln = |n: u32| libm::log(f64::from(n.max(1)));
        SqrtLn {
            small: (0..Self::TABLE).map(|n| ln(n).sqrt() as f32).collect(),
            ln: (Self::TABLE / 2..Self::TABLE).map(ln).collect(),
        }
    }

    #[inline(always)]
    pub(super) fn of(&self, n: u32) -> f32 {
        if let Some(&known) = self.small.get(n as usize) {
            return known;
        }
        // n = m 2^k (1 + x) with x below 2^-11, and ln(1 + x) = x - x^2/2 up to 2^-34.
        let k = Self::TABLE.leading_zeros() + 1 - n.leading_zeros();
        let m = n >> k;
        let x = f64::from(n - (m << k)) / f64::from(m << k);
        let ln_m = self.ln[(m - Self::TABLE / 2) as usize];
        (ln_m + f64::from(k) * std::f64::consts::LN_2 + x - 0.5 * x * x).sqrt() as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_gives_the_logarithm() {
        let table = SqrtLn::new();
        let mut n = 1u32;
        while n < u32::MAX / 9 * 8 {
            let exact = f64::from(n).ln().sqrt();
            assert!((f64::from(table.of(n)) - exact).abs() <= 3e-7 * exact, "{n}");
            n += n / 9 + 1;
        }
    }

    #[test]
    fn the_first_of_the_largest_is_found() {
        for len in 1..70 {
            for at in 0..len {
                let value = |i| if i >= at { 1.0 } else { f32::NEG_INFINITY };
                let column: Vec<f32> = (0..len).map(value).collect();
                assert_eq!(argmax(&column, &column, |&v, _| v), at, "{len}");
                let single: Vec<f32> = (0..len).map(|i| f32::from(u8::from(i == at))).collect();
                assert_eq!(argmax(&single, &single, |&v, _| v), at, "{len}");
            }
        }
    }
}
