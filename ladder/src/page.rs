//! The page docs/strength.md, from the results in a folder.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use treegraft_lab::report::report;
use treegraft_lab::{GameFile, GameRow, LoadedExperiment, Signatures, StoreError};
use treegraft_pictures::grouped;
use treegraft_pictures::table::{Cell, Column, Format, Table};
use treegraft_players::Registry;
use treegraft_stats::Tally;

use crate::atlas::{Atlas, BUDGETS};
use crate::picture::HeatMap;
use crate::sets::{set_games, solved_set};

/// The prose, with places for what is measured.
const TEMPLATE: &str = include_str!("../strength.md.in");

/// A page, and the pictures that it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Its text, in Markdown.
    pub text: String,
    /// The pictures: names in the folder `img` beside it, and what is in them.
    pub pictures: Vec<(String, String)>,
}

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct PageError(String);

impl From<StoreError> for PageError {
    fn from(error: StoreError) -> PageError {
        PageError(error.to_string())
    }
}

/// The folders of other experiments, each with a place in the prose: how the best players were found,
/// how much each part of a search gains, and matches against other people's programs.
const SECTIONS: [&str; 4] = ["best", "levels", "accepted", "outside"];

/// The page of all results in a folder: the ladders `*.ledger`, `atlas.txt`, and the ledgers in the folders
/// `best`, `levels`, `accepted` and `outside`.
///
/// # Errors
///
/// If a file cannot be read.
pub fn page(registry: &Registry, folder: &Path) -> Result<Page, PageError> {
    let at = |path: &Path, error: &dyn std::fmt::Display| {
        PageError(format!("{}: {error}", path.display()))
    };
    let mut pictures = Vec::new();
    let mut ladders = experiments(registry, folder, "strength", &mut pictures)?;
    if ladders.is_empty() {
        ladders.push_str("No ladder has been played to its end yet.\n");
    }
    let path = folder.join("atlas.txt");
    let atlas = match fs::read_to_string(&path) {
        Ok(text) => {
            let atlas = Atlas::parse(&text).map_err(|error| at(&path, &error))?;
            atlas_text(&atlas, &mut pictures)
        }
        Err(_) => "The atlas has not been made yet.\n".to_owned(),
    };
    let mut text = TEMPLATE
        .replace("{{sets}}", sets(registry).trim_end())
        .replace("{{ladders}}", ladders.trim_end())
        .replace("{{atlas}}", atlas.trim_end());
    for section in SECTIONS {
        let (folder, prefix) = (folder.join(section), format!("strength-{section}"));
        let results = match folder.is_dir() {
            true => experiments(registry, &folder, &prefix, &mut pictures)?,
            false => "Nothing has been played yet.\n".to_owned(),
        };
        text = text.replace(&format!("{{{{{section}}}}}"), results.trim_end());
    }
    Ok(Page { text, pictures })
}

/// The experiments whose ledgers are in a folder. The names of pictures begin with the prefix.
fn experiments(
    registry: &Registry,
    folder: &Path,
    prefix: &str,
    pictures: &mut Vec<(String, String)>,
) -> Result<String, PageError> {
    let entries = fs::read_dir(folder)
        .map_err(|error| PageError(format!("{}: {error}", folder.display())))?;
    let mut paths: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "ledger"))
        .collect();
    paths.sort();
    let mut text = String::new();
    for path in paths {
        let file = GameFile::open(&path)?;
        let name = path.display().to_string();
        let loaded = LoadedExperiment::parse(file.experiment()?, &name, registry)
            .map_err(|error| PageError(error.to_string()))?;
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let picture = format!("{prefix}-{stem}.svg");
        experiment(&mut text, pictures, &loaded, &file.rows()?, picture);
        text.push_str(&changes(registry, &file)?);
    }
    Ok(text)
}

/// The section of an experiment.
fn experiment(
    text: &mut String,
    pictures: &mut Vec<(String, String)>,
    loaded: &LoadedExperiment,
    rows: &[GameRow],
    picture: String,
) {
    let counted = loaded.counted(rows);
    let report = report(&loaded.experiment, &counted);
    let _ = write!(text, "### {}\n\n", loaded.experiment.title);
    if let Some((_, plot)) = report.plots.iter().find(|(name, _)| name == "ratings") {
        let _ = write!(text, "![{}: ratings](img/{picture})\n\n", loaded.experiment.title);
        pictures.push((picture, plot.svg()));
    }
    for name in ["ratings", "results", "sprt"] {
        if let Some(table) = report.table(name) {
            let table = Table { title: String::new(), ..table.clone() };
            let _ = writeln!(text, "{}", table.render(Format::Markdown));
        }
    }
}

/// Which searches of a file have changed since its games were played.
fn changes(registry: &Registry, file: &GameFile) -> Result<String, PageError> {
    let sessions = file.sessions()?;
    let signatures = sessions.iter().map(|(_, session)| Signatures::read(&session.signature));
    let changed: BTreeSet<String> = signatures
        .flat_map(|then| then.changes(registry))
        .map(|changed| format!("`{}`", changed.player))
        .collect();
    if changed.is_empty() {
        return Ok(String::new());
    }
    let changed = changed.into_iter().collect::<Vec<_>>().join(",\n");
    Ok(format!("changed since these games were played:\n{changed}\n\n"))
}

