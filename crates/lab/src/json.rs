//! The objects that `--json` prints and the page reads: one function per schema of
//! `docs/schemas`, for whatever has no type of its own.

use serde::Serialize;
use serde_json::{Map, Value, json};
use treegraft::{Budget, Game, GameInfo, Level, Outcome, Param, Playthrough, Reason, Report, Side};
use treegraft_players::{Board, ExplainedTrap, MoveIndex, Player};

use crate::annotate::Annotation;
use crate::findings::{Findings, stop_key};
use crate::guarantee::StatedGuarantee;
use crate::kept_game::{KeptGame, ending_text};
use crate::loaded::LoadedExperiment;
use crate::run::Standing;
use crate::store::Session;
use crate::thinking::Thought;
use crate::trace::SearchTrace;
use crate::tree_view::TreeView;

/// An object with the name and the version of its schema as the first member; of an array, every
/// object. `docs/json.md` says what the names mean, `docs/schemas` what the objects hold.
#[must_use]
pub fn with_schema(schema: &str, value: &impl Serialize) -> Value {
    let named = |value: Value| match value {
        Value::Object(members) => {
            let mut object = Map::from_iter([("schema".to_owned(), schema.into())]);
            object.extend(members);
            Value::Object(object)
        }
        value => value,
    };
    // Serialising fails only for maps with keys that are not strings; there are none here.
    match serde_json::to_value(value).unwrap_or_default() {
        Value::Array(values) => values.into_iter().map(named).collect(),
        value => named(value),
    }
}

/// How JSON names a side.
#[must_use]
pub fn side_key(side: Side) -> &'static str {
    match side {
        Side::First => "first",
        Side::Second => "second",
    }
}

/// How JSON names an outcome.
#[must_use]
pub fn outcome_key(outcome: Outcome) -> &'static str {
    outcome.winner().map_or("draw", side_key)
}

/// What there is to know about a game: `treegraft.game/1`.
#[must_use]
pub fn game(info: &GameInfo) -> Value {
    let param = |param: &Param| {
        json!({
            "name": param.name,
            "values": param.values,
            "default": param.default,
            "meaning": param.meaning,
        })
    };
    let level = |level: &Level| json!({ "nodes": level.nodes, "random": level.random });
    json!({
        "name": info.name,
        "syntax": info.syntax,
        "rules": info.rules,
        "moves": info.moves,
        "positions": info.positions,
        "params": info.params.iter().map(param).collect::<Vec<_>>(),
        "best": {
            "player": info.constants.best.player,
            "levels": info.constants.best.levels.iter().map(level).collect::<Vec<_>>(),
        },
    })
}

/// A position with its legal moves: `treegraft.show/1`. `name` is the text of the game.
#[must_use]
pub fn shown(name: &str, game: &Playthrough<Board>) -> Value {
    let position = game.position();
    let ending = game.ending();
    let mover = ending.is_none().then(|| position.to_move());
    let reason = ending.map(|ending| match ending.reason {
        Reason::Rules => "rules",
        Reason::Repetition => "repetition",
        Reason::TooLong => "too-long",
    });
    let moves = game.legal_moves().into_iter().map(|mv| position.move_text(mv));
    json!({
        "game": name,
        "to_move": mover.map(side_key),
        "side": mover.map(|side| position.side_name(side)),
        "ply": game.moves().len(),
        "outcome": ending.map(|ending| outcome_key(ending.outcome)),
        "reason": reason,
        "margin": ending.and_then(|_| position.margin()),
        "moves": moves.collect::<Vec<_>>(),
        "position": game.position_text(),
        "played": game.move_texts(),
    })
}

/// A search that was asked for: who searched what.
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
    let mut object = json!({
        "game": asked.game,
        "player": asked.player,
        "seed": asked.seed,
        "repeatable": asked.budget.is_repeatable(),
        "to_move": mover.map(side_key),
        "position": asked.played.position_text(),
    });
    if let Value::Object(members) = &mut object {
        members.extend(findings.json());
        members.insert("bounds".to_owned(), json!(guarantee.map(StatedGuarantee::json)));
        members.extend(tree.map(|tree| ("tree".to_owned(), tree.json())));
    }
    object
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
        "to_move": side_key(asked.played.position().to_move()),
        "scale": trace.scale().key(),
    })
}

