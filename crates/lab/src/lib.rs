//! Players from text, games between them, and what the results mean.
//!
//! A [`Player`] is read from a text such as `mcts-solver(c=0.8)@91000it` and makes searchers for
//! any game. [`play_game`] is the one place where games are played; [`run_match`] plays many of them
//! in parallel, and [`stats`] says what can be concluded.
//!
//! ```
//! use treegraft_games::AnyGame;
//! use treegraft_lab::{Match, Watch, play_match, run_match};
//!
//! let connect4 = AnyGame::parse("connect4")?;
//! let (a, b) = ("mcts-solver@100it".parse()?, "random".parse()?);
//! let result = run_match(&Match { games: 10, ..Match::new(connect4, a, b) }, Watch::default())?;
//! assert!(result.wins > result.losses);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arena;
mod engine;
mod matches;
mod no_search;
mod player;
mod row;
mod seat;
pub mod signature;
pub mod stats;
pub mod svg;

pub use arena::{Contestant, End, GameError, GameRecord, Pairing, Spent, play_game};
pub use engine::{ServeError, serve};
pub use matches::{
    Match, MatchError, MatchResult, PerMove, Progress, Watch, play_match, run_match,
};
pub use no_search::{Greedy, Random};
pub use player::{
    DEFAULT_BUDGET, DepthFirstPlayer, EnginePlayer, Eval, GreedyPlayer, LabelInfo, OptionInfo,
    Player, PlayerError, RolloutPlayer, Search, exploration_constant, nearest, players,
};
pub use row::{GameRow, PairId, SideRow};
pub use seat::{Ask, Choice, Fault, FaultKind, NoChoice, Searching, Seat};
