//! The list of all labels, from the tables that the parser uses.

use serde::Serialize;

use super::labels::{Family, LABELS};
use super::options::{Opt, OptionTable};

/// A label, as lists describe it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LabelInfo {
    /// The label.
    pub label: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// The paper it comes from; empty if it needs none.
    pub source: &'static str,
    /// Its options with their defaults.
    pub options: Vec<OptionInfo>,
}

/// An option, as lists describe it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OptionInfo {
    /// Its name.
    pub name: &'static str,
    /// The values it can have, and the one that its name alone stands for.
    pub values: String,
    /// The value it has when it is not given.
    pub default: String,
    /// What it means.
    pub meaning: &'static str,
    /// The paper it comes from; empty if it needs none.
    pub source: &'static str,
}

/// All labels with their options.
#[must_use]
pub(crate) fn players() -> Vec<LabelInfo> {
    let info = |label: &'static super::labels::Label| LabelInfo {
        label: label.name,
        about: label.about,
        source: label.source,
        options: match &label.family {
            Family::Random => Vec::new(),
            Family::Greedy(options, make) => list(options, &make()),
            Family::Rollout(options, make) => list(options, &make()),
            Family::DepthFirst(options, make) => list(options, &make()),
            Family::Prove(options, make) => list(options, &make()),
            Family::Best(options, make) => list(options, &make()),
            Family::Engine(options, make) => list(options, &make()),
        },
    };
    LABELS.iter().map(info).collect()
}

fn list<T>(options: OptionTable<T>, default: &T) -> Vec<OptionInfo> {
    let values = |option: &'static Opt<T>| match option.values.alone_text() {
        Some(alone) => format!("{}; {} alone: {alone}", option.values.describe(), option.name),
        None => option.values.describe(),
    };
    let info = |option: &'static Opt<T>| OptionInfo {
        name: option.name,
        values: values(option),
        default: option.text(default),
        meaning: option.meaning,
        source: option.source,
    };
    options.iter().copied().flatten().map(info).collect()
}
