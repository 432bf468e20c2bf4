//! Synthetic trees: how many leaves a search expands to find the value of the root.
//!
//! The experiment of Weinstein, Littman & Goschin 2012 (*Rollout-based Game-tree Search Outprunes
//! Traditional Alpha-beta*), section 4: alpha-beta, MTD(+∞), SSS*, FSSS and others on many random
//! trees of several heights. A leaf counts once, however often it is read. [`study_trees`] searches
//! the trees, [`TreeSummary`] sums up, [`tree_tables`] and [`tree_plots`] show it.
//!
//! ```
//! use treegraft_studies::Watch;
//! use treegraft_studies::trees::{TreeStudy, TreeSummary, study_trees};
//!
//! let study = TreeStudy { heights: "4,6".parse()?, trees: 50, ..TreeStudy::default() };
//! let results = study_trees(&study, Watch::default())?;
//! let summary = TreeSummary::new(&study, &results, None);
//! assert!(summary.failures().is_empty());
//! let means: Vec<f64> = summary.heights[1].methods.iter().map(|of| of.leaves.mean).collect();
//! assert!(means[0] > means[3], "FSSS expands fewer leaves than alpha-beta");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod heights;
mod method;
mod show;
mod study;
mod summary;

pub use heights::Heights;
pub use method::{PaperFit, TreeMethod, methods_from};
pub use show::{tree_plots, tree_rows, tree_tables};
pub use study::{MethodResult, TreeError, TreeResult, TreeStudy, study_trees};
pub use summary::{FitSummary, HeightSummary, MethodSummary, ParitySummary, Share, TreeSummary};
pub use treegraft_games::tree::Leaves;
pub use treegraft_players::trees::{alpha_beta, minimax};
