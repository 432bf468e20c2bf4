//! Every published value has its experiment or its reason.

use std::collections::BTreeSet;
use std::fs;

use treegraft_lab::Experiment;
use treegraft_papers::{BudgetMode, Entry, Kind, Outcome, Published, Scale, Task, scaled};
use treegraft_players::Registry;

use super::{catalogue, papers};

#[test]
fn all_published_values_are_there() {
    let catalogue = catalogue();
    let count = |id: &str| catalogue.paper(id).unwrap().published.len();
    let counts =
        ["baier-2018", "baier-winands-2015", "mandziuk-walczak", "weinstein-2012", "lanctot-2014"]
            .map(count);
    assert_eq!(counts, [25, 70, 22, 43, 344]);
    assert_eq!(counts.iter().sum::<usize>(), 504);
    let all = catalogue.papers.iter().flat_map(|paper| &paper.published);
    let reasons = all.filter(|value| match &value.experiment {
        Some(_) => {
            assert!(!value.row.is_empty(), "{value:?}");
            false
        }
        None => {
            let is_reason = value.reason.len() > 20;
            assert!(is_reason, "{value:?} has neither an experiment nor a reason");
            true
        }
    });
    assert_eq!(reasons.count(), 9);
}

#[test]
fn published_values_are_numbers() {
    for value in catalogue().papers.iter().flat_map(|paper| &paper.published) {
        assert!(value.number().is_finite(), "{value:?}");
        if value.is_score() {
            assert!((0.0..=100.0).contains(&value.number()), "{value:?}");
            let ends = value.interval();
            assert!(
                ends.is_none_or(|it| it.low <= value.number() && value.number() <= it.high),
                "{value:?}"
            );
        }
    }
}

/// The row that a value is compared with is one that the experiment has at the paper's scale.
#[test]
fn every_row_exists() {
    let registry = Registry::standard();
    let catalogue = catalogue();
    for paper in &catalogue.papers {
        for entry in &paper.entries {
            let published: Vec<&Published> = paper.published_of(entry).collect();
            let known = rows(entry, &registry);
            for value in published {
                let row = &value.row;
                let turned: Vec<String> = {
                    let mut row = row.clone();
                    let players = row.len().saturating_sub(2);
                    row[players..].reverse();
                    row
                };
                let is_known = known.contains(row) || known.contains(&turned);
                assert!(is_known, "{} has no row {row:?}; it has {known:?}", entry.name());
            }
        }
    }
}

/// The rows of an experiment.
fn rows(entry: &Entry, registry: &Registry) -> BTreeSet<Vec<String>> {
    let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    match entry.kind() {
        Kind::Games => {
            let (size, time) = (entry.size(Scale::Paper), entry.time(Scale::Paper));
            let text =
                scaled(&entry.text, &size, Scale::Paper, BudgetMode::Emulated, time).unwrap();
            let plan = Experiment::parse(&text, &entry.id, registry).unwrap().plan;
            let games: BTreeSet<&str> = plan.pairings.iter().map(|it| it.game.as_str()).collect();
            let mut rows = BTreeSet::new();
            for pairing in &plan.pairings {
                let names = match pairing.parameters.is_empty() {
                    true => pairing.names.to_vec(),
                    false => {
                        let value = |(name, value): &(String, String)| format!("{name}={value}");
                        pairing.parameters.iter().map(value).collect()
                    }
                };
                let game = (games.len() > 1).then(|| pairing.game.clone());
                rows.insert(game.into_iter().chain(names).collect());
                rows.extend(pairing.names.iter().map(|name| vec![name.clone()]));
            }
            rows
        }
        Kind::Traps(traps) => {
            let measured = ["length", "moves"];
            let rows = traps.studies.iter().flat_map(|[game, _]| {
                measured.map(|what| owned(&[registry.start(game).unwrap().text(), what]))
            });
            rows.collect()
        }
        Kind::Speeds(speeds) => {
            let measured = ["simulations a second", "percent of the first"];
            let rows =
                speeds.players.iter().flat_map(|[name, _]| measured.map(|it| owned(&[name, it])));
            rows.collect()
        }
        Kind::Trees(_) => {
            let task = Task::new(entry, Scale::Paper, BudgetMode::Emulated, registry, 1).unwrap();
            let Task::Trees(study, _) = task else { panic!("{task:?}") };
            let mut rows = BTreeSet::new();
            for method in &study.methods {
                rows.extend(["coefficient", "base"].map(|it| owned(&[method.name(), it])));
                let height = |height: u16| owned(&[method.name(), &format!("height {height}")]);
                rows.extend(study.heights.iter().map(height));
            }
            rows
        }
    }
}

/// Every file in a paper's folder belongs to an experiment, except those that only a clock can play.
#[test]
fn no_file_is_forgotten() {
    for paper in &catalogue().papers {
        for file in fs::read_dir(papers().join(&paper.id)).unwrap() {
            let name = file.unwrap().file_name().into_string().unwrap();
            let Some(id) = name.strip_suffix(".toml") else { continue };
            if ["paper", "published"].contains(&id) || id.ends_with("-time") {
                continue;
            }
            let text = fs::read_to_string(papers().join(&paper.id).join(&name)).unwrap();
            let is_used = paper.entries.iter().any(|entry| entry.text == text);
            assert!(is_used, "{}/{name} belongs to no experiment", paper.id);
        }
    }
}

#[test]
fn experiments_have_different_names_and_something_to_do() {
    let catalogue = catalogue();
    let mut names = BTreeSet::new();
    for entry in catalogue.papers.iter().flat_map(|paper| &paper.entries) {
        assert!(names.insert(entry.name()), "{} is there twice", entry.name());
        assert!(entry.seconds > 0.0 || !entry.has(Scale::Quick), "{} has no time", entry.name());
        assert!(entry.estimate(Scale::Paper) >= 0.0);
        assert_eq!(catalogue.find(&entry.name()).unwrap(), [entry]);
    }
    assert_eq!(catalogue.find("all").unwrap().len(), names.len());
    assert!(catalogue.find("ic-500").unwrap_err().contains(&"baier-2018/ic-500".to_owned()));
    assert!(catalogue.find("nothing").unwrap_err().contains(&"baier-2018".to_owned()));
}

/// Without results there is nothing to say, and that is not an error.
#[test]
fn an_empty_outcome() {
    let outcome = Outcome::of_study(None, 7);
    assert!(!outcome.is_complete() && outcome.rows.is_empty());
    assert_eq!(outcome.row(&["a".to_owned(), "b".to_owned()]), None);
}
