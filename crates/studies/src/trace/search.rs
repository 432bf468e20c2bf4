//! A search that is traced: the one that `treegraft trace` shows.

use std::sync::atomic::{AtomicBool, Ordering};

use treegraft::observe::Event;
use treegraft::{Budget, Charset, Game, Notation, Playthrough, Report, Request, Side};
use treegraft_engine::{MemoryError, check_memory};
use treegraft_pictures::grouped;
use treegraft_players::{Board, MoveIndex, Player, PlayerError, Registry, Start};

use super::{Scale, SearchTrace, TracePicture, exact_player};
use crate::json::Searched;

/// The budget of a player without one. It ends with the last event that is shown, if not before.
const MOST: Budget = Budget {
    iterations: Some(100_000),
    nodes: Some(1_000_000),
    evaluations: None,
    plies: None,
    time: None,
    memory: None,
};

/// Why a search cannot be traced.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TraceError {
    /// There is nothing to search.
    #[error("the game is over: there is nothing to search")]
    Over,
    /// The player has nothing to trace, or cannot play this game.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// It requests too much memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

/// A search that is to be traced.
#[derive(Clone, Debug)]
pub struct TraceSearch {
    /// The game.
    pub start: Start,
    /// The game so far; its position is searched.
    pub game: Playthrough<Board>,
    /// The player who searches.
    pub player: Player,
    /// Whether that is not quite the requested one: see [`exact_player`].
    pub is_changed: bool,
    /// Whether it ends by itself or by a budget of its own.
    pub has_budget: bool,
    /// Its budget.
    pub budget: Budget,
    /// The seed of all random choices.
    pub seed: u64,
    /// How many events are written down.
    pub limit: u64,
    /// The characters that they are written with.
    pub charset: Charset,
}

impl TraceSearch {
    /// The search of a game's position by the player that `text` names.
    ///
    /// # Errors
    ///
    /// If the text is no player, the player has nothing to trace or requests too much memory, or
    /// the game is over.
    pub fn new(
        registry: &Registry,
        start: Start,
        game: Playthrough<Board>,
        text: &str,
    ) -> Result<TraceSearch, TraceError> {
        let player = registry.player(text)?;
        registry.check_trace(&start, &player)?;
        if game.ending().is_some() {
            return Err(TraceError::Over);
        }
        let exact = exact_player(game.position(), &player, text);
        let is_changed = exact.is_some();
        let player = exact.unwrap_or(player);
        let budget = player.budget_or(MOST);
        check_memory(&budget)?;
        let has_budget = budget == player.budget;
        let (seed, limit, charset) = (0, 1000, Charset::Unicode);
        Ok(TraceSearch {
            start,
            game,
            player,
            is_changed,
            has_budget,
            budget,
            seed,
            limit,
            charset,
        })
    }

    /// Searches. A player without a budget ends with the last event that is written down; `cancel`
    /// ends any.
    ///
    /// # Errors
    ///
    /// If the game lacks what the player needs.
    pub fn run(
        &self,
        registry: &Registry,
        cancel: &AtomicBool,
    ) -> Result<(SearchTrace, Report<MoveIndex>), PlayerError> {
        let position = self.game.position();
        let scale = Scale::of(&self.player);
        let mut trace = SearchTrace::new(position, scale, self.limit, self.charset);
        let enough = AtomicBool::new(false);
        let mut observer = |event: Event<MoveIndex>| {
            // What comes until the search notices that it must stop is not part of it.
            if enough.load(Ordering::Relaxed) {
                return;
            }
            trace.see(&event);
            if trace.is_full() && !self.has_budget || cancel.load(Ordering::Relaxed) {
                enough.store(true, Ordering::Relaxed);
            }
        };
        let request = Request { cancel: Some(&enough), ..Request::new(self.budget, self.seed) };
        let report = registry.trace(&self.start, &self.player, position, request, &mut observer)?;
        Ok((trace, report))
    }

    /// The tree that a trace of this search shows, as SVG, with a ring around the node behind the moves
    /// of `here`.
    #[must_use]
    pub fn draw(&self, trace: &SearchTrace, here: Option<&[MoveIndex]>) -> String {
        let root = self.game.position();
        let title = format!("{} · {}", self.start.text(), self.player);
        let first = root.notation().side_name(Side::First);
        let subtitle = match (trace.scale, trace.left_out()) {
            (Scale::Outcome, 0) => format!("visits and chance of {first} to win"),
            (_, 0) => format!("values in the view of {first}"),
            (_, _) => format!("after the first {} events", grouped(self.limit)),
        };
        let (tree, scale) = (&trace.tree, trace.scale);
        TracePicture { title: &title, subtitle: &subtitle, root, tree, scale }.draw(here)
    }

    /// Who searched what.
    #[must_use]
    pub fn asked(&self) -> Searched<'_> {
        Searched {
            game: self.start.text(),
            played: &self.game,
            player: &self.player,
            budget: self.budget,
            seed: self.seed,
        }
    }
}
