//! The results in `papers/` are what their ledgers say.

use std::path::{Path, PathBuf};

use treegraft_lab::report::{report, results};
use treegraft_lab::{GameFile, LoadedExperiment};

use crate::common::registry;

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|found| found == ending));
    files.sort();
    files
}

#[test]
fn ledgers_are_intact_and_give_what_is_printed() {
    let papers = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../papers");
    let mut ledgers = 0;
    for paper in std::fs::read_dir(papers).expect("papers").flatten() {
        let (paper, results_folder) = (paper.path(), paper.path().join("results"));
        let page = std::fs::read_to_string(paper.join("README.md")).expect("a page");
        for path in files(&results_folder, "ledger") {
            ledgers += 1;
            let shown = path.display();
            let name = path.file_stem().expect("a name");
            let GameFile::Ledger(ledger) = GameFile::open(&path).expect("a ledger") else {
                panic!("{shown} is a store")
            };
            let bytes = std::fs::read(&path).expect("bytes");
            let mut again = Vec::new();
            ledger.write(&mut again).expect("memory");
            assert!(again == bytes, "{shown} is not as it would be written");
            // Less where the numbers of simulations are small, or boards are not random.
            assert!(bytes.len() <= 80 * ledger.games.len(), "{shown} is large");

            let file = paper.join(name).with_extension("toml");
            let loaded = LoadedExperiment::load(&file, registry()).expect("an experiment");
            let rows: Vec<_> = ledger.games.iter().map(|game| game.row.clone()).collect();
            let counted = loaded.counted(&rows);
            assert_eq!(2 * counted.len(), rows.len(), "all games of {shown} count");
            assert_eq!(counted.len(), loaded.pairs.len(), "no game of {shown} is missing");
            for result in results(&loaded.experiment, &counted) {
                let score = result.score(loaded.experiment.scoring).expect("games");
                let percent = |value: f64| format!("{:.1}", 100.0 * value);
                let printed = percent(score.score);
                let [low, high] = [score.ci95.low, score.ci95.high].map(percent);
                let forms = [
                    format!("{printed} [{low}, {high}]"),
                    format!("{printed} ({low}–{high})"),
                    // A curve has its intervals in the plot.
                    format!("| {printed} |"),
                    format!("| **{printed}** |"),
                ];
                let is_there = forms.iter().any(|form| page.contains(form));
                let pairing = &loaded.experiment.plan.pairings[result.pairing];
                assert!(is_there, "{shown}: {:?} has {}", pairing.names, forms[0]);
            }
            let plot = path.with_extension("svg");
            if let Ok(drawn) = std::fs::read_to_string(&plot) {
                let report = report(&loaded.experiment, &counted);
                assert!(report.plots[0].1.svg() == drawn, "{} is not of {shown}", plot.display());
            }
        }
    }
    assert!(ledgers >= 12, "{ledgers} ledgers");
}
