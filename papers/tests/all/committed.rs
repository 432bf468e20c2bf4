//! The committed reports are what the committed results give.

use std::fs;

use treegraft_papers::report::{Report, documents, html};
use treegraft_papers::{BudgetMode, Catalogue, Folder};
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

/// What differs is explained.
#[test]
fn differences_are_explained() {
    let (catalogue, registry) = (catalogue(), Registry::standard());
    for paper in &report(&catalogue, &registry).papers {
        let unexplained =
            paper.unexplained().map(|(section, it)| (section.entry.name(), it.verdict));
        assert_eq!(unexplained.collect::<Vec<_>>(), [], "{}", paper.paper.id);
    }
}
