//! Trees written out as text: `((3 5) (2 -9 4))`.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use treegraft::{Charset, Exactness, Game, Limits, Notation, Outcome, Side, Speed};

use super::mover;
use super::notation::{Node, NodeNotation, describe};
use super::synthetic::MAX_MARGIN;

/// A node of a tree that was written out.
#[derive(Clone, Debug)]
pub struct ExplicitTree {
    nodes: Arc<[Row]>,
    at: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    parent: u32,
    depth: u32,
    /// Numbers of the children; empty at a leaf.
    children: Vec<u32>,
    /// The first player's margin; 0 inside the tree.
    margin: i64,
}

impl ExplicitTree {
    /// Reads a tree: a whole number is a leaf, brackets around one or more trees are a node.
    /// Blanks or commas separate.
    ///
    /// # Errors
    ///
    /// What is wrong, and where (characters count from 1).
    pub fn parse(text: &str) -> Result<ExplicitTree, String> {
        let mut nodes: Vec<Row> = Vec::new();
        let mut open: Vec<u32> = Vec::new();
        let mut rest = text.char_indices().peekable();
        while let Some((at, c)) = rest.next() {
            let place = || format!("at character {}", text[..at].chars().count() + 1);
            match c {
                ' ' | ',' | '\t' | '\n' | '\r' => continue,
                ')' => {
                    let node = open.pop().ok_or_else(|| format!("an unmatched ) {}", place()))?;
                    if nodes[node as usize].children.is_empty() {
                        return Err(format!("empty brackets {}", place()));
                    }
                    continue;
                }
                '(' | '-' | '0'..='9' => {}
                _ => return Err(format!("{c:?} {}", place())),
            }
            let new = u32::try_from(nodes.len()).map_err(|_| "too many nodes".to_owned())?;
            if new > 0 && open.is_empty() {
                return Err(format!("more than one tree {}", place()));
            }
            let parent = open.last().copied().unwrap_or(0);
            let mut margin = 0;
            if c == '(' {
                open.push(new);
            } else {
                let mut end = at + 1;
                while let Some((i, d)) = rest.next_if(|(_, d)| d.is_ascii_digit()) {
                    end = i + d.len_utf8();
                }
                let number = &text[at..end];
                let wrong = || format!("{number:?} is not a number up to 2^53 {}", place());
                let read = number.parse().ok().filter(|v| (-MAX_MARGIN..=MAX_MARGIN).contains(v));
                margin = read.ok_or_else(wrong)?;
            }
            let depth = open.len() as u32 - u32::from(c == '(');
            nodes.push(Row { parent, depth, children: Vec::new(), margin });
            if new > 0 {
                nodes[parent as usize].children.push(new);
            }
        }
        if !open.is_empty() {
            return Err(format!("the text ends inside {} open brackets", open.len()));
        }
        if nodes.is_empty() {
            return Err("there is no tree".to_owned());
        }
        Ok(ExplicitTree { nodes: nodes.into(), at: 0 })
    }

    pub(crate) fn canonical(&self) -> String {
        format!("tree:{}", self.text())
    }

    /// The whole tree as text.
    #[must_use]
    pub fn text(&self) -> String {
        // Nodes are stored in the order of their first character, so one pass writes them.
        let mut text = String::new();
        let mut depth = 0;
        for (i, node) in self.nodes.iter().enumerate() {
            text.extend(std::iter::repeat_n(')', (depth - node.depth) as usize));
            if i > 0 && !text.ends_with('(') {
                text.push(' ');
            }
            if node.children.is_empty() {
                text.push_str(&node.margin.to_string());
                depth = node.depth;
            } else {
                text.push('(');
                depth = node.depth + 1;
            }
        }
        text.extend(std::iter::repeat_n(')', depth as usize));
        text
    }

    fn row(&self) -> &Row {
        &self.nodes[self.at as usize]
    }
}

impl PartialEq for ExplicitTree {
    fn eq(&self, other: &ExplicitTree) -> bool {
        self.at == other.at && (Arc::ptr_eq(&self.nodes, &other.nodes) || self.nodes == other.nodes)
    }
}

impl Eq for ExplicitTree {}

impl Hash for ExplicitTree {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Positions of different trees are never compared, so the place in the tree is enough.
        self.at.hash(state);
    }
}

impl Game for ExplicitTree {
    /// A child, from 0.
    type Move = u32;

    #[inline]
    fn to_move(&self) -> Side {
        mover(self.row().depth as usize)
    }

    fn moves(&self, moves: &mut Vec<u32>) {
        moves.extend(0..self.row().children.len() as u32);
    }

    #[inline]
    fn play(&mut self, child: u32) {
        self.at = self.row().children[child as usize];
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.margin().map(Outcome::from_margin)
    }

    fn limits(&self) -> Limits {
        Limits { playout_plies: u32::MAX, ..Limits::default() }
    }

