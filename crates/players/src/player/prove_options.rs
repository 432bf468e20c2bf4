//! The options of every proving search: some of the depth-first searches', and its own.

use super::family::{Options, Preset, Written};
use super::labels::Label;
use super::options::{Opt, option};
use super::shared_options::shared;
use super::values::Values;
use super::{ProveOptions, Search};

pub(super) static PROVE: &[Opt<ProveOptions>] = &[
    option!(
        "depth",
        Values::whole(1, 1000).or_off(),
        config.depth,
        "the horizon in plies; off: the end of the game",
        "Shannon 1950"
    ),
    option!(
        "deepening",
        config.deepening,
        "search depth 1, 2, 3, …, each with a new tree; otherwise the full depth at once",
        "Slate & Atkin 1977"
    ),
    shared!(k),
    shared!(eval),
    shared!(scores),
    shared!(hints),
    shared!(shuffle),
    option!(
        "restart",
        config.restart,
        "begin a rollout at the deepest node whose bounds did not change, not at the root",
        "Weinstein, Littman & Goschin 2012"
    ),
    option!(
        "decide",
        config.decide,
        "stop when the best move is decided, even if its value is not",
        "Weinstein, Littman & Goschin 2012"
    ),
    option!(
        "bounds",
        config.bounds,
        "start from the game's own bounds on values",
        "Weinstein, Littman & Goschin 2012"
    ),
];

impl Options for ProveOptions {
    fn search(self) -> Search {
        Search::Prove(self)
    }

    /// A label stands for a method.
    fn write(&self, label: &Label, preset: &Preset<ProveOptions>) -> Option<Written> {
        let default = preset.default();
        let is_same = default.config.method == self.config.method;
        is_same.then(|| preset.write_items(label, &default, self))
    }
}
