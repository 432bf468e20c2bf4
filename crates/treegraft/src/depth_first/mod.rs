//! Depth-first search: one fail-soft alpha-beta recursion over integer scores, and drivers above it.

mod config;

pub use config::{Config, Driver, Scores};
