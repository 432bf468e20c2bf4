//! How nodes of trees are written and drawn: the same way in every kind of tree.

use treegraft::{Charset, Exactness, Game, Notation, NotationError, Of, Picture, Side};

use super::picture;
use crate::by_moves;

/// What the notation of a tree's nodes needs to know of them.
pub(super) trait Node: Game<Move = u32> {
    /// Number of children: 0 at a leaf.
    fn children(&self) -> u32;

    /// The numbers of the children on the way from the root, from 0.
    fn path(&self) -> Vec<u32>;

    /// The root of the tree that this node belongs to.
    fn root(&self) -> Self;

    /// What there is to say about this node, for pictures.
    fn note(&self) -> String;

    /// The node, for a terminal.
    fn diagram(&self, _: Charset) -> String {
        self.note()
    }
}

/// The notation of a [`Node`].
pub(super) struct NodeNotation<'a, N>(pub(super) &'a N);

impl<N: Node> Of<N> for NodeNotation<'_, N> {
    fn position(&self) -> &N {
        self.0
    }
}

impl<N: Node> Notation<N> for NodeNotation<'_, N> {
    fn side_name(&self, side: Side) -> &'static str {
        ["Max", "Min"][side.index()]
    }

    fn move_text(&self, child: u32) -> String {
        (child + 1).to_string()
    }

    fn parse_move(&self, text: &str) -> Result<u32, NotationError> {
        let children = self.0.children();
        match text.parse::<u32>() {
            Ok(n) if (1..=children).contains(&n) && n.to_string() == text => Ok(n - 1),
            _ if children == 0 => {
                Err(NotationError::of_move(text, "the game is over at a leaf", "no more moves"))
            }
            _ => {
                let expected = format!("a number from 1 to {children}");
                Err(NotationError::of_move(text, "there is no such child", expected))
            }
        }
    }

    fn position_text(&self) -> Option<String> {
        Some(path_text(&self.0.path()))
    }

    fn position_is_moves(&self) -> Option<&'static str> {
        Some(" ")
    }

    fn parse_position(&self, text: &str) -> Result<N, NotationError> {
        by_moves::parse(self.0.root(), text, "children on the way from the root, such as 1 2 1")
    }

    fn diagram(&self, charset: Charset) -> String {
        self.0.diagram(charset)
    }

    fn picture(&self) -> Option<Picture> {
        Some(picture::picture(self.0, self.0.children(), &self.0.note()))
    }

    fn move_cells(&self, child: u32) -> Vec<usize> {
        picture::move_cells(child)
    }
}

/// A path as text.
pub(super) fn path_text(path: &[u32]) -> String {
    path.iter().map(|child| (child + 1).to_string()).collect::<Vec<_>>().join(" ")
}

/// Where a node is, and what happens there.
pub(super) fn describe(node: &impl Node) -> String {
    let path = node.path();
    let place =
        if path.is_empty() { "the root".to_owned() } else { format!("child {}", path_text(&path)) };
    match node.exactness().margin() {
        Some(margin) => format!("{place}: a leaf worth {margin}"),
        None => {
            let mover = node.notation().side_name(node.to_move());
            format!("{place}: {mover} to move, {} children", node.children())
        }
    }
}
