//! The report as Markdown: a page for each paper, and one for all of them.

use std::fmt::Write;

use treegraft_pictures::plot::Plot;
use treegraft_pictures::table::{Cell, Column, Format, Table};
use treegraft_pictures::{grouped, wrapped};
use treegraft_players::Registry;

use super::figures::figures;
use super::pictures;
use super::prediction::prediction;
use super::reading::filled;
use super::rows::table;
use super::{Counts, PaperReport, Report, Section};
use crate::compare::Verdict;
use crate::distinct;
use crate::scale::Scale;

/// A page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Its folder, below that of the report; empty: the folder of the report itself.
    pub folder: String,
    /// Its title.
    pub title: String,
    /// Its text.
    pub text: String,
    /// The pictures that it shows, below its folder.
    pub pictures: Vec<Picture>,
}

/// A picture of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Its file, below the page's folder.
    pub file: String,
    /// What it shows, in words.
    pub alt: String,
    /// The picture.
    pub svg: String,
}

/// The papers without which the page for all of them would be one for a paper: the questions that
/// papers leave open are answered there.
const OPEN: &str = "open-questions";

/// All pages: the first is the one for all papers.
#[must_use]
pub fn documents(report: &Report<'_>, registry: &Registry) -> Vec<Document> {
    let papers = report.papers.iter().filter(|paper| paper.paper.id != OPEN);
    let pages = papers.clone().map(|paper| page(paper, registry));
    let mut all = vec![overview(report)];
    all.extend(pages);
    all
}

/// The page for all papers.
fn overview(report: &Report<'_>) -> Document {
    let mut document = Document {
        folder: String::new(),
        title: "Five papers, reproduced".to_owned(),
        text: String::new(),
        pictures: Vec::new(),
    };
    let text = &mut document.text;
    let _ = write!(
        text,
        "{MADE_BY}\n\n# Five papers, reproduced\n\n{}\n",
        paragraph(
            "Each published number beside what Treegraft measures. `treegraft reproduce list` shows the \
             experiments, `treegraft reproduce ID` runs one, `treegraft reproduce report` makes these \
             pages from the results: no number in their tables is typed by hand."
        )
    );
    let verdicts = ["agree", "same sign, significant", "same sign", "differ", "opposite"];
    let numbers = ["values", "compared"].into_iter().chain(verdicts).map(Column::number);
    let [first, last] = ["paper", "same side"].map(Column::text);
    let columns = std::iter::once(first).chain(numbers).chain([last]);
    let mut table = Table::new("", columns);
    let papers = || report.papers.iter().filter(|paper| paper.paper.id != OPEN);
    for paper in papers() {
        let counts = paper.counts();
        let of = |verdict| Cell::Whole(counts.of(verdict) as u64);
        table.rows.push(vec![
            Cell::text(paper.paper.about.authors.as_str()),
            Cell::Whole(paper.paper.published.len() as u64),
            Cell::Whole(counts.compared() as u64),
            of(Verdict::Agrees),
            of(Verdict::SameSignificance),
            of(Verdict::SameSign),
            of(Verdict::Differs),
            of(Verdict::Opposite),
            Cell::text(sign_text(&counts)),
        ]);
    }
    let _ = write!(text, "\n{}\n{}\n", table.render(Format::Markdown), paragraph(VERDICTS));
    for paper in papers() {
        let about = &paper.paper.about;
        let _ =
            writeln!(text, "- [{}: {}]({}/README.md)", about.authors, about.title, paper.paper.id);
    }
    if let Some(open) = report.papers.iter().find(|paper| paper.paper.id == OPEN) {
        let _ = write!(text, "\n## {}\n\n", open.paper.about.title);
        let reading = filled(open, &open.paper.reading);
        let _ = writeln!(text, "{}", reading.trim_end());
        for section in &open.sections {
            add_section(&mut document, section, "open-questions/figures");
        }
        if let Some((table, plot)) = prediction(open) {
            let _ = write!(
                document.text,
                "\n## How well traps predict which hybrid helps\n\nOrdinary least squares over the games and \
                 boards above, with 95 % intervals.\n\n{}",
                table.render(Format::Markdown)
            );
            add_figure(&mut document, "open-questions/figures/prediction.svg".to_owned(), &plot);
        }
    }
    document
}

/// How every page begins: what begins otherwise is not replaced.
const MADE_BY: &str = "<!-- made by treegraft reproduce report -->";

