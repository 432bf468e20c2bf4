//! Where searches meet games.
//!
//! A [`Registry`] holds games, searches and evaluations by name. It turns the text of a game into a
//! [`Start`] with a [`Board`], the text of a player into a [`Player`], and the two together into an
//! [`Analyst`], a searcher of boards that runs in code compiled for the game. Everything above
//! (matches, files, programs) is not generic over the game.
//!
//! ```
//! use treegraft::{Game, Notation, Request};
//! use treegraft_players::Registry;
//!
//! let registry = Registry::standard();
//! let start = registry.start("connect4")?;
//! let player = registry.player("mcts-solver@1000it")?;
//! let mut analyst = registry.searcher(&start, &player)?;
//! let report = analyst.search(start.board(), Request::new(player.budget, 1));
//! assert_eq!(start.board().notation().move_text(report.best_move.unwrap()), "4");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod board;
mod entry;
mod error;
mod games;
mod names;
mod no_search;
mod observed;
mod own;
mod player;
mod registry;
mod searcher;
pub mod signature;
mod start;
mod strategies;
mod traps;
pub mod trees;
mod weakened;

pub use board::{Analyst, Board, MoveIndex, Operations, Trap, bridge};
pub use entry::GameEntry;
pub use error::{PlayerError, nearest};
pub use names::RegistryError;
pub use no_search::{Greedy, Random};
pub use own::{OwnOption, SearchEntry, Setup};
pub use player::{
    Best, BestOptions, DEFAULT_BUDGET, DepthFirstOptions, EngineOptions, Eval, GreedyOptions,
    LabelInfo, Level, OptionInfo, OwnOptions, Player, Protocol, ProveOptions, RolloutOptions,
    Search, Setting, Strategies, ValueKind, Values,
};
pub use registry::Registry;
pub use start::Start;
pub use traps::{ExplainedTrap, TrapMove, TrapSearch, explain_traps};
