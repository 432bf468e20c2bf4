//! The tree of a trace as a picture: the order of the leaves, what is known of every node, and what
//! was cut off.

use std::collections::HashSet;

use treegraft::{Bounds, Charset, EVAL_ONE, Exactness, Game, Notation, Side, legal_moves};
use treegraft_engine::{percent, raw};
use treegraft_pictures::grouped;
use treegraft_pictures::svg::{INK, Svg};
use treegraft_players::{Board, MoveIndex};

use super::canvas::{Canvas, Layout, frame, line, mark, number};
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

/// Maximum number of nodes of a game that is drawn whole.
const WHOLE: usize = 200;
/// Maximum number of nodes drawn of a larger one: those that were seen first.
const MOST: usize = 400;
/// A tree with more leaves than this grows to the right and not downwards.
const MAX_COLUMNS: f64 = 40.0;

const MARGIN: f64 = 24.0;
const HEADER: f64 = 64.0;
const FOOTER: f64 = 44.0;

/// A node as it is drawn.
pub(super) struct Drawn {
    /// The number of the node above it, which is drawn before it.
    pub(super) parent: Option<usize>,
    /// Where it is along the tree, in plies, and across it, in leaves.
    pub(super) along: f64,
    pub(super) across: f64,
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
}

impl TracePicture<'_> {
    /// The picture as SVG; `here` has a ring around it: the node behind these moves, where the search is.
    #[must_use]
    pub fn draw(&self, here: Option<&[MoveIndex]>) -> String {
        let Builder { nodes, columns, .. } = self.built(here);
        let layout = Layout::new(&nodes, columns, columns <= MAX_COLUMNS);
        let (tree_width, tree_height) = layout.size;
        let title_width = 10.4 * self.title.chars().count() as f64;
        let width = 2.0 * MARGIN + tree_width.max(title_width).max(640.0);
        let height = 2.0 * MARGIN + HEADER + tree_height + FOOTER;
        let mut svg = Svg::new(width, height);
        svg.heading(MARGIN, self.title, self.subtitle);
        // In the middle of the picture, if that is wider than the tree.
        let left = if layout.is_down { (width - tree_width) / 2.0 } else { MARGIN };
        let mut canvas = Canvas { svg, layout, left, top: MARGIN + HEADER };
        canvas.branches(&nodes);
        nodes.iter().for_each(|node| canvas.node(node));
        self.legend(&mut canvas.svg, height - MARGIN, &nodes);
        canvas.svg.finish()
    }

    fn legend(&self, svg: &mut Svg, y: f64, nodes: &[Drawn]) {
        let mut x = MARGIN;
        let mut entry = |svg: &mut Svg, words: &str, width: f64| {
            svg.text(x + width, y, words, &[("font-size", &12), ("fill", &INK)]);
            let at = x;
            x += width + 6.8 * words.chars().count() as f64 + 24.0;
            at
        };
        for side in [Side::First, Side::Second] {
            let name = self.root.notation().side_name(side);
            let at = entry(svg, &format!("{name} to move"), 34.0);
            let visited =
                Drawn { mover: side, is_visited: true, ..blank(String::new(), self.root) };
            frame(svg, [at, y - 12.0, 28.0, 16.0], &visited);
        }
        if nodes.iter().any(|node| node.leaf.is_some()) {
            let at = entry(svg, "order of the leaves", 24.0);
            number(svg, at + 9.0, y - 4.0, 1);
        }
        if nodes.iter().any(|node| !node.is_visited) {
            let at = entry(svg, "never visited", 46.0);
            line(svg, (at, y - 4.0), (at + 40.0, y - 4.0), true);
            mark(svg, (at, y - 4.0), (at + 40.0, y - 4.0));
        }
    }

    fn built<'a>(&'a self, here: Option<&'a [MoveIndex]>) -> Builder<'a> {
        let largest = self.tree.nodes().iter().filter_map(|node| node.bounds);
        let ends = largest.flat_map(|bounds| known_ends(bounds, self.scale)).flatten();
        let largest = ends.map(i64::unsigned_abs).max().unwrap_or(1).max(1);
        let whole = count(self.root, WHOLE + 1) <= WHOLE;
        let shown: HashSet<&[MoveIndex]> =
            self.tree.nodes().iter().take(MOST).map(|node| node.path.as_slice()).collect();
        let (largest, nodes) = (largest as f64, Vec::new());
        let mut builder =
            Builder { picture: self, largest, whole, shown, here, nodes, columns: 0.0 };
        builder.add(self.root, &mut Vec::new(), blank("root".to_owned(), self.root), true);
        builder
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
    /// The nodes, parents before their children.
    nodes: Vec<Drawn>,
    /// How many of them have no children.
    columns: f64,
}

