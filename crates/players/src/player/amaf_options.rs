//! The options of statistics about moves wherever they are played: RAVE, GRAVE and MAST.

use treegraft::presets::{GRAVE_REFERENCE, MAST_EPSILON, RAVE_K};

use super::RolloutOptions;
use super::options::{Opt, option};
use super::values::{Value, Values};

pub(super) static AMAF: &[Opt<RolloutOptions>] = &[
    option!(
        "rave",
        Values::number(0.0, 1e9).or_off().alone(Value::Number(RAVE_K)),
        rave,
        "RAVE: the visits k at which a child's own mean and that of all simulations with its move \
         (AMAF) count the same",
        "Gelly & Silver 2007"
    ),
    option!(
        "grave",
        Values::whole(1, 1_000_000_000).or_off().alone(Value::Whole(GRAVE_REFERENCE)),
        grave,
        "GRAVE: visits a node needs to use its own AMAF values; with fewer, it uses an ancestor's",
        "Cazenave 2015"
    ),
    option!(
        "rave-bias",
        Values::number(0.0, 1e9).or_off(),
        rave_bias,
        "weigh AMAF values by their number and this bias instead of by k",
        "Cazenave 2015"
    ),
    option!(
        "rave-untried",
        rave_untried,
        "whether children that were never visited compete by AMAF values instead of coming first",
        "Gelly & Silver 2007"
    ),
    option!(
        "mast",
        Values::number(0.0, 1.0).or_off().alone(Value::Number(MAST_EPSILON)),
        config.mast,
        "MAST: play the move with the best mean reward so far in playouts, but with this probability \
         a random one",
        "Finnsson & Björnsson 2008"
    ),
];
