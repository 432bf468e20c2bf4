//! Laws of proving search, on explicit trees.

mod anytime;
mod leaves;
mod reference;

use std::rc::Rc;

use super::*;
use crate::depth_first::Scores;
use crate::{Budget, Exactness, Outcome};

/// A node of an explicit tree; leaves have no children.
#[derive(Debug)]
struct Node {
    mover: Side,
    children: Vec<usize>,
    value: i64,
    /// The smallest and the largest value below.
    range: (i64, i64),
    /// What the game says they are; it may know more about a node than about its children.
    told: (i64, i64),
}

/// A place in such a tree.
#[derive(Clone, Debug)]
struct Place {
    tree: Rc<[Node]>,
    at: usize,
}

impl PartialEq for Place {
    fn eq(&self, other: &Place) -> bool {
        self.at == other.at
    }
}

impl Eq for Place {}

impl std::hash::Hash for Place {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.at.hash(state);
    }
}

impl Place {
    fn node(&self) -> &Node {
        &self.tree[self.at]
    }
}

impl Game for Place {
    type Move = u8;

    fn to_move(&self) -> Side {
        self.node().mover
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        moves.extend(0..self.node().children.len() as u8);
    }

    fn play(&mut self, mv: u8) {
        self.at = self.node().children[usize::from(mv)];
    }

    fn outcome(&self) -> Option<Outcome> {
        self.margin().map(Outcome::from_margin)
    }

    crate::brings!(Exactness);
}

impl Exactness for Place {
    fn margin(&self) -> Option<i64> {
        self.node().children.is_empty().then(|| self.node().value)
    }

    fn margin_bounds(&self) -> Option<(i64, i64)> {
        Some(self.node().told)
    }
}

/// How a random tree is made.
#[derive(Clone, Copy, Debug)]
struct Shape {
    branching: u32,
    height: u32,
    /// Fewer children here and there, and leaves at any depth.
    irregular: bool,
    /// Turns do not alternate, and the root may be the second player's.
    any_turns: bool,
    /// Values are from -`values` to `values`.
    values: u32,
}

/// A random tree.
fn tree(shape: Shape, rng: &mut Rng) -> Place {
    let mut nodes = Vec::new();
    grow(shape, 0, rng, &mut nodes);
    Place { tree: nodes.into(), at: 0 }
}

fn grow(shape: Shape, depth: u32, rng: &mut Rng, nodes: &mut Vec<Node>) -> usize {
    let at = nodes.len();
    let slack = |rng: &mut Rng| i64::from(rng.below(3));
    let by_turns = if depth.is_multiple_of(2) { Side::First } else { Side::Second };
    let by_chance = if rng.below(2) == 0 { Side::First } else { Side::Second };
    let mover = if shape.any_turns { by_chance } else { by_turns };
    let value = i64::from(rng.below(2 * shape.values + 1)) - i64::from(shape.values);
    let range = (value, value);
    nodes.push(Node { mover, children: Vec::new(), value, range, told: range });
    let ends_early = shape.irregular && depth > 0 && rng.below(5) == 0;
    if depth == shape.height || ends_early {
        return at;
    }
    let number = if shape.irregular { 1 + rng.below(shape.branching) } else { shape.branching };
    let children: Vec<usize> = (0..number).map(|_| grow(shape, depth + 1, rng, nodes)).collect();
    let lowest = children.iter().map(|&child| nodes[child].range.0).min().expect("a child");
    let highest = children.iter().map(|&child| nodes[child].range.1).max().expect("a child");
    nodes[at].range = (lowest, highest);
    nodes[at].told = (lowest - slack(rng), highest + slack(rng));
    nodes[at].children = children;
    at
}

/// The shape of the n-th tree of a test: all kinds, none of them large.
fn shape(n: u64) -> Shape {
    let branching = 2 + (n % 3) as u32;
    Shape {
        branching,
        height: 1 + (n / 3 % [6, 4, 3][branching as usize - 2]) as u32,
        irregular: (n / 18).is_multiple_of(2),
        any_turns: (n / 36).is_multiple_of(2),
        values: [1, 2, 5, 1000][(n / 72 % 4) as usize],
    }
}

/// The n-th tree of a test.
fn nth(n: u64) -> Place {
    tree(shape(n), &mut Rng::new(n))
}

/// The leaves that a search expands, in order, and its report.
fn expand(config: Config, place: &Place) -> (Vec<usize>, Report<u8>) {
    let mut seen = Vec::new();
    let config = Config { scores: Scores::Margin, ..config };
    let budget = Budget { memory: Some(64 << 10), ..Budget::default() };
    let mut note = |at: &Place| seen.push(at.at);
    let request = Request::new(budget, 1);
    let report = Prover::new(config, None).unwrap().search_watched(place, request, &mut note);
    (seen, report)
}

/// A complete tree with these leaves.
fn complete(leaves: &[i64], branching: usize) -> Place {
    fn add(leaves: &[i64], branching: usize, mover: Side, nodes: &mut Vec<Node>) -> usize {
        let at = nodes.len();
        let range = (i64::MIN, i64::MAX);
        nodes.push(Node { mover, children: Vec::new(), value: leaves[0], range, told: range });
        if leaves.len() > 1 {
            let parts = leaves.chunks(leaves.len() / branching);
            let children: Vec<usize> =
                parts.map(|part| add(part, branching, mover.other(), nodes)).collect();
            nodes[at].children = children;
        }
        at
    }
    let mut nodes = Vec::new();
    add(leaves, branching, Side::First, &mut nodes);
    Place { tree: nodes.into(), at: 0 }
}
