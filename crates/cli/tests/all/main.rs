//! The tests of the program, in one program: it is linked once.

mod accuracy;
mod analyze;
mod categories;
mod cli;
mod clusters;
mod common;
mod course;
mod crates;
mod disk_full;
mod documents;
mod engine;
mod eval;
mod experiments;
mod fuzz;
mod games_again;
mod kinds_of_file;
mod ladder;
mod ledgers;
mod limits;
mod memory;
mod nothing_lost;
mod proofs;
mod reproduce;
mod schemas;
mod search;
mod serve;
mod signals;
#[cfg(unix)]
mod terminal;
mod trace;
mod traps;
mod trees;
mod tune;
mod unsafe_code;
mod world;
mod your_program;
