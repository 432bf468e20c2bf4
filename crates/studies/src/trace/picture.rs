//! The tree of a trace as a picture: the order of the leaves, what is known of every node, and what
//! was cut off.

use std::collections::HashSet;

use treegraft::{Bounds, Charset, EVAL_ONE, Exactness, Game, Notation, Side, legal_moves};
use treegraft_engine::{percent, raw};
use treegraft_pictures::grouped;
use treegraft_pictures::svg::Svg;
use treegraft_players::{Board, MoveIndex};

use super::canvas::{Canvas, Frame, Layout, frame, line, mark, number, place};
use super::text::{known_ends, score};
use super::{Scale, TraceNode, TraceTree};

/// A tree with what stands around it.
#[derive(Clone, Copy, Debug)]
pub struct TracePicture<'a> {
    /// What is drawn.
    pub title: &'a str,
    /// A line below the title.
    pub subtitle: &'a str,
    /// The position at the root.
    pub root: &'a Board,
    /// The tree.
    pub tree: &'a TraceTree,
    /// What scores are.
    pub scale: Scale,
}

/// A game with at most so many nodes is drawn whole.
const WHOLE: usize = 200;
/// Of a larger one, at most so many nodes are drawn: those that were seen first.
const MOST: usize = 400;
/// A tree with more leaves than this grows to the right and not downwards.
const MOST_COLUMNS: usize = 40;

const MARGIN: f64 = 24.0;
const HEADER: f64 = 64.0;
const FOOTER: f64 = 44.0;

const INK: &str = "#222222";
const FAINT: &str = "#777777";

/// A node as it is drawn.
pub(super) struct Drawn {
    /// The move to it.
    pub(super) label: String,
    /// What is known of it.
    pub(super) note: String,
    /// Its value from -1 to 1, for its colour.
    pub(super) value: Option<f64>,
    pub(super) mover: Side,
    pub(super) leaf: Option<u64>,
    pub(super) is_visited: bool,
    /// Whether the branch to it was cut off: the search has been at its parent, but never here.
    pub(super) is_cut: bool,
    pub(super) is_exact: bool,
    /// Whether the search is there.
    pub(super) is_here: bool,
    pub(super) children: Vec<Drawn>,
}

