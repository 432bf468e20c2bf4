//! The options that depth-first and proving searches share: their fields have the same names.

use treegraft::depth_first::Scores;

use super::options::words;

words!(Scores { Outcome => "outcome", Margin => "margin", });

/// One of these options by its name, for either kind of search.
macro_rules! shared {
    (k) => {
        option!(
            "k",
            Values::whole(1, 10_000).or_off(),
            config.k,
            "search only the first k moves of a node",
            "Baier 2018"
        )
    };
    (eval) => {
        option!(
            "eval",
            eval,
            "evaluation at the horizon; auto: the game's first, none: only finished games count",
            "Shannon 1950"
        )
    };
    (scores) => {
        option!(
            "scores",
            config.scores,
            "how a finished game is scored: by who won, or by how much"
        )
    };
    (hints) => {
        option!("hints", config.hints, "order moves by the game's hints", "Slagle & Dixon 1969")
    };
    (shuffle) => {
        option!(
            "shuffle",
            config.shuffle,
            "try moves that the ordering leaves equal in random order"
        )
    };
}
pub(super) use shared;
