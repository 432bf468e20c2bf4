//! Minimax and alpha-beta as in a textbook, written apart from the searches that they check.

use treegraft::{Exactness, Game, Side, played};
use treegraft_games::SyntheticTree;

/// The value of a node, every leaf below it read.
#[must_use]
pub fn minimax(node: &SyntheticTree) -> i64 {
    if let Some(margin) = node.exactness().margin() {
        return margin;
    }
    let values = (0..node.children()).map(|child| minimax(&played(node, child)));
    let value = match node.to_move() {
        Side::First => values.max(),
        Side::Second => values.min(),
    };
    value.unwrap_or(0)
}

/// The value of a node by alpha-beta from left to right (Knuth & Moore 1975), each leaf that is
/// read shown to `leaf`.
pub fn alpha_beta(node: &SyntheticTree, leaf: &mut dyn FnMut(&SyntheticTree)) -> i64 {
    within(node, i64::MIN, i64::MAX, leaf)
}

fn within(
    node: &SyntheticTree,
    mut alpha: i64,
    mut beta: i64,
    leaf: &mut dyn FnMut(&SyntheticTree),
) -> i64 {
    if let Some(margin) = node.exactness().margin() {
        leaf(node);
        return margin;
    }
    for child in 0..node.children() {
        let value = within(&played(node, child), alpha, beta, leaf);
        match node.to_move() {
            Side::First => alpha = alpha.max(value),
            Side::Second => beta = beta.min(value),
        }
        if alpha >= beta {
            break;
        }
    }
    match node.to_move() {
        Side::First => alpha,
        Side::Second => beta,
    }
}
