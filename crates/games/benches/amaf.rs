//! Simulations per CPU second of RAVE, GRAVE and MAST and of guided playouts, from the starting
//! position, beside UCT with uniform playouts. C is each player's own in the game.
//!
//! `cargo bench -p treegraft-games --bench amaf [-- NAME]`; with a name only rows that contain it.

mod rates;

use rates::{Row, print};
use treegraft::Constants;
use treegraft::presets;
use treegraft::rollout::{Config, Informed, Rave};
use treegraft_games::hex::{self, Hex};
use treegraft_games::othello::{self, Othello};

fn rows(constants: &Constants, guides: [(&'static str, &'static str); 4]) -> Vec<Row> {
    let uct = Config { c: constants.ucb1, ..presets::uct() };
    let with = |rave| Config { rave: Some(rave), c: constants.c_with_rave(uct.select), ..uct };
    let guided = Config { informed: Informed { ir: Some(0.0), ..uct.informed }, ..uct };
    let mut rows = vec![
        ("uct", "", uct, ""),
        ("uct(rave)", "", with(Rave::default()), "uct"),
        ("uct(rave,rave-untried)", "", with(Rave { untried: true, ..Rave::default() }), "uct"),
        ("uct(grave)", "", with(Rave { reference: 50, ..Rave::default() }), "uct"),
        ("uct(mast)", "", Config { mast: Some(0.4), ..uct }, "uct"),
    ];
    rows.extend(guides.map(|(name, eval)| (name, eval, guided, "uct")));
    rows
}

fn main() {
    let in_hex = rows(
        &hex::INFO.constants,
        [
            ("uct(ir=0,eval=distance)", "distance"),
            ("uct(ir=0,eval=own-reach)", "own-reach"),
            ("uct(ir=0,eval=reach)", "reach"),
            ("uct(ir=0,eval=pairs)", "pairs"),
        ],
    );
    print("hex:11", &Hex::<u128>::new(11, false).expect("a board"), &in_hex);
    print("hex:7", &Hex::<u64>::new(7, false).expect("a board"), &in_hex);
    let in_othello = rows(
        &othello::INFO.constants,
        [
            ("uct(ir=0,eval=discs)", "discs"),
            ("uct(ir=0,eval=own-mobility)", "own-mobility"),
            ("uct(ir=0,eval=mobility)", "mobility"),
            ("uct(ir=0,eval=wpc)", "wpc"),
        ],
    );
    print("othello", &Othello::new(8).expect("a board"), &in_othello);
}
