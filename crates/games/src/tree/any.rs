//! A tree of any kind: one type for the game `tree`, so that every search is compiled for it once.

use std::hash::{Hash, Hasher};

use treegraft::{
    Charset, Exactness, Game, Limits, Notation, Outcome, Playout, Rng, Side, Speed, Trace,
};

use super::notation::{Node, NodeNotation};
use super::{ExplicitTree, INFO, SyntheticTree, TrapTree};
use crate::{GameTextError, Params};

/// A node of a tree of any kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree {
    /// A tree that was written out.
    Explicit(ExplicitTree),
    /// A tree that is generated as it is visited.
    Synthetic(SyntheticTree),
    /// Such a tree with planted traps.
    Trap(TrapTree),
}

/// The same expression for the tree inside, whatever its kind.
macro_rules! inside {
    ($tree:expr, $node:ident => $answer:expr) => {
        match $tree {
            Tree::Explicit($node) => $answer,
            Tree::Synthetic($node) => $answer,
            Tree::Trap($node) => $answer,
        }
    };
}

impl Tree {
    /// The root of the tree that a text such as `tree:((3 5) (2 -9 4))` or
    /// `tree:height=12,traps=0.1` names.
    pub(super) fn parse(text: &str) -> Result<Tree, GameTextError> {
        // A tree in brackets is not a list of parameters.
        if let Some((_, written)) = text.split_once(':')
            && !written.contains('=')
        {
            let tree = ExplicitTree::parse(written)
                .map_err(|problem| GameTextError::new(text, problem, INFO.syntax))?;
            return Ok(Tree::Explicit(tree));
        }
        let params = Params::new(text, INFO.syntax)?;
        if params.has("traps") {
            TrapTree::from_params(params).map(Tree::Trap)
        } else {
            SyntheticTree::from_params(params).map(Tree::Synthetic)
        }
    }

    /// [`Game::play`] where most of its code is: kept out of line, so that the rest can be inlined.
    #[inline(never)]
    fn play_in_others(&mut self, child: u32) {
        inside!(self, node => node.play(child));
    }

    pub(super) fn canonical(&self) -> String {
        inside!(self, node => node.canonical())
    }
}

/// As the tree inside: positions of different trees are never compared, so that keys stay the same.
impl Hash for Tree {
    fn hash<H: Hasher>(&self, state: &mut H) {
        inside!(self, node => node.hash(state));
    }
}

impl Game for Tree {
    /// A child, from 0.
    type Move = u32;

    #[inline]
    fn to_move(&self) -> Side {
        inside!(self, node => node.to_move())
    }

    #[inline]
    fn moves(&self, moves: &mut Vec<u32>) {
        moves.extend(0..inside!(self, node => Node::children(node)));
    }

    #[inline]
    fn play(&mut self, child: u32) {
        match self {
            Tree::Synthetic(node) => node.play(child),
            _ => self.play_in_others(child),
        }
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        inside!(self, node => node.outcome())
    }

    // The kind of tree is looked up once a playout, not once a move.
    fn fast_playout(
        &mut self,
        rng: &mut Rng,
        max_plies: u32,
        trace: Option<&mut Trace>,
    ) -> Option<Playout> {
        trace.is_none().then(|| {
            inside!(self, node => treegraft::playout(node, rng, &mut Vec::new(), max_plies, None))
        })
    }

    fn limits(&self) -> Limits {
        inside!(self, node => node.limits())
    }

    treegraft::brings!(Speed, Exactness);

    fn notation(&self) -> impl Notation<Self> {
        NodeNotation(self)
    }
}

impl Speed for Tree {
    #[inline]
    fn key(&self) -> u64 {
        inside!(self, node => node.key())
    }

    #[inline]
    fn move_slots(&self) -> usize {
        inside!(self, node => node.move_slots())
    }

    #[inline]
    fn move_slot(&self, child: u32) -> usize {
        inside!(self, node => node.move_slot(child))
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng, buffer: &mut Vec<u32>) -> u32 {
        inside!(self, node => node.random_move(rng, buffer))
    }
}

impl Exactness for Tree {
    #[inline]
    fn margin(&self) -> Option<i64> {
        inside!(self, node => node.margin())
    }

    #[inline]
    fn margin_bounds(&self) -> Option<(i64, i64)> {
        inside!(self, node => node.margin_bounds())
    }
}

impl Node for Tree {
    fn children(&self) -> u32 {
        inside!(self, node => Node::children(node))
    }

    fn path(&self) -> Vec<u32> {
        inside!(self, node => Node::path(node))
    }

    fn root(&self) -> Tree {
        match self {
            Tree::Explicit(node) => Tree::Explicit(node.root()),
            Tree::Synthetic(node) => Tree::Synthetic(node.root()),
            Tree::Trap(node) => Tree::Trap(node.root()),
        }
    }

    fn note(&self) -> String {
        inside!(self, node => node.note())
    }

    fn diagram(&self, charset: Charset) -> String {
        inside!(self, node => Node::diagram(node, charset))
    }
}

#[cfg(test)]
mod tests {
    use treegraft::{Ipp, Knowledge, legal_moves};