/// The sets of solved positions.
fn sets(registry: &Registry) -> String {
    let left_out = ["drawn at random", "not solved", "all moves alike", "won within 3 plies"];
    let mut columns = vec![Column::text("game")];
    columns.extend(["positions", "won", "drawn"].map(Column::number));
    columns.push(Column::percent("a random move keeps the value"));
    columns.extend(left_out.map(Column::number));
    let mut table = Table::new("", columns);
    for set in set_games().filter_map(|game| solved_set(registry, game)) {
        let of = |value: i64| {
            let here = set.positions.iter().filter(|it| it.value().signum() == value);
            Cell::Whole(here.count() as u64)
        };
        let drawn = set.drawn;
        table.rows.push(vec![
            Cell::text(set.game.as_str()),
            Cell::Whole(set.positions.len() as u64),
            of(1),
            of(0),
            Cell::number(set.random_share(), 1),
            Cell::Whole(drawn.all()),
            Cell::Whole(drawn.unsolved),
            Cell::Whole(drawn.all_won + drawn.all_drawn + drawn.all_lost),
            Cell::Whole(drawn.short),
        ]);
    }
    table.render(Format::Markdown)
}

/// A label with its accuracy in each game, for each budget.
struct Line {
    label: String,
    /// For each budget and each game.
    tallies: Vec<Vec<Option<Tally>>>,
}

impl Line {
    fn new(atlas: &Atlas, label: &str) -> Line {
        let tally = |game: &str, budget: u64| {
            let is_it = |it: &u64| *it == budget || *it == 0;
            let row = atlas.rows.iter().find(|row| {
                row.game == game && row.entry.label == label && is_it(&row.entry.budget)
            })?;
            let mut tally = Tally::default();
            row.kept.iter().for_each(|&kept| tally.add(if kept { 1 } else { -1 }));
            Some(tally)
        };
        let of = |budget: u64| atlas.games().iter().map(|game| tally(game, budget)).collect();
        Line { label: label.to_owned(), tallies: BUDGETS.map(of).to_vec() }
    }

    /// The mean over the games, if it plays all of them.
    fn mean(&self, budget: usize) -> Option<f64> {
        let all: Option<Vec<f64>> =
            self.tallies[budget].iter().map(|tally| Some(tally.as_ref()?.score())).collect();
        let all = all?;
        Some(all.iter().sum::<f64>() / all.len().max(1) as f64)
    }
}

fn atlas_text(atlas: &Atlas, pictures: &mut Vec<(String, String)>) -> String {
    let mut labels: Vec<&str> = Vec::new();
    for row in &atlas.rows {
        if !labels.contains(&row.entry.label.as_str()) {
            labels.push(&row.entry.label);
        }
    }
    let mut lines: Vec<Line> = labels.into_iter().map(|label| Line::new(atlas, label)).collect();
    // The best first; those that play some games only come last.
    let rank = |line: &Line| line.mean(BUDGETS.len() - 1).unwrap_or(-1.0);
    lines.sort_by(|a, b| rank(b).total_cmp(&rank(a)));
    let games: Vec<String> = atlas.games().into_iter().map(str::to_owned).collect();
    let mut text = String::new();
    text.push_str("![accuracy of every search in every game](img/strength-atlas.svg)\n");
    pictures.push(("strength-atlas.svg".to_owned(), heat_map(&lines, &games).svg()));
    for (i, budget) in BUDGETS.into_iter().enumerate() {
        let mut columns = vec![Column::text("search"), Column::percent("mean")];
        columns.extend(games.iter().map(Column::percent));
        let mut table = Table::new(format!("{} iterations or nodes", grouped(budget)), columns);
        for line in &lines {
            let mut row = vec![Cell::text(line.label.as_str())];
            row.push(line.mean(i).map_or(Cell::Empty, |mean| Cell::number(mean, 1)));
            row.extend(line.tallies[i].iter().map(|tally| match tally {
                None => Cell::Empty,
                Some(tally) => {
                    let ci95 = tally.wilson95();
                    Cell::interval(tally.score(), ci95.low, ci95.high, 0)
                }
            }));
            table.rows.push(row);
        }
        let _ = write!(text, "\n{}", table.render(Format::Markdown));
    }
    text
}

fn heat_map(lines: &[Line], games: &[String]) -> HeatMap {
    let names: Vec<String> =
        std::iter::once("mean".to_owned()).chain(games.iter().cloned()).collect();
    let group = |budget: u64| (format!("{} iterations or nodes", grouped(budget)), names.clone());
    let row = |line: &Line| {
        let shares = line.tallies.iter().enumerate().flat_map(|(i, tallies)| {
            let each = tallies.iter().map(|tally| tally.as_ref().map(Tally::score));
            std::iter::once(line.mean(i)).chain(each).collect::<Vec<_>>()
        });
        (line.label.clone(), shares.collect())
    };
    HeatMap {
        title: "Moves that keep the value of a position, %".to_owned(),
        groups: BUDGETS.map(group).to_vec(),
        rows: lines.iter().map(row).collect(),
    }
}