impl TracePicture<'_> {
    /// The picture as SVG.
    #[must_use]
    pub fn draw(&self) -> String {
        self.draw_with(self.drawn(None))
    }

    /// The same with a ring around the node behind these moves: where the search is.
    #[must_use]
    pub fn draw_at(&self, here: &[MoveIndex]) -> String {
        self.draw_with(self.drawn(Some(here)))
    }

    #[expect(clippy::needless_pass_by_value, reason = "it is drawn and gone")]
    fn draw_with(&self, root: Drawn) -> String {
        let columns = leaves(&root);
        let layout = Layout::new(&root, columns <= MOST_COLUMNS);
        let depth = depth(&root) as f64;
        let (tree_width, tree_height) = layout.size(columns as f64, depth);
        let title_width = 10.4 * self.title.chars().count() as f64;
        let width = 2.0 * MARGIN + tree_width.max(title_width).max(640.0);
        let height = 2.0 * MARGIN + HEADER + tree_height + FOOTER;
        let mut svg = Svg::new(width, height);
        let bold = [("font-size", &17 as &dyn std::fmt::Display), ("font-weight", &"bold")];
        svg.text(MARGIN, MARGIN + 14.0, self.title, &[bold[0], bold[1], ("fill", &INK)]);
        let plain = [("font-size", &13 as &dyn std::fmt::Display), ("fill", &FAINT)];
        svg.text(MARGIN, MARGIN + 36.0, self.subtitle, &plain);
        // In the middle of the picture, if that is wider than the tree.
        let left = if layout.is_down { (width - tree_width) / 2.0 } else { MARGIN };
        let mut canvas = Canvas { svg, layout, left, top: MARGIN + HEADER };
        let mut next = 0.0;
        let placed = place(&root, 0.0, &mut next);
        canvas.branches(&placed);
        canvas.nodes(&placed);
        let mut svg = canvas.svg;
        self.legend(&mut svg, height - MARGIN, &root);
        svg.finish()
    }

    fn legend(&self, svg: &mut Svg, y: f64, root: &Drawn) {
        let [first, second] =
            [Side::First, Side::Second].map(|side| self.root.notation().side_name(side));
        let mut x = MARGIN;
        let mut entry = |svg: &mut Svg, words: &str, width: f64| {
            svg.text(x + width, y, words, &[("font-size", &12), ("fill", &INK)]);
            let at = x;
            x += width + 6.8 * words.chars().count() as f64 + 24.0;
            at
        };
        let at = entry(svg, &format!("{first} to move"), 34.0);
        frame(svg, (at, y - 12.0, 28.0, 16.0), &Frame::plain(Side::First));
        let at = entry(svg, &format!("{second} to move"), 34.0);
        frame(svg, (at, y - 12.0, 28.0, 16.0), &Frame::plain(Side::Second));
        if has(root, |node| node.leaf.is_some()) {
            let at = entry(svg, "order of the leaves", 24.0);
            number(svg, at + 9.0, y - 4.0, 1);
        }
        if has(root, |node| !node.is_visited) {
            let at = entry(svg, "never visited", 46.0);
            line(svg, (at, y - 4.0), (at + 40.0, y - 4.0), true);
            mark(svg, (at, y - 4.0), (at + 40.0, y - 4.0));
        }
    }

    fn drawn(&self, here: Option<&[MoveIndex]>) -> Drawn {
        let largest = self.tree.nodes().iter().filter_map(|node| node.bounds);
        let ends = largest.flat_map(|bounds| known_ends(bounds, self.scale)).flatten();
        let largest = ends.map(i64::unsigned_abs).max().unwrap_or(1).max(1);
        let whole = count(self.root, WHOLE + 1) <= WHOLE;
        let shown: HashSet<&[MoveIndex]> =
            self.tree.nodes().iter().take(MOST).map(|node| node.path.as_slice()).collect();
        let builder = Builder { picture: self, largest: largest as f64, whole, shown, here };
        builder.node(self.root, &mut Vec::new(), "root".to_owned(), true)
    }
}

/// How many nodes the game tree has, up to `most`.
fn count(position: &Board, most: usize) -> usize {
    let mut nodes = 1;
    for mv in legal_moves(position) {
        if nodes >= most {
            break;
        }
        let mut next = position.clone();
        next.play(mv);
        nodes += count(&next, most - nodes);
    }
    nodes
}

struct Builder<'a> {
    picture: &'a TracePicture<'a>,
    largest: f64,
    whole: bool,
    shown: HashSet<&'a [MoveIndex]>,
    /// Where the search is, if that is to be seen.
    here: Option<&'a [MoveIndex]>,
}

