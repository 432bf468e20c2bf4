//! Players from text, games between them, and what the results mean.
//!
//! A [`Player`] is read from a text such as `mcts-solver(c=0.8)@91000it` and makes searchers for
//! any game. [`play_game`] is the one place where games are played; [`play_pair`] plays two of them with
//! sides swapped, [`run_match`] many in parallel; an [`Experiment`] is a file that stands for a
//! [`Plan`] of pairs, which [`run`] plays into a [`Store`], and [`stats`] says what can be concluded.
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
mod experiment;
pub mod export;
mod lines;
mod matches;
mod no_search;
mod openings;
mod pair;
mod player;
pub mod plot;
pub mod report;
mod row;
mod run;
mod seat;
pub mod signature;
pub mod stats;
pub mod store;
pub mod svg;
pub mod table;
pub mod traps;
pub mod trees;
mod verify;

pub use arena::{Contestant, End, GameError, GameRecord, Pairing, Terms, play_game};
pub use engine::{ServeError, serve};
pub use experiment::{
    Estimate, Experiment, ExperimentError, Place, Plan, PlannedPairing, Schedule, Scoring,
    StopRule, estimate,
};
pub use matches::{
    Match, MatchError, MatchResult, PerMove, Progress, Watch, play_match, run_match,
};
pub use no_search::{Greedy, Random};
pub use openings::Openings;
pub use pair::{Opening, OpeningError, Pair, PairError, play_pair};
pub use player::{
    DEFAULT_BUDGET, DepthFirstPlayer, EnginePlayer, Eval, GreedyPlayer, LabelInfo, OptionInfo,
    Player, PlayerError, Presets, ProvePlayer, RolloutPlayer, Search, Setting, best_presets,
    exploration_constant, nearest, players,
};
pub use row::{GameRow, PairId, SideRow};
pub use run::{
    CountedPair, PlannedPair, RunError, RunOptions, RunProgress, RunSummary, RunWatch, Standing,
    StopWhen, counted, run, standings,
};
pub use seat::{Ask, Choice, Fault, FaultKind, NoChoice, Searching, Seat};
pub use store::{Store, StoreError};
pub use verify::{Difference, VerifyOptions, VerifyReport, VerifyWatch, verify};
