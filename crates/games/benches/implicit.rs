//! Simulations per CPU second of the players of Lanctot et al. (2014) from the starting position, and
//! what implicit minimax backups cost.
//!
//! `cargo bench -p treegraft-games --bench implicit [-- NAME]`; with a name only rows that contain it.

mod rates;

use rates::print;
use treegraft::presets;
use treegraft::rollout::{Config, Expand, Implicit, Informed, Mixture};
use treegraft_games::breakthrough::Breakthrough;
use treegraft_games::kalah::Kalah;

fn main() {
    let breakthrough = Breakthrough::<u64>::new(8, 8).expect("a board");
    let kalah = Kalah::new(6, 4, true).expect("a board");
    let im = |config: Config| {
        let implicit = Some(Implicit::constant(0.4, Mixture::Minimax));
        Config { implicit, ..config }
    };
    let bl = Config { c: 0.4, ..presets::mcts_bl() };
    let bl2 = Config { c: 0.4, ..presets::mcts_bl2() };
    let uct = Config { c: 0.4, ..presets::uct() };
    let all = Config { expand: Expand::All, ..uct };
    let rows = [
        ("uct", "efMS", uct, ""),
        ("uct(expand=all)", "efMS", all, ""),
        ("uct(expand=all,im=0.4)", "efMS", im(all), "uct(expand=all)"),
        ("mcts-bl", "efMS", bl, ""),
        ("mcts-bl(im=0.4)", "efMS", im(bl), "mcts-bl"),
        ("mcts-bl2", "efLH", bl2, ""),
        ("mcts-bl2(im=0.6)", "efLH", im(bl2), "mcts-bl2"),
    ];
    print("breakthrough", &breakthrough, &rows);
    let kalah_uct = Config { c: 0.5, ..presets::uct() };
    let fet = Config { informed: Informed { ic: Some(4), ..Informed::default() }, ..kalah_uct };
    let all = Config { expand: Expand::All, ..fet };
    let rows = [
        ("uct", "efRS", kalah_uct, ""),
        ("uct(fet=4)", "efRS", fet, "uct"),
        ("uct(fet=4,expand=all)", "efRS", all, "uct"),
        ("uct(fet=4,expand=all,im=0.4)", "efRS", im(all), "uct(fet=4,expand=all)"),
    ];
    print("kalah", &kalah, &rows);
}