const VERDICTS: &str = "\
*Agrees*: the 95 % intervals overlap. *Same sign, significant*: both are on the same side of 50 %, and \
neither interval holds 50. *Same sign*: both are on the same side. *Differs*: they are not, or, for values \
that are no scores, the intervals do not overlap. *Opposite*: on different sides, both significantly. A \
value without a printed interval has that of its number of games. Speeds are not compared: they depend on \
machine and program. *Same side*: of the scores that lie at least 5 points from 50 % in the paper, those that \
lie on its side of 50 here.
";

fn sign_text(counts: &Counts) -> String {
    match counts.clear {
        0 => String::new(),
        clear => {
            let share = 100.0 * counts.same_sign as f64 / clear as f64;
            format!("{} of {clear} ({share:.0} %)", counts.same_sign)
        }
    }
}

/// The page for a paper.
fn page(report: &PaperReport<'_>, registry: &Registry) -> Document {
    let paper = report.paper;
    let about = &paper.about;
    let mut document = Document {
        folder: paper.id.clone(),
        title: format!("{}: {}", about.authors, about.title),
        text: String::new(),
        pictures: Vec::new(),
    };
    let _ = write!(
        document.text,
        "{MADE_BY}\n\n# {}: {}\n\n{}\n\nThis page is made by `treegraft reproduce report`; the numbers come from the \
         results beside it.\n",
        about.authors,
        about.title,
        paragraph(&format!("{}. {}", about.published, about.about))
    );
    let boards = about.boards.iter().enumerate().filter_map(|(number, [game, name])| {
        let svg = pictures::board(registry, game, name)?;
        // A whole tree is as wide as a plot.
        let kind = if game.starts_with("tree:") { "tree" } else { "board" };
        let file = format!("figures/{kind}-{number}.svg");
        Some(Picture { file, alt: name.clone(), svg })
    });
    let boards: Vec<Picture> = boards.collect();
    if !boards.is_empty() {
        document.text.push('\n');
        for picture in &boards {
            let _ = writeln!(document.text, "![{}]({})", picture.alt, picture.file);
        }
        document.pictures.extend(boards);
    }
    let _ = write!(document.text, "\n{}", in_short(report));
    let reading = filled(report, &paper.reading);
    let _ = writeln!(document.text, "\n{}", reading.trim());
    for (number, [game, player, title]) in about.searches.iter().enumerate() {
        if let Some(plot) = pictures::shares(registry, game, player, title) {
            let _ = write!(document.text, "\n`treegraft analyze {game} '{player}'`:\n");
            add_figure(&mut document, format!("figures/shares-{number}.svg"), &plot);
        }
    }
    let run = report.sections.iter().filter(|section| section.outcome.is_some());
    let (own, beyond): (Vec<_>, Vec<_>) =
        run.partition(|section| section.comparisons().next().is_some());
    for section in own {
        add_section(&mut document, section, "figures");
    }
    if !beyond.is_empty() {
        document.text.push_str("\n# Without published numbers\n");
    }
    for section in beyond {
        add_section(&mut document, section, "figures");
    }
    document.text.push_str(&not_run(report));
    document
}

/// How often each verdict was given, in a table and a sentence.
fn in_short(report: &PaperReport<'_>) -> String {
    let counts = report.counts();
    let mut table = Table::new("", [Column::text("verdict"), Column::number("values")]);
    for verdict in Verdict::ALL {
        let count = counts.of(verdict);
        if count > 0 {
            table.rows.push(vec![Cell::text(verdict.text()), Cell::Whole(count as u64)]);
        }
    }
    if counts.unmapped > 0 {
        let cells = vec![Cell::text("compared with nothing"), Cell::Whole(counts.unmapped as u64)];
        table.rows.push(cells);
    }
    let mut text = format!("## In short\n\n{}", table.render(Format::Markdown));
    if counts.clear > 0 {
        let (compared, opposite) = (counts.compared(), counts.of(Verdict::Opposite));
        let share = 100.0 * opposite as f64 / compared.max(1) as f64;
        let sentence = format!(
            "Of the scores that lie 5 points or more from 50 % in the paper, {} are on the same side \
             here; {opposite} of {compared} compared values ({share:.0} %) are significantly opposite.",
            sign_text(&counts)
        );
        let _ = write!(text, "\n{}\n", paragraph(&sentence));
    }
    let unmapped = report.paper.published.iter().filter(|value| value.experiment.is_none());
    for line in distinct(unmapped.map(|value| format!("{}: {}.", value.source, value.reason))) {
        let sentence = paragraph(&format!("Compared with nothing: {line}"));
        let _ = write!(text, "\n{sentence}\n");
    }
    text
}

