//! `treegraft report`: what an experiment came to, as tables and plots.

use std::path::{Path, PathBuf};

use treegraft_lab::report::{ExperimentReport, comparison, times};
use treegraft_pictures::table::Format;

use crate::experiment::ExperimentArgs;
use crate::plot_file::{plan_plots, plot_format, write_plot};
use crate::prelude::*;

/// Print the tables of an experiment, and draw its plots
///
/// The report is computed from the games in the store, even while a run writes to it. Without
/// --times nothing depends on a clock: the same games give the same report to the last byte.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treegraft report examples/quick.toml
  treegraft report examples/quick.toml --format latex > table.tex
  treegraft report examples/sweep.toml --plot sweep.png
  treegraft report examples/quick.toml --table ratings --format csv
  treegraft report examples/sweep.toml --compare 5 --table comparison")]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    experiment: ExperimentArgs,

    /// text, markdown, latex, csv (one table: results, or that of --table) or json
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,

    /// Print this table only, such as results, games, ratings or work
    #[arg(long, value_name = "NAME")]
    table: Option<String>,

    /// Add a table of the time per move, which is not repeatable
    #[arg(long)]
    times: bool,

    /// Add a table `comparison` of every row of the results with row ROW (counted from 1): do they
    /// differ by more than chance?
    #[arg(long, value_name = "ROW", value_parser = whole_number(1usize..=1_000_000))]
    compare: Option<usize>,

    /// Draw the results to this file, which ends in .svg or .png
    ///
    /// If there are several plots, each one after the first gets its name inserted before the
    /// extension.
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

impl ReportArgs {
    pub(crate) fn run(&self, registry: &Registry) -> Result<Output> {
        let loaded = self.experiment.load(registry)?;
        let mut files = self.experiment.kept()?;
        plan_plots(&self.plot, &mut files)?;
        let rows = self.experiment.rows()?;
        let counted = loaded.counted(&rows);
        if counted.is_empty() {
            let store = self.experiment.store_path();
            return Err(CliError::new(format!(
                "no games of this experiment are in {}",
                store.display()
            ))
            .hint(format!("`{}` plays them", self.experiment.command("run"))));
        }
        let mut report = treegraft_lab::report::report(&loaded.experiment, &counted);
        if self.times {
            report.tables.push(("times", times(&loaded.experiment, &counted)));
        }
        if let Some(row) = self.compare {
            let table = comparison(&loaded.experiment, &counted, row).ok_or_else(|| {
                let rows = loaded.experiment.plan.pairings.len();
                CliError::new(format!("--compare is {row}; expected a row from 1 to {rows}"))
            })?;
            report.tables.push(("comparison", table));
        }
        let drawn = match &self.plot {
            None => Ok(()),
            Some(path) => write_plots(&report, path, &mut files).map(drop),
        };
        let format = if self.json { Format::Json } else { self.format };
        let schema = |name: &str, value| {
            let text = serde_json::to_string_pretty(&with_schema(name, &value));
            Output::data(text.unwrap_or_default())
        };
        if format == Format::Json && self.table.is_none() {
            return Ok(schema("treegraft.report/1", report.to_json()).unless_failed(drawn));
        }
        let text = match &self.table {
            None => report.render(format),
            Some(name) => {
                let table = report.table(name).ok_or_else(|| {
                    let names: Vec<&str> = report.tables.iter().map(|(name, _)| *name).collect();
                    CliError::new(format!(
                        "there is no table {name:?}; there are {}",
                        names.join(", ")
                    ))
                })?;
                if format == Format::Json {
                    return Ok(schema(&format!("treegraft.report.{name}/1"), table.to_json()));
                }
                table.render(format)
            }
        };
        let output = match format {
            Format::Text => Output::text(text),
            _ => Output::data(text),
        };
        Ok(output.unless_failed(drawn))
    }
}

/// Writes the plots of a report, the first to `path`; returns where they are.
pub(super) fn write_plots(
    report: &ExperimentReport,
    path: &Path,
    files: &mut OutputFiles,
) -> Result<Vec<PathBuf>> {
    let (ending, _) = plot_format(path)?;
    let mut paths = Vec::new();
    for (index, (name, plot)) in report.plots.iter().enumerate() {
        let path = match index {
            0 => path.to_owned(),
            _ => path.with_extension(format!("{name}.{ending}")),
        };
        write_plot(&path, plot, files)?;
        paths.push(path);
    }
    Ok(paths)
}
