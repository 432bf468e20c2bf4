//! `treegraft trees`: how many leaves exact searches expand on random trees.

use std::path::{Path, PathBuf};

use treegraft_pictures::table::Format;
use treegraft_studies::Watch;
use treegraft_studies::trees::Leaves;
use treegraft_studies::trees::{
    Heights, TreeError, TreeMethod, TreeResult, TreeStudy, TreeSummary, methods_from, study_trees,
    tree_plots, tree_rows, tree_tables,
};

use crate::plot_file::{plan_plots, plot_beside, plot_format, write_plots_beside};
use crate::prelude::*;

/// Count the leaves that alpha-beta, MTD, SSS*, FSSS and others expand on random trees
///
/// The experiment of Weinstein, Littman & Goschin (2012): random trees of several heights, searched
/// until the value of the root is known. A leaf counts once, however often it is read. Shows the
/// mean number of leaves, how often a search expands fewer than alpha-beta, and the curve
/// a·b^height through the means, beside the paper's. Every value is checked against textbook
/// alpha-beta (on small trees also against minimax), and every leaf against those that alpha-beta
/// expands: FSSS is proven to expand no others.
///
/// The same seed gives the same numbers, for any --jobs. A tree does not depend on what else is
/// searched; `treegraft show`, `solve` and `analyze` accept its text, which --by-tree writes for
/// every tree.
#[derive(Debug, Args)]
#[command(override_usage = "treegraft trees [OPTIONS]")]
#[command(after_help = "\
Examples:
  treegraft trees --height 4..16 --trees 200
  treegraft trees --height 6..16 --plot leaves.svg
  treegraft trees --height 2..12 --leaves binary --trees 2000
  treegraft trees --height 4..10:2 --branching 3 --methods fsss,mtd --json
  treegraft trees --height 8 --irregular --trees 1000 --by-tree trees.csv

Exit codes: 0 on success, 1 if a value is wrong, if FSSS expanded a leaf that alpha-beta
does not, or if a file could not be written, 2 if the input is wrong, 130 after Ctrl-C, with
the results so far.")]
pub(crate) struct Trees {
    /// Heights in plies: 4..16 (inclusive), 4..16:2 (every second), 4,6,8, or one number
    #[arg(long, value_name = "HEIGHTS", default_value_t = Heights::default())]
    height: Heights,

    /// Children per node
    #[arg(long, value_name = "N", value_parser = whole_number(1u16..=1000), default_value_t = 2)]
    branching: u16,

    /// What the leaves are drawn from: uniform (-2^31 to 2^31), binary (0 or 1), or LOW..HIGH
    #[arg(long, value_name = "LEAVES", default_value = "uniform", allow_hyphen_values = true)]
    leaves: String,

    /// Probability of a 1 at a binary leaf [default: 0.5]
    #[arg(long, value_name = "P")]
    ones: Option<f64>,

    /// Nodes have 1 to N children, and a quarter of those below the root are leaves
    #[arg(long)]
    irregular: bool,

    /// Trees of each height
    #[arg(long, value_name = "N", value_parser = whole_number(1..=1_000_000u32))]
    #[arg(default_value_t = 200)]
    trees: u32,

    /// Seed of all trees and random choices, any number from 0 to 2^64-1
    #[arg(long, value_name = "N", value_parser = whole_number(0..=u64::MAX), default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    jobs: JobsArg,

    /// Searches, joined by commas: mtd, sss, fsss, random, alphabeta2, mt-sss; alpha-beta is always
    /// included [default: all that expand different leaves]
    ///
    /// alpha-beta, sss, fsss and random are rollouts (Huang 2015; Weinstein et al. 2012), mtd is
    /// MTD(+inf) with one bound per visit. alphabeta2 is alpha-beta as a recursion with two bounds,
    /// and mt-sss calls it with null windows from above: they expand the leaves of alpha-beta and
    /// sss.
    #[arg(long, value_name = "NAMES")]
    methods: Option<String>,

    /// Heights for the curves a·b^height [default: those from 6 on, or all if these are too few]
    #[arg(long, value_name = "HEIGHTS")]
    fit: Option<Heights>,

    /// Draw plots: NAME.svg makes NAME-leaves.svg and NAME-shares.svg; or .png
    #[arg(long, value_name = "NAME.svg|NAME.png")]
    plot: Option<PathBuf>,

    /// Write one line per tree: its text, its value, the leaves of every search, and how many of
    /// them alpha-beta does not expand
    #[arg(long, value_name = "FILE.csv")]
    by_tree: Option<PathBuf>,

    /// Print JSON: one object with everything
    #[arg(long)]
    json: bool,
}