/// An experiment with its table and pictures.
fn add_section(document: &mut Document, section: &Section<'_>, folder: &str) {
    let (Some(outcome), Some(scale)) = (&section.outcome, section.scale) else { return };
    let entry = section.entry;
    let text = &mut document.text;
    let _ = write!(text, "\n## {}\n\n", capitalised(&entry.what));
    let partly = match outcome.is_complete() {
        true => String::new(),
        false => format!(", **{} of {}** done", grouped(outcome.done), grouped(outcome.planned)),
    };
    let command = match scale {
        Scale::Quick => String::new(),
        scale => format!(" --scale {scale}"),
    };
    let conditions = outcome.conditions.join("; ");
    let sentence = format!("{}. {conditions}{partly}.", entry.source);
    let command = format!("`treegraft reproduce {}{command}`", entry.name());
    let _ = write!(text, "{}\n{command}\n\n", paragraph(&sentence));
    text.push_str(&table(section).render(Format::Markdown));
    let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
    for row in &section.rows {
        let Some(comparison) = &row.comparison else { continue };
        let why = section.why(comparison.published);
        if !comparison.verdict.needs_reason() || why.is_empty() {
            continue;
        }
        let name = super::rows::name(row);
        match reasons.iter_mut().find(|(known, _)| *known == why) {
            Some((_, names)) => names.push(name),
            None => reasons.push((why, vec![name])),
        }
    }
    for (why, names) in reasons {
        let verb = if names.len() == 1 { "differs" } else { "differ" };
        let sentence = format!("*Why {} {verb}:* {why}", names.join("; "));
        let _ = write!(text, "\n{}\n", paragraph(&sentence));
    }
    for (name, plot) in figures(section) {
        add_figure(document, format!("{folder}/{}-{name}.svg", entry.id), &plot);
    }
    let text = &mut document.text;
    if outcome.players.iter().any(|[name, player]| name != player) {
        text.push_str("\n<details><summary>Players</summary>\n\n");
        for [name, player] in &outcome.players {
            let _ = writeln!(text, "- {}: `{player}`", escaped(name));
        }
        text.push_str("\n</details>\n");
    }
}

/// The words in lines as long as those of our other documents.
fn paragraph(text: &str) -> String {
    wrapped(text.trim_end(), 104)
}

/// A plot below what has been said.
fn add_figure(document: &mut Document, file: String, plot: &Plot) {
    let alt = alt(plot);
    let _ = write!(document.text, "\n![{alt}]({file})\n");
    document.pictures.push(Picture { file, alt, svg: plot.svg() });
}

/// What a plot shows, in words.
fn alt(plot: &Plot) -> String {
    let names: Vec<&str> =
        plot.series.iter().map(|it| it.name.as_str()).filter(|name| !name.is_empty()).collect();
    let series = match names.is_empty() {
        true => String::new(),
        false => format!(" of {}", names.join(", ")),
    };
    let against = match plot.x.label.as_str() {
        "" => String::new(),
        label => format!(" by {label}"),
    };
    let text = format!("Plot: {}. {}{series}{against}", plot.title, capitalised(&plot.y.label));
    text.replace(['[', ']'], "")
}

/// The experiments that were not run.
fn not_run(report: &PaperReport<'_>) -> String {
    let left: Vec<&Section<'_>> =
        report.sections.iter().filter(|it| it.outcome.is_none()).collect();
    if left.is_empty() {
        return String::new();
    }
    let [experiment, source, scales] = ["experiment", "source", "scales"].map(Column::text);
    let columns = [experiment, source, Column::number("published values"), scales];
    let mut table = Table::new("", columns);
    for section in left {
        let entry = section.entry;
        let scales =
            [Scale::Quick, Scale::Long, Scale::Paper].into_iter().filter(|&scale| entry.has(scale));
        table.rows.push(vec![
            Cell::text(format!("{}: {}", entry.id, entry.what)),
            Cell::text(entry.source.as_str()),
            Cell::Whole(report.paper.published_of(entry).count() as u64),
            Cell::text(scales.map(Scale::name).collect::<Vec<_>>().join(", ")),
        ]);
    }
    format!("\n# Not run\n\n{}", table.render(Format::Markdown))
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

fn escaped(text: &str) -> String {
    text.replace('*', "\\*").replace('_', "\\_")
}
