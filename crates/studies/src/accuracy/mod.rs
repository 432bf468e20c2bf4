//! Accuracy: how often players choose moves that keep the value of a position.
//!
//! The positions are random, the exact value of every move is known ([`SolvedSet`]), and the choice
//! matters: moves of different value exist. [`draw_positions`] draws and solves them, [`measure`] lets
//! players choose a move in each, and [`AccuracySummary`] says how many kept the value. All players see
//! the same positions, so that they are compared position by position.
//!
//! ```
//! use treegraft_studies::Watch;
//! use treegraft_studies::accuracy::{AccuracyStudy, AccuracySummary, Drawing, draw_positions, measure};
//! use treegraft_players::Registry;
//!
//! let registry = Registry::standard();
//! let start = registry.start("connect4:4x4")?;
//! let drawing = Drawing { positions: 20, ..Drawing::new(start.clone()) };
//! let set = draw_positions(&registry, &drawing, Watch::default())?;
//! let players = vec![registry.player("ab(depth=16)")?, registry.player("random")?];
//! let study = AccuracyStudy { start, set, players, seed: 1, jobs: 1 };
//! let choices = measure(&registry, &study, Watch::default())?;
//! let summary = AccuracySummary::new(&study, &choices);
//! assert_eq!(summary.players[0].all.accuracy, 1.0);
//! assert!(summary.players[1].all.accuracy < 1.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod draw;
mod file;
mod show;
mod solved;
mod study;
mod summary;

pub use draw::{Drawing, DrawingError, draw_positions};
pub use file::SolvedFileError;
pub use show::{accuracy_plot, accuracy_tables};
pub use solved::{Drawn, MoveValue, SolvedPosition, SolvedSet, WrongPosition, move_values};
pub use study::{AccuracyError, AccuracyStudy, Choice, measure};
pub use summary::{AccuracySummary, Kept, PairedComparison, PlayerAccuracy};
