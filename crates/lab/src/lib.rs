//! Games between players, and what the results mean.
//!
//! [`play_game`] is the only place where games are played; [`play_pair`] plays two of them with the
//! sides swapped, [`run_match`] many in parallel. An [`Experiment`] is a file that expands to a
//! [`Plan`] of pairs, which [`run`] plays into a [`Store`], and [`report`](report::report) draws the conclusions.
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

mod arena;
mod as_text;
mod content;
mod experiment;
pub mod export;
pub mod files;
mod game_file;
pub mod json;
mod kept_game;
pub mod ledger;
mod loaded;
mod matches;
mod merge;
mod missing;
mod opening;
mod openings;
mod pair;
pub mod report;
mod row;
mod run;
mod shard;
mod signatures;
mod source;
pub mod store;
mod verify;
mod workers;

pub use arena::{GameEnd, GameError, GameRecord, PairGames, Terms, play_game};
pub use content::Content;
pub use experiment::{
    Estimate, Experiment, Plan, PlannedPairing, Record, Schedule, Scoring, StopRule, estimate,
};
pub use game_file::GameFile;
pub use kept_game::{KeptGame, KeptGameError, ending_text};
pub use ledger::Ledger;
pub use loaded::LoadedExperiment;
pub use matches::{Match, MatchError, MatchResult, PerMove, Progress, Watch, run_match};
pub use merge::{MergeError, MergeOptions, MergeSummary, MergeWatch, MergedPart, PlanShare, merge};
pub use missing::{Missing, MissingPair, MissingShards};
pub use opening::{Opening, OpeningError, OpeningProblem};
pub use openings::Openings;
pub use pair::{FinishedPair, Pair, PairError, PairPlayer, hash, play_pair};
pub use row::{GameResult, GameRow, PairId, Played, SideRow};
pub use run::{
    CountedPair, Driver, PlannedPair, RunError, RunOptions, RunProgress, RunSummary, RunWatch,
    Standing, StopWhen, counted, run, standings,
};
pub use shard::{MAX_SHARDS, Shard};
pub use signatures::{Changed, Signatures};
pub use source::{ExperimentError, Place, Source};
pub use store::{Store, StoreError};
pub use verify::{Difference, VerifyOptions, VerifyReport, VerifyWatch, verify};
pub use workers::{ThreadsError, Workers, processors};
