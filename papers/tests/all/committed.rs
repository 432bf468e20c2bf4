//! The committed reports are what the committed results give.

use std::fs;
use std::sync::LazyLock;

use treegraft_papers::report::{Document, Report, documents, html};
use treegraft_papers::{BudgetMode, Catalogue, Folder, Outcome, Scale, Verdict};
use treegraft_players::Registry;

use super::{catalogue, papers};

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(catalogue);

/// What the committed results say, read once for all tests.
static REPORT: LazyLock<Report<'static>> = LazyLock::new(|| report(None));

fn report(scale: Option<Scale>) -> Report<'static> {
    let (registry, folder) = (Registry::standard(), Folder::new(papers()));
    Report::new(&CATALOGUE, &registry, &folder, scale, BudgetMode::Emulated).unwrap()
}

/// The pages, made once for all tests.
static DOCUMENTS: LazyLock<Vec<Document>> =
    LazyLock::new(|| documents(&REPORT, &Registry::standard()));

/// `treegraft reproduce report --dir papers --html papers` changes nothing.
#[test]
fn reports_are_what_the_results_give() {
    let how = "run `treegraft reproduce report --dir papers --html papers`";
    let committed = |file: &std::path::Path| fs::read_to_string(file).unwrap_or_default();
    for document in DOCUMENTS.iter() {
        let folder = papers().join(&document.folder);
        let same = committed(&folder.join("README.md")) == document.text;
        assert!(same, "{}/README.md is out of date: {how}", document.folder);
        for picture in &document.pictures {
            let same = committed(&folder.join(&picture.file)) == picture.svg;
            assert!(same, "{}/{} is out of date: {how}", document.folder, picture.file);
        }
    }
}

/// The page of all reports, which is made and not kept.
#[test]
fn the_page_has_every_report() {
    let page = html(&DOCUMENTS);
    let (links, _) = page.split_once("</nav>").unwrap();
    for document in DOCUMENTS.iter() {
        let id = if document.folder.is_empty() { "all" } else { &document.folder };
        assert_eq!(page.matches(&format!("<section id=\"{id}\">")).count(), 1, "{id}");
        assert_eq!(links.matches(&format!("<li><a href=\"#{id}\">")).count(), 1, "{id}");
        for picture in &document.pictures {
            let drawing = picture.svg.trim_end().strip_prefix("<svg ").unwrap();
            assert!(page.contains(drawing), "{} is missing", picture.file);
        }
    }
    let count = |of: fn(&Document) -> usize| DOCUMENTS.iter().map(of).sum::<usize>();
    let tables = count(|document| document.text.matches("\n\n|").count());
    assert_eq!(page.matches("<table>").count(), tables);
    assert_eq!(page.matches("<svg ").count(), count(|document| document.pictures.len()));
}

/// Every picture in the folders is shown by a page.
#[test]
fn no_picture_is_left_over() {
    for paper in &CATALOGUE.papers {
        let folder = papers().join(&paper.id).join("figures");
        for file in fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            let is_shown = DOCUMENTS.iter().any(|document| {
                let root = papers().join(&document.folder);
                document.pictures.iter().any(|picture| root.join(&picture.file) == path)
            });
            assert!(is_shown, "{} is shown nowhere", path.display());
        }
    }
}

/// Everything that has the scale long was run to its end.
#[test]
fn everything_was_run() {
    for section in REPORT.papers.iter().flat_map(|paper| &paper.sections) {
        if section.entry.has(Scale::Long) {
            let is_complete = section.outcome.as_ref().is_some_and(Outcome::is_complete);
            assert!(is_complete, "{}", section.entry.name());
        }
    }
}

/// Of the scores that lie 5 points or more from 50 in a paper, 80 % are on the same side here, and at
/// most 5 % of what was compared is significantly opposite: of all games, and of those that an hour
/// gives.
#[test]
fn papers_are_reproduced() {
    let quick = report(Some(Scale::Quick));
    for (of, report) in [("all", &*REPORT), ("quick", &quick)] {
        for paper in report.papers.iter().filter(|paper| !paper.paper.published.is_empty()) {
            let (counts, id) = (paper.counts(), &paper.paper.id);
            let (same, clear) = (counts.same_sign, counts.clear);
            assert!(5 * same >= 4 * clear, "{id}, {of}: {same} of {clear} on the same side");
            let (opposite, compared) = (counts.of(Verdict::Opposite), counts.compared());
            assert!(20 * opposite <= compared, "{id}, {of}: {opposite} of {compared} opposite");
        }
    }
}

/// What differs is explained.
#[test]
fn differences_are_explained() {
    for paper in &REPORT.papers {
        let unexplained =
            paper.unexplained().map(|(section, it)| (section.entry.name(), it.verdict));
        assert_eq!(unexplained.collect::<Vec<_>>(), [], "{}", paper.paper.id);
    }
}
