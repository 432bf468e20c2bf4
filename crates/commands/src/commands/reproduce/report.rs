//! `treegraft reproduce report`: papers and measurements side by side.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use treegraft_papers::report::{
    Document, PaperReport, Report as Papers, Row, Section, documents, html, table,
};
use treegraft_papers::{Catalogue, Scale, Verdict};
use treegraft_pictures::table::{Cell, Column, Format, Table};

use super::{Where, entries};
use crate::prelude::*;

/// Put published and measured values side by side
///
/// Prints how many values of each paper agree; with an ID, every row of its experiments. With --html,
/// writes one page for all papers, which opens without a network, and a Markdown page with its
/// pictures for each paper.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treegraft reproduce report
  treegraft reproduce report weinstein-2012
  treegraft reproduce report --html out
  treegraft reproduce report --dir papers --json")]
pub(crate) struct Report {
    /// Papers or experiments whose rows are printed
    #[arg(value_name = "ID")]
    ids: Vec<String>,

    #[command(flatten)]
    place: Where,

    /// The scale to report [default: of each experiment the largest that has been begun, but not
    /// smoke]
    #[arg(long, value_name = "SCALE")]
    scale: Option<Scale>,

    /// Write DIR/index.html, DIR/README.md, and for each paper DIR/PAPER/README.md with its pictures
    #[arg(long, value_name = "DIR")]
    html: Option<PathBuf>,

    /// Print JSON: an array with an object for each row
    #[arg(long)]
    json: bool,
}

impl Report {
    pub(crate) fn run(&self, registry: &Registry, catalogue: &Catalogue) -> Result<Output> {
        let folder = self.place.folder();
        let named = entries(catalogue, &self.ids)?;
        if !folder.path().is_dir() {
            let dir = folder.path().display();
            return Err(CliError::new(format!("there are no results in {dir}"))
                .hint("`treegraft reproduce weinstein-2012` makes some, or --dir DIR"));
        }
        let papers = Papers::new(catalogue, registry, &folder, self.scale, self.place.budget)?;
        if let Some(dir) = &self.html {
            write(dir, &documents(&papers, registry))?;
        }
        let is_shown = |name: &str| named.iter().any(|entry| entry.name() == name);
        if self.json {
            let rows: Vec<Value> = papers
                .papers
                .iter()
                .flat_map(|paper| &paper.sections)
                .filter(|section| named.is_empty() || is_shown(&section.entry.name()))
                .flat_map(|section| {
                    let name = section.entry.name();
                    section.rows.iter().map(move |row| row_json(&name, section, row))
                })
                .collect();
            return Ok(Output::json("treegraft.reproduce-report/1", &rows));
        }
        let mut text = String::new();
        for section in papers.papers.iter().flat_map(|paper| &paper.sections) {
            let name = section.entry.name();
            if !is_shown(&name) {
                continue;
            }
            let scale = section.scale.map_or("not run", Scale::name);
            let mut rows = table(section);
            rows.title =
                format!("{name} ({scale}): {}, {}", section.entry.what, section.entry.source);
            text.push_str(&rows.render(Format::Text));
            text.push('\n');
        }
        if named.is_empty() {
            text.push_str(&summary(&papers.papers));
        }
        if let Some(dir) = &self.html {
            text.push_str(&format!("\npage  {}\n", dir.join("index.html").display()));
        }
        Ok(Output::text(text))
    }
}

/// How many values of each paper got each verdict.
fn summary(papers: &[PaperReport<'_>]) -> String {
    let mut columns = vec![Column::text("paper"), Column::number("values")];
    columns.extend(Verdict::ALL.map(|verdict| Column::number(verdict.text())));
    columns.push(Column::text("same side of 50"));
    let mut table = Table::new("Published values and what was measured", columns);
    for report in papers.iter().filter(|report| !report.paper.published.is_empty()) {
        let counts = report.counts();
        let mut row = vec![
            Cell::text(report.paper.id.as_str()),
            Cell::Whole(report.paper.published.len() as u64),
        ];
        row.extend(Verdict::ALL.map(|verdict| Cell::Whole(counts.of(verdict) as u64)));
        row.push(Cell::text(format!("{} of {}", counts.same_sign, counts.clear)));
        table.rows.push(row);
    }
    table.notes.push(
        "same side of 50: of the scores that lie 5 points or more from 50 % in the paper"
            .to_owned(),
    );
    table.render(Format::Text)
}

fn row_json(experiment: &str, section: &Section<'_>, row: &Row<'_>) -> Value {
    let comparison = row.comparison.as_ref();
    let published = comparison.map(|it| it.published);
    json!({
        "experiment": experiment,
        "scale": section.scale,
        "row": row.names,
        "paper": published.map(|it| it.number()),
        "paper_ci95": published.and_then(|it| it.interval()),
        "source": published.map(|it| it.source.as_str()),
        "metric": published.map(|it| it.metric),
        "measured": row.measured.as_ref().map(|it| it.value),
        "measured_ci95": row.measured.as_ref().map(|it| [it.low, it.high]),
        "count": row.measured.as_ref().map(|it| it.count),
        "verdict": comparison.map(|it| it.verdict),
        "why": comparison
            .filter(|it| it.verdict.needs_reason())
            .map(|it| section.why(it.published)),
    })
}

/// Writes all pages and their pictures.
fn write(dir: &Path, documents: &[Document]) -> Result<()> {
    let mut files = OutputFiles::default();
    for document in documents {
        let root = dir.join(&document.folder);
        make_folder(&root)?;
        files.put(&root.join("README.md"), FileKind::REPORT_PAGE, &document.text)?;
        for picture in &document.pictures {
            let path = root.join(&picture.file);
            if let Some(parent) = path.parent() {
                make_folder(parent)?;
            }
            files.put(&path, FileKind::SVG, &picture.svg)?;
        }
    }
    let page = html(documents);
    files.put(&dir.join("index.html"), FileKind::REPORT_HTML, &page)
}
