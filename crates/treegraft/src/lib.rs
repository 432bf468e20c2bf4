#![doc = include_str!("../README.md")]

mod alarm;
pub mod bits;
mod bounds;
mod budget;
mod config_error;
pub mod depth_first;
mod evaluate;
mod game;
mod guided;
mod hash;
pub mod linear;
mod notation;
pub mod observe;
mod params;
mod part;
mod perft;
pub mod picture;
mod playthrough;
pub mod presets;
mod report;
mod rng;
pub mod rollout;
mod side;
mod spends;
mod trace;
mod weights;

pub use alarm::Alarm;
pub use bounds::Bounds;
pub use budget::{Budget, BudgetError, DEFAULT_MEMORY, Meter, Pause, Stop};
pub use config_error::ConfigError;
pub use evaluate::{EVAL_ONE, Evaluate, Evaluator, in_scale, is_evaluation_name};
pub use game::{
    Exactness, Game, Knowledge, Limits, MAX_SLOTS, Notation, Of, Plain, Playout, Speed, erased,
    guided_move, legal_moves, played, playout, random_playout,
};
pub use guided::{Guide, GuidedEnd, GuidedPlayout};
pub use hash::KeyHasher;
pub use notation::{Charset, NotationError};
pub use params::{Canonical, Constants, GameInfo, GameTextError, Param, Params, with_colon};
pub use part::Part;
pub use perft::{divide, perft};
pub use picture::Picture;
pub use playthrough::{Ending, Playthrough, Reason};
pub use report::{
    AmafReport, Guarantee, IntervalReport, Listener, MoveReport, Report, Request, Searcher,
    StrategyReport, TreeListener, TreeNode, Work,
};
pub use rng::{Rng, derive_seed};
pub use side::{Outcome, Side};
pub use spends::{Limit, Spends};
pub use trace::Trace;
pub use weights::{Ipp, PlayoutWeight};
