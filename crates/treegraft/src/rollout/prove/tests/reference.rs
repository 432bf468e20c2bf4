//! The algorithms as the papers print them, in plain recursion and without regard for speed.

use std::collections::HashMap;

use super::*;

fn children(place: &Place) -> Vec<Place> {
    let numbers = &place.tree[place.at].children;
    numbers.iter().map(|&at| Place { at, ..place.clone() }).collect()
}

/// The value by brute force.
pub(super) fn minimax(place: &Place) -> i64 {
    let values = children(place).into_iter().map(|child| minimax(&child));
    let best = match place.to_move() {
        Side::First => values.max(),
        Side::Second => values.min(),
    };
    best.unwrap_or(place.tree[place.at].value)
}

/// Plain alpha-beta: the value and the leaves.
pub(super) fn alpha_beta(place: &Place) -> (i64, Vec<usize>) {
    fn search(place: &Place, mut alpha: i64, mut beta: i64, seen: &mut Vec<usize>) -> i64 {
        if let Some(value) = place.margin() {
            seen.push(place.at);
            return value;
        }
        for child in children(place) {
            let value = search(&child, alpha, beta, seen);
            match place.to_move() {
                Side::First => alpha = alpha.max(value),
                Side::Second => beta = beta.min(value),
            }
            if alpha >= beta {
                break;
            }
        }
        if place.to_move() == Side::First { alpha } else { beta }
    }
    let mut seen = Vec::new();
    (search(place, i64::MIN, i64::MAX, &mut seen), seen)
}

/// MTD(+∞) in the view of the side that moves at the root: the value and the leaves. A leaf counts
/// once, however often it is read.
pub(super) fn mtd(place: &Place) -> (i64, Vec<usize>) {
    struct Memory {
        me: Side,
        lo: HashMap<usize, i64>,
        up: HashMap<usize, i64>,
        seen: Vec<usize>,
    }
    /// Alpha-beta with memory for the question whether the value is at least `beta`.
    fn test(memory: &mut Memory, place: &Place, beta: i64) -> i64 {
        if let Some(&lo) = memory.lo.get(&place.at).filter(|&&lo| lo >= beta) {
            return lo;
        }
        if let Some(&up) = memory.up.get(&place.at).filter(|&&up| up < beta) {
            return up;
        }
        if let Some(value) = place.margin() {
            if !memory.seen.contains(&place.at) {
                memory.seen.push(place.at);
            }
            return memory.me.sign() * value;
        }
        let is_mine = place.to_move() == memory.me;
        let mut best = if is_mine { i64::MIN } else { i64::MAX };
        for child in children(place) {
            let value = test(memory, &child, beta);
            best = if is_mine { best.max(value) } else { best.min(value) };
            if is_mine == (best >= beta) {
                break;
            }
        }
        let side = if best >= beta { &mut memory.lo } else { &mut memory.up };
        side.insert(place.at, best);
        best
    }
    let me = place.to_move();
    let (lo, up) = (HashMap::new(), HashMap::new());
    let mut memory = Memory { me, lo, up, seen: Vec::new() };
    let mut above = i64::MAX;
    loop {
        let value = test(&mut memory, place, above);
        if value >= above {
            return (me.sign() * value, memory.seen);
        }
        above = value;
    }
}

/// Rollouts with floating-point bounds, infinite where nothing is known. Values are whole numbers,
/// so that one half is exact, and smaller than any difference.
pub(super) struct Floats {
    lo: Vec<f64>,
    up: Vec<f64>,
    me: Side,
    pub(super) seen: Vec<usize>,
}

impl Floats {
    pub(super) fn new(place: &Place) -> Floats {
        let nodes = place.tree.len();
        let (lo, up) = (vec![f64::NEG_INFINITY; nodes], vec![f64::INFINITY; nodes]);
        Floats { lo, up, me: place.to_move(), seen: Vec::new() }
    }

    /// FSSS-Minimax, Algorithm 2 of Weinstein, Littman & Goschin.
    pub(super) fn fsss(&mut self, root: &Place) -> i64 {
        while self.lo[0] != self.up[0] {
            self.search(root, f64::NEG_INFINITY, f64::INFINITY);
        }
        self.lo[0] as i64
    }

    fn search(&mut self, place: &Place, alpha: f64, beta: f64) {
        if self.expand_leaf(place) {
            return;
        }
        const EPSILON: f64 = 0.5;
        let children = children(place);
        let upper = |child: &Place| beta.min(self.up[child.at]);
        let lower = |child: &Place| alpha.max(self.lo[child.at]);
        let (mut low, mut high) = (alpha, beta);
        let mut selected = 0;
        for i in 1..children.len() {
            let is_better = match place.to_move() {
                Side::First => upper(&children[i]) > upper(&children[selected]),
                Side::Second => lower(&children[i]) < lower(&children[selected]),
            };
            selected = if is_better { i } else { selected };
        }
        let others = || (0..children.len()).filter(|&i| i != selected);
        match place.to_move() {
            Side::First => {
                let v = others().map(|i| upper(&children[i])).fold(f64::NEG_INFINITY, f64::max);
                low = alpha.max(v);
                if low == upper(&children[selected]) {
                    low -= EPSILON;
                }
            }
            Side::Second => {
                let v = others().map(|i| lower(&children[i])).fold(f64::INFINITY, f64::min);
                high = beta.min(v);
                if high == lower(&children[selected]) {
                    high += EPSILON;
                }
            }
        }
        self.search(&children[selected], low, high);
        self.refresh(place);
    }

    /// Huang's rollouts that are MT-SSS*.
    pub(super) fn sss(&mut self, root: &Place) -> i64 {
        while self.lo[0] != self.up[0] {
            self.roll_out(root, self.lo[0], self.up[0]);
        }
        self.lo[0] as i64
    }

    fn roll_out(&mut self, place: &Place, alpha: f64, beta: f64) {
        if self.expand_leaf(place) {
            return;
        }
        let mut selected: Option<(Place, f64, f64)> = None;
        for child in children(place) {
            let (low, high) = (alpha.max(self.lo[child.at]), beta.min(self.up[child.at]));
            let is_better = selected.as_ref().is_none_or(|&(_, lo, up)| match self.me {
                Side::First => high > up,
                Side::Second => low < lo,
            });
            if low < high && is_better {
                selected = Some((child, low, high));
            }
        }
        let (child, low, high) = selected.expect("a feasible child");
        self.roll_out(&child, low, high);
        self.refresh(place);
    }

    fn expand_leaf(&mut self, place: &Place) -> bool {
        let Some(value) = place.margin() else { return false };
        (self.lo[place.at], self.up[place.at]) = (value as f64, value as f64);
        self.seen.push(place.at);
        true
    }

    fn refresh(&mut self, place: &Place) {
        let best = |bounds: &[f64]| {
            let all = place.tree[place.at].children.iter().map(|&child| bounds[child]);
            match place.to_move() {
                Side::First => all.fold(f64::NEG_INFINITY, f64::max),
                Side::Second => all.fold(f64::INFINITY, f64::min),
            }
        };
        (self.lo[place.at], self.up[place.at]) = (best(&self.lo), best(&self.up));
    }
}
