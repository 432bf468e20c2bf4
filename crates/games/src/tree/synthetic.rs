//! Trees that are generated as they are visited (SPEC 1.8): every number follows from the seed and
//! the place in the tree, so that a tree of height 40 costs no memory.

use std::fmt;

use treegraft::bits::mix;
use treegraft::{Exactness, Game, Limits, Notation, Outcome, Rng, Side, Speed};

use super::mover;
use super::notation::{Node, NodeNotation, describe};
use crate::{Canonical, GameTextError, Params};

/// What the numbers at the leaves of a synthetic tree are drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Leaves {
    /// Whole numbers from the first to the second, all equally likely.
    Range(i64, i64),
    /// `1` with the given probability in millionths, else `0`.
    Binary(u32),
}

impl Leaves {
    /// Whole numbers from -2^31 to 2^31.
    pub const UNIFORM: Leaves = Leaves::Range(-(1 << 31), 1 << 31);

    /// What a text stands for: `uniform`, `LOW..HIGH`, or `binary`, with the probability of a 1,
    /// which is ½ unless it is given.
    ///
    /// # Errors
    ///
    /// If it stands for nothing: the message says why.
    pub fn parse(text: &str, ones: Option<f64>) -> Result<Leaves, String> {
        if ones.is_some_and(|p| !(0.0..=1.0).contains(&p)) {
            return Err("ones is a probability, from 0 to 1".to_owned());
        }
        let leaves = match text {
            "uniform" => Leaves::UNIFORM,
            "binary" => Leaves::Binary((ones.unwrap_or(0.5) * 1e6).round() as u32),
            _ => {
                let range = text.split_once("..");
                let range = range.and_then(|(l, h)| Some((l.parse().ok()?, h.parse().ok()?)));
                let wrong = || format!("leaves is {text:?}, not uniform, binary or LOW..HIGH");
                let (low, high) = range.ok_or_else(wrong)?;
                Leaves::Range(low, high)
            }
        };
        match (leaves, ones) {
            (Leaves::Range(..), Some(_)) => Err("ones goes with leaves=binary only".to_owned()),
            _ => Ok(leaves),
        }
    }

    fn draw(self, random: u64) -> i64 {
        let below = |n: u64| ((u128::from(random) * u128::from(n)) >> 64) as i64;
        match self {
            Leaves::Range(low, high) => low + below((high - low) as u64 + 1),
            Leaves::Binary(millionths) => i64::from(below(1_000_000) < i64::from(millionths)),
        }
    }
}

/// As in the text of a tree.
impl fmt::Display for Leaves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Leaves::UNIFORM => f.write_str("uniform"),
            Leaves::Range(low, high) => write!(f, "{low}..{high}"),
            Leaves::Binary(500_000) => f.write_str("binary"),
            Leaves::Binary(millionths) => {
                write!(f, "binary,ones={}", f64::from(millionths) / 1e6)
            }
        }
    }
}

/// The largest number a leaf may have, either way: sums and doubles of it stay far from overflow.
pub(super) const MAX_MARGIN: i64 = 1 << 53;

/// A node of a synthetic tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SyntheticTree {
    /// Number of the node among the places of its level, in base `branching`.
    place: u128,
    pub(super) depth: u16,
    pub(super) height: u16,
    pub(super) branching: u16,
    irregular: bool,
    pub(super) leaves: Leaves,
    pub(super) seed: u64,
}

impl SyntheticTree {
    /// The root of a tree in which every node above `height` has `branching` children; `None` if
    /// there is no child, a level too wide to count (2^127), or no number to draw.
    #[must_use]
    pub fn new(branching: u16, height: u16, leaves: Leaves, seed: u64) -> Option<SyntheticTree> {
        let widest = u128::from(branching).checked_pow(u32::from(height))?;
        let drawable = match leaves {
            Leaves::Range(low, high) => low <= high && low >= -MAX_MARGIN && high <= MAX_MARGIN,
            Leaves::Binary(millionths) => millionths <= 1_000_000,
        };
        let root =
            SyntheticTree { place: 0, depth: 0, height, branching, irregular: false, leaves, seed };
        (branching > 0 && widest < 1 << 127 && drawable).then_some(root)
    }

