//! `treegraft reproduce list`: all experiments.

use serde::Serialize;
use serde_json::{Map, Value, json};
use treegraft_papers::{Catalogue, Entry, Kind, Paper, Published, Scale, Task};
use treegraft_pictures::table::{Cell, Column, Table};

use super::{Where, entries};
use crate::commands::run::duration;
use crate::prelude::*;

/// List all experiments, with what they cover and how long they take
///
/// Times are estimates for one processor. The state is that of the results in the folder of --dir.
#[derive(Debug, Args)]
pub(crate) struct List {
    /// Papers or experiments [default: all]
    #[arg(value_name = "ID")]
    ids: Vec<String>,

    #[command(flatten)]
    place: Where,

    /// Print JSON: one array
    #[arg(long)]
    json: bool,
}

/// How far an experiment is at a scale.
#[derive(Serialize)]
struct State {
    scale: Scale,
    done: u64,
    planned: u64,
}

impl List {
    pub(crate) fn run(&self, registry: &Registry, catalogue: &Catalogue) -> Result<Output> {
        let all = ["all".to_owned()];
        let shown = entries(catalogue, if self.ids.is_empty() { &all } else { &self.ids })?;
        if self.json {
            let all: Result<Vec<Value>> = catalogue
                .papers
                .iter()
                .flat_map(|paper| paper.entries.iter().map(move |entry| (paper, entry)))
                .filter(|(_, entry)| shown.contains(entry))
                .map(|(paper, entry)| self.to_json(registry, paper, entry))
                .collect();
            return Ok(Output::json("treegraft.reproduce-list/1", &all?));
        }
        let mut text = String::new();
        for paper in &catalogue.papers {
            let of_paper: Vec<&Entry> =
                paper.entries.iter().filter(|entry| shown.contains(entry)).collect();
            if of_paper.is_empty() {
                continue;
            }
            let title = format!("{}: {}, {}", paper.id, paper.about.authors, paper.about.title);
            let mut columns = ["experiment", "what", "source"].map(Column::text).to_vec();
            columns.extend(["values", "quick", "long", "paper"].map(Column::number));
            columns.push(Column::text("state"));
            let mut table = Table::new(title, columns);
            for entry in of_paper {
                let time = |scale: Scale| match entry.has(scale) {
                    true => Cell::text(duration(entry.estimate(scale))),
                    false => Cell::text("–"),
                };
                let state = self.states(registry, paper, entry)?;
                table.rows.push(vec![
                    Cell::text(entry.id.as_str()),
                    Cell::text(entry.what.as_str()),
                    Cell::text(entry.source.as_str()),
                    Cell::Whole(paper.published_of(entry).count() as u64),
                    time(Scale::Quick),
                    time(Scale::Long),
                    time(Scale::Paper),
                    Cell::text(state.iter().map(in_words).collect::<Vec<_>>().join(", ")),
                ]);
            }
            text.push_str(&table.text(LINE));
            text.push('\n');
        }
        let values = catalogue.papers.iter().map(|paper| paper.published.len()).sum::<usize>();
        let mapped = |value: &&Published| value.experiment.is_some();
        let covered = catalogue.papers.iter().flat_map(|paper| &paper.published).filter(mapped);
        text.push_str(&format!(
            "{} of {values} published values are covered; `reproduce list --json` says which, and why \
             the others are not.\nAn ID is PAPER/EXPERIMENT, such as weinstein-2012/uniform; results \
             are in {}.\n",
            covered.count(),
            self.place.dir.display()
        ));
        Ok(Output::text(text))
    }

    /// The scales that have been begun.
    fn states(&self, registry: &Registry, paper: &Paper, entry: &Entry) -> Result<Vec<State>> {
        let mut states = Vec::new();
        let mode = self.place.budget;
        let published: Vec<&Published> = paper.published_of(entry).collect();
        for &scale in Scale::ALL.iter().filter(|&&scale| entry.has(scale) && entry.allows(mode)) {
            let place = self.place.folder().place(entry, scale, mode);
            if place.is_begun() {
                let task = Task::new(entry, scale, mode, registry, 1)?;
                let outcome = task.outcome(entry, &published, &place)?;
                states.push(State { scale, done: outcome.done, planned: outcome.planned });
            }
        }
        Ok(states)
    }

    fn to_json(&self, registry: &Registry, paper: &Paper, entry: &Entry) -> Result<Value> {
        let states = self.states(registry, paper, entry)?;
        let published = |value: &Published| {
            json!({
                "source": value.source,
                "player": value.player,
                "opponent": value.opponent,
                "metric": value.metric,
                "value": value.number(),
                "row": value.row,
            })
        };
        let seconds = Scale::ALL.iter().map(|&scale| {
            let seconds = entry.has(scale).then(|| entry.estimate(scale));
            (scale.name().to_owned(), seconds.into())
        });
        Ok(json!({
            "id": entry.name(),
            "paper": entry.paper,
            "source": entry.source,
            "what": entry.what,
            "games": entry.games(),
            "size": entry.units(),
            "kind": kind(entry),
            "seconds": seconds.collect::<Map<_, _>>(),
            "state": states,
            "published": paper.published_of(entry).map(published).collect::<Vec<_>>(),
        }))
    }
}

/// How wide the list may be.
const LINE: usize = 110;

fn kind(entry: &Entry) -> &'static str {
    match entry.kind() {
        Kind::Games => "games",
        Kind::Traps(_) => "traps",
        Kind::Trees(_) => "trees",
        Kind::Speeds(_) => "speeds",
    }
}

fn in_words(state: &State) -> String {
    let State { scale, done, planned } = state;
    match done == planned {
        true => format!("{scale} done"),
        false => format!("{scale} {} %", 100 * done / planned.max(&1)),
    }
}
