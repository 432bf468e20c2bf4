//! The tests of the plain rules, in one program: it is linked once.

mod perft;
mod rules;
