//! The results of an experiment as tables and plots, computed from the games that count.
//!
//! A report is a pure function of the experiment and the rows of its games. Nothing in it comes
//! from a clock unless [`times`] is requested, so that a tournament that was interrupted, or played
//! on more processors, gives the same report to the last byte.

mod comparison;
mod plots;
mod ratings;
mod results;
mod rows;
mod tables;

use serde_json::{Map, Value};
use treegraft_pictures::plot::Plot;
use treegraft_pictures::table::{Format, Table};

use crate::{CountedPair, Experiment};

pub use comparison::comparison;
pub use results::{PairingResult, Score, results};
pub use tables::times;

/// Tables and plots of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct ExperimentReport {
    /// The experiment's title.
    pub title: String,
    /// The tables by their names: `results` and `games` always, then `ratings`, `sprt` and `work`
    /// if they have rows.
    pub tables: Vec<(&'static str, Table)>,
    /// The plots by their names, which are valid file names.
    pub plots: Vec<(String, Plot)>,
}

/// The report of an experiment from the pairs that count, in the order of the plan.
#[must_use]
pub fn report(experiment: &Experiment, pairs: &[CountedPair<'_>]) -> ExperimentReport {
    let results = results(experiment, pairs);
    let mut all = vec![
        ("results", tables::scores(experiment, &results)),
        ("games", tables::games(experiment, &results)),
    ];
    all.extend(ratings::table(experiment, &results).map(|table| ("ratings", table)));
    all.extend(tables::sprt(experiment, &results).map(|table| ("sprt", table)));
    all.push(("work", tables::work(experiment, &results)));
    let plots = plots::plots(experiment, &results);
    ExperimentReport { title: experiment.title.clone(), tables: all, plots }
}

impl ExperimentReport {
    /// The table with this name.
    #[must_use]
    pub fn table(&self, name: &str) -> Option<&Table> {
        self.tables.iter().find(|(known, _)| *known == name).map(|(_, table)| table)
    }

    /// All tables; as JSON an object with an array for each, as CSV the table `results` alone,
    /// since a file of CSV has one header.
    #[must_use]
    pub fn render(&self, format: Format) -> String {
        let rendered = |(_, table): &(&str, Table)| table.render(format);
        match format {
            Format::Text | Format::Markdown | Format::Latex => {
                self.tables.iter().map(rendered).collect::<Vec<_>>().join("\n")
            }
            Format::Csv => self.tables.first().map(rendered).unwrap_or_default(),
            Format::Json => {
                // Serialising a value that is JSON already does not fail.
                serde_json::to_string_pretty(&self.to_json()).unwrap_or_default() + "\n"
            }
        }
    }

    /// The title, the tables by name, and the notes of all of them.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut object = Map::new();
        object.insert("title".to_owned(), Value::from(self.title.as_str()));
        for (name, table) in &self.tables {
            object.insert((*name).to_owned(), table.to_json());
        }
        let notes = self.tables.iter().flat_map(|(_, table)| &table.notes);
        object.insert("notes".to_owned(), notes.map(|note| Value::from(note.as_str())).collect());
        Value::Object(object)
    }
}
