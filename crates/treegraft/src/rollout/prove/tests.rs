//! Leaves and their order, over trees that are written down.

use std::rc::Rc;

use super::*;
use crate::Budget;

/// A node of a tree that is written down: leaves have no children.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) mover: Side,
    pub(super) children: Vec<usize>,
    pub(super) value: i64,
    /// The smallest and the largest value below, and how much wider the game says they are.
    pub(super) range: (i64, i64),
}

/// A place in such a tree.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) tree: Rc<[Node]>,
    pub(super) at: usize,
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

    fn margin(&self) -> Option<i64> {
        self.node().children.is_empty().then(|| self.node().value)
    }

    fn margin_bounds(&self) -> Option<(i64, i64)> {
        Some(self.node().range)
    }
}

/// How a random tree is made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) branching: u32,
    pub(super) height: u32,
    /// Fewer children here and there, and leaves at any depth.
    pub(super) irregular: bool,
    /// Turns do not alternate, and the root may be the second player's.
    pub(super) any_turns: bool,
    /// Values are from -`values` to `values`.
    pub(super) values: u32,
}

/// A random tree.
pub(super) fn tree(shape: Shape, rng: &mut Rng) -> Place {
    let mut nodes = Vec::new();
    grow(shape, 0, rng, &mut nodes);
    Place { tree: nodes.into(), at: 0 }
}

fn grow(shape: Shape, depth: u32, rng: &mut Rng, nodes: &mut Vec<Node>) -> usize {
    let at = nodes.len();
    let by_turns = if depth % 2 == 0 { Side::First } else { Side::Second };
    let by_chance = if rng.below(2) == 0 { Side::First } else { Side::Second };
    let mover = if shape.any_turns { by_chance } else { by_turns };
    let value = i64::from(rng.below(2 * shape.values + 1)) - i64::from(shape.values);
    nodes.push(Node { mover, children: Vec::new(), value, range: (value, value) });
    let ends_early = shape.irregular && depth > 0 && rng.below(5) == 0;
    if depth == shape.height || ends_early {
        return at;
    }
    let number = if shape.irregular { 1 + rng.below(shape.branching) } else { shape.branching };
    let children: Vec<usize> = (0..number).map(|_| grow(shape, depth + 1, rng, nodes)).collect();
    let lowest = children.iter().map(|&child| nodes[child].range.0).min().expect("a child");
    let highest = children.iter().map(|&child| nodes[child].range.1).max().expect("a child");
    let slack = |rng: &mut Rng| i64::from(rng.below(3));
    nodes[at].range = (lowest - slack(rng), highest + slack(rng));
    nodes[at].children = children;
    at
}

/// The leaves that a search expands, in order, and its report.
pub(super) fn leaves(config: Config, place: &Place, budget: Budget) -> (Vec<usize>, Report<u8>) {
    let mut seen = Vec::new();
    let config = Config { scores: Scores::Margin, ..config };
    let request = Request::new(Budget { memory: Some(1 << 20), ..budget }, 1);
    let mut note = |at: &Place| seen.push(at.at);
    let report = Prover::new(config, None).search_watched(place, request, &mut note);
    (seen, report)
}

/// A complete tree with these leaves.
fn complete(leaves: &[i64], branching: usize) -> Place {
    fn add(leaves: &[i64], branching: usize, mover: Side, nodes: &mut Vec<Node>) -> usize {
        let at = nodes.len();
        let range = (i64::MIN, i64::MAX);
        nodes.push(Node { mover, children: Vec::new(), value: leaves[0], range });
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

/// The tree of figure 3.1 in Weinstein et al. (own numbers).
#[test]
fn the_worked_example_has_the_known_leaves() {
    let place = complete(&[4, 1, 5, 0, 0, 0, 8, 8, 9, 7, 2, 1, 7, 4, 2, 2], 2);
    let numbers: Vec<usize> =
        (0..place.tree.len()).filter(|&at| place.tree[at].children.is_empty()).collect();
    for restart in [true, false] {
        for (method, expected) in [
            (Method::AlphaBeta, None),
            (Method::AlphaBeta2, None),
            (Method::Mtd, Some(vec![0, 2, 8, 10, 9, 12, 13, 14, 3, 1])),
            (Method::Fsss, Some(vec![0, 2, 8, 9, 12, 13, 14, 3])),
        ] {
            let config = Config { method, restart, ..Config::default() };
            let (seen, report) = leaves(config, &place, Budget::default());
            let number = |at: &usize| numbers.binary_search(at).expect("a leaf");
            let seen: Vec<usize> = seen.iter().map(number).collect();
            assert_eq!(report.margin, Some(4), "{method:?}");
            assert_eq!(report.best_move, Some(1), "{method:?}");
            assert_eq!(report.stop, Stop::Done);
            assert_eq!(report.work.evaluations, seen.len() as u64);
            match expected {
                Some(expected) => assert_eq!(seen, expected, "{method:?}"),
                None => assert_eq!(seen.len(), 14, "{method:?}"),
            }
        }
    }
}
