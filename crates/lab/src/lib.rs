//! Games between players, and what the results mean.
//!
//! [`play_game`] is the only place where games are played; [`play_pair`] plays two of them with the
//! sides swapped, [`run_match`] many in parallel. An [`Experiment`] is a file that expands to a
//! [`Plan`] of pairs, which [`run`] plays into a [`Store`], and [`stats`] draws the conclusions.
//! Games and players come from a [`Registry`](treegraft_players::Registry); nothing here is generic
//! over the game.
//!
//! ```
//! use treegraft_lab::{Match, Watch, run_match};
//! use treegraft_players::Registry;
//!
//! let registry = Registry::standard();
//! let connect4 = registry.start("connect4")?;
//! let (a, b) = (registry.player("mcts-solver@100it")?, registry.player("random")?);
//! let setup = Match { games: 10, ..Match::new(connect4, a, b) };
//! let result = run_match(&registry, &setup, Watch::default())?;
//! assert!(result.wins > result.losses);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod accuracy;
pub mod annotate;
mod arena;
mod as_text;
pub mod categories;
mod csv;
mod engine;
mod experiment;
pub mod export;
pub mod files;
mod findings;
mod game_file;
mod guarantee;
pub mod json;
mod kept_game;
pub mod ledger;
mod lines;
mod loaded;
mod matches;
mod memory;
mod merge;
mod opening;
mod openings;
mod pair;
pub mod plot;
mod printable;
pub mod report;
mod row;
mod run;
mod seat;
mod seed;
mod shard;
mod signatures;
pub mod solve;
mod source;
pub mod stats;
pub mod store;
pub mod svg;
pub mod table;
mod thinking;
pub mod trace;
pub mod traps;
mod tree_view;
pub mod trees;
pub mod tune;
mod verify;
mod workers;

pub use arena::{GameEnd, GameError, GameRecord, Terms, play_game, seat};
pub use engine::{ServeError, programs, serve};
pub use experiment::{
    Estimate, Experiment, Plan, PlannedPairing, Record, Schedule, Scoring, StopRule, estimate,
};
pub use findings::{
    Findings, MoveFinding, StrategyFinding, StrategyPart, ValueKind, counts_depths, percent, raw,
    stop_key, value_or_bounds, verdict,
};
pub use game_file::GameFile;
pub use guarantee::StatedGuarantee;
pub use kept_game::{KeptGame, KeptGameError, ending_text};
pub use ledger::Ledger;
pub use lines::{grouped, wrapped};
pub use loaded::LoadedExperiment;
pub use matches::{Match, MatchError, MatchResult, PerMove, Progress, Watch, run_match};
pub use memory::{MemoryError, MemoryLimit, MemorySource, check_games, check_memory};
pub use merge::{MergeError, MergeOptions, MergeSummary, MergeWatch, MergedPart, PlanShare, merge};
pub use opening::{Opening, OpeningError, OpeningProblem};
pub use openings::Openings;
pub use pair::{Pair, PairError, play_pair, play_pair_thinking};
pub use printable::printable;
pub use row::{GameRow, PairId, SideRow};
pub use run::{
    CountedPair, Driver, PlannedPair, Played, RunError, RunOptions, RunProgress, RunSummary,
    RunWatch, Standing, StopWhen, counted, run, standings,
};
pub use seat::{Answer, Fault, FaultKind, MoveRequest, NoAnswer, SearchSeat, Seat};
pub use shard::{MOST_SHARDS, Shard};
pub use signatures::{Changed, Signatures};
pub use source::{ExperimentError, Place};
pub use store::{Store, StoreError};
pub use thinking::{BEST_MOVES, LINE_MOVES, MoveThought, Proof, Thought};
pub use tree_view::TreeView;
pub use verify::{Difference, VerifyOptions, VerifyReport, VerifyWatch, verify};
pub use workers::ThreadsError;
