//! What a search does, event by event: as text for people, as JSON for programs, and as a picture of
//! the tree.
//!
//! A [`SearchTrace`] is an observer of a search ([`Registry::trace`]). It records the requested
//! number of events, and builds a [`TraceTree`] from these and nothing else.
//!
//! [`Registry::trace`]: treegraft_players::Registry::trace

mod canvas;
mod json;
mod picture;
mod search;
mod text;
mod tree;

use serde_json::Value;
use treegraft::depth_first::Scores;
use treegraft::observe::{Event, What};
use treegraft::{Bounds, Charset, EVAL_ONE, Game, Knowledge, Notation, Outcome, Side};
use treegraft_players::{Board, MoveIndex, Player, Search};

use crate::solve::is_endless;

pub use picture::TracePicture;
pub use search::{TraceError, TraceSearch};
pub use tree::{TraceNode, TraceTree};

/// What the scores of a search are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Margins of finished games.
    Margin,
    /// Evaluations in millionths; a won game counts 1.1 times as much as the best of them.
    Evaluation,
    /// Outcomes: -1, 0 and 1. Searches by simulation prove these; their values are rewards.
    Outcome,
}

impl Scale {
    /// The scale of a player's scores.
    #[must_use]
    pub fn of(player: &Player) -> Scale {
        let scores = match &player.search {
            Search::DepthFirst(options) => options.config.scores,
            Search::Prove(options) => options.config.scores,
            _ => return Scale::Outcome,
        };
        match scores {
            Scores::Margin => Scale::Margin,
            Scores::Outcome => Scale::Evaluation,
        }
    }

    /// Its name in JSON.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Scale::Margin => "margin",
            Scale::Evaluation => "evaluation",
            Scale::Outcome => "outcome",
        }
    }

    /// A score as reports have it, from -1 to 1.
    #[must_use]
    pub fn shown(self, score: i64) -> f64 {
        match self {
            Scale::Evaluation => (score as f64 / f64::from(EVAL_ONE)).clamp(-1.0, 1.0),
            Scale::Margin | Scale::Outcome => score.signum() as f64,
        }
    }
}

/// In a game without evaluations whose leaves have margins, such as a tree, the margins are what
/// people want to see: the same player that searches for them, to the end of the game at once.
/// `None` if that is what it does, or what the text of the player says otherwise.
#[must_use]
pub fn exact_player(position: &Board, player: &Player, text: &str) -> Option<Player> {
    let has_evaluators = !position.knowledge().evaluators().is_empty();
    if has_evaluators || is_endless(position) || !position.keeps_count() {
        return None;
    }
    let mut exact = player.clone();
    let (scores, deepening, depth) = match &mut exact.search {
        Search::DepthFirst(options) => {
            let config = &mut options.config;
            (&mut config.scores, &mut config.deepening, config.depth)
        }
        Search::Prove(options) => {
            let config = &mut options.config;
            (&mut config.scores, &mut config.deepening, config.depth)
        }
        _ => return None,
    };
    if !text.contains("scores=") {
        *scores = Scores::Margin;
    }
    if depth.is_none() && !text.contains("deepening") {
        *deepening = false;
    }
    (exact != *player).then_some(exact)
}

/// The events of a search as they come: the first ones written down, the others counted.
#[derive(Debug)]
pub struct SearchTrace {
    limit: u64,
    charset: Charset,
    /// What the scores are.
    pub scale: Scale,
    place: Place,
    /// The tree that the events show.
    pub tree: TraceTree,
    /// All events so far.
    total: u64,
    /// The events that were written down, a line each.
    pub lines: Vec<String>,
    /// The same for programs.
    pub json: Vec<Value>,
}

