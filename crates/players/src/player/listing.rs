//! The list of all labels, from the tables that the parser uses.

use serde::Serialize;
use treegraft::{Limit, Spends};

use super::family::AnyOption;
use super::grammar::parse;
use super::labels::{LABELS, Label};

/// A label, as lists describe it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LabelInfo {
    /// The label.
    pub label: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// The paper it comes from; empty if it needs none.
    pub source: &'static str,
    /// What can limit a move, with the default options: `iterations`, `nodes`, `evaluations`, `plies`,
    /// `time`, `memory` ([`Limit::name`]). For an engine and the best player, what stands for them decides.
    pub limits: Vec<&'static str>,
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
    /// Texts to try it with: values at the ends and between, every word, and what is just past the ends
    /// or no value at all.
    #[serde(skip)]
    pub samples: Vec<String>,
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
    let info = |label: &Label| LabelInfo {
        label: label.name,
        about: label.about,
        source: label.source,
        limits: limits(label),
        options: label.family.options().into_iter().map(OptionInfo::from).collect(),
    };
    LABELS.iter().map(info).collect()
}

/// What a search of this label spends.
fn limits(label: &Label) -> Vec<&'static str> {
    // An engine without a command is no player.
    let spends = parse(label.name, &[]).map_or(Spends::ALL, |player| player.search.spends());
    Limit::ALL.into_iter().filter(|&limit| spends.includes(limit)).map(Limit::name).collect()
}

impl From<AnyOption> for OptionInfo {
    fn from(option: AnyOption) -> OptionInfo {
        let AnyOption { name, values, default, meaning, source } = option;
        let samples = values.samples();
        let values = match values.alone_text() {
            Some(alone) => format!("{}; {name} alone: {alone}", values.describe()),
            None => values.describe(),
        };
        OptionInfo { name, values, samples, default, meaning, source }
    }
}
