//! Synthetic trees with planted traps (SPEC 6.4), to vary the density and the depth of traps while
//! everything else stays the same, which no real game allows.

use treegraft::{Exactness, Game, Limits, Notation, Outcome, Rng, Side, Speed};

use super::Leaves;
use super::notation::{Node, NodeNotation, describe};
use super::synthetic::SyntheticTree;
use crate::{Canonical, GameTextError, Params};

/// A node of a synthetic tree with traps: a win or a loss at every leaf, and here and there a node
/// from which the mover cannot escape a loss within a given number of plies.
///
/// In a trap every move of the loser stays in it, and one move of the winner does; the others let
/// the loser out. A trap is over when its depth has been played: the loser has lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TrapTree {
    node: SyntheticTree,
    /// Probability that a node is the beginning of a trap, in millionths.
    density: u32,
    trap_depth: u16,
    /// The trap that this node is in.
    trap: Option<Trap>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Trap {
    loser: Side,
    /// Plies to the end.
    left: u16,
}

const MILLION: u64 = 1_000_000;

/// What else the random bits of a node are for is numbered in [`SyntheticTree`].
const IS_TRAP: u64 = 3;
const WAY_ON: u64 = 4;

impl TrapTree {
    /// The root of a tree. Every node above `height` that is in no trap and has `trap_depth` plies
    /// below it begins a trap with probability `density`, in millionths; Max wins at a leaf outside
    /// of traps with probability `ones`, in millionths.
    ///
    /// `None` if there is no child, a level too wide to count (2^127), no depth of traps or a
    /// probability above 1.
    #[must_use]
    pub fn new(
        branching: u16,
        height: u16,
        [density, ones]: [u32; 2],
        trap_depth: u16,
        seed: u64,
    ) -> Option<TrapTree> {
        let node = SyntheticTree::new(branching, height, Leaves::Binary(ones), seed)?;
        let is_possible = trap_depth > 0 && u64::from(density) <= MILLION;
        is_possible.then(|| TrapTree { node, density, trap_depth, trap: None }.set())
    }

    pub(crate) fn from_params(mut params: Params) -> Result<TrapTree, GameTextError> {
        let branching = params.flag("branching", "a number from 1 to 1000")?.unwrap_or(2);
        let height = params.flag("height", "a number from 0 to 1000")?.unwrap_or(8);
        let mut probability = |name: &str| -> Result<u32, GameTextError> {
            let p: f64 = params.flag(name, "a number from 0 to 1")?.unwrap_or(0.5);
            if !(0.0..=1.0).contains(&p) {
                return Err(params.error(format!("{name} is a probability, from 0 to 1")));
            }
            Ok((p * MILLION as f64).round() as u32)
        };
        let chances = [probability("traps")?, probability("ones")?];
        let trap_depth = params.flag("trap-depth", "a number from 1 to 1000")?.unwrap_or(2);
        let seed = params.flag("seed", "a number from 0 to 2^64-1")?.unwrap_or(1);
        let tree = TrapTree::new(branching, height, chances, trap_depth, seed)
            .filter(|_| branching <= 1000 && height <= 1000 && trap_depth <= 1000)
            .ok_or_else(|| {
                params.error(format!(
                    "no tree has branching {branching}, height {height} and trap-depth {trap_depth}"
                ))
            })?;
        params.finish()?;
        Ok(tree)
    }

    pub(crate) fn canonical(&self) -> String {
        let share = |millionths: u32| f64::from(millionths) / MILLION as f64;
        let SyntheticTree { branching, height, seed, leaves, .. } = self.node;
        let text = Canonical::new("tree").flag("branching", branching, branching == 2);
        let text = text.flag("height", height, height == 8);
        // Never left out: it distinguishes this kind of tree from the others.
        let text = text.flag("traps", share(self.density), false);
        let text = text.flag("trap-depth", self.trap_depth, self.trap_depth == 2);
        let text = match leaves {
            Leaves::Binary(ones) if ones != 500_000 => text.flag("ones", share(ones), false),
            _ => text,
        };
        text.flag("seed", seed, seed == 1).finish()
    }

    /// Plies from the root to here.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.node.depth()
    }

    /// Who is in a trap here, and after how many plies they have lost.
    #[must_use]
    pub fn trapped(&self) -> Option<(Side, u32)> {
        self.trap.map(|trap| (trap.loser, u32::from(trap.left)))
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.trap.is_some_and(|trap| trap.left == 0)
    }

    /// A number below `n` that belongs to this node.
    #[inline]
    fn draw(&self, what_for: u64, n: u64) -> u64 {
        ((u128::from(self.node.random(what_for)) * u128::from(n)) >> 64) as u64
    }

    /// The node with the trap that begins here, if one does.
    #[inline]
    fn set(self) -> TrapTree {
        let end = u32::from(self.node.depth) + u32::from(self.trap_depth);
        let has_room = end <= u32::from(self.node.height);
        let begins = self.trap.is_none()
            && has_room
            && self.draw(IS_TRAP, MILLION) < u64::from(self.density);
        let trap = Trap { loser: self.node.to_move(), left: self.trap_depth };
        if begins { TrapTree { trap: Some(trap), ..self } } else { self }
    }
}

impl Game for TrapTree {
    /// A child, from 0.
    type Move = u32;

    #[inline]
    fn to_move(&self) -> Side {
        self.node.to_move()
    }

    #[inline]
    fn moves(&self, moves: &mut Vec<u32>) {
        moves.extend(0..self.children());
    }

