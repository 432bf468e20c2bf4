//! Trees as games: the first player maximises at the root, levels alternate, and a leaf's number is
//! the first player's margin.
//!
//! [`ExplicitTree`] is written out in the game's text; [`SyntheticTree`] is generated as it is
//! visited and costs no memory; [`TrapTree`] is one with planted traps. [`Tree`] is any of them:
//! the type of the game `tree`.

mod any;
mod explicit;
mod notation;
mod picture;
mod synthetic;
mod trap;

pub use any::Tree;
pub use explicit::ExplicitTree;
pub use synthetic::{Leaves, SyntheticTree};
pub use trap::TrapTree;

use treegraft::Side;

use crate::{Constants, GameInfo, Param, Started, Visitor};

/// How the registry lists the game.
pub const INFO: GameInfo = GameInfo {
    name: "tree",
    syntax: "a tree in brackets, such as tree:((3 5) (2 -9 4)), or the flags of a generated one, \
             tree:branching=2,height=16,leaves=uniform|binary|LOW..HIGH,seed=1,\
             irregular=false,ones=0.5, or of one with planted traps, \
             tree:branching=4,height=12,traps=0.1,trap-depth=2,ones=0.5,seed=1",
    params: &[
        Param {
            name: "(…)",
            values: "nested brackets and whole numbers",
            default: "none: the tree is generated",
            meaning: "the tree itself; no other parameter goes with it",
        },
        Param { name: "branching", values: "1 to 1000", default: "2", meaning: "children a node" },
        Param {
            name: "height",
            values: "0 to 1000, branching^height below 2^127",
            default: "8",
            meaning: "plies from the root to the leaves",
        },
        Param {
            name: "leaves",
            values: "uniform (-2^31 to 2^31), binary (0 or 1), LOW..HIGH",
            default: "uniform",
            meaning: "what the numbers at the leaves are drawn from",
        },
        Param {
            name: "ones",
            values: "0 to 1, six digits",
            default: "0.5",
            meaning: "probability of a 1 at a binary leaf, or that Max wins at a leaf outside of traps",
        },
        Param {
            name: "irregular",
            values: "true or false",
            default: "false",
            meaning: "nodes have 1 to branching children, and a quarter of those below the root are leaves",
        },
        Param {
            name: "traps",
            values: "0 to 1, six digits",
            default: "none: no traps",
            meaning: "every leaf is won (1) or lost (-1), and with this probability a node is the \
                      beginning of a forced loss for the side to move",
        },
        Param {
            name: "trap-depth",
            values: "1 to 1000",
            default: "2",
            meaning: "plies of these forced losses; only with traps",
        },
        Param { name: "seed", values: "a number", default: "1", meaning: "which tree of its kind" },
    ],
    rules: "Walk down a tree, Max and Min in turn; the number at the leaf is Max's margin.",
    moves: "the number of the child, from 1",
    positions: "the numbers of the children on the way from the root, 1 2 1",
    constants: Constants::USUAL,
    random_start: None,
};

/// The root of the tree that a text names, with its canonical text.
pub(crate) fn start<V: Visitor>(text: &str, visitor: V) -> Started<V> {
    let tree = Tree::parse(text)?;
    Ok((tree.canonical(), visitor.visit(tree)))
}

/// Max moves at even depths.
fn mover(depth: usize) -> Side {
    if depth.is_multiple_of(2) { Side::First } else { Side::Second }
}
