//! Whether a store still is where it was: a file that was removed or replaced can be written to as
//! before, but its contents cannot be found again.

use std::fs;
use std::path::{Path, PathBuf};

use super::{StoreError, beside};
use crate::files::{FileId, refuse_dangling_link};

/// Where a store and its log are, and which files these were at first.
#[derive(Debug)]
pub(super) struct Place {
    path: PathBuf,
    store: Option<FileId>,
    /// Unknown until it is first looked for: SQLite makes the log when it needs it.
    log: Option<FileId>,
}

impl Place {
    /// The place of a store that has just been opened.
    pub(super) fn of(path: &Path) -> Result<Place, StoreError> {
        let mut place = Place { path: path.to_owned(), store: None, log: None };
        place.check()?;
        Ok(place)
    }

    /// Fails if the store or its log is gone, or another file has its name.
    pub(super) fn check(&mut self) -> Result<(), StoreError> {
        let log = beside(&self.path, "-wal");
        for (path, known) in [(&self.path, &mut self.store), (&log, &mut self.log)] {
            let problem = match FileId::of(path) {
                Err(error) => format!("it cannot be found any more ({error})"),
                Ok(found) if known.is_some() && *known != found => {
                    "another file has its name now".to_owned()
                }
                Ok(found) => {
                    *known = found;
                    continue;
                }
            };
            return Err(StoreError::Gone { path: path.clone(), problem });
        }
        Ok(())
    }
}

/// Refuses what cannot become or stay a store: links to nothing, folders, devices, and files with
/// several names. SQLite calls the log after the store, so a store with two names could have two
/// logs; what is in one of them would be missing under the other name.
pub(super) fn refuse_bad_place(path: &Path) -> Result<(), StoreError> {
    refuse_dangling_link(path)
        .map_err(|target| StoreError::Dangling { path: path.to_owned(), target })?;
    let Ok(file) = fs::metadata(path) else { return Ok(()) };
    if !file.is_file() {
        return Err(StoreError::not_a_store(path, "it is not a regular file"));
    }
    #[cfg(unix)]
    if std::os::unix::fs::MetadataExt::nlink(&file) > 1 {
        return Err(StoreError::SeveralNames { path: path.to_owned() });
    }
    Ok(())
}
