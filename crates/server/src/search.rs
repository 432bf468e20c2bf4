//! A search that is watched, and the move of an engine.

use std::cell::Cell;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};
use treegraft::{Game, Notation, Playthrough, Report, Request, TreeListener, TreeNode};
use treegraft_engine::{Findings, MoveRequest, NoAnswer, ValueKind, check_seat, seat};
use treegraft_lab::json::with_schema;
use treegraft_players::{Board, MoveIndex, Player, Registry, Start};
use treegraft_studies::{StatedGuarantee, TreeView};

use crate::State;
use crate::answer::{Refusal, read};
use crate::api::{Place, allowed_or_engine, is_engine};
use crate::jobs::Out;
use crate::routes::{Next, Outcome};

#[derive(Deserialize)]
struct SearchAsked {
    #[serde(flatten)]
    place: Place,
    player: String,
    #[serde(default)]
    seed: u64,
    /// Whether the tree is shown while it grows.
    #[serde(default)]
    tree: bool,
}

/// Plies of the tree that are shown, and children at each node.
const TREE: (u32, usize) = (4, 4);
/// Nodes of it, the most visited ones.
const MAX_NODES: usize = 120;

pub(crate) fn search(state: &State, body: &[u8]) -> Outcome {
    let SearchAsked { place, player, seed, tree } = read(body)?;
    let (start, game) = place.find(&state.registry)?;
    let player = allowed_or_engine(state, &player)?;
    check_seat(&state.registry, &start, &player)?;
    if game.ending().is_some() {
        return Err(Refusal::bad("the game is over: there is nothing to search"));
    }
    Ok(Next::search(move |state, out| {
        let watched =
            Watched { registry: &state.registry, start, game, player, seed, has_tree: tree };
        match is_engine(&watched.player) {
            true => watched.ask_engine(out),
            false => watched.think(out),
        }
    }))
}

/// A position, and the player that searches it.
struct Watched<'a> {
    registry: &'a Registry,
    start: Start,
    game: Playthrough<Board>,
    player: Player,
    seed: u64,
    has_tree: bool,
}

impl Watched<'_> {
    /// Searches, and sends what is found on the way.
    fn think(&self, out: &Out) -> Result<(), Refusal> {
        let Watched { registry, start, game, player, seed, .. } = self;
        let mut analyst = registry.searcher(start, player)?;
        let (position, kind) = (Arc::new(game.position().clone()), player.search.value_kind());
        let latest: Cell<Option<TreeNode<MoveIndex>>> = Cell::new(None);
        let mut keep = |root: TreeNode<MoveIndex>| latest.set(Some(root));
        let mut progress = |so_far: &Report<MoveIndex>| {
            let tree = latest.take();
            out.offer("thinking", || {
                let (position, so_far) = (Arc::clone(&position), so_far.clone());
                move || thinking(&position, &so_far, kind, tree)
            });
        };
        let (depth, width) = TREE;
        let listener = TreeListener { depth, width, show: &mut keep };
        let request = Request {
            cancel: Some(&out.cancel),
            progress: Some(&mut progress),
            tree: self.has_tree.then_some(listener),
            ..Request::new(player.budget, *seed)
        };
        let report = analyst.search(&position, request);
        let findings = Findings::new(&position, &report, kind);
        let guarantee = StatedGuarantee::new(&position, player, analyst.guarantee())
            .filter(StatedGuarantee::is_open);
        let tree = analyst.tree(depth, width).filter(|_| self.has_tree);
        let tree = tree.map(|root| view(&position, &root));
        let asked = treegraft_studies::json::Searched {
            game: start.text(),
            played: game,
            player,
            budget: player.budget,
            seed: *seed,
        };
        let object =
            treegraft_studies::json::analysis(asked, &findings, guarantee.as_ref(), tree.as_ref());
        out.send("analyze", with_schema("treegraft.analyze/1", &object));
        Ok(())
    }

    /// Starts an engine, requests one move, and ends it.
    fn ask_engine(&self, out: &Out) -> Result<(), Refusal> {
        let mut engine = seat(self.registry, &self.start, &self.player)?;
        let request = MoveRequest {
            budget: self.player.budget,
            seed: self.seed,
            cancel: Some(&out.cancel),
            record: false,
        };
        let answer = engine
            .new_game()
            .map_err(NoAnswer::from)
            .and_then(|()| engine.next_move(&self.game, request));
        match answer {
            Ok(answer) => {
                let text = self.game.position().notation().move_text(answer.mv);
                let seconds = answer.work.time.as_secs_f64();
                out.send("move", json!({"move": text, "seconds": seconds}));
                Ok(())
            }
            Err(NoAnswer::Cancelled) => Ok(()),
            Err(NoAnswer::NoMove) => Err(Refusal::bad("the engine has no move")),
            Err(NoAnswer::Fault(fault)) => Err(Refusal::bad(format!("the engine failed: {fault}"))),
        }
    }
}

/// What a search has found so far.
fn thinking(
    position: &Board,
    so_far: &Report<MoveIndex>,
    kind: ValueKind,
    tree: Option<TreeNode<MoveIndex>>,
) -> Value {
    let mut object = Findings::new(position, so_far, kind).json();
    object.extend(tree.map(|root| ("tree".to_owned(), view(position, &root).json())));
    with_schema("treegraft.thinking/1", &object)
}

/// The top of a tree.
fn view(position: &Board, root: &TreeNode<MoveIndex>) -> TreeView {
    let mut tree = TreeView::new(position, root);
    tree.keep_most_visited(MAX_NODES);
    tree
}

#[cfg(test)]
#[path = "search_tests.rs"]
mod tests;
