//! Searches of synthetic trees whose leaves are counted: on the concrete type, because every leaf
//! is looked at.

mod reference;

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use treegraft::rollout::prove::{Config, Prover};
use treegraft::{Budget, ConfigError, Request, Stop};
use treegraft_games::SyntheticTree;

pub use reference::{alpha_beta, minimax};

/// Searches with memory that they keep from tree to tree.
#[derive(Debug)]
pub struct TreeSearches {
    provers: Vec<Prover<SyntheticTree>>,
    /// The leaves that alpha-beta expands.
    expanded: HashSet<SyntheticTree>,
}

/// The results for a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchedTree {
    /// The value of the root: that of textbook alpha-beta, or of minimax over all leaves.
    pub value: i64,
    /// How many leaves textbook alpha-beta expands.
    pub alpha_beta: u32,
    /// What each search did, in their order.
    pub searches: Vec<TreeSearch>,
}

/// What a search of a tree did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeSearch {
    /// Leaves that it expanded.
    pub leaves: u32,
    /// Those of them that alpha-beta does not expand.
    pub outside: u32,
    /// The value that it found; `None` if it ended without.
    pub value: Option<i64>,
    /// Why it ended.
    pub stop: Stop,
}

/// Bytes for the bounds of one search.
const MEMORY: u64 = 1 << 30;

impl TreeSearches {
    /// Searches that work as the configurations say.
    ///
    /// # Errors
    ///
    /// If one of them makes no sense.
    pub fn new(configs: impl IntoIterator<Item = Config>) -> Result<TreeSearches, ConfigError> {
        let provers = configs.into_iter().map(|config| Prover::new(config, None));
        Ok(TreeSearches { provers: provers.collect::<Result<_, _>>()?, expanded: HashSet::new() })
    }

    /// Searches a tree by every method, until one is cancelled or ends without a value. With
    /// `read_all` the value is that of minimax over all leaves.
    pub fn look_at(
        &mut self,
        tree: &SyntheticTree,
        read_all: bool,
        seed: u64,
        cancel: Option<&AtomicBool>,
    ) -> SearchedTree {
        let TreeSearches { provers, expanded } = self;
        expanded.clear();
        let mut value = alpha_beta(tree, &mut |leaf| {
            expanded.insert(*leaf);
        });
        if read_all {
            value = minimax(tree);
        }
        let mut searches = Vec::with_capacity(provers.len());
        for prover in provers {
            let (mut leaves, mut outside) = (0, 0);
            let mut count = |leaf: &SyntheticTree| {
                leaves += 1;
                outside += u32::from(!expanded.contains(leaf));
            };
            let budget = Budget { memory: Some(MEMORY), ..Budget::default() };
            let request = Request { cancel, ..Request::new(budget, seed) };
            let report = prover.search_watched(tree, request, &mut count);
            let (value, stop) = (report.margin, report.stop);
            searches.push(TreeSearch { leaves, outside, value, stop });
            if value.is_none() || stop == Stop::Cancelled {
                break;
            }
        }
        SearchedTree { value, alpha_beta: expanded.len() as u32, searches }
    }
}