impl SearchTrace {
    /// A trace of a search at `root` that writes down at most `limit` events.
    #[must_use]
    pub fn new(root: &Board, scale: Scale, limit: u64, charset: Charset) -> SearchTrace {
        SearchTrace {
            limit,
            charset,
            scale,
            place: Place { root: root.clone(), steps: Vec::new() },
            tree: TraceTree::default(),
            total: 0,
            lines: Vec::new(),
            json: Vec::new(),
        }
    }

    /// Records an event.
    pub fn see(&mut self, event: &Event<MoveIndex>) {
        self.total += 1;
        if self.is_full() && self.total > self.limit {
            return;
        }
        self.place.go_to(&event.path);
        let leaf = self.tree.see(event, &self.place);
        let (place, scale) = (&self.place, scale_of(&event.what, self.scale));
        let told = Told { number: self.total, place, leaf, scale, charset: self.charset };
        self.lines.push(told.text(&event.what));
        self.json.push(told.json(&event.what));
    }

    /// Whether the requested number of events is recorded.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.total >= self.limit
    }

    /// How many events were counted but not written down.
    #[must_use]
    pub fn left_out(&self) -> u64 {
        self.total - self.lines.len() as u64
    }

    /// The moves to the node of the last event that was written down.
    #[must_use]
    pub fn here(&self) -> Vec<MoveIndex> {
        self.place.steps.iter().map(|(mv, _, _)| *mv).collect()
    }
}

/// A leaf as it is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LeafNumber {
    /// Its number in the order of first visits, from 1, in this iteration.
    pub(crate) number: u64,
    /// Whether it was visited before.
    pub(crate) is_again: bool,
}

/// An event and what is needed to describe it.
struct Told<'a> {
    number: u64,
    place: &'a Place,
    leaf: Option<LeafNumber>,
    /// That of its windows and bounds.
    scale: Scale,
    charset: Charset,
}

/// A node of the game: the moves to it and the position there.
#[derive(Debug)]
pub(crate) struct Place {
    root: Board,
    steps: Vec<(MoveIndex, String, Board)>,
}

impl Place {
    /// Goes to the node behind these moves, as far as they are legal.
    fn go_to(&mut self, path: &[MoveIndex]) {
        let same = self.steps.iter().zip(path).take_while(|(step, mv)| step.0 == **mv).count();
        self.steps.truncate(same);
        for &mv in &path[same..] {
            let position = self.position();
            if mv.0 as usize >= treegraft::legal_moves(position).len() {
                return;
            }
            let text = position.notation().move_text(mv);
            let mut next = position.clone();
            next.play(mv);
            self.steps.push((mv, text, next));
        }
    }

    pub(crate) fn position(&self) -> &Board {
        self.steps.last().map_or(&self.root, |(_, _, board)| board)
    }

    fn depth(&self) -> usize {
        self.steps.len()
    }

    fn path(&self) -> impl Iterator<Item = &str> {
        self.steps.iter().map(|(_, text, _)| text.as_str())
    }

    pub(crate) fn text(&self, mv: MoveIndex) -> String {
        self.position().notation().move_text(mv)
    }

    fn texts(&self, moves: &[MoveIndex]) -> Vec<String> {
        moves.iter().map(|&mv| self.text(mv)).collect()
    }

    fn side_name(&self, side: Side) -> &'static str {
        self.root.notation().side_name(side)
    }
}

/// What bounds say, if that is an outcome and not a number.
fn outcome(bounds: Bounds, scale: Scale) -> Option<Outcome> {
    (scale == Scale::Outcome && bounds.is_exact()).then(|| Outcome::from_margin(bounds.lo))
}

/// Whether a window or bounds of this event are on the scale of evaluations: those of alpha-beta
/// inside MCTS.
fn scale_of(what: &What<MoveIndex>, scale: Scale) -> Scale {
    match (what, scale) {
        (What::Narrow { depth: None, .. }, Scale::Outcome) => Scale::Outcome,
        (_, Scale::Outcome) => Scale::Evaluation,
        (_, scale) => scale,
    }
}
