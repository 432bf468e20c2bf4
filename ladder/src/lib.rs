//! Who plays a game how well.
//!
//! A [`Ladder`] is a tournament of our players and of other people's programs, those that are
//! installed, at fixed settings. It is an experiment like any other, and played and kept like one. A
//! set of solved positions ([`solved_set`]) says how often players keep the value of a position, and
//! the [`Atlas`] says it of all searches in all games that have such a set. [`page`] makes
//! docs/strength.md of the results in a folder.
//!
//! ```
//! use treegraft_ladder::{Ladder, solved_set};
//! use treegraft_players::Registry;
//!
//! let registry = Registry::standard();
//! let othello = registry.start("othello")?;
//! let ladder = Ladder::of(&othello)?;
//! assert!(ladder.programs.iter().any(|program| program.packages() == Some("grhino grhino-data")));
//! assert!(solved_set(&registry, "othello").is_some_and(|set| set.positions.len() == 100));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod atlas;
mod file;
mod page;
mod picture;
mod program;
mod sets;

pub use atlas::{Atlas, AtlasEntry, AtlasError, AtlasRow, AtlasStudy, BUDGETS, atlas_study};
pub use file::{Ladder, LadderError, LadderOptions, Setup};
pub use page::{Page, PageError, page};
pub use program::Program;
pub use sets::{set_games, solved_set};
