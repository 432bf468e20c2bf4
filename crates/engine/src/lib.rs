//! Everything that chooses moves, behind one interface: a [`Seat`].
//!
//! Behind it is a search of this program ([`SearchSeat`]) or an external engine; what either thought
//! of a position is a [`Thought`], and what a search found are [`Findings`]. The other end of the
//! engine protocols is here too: [`serve`] makes this program an engine for others. The protocols are
//! our own, which `docs/engine-protocol.md` describes, and UCI and GTP, `docs/protocols.md`.

mod client;
mod findings;
mod foreign;
#[cfg(unix)]
mod group;
#[cfg(not(unix))]
mod lone;
mod memory;
mod process;
pub mod programs;
mod protocol;
mod seat;
mod serve;
mod thinking;
#[cfg(unix)]
mod until;

pub use findings::{
    Findings, MoveFinding, StrategyFinding, StrategyPart, counts_depths, percent, raw, stop_key,
    value_or_bounds,
};
pub use memory::{MemoryError, MemoryLimit, MemorySource, check_memory, check_memory_of_games};
pub use seat::{
    Answer, Fault, FaultKind, MoveRequest, NoAnswer, SearchSeat, Seat, check_seat, seat,
};
pub use serve::{ServeError, serve};
pub use thinking::{BEST_MOVES, LINE_MOVES, MoveThought, Proof, Thought};
/// What the values in [`Findings`] are made of.
pub use treegraft_players::ValueKind;
