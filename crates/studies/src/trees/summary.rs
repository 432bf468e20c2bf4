//! What the searches come to.

use serde::Serialize;
use treegraft_games::tree::Leaves;
use treegraft_stats::{Exponential, Interval, Mean, Tally, fit_exponential, mean_ci95};

use super::heights::Heights;
use super::method::{PaperFit, TreeMethod};
use super::study::{MethodResult, TreeResult, TreeStudy};
use crate::traps::Ratio;

/// Leaves by height and method, curves through them, and whether all went as it must.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TreeSummary {
    /// Children a node.
    pub branching: u16,
    /// What the leaves are drawn from, as in the text of a tree.
    pub leaves: String,
    /// Whether the trees are irregular.
    pub irregular: bool,
    /// Requested trees of each height.
    pub trees: u32,
    /// The seed of the study.
    pub seed: u64,
    /// The searches.
    pub methods: Vec<TreeMethod>,
    /// Whether all trees were searched.
    pub complete: bool,
    /// The heights, the lowest first.
    pub heights: Vec<HeightSummary>,
    /// A curve for every method.
    pub fits: Vec<FitSummary>,
    /// The shares of trees with fewer leaves than alpha-beta's, of odd and even heights apart.
    pub parity: Vec<ParitySummary>,
}

/// All trees of one height.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HeightSummary {
    /// The height.
    pub height: u16,
    /// How many trees were searched.
    pub trees: u32,
    /// The text of the first one.
    pub example: String,
    /// Whether their values were checked by reading all leaves, not by alpha-beta alone.
    pub by_minimax: bool,
    /// The methods, in the study's order.
    pub methods: Vec<MethodSummary>,
    /// Trees on which FSSS expands fewer leaves than MTD(+∞); `None` if one of them is missing.
    pub fsss_below_mtd: Option<Share>,
    /// Trees on which MTD(+∞) expands fewer leaves than FSSS.
    pub mtd_below_fsss: Option<Share>,
}

/// A method on all trees of one height.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MethodSummary {
    /// The method.
    pub method: TreeMethod,
    /// Leaves expanded, with the 95 % interval of the mean.
    pub leaves: Mean,
    /// The fewest.
    pub min: u32,
    /// The most.
    pub max: u32,
    /// Leaves expanded for each one that alpha-beta expands.
    pub ratio: Ratio,
    /// Trees with strictly fewer leaves than alpha-beta's.
    pub better: Share,
    /// Trees with strictly more leaves than alpha-beta's.
    pub worse: Share,
    /// Trees with a leaf that alpha-beta does not expand.
    pub violations: u32,
    /// Trees with a wrong value.
    pub wrong: u32,
}

/// How many of some trees.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Share {
    /// These trees.
    pub count: u32,
    /// Of this many.
    pub of: u32,
    /// The quotient.
    pub share: f64,
    /// Its 95 % interval (Wilson).
    pub ci95: Interval,
}

/// The curve a·bʰ through the means of a method.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FitSummary {
    /// The method.
    pub method: TreeMethod,
    /// The heights whose means it goes through.
    pub heights: Heights,
    /// The curve.
    #[serde(flatten)]
    pub curve: Exponential,
    /// The paper's curve for such trees.
    pub paper: Option<PaperFit>,
}

/// A method on all trees of odd, or of even height.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ParitySummary {
    /// The method.
    pub method: TreeMethod,
    /// "odd" or "even".
    pub parity: &'static str,
    /// Trees with strictly fewer leaves than alpha-beta's.
    pub better: Share,
}

impl Share {
    fn new(count: u32, of: u32) -> Share {
        let tally = Tally { wins: count, draws: 0, losses: of - count };
        Share { count, of, share: tally.score(), ci95: tally.wilson95() }
    }
}

impl TreeSummary {
    /// Sums up the results of a study. The curves go through the heights of `fit`; without them
    /// through those from 6 on, or through all if these are fewer than two.
    #[must_use]
    pub fn new(study: &TreeStudy, results: &[TreeResult], fit: Option<&Heights>) -> TreeSummary {
        let of_height = results.chunk_by(|a, b| a.height == b.height);
        let heights: Vec<HeightSummary> = of_height.map(|trees| height(study, trees)).collect();
        let complete = results.len() == study.heights.count() * study.trees as usize;
        TreeSummary {
            branching: study.branching,
            leaves: study.leaves.to_string(),
            irregular: study.irregular,
            trees: study.trees,
            seed: study.seed,
            methods: study.methods.clone(),
            complete,
            fits: fits(study, &heights, fit),
            parity: parity(study, &heights),
            heights,
        }
    }

    /// Whether the leaves have two values only, so that odd and even heights differ much.
    pub(super) fn is_binary(&self) -> bool {
        self.leaves.starts_with("binary")
    }

