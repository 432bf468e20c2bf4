//! The options of implicit minimax backups and of what they were compared with.

use treegraft::presets::{IMPLICIT_ALPHA, MERCY, NODE_PRIOR, PROGRESSIVE_BIAS};
use treegraft::rollout::{PlayoutFrom, WeightBy};

use super::RolloutOptions;
use super::grammar::split_item;
use super::options::{Opt, option, words};
use super::values::{Value, Values};

words!(WeightBy {
    Nothing => "nothing",
    Visits => "visits",
    Depth => "depth",
    Disagreement => "disagreement",
});
words!(PlayoutFrom { Child => "child", Node => "node", });

const SOURCE: &str = "Lanctot et al. 2014";
const WEIGHT: Values = Values::number(0.0, 1.0).or_off().alone(Value::Number(IMPLICIT_ALPHA));

pub(super) static LANCTOT: &[Opt<RolloutOptions>] = &[
    option!(
        "im",
        WEIGHT,
        im,
        "implicit minimax backups: the weight in selection of evaluations backed up by minimax",
        SOURCE
    ),
    option!(
        "im-by",
        im_by,
        "what the weight of im falls with: nothing, thousands of visits, plies from the root, or the \
         difference between the two values; at x it is im / (1 + rate x)",
        "Treegraft"
    ),
    option!(
        "im-rate",
        Values::number(0.0, 1e6),
        im_rate,
        "with im-by: the rate at which the weight falls",
        "Treegraft"
    ),
    option!(
        "cb",
        WEIGHT,
        cb,
        "constant bias: the weight in selection of each child's own evaluation",
        SOURCE
    ),
    option!(
        "hb",
        WEIGHT,
        hb,
        "heuristic progressive bias: the weight of the implicit minimax value, divided by the visits \
         plus one",
        SOURCE
    ),
    option!(
        "playout-from",
        config.playout_from,
        "where the playout begins when a leaf gets children: at a child, or at the leaf as printed",
        SOURCE
    ),
    option!(
        "np",
        Values::whole(1, u16::MAX as u32).or_off().alone(Value::Whole(NODE_PRIOR as u32)),
        config.informed.np,
        "node priors: virtual visits of every new child; the game's prior of the move says how many \
         are won",
        "Gelly & Silver 2007; Lanctot et al. 2014"
    ),
    option!(
        "det",
        Values::number(0.0, 1.0).or_off().alone(Value::Number(MERCY.bound)),
        det,
        "dynamic early termination: a playout is won when the evaluation is beyond this",
        SOURCE
    ),
    option!(
        "det-every",
        Values::whole(1, 10_000),
        det_every,
        "plies between two looks of det at the evaluation",
        SOURCE
    ),
    option!(
        "maxbp",
        Values::whole(0, 1_000_000_000).or_off(),
        config.max_backpropagation,
        "maximum backpropagation: visits from which on a node backs up the best mean of its children",
        "Coulom 2006"
    ),
    option!(
        "pb",
        Values::number(0.0, 1000.0).or_off().alone(Value::Number(PROGRESSIVE_BIAS)),
        config.progressive_bias,
        "progressive bias: the weight of the probability of a move of its kind, divided by the \
         visits plus one",
        "Chaslot et al. 2008"
    ),
];

/// Another name for options, as a paper writes them. The meanings of these options mention it.
pub(super) struct Alias {
    pub(super) name: &'static str,
    /// The option that the value after `=` is for, if one may be there.
    pub(super) option: Option<&'static str>,
    /// What the name alone stands for.
    pub(super) alone: &'static [&'static str],
}

/// The aliases of rollout searches.
pub(super) static ALIASES: &[Alias] = &[
    Alias { name: "ipp", option: None, alone: &["playouts=ipp"] },
    Alias { name: "ege", option: Some("ir"), alone: &["ir=0.1"] },
    Alias { name: "fet", option: Some("ic"), alone: &["ic=20"] },
    Alias { name: "abp", option: None, alone: &["ir=0", "ir-depth=2", "embed-k=7"] },
];

/// The items, with what aliases stand for in their place.
pub(super) fn without_aliases(items: &[&str]) -> Vec<String> {
    items.iter().flat_map(|item| meant(item)).collect()
}

fn meant(item: &str) -> Vec<String> {
    let (name, value) = split_item(item);
    match (ALIASES.iter().find(|alias| alias.name == name), value) {
        (Some(Alias { option: Some(option), .. }), Some(value)) => {
            vec![format!("{option}={value}")]
        }
        (Some(alias), None) => alias.alone.iter().map(|&item| item.to_owned()).collect(),
        _ => vec![item.to_owned()],
    }
}
