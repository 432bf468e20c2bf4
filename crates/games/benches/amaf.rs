//! Simulations per CPU second of RAVE, GRAVE and MAST from the starting position, and what they cost.
//!
//! `cargo bench -p treegraft-games --bench amaf [-- NAME]`; with a name only rows that contain it.

mod rates;

use rates::print;
use treegraft::presets;
use treegraft::rollout::{Config, Rave};
use treegraft_games::hex::Hex;
use treegraft_games::othello::Othello;

fn main() {
    let uct = Config { c: 0.3, ..presets::uct() };
    let rave = Config { rave: Some(Rave::default()), ..uct };
    let with = |rave| Config { rave: Some(rave), ..uct };
    let rows = [
        ("uct", "", uct, ""),
        ("uct(rave)", "", rave, "uct"),
        ("uct(rave,rave-untried)", "", with(Rave { untried: true, ..Rave::default() }), "uct"),
        ("uct(grave)", "", with(Rave { reference: 50, ..Rave::default() }), "uct"),
        ("uct(mast)", "", Config { mast: Some(0.4), ..uct }, "uct"),
    ];
    print("hex:11", &Hex::<u128>::new(11, false).expect("a board"), &rows);
    print("hex:7", &Hex::<u64>::new(7, false).expect("a board"), &rows);
    print("othello", &Othello::new(8).expect("a board"), &rows);
}
