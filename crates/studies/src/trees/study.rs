//! Many trees, each searched by every method.

use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use treegraft::{Stop, derive_seed};
use treegraft_games::SyntheticTree;
use treegraft_games::tree::Leaves;
use treegraft_lab::ThreadsError;
use treegraft_players::trees::{SearchedTree, TreeSearch, TreeSearches};

use super::heights::Heights;
use super::method::TreeMethod;
use crate::watch::{Watch, is_set};

/// What is to be searched.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeStudy {
    /// Children a node; the most of them in irregular trees.
    pub branching: u16,
    /// Heights of the trees.
    pub heights: Heights,
    /// What the numbers at the leaves are drawn from.
    pub leaves: Leaves,
    /// Whether nodes have fewer children, and leaves any depth.
    pub irregular: bool,
    /// Trees of each height.
    pub trees: u32,
    /// Where all random choices come from.
    pub seed: u64,
    /// The searches. All are compared to alpha-beta, also if it is not among them.
    pub methods: Vec<TreeMethod>,
    /// Trees searched at once; 0: one per processor.
    pub jobs: usize,
}

/// The paper's first experiment, with 200 trees of each height.
impl Default for TreeStudy {
    fn default() -> TreeStudy {
        TreeStudy {
            branching: 2,
            heights: Heights::default(),
            leaves: Leaves::UNIFORM,
            irregular: false,
            trees: 200,
            seed: 1,
            methods: TreeMethod::USUAL.to_vec(),
            jobs: 0,
        }
    }
}

/// A tree that has been searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeResult {
    /// Its height.
    pub height: u16,
    /// Its number among those of its height, from 0.
    pub number: u32,
    /// Its value.
    pub value: i64,
    /// Leaves that alpha-beta expands.
    pub alpha_beta: u32,
    /// What the methods of the study did, in their order.
    pub methods: Vec<MethodResult>,
}

/// What a method did with a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MethodResult {
    /// Leaves that it expanded.
    pub leaves: u32,
    /// Those of them that alpha-beta does not expand.
    pub outside: u32,
    /// Whether it found another value than the right one.
    pub is_wrong: bool,
}

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TreeError {
    /// There are no such trees.
    #[error("no tree has branching {branching}, height {height} and leaves {leaves}")]
    Impossible {
        /// Children a node.
        branching: u16,
        /// The height.
        height: u16,
        /// What its leaves are.
        leaves: Leaves,
    },
    /// It would take too long.
    #[error(
        "trees of branching {branching} and height {height} are too large: {method} would expand \
         about {leaves:.0e} leaves of each; heights up to {highest} are possible"
    )]
    TooLarge {
        /// Children a node.
        branching: u16,
        /// The height.
        height: u16,
        /// The search that would expand most leaves.
        method: TreeMethod,
        /// An estimate of them.
        leaves: f64,
        /// The largest possible height.
        highest: u16,
    },
    /// A search has ended without the value.
    #[error("{method} did not find the value of {game}: it ended with {stop:?}")]
    Unsolved {
        /// The search.
        method: TreeMethod,
        /// The tree.
        game: String,
        /// Why it ended.
        stop: Stop,
    },
    /// The threads could not be started.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
}

impl TreeStudy {
    /// A tree of the study; `None` if no tree has these numbers.
    ///
    /// Its seed follows from that of the study, the height and the number, so that a tree stays the
    /// same whatever else is searched.
    #[must_use]
    pub fn tree(&self, height: u16, number: u32) -> Option<SyntheticTree> {
        let seed = derive_seed(derive_seed(self.seed, u64::from(height)), u64::from(number));
        let tree = SyntheticTree::new(self.branching, height, self.leaves, seed)?;
        Some(if self.irregular { tree.irregular() } else { tree })
    }

    /// The text of a tree, as commands take it.
    #[must_use]
    pub fn game(&self, height: u16, number: u32) -> String {
        self.tree(height, number).map_or_else(String::new, |tree| tree.canonical())
    }

    /// Whether each tree of this height is small enough to read all its leaves for a check.
    #[must_use]
    pub fn is_small(&self, height: u16) -> bool {
        const MAX_LEAVES: u64 = 4096;
        let leaves = u64::from(self.branching).checked_pow(u32::from(height));
        leaves.is_some_and(|leaves| leaves <= MAX_LEAVES)
    }