    treegraft::brings!(Speed, Exactness);

    fn notation(&self) -> impl Notation<Self> {
        NodeNotation(self)
    }
}

impl Speed for ExplicitTree {
    #[inline]
    fn move_slots(&self) -> usize {
        self.nodes.iter().map(|node| node.children.len()).max().unwrap_or(0).max(1)
    }

    #[inline]
    fn move_slot(&self, child: u32) -> usize {
        child as usize
    }
}

impl Exactness for ExplicitTree {
    #[inline]
    fn margin(&self) -> Option<i64> {
        self.row().children.is_empty().then_some(self.row().margin)
    }
}

impl Node for ExplicitTree {
    fn children(&self) -> u32 {
        self.row().children.len() as u32
    }

    fn path(&self) -> Vec<u32> {
        let mut path = Vec::new();
        let mut at = self.at;
        while at != 0 {
            let parent = self.nodes[at as usize].parent;
            let siblings = &self.nodes[parent as usize].children;
            path.push(siblings.iter().position(|&c| c == at).unwrap_or(0) as u32);
            at = parent;
        }
        path.reverse();
        path
    }

    fn root(&self) -> ExplicitTree {
        ExplicitTree { nodes: self.nodes.clone(), at: 0 }
    }

    fn note(&self) -> String {
        describe(self)
    }

    /// The subtree below this node, a line a node.
    fn diagram(&self, charset: Charset) -> String {
        const MAX_LINES: usize = 200;
        let (tee, corner, bar) = match charset {
            Charset::Unicode => ("├─", "└─", "│ "),
            Charset::Ascii => ("+-", "`-", "| "),
        };
        let mut lines = Vec::new();
        let mut open = vec![(self.at, String::new(), String::new())];
        while let Some((at, label, indent)) = open.pop() {
            if lines.len() == MAX_LINES {
                lines.push(format!("… {} nodes in all", self.nodes.len()));
                break;
            }
            let node = &self.nodes[at as usize];
            let what = if node.children.is_empty() {
                node.margin.to_string()
            } else {
                self.notation().side_name(mover(node.depth as usize)).to_owned()
            };
            lines.push(format!("{label}{what}"));
            for (i, &child) in node.children.iter().enumerate().rev() {
                let last = i + 1 == node.children.len();
                let (branch, below) = if last { (corner, "  ") } else { (tee, bar) };
                open.push((
                    child,
                    format!("{indent}{branch}{} ", i + 1),
                    format!("{indent}{below}"),
                ));
            }
        }
        lines.join("\n").replace('…', if charset == Charset::Ascii { "..." } else { "…" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use treegraft::perft;

    #[test]
    fn a_tree_is_played_from_its_text() {
        let mut tree = ExplicitTree::parse("((3 5) (2 -9 4))").unwrap();
        assert_eq!(tree.text(), "((3 5) (2 -9 4))");
        assert_eq!((perft(&tree, 1), perft(&tree, 2), perft(&tree, 3)), (2, 5, 0));
        assert_eq!(tree.to_move(), Side::First);
        tree.play(1);
        assert_eq!(tree.to_move(), Side::Second);
        tree.play(1);
        assert_eq!(tree.margin(), Some(-9));
        assert_eq!(tree.outcome(), Some(Outcome::Win(Side::Second)));
        assert_eq!(tree.notation().position_text().unwrap(), "2 2");
        assert_eq!(tree.notation().parse_position("2 2").unwrap(), tree);
    }

    #[test]
    fn texts_are_canonical() {
        for (text, canonical) in [
            ("7", "7"),
            ("(7)", "(7)"),
            ("( 1,(2 (3)),4 )", "(1 (2 (3)) 4)"),
            ("((1)(2))", "((1) (2))"),
        ] {
            assert_eq!(ExplicitTree::parse(text).unwrap().text(), canonical);
        }
    }

    #[test]
    fn bad_trees_are_refused_with_the_place() {
        for (text, problem) in [
            ("", "no tree"),
            ("((3 5) (2", "inside 2 open brackets"),
            ("(1 2))", "unmatched ) at character 6"),
            ("(1 () 2)", "empty brackets at character 5"),
            ("1 2", "more than one tree at character 3"),
            ("(1 x)", "'x' at character 4"),
            ("(1 - 2)", "\"-\" is not a number"),
            ("(99999999999999999999)", "is not a number up to 2^53"),
        ] {
            let error = ExplicitTree::parse(text).unwrap_err();
            assert!(error.contains(problem), "{text}: {error}");
        }
    }

    #[test]
    fn deep_trees_do_not_exhaust_the_stack() {
        let deep = format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000));
        let tree = ExplicitTree::parse(&deep).unwrap();
        assert_eq!(tree.text(), deep);
        assert!(tree.diagram(Charset::Ascii).is_ascii());
    }
}