    use super::*;

    /// Every method of the contract, those with a default included: a kind of tree may get its own
    /// one day, which must then be called.
    fn assert_same<G: Game<Move = u32>>(tree: &Tree, node: &G, into: impl Fn(G) -> Tree) {
        let both = [tree.notation().position_text(), node.notation().position_text()];
        assert_eq!(both[0], both[1]);
        let here = &both[0];
        macro_rules! same {
            ($($call:tt)*) => {
                assert_eq!(tree.$($call)*, node.$($call)*, "{here:?}");
            };
        }
        macro_rules! same_list {
            ($group:ident().$method:ident) => {
                let (mut ours, mut theirs) = (Vec::new(), Vec::new());
                tree.$group().$method(&mut ours);
                node.$group().$method(&mut theirs);
                assert_eq!(ours, theirs, "{here:?}");
            };
        }
        macro_rules! same_draw {
            ($method:ident($($argument:expr),*)) => {
                let (mut ours, mut theirs) = (Rng::new(7), Rng::new(7));
                assert_eq!(
                    tree.speed().$method($($argument,)* &mut ours, &mut Vec::new()),
                    node.speed().$method($($argument,)* &mut theirs, &mut Vec::new()),
                );
                assert_eq!(ours.below(1 << 30), theirs.below(1 << 30), "{here:?}");
            };
        }
        same!(to_move());
        same!(outcome());
        same!(exactness().margin());
        same!(speed().key());
        same!(speed().move_slots());
        same!(limits());
        same!(notation().position_is_moves());
        same!(notation().diagram(Charset::Ascii));
        same!(notation().diagram(Charset::Unicode));
        same!(notation().picture());
        for side in [Side::First, Side::Second] {
            same!(notation().side_name(side));
        }
        for text in ["0", "1", "2", "99", "+1", ""] {
            same!(notation().parse_move(text));
        }
        assert_eq!(tree.knowledge().null_move(), node.knowledge().null_move().map(&into));
        assert_eq!(tree.knowledge().evaluators().len(), node.knowledge().evaluators().len());
        let texts = ["", "1", "2 1", "1 77", "x"].into_iter().chain(here.as_deref());
        for text in texts {
            assert_eq!(
                tree.notation().parse_position(text),
                node.notation().parse_position(text).map(&into)
            );
        }
        let (mut ours, mut theirs) = (tree.clone(), node.clone());
        let mut rngs = [Rng::new(3), Rng::new(3)];
        assert_eq!(
            treegraft::playout(&mut ours, &mut rngs[0], &mut Vec::new(), 3, None),
            treegraft::playout(&mut theirs, &mut rngs[1], &mut Vec::new(), 3, None)
        );
        assert_eq!(ours, into(theirs));
        assert_eq!(rngs[0].below(1 << 30), rngs[1].below(1 << 30));
        if node.outcome().is_some() {
            return;
        }
        same!(exactness().margin_bounds());
        same!(exactness().foregone());
        same!(exactness().win_loss(1));
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        tree.moves(&mut ours);
        node.moves(&mut theirs);
        assert_eq!(ours, theirs, "{here:?}");
        same_list!(knowledge().loud_moves);
        same_list!(exactness().candidate_moves);
        same_draw!(random_move());
        same_draw!(guided_move(None));
        same_draw!(guided_move(Some(Ipp::Program)));
        same_draw!(guided_move(Some(Ipp::Printed)));
        same!(speed().minimax_move(1, &mut Rng::new(7)));
        for mv in legal_moves(node) {
            same!(speed().move_slot(mv));
            same!(knowledge().order_hint(mv));
            same!(knowledge().playout_weight(mv, Ipp::Program));
            same!(knowledge().playout_weight(mv, Ipp::Printed));
            same!(knowledge().node_prior(mv));
            same!(knowledge().transition_probability(mv));
            same!(notation().move_text(mv));
            same!(notation().move_cells(mv));
        }
    }

    /// Random walks through a tree and the tree inside it.
    fn walk<G: Game<Move = u32>>(root: &G, into: impl Fn(G) -> Tree + Copy) {
        let mut rng = Rng::new(1);
        for _ in 0..200 {
            let (mut tree, mut node) = (into(root.clone()), root.clone());
            loop {
                assert_same(&tree, &node, into);
                if node.outcome().is_some() {
                    break;
                }
                let child = node.speed().random_move(&mut rng, &mut Vec::new());
                tree.play(child);
                node.play(child);
            }
        }
    }

    #[test]
    fn a_tree_answers_as_the_tree_inside_does() {
        for text in [
            "tree:((3 5) (2 -9 (4 (0 1)) 7))",
            "tree:7",
            "tree",
            "tree:irregular=true",
            "tree:branching=3,height=6,leaves=binary",
            "tree:traps=0.3,branching=3",
        ] {
            match Tree::parse(text).unwrap() {
                Tree::Explicit(root) => walk(&root, Tree::Explicit),
                Tree::Synthetic(root) => walk(&root, Tree::Synthetic),
                Tree::Trap(root) => walk(&root, Tree::Trap),
            }
        }
    }
}
