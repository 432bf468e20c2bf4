//! What is asked about games and players: one function per path.

use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};
use treegraft::rollout::Channel;
use treegraft::{Charset, Game, Notation, Playthrough, Side};
use treegraft_engine::{Findings, check_memory, check_seat};
use treegraft_lab::ending_text;
use treegraft_lab::json::with_schema;
use treegraft_pictures::svg::{board_padding, board_svg, diagram_svg};
use treegraft_players::{Board, DEFAULT_BUDGET, MoveIndex, Player, Registry, Search, Start};
use treegraft_studies::trace::TraceSearch;

use crate::State;
use crate::answer::{Refusal, json_response, read, svg_response};
use crate::jobs::{MAX_MEMORY, MAX_TIME};
use crate::routes::{Next, Outcome};

/// Maximum number of moves of a game on the page.
const MAX_MOVES: usize = 2000;

pub(crate) fn games(state: &State, _: &[u8]) -> Outcome {
    let games: Vec<Value> = state.registry.entries().map(treegraft_lab::json::game).collect();
    Ok(Next::json(&with_schema("treegraft.game/1", &games)))
}

pub(crate) fn players(state: &State, _: &[u8]) -> Outcome {
    let labels = state.registry.players();
    // Without the flag, engines are not offered: they would be refused.
    let is_offered = |label: &&str| state.allows_engines || *label != "engine";
    let labels: Vec<_> = labels.into_iter().filter(|it| is_offered(&it.label)).collect();
    Ok(Next::json(&with_schema("treegraft.player/1", &labels)))
}

/// A position: a game and how far it has been played.
#[derive(Debug, Deserialize)]
pub(crate) struct Place {
    game: String,
    #[serde(default)]
    position: Option<String>,
    #[serde(default)]
    moves: String,
}

impl Place {
    pub(crate) fn find(&self, registry: &Registry) -> Result<(Start, Playthrough<Board>), Refusal> {
        let start = registry.start(&self.game)?;
        let mut game = match self.position.as_deref().filter(|text| !text.is_empty()) {
            None => start.playthrough(),
            Some(text) => Playthrough::new(start.board().notation().parse_position(text)?),
        };
        if self.moves.split_whitespace().count() > MAX_MOVES {
            return Err(Refusal::bad(format!("expected at most {MAX_MOVES} moves")));
        }
        game.play_text(&self.moves)?;
        Ok((start, game))
    }
}

/// A search that the page may have: no engine, which reports only its moves.
pub(crate) fn allowed(state: &State, text: &str) -> Result<Player, Refusal> {
    let player = allowed_or_engine(state, text)?;
    if is_engine(&player) {
        return Err(Refusal::bad(format!(
            "player {text:?}: expected a search; an engine reports its moves and nothing else"
        )));
    }
    Ok(player)
}

pub(crate) fn is_engine(player: &Player) -> bool {
    matches!(player.search, Search::Engine(_))
}

/// Refuses to start engines unless that is allowed.
pub(crate) fn allow_engine(state: &State) -> Result<(), Refusal> {
    if state.allows_engines {
        return Ok(());
    }
    let message =
        "engines are not started from the page; `treegraft serve --allow-engines` allows it";
    Err(Refusal::with(StatusCode::FORBIDDEN, message))
}

/// A player that the page may have, within the limits: a search, or an engine where engines may be
/// started.
pub(crate) fn allowed_or_engine(state: &State, text: &str) -> Result<Player, Refusal> {
    let mut player = state.registry.player(text)?;
    if is_engine(&player) {
        allow_engine(state)?;
    }
    player.budget = player.budget_or(DEFAULT_BUDGET);
    if player.budget.time.is_some_and(|time| time > MAX_TIME) {
        let most = MAX_TIME.as_secs();
        return Err(Refusal::bad(format!("player {text:?}: expected at most {most}s")));
    }
    if player.budget.memory_bytes() > MAX_MEMORY {
        let most = MAX_MEMORY >> 20;
        return Err(Refusal::bad(format!("player {text:?}: expected at most {most}MiB")));
    }
    check_memory(&player.budget)?;
    Ok(player)
}

#[derive(Deserialize)]
struct PlayerText {
    player: String,
    game: String,
}

/// What the values in trees are called.
pub(crate) fn channels(_: &State, _: &[u8]) -> Outcome {
    Ok(Next::json(&json!(Channel::ALL.map(Channel::words))))
}

/// The canonical text of a player, if it can play the game.
pub(crate) fn player(state: &State, body: &[u8]) -> Outcome {
    let PlayerText { player, game } = read(body)?;
    let start = state.registry.start(&game)?;
    let able = allowed_or_engine(state, &player)?;
    check_seat(&state.registry, &start, &able)?;
    // As requested: without the budget that it would get.
    let player = state.registry.player(&player)?;
    Ok(Next::json(&json!({ "player": player, "repeatable": able.budget.is_repeatable() })))
}