    #[inline]
    fn play(&mut self, child: u32) {
        debug_assert!(child < self.children());
        self.trap = self.trap.filter(|trap| {
            let way_on = || self.draw(WAY_ON, u64::from(self.children()));
            self.to_move() == trap.loser || u64::from(child) == way_on()
        });
        self.trap = self.trap.map(|trap| Trap { left: trap.left - 1, ..trap });
        self.node.play(child);
        *self = self.set();
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.margin().map(Outcome::from_margin)
    }

    fn limits(&self) -> Limits {
        Limits { playout_plies: self.node.limits().playout_plies, ..Limits::default() }
    }

    treegraft::brings!(Speed, Exactness);

    fn notation(&self) -> impl Notation<Self> {
        NodeNotation(self)
    }
}

impl Speed for TrapTree {
    #[inline]
    fn move_slots(&self) -> usize {
        self.node.move_slots()
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

impl Exactness for TrapTree {
    /// 1 where Max has won, -1 where Min has.
    #[inline]
    fn margin(&self) -> Option<i64> {
        match self.trap {
            Some(Trap { loser, left: 0 }) => Some(-loser.sign()),
            _ => self.node.margin().map(|one| 2 * one - 1),
        }
    }

    /// Every leaf is won or lost.
    #[inline]
    fn margin_bounds(&self) -> Option<(i64, i64)> {
        Some((-1, 1))
    }
}

impl Node for TrapTree {
    #[inline]
    fn children(&self) -> u32 {
        if self.is_over() { 0 } else { self.node.children() }
    }

    fn path(&self) -> Vec<u32> {
        self.node.path()
    }

    fn root(&self) -> TrapTree {
        TrapTree { node: self.node.root(), trap: None, ..*self }.set()
    }

    fn note(&self) -> String {
        let trapped = match self.trapped() {
            Some((loser, left)) if left > 0 => {
                format!(", {} in a trap of {left} plies", self.notation().side_name(loser))
            }
            _ => String::new(),
        };
        let SyntheticTree { depth, height, .. } = self.node;
        format!("{}{trapped}, depth {depth} of {height}", describe(self))
    }
}

#[cfg(test)]
mod tests {
    use treegraft::depth_first::{WinLoss, WinLossQuestion};
    use treegraft::perft;

    use treegraft::Charset;

    use super::*;

    fn tree(branching: u16, height: u16, density: f64, trap_depth: u16, seed: u64) -> TrapTree {
        let density = (density * 1e6) as u32;
        TrapTree::new(branching, height, [density, 500_000], trap_depth, seed).expect("a tree")
    }

    /// Every node of a tree.
    fn nodes(root: TrapTree) -> Vec<TrapTree> {
        let mut open = vec![root];
        let mut all = Vec::new();
        while let Some(node) = open.pop() {
            all.push(node);
            open.extend((0..node.children()).map(|child| {
                let mut next = node;
                next.play(child);
                next
            }));
        }
        all
    }

    /// Whoever is in a trap has lost after as many plies as were said, and not before.
    #[test]
    fn traps_are_forced_losses_of_their_depth() {
        let mut seen = 0;
        for (trap_depth, seed) in [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5)] {
            for node in nodes(tree(3, 8, 0.1, trap_depth, seed)) {
                let Some((loser, left)) = node.trapped() else { continue };
                let mut search = WinLoss::default();
                let mut value = |depth| search.value(&node, depth, loser, WinLossQuestion::Value);
                assert_eq!(value(left), -1, "{}", node.notation().diagram(Charset::Ascii));
                assert!(
                    left == 0 || value(left - 1) == 0,
                    "{}",
                    node.notation().diagram(Charset::Ascii)
                );
                seen += 1;
            }
        }
        assert!(seen > 1000, "{seen}");
    }

    /// Within five standard errors; only nodes that may begin a trap count.
    #[test]
    fn traps_are_as_frequent_as_configured() {
        for (density, seed) in [(0.0, 1), (0.05, 2), (0.3, 3), (1.0, 4)] {
            let free =
                |node: &&TrapTree| node.depth() <= 8 && node.trap.is_none_or(|t| t.left == 2);
            let all = nodes(tree(3, 10, density, 2, seed));
            let n = all.iter().filter(free).count() as f64;
            let begun = all.iter().filter(free).filter(|node| node.trap.is_some()).count() as f64;
            let error = 5.0 * (density * (1.0 - density) / n).sqrt();
            assert!((begun / n - density).abs() <= error, "{density}: {begun} of {n}");
            assert!(n > if density < 1.0 { 4000.0 } else { 300.0 }, "{density}: {n}");
        }
    }

    #[test]
    fn without_traps_the_tree_is_complete_and_every_leaf_is_won_or_lost() {
        let root = tree(3, 6, 0.0, 2, 9);
        assert_eq!(perft(&root, 6), 729);
        let leaves = nodes(root).into_iter().filter_map(|node| node.margin());
        let (won, lost): (Vec<i64>, Vec<i64>) = leaves.partition(|&margin| margin == 1);
        assert!(lost.iter().all(|&margin| margin == -1));
        assert!((250..480).contains(&won.len()), "{}", won.len());
        // A trap needs room below it.
        assert!(nodes(tree(2, 4, 1.0, 5, 1)).iter().all(|node| node.trapped().is_none()));
    }

    #[test]
    fn texts_lead_back_to_the_node() {
        let root = tree(3, 7, 0.3, 2, 5);
        for node in nodes(root) {
            let text = node.notation().position_text().unwrap();
            assert_eq!(node.notation().parse_position(&text), Ok(node), "{text}");
        }
    }
}
