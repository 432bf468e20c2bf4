//! Which leaves a driver looks at, and in which order: alpha-beta, SSS* and DUAL* see those of the
//! equivalent rollouts (Huang 2015).

use std::cell::RefCell;
use std::rc::Rc;

use treegraft::bits::mix;
use treegraft::depth_first::{Config, DepthFirst, Driver, Scores};
use treegraft::{Exactness, Game, Outcome, Request, Searcher, Side};

/// A uniform tree with alternating turns that records which leaves are visited.
#[derive(Clone, Debug)]
struct Spy {
    leaves: Rc<[i64]>,
    branching: usize,
    height: u32,
    ply: u32,
    /// The number of the node among those of its ply.
    at: usize,
    seen: Rc<RefCell<Vec<usize>>>,
}

impl PartialEq for Spy {
    fn eq(&self, other: &Spy) -> bool {
        (self.ply, self.at) == (other.ply, other.at)
    }
}

impl Eq for Spy {}

impl std::hash::Hash for Spy {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.ply, self.at).hash(state);
    }
}

impl Spy {
    fn new(leaves: &[i64], branching: usize, height: u32) -> Spy {
        assert_eq!(leaves.len(), branching.pow(height));
        let seen = Rc::new(RefCell::new(Vec::new()));
        Spy { leaves: leaves.into(), branching, height, ply: 0, at: 0, seen }
    }
}

impl Game for Spy {
    type Move = u8;

    fn to_move(&self) -> Side {
        if self.ply.is_multiple_of(2) { Side::First } else { Side::Second }
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        moves.extend(0..self.branching as u8);
    }

    fn play(&mut self, mv: u8) {
        self.at = self.at * self.branching + usize::from(mv);
        self.ply += 1;
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.ply < self.height {
            return None;
        }
        let mut seen = self.seen.borrow_mut();
        if !seen.contains(&self.at) {
            seen.push(self.at);
        }
        Some(Outcome::from_margin(self.leaves[self.at]))
    }

    treegraft::brings!(Exactness);
}

impl Exactness for Spy {
    fn margin(&self) -> Option<i64> {
        (self.ply == self.height).then(|| self.leaves[self.at])
    }
}

/// The leaves that a driver visits, in the order of first visits, and the margin that it finds.
fn leaves_seen(driver: Driver, leaves: &[i64], branching: usize, height: u32) -> (Vec<usize>, i64) {
    let plain = Config {
        driver,
        deepening: false,
        scores: Scores::Margin,
        hints: false,
        killers: false,
        history: false,
        table: driver != Driver::AlphaBeta,
        pvs: false,
        ..Config::default()
    };
    let start = Spy::new(leaves, branching, height);
    let report = DepthFirst::new(plain, None).unwrap().search(&start, Request::default());
    let seen = start.seen.borrow().clone();
    (seen, report.margin.unwrap())
}

/// The tree of Weinstein's figure 3.1 (own numbers).
const FIGURE: [i64; 16] = [4, 1, 5, 0, 0, 0, 8, 8, 9, 7, 2, 1, 7, 4, 2, 2];

#[test]
fn the_worked_example_has_the_known_leaves() {
    let (seen, value) = leaves_seen(Driver::AlphaBeta, &FIGURE, 2, 4);
    assert_eq!((seen.len(), value), (14, 4));
    let (seen, value) = leaves_seen(Driver::MtdPlus, &FIGURE, 2, 4);
    assert_eq!((seen, value), (vec![0, 2, 8, 10, 9, 12, 13, 14, 3, 1], 4));
}

/// Alpha-beta as rollouts (Huang 2015): bounds for every node of the tree, and a policy that
/// selects among the children whose bounds overlap the window.
struct Rollouts<'a> {
    leaves: &'a [i64],
    branching: usize,
    height: u32,
    bounds: std::collections::HashMap<(u32, usize), (i64, i64)>,
    policy: Policy,
    seen: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
enum Policy {
    Leftmost,
    LargestUpper,
    SmallestLower,
}

impl Rollouts<'_> {
    fn get(&self, ply: u32, at: usize) -> (i64, i64) {
        self.bounds.get(&(ply, at)).copied().unwrap_or((i64::MIN, i64::MAX))
    }

    fn rollout(&mut self, ply: u32, at: usize, alpha: i64, beta: i64) {
        if ply == self.height {
            self.bounds.insert((ply, at), (self.leaves[at], self.leaves[at]));
            self.seen.push(at);
            return;
        }
        let children = at * self.branching..(at + 1) * self.branching;
        let window = |rollouts: &Self, child: usize| {
            let (lo, up) = rollouts.get(ply + 1, child);
            (alpha.max(lo), beta.min(up))
        };
        let mut selected: Option<usize> = None;
        for child in children.clone() {
            let (lo, up) = window(self, child);
            let is_better = selected.is_none_or(|selected| match self.policy {
                Policy::Leftmost => false,
                Policy::LargestUpper => up > window(self, selected).1,
                Policy::SmallestLower => lo < window(self, selected).0,
            });
            if lo < up && is_better {
                selected = Some(child);
            }
        }
        if let Some(child) = selected {
            let (alpha, beta) = window(self, child);
            self.rollout(ply + 1, child, alpha, beta);
        }
        let all: Vec<(i64, i64)> = children.map(|child| self.get(ply + 1, child)).collect();
        let (los, ups) = (all.iter().map(|b| b.0), all.iter().map(|b| b.1));
        let both = if ply.is_multiple_of(2) {
            (los.max().unwrap(), ups.max().unwrap())
        } else {
            (los.min().unwrap(), ups.min().unwrap())
        };
        self.bounds.insert((ply, at), both);
    }
}

fn rollout_leaves(leaves: &[i64], branching: usize, height: u32, policy: Policy) -> Vec<usize> {
    let (bounds, seen) = Default::default();
    let mut rollouts = Rollouts { leaves, branching, height, bounds, policy, seen };
    loop {
        let (lo, up) = rollouts.get(0, 0);
        if lo == up {
            return rollouts.seen;
        }
        rollouts.rollout(0, 0, lo, up);
    }
}

#[test]
fn leaves_are_seen_in_the_order_of_the_equivalent_rollouts() {
    for seed in 0..2_000u64 {
        let branching = 2 + seed as usize % 2;
        let height = (1 + seed as u32 / 2 % 6).min(if branching == 3 { 4 } else { 6 });
        let leaf = |i: usize| (mix(seed ^ mix(i as u64)) % (3 + seed % 40)) as i64 - 5;
        let leaves: Vec<i64> = (0..branching.pow(height)).map(leaf).collect();
        let seen = |driver| leaves_seen(driver, &leaves, branching, height).0;
        for (driver, policy) in [
            (Driver::AlphaBeta, Policy::Leftmost),
            (Driver::SssStar, Policy::LargestUpper),
            (Driver::DualStar, Policy::SmallestLower),
        ] {
            let same = rollout_leaves(&leaves, branching, height, policy);
            assert_eq!(seen(driver), same, "{driver:?}: {leaves:?}");
        }
    }
}
