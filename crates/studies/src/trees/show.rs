//! A study as tables and plots.

use treegraft_pictures::plot::{Axis, Plot, Point, Series, Style};
use treegraft_pictures::table::{Cell, Column, Table};
use treegraft_stats::{Exponential, Mean};

use super::method::TreeMethod;
use super::study::{TreeResult, TreeStudy};
use super::summary::{FitSummary, HeightSummary, MethodSummary, Share, TreeSummary};
use crate::traps::Ratio;

/// The tables: leaves, their range, shares of trees, curves and checks.
#[must_use]
pub fn tree_tables(summary: &TreeSummary) -> Vec<Table> {
    let mut tables = vec![leaves(summary), range(summary)];
    if summary.methods.iter().any(|&method| is_compared(method)) {
        tables.push(ratios(summary));
        tables.extend(shares(summary));
    }
    tables.extend(fsss_and_mtd(summary));
    tables.extend(fits(summary));
    tables.push(checks(summary));
    tables
}

/// Whether it can expand other leaves than alpha-beta.
fn is_compared(method: TreeMethod) -> bool {
    !matches!(method, TreeMethod::AlphaBeta | TreeMethod::AlphaBeta2)
}

/// A row for each height, with a cell for each method that `is_shown`.
fn by_height(
    title: &str,
    summary: &TreeSummary,
    is_shown: fn(TreeMethod) -> bool,
    column: fn(&'static str) -> Column,
    cell: &dyn Fn(&MethodSummary) -> Cell,
) -> Table {
    let methods = summary.methods.iter().filter(|&&method| is_shown(method));
    let methods = methods.map(|method| column(method.name()).key(method.key().replace('-', "_")));
    let mut columns = vec![Column::number("height")];
    columns.extend(methods);
    let mut table = Table::new(title, columns);
    for at in &summary.heights {
        let mut row = vec![Cell::Whole(u64::from(at.height))];
        row.extend(at.methods.iter().filter(|of| is_shown(of.method)).map(cell));
        table.rows.push(row);
    }
    table
}

fn leaves(summary: &TreeSummary) -> Table {
    let mean = |of: &MethodSummary| {
        // Four digits or so; tall trees have no use for fractions.
        ratio(of.leaves).cell(if of.leaves.mean < 1000.0 { 1 } else { 0 })
    };
    let mut table = by_height("Leaves expanded", summary, |_| true, Column::number, &mean);
    table.columns.insert(1, Column::number("trees"));
    for (row, at) in table.rows.iter_mut().zip(&summary.heights) {
        row.insert(1, Cell::Whole(u64::from(at.trees)));
    }
    table.notes.push("± is half the 95 % interval of the mean.".to_owned());
    table
}

fn ratio(mean: Mean) -> Ratio {
    Ratio { mean: mean.mean, error: mean.error }
}

fn range(summary: &TreeSummary) -> Table {
    let range = |of: &MethodSummary| Cell::text(format!("{} to {}", of.min, of.max));
    by_height("Fewest and most leaves", summary, |_| true, Column::number, &range)
}

fn ratios(summary: &TreeSummary) -> Table {
    let title = "Leaves for each leaf of alpha-beta";
    by_height(title, summary, is_compared, Column::number, &|of| of.ratio.cell(3))
}

fn share_cell(share: &Share) -> Cell {
    Cell::interval(share.share, share.ci95.low, share.ci95.high, 1)
}

/// The shares of trees on which a method is better than alpha-beta; with binary leaves those of odd
/// and of even height apart.
fn shares(summary: &TreeSummary) -> Vec<Table> {
    const TITLE: &str = "Trees with fewer leaves than alpha-beta's";
    let all = by_height(TITLE, summary, is_compared, Column::percent, &|of| share_cell(&of.better));
    if !summary.is_binary() {
        return vec![all];
    }
    let part = |(parity, rest): (&'static str, u16)| {
        let here = |at: &HeightSummary| at.height % 2 == rest;
        let rows = all.rows.iter().zip(&summary.heights).filter(|(_, at)| here(at));
        let mut table = Table::new(format!("{TITLE}, {parity} heights"), all.columns.clone());
        table.rows = rows.map(|(row, _)| row.clone()).collect();
        let pooled = summary.parity.iter().filter(|of| of.parity == parity);
        let pooled = pooled.filter(|of| is_compared(of.method)).map(|of| share_cell(&of.better));
        let is_empty = table.rows.is_empty();
        table.rows.push([Cell::text("all")].into_iter().chain(pooled).collect());
        (!is_empty).then_some(table)
    };
    [("odd", 1), ("even", 0)].into_iter().filter_map(part).collect()
}

/// FSSS against MTD(+∞), tree by tree.
fn fsss_and_mtd(summary: &TreeSummary) -> Option<Table> {
    let columns = [
        Column::number("height"),
        Column::percent("FSSS has fewer leaves").key("fsss_below_mtd"),
        Column::percent("MTD(+∞) has fewer leaves").key("mtd_below_fsss"),
    ];
    let mut table = Table::new("FSSS and MTD(+∞), tree by tree", columns);
    for at in &summary.heights {
        let (fsss, mtd) = (at.fsss_below_mtd.as_ref()?, at.mtd_below_fsss.as_ref()?);
        let height = Cell::Whole(u64::from(at.height));
        table.rows.push(vec![height, share_cell(fsss), share_cell(mtd)]);
    }
    Some(table)
}

fn fits(summary: &TreeSummary) -> Option<Table> {
    let first = summary.fits.first()?;
    let paper = summary.fits.iter().find_map(|fit| fit.paper.as_ref());
    let mut columns = vec![Column::text("method"), Column::number("a"), Column::number("b")];
    if paper.is_some() {
        columns.extend([
            Column::number("paper's a").key("paper_a"),
            Column::number("paper's b").key("paper_b"),
            Column::number("b - paper's b").key("difference").signed(),
        ]);
    }
    let title = format!("Leaves as a·b^height, heights {}", first.heights);
    let mut table = Table::new(title, columns);
    for fit in &summary.fits {
        let Exponential { a, b } = fit.curve;
        let mut row = vec![Cell::text(fit.method.name()), Cell::number(a, 3), Cell::number(b, 4)];
        if let Some(paper) = &fit.paper {
            let number = |value| Cell::number(value, 2);
            row.extend([number(paper.curve.a), number(paper.curve.b)]);
            row.push(Cell::number(b - paper.curve.b, 4));
        }
        table.rows.push(row);
    }
    table.notes.push("Least squares on the logarithms of the means.".to_owned());
    if let Some(paper) = paper {
        table.notes.push(format!("Paper: {}.", paper.source));
    }
    Some(table)
}

fn checks(summary: &TreeSummary) -> Table {
    let sum = |what: &dyn Fn(&HeightSummary) -> u32| {
        Cell::Whole(summary.heights.iter().map(|at| u64::from(what(at))).sum())
    };
    let outside = Column::number("trees with a leaf that alpha-beta leaves out").key("violations");
    let mut table = Table::of(
        "Checks",
        summary.methods.iter().enumerate(),
        &[
            (Column::text("method"), &|(_, method)| Cell::text(method.name())),
            (Column::number("trees"), &|_| sum(&|at| at.trees)),
            (Column::number("wrong values").key("wrong"), &|&(i, _)| {
                sum(&|at| at.methods[i].wrong)
            }),
            (outside, &|&(i, _)| sum(&|at| at.methods[i].violations)),
        ],
    );
    let last = summary.heights.iter().rev().find(|at| at.by_minimax).map(|at| at.height);
    table.notes.push(match last {
        Some(last) => format!(
            "Values are those of textbook alpha-beta, up to height {last} also of minimax over all \
             leaves."
        ),
        None => "Values are those of textbook alpha-beta.".to_owned(),
    });
    table
}

/// Every tree with its text and what each method did with it.
#[must_use]
pub fn tree_rows(study: &TreeStudy, results: &[TreeResult]) -> Table {
    let mut columns = vec![
        Column::number("height"),
        Column::number("number"),
        Column::text("tree"),
        Column::number("value"),
    ];
    for method in &study.methods {
        let key = method.key().replace('-', "_");
        columns.push(Column::number(method.name()).key(&key));
        columns.push(Column::number(method.name()).key(format!("{key}_outside")));
    }
    let mut table = Table::new("Trees", columns);
    for tree in results {
        let mut row = vec![
            Cell::Whole(u64::from(tree.height)),
            Cell::Whole(u64::from(tree.number)),
            Cell::text(study.game(tree.height, tree.number)),
            Cell::number(tree.value as f64, 0),
        ];
        for of in &tree.methods {
            row.extend([of.leaves, of.outside].map(|count| Cell::Whole(u64::from(count))));
        }
        table.rows.push(row);
    }
    table
}

/// The plots with their names: `leaves`, and `shares` if there is something to compare.
#[must_use]
pub fn tree_plots(summary: &TreeSummary) -> Vec<(String, Plot)> {
    let mut plots = vec![("leaves".to_owned(), leaves_plot(summary))];
    if summary.methods.iter().any(|&method| is_compared(method)) {
        plots.push(("shares".to_owned(), shares_plot(summary)));
    }
    plots
}

fn about(summary: &TreeSummary) -> String {
    let irregular = if summary.irregular { "irregular, " } else { "" };
    let TreeSummary { branching, leaves, trees, .. } = summary;
    format!("{irregular}branching {branching}, {leaves} leaves, {trees} trees per height")
}

fn leaves_plot(summary: &TreeSummary) -> Plot {
    let title = format!("Leaves expanded: {}", about(summary));
    let y = Axis::new("leaves, 95 % interval").log();
    let mut plot = Plot::new(title, Axis::new("height"), y);
    let ends = [summary.heights.first(), summary.heights.last()];
    let ends = ends.map(|at| at.map_or(0.0, |at| f64::from(at.height)));
    let line = |curve: Exponential| {
        ends.map(|height| Point::new(height, curve.a * libm::pow(curve.b, height)))
    };
    // Lines first, so that markers stand above them.
    for (i, method) in summary.methods.iter().enumerate() {
        if let Some(FitSummary { curve, paper, .. }) =
            summary.fits.iter().find(|fit| fit.method == *method)
        {
            let name = format!("{}: {:.2}·{:.3}^h", method.name(), curve.a, curve.b);
            plot = plot.with(Series::new(name, Style::Curve, line(*curve)).look(i));
            if let Some(paper) = paper {
                let name = format!("paper: {}·{}^h", paper.curve.a, paper.curve.b);
                plot = plot.with(Series::new(name, Style::Dashed, line(paper.curve)).look(i));
            }
        }
        let points = summary.heights.iter().map(|at| ratio(at.methods[i].leaves).point(at.height));
        plot = plot.with(Series::new(method.name(), Style::Points, points).look(i));
    }
    plot
}

fn shares_plot(summary: &TreeSummary) -> Plot {
    let title = format!("Trees with fewer leaves than alpha-beta's: {}", about(summary));
    let y = Axis::new("share of trees, 95 % interval").percent().range(0.0, 1.0);
    let mut plot = Plot::new(title, Axis::new("height"), y);
    let parts: &[(&str, Option<u16>)] = match summary.is_binary() {
        true => &[(", odd heights", Some(1)), (", even heights", Some(0))],
        false => &[("", None)],
    };
    for (i, method) in summary.methods.iter().enumerate().filter(|(_, m)| is_compared(**m)) {
        for &(which, parity) in parts {
            let here = |at: &&HeightSummary| parity.is_none_or(|rest| at.height % 2 == rest);
            let points = summary.heights.iter().filter(here).map(|at| {
                let Share { share, ci95, .. } = at.methods[i].better;
                Point::new(f64::from(at.height), share).between(ci95.low, ci95.high)
            });
            let name = format!("{}{which}", method.name());
            plot = plot.with(Series::new(name, Style::Line, points));
        }
    }
    plot
}
