//! What players thought of their moves: kept beside the games of an experiment that records it.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use treegraft::{Game, MoveReport, Notation, Outcome, Report, Side, Work};
use treegraft_players::{Board, MoveIndex};

/// Moves of a line that are kept.
pub const LINE_MOVES: usize = 8;

/// Moves to choose from that are kept: the best ones.
pub const BEST_MOVES: usize = 5;

/// What a player thought of one move. All values are in the mover's view.
///
/// Of an external engine only the work is known, as far as it reports it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Thought {
    /// The number of moves before it.
    pub ply: u32,
    /// The value, from -1 (lost) to 1 (won), with four digits; `None` of an engine.
    #[serde(rename = "v", default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// What is proven, if anything is.
    #[serde(rename = "p", default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<Proof>,
    /// The deepest completed iteration, or the deepest node, in plies.
    #[serde(rename = "d", default, skip_serializing_if = "is_zero")]
    pub depth: u32,
    /// Simulations, or completed depths.
    #[serde(rename = "i")]
    pub iterations: u64,
    /// Positions visited, or added to the tree.
    #[serde(rename = "n")]
    pub nodes: u64,
    /// Evaluations and playouts.
    #[serde(rename = "e")]
    pub evaluations: u64,
    /// Seconds, to the microsecond.
    #[serde(rename = "s")]
    pub seconds: f64,
    /// Best play as far as the search knows it, its first moves separated by blanks.
    #[serde(rename = "l", default, skip_serializing_if = "String::is_empty")]
    pub line: String,
    /// The best moves, those with the most visits first.
    #[serde(rename = "m", default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<MoveThought>,
}

/// What a player thought of one of the moves to choose from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Stored", into = "Stored")]
pub struct MoveThought {
    /// The move.
    pub text: String,
    /// Simulations that went through it; for alpha-beta the nodes spent on it.
    pub visits: u64,
    /// Its value, from -1 (lost) to 1 (won), with four digits; `None` if it is not exactly known.
    pub value: Option<f64>,
    /// What is proven about it.
    pub proof: Option<Proof>,
}

/// A move without the names of its members, which would be most of the text.
type Stored = (String, u64, Option<f64>, Option<Proof>);

impl From<Stored> for MoveThought {
    fn from((text, visits, value, proof): Stored) -> MoveThought {
        MoveThought { text, visits, value, proof }
    }
}

impl From<MoveThought> for Stored {
    fn from(MoveThought { text, visits, value, proof }: MoveThought) -> Stored {
        (text, visits, value, proof)
    }
}

/// An exact outcome for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Proof {
    /// It wins.
    Win,
    /// Neither side wins.
    Draw,
    /// It loses.
    Loss,
}

impl Proof {
    /// An outcome as this side sees it.
    #[must_use]
    pub fn of(outcome: Outcome, side: Side) -> Proof {
        match outcome.winner() {
            None => Proof::Draw,
            Some(winner) if winner == side => Proof::Win,
            Some(_) => Proof::Loss,
        }
    }

    /// The word for it: `win`, `draw` or `loss`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Proof::Win => "win",
            Proof::Draw => "draw",
            Proof::Loss => "loss",
        }
    }
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// Four digits are more than any search is sure of, and as many as a store should pay for. The
/// addition takes the sign of a zero away.
fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4 + 0.0
}

impl Thought {
    /// What a search of this position, after `ply` moves, reported.
    #[must_use]
    pub fn new(ply: usize, position: &Board, report: &Report<MoveIndex>) -> Thought {
        let mover = position.to_move();
        let seen = |value: f64| rounded(mover.sign() as f64 * value);
        let line = &report.pv[..report.pv.len().min(LINE_MOVES)];
        let mut best: Vec<&MoveReport<MoveIndex>> = report.moves.iter().collect();
        best.retain(|about| about.visits > 0 || about.proof.is_some());
        best.sort_by_key(|about| {
            (Some(about.mv) != report.best_move, std::cmp::Reverse(about.visits))
        });
        let of_move = |about: &MoveReport<MoveIndex>| MoveThought {
            text: position.notation().move_text(about.mv),
            visits: about.visits,
            value: about.value.map(seen),
            proof: about.proof.map(|outcome| Proof::of(outcome, mover)),
        };
        Thought {
            value: Some(seen(report.value)),
            proof: report.proof.map(|outcome| Proof::of(outcome, mover)),
            depth: report.depth,
            line: position.line_texts(line).join(" "),
            moves: best.into_iter().take(BEST_MOVES).map(of_move).collect(),
            ..Thought::of_work(ply, &report.work)
        }
    }

    /// What is known of a move of an engine: what it cost.
    #[must_use]
    pub fn of_work(ply: usize, work: &Work) -> Thought {
        let Work { iterations, nodes, evaluations, time, .. } = *work;
        Thought {
            ply: u32::try_from(ply).unwrap_or(u32::MAX),
            value: None,
            proof: None,
            depth: 0,
            iterations,
            nodes,
            evaluations,
            seconds: (time.as_secs_f64() * 1e6).round() / 1e6,
            line: String::new(),
            moves: Vec::new(),
        }
    }

    /// The object that programs read: `thinking` of `docs/schemas/stored-game.json`.
    #[must_use]
    pub fn json(&self) -> Value {
        let of_move = |it: &MoveThought| json!({"move": it.text, "visits": it.visits, "value": it.value, "proof": it.proof});
        json!({
            "ply": self.ply,
            "value": self.value,
            "proof": self.proof,
            "depth": self.depth,
            "iterations": self.iterations,
            "nodes": self.nodes,
            "evaluations": self.evaluations,
            "seconds": self.seconds,
            "line": self.line,
            "moves": self.moves.iter().map(of_move).collect::<Vec<_>>(),
        })
    }

    /// The thoughts of a game as the text that a store keeps.
    #[must_use]
    pub fn write_all(thoughts: &[Thought]) -> String {
        serde_json::to_string(thoughts).expect("texts and numbers always become JSON")
    }

    /// The thoughts of a game from such a text.
    ///
    /// # Errors
    ///
    /// What is wrong with the text.
    pub fn read_all(text: &str) -> Result<Vec<Thought>, String> {
        serde_json::from_str(text).map_err(|error| format!("its thoughts cannot be read: {error}"))
    }
}
