//! Programs of others as players, and this program as a player for others: both ends of the engine
//! protocol, which `docs/engine-protocol.md` describes.

mod client;
#[cfg(unix)]
mod group;
#[cfg(not(unix))]
mod lone;
mod process;
mod protocol;
mod serve;
#[cfg(unix)]
mod until;

pub(crate) use client::EngineSeat;
pub use serve::{ServeError, serve};
