//! The tests of the library, in one program: it is linked once.

mod agreement;
mod config;
mod evaluation;
mod leaf_order;
mod lines;
mod playthrough;
mod selective;