impl Trees {
    pub(crate) fn run(&self, _: &Registry) -> Result<Output> {
        let study = self.study()?;
        self.plot.as_deref().map(plot_format).transpose()?;
        let mut files = OutputFiles::default();
        files.plan(&self.by_tree, FileKind::TREES_CSV)?;
        let beside = |path: &PathBuf| ["leaves", "shares"].map(|name| plot_beside(path, name));
        plan_plots(self.plot.iter().flat_map(beside), &mut files)?;
        let results = self.search(&study)?;
        let summary = TreeSummary::new(&study, &results, self.fit.as_ref());
        let mut output =
            Output::either(self.json, "treegraft.trees/1", &summary, || to_text(&study, &summary));
        let mut told = |what: &str, path: &Path| {
            if !self.json {
                output.text.push_str(&format!("{what}  {}\n", path.display()));
            }
        };
        let mut write = || -> Result<()> {
            if let Some(path) = &self.by_tree {
                let text = tree_rows(&study, &results).render(Format::Csv);
                files.put(path, FileKind::TREES_CSV, &text)?;
                told("trees", path);
            }
            if let Some(path) = &self.plot {
                let plots = write_plots_beside(path, &tree_plots(&summary), &mut files)?;
                plots.iter().for_each(|path| told("plot", path));
            }
            Ok(())
        };
        let written = write();
        let failures = summary.failures();
        for failure in &failures {
            // On standard error, where it cannot be missed beside a table or JSON.
            CliError::new(failure).report();
        }
        let code = match (failures.is_empty(), summary.complete) {
            (false, _) => NO_SUCCESS,
            (true, false) => INTERRUPTED,
            (true, true) => 0,
        };
        Ok(Output { code, ..output }.unless_failed(written))
    }

    fn study(&self) -> Result<TreeStudy> {
        let leaves = Leaves::parse(&self.leaves, self.ones).map_err(|problem| {
            CliError::new(format!("--leaves {:?}: {problem}", self.leaves))
                .hint("--leaves uniform, --leaves binary --ones 0.3, or --leaves 0..9")
        })?;
        let methods = match &self.methods {
            None => TreeMethod::USUAL.to_vec(),
            Some(text) => methods_from(text)
                .map_err(|problem| CliError::new(format!("--methods {text:?}: {problem}")))?,
        };
        if let Some(fit) = &self.fit {
            let fitted = self.height.iter().filter(|&height| fit.contains(height)).count();
            if fitted < 2 {
                return Err(CliError::new(format!(
                    "--fit {fit}: a curve needs at least two of the heights {}",
                    self.height
                )));
            }
        }
        let Trees { branching, irregular, trees, seed, .. } = *self;
        let (heights, jobs) = (self.height.clone(), self.jobs.number(false));
        Ok(TreeStudy { branching, heights, leaves, irregular, trees, seed, methods, jobs })
    }

    fn search(&self, study: &TreeStudy) -> Result<Vec<TreeResult>> {
        let total = study.heights.count() as u64 * u64::from(study.trees);
        let counter = Counter::new(total, "trees", self.json);
        let watch = |done: u64| counter.show(done);
        let watch = Watch { progress: Some(&watch), cancel: Some(interrupt::flag()) };
        let results = study_trees(study, watch).map_err(|error| match error {
            TreeError::TooLarge { method: TreeMethod::Random, .. } => {
                CliError::of(error).hint("--methods mtd,sss,fsss, which expand far fewer")
            }
            error => CliError::of(error),
        })?;
        if results.is_empty() {
            return Err(CliError::ended_before("a tree was searched"));
        }
        Ok(results)
    }
}

fn to_text(study: &TreeStudy, summary: &TreeSummary) -> Output {
    let TreeStudy { branching, leaves, trees, seed, .. } = study;
    let irregular = if study.irregular { ", irregular" } else { "" };
    let example = summary.heights.last().map_or("", |at| &at.example);
    let head = labelled(&[
        ("trees", format!("branching {branching}{irregular}, leaves {leaves}")),
        (
            "heights",
            format!("{}; {} trees of each, seed {seed}", study.heights, grouped(u64::from(*trees))),
        ),
        ("look at", format!("treegraft show {example}")),
        ("", "(the first one of the last height; --by-tree lists all of them)".to_owned()),
    ]);
    let mut text = format!("{head}\n{}", tables(&tree_tables(summary), Format::Text));
    if !summary.complete {
        let done: u64 = summary.heights.iter().map(|at| u64::from(at.trees)).sum();
        let total = study.heights.count() as u64 * u64::from(*trees);
        let (done, total) = (grouped(done), grouped(total));
        let note = format!("ended by {} after {done} of {total} trees", interrupt::cause());
        text.push_str(&format!("\nnote: {}\n", wrap(&note)));
    }
    Output::text(text + "\n")
}