impl<'a> Builder<'a> {
    /// Adds a node, and what is below it. Returns where that is across the tree.
    fn add(
        &mut self,
        position: &Board,
        path: &mut Vec<MoveIndex>,
        begun: Drawn,
        above: bool,
    ) -> f64 {
        let tree = self.picture.tree;
        let node = tree.node(path);
        let is_visited = node.is_some_and(|node| node.is_visited);
        let (note, value) = self.about(node, position);
        let exact = |node: &TraceNode| {
            [node.bounds, node.proof].into_iter().flatten().any(Bounds::is_exact)
        };
        let at = self.nodes.len();
        self.nodes.push(Drawn {
            note,
            value,
            leaf: node.and_then(|node| node.leaf),
            is_visited,
            is_cut: above && !is_visited,
            is_exact: node.is_some_and(exact),
            is_here: self.here == Some(path.as_slice()),
            ..begun
        });
        let along = path.len() as f64 + 1.0;
        let mut children = Vec::new();
        let mut hidden = 0;
        for mv in legal_moves(position) {
            path.push(mv);
            let is_seen = tree.node(path).is_some_and(|child| child.is_visited);
            if self.whole || is_seen && self.shown.contains(path.as_slice()) {
                let mut next = position.clone();
                next.play(mv);
                // While a search goes on, what it has not visited may still come.
                let is_cut = match self.here {
                    Some(_) => node.is_some_and(|node| node.cut.contains(&mv)),
                    None => is_visited,
                };
                let child = blank(position.notation().move_text(mv), &next);
                let child = Drawn { parent: Some(at), along, ..child };
                children.push(self.add(&next, path, child, is_cut));
            } else {
                hidden += usize::from(is_seen);
            }
            path.pop();
        }
        let stub = node.filter(|_| !self.whole).and_then(|node| self.stub(position, path, node));
        let more = (hidden > 0).then(|| format!("{} more", grouped(hidden as u64)));
        for (label, is_cut) in [(stub, true), (more, false)] {
            let Some(label) = label else { continue };
            let (across, is_visited) = (self.leaf(), !is_cut);
            let rest = blank(label, position);
            self.nodes.push(Drawn { parent: Some(at), along, across, is_visited, is_cut, ..rest });
            children.push(across);
        }
        let across = match (children.first(), children.last()) {
            (Some(&first), Some(&last)) => f64::midpoint(first, last),
            _ => self.leaf(),
        };
        self.nodes[at].across = across;
        across
    }

    /// Where the next node without children is across the tree.
    fn leaf(&mut self) -> f64 {
        self.columns += 1.0;
        self.columns - 0.5
    }

    /// The moves that were cut off and never visited, together.
    fn stub(&self, position: &Board, path: &[MoveIndex], node: &TraceNode) -> Option<String> {
        let was_there = |&&mv: &&MoveIndex| {
            let child: Vec<MoveIndex> = path.iter().copied().chain([mv]).collect();
            self.picture.tree.node(&child).is_some_and(|child| child.is_visited)
        };
        let never: HashSet<MoveIndex> =
            node.cut.iter().filter(|mv| !was_there(mv)).copied().collect();
        match never.len() {
            0 => None,
            1 => Some(never.iter().map(|&mv| position.notation().move_text(mv)).collect()),
            many => Some(format!("{many} moves")),
        }
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

/// A node about which nothing is known.
fn blank(label: String, position: &Board) -> Drawn {
    Drawn {
        parent: None,
        along: 0.0,
        across: 0.0,
        label,
        note: String::new(),
        value: None,
        mover: position.to_move(),
        leaf: None,
        is_visited: false,
        is_cut: false,
        is_exact: false,
        is_here: false,
    }
}
