//! The objects that `--json` prints and the page reads, of searches and studies: one function per
//! schema of `docs/schemas`, for everything without a type of its own.

use serde_json::{Map, Value, json};
use treegraft::{Budget, Game, Playthrough, Report, Side};
use treegraft_engine::{Findings, stop_key};
use treegraft_lab::json::outcome_key;
use treegraft_lab::{KeptGame, ending_text};
use treegraft_players::{Board, ExplainedTrap, MoveIndex, Player};

use crate::annotate::Annotation;
use crate::guarantee::StatedGuarantee;
use crate::trace::SearchTrace;
use crate::tree_view::TreeView;

/// A requested search: who searched what.
#[derive(Clone, Copy, Debug)]
pub struct Searched<'a> {
    /// The text of the game.
    pub game: &'a str,
    /// The game so far.
    pub played: &'a Playthrough<Board>,
    /// The player.
    pub player: &'a Player,
    /// What it was allowed to spend.
    pub budget: Budget,
    /// The seed.
    pub seed: u64,
}

/// What a search found: `treegraft.analyze/1`.
#[must_use]
pub fn analysis(
    asked: Searched<'_>,
    findings: &Findings,
    guarantee: Option<&StatedGuarantee>,
    tree: Option<&TreeView>,
) -> Value {
    let mover = asked.played.ending().is_none().then_some(findings.mover);
    let begin = json!({
        "game": asked.game,
        "player": asked.player,
        "seed": asked.seed,
        "repeatable": asked.budget.is_repeatable(),
        "to_move": mover,
        "position": asked.played.position_text(),
    });
    let bounds = json!({"bounds": guarantee.map(StatedGuarantee::json)});
    let tree = tree.map(|tree| json!({"tree": tree.json()}));
    merged([begin, Value::Object(findings.json()), bounds].into_iter().chain(tree))
}

/// One object with the members of all.
pub(crate) fn merged(objects: impl IntoIterator<Item = Value>) -> Value {
    let members = |object| if let Value::Object(members) = object { members } else { Map::new() };
    objects.into_iter().flat_map(members).collect()
}

/// The line that begins a trace: `treegraft.trace/1`.
#[must_use]
pub fn trace_begin(asked: Searched<'_>, trace: &SearchTrace) -> Value {
    json!({
        "event": "begin",
        "game": asked.game,
        "player": asked.player,
        "seed": asked.seed,
        "position": asked.played.position_text(),
        "to_move": asked.played.position().to_move(),
        "scale": trace.scale.key(),
    })
}

/// The line that ends a trace: `treegraft.trace/1`.
#[must_use]
pub fn trace_end(trace: &SearchTrace, findings: &Findings, report: &Report<MoveIndex>) -> Value {
    json!({
        "event": "end",
        "events": trace.lines.len(),
        "left_out": trace.left_out(),
        "best_move": findings.best_move,
        "pv": findings.pv,
        "result": report.value,
        "proof": report.proof.map(outcome_key),
        "margin": report.margin,
        "iterations": report.work.iterations,
        "nodes": report.work.nodes,
        "evaluations": report.work.evaluations,
        "stop": stop_key(report.stop),
        "digest": format!("{:016x}", report.digest),
    })
}

/// The traps of a position: `treegraft.traps-position/1`.
#[must_use]
pub fn position_traps(
    name: &str,
    game: &Playthrough<Board>,
    max_level: u32,
    playouts: u32,
    traps: &[ExplainedTrap],
) -> Value {
    json!({
        "game": name,
        "position": game.position_text(),
        "to_move": game.position().to_move(),
        "max_level": max_level,
        "playouts": playouts,
        "moves": game.legal_moves().len(),
        "traps": traps,
    })
}

/// How a game was annotated, besides what the annotation says itself.
#[derive(Clone, Copy, Debug)]
pub struct Annotated<'a> {
    /// The text of the game.
    pub game: &'a str,
    /// The game that was annotated.
    pub played: &'a Playthrough<Board>,
    /// Where it comes from, if it was stored.
    pub kept: Option<&'a KeptGame>,
    /// The player who looked at it.
    pub player: &'a Player,
    /// The seed.
    pub seed: u64,
    /// The highest level of traps that were looked for.
    pub max_level: u32,
    /// Nodes of the exact search of each position.
    pub solve_nodes: u64,
}

impl Annotated<'_> {
    /// How the game ended, in words.
    #[must_use]
    pub fn result(&self) -> String {
        match (self.kept, self.played.ending()) {
            (Some(kept), _) => kept.result_text(),
            (None, Some(ending)) => ending_text(self.played.position(), ending),
            (None, None) => "not over".to_owned(),
        }
    }

    /// What the curve of the values is called.
    #[must_use]
    pub fn title(&self) -> String {
        match self.kept {
            Some(kept) => {
                let [first, second] = [Side::First, Side::Second].map(|side| kept.player(side));
                format!("{}: {first} against {second}", self.game)
            }
            None => self.game.to_owned(),
        }
    }

    /// What was found: `treegraft.annotate/1`.
    #[must_use]
    pub fn json(&self, annotation: &Annotation) -> Value {
        let name = |side| self.kept.map(|kept| kept.player(side));
        let begin = json!({
            "game": self.game,
            "number": self.kept.map(|kept| kept.number),
            "first_player": name(Side::First),
            "second_player": name(Side::Second),
            "first_side": annotation.side_names[0],
            "second_side": annotation.side_names[1],
            "result": self.result(),
            "start": Playthrough::new(self.played.start().clone()).position_text(),
            "seed": self.seed,
            "repeatable": self.player.budget.is_repeatable(),
            "max_level": self.max_level,
            "solve_nodes": self.solve_nodes,
        });
        merged([begin, annotation.json()])
    }
}