    /// The same tree, but with 1 to `branching` children a node, and with a quarter of the nodes
    /// below the root leaves whatever their depth.
    #[must_use]
    pub fn irregular(self) -> SyntheticTree {
        SyntheticTree { irregular: true, ..self }
    }

    pub(crate) fn from_params(mut params: Params) -> Result<SyntheticTree, GameTextError> {
        let branching = params.flag("branching", "a number from 1 to 1000")?.unwrap_or(2);
        let height = params.flag("height", "a number from 0 to 1000")?.unwrap_or(8);
        let ones: Option<f64> = params.flag("ones", "a number from 0 to 1")?;
        let leaves = params.flag::<String>("leaves", "")?;
        let leaves = Leaves::parse(leaves.as_deref().unwrap_or("uniform"), ones)
            .map_err(|problem| params.error(problem))?;
        let seed = params.flag("seed", "a number from 0 to 2^64-1")?.unwrap_or(1);
        let irregular = params.flag("irregular", "true or false")?.unwrap_or(false);
        let tree = SyntheticTree::new(branching, height, leaves, seed)
            .filter(|tree| tree.branching <= 1000 && tree.height <= 1000)
            .ok_or_else(|| {
                params.error(format!(
                    "no tree has branching {branching}, height {height} and {leaves:?}"
                ))
            })?;
        params.finish()?;
        Ok(if irregular { tree.irregular() } else { tree })
    }

    /// The text of the tree whose root this is.
    #[must_use]
    pub fn canonical(&self) -> String {
        Canonical::new("tree")
            .flag("branching", self.branching, self.branching == 2)
            .flag("height", self.height, self.height == 8)
            .flag("leaves", self.leaves, self.leaves == Leaves::UNIFORM)
            .flag("irregular", true, !self.irregular)
            .flag("seed", self.seed, self.seed == 1)
            .finish()
    }

    /// Random bits that belong to this node; `salt` distinguishes several uses.
    #[inline]
    pub(super) fn random(&self, salt: u64) -> u64 {
        let place = mix(self.place as u64) ^ mix((self.place >> 64) as u64 ^ 0x5851_f42d_4c95_7f2d);
        mix(place ^ mix(self.seed ^ mix(u64::from(self.depth) ^ salt << 32)))
    }

    /// Number of children: 0 at a leaf.
    #[inline]
    #[must_use]
    pub fn children(&self) -> u32 {
        let branching = u32::from(self.branching);
        if self.depth == self.height {
            0
        } else if !self.irregular {
            branching
        } else if self.depth > 0 && self.random(1) < u64::MAX / 4 {
            0
        } else {
            1 + ((u128::from(self.random(2)) * u128::from(branching)) >> 64) as u32
        }
    }

    /// Plies from the root to here.
    #[must_use]
    pub fn depth(&self) -> u32 {
        u32::from(self.depth)
    }
}

impl Game for SyntheticTree {
    /// A child, from 0.
    type Move = u32;

    #[inline]
    fn to_move(&self) -> Side {
        mover(self.depth as usize)
    }

    #[inline]
    fn moves(&self, moves: &mut Vec<u32>) {
        moves.extend(0..self.children());
    }

    #[inline]
    fn play(&mut self, child: u32) {
        debug_assert!(child < self.children());
        self.place = self.place * u128::from(self.branching) + u128::from(child);
        self.depth += 1;
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.margin().map(Outcome::from_margin)
    }

    fn limits(&self) -> Limits {
        Limits { playout_plies: u32::from(self.height), ..Limits::default() }
    }

    treegraft::brings!(Speed, Exactness);

    fn notation(&self) -> impl Notation<Self> {
        NodeNotation(self)
    }
}

impl Speed for SyntheticTree {
    #[inline]
    fn move_slots(&self) -> usize {
        self.branching as usize
    }

    #[inline]
    fn move_slot(&self, child: u32) -> usize {
        child as usize
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng, _: &mut Vec<u32>) -> u32 {
        rng.below(self.children())
    }
}