    /// Refuses trees that do not exist or are too large to search.
    ///
    /// # Errors
    ///
    /// If there are some.
    pub fn check(&self) -> Result<(), TreeError> {
        let TreeStudy { branching, leaves, .. } = *self;
        for height in self.heights.iter() {
            if self.tree(height, 0).is_none_or(|_| branching > MAX_CHILDREN) {
                return Err(TreeError::Impossible { branching, height, leaves });
            }
            let leaves = self.estimate(height);
            if leaves > MAX_EXPANDED {
                let fits = |&height: &u16| self.estimate(height) <= MAX_EXPANDED;
                let highest = (1..height).rev().find(fits).unwrap_or(0);
                let method = self.worst();
                return Err(TreeError::TooLarge { branching, height, method, leaves, highest });
            }
        }
        Ok(())
    }

    /// The method that expands most leaves.
    fn worst(&self) -> TreeMethod {
        match self.methods.contains(&TreeMethod::Random) {
            true => TreeMethod::Random,
            false => TreeMethod::AlphaBeta,
        }
    }

    /// About how many leaves are expanded by the worst method, an upper limit rather than a mean.
    ///
    /// Random rollouts leave few out. Alpha-beta does better:
    /// With different leaves the number grows like (ξ / (1 - ξ))ʰ, where ξ is the positive root of
    /// xᵇ + x = 1 (Pearl 1982). An irregular tree has 3/4 · (b + 1) / 2 children a node.
    fn estimate(&self, height: u16) -> f64 {
        let branching = f64::from(self.branching);
        let height = f64::from(height);
        if self.irregular {
            return libm::pow((0.375 * (branching + 1.0)).max(1.0), height);
        }
        if self.worst() == TreeMethod::Random {
            return libm::pow(branching, height);
        }
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            let is_above = libm::pow(middle, branching) + middle > 1.0;
            (low, high) = if is_above { (low, middle) } else { (middle, high) };
        }
        // Low trees are not pruned so well; this is a little above what was measured up to height
        // 18.
        let growth = 1.04 * low / (1.0 - low);
        libm::pow(branching, height).min(1.8 * libm::pow(growth, height))
    }
}

/// What the text of a tree can say.
const MAX_CHILDREN: u16 = 1000;

/// Leaves of one tree: some seconds for a search that reads a million a second, and some hundred
/// megabytes for its bounds.
const MAX_EXPANDED: f64 = 5e6;

/// Searches all trees. The results come in the order of heights and numbers; there are fewer than
/// requested if the study was cancelled, of every height about equally many.
///
/// # Errors
///
/// If trees of the study do not exist or are too large, or if a search ends without a value.
pub fn study_trees(study: &TreeStudy, watch: Watch<'_>) -> Result<Vec<TreeResult>, TreeError> {
    study.check()?;
    let heights: Vec<u16> = study.heights.iter().collect();
    let total = heights.len() * study.trees as usize;
    // Trees of all heights in turn, so that a study that is cancelled has some of each.
    let task = |task: usize| (heights[task % heights.len()], (task / heights.len()) as u32);
    let tasks: Vec<(u16, u32)> = (0..total).map(task).collect();
    let mut found = watch.collect(
        study.jobs,
        &tasks,
        || {
            let configs = study.methods.iter().map(|method| method.config());
            TreeSearches::new(configs).expect("every method has a configuration that makes sense")
        },
        |searches, &(height, number)| study.look_at(searches, height, number, watch.cancel),
    )?;
    found.sort_unstable_by_key(|result| (result.height, result.number));
    Ok(found)
}

impl TreeStudy {
    /// Searches a tree by every method; `None` if that was cancelled.
    fn look_at(
        &self,
        searches: &mut TreeSearches,
        height: u16,
        number: u32,
        cancel: Option<&AtomicBool>,
    ) -> Result<Option<TreeResult>, TreeError> {
        let Some(tree) = self.tree(height, number).filter(|_| !is_set(cancel)) else {
            return Ok(None);
        };
        let seed = derive_seed(derive_seed(self.seed, u64::from(height)), !u64::from(number));
        let SearchedTree { value, alpha_beta, searches } =
            searches.look_at(&tree, self.is_small(height), seed, cancel);
        let mut methods = Vec::with_capacity(searches.len());
        for (&method, search) in self.methods.iter().zip(searches) {
            let TreeSearch { leaves, outside, value: found, stop } = search;
            match (found, stop) {
                (_, Stop::Cancelled) => return Ok(None),
                (Some(found), _) => {
                    methods.push(MethodResult { leaves, outside, is_wrong: found != value });
                }
                (None, stop) => {
                    let game = self.game(height, number);
                    return Err(TreeError::Unsolved { method, game, stop });
                }
            }
        }
        Ok(Some(TreeResult { height, number, value, alpha_beta, methods }))
    }
}