pub(crate) fn show(state: &State, body: &[u8]) -> Outcome {
    let place: Place = read(body)?;
    let (start, game) = place.find(&state.registry)?;
    Ok(Next::json(&shown(&start, &game)))
}

/// A position with what is needed to draw it and to play in it.
pub(crate) fn shown(start: &Start, game: &Playthrough<Board>) -> Value {
    let position = game.position();
    let cells = |mv: MoveIndex| position.notation().move_cells(mv);
    let sides = [Side::First, Side::Second].map(|side| position.notation().side_name(side));
    let picture = position.notation().picture();
    let last = last_cells(game);
    let svg = match &picture {
        Some(picture) => board_svg(picture, "", &last),
        None => diagram_svg(&position.notation().diagram(Charset::Unicode), ""),
    };
    json!({
        "show": with_schema("treegraft.show/1", &treegraft_lab::json::shown(start.text(), game)),
        "svg": svg,
        "padding": picture.as_ref().map(board_padding),
        "picture": picture,
        "cells": game.legal_moves().into_iter().map(cells).collect::<Vec<_>>(),
        "last": last,
        "counts": position.notation().counts(),
        "sides": sides,
        "result": game.ending().map(|ending| ending_text(position, ending)),
    })
}

/// The cells of the last move.
fn last_cells(game: &Playthrough<Board>) -> Vec<usize> {
    let mut before = game.clone();
    before.undo().map(|mv| before.position().notation().move_cells(mv)).unwrap_or_default()
}

#[derive(Deserialize)]
struct TrapsAsked {
    #[serde(flatten)]
    place: Place,
    level: u32,
}

/// Random games after each trap, which say how hard it is to see.
const PLAYOUTS: u32 = 200;

pub(crate) fn traps(state: &State, body: &[u8]) -> Outcome {
    let TrapsAsked { place, level } = read(body)?;
    if level > 9 {
        return Err(Refusal::bad("expected a level of at most 9"));
    }
    let (start, game) = place.find(&state.registry)?;
    if game.ending().is_some() {
        return Err(Refusal::bad("the game is over in this position, so there are no traps"));
    }
    Ok(Next::think(move |_, cancel| {
        let traps = game.position().explain_traps(level, PLAYOUTS, 0, Some(cancel));
        let object =
            treegraft_studies::json::position_traps(start.text(), &game, level, PLAYOUTS, &traps);
        Ok(json_response(&with_schema("treegraft.traps-position/1", &object)))
    }))
}

#[derive(Deserialize)]
struct TraceAsked {
    #[serde(flatten)]
    place: Place,
    player: String,
    #[serde(default)]
    seed: u64,
    /// Maximum number of events.
    limit: u64,
}

/// Maximum number of events that the page steps through.
const MAX_EVENTS: u64 = 2000;

impl TraceAsked {
    fn search(&self, state: &State) -> Result<TraceSearch, Refusal> {
        if !(1..=MAX_EVENTS).contains(&self.limit) {
            return Err(Refusal::bad(format!("expected a limit from 1 to {MAX_EVENTS}")));
        }
        let (start, game) = self.place.find(&state.registry)?;
        allowed(state, &self.player)?;
        let search = TraceSearch::new(&state.registry, start, game, &self.player)?;
        Ok(TraceSearch { seed: self.seed, limit: self.limit, ..search })
    }
}

pub(crate) fn trace(state: &State, body: &[u8]) -> Outcome {
    let search = read::<TraceAsked>(body)?.search(state)?;
    Ok(Next::think(move |state, cancel| {
        let (trace, report) = search.run(&state.registry, cancel)?;
        let findings =
            Findings::new(search.game.position(), &report, search.player.search.value_kind());
        let begin = treegraft_studies::json::trace_begin(search.asked(), &trace);
        let end = treegraft_studies::json::trace_end(&trace, &findings, &report);
        let events: Vec<&Value> =
            std::iter::once(&begin).chain(&trace.json).chain([&end]).collect();
        Ok(json_response(&json!({
            "events": with_schema("treegraft.trace/1", &events),
            "words": trace.lines,
            "player": search.player,
        })))
    }))
}

/// The tree after the first `limit` events.
pub(crate) fn trace_picture(state: &State, body: &[u8]) -> Outcome {
    let search = read::<TraceAsked>(body)?.search(state)?;
    // Nothing after the last event matters here, so that the search may end with it.
    let search = TraceSearch { has_budget: false, ..search };
    Ok(Next::think(move |state, cancel| {
        let (trace, _) = search.run(&state.registry, cancel)?;
        Ok(svg_response(search.draw(&trace, Some(&trace.here()))))
    }))
}
