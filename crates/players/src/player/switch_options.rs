//! The options of strategy switching.

use super::RolloutOptions;
use super::options::{Opt, option};
use super::values::Values;

const SOURCE: &str = "Mańdziuk & Walczak, Monte Carlo Tree Search with Metaheuristics";

pub(super) static SWITCH: &[Opt<RolloutOptions>] = &[
    option!(
        "switch",
        Values::STRATEGIES,
        switch,
        "strategy switching: a bandit chooses one of these strategies for each playout. all: the \
         poster's in Othello and Hex, elsewhere every evaluation that is not fitted, and random; \
         top3: the poster's best three. An evaluation plays the move that is best by it (ir-depth, \
         embed-k and ties apply)",
        SOURCE
    ),
    option!(
        "switch-b",
        Values::number(0.0, 100.0).or_auto(),
        switch_b,
        "the exploration constant of the bandit; auto: the one that the search has, or would have \
         without rave and grave",
        SOURCE
    ),
    option!(
        "switch-keep",
        switch_keep,
        "whether the bandit remembers the earlier moves of the game"
    ),
    option!(
        "switch-band",
        Values::whole(1, 10_000).or_off(),
        switch_band,
        "a separate bandit for each band of this many plies below the root; off: one for all"
    ),
    option!(
        "switch-sides",
        switch_sides,
        "a separate bandit for each side, rewarded with that side's results"
    ),
];

/// The strategies that are switched, as a player names them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategies(pub(crate) String);

impl Strategies {
    /// The names, of which some stand for several.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.split('+')
    }
}
