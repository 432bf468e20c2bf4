//! The tests of the games, in one program: it is linked once.

mod agreement;
mod agreement_search;
mod breakthrough;
mod conformance;
mod connect4;
mod ef_wb;
mod evaluations;
mod hex;
mod kalah;
mod known;
mod lion;
mod loa;
mod loa_categories;
mod margins;
mod minimax;
mod oracles;
mod othello;
mod othello_margins;
mod parsers;
mod pictures;
mod starts;
mod statistics;
mod walks;
