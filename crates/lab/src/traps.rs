//! Traps: moves after which the opponent can force a win within a few plies.
//!
//! How many of them a game holds, and how well random playouts hide them, says how much a search by
//! simulation gains from looking a few plies ahead (Ramanujan et al. 2010; Baier & Winands 2015,
//! section V-B). [`find_traps`] finds those of a position; [`study_traps`] plays games and looks at
//! every position; [`TrapSummary`] sums up.
//!
//! ```
//! use treegraft::Playthrough;
//! use treegraft_games::Connect4;
//! use treegraft_lab::traps::find_traps;
//!
//! let mut game = Playthrough::new(Connect4::new(7, 6).expect("a board"));
//! game.play_text("445")?; // X has 4 and 5 in the lowest row, and would like to have 3 or 6 too
//! let traps = find_traps(game.position(), 3);
//! let columns: Vec<u8> = traps.iter().map(|trap| trap.mv + 1).collect();
//! assert_eq!(columns, [1, 2, 4, 5, 7]);
//! assert!(traps.iter().all(|trap| trap.level == 3));
//! # Ok::<(), treegraft::NotationError>(())
//! ```

mod file;
mod find;
mod levels;
mod show;
mod study;
mod summary;

pub use file::{TrapFile, TrapFileError, TrapHeader};
pub use find::{ExplainedTrap, TrapMove, TrapSearch, explain_traps, find_traps};
pub use levels::Levels;
pub use show::{trap_plots, trap_tables};
pub use study::{TrapError, TrapGame, TrapPosition, TrapStudy, TrapWatch, study_traps};
pub use summary::{LevelSummary, PlySummary, Ratio, TrapSummary};
