//! The objects that `--json` prints and the page reads, of games and experiments: one function per
//! schema of `docs/schemas`, for everything without a type of its own.

use serde::Serialize;
use serde_json::{Map, Value, json};
use treegraft::{Exactness, Game, Notation, Outcome, Param, Playthrough, Reason, Side};
use treegraft_engine::Thought;
use treegraft_players::{Board, GameEntry, Level};

use crate::kept_game::KeptGame;
use crate::loaded::LoadedExperiment;
use crate::missing::{Missing, MissingPair};
use crate::run::Standing;
use crate::store::Session;

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

/// The word for what ended a game, in JSON and in rows.
pub(crate) fn reason_key(reason: Reason) -> &'static str {
    match reason {
        Reason::Rules => "rules",
        Reason::Repetition => "repetition",
        Reason::TooLong => "too-long",
    }
}

/// What there is to know about a game: `treegraft.game/1`.
#[must_use]
pub fn game(game: &GameEntry) -> Value {
    let (info, best) = (game.info(), game.best());
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
            "player": best.player,
            "levels": best.levels.iter().map(level).collect::<Vec<_>>(),
        },
    })
}

/// A position with its legal moves: `treegraft.show/1`. `name` is the text of the game.
#[must_use]
pub fn shown(name: &str, game: &Playthrough<Board>) -> Value {
    let position = game.position();
    let ending = game.ending();
    let mover = ending.is_none().then(|| position.to_move());
    let moves = game.legal_moves().into_iter().map(|mv| position.notation().move_text(mv));
    json!({
        "game": name,
        "to_move": mover.map(side_key),
        "side": mover.map(|side| position.notation().side_name(side)),
        "ply": game.moves().len(),
        "outcome": ending.map(|ending| outcome_key(ending.outcome)),
        "reason": ending.map(|ending| reason_key(ending.reason)),
        "margin": ending.and_then(|_| position.exactness().margin()),
        "moves": moves.collect::<Vec<_>>(),
        "position": game.position_text(),
        "played": game.move_texts(),
    })
}

/// A stored game, move by move: `treegraft.replay/1`.
#[must_use]
pub fn replay(kept: &KeptGame) -> Value {
    let KeptGame { number, row, start, was_played_again, .. } = kept;
    let opening = row.opening_plies as usize;
    let side_name = |side: Side| kept.game.position().notation().side_name(side);
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

/// How much is missing, and of which shards.
#[must_use]
pub fn missing(missing: &Missing) -> Value {
    let shards = missing.shards.as_ref();
    json!({
        "count": missing.pairs.len(),
        "of": missing.needed,
        "shards": shards.map(|shards| shards.of),
        "missing_shards": shards.map(|shards| &shards.missing),
        "incomplete_shards": shards.map(|shards| &shards.incomplete),
    })
}

/// The same with the pairs that are missing from shards that are there in part, or all if nothing is
/// known of shards.
#[must_use]
pub fn missing_pairs(missing: &Missing) -> Value {
    let pair = |it: &MissingPair| json!({ "number": it.number, "pair": it.id, "shard": it.shard });
    let mut object = self::missing(missing);
    object["pairs"] = missing.single_pairs().map(pair).collect();
    object
}

/// What the searches of a session did: numbers by game and player, or one for everything.
fn signature(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
}
