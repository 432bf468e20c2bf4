//! The catalogue is complete, its experiments run, and the committed reports are what the committed
//! results give.

mod catalogue;
mod committed;
mod folders;
mod scales;
mod verdicts;

use std::path::{Path, PathBuf};

use treegraft_papers::Catalogue;

fn catalogue() -> Catalogue {
    Catalogue::new().unwrap()
}

/// The folder of the papers.
fn papers() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// An empty folder for a test.
fn empty_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}