/// The line that ends a trace: `treegraft.trace/1`.
#[must_use]
pub fn trace_end(trace: &SearchTrace, findings: &Findings, report: &Report<MoveIndex>) -> Value {
    json!({
        "event": "end",
        "events": trace.lines().len(),
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
        "to_move": side_key(game.position().to_move()),
        "max_level": max_level,
        "playouts": playouts,
        "moves": game.legal_moves().len(),
        "traps": traps,
    })
}

/// A stored game, move by move: `treegraft.replay/1`.
#[must_use]
pub fn replay(kept: &KeptGame) -> Value {
    let KeptGame { number, row, start, was_played_again, .. } = kept;
    let opening = row.opening_plies as usize;
    let side_name = |side: Side| kept.game.position().side_name(side);
    let mut at = Playthrough::new(kept.game.start().clone());
    let mut moves = Vec::new();
    for (ply, (&mv, text)) in kept.game.moves().iter().zip(kept.game.move_texts()).enumerate() {
        let mover = at.position().to_move();
        at.play(mv);
        moves.push(json!({
            "ply": ply + 1,
            "side": side_key(mover),
            "move": text,
            "opening": ply < opening,
            "position": at.position_text(),
            "thinking": kept.thought(ply).map_or(Value::Null, Thought::json),
        }));
    }
    json!({
        "number": number,
        "pair": row.pair,
        "game_of_pair": row.number,
        "game": start.text(),
        "first_player": kept.player(Side::First),
        "second_player": kept.player(Side::Second),
        "first_side": side_name(Side::First),
        "second_side": side_name(Side::Second),
        "outcome": row.outcome,
        "ended_by": row.end,
        "fault": row.fault,
        "margin": row.margin,
        "plies": row.plies,
        "opening_plies": row.opening_plies,
        "played_again": was_played_again,
        "start": kept.at(0).position_text(),
        "moves": moves,
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
        let mut object = json!({
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
        if let Value::Object(members) = &mut object {
            members.extend(annotation.json());
        }
        object
    }
}

/// How a pairing stands: a member of `treegraft.status/1` and `treegraft.run/1`.
#[must_use]
pub fn standing(loaded: &LoadedExperiment, index: usize, standing: &Standing) -> Value {
    let pairing = &loaded.experiment.plan.pairings[index];
    let evidence = standing.evidence();
    json!({
        "game": pairing.game,
        "names": pairing.names,
        "games": standing.tally.games(),
        "score": evidence.pairs.score(),
        "ci95": evidence.wilson95(),
        "worth": 2.0 * evidence.worth,
        "llr": loaded.sprt.map(|sprt| sprt.llr(evidence)),
        "decided": standing.decided.is_some(),
    })
}

/// How far an experiment is: `treegraft.status/1`. `store` is the path of its store, `last` the last
/// session in it.
#[must_use]
pub fn status(
    loaded: &LoadedExperiment,
    store: &std::path::Path,
    standings: &[Standing],
    last: Option<&Session>,
) -> Value {
    let is_over =
        |standing: &&Standing| standing.decided.is_some() || standing.done == standing.planned;
    let each = standings.iter().enumerate().map(|(index, it)| standing(loaded, index, it));
    json!({
        "title": loaded.experiment.title,
        "store": store,
        "pairs": standings.iter().map(|standing| standing.done).sum::<usize>(),
        "planned": loaded.pairs.len(),
        "complete": standings.iter().filter(is_over).count() == standings.len(),
        "last_version": last.map(|session| &session.version),
        "last_signature": last.map(|session| signature(&session.signature)),
        "standings": each.collect::<Vec<_>>(),
    })
}

/// What the searches of a session did: numbers by game and player, or one for everything.
fn signature(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
}
