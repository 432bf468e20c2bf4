#![doc = include_str!("../README.md")]

pub mod bits;
mod budget;
pub mod conformance;
mod evaluate;
mod game;
mod notation;
mod perft;
mod playthrough;
mod report;
mod rng;
mod side;

pub use budget::{Budget, BudgetError, DEFAULT_MEMORY, Limit, Meter, Stop};
pub use evaluate::{EVAL_ONE, Evaluate};
pub use game::{Game, Playout};
pub use notation::{Charset, NotationError};
pub use perft::{divide, perft};
pub use playthrough::{Ending, Playthrough, Reason};
pub use report::{MoveReport, Report, Request, Searcher, Work};
pub use rng::Rng;
pub use side::{Outcome, Side};
