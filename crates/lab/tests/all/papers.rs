//! The ledgers in `papers/` are intact. What they say is tested there.

use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;
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
fn ledgers_are_intact() {
    let papers = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../papers");
    let mut ledgers = 0;
    for paper in std::fs::read_dir(papers).expect("papers").flatten() {
        let paper = paper.path();
        for path in files(&paper.join("long"), "ledger") {
            ledgers += 1;
            let shown = path.display();
            let name = path.file_stem().expect("a name");
            let GameFile::Ledger(ledger) = GameFile::open(&path).expect("a ledger") else {
                panic!("{shown} is a store")
            };
            let mut bytes = std::fs::read(&path).expect("bytes");
            if bytes.starts_with(&[0x1f, 0x8b]) {
                let packed = std::mem::take(&mut bytes);
                MultiGzDecoder::new(&*packed).read_to_end(&mut bytes).expect("a text");
            }
            let mut again = Vec::new();
            ledger.write(&mut again).expect("memory");
            assert!(again == bytes, "{shown} is not as it would be written");
            // Less where the numbers of simulations are small, or boards are not random; more where time
            // was limited, since the moves of such games do not follow from their seeds.
            let has_moves = ledger.games.iter().any(|game| !game.row.moves.is_empty());
            let most = if has_moves { 400 } else { 80 };
            let file = paper.join(name).with_extension("toml");
            // The experiment's text stands in it once, however few games there are.
            let text = std::fs::metadata(&file).expect("an experiment").len() as usize;
            assert!(bytes.len() <= most * ledger.games.len() + text, "{shown} is large");

            let loaded = LoadedExperiment::load(&file, registry()).expect("an experiment");
            let rows: Vec<_> = ledger.games.iter().map(|game| game.row.clone()).collect();
            let counted = loaded.counted(&rows);
            assert_eq!(2 * counted.len(), rows.len(), "all games of {shown} count");
        }
    }
    assert!(ledgers >= 12, "{ledgers} ledgers");
}