    /// What must not happen, in words: wrong values, and leaves beyond those of alpha-beta where
    /// that is proven to be impossible.
    #[must_use]
    pub fn failures(&self) -> Vec<String> {
        let mut failures = Vec::new();
        for at in &self.heights {
            for of in &at.methods {
                let (name, trees, height) = (of.method.name(), at.trees, at.height);
                if of.wrong > 0 {
                    failures.push(format!(
                        "{name} found a wrong value for {} of {trees} trees of height {height}",
                        of.wrong
                    ));
                }
                if of.violations > 0 && of.method.dominates() {
                    failures.push(format!(
                        "{name} expanded leaves that alpha-beta does not expand, in {} of {trees} \
                         trees of height {height}",
                        of.violations
                    ));
                }
            }
        }
        failures
    }
}

/// `trees` is not empty.
fn height(study: &TreeStudy, trees: &[TreeResult]) -> HeightSummary {
    let height = trees[0].height;
    let share = |is_it: &dyn Fn(&TreeResult) -> bool| {
        Share::new(trees.iter().filter(|tree| is_it(tree)).count() as u32, trees.len() as u32)
    };
    let place = |method| study.methods.iter().position(|&known| known == method);
    let both = place(TreeMethod::Fsss).zip(place(TreeMethod::Mtd));
    let below = |a: usize, b: usize| {
        share(&|tree: &TreeResult| tree.methods[a].leaves < tree.methods[b].leaves)
    };
    let method = |(i, &method): (usize, &TreeMethod)| {
        let results: Vec<(MethodResult, u32)> =
            trees.iter().map(|tree| (tree.methods[i], tree.alpha_beta)).collect();
        let leaves = || results.iter().map(|(result, _)| result.leaves);
        let pairs: Vec<(f64, f64)> =
            results.iter().map(|(own, other)| (f64::from(own.leaves), f64::from(*other))).collect();
        let values: Vec<f64> = leaves().map(f64::from).collect();
        let count = |is_it: &dyn Fn(&MethodResult) -> bool| {
            results.iter().filter(|(result, _)| is_it(result)).count() as u32
        };
        MethodSummary {
            method,
            leaves: mean_ci95(&values).unwrap_or(NO_MEAN),
            min: leaves().min().unwrap_or(0),
            max: leaves().max().unwrap_or(0),
            ratio: Ratio::of(&pairs, pairs.len() as f64).unwrap_or(Ratio::NOTHING),
            better: share(&|tree| tree.methods[i].leaves < tree.alpha_beta),
            worse: share(&|tree| tree.methods[i].leaves > tree.alpha_beta),
            violations: count(&|result| result.outside > 0),
            wrong: count(&|result| result.is_wrong),
        }
    };
    HeightSummary {
        height,
        trees: trees.len() as u32,
        example: study.game(height, 0),
        by_minimax: study.is_small(height),
        methods: study.methods.iter().enumerate().map(method).collect(),
        fsss_below_mtd: both.map(|(fsss, mtd)| below(fsss, mtd)),
        mtd_below_fsss: both.map(|(fsss, mtd)| below(mtd, fsss)),
    }
}

const NO_MEAN: Mean = Mean { count: 0, mean: f64::NAN, sd: None, error: None };

/// Where curves begin by default: lower trees are not yet pruned as well as higher ones.
const FIRST_FITTED: u16 = 6;

fn fits(study: &TreeStudy, heights: &[HeightSummary], fit: Option<&Heights>) -> Vec<FitSummary> {
    let those = |is_one: &dyn Fn(&u16) -> bool| {
        Heights::new(heights.iter().map(|at| at.height).filter(is_one))
    };
    let high = || those(&|&height| height >= FIRST_FITTED).filter(|high| high.count() >= 2);
    let fitted = match fit {
        Some(fit) => those(&|&height| fit.contains(height)),
        None => high().or_else(|| those(&|_| true)),
    };
    let Some(fitted) = fitted else { return Vec::new() };
    let is_papers = study.branching == 2 && study.leaves == Leaves::UNIFORM && !study.irregular;
    let curve = |(i, &method): (usize, &TreeMethod)| {
        let points = heights.iter().filter(|at| fitted.contains(at.height));
        let points = points.map(|at| (f64::from(at.height), at.methods[i].leaves.mean, 1.0));
        let curve = fit_exponential(&points.collect::<Vec<_>>())?;
        let paper = method.paper_fit().filter(|_| is_papers);
        Some(FitSummary { method, heights: fitted.clone(), curve, paper })
    };
    study.methods.iter().enumerate().filter_map(curve).collect()
}

fn parity(study: &TreeStudy, heights: &[HeightSummary]) -> Vec<ParitySummary> {
    let mut found = Vec::new();
    for (i, &method) in study.methods.iter().enumerate() {
        for (parity, rest) in [("odd", 1), ("even", 0)] {
            let shares = heights.iter().filter(|at| at.height % 2 == rest);
            let shares = shares.map(|at| at.methods[i].better);
            let (count, of) =
                shares.fold((0, 0), |(count, of), share| (count + share.count, of + share.of));
            if of > 0 {
                found.push(ParitySummary { method, parity, better: Share::new(count, of) });
            }
        }
    }
    found
}
