//! The tests of the lab, in one program: it is linked once.
//!
//! `kill.rs` starts its own program again and `engines.rs` counts the processes that it has
//! started: they stay programs of their own.

mod common;
mod compressed;
mod experiments;
mod ledger;
mod matches;
mod merge;
mod own_games;
mod pairs;
mod papers;
mod reports;
mod signatures;
mod store;
mod store_common;
mod store_place;
mod store_run;
mod store_verify;
mod thinking;
