//! Programs of others as players, and this program as a player for others: both ends of the engine
//! protocol, which `docs/engine-protocol.md` describes, and of UCI and GTP, `docs/protocols.md`.

mod client;
mod foreign;
#[cfg(unix)]
mod group;
#[cfg(not(unix))]
mod lone;
mod process;
pub mod programs;
mod protocol;
mod serve;
#[cfg(unix)]
mod until;

pub(crate) use client::EngineSeat;
pub(crate) use foreign::Refusal;
pub use serve::{ServeError, serve};
