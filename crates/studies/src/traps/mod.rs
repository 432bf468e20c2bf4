//! Traps: moves after which the opponent can force a win within a few plies.
//!
//! How many of them a game holds, and how well random playouts hide them, says how much a search by
//! simulation gains from looking a few plies ahead (Ramanujan et al. 2010; Baier & Winands 2015,
//! section V-B). [`Board::traps`](treegraft_players::Operations::traps) finds those of a position;
//! [`study_traps`] plays games and looks at every position; [`TrapSummary`] sums up.
//!
//! ```
//! use treegraft::{Game, Notation, Rng};
//! use treegraft_players::Registry;
//!
//! let mut game = Registry::standard().start("connect4")?.playthrough();
//! game.play_text("445")?; // X has 4 and 5 in the lowest row, and would like to have 3 or 6 too
//! let traps = game.position().traps(3, 0, &mut Rng::new(0), None);
//! let notation = game.position().notation();
//! let columns: Vec<String> = traps.iter().map(|trap| notation.move_text(trap.mv)).collect();
//! assert_eq!(columns, ["1", "2", "4", "5", "7"]);
//! assert!(traps.iter().all(|trap| trap.level == 3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod file;
mod levels;
mod show;
mod study;
mod summary;

pub use file::{TrapFile, TrapFileError, TrapHeader};
pub use levels::Levels;
pub use show::{trap_plots, trap_tables};
pub use study::{TrapError, TrapGame, TrapPosition, TrapStudy, study_traps};
pub use summary::{LevelSummary, PlySummary, Ratio, TrapSummary};
