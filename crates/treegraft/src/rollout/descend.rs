//! Selection: from the root to a leaf.

use super::tree::{Hot, Id, NEVER_VISITED, ROOT, Row};
use super::{AlphaBeta, Leaf, Run, Select, Step};
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
            let mut row = self.tree.rows[node as usize];
            if row.finished() {
                // A proven node is not walked into; this is a draw, or nothing is proven here.
                return Leaf::Finished(position.outcome().expect("the node is finished"));
            }
            if row.visits == self.minimax.select_at {
                if let Some(outcome) = self.minimax_selection(node, position) {
                    return Leaf::Finished(outcome);
                }
                row = self.tree.rows[node as usize];
            }
            debug_assert!(
                !self.tree.bounds(node as usize).is_exact(),
                "decided nodes are left out"
            );
            if row.count == 0 {
                if row.visits < self.config.expand_at || !self.expand(node, position) {
                    return Leaf::Open;
                }
                let bounds = self.tree.bounds(node as usize);
                if bounds.is_exact() {
                    // Looking at all children has just decided it.
                    return Leaf::Finished(Outcome::from_margin(bounds.lo));
                }
                row = self.tree.rows[node as usize];
            }
            if row.visits >= self.informed.prior_at && !row.primed() {
                if let Some(outcome) = self.give_priors(node, position) {
                    return Leaf::Finished(outcome);
                }
                row = self.tree.rows[node as usize];
            }
            if row.tried < row.count {
                if let Some(leaf) = self.try_new_child(node, position) {
                    return leaf;
                }
                // The arena has no room for it: those that have been tried are all there are.
                let tried = self.tree.tried(node);
                if tried.clone().all(|child| !self.tree.hot[child].mean.is_finite()) {
                    return Leaf::Open;
                }
                (row.first, row.count, row.is_young) = (tried.start as Id, row.tried, false);
            }
            self.tree.prefetch_children(&row);
            let bonuses = match self.config.alpha_beta {
                Some(_) => self.tree.intervals.given(node as usize),
                None => 0.0,
            };
            let child = row.first + self.best_child(&row, bonuses, mover.sign() as f32) as Id;
            position.play(self.tree.moves[child as usize]);
            if let Some(config) = self.config.alpha_beta
                && let Some(leaf) = self.enter(&config, child, node, position)
            {
                return leaf;
            }
            node = child;
        }
    }

    /// MCTS-αβ, at a child that was tried before: alpha-beta may go on from here, and Monte Carlo
    /// may come here for the first time.
    fn enter(&mut self, config: &AlphaBeta, child: Id, parent: Id, position: &G) -> Option<Leaf> {
        let step = Step { node: child, mover: position.to_move() };
        if let Some(reward) = self.turn(config, child, parent, position) {
            if config.update_next {
                self.path.push(step);
            }
            return Some(Leaf::Valued(reward));
        }
        if self.tree.intervals.in_tree(child as usize) {
            return None;
        }
        self.tree.intervals.enter_tree(child as usize);
        self.work.nodes += 1;
        self.path.push(step);
        Some(self.new_leaf(child, position))
    }

    /// Unvisited children come first, in random order; the next one has been drawn already. `None`
    /// if the arena is full.
    #[inline(always)]
    fn try_new_child(&mut self, node: Id, position: &mut G) -> Option<Leaf> {
        let at = self.tree.next_row(node)?;
        let row = &mut self.tree.rows[node as usize];
        let family = usize::from(row.count);
        row.tried += 1;
        let mv = row.next;
        debug_assert!(mv == self.tree.moves[at], "the next child is drawn");
        position.play(mv);
        self.tree.prepare(at, family, mv);
        let draw = self.tree.foresee(node, &mut self.rng);
        if self.config.alpha_beta.is_none() {
            self.draw = draw;
        } else if let Some(draw) = draw {
            self.tree.settle(draw);
        }
        if let Some(config) = self.config.alpha_beta {
            self.tree.hot[at] = NEVER_VISITED;
            if position.outcome().is_none()
                && let Some(leaf) = self.enter(&config, at as Id, node, position)
            {
                if matches!(leaf, Leaf::Valued(_)) && !(config.update_next && config.values) {
                    // It is as unvisited as the others, and any of them may be next.
                    self.tree.rows[node as usize].tried -= 1;
                    self.tree.draw(node, &mut self.rng);
                }
                return Some(leaf);
            }
            self.tree.intervals.enter_tree(at);
        }
        self.work.nodes += 1;
        self.path.push(Step { node: at as Id, mover: position.to_move() });
        Some(self.new_leaf(at as Id, position))
    }

    /// The end of a way down to a node that was never visited, the last one on the path.
    #[inline(always)]
    fn new_leaf(&mut self, node: Id, position: &G) -> Leaf {
        match position.outcome() {
            Some(outcome) => {
                self.mark_finished(node as usize, position, outcome);
                Leaf::Finished(outcome)
            }
            None if self.minimax.select_at == 0 => {
                self.minimax_selection(node, position).map_or(Leaf::Open, Leaf::Finished)
            }
            None => Leaf::Open,
        }
    }

    /// The place among its siblings of the child with the highest upper confidence bound.
    ///
    /// Children stand in the random order in which they were first tried, so that taking the first
    /// of several equal ones prefers none of them.
    #[inline(always)]
    pub(super) fn best_child(&self, row: &Row<G::Move>, bonuses: f64, sign: f32) -> usize {
        let children = row.children();
        let hot = &self.tree.hot[children.clone()];
        let virtual_visits =
            if row.primed() { self.tree.prior_weight * u32::from(row.count) } else { 0 };
        let mut visits = row.visits.saturating_add(virtual_visits);
        if self.config.alpha_beta.is_some() {
            visits = visits.saturating_add(bonuses as u32);
        }
        let sqrt_ln = self.sqrt_ln.of(visits);
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

/// sqrt(ln n) from a table: fast, and the same on every machine.
#[derive(Clone, Debug)]
pub(super) struct SqrtLn {
    /// Exact for n below `2 * STEPS`; from there on, `STEPS` numbers for each doubling of n, between
    /// which straight lines are good to 2^-27.
    table: Box<[f32]>,
}

impl SqrtLn {
    const STEPS: u32 = 2048;

    pub(super) fn new() -> SqrtLn {
        let sqrt_ln = |n: f64| libm::log(n.max(1.0)).sqrt() as f32;
        let exact = (0..2 * Self::STEPS).map(f64::from);
        let doublings = 1..=Self::STEPS.leading_zeros();
        let coarse = doublings.flat_map(|k| {
            (Self::STEPS..2 * Self::STEPS).map(move |m| f64::from(m) * f64::from(1u32 << k))
        });
        let end = f64::from(u32::MAX) + 1.0;
        SqrtLn { table: exact.chain(coarse).chain([end]).map(sqrt_ln).collect() }
    }

    #[inline(always)]
    pub(super) fn of(&self, n: u32) -> f32 {
        // n = (m + x) 2^k with m from STEPS to 2 STEPS and x from 0 to 1.
        let k = (Self::STEPS.leading_zeros() - (n | Self::STEPS).leading_zeros()) as usize;
        let m = n >> k;
        let at = k * Self::STEPS as usize + m as usize;
        let from = self.table[at];
        if k == 0 {
            return from;
        }
        let x = (n - (m << k)) as f32 * SCALE[k];
        from + x * (self.table[at + 1] - from)
    }
}

/// 2^-k.
const SCALE: [f32; 32] = {
    let mut scale = [1.0; 32];
    let mut k = 1;
    while k < 32 {
        scale[k] = scale[k - 1] * 0.5;
        k += 1;
    }
    scale
};

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
