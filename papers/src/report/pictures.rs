//! Pictures of games, trees and searches.

use treegraft::{Exactness, Game, Notation, Playthrough, Request};
use treegraft_engine::Findings;
use treegraft_pictures::plot::Plot;
use treegraft_pictures::svg::{Branch, TreePicture, position_svg};
use treegraft_players::{Board, Registry};

/// The start of a game; of a tree whose leaves are written out, all of it. `None` if there is no such
/// game, which a test rules out.
pub(super) fn board(registry: &Registry, game: &str, name: &str) -> Option<String> {
    let start = registry.start(game).ok()?;
    if !game.starts_with("tree:(") {
        return Some(position_svg(&start.playthrough(), name));
    }
    let largest = leaves(&start.playthrough()).into_iter().map(i64::abs).max()?.max(1) as f64;
    let root = branch(&start.playthrough(), "root", largest).1;
    let subtitle = "Max and Min in turn; each node with its minimax value".to_owned();
    let sides = ["Max".to_owned(), "Min".to_owned()];
    Some(TreePicture { title: name.to_owned(), subtitle, sides, root }.draw())
}

fn next_positions(game: &Playthrough<Board>) -> impl Iterator<Item = (String, Playthrough<Board>)> {
    let moves = game.legal_moves();
    moves.into_iter().map(|mv| {
        let mut next = game.clone();
        let name = game.position().notation().move_text(mv);
        next.play(mv);
        (name, next)
    })
}

fn leaves(game: &Playthrough<Board>) -> Vec<i64> {
    match game.ending() {
        Some(_) => game.position().exactness().margin().into_iter().collect(),
        None => next_positions(game).flat_map(|(_, next)| leaves(&next)).collect(),
    }
}

/// The minimax value of a tree, and its picture.
fn branch(game: &Playthrough<Board>, label: &str, largest: f64) -> (i64, Branch) {
    let parts: Vec<(i64, Branch)> = match game.ending() {
        Some(_) => Vec::new(),
        None => next_positions(game).map(|(name, next)| branch(&next, &name, largest)).collect(),
    };
    let sign = game.position().to_move().sign();
    let best = parts.iter().map(|(value, _)| sign * value).max().map(|value| sign * value);
    let value = best.or(game.position().exactness().margin()).unwrap_or(0);
    let branch = Branch {
        label: label.to_owned(),
        note: value.to_string(),
        value: Some(value as f64 / largest),
        share: 0.5,
        is_proven: false,
        children: parts.into_iter().map(|(_, branch)| branch).collect(),
        hidden: 0,
    };
    (value, branch)
}

/// The shares of the strategies in the course of a search from the start of a game.
pub(super) fn shares(registry: &Registry, game: &str, player: &str, title: &str) -> Option<Plot> {
    let start = registry.start(game).ok()?;
    let player = registry.player(player).ok()?;
    let mut searcher = registry.searcher(&start, &player).ok()?;
    let game = start.playthrough();
    let report = searcher.search(game.position(), Request::new(player.budget, 1));
    Findings::new(game.position(), &report, player.search.value_kind()).strategy_plot(title)
}
