//! Where searches meet games.
//!
//! A [`Registry`] holds games, searches and evaluations by name. It reads texts: a game's gives a
//! [`Start`] with a [`Board`], a player's gives a [`Player`], and both together give an [`Analyst`], a
//! search of boards that runs in code compiled for the game. Whatever stands above (matches, files,
//! programs, pages) is not generic over the game.
//!
//! ```
//! use treegraft::{Game, Request};
//! use treegraft_players::Registry;
//!
//! let registry = Registry::standard();
//! let start = registry.start("connect4")?;
//! let player = registry.player("mcts-solver@1000it")?;
//! let mut analyst = registry.searcher(&start, &player)?;
//! let report = analyst.search(start.board(), Request::new(player.budget, 1));
//! assert_eq!(start.board().move_text(report.best_move.unwrap()), "4");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod board;
mod bridge;
mod error;
mod games;
mod no_search;
mod own;
mod player;
mod position;
mod registry;
mod searcher;
pub mod signature;
mod start;
mod traps;

pub use board::{Board, MoveIndex};
pub use bridge::{Analyst, bridge};
pub use error::{PlayerError, nearest};
pub use no_search::{Greedy, Random};
pub use own::{OwnOption, OwnPlayer, OwnValues, SearchEntry, Setup};
pub use player::{
    DEFAULT_BUDGET, DepthFirstPlayer, EnginePlayer, Eval, GreedyPlayer, LabelInfo, OptionInfo,
    Player, ProvePlayer, RolloutPlayer, Search, Setting,
};
pub use registry::{GameEntry, Registry, RegistryError};
pub use start::Start;
pub use traps::{ExplainedTrap, Trap, TrapMove, TrapSearch, explain_traps, find_traps};