impl Exactness for SyntheticTree {
    #[inline]
    fn margin(&self) -> Option<i64> {
        (self.children() == 0).then(|| self.leaves.draw(self.random(0)))
    }

    /// What leaves are drawn from.
    #[inline]
    fn margin_bounds(&self) -> Option<(i64, i64)> {
        Some(match self.leaves {
            Leaves::Range(low, high) => (low, high),
            Leaves::Binary(_) => (0, 1),
        })
    }
}

impl Node for SyntheticTree {
    fn children(&self) -> u32 {
        self.children()
    }

    fn path(&self) -> Vec<u32> {
        let (mut place, base) = (self.place, u128::from(self.branching));
        let mut path: Vec<u32> = (0..self.depth)
            .map(|_| {
                let child = (place % base) as u32;
                place /= base;
                child
            })
            .collect();
        path.reverse();
        path
    }

    fn root(&self) -> SyntheticTree {
        SyntheticTree { place: 0, depth: 0, ..*self }
    }

    fn note(&self) -> String {
        format!("{}, depth {} of {}", describe(self), self.depth, self.height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use treegraft::perft;

    #[test]
    fn regular_trees_have_every_leaf() {
        let tree = SyntheticTree::new(3, 5, Leaves::UNIFORM, 7).unwrap();
        assert_eq!(perft(&tree, 5), 243);
        assert_eq!(perft(&tree, 6), 0);
    }

    #[test]
    fn a_tall_tree_costs_nothing_and_is_the_same_every_time() {
        let mut tree = SyntheticTree::new(2, 40, Leaves::Binary(500_000), 3).unwrap();
        let mut again = tree;
        let mut rng = Rng::new(5);
        while tree.outcome().is_none() {
            let child = tree.random_move(&mut rng, &mut Vec::new());
            tree.play(child);
            again.play(child);
        }
        assert_eq!(tree.depth(), 40);
        assert_eq!(tree.margin(), again.margin());
        assert_eq!(tree.path().len(), 40);
    }

    /// Mean and extremes of the leaves, within five standard errors.
    #[test]
    fn leaves_are_drawn_as_configured() {
        let leaves_of = |leaves: Leaves, seed| {
            let root = SyntheticTree::new(2, 14, leaves, seed).unwrap();
            (0..1 << 14)
                .map(move |place| SyntheticTree { place, depth: 14, ..root }.margin().unwrap())
        };
        let n = f64::from(1 << 14);
        let ones: i64 = leaves_of(Leaves::Binary(300_000), 1).sum();
        assert!((ones as f64 / n - 0.3).abs() < 5.0 * (0.21 / n).sqrt(), "{ones}");
        let uniform: Vec<i64> = leaves_of(Leaves::UNIFORM, 1).collect();
        assert!(uniform.iter().all(|&v| (-(1i64 << 31)..=1 << 31).contains(&v)));
        let mean = uniform.iter().sum::<i64>() as f64 / n;
        assert!(mean.abs() < 5.0 * (1u64 << 31) as f64 / (3.0 * n).sqrt(), "{mean}");
        let dice: Vec<i64> = leaves_of(Leaves::Range(-2, 3), 1).collect();
        assert_eq!((dice.iter().min(), dice.iter().max()), (Some(&-2), Some(&3)));
        // Another seed is another tree.
        assert_ne!(uniform, leaves_of(Leaves::UNIFORM, 2).collect::<Vec<_>>());
    }

    #[test]
    fn irregular_trees_have_single_children_and_early_leaves() {
        let root = SyntheticTree::new(3, 6, Leaves::Range(-9, 9), 4).unwrap().irregular();
        let (mut single, mut early) = (0, 0);
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            single += u32::from(node.children() == 1);
            early += u32::from(node.children() == 0 && node.depth() < 6);
            open.extend((0..node.children()).map(|child| {
                let mut next = node;
                next.play(child);
                next
            }));
        }
        assert!(single > 0 && early > 0 && root.children() > 0, "{single} {early}");
    }
}
