//! The committed reports are what the committed results give, and keep what is promised of them.

use std::fs;

use treegraft_papers::report::{Report, documents, html};
use treegraft_papers::{BudgetMode, Catalogue, Folder, Scale, Verdict};
use treegraft_players::Registry;

use super::{catalogue, papers};

fn report<'a>(catalogue: &'a Catalogue, registry: &Registry) -> Report<'a> {
    let folder = Folder::new(papers());
    Report::new(catalogue, registry, &folder, None, BudgetMode::Emulated).unwrap()
}

/// `treegraft reproduce report --dir papers --html papers` changes nothing.
#[test]
fn reports_are_what_the_results_give() {
    let (catalogue, registry) = (catalogue(), Registry::standard());
    let documents = documents(&report(&catalogue, &registry), &registry);
    let how = "run `treegraft reproduce report --dir papers --html papers`";
    let committed = |file: &std::path::Path| fs::read_to_string(file).unwrap_or_default();
    for document in &documents {
        let folder = papers().join(&document.folder);
        let same = committed(&folder.join("README.md")) == document.text;
        assert!(same, "{}/README.md is out of date: {how}", document.folder);
        for picture in &document.pictures {
            let same = committed(&folder.join(&picture.file)) == picture.svg;
            assert!(same, "{}/{} is out of date: {how}", document.folder, picture.file);
        }
    }
    assert!(committed(&papers().join("index.html")) == html(&documents), "index.html: {how}");
}

/// Every picture in the folders is shown by a page.
#[test]
fn no_picture_is_left_over() {
    let (catalogue, registry) = (catalogue(), Registry::standard());
    let documents = documents(&report(&catalogue, &registry), &registry);
    for paper in &catalogue.papers {
        let folder = papers().join(&paper.id).join("figures");
        for file in fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            let is_shown = documents.iter().any(|document| {
                let root = papers().join(&document.folder);
                document.pictures.iter().any(|picture| root.join(&picture.file) == path)
            });
            assert!(is_shown, "{} is shown nowhere", path.display());
        }
    }
}

/// Every experiment that has the scale `quick` was run at it, or at the paper's.
#[test]
fn everything_was_run() {
    let (catalogue, registry) = (catalogue(), Registry::standard());
    for section in report(&catalogue, &registry).papers.iter().flat_map(|paper| &paper.sections) {
        let entry = section.entry;
        if entry.has(Scale::Quick) {
            let is_complete = section.outcome.as_ref().is_some_and(|it| it.is_complete());
            assert!(is_complete, "{} was not run to its end", entry.name());
        }
    }
}

/// What differs is explained, most signs agree, and hardly anything is significantly opposite.
#[test]
fn promises_are_kept() {
    let (catalogue, registry) = (catalogue(), Registry::standard());
    for paper in &report(&catalogue, &registry).papers {
        for (section, comparison) in paper.unexplained() {
            panic!("{}: {comparison:?} is not explained", section.entry.name());
        }
        let (id, counts) = (&paper.paper.id, paper.counts());
        let share = counts.same_sign as f64 / counts.clear.max(1) as f64;
        assert!(counts.clear == 0 || share >= 0.8, "{id}: {counts:?}");
        let opposite = counts.of(Verdict::Opposite) as f64 / counts.compared().max(1) as f64;
        assert!(opposite <= 0.05, "{id}: {counts:?}");
    }
}