impl Builder<'_> {
    fn node(
        &self,
        position: &Board,
        path: &mut Vec<MoveIndex>,
        label: String,
        above: bool,
    ) -> Drawn {
        let node = self.picture.tree.node(path);
        let is_visited = node.is_some_and(|node| node.is_visited);
        let mut children = Vec::new();
        let mut hidden = 0;
        for mv in legal_moves(position) {
            path.push(mv);
            let is_seen = self.picture.tree.node(path).is_some_and(|child| child.is_visited);
            if self.whole || is_seen && self.shown.contains(path.as_slice()) {
                let mut next = position.clone();
                next.play(mv);
                // While a search goes on, what it has not visited may still come.
                let is_cut = match self.here {
                    Some(_) => node.is_some_and(|node| node.cut.contains(&mv)),
                    None => is_visited,
                };
                children.push(self.node(&next, path, position.notation().move_text(mv), is_cut));
            } else {
                hidden += usize::from(is_seen);
            }
            path.pop();
        }
        if let Some(node) = node.filter(|_| !self.whole) {
            children.extend(self.stub(position, path, node));
        }
        if hidden > 0 {
            let label = format!("{} more", grouped(hidden as u64));
            children.push(Drawn { is_visited: true, ..blank(label, position.to_move()) });
        }
        let (note, value) = self.about(node, position);
        let is_exact = node.is_some_and(|node| {
            node.bounds.is_some_and(Bounds::is_exact) || node.proof.is_some_and(Bounds::is_exact)
        });
        Drawn {
            label,
            note,
            value,
            mover: position.to_move(),
            leaf: node.and_then(|node| node.leaf),
            is_visited,
            is_cut: above && !is_visited,
            is_exact,
            is_here: self.here == Some(path.as_slice()),
            children,
        }
    }

    /// The moves that were cut off and never visited, together.
    fn stub(&self, position: &Board, path: &[MoveIndex], node: &TraceNode) -> Option<Drawn> {
        let was_there = |&&mv: &&MoveIndex| {
            let child: Vec<MoveIndex> = path.iter().copied().chain([mv]).collect();
            self.picture.tree.node(&child).is_some_and(|child| child.is_visited)
        };
        let never: HashSet<MoveIndex> =
            node.cut.iter().filter(|mv| !was_there(mv)).copied().collect();
        let label = match never.len() {
            0 => return None,
            1 => never.iter().map(|&mv| position.notation().move_text(mv)).collect(),
            many => format!("{many} moves"),
        };
        Some(Drawn { is_cut: true, ..blank(label, position.to_move()) })
    }

    /// What is known of a node in few words, and its value for the colour.
    fn about(&self, node: Option<&TraceNode>, position: &Board) -> (String, Option<f64>) {
        let scale = self.picture.scale;
        if let Some(node) = node.filter(|node| node.visits > 0) {
            let mean = node.sum / node.visits as f64;
            let proof =
                node.proof.and_then(Bounds::outcome).map(|outcome| match outcome.winner() {
                    Some(side) => format!("{} wins", position.notation().side_name(side)),
                    None => "draw".to_owned(),
                });
            let words = proof.unwrap_or_else(|| percent(mean));
            return (format!("{} · {words}", grouped(node.visits)), Some(mean));
        }
        let Some(bounds) = node.and_then(|node| node.bounds) else {
            let margin = position.exactness().margin().filter(|_| scale == Scale::Margin);
            return (margin.map_or(String::new(), |margin| margin.to_string()), None);
        };
        let scale = if scale == Scale::Outcome { Scale::Evaluation } else { scale };
        let text = |value: i64| match scale {
            // Three digits are enough for a picture.
            Scale::Evaluation if value.abs() < i64::from(EVAL_ONE) => {
                raw(value as f64 / f64::from(EVAL_ONE))
            }
            scale => score(value, 1, scale, Charset::Unicode),
        };
        let (words, value) = match known_ends(bounds, scale) {
            [Some(low), Some(high)] if low == high => (text(low), Some(low)),
            [Some(low), Some(high)] => (format!("{} to {}", text(low), text(high)), None),
            [Some(low), None] => (format!("≥ {}", text(low)), Some(low)),
            [None, Some(high)] => (format!("≤ {}", text(high)), Some(high)),
            [None, None] => return ("?".to_owned(), None),
        };
        let part = |value: i64| match scale {
            Scale::Evaluation => scale.shown(value),
            _ => value as f64 / self.largest,
        };
        (words, value.map(part))
    }
}

fn blank(label: String, mover: Side) -> Drawn {
    Drawn {
        label,
        note: String::new(),
        value: None,
        mover,
        leaf: None,
        is_visited: false,
        is_cut: false,
        is_exact: false,
        is_here: false,
        children: Vec::new(),
    }
}

fn leaves(node: &Drawn) -> usize {
    node.children.iter().map(leaves).sum::<usize>().max(1)
}

/// Whether a node is such a one, or one below it.
fn has(node: &Drawn, is_one: fn(&Drawn) -> bool) -> bool {
    is_one(node) || node.children.iter().any(|child| has(child, is_one))
}

fn depth(node: &Drawn) -> usize {
    node.children.iter().map(|child| depth(child) + 1).max().unwrap_or(0)
}
