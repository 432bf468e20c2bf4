//! The tree that events show, built from nothing else.

use std::collections::HashMap;

use treegraft::observe::{By, Event, What};
use treegraft::{Bounds, Game, Side};
use treegraft_players::MoveIndex;

use super::{LeafNumber, Place, Scale};

/// A node of the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceNode {
    /// The moves to it.
    pub path: Vec<MoveIndex>,
    /// The last of them as text; empty at the root.
    pub label: String,
    /// Whose turn it is there.
    pub mover: Side,
    /// Whether the search has been there.
    pub is_visited: bool,
    /// Whether the game is over there.
    pub is_over: bool,
    /// Its number in the order in which leaves were first visited, from 1.
    pub leaf: Option<u64>,
    /// What is known of its score.
    pub bounds: Option<Bounds>,
    /// Simulations that went through it.
    pub visits: u64,
    /// The sum of their rewards.
    pub sum: f64,
    /// Its outcome, as bounds, where simulations have proven something.
    pub proof: Option<Bounds>,
    /// Its children, in the order in which they were first seen.
    pub children: Vec<usize>,
    /// Whether moves were cut off there; those that were never visited are not among the children.
    pub cut: Vec<MoveIndex>,
}

/// The tree of a search, or of its last iteration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TraceTree {
    nodes: Vec<TraceNode>,
    by_path: HashMap<Vec<MoveIndex>, usize>,
    leaves: u64,
    /// What is known of the root's score in this iteration, from all passes.
    root: Option<Bounds>,
    /// The score that the last completed iteration has found.
    score: Option<i64>,
    /// Whether this iteration has completed: after that, only the line is searched.
    is_done: bool,
}

impl TraceTree {
    /// The nodes; the root is the first, and children follow their parents. Empty before the first
    /// event.
    #[must_use]
    pub fn nodes(&self) -> &[TraceNode] {
        &self.nodes
    }

    /// The node behind these moves, if it was seen.
    #[must_use]
    pub fn node(&self, path: &[MoveIndex]) -> Option<&TraceNode> {
        self.by_path.get(path).map(|&at| &self.nodes[at])
    }

    /// The leaves in the order in which they were first visited.
    #[must_use]
    pub fn leaves(&self) -> Vec<&TraceNode> {
        let mut leaves: Vec<&TraceNode> =
            self.nodes.iter().filter(|node| node.leaf.is_some()).collect();
        leaves.sort_by_key(|node| node.leaf);
        leaves
    }

    /// The value of the root that follows from the events, from -1 to 1 in the first player's view;
    /// for simulations that of the move that the search plays. `None` if nothing follows.
    #[must_use]
    pub fn value(&self, scale: Scale, best: Option<MoveIndex>) -> Option<f64> {
        if scale != Scale::Outcome {
            return self.score().map(|score| scale.shown(score));
        }
        let proof = self.nodes.first()?.proof.and_then(Bounds::outcome);
        let mean = || {
            let best = self.node(&[best?])?;
            (best.visits > 0).then(|| best.sum / best.visits as f64)
        };
        proof.map(|outcome| outcome.value() as f64).or_else(mean)
    }

    /// The score of this iteration, or else of the last one that was completed.
    fn score(&self) -> Option<i64> {
        let now = self.root.filter(|bounds| bounds.lo >= bounds.hi).map(|bounds| bounds.lo);
        now.or(self.score)
    }

    /// Adds an event at a place. Returns the number of the leaf if it is about one.
    pub(super) fn see(&mut self, event: &Event<MoveIndex>, place: &Place) -> Option<LeafNumber> {
        if let What::Deepen { .. } = event.what {
            self.score = self.score();
            *self = TraceTree { score: self.score, ..TraceTree::default() };
        }
        let at = self.find(&event.path, place);
        match &event.what {
            What::Enter { .. } | What::Select { .. } | What::AlphaBeta { .. } => {
                self.nodes[at].is_visited = true;
            }
            What::Line => self.is_done = true,
            What::Exit { bounds } | What::Table { bounds, .. } => self.know(at, *bounds),
            What::Narrow { bounds, depth: None } if self.nodes[at].visits == 0 => {
                self.know(at, *bounds);
                self.nodes[at].proof = Some(*bounds);
            }
            What::Narrow { bounds, depth: None } => self.nodes[at].proof = Some(*bounds),
            What::Leaf { value, .. } => {
                self.know(at, Bounds::exactly(*value));
                self.nodes[at].is_visited = true;
                let is_again = self.nodes[at].leaf.is_some();
                let number = *self.nodes[at].leaf.get_or_insert(self.leaves + 1);
                self.leaves = self.leaves.max(number);
                return Some(LeafNumber { number, is_again });
            }
            What::Cut { moves, .. } => self.nodes[at].cut.extend(moves),
            What::Reward { reward, .. } => {
                let node = &mut self.nodes[at];
                node.is_visited = true;
                node.visits += 1;
                node.sum += reward;
            }
            _ => {}
        }
        if let What::Select { mv, by: By::Untried } | What::Bonus { mv, .. } = event.what {
            self.find_child(&event.path, mv, place);
        }
        None
    }

    fn know(&mut self, at: usize, bounds: Bounds) {
        let node = &mut self.nodes[at];
        node.bounds = Some(bounds);
        if at == 0 && !self.is_done {
            self.root = Some(self.root.map_or(bounds, |known| known.and(bounds)));
        }
    }

    /// The place of a node, which is added if it is new.
    fn find(&mut self, path: &[MoveIndex], place: &Place) -> usize {
        if let Some(&at) = self.by_path.get(path) {
            return at;
        }
        let position = place.position();
        let label = place.path().last().unwrap_or_default().to_owned();
        self.add(path.to_vec(), label, position.to_move(), position.outcome().is_some())
    }

    fn find_child(&mut self, path: &[MoveIndex], mv: MoveIndex, place: &Place) -> usize {
        let path: Vec<MoveIndex> = path.iter().copied().chain([mv]).collect();
        if let Some(&at) = self.by_path.get(&path) {
            return at;
        }
        let mut next = place.position().clone();
        next.play(mv);
        self.add(path, place.text(mv), next.to_move(), next.outcome().is_some())
    }

    fn add(&mut self, path: Vec<MoveIndex>, label: String, mover: Side, is_over: bool) -> usize {
        let at = self.nodes.len();
        let parent = path.split_last().and_then(|(_, above)| self.by_path.get(above).copied());
        if let Some(parent) = parent {
            self.nodes[parent].children.push(at);
        }
        self.by_path.insert(path.clone(), at);
        self.nodes.push(TraceNode {
            path,
            label,
            mover,
            is_visited: false,
            is_over,
            leaf: None,
            bounds: None,
            visits: 0,
            sum: 0.0,
            proof: None,
            children: Vec::new(),
            cut: Vec::new(),
        });
        at
    }
}
