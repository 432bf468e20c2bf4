//! Where results lie.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::catalogue::Entry;
use crate::scale::{BudgetMode, Scale};
use crate::task::TaskError;

/// The folder of all results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    root: PathBuf,
}

/// The files of one experiment at one scale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    folder: PathBuf,
    /// The same at the other scales, whose games and studies count here where they are the same.
    others: Vec<PathBuf>,
    id: String,
}

impl Folder {
    /// The results in this folder.
    #[must_use]
    pub fn new(root: impl Into<PathBuf>) -> Folder {
        Folder { root: root.into() }
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.root
    }

    /// The files of an experiment at a scale.
    #[must_use]
    pub fn place(&self, entry: &Entry, scale: Scale, mode: BudgetMode) -> Place {
        let folder = |scale: Scale| {
            let size = match mode {
                BudgetMode::Emulated => scale.name().to_owned(),
                mode => format!("{scale}-{mode}"),
            };
            self.root.join(&entry.paper).join(size)
        };
        let others = Scale::ALL.iter().filter(|&&other| other != scale);
        let others = others.map(|&other| folder(other)).collect();
        Place { folder: folder(scale), others, id: entry.id.clone() }
    }
}

impl Place {
    /// Makes the folder.
    ///
    /// # Errors
    ///
    /// If that is impossible.
    pub fn create(&self) -> Result<(), TaskError> {
        fs::create_dir_all(&self.folder).map_err(|error| TaskError::at(&self.folder, &error))
    }

    fn file(&self, extension: &str) -> PathBuf {
        in_folder(&self.folder, &self.id, extension)
    }

    /// The experiment file.
    #[must_use]
    pub fn experiment(&self) -> PathBuf {
        self.file("toml")
    }

    /// The store of its games.
    #[must_use]
    pub fn store(&self) -> PathBuf {
        self.file("db")
    }

    /// The ledger of its games.
    #[must_use]
    pub fn ledger(&self) -> PathBuf {
        self.file("ledger")
    }

    /// The result of a study.
    #[must_use]
    pub fn result(&self) -> PathBuf {
        self.file("json")
    }

    /// Files of games at the other scales. A pair of games has a name that says all it depends on, so
    /// one that was played there need not be played here.
    #[must_use]
    pub fn other_games(&self) -> Vec<PathBuf> {
        let files = |folder: &PathBuf| ["ledger", "db"].map(|end| in_folder(folder, &self.id, end));
        self.others.iter().flat_map(files).filter(|file| file.exists()).collect()
    }

    /// Results of the study, at this scale and at the others.
    pub(crate) fn results(&self) -> impl Iterator<Item = PathBuf> {
        let folders = std::iter::once(&self.folder).chain(&self.others);
        folders.map(|folder| in_folder(folder, &self.id, "json"))
    }

    /// Whether there is any result of this scale.
    #[must_use]
    pub fn is_begun(&self) -> bool {
        [self.store(), self.ledger(), self.result()].iter().any(|file| file.exists())
    }

    /// What a study has found so far.
    #[must_use]
    pub fn part(&self, number: usize, extension: &str) -> PathBuf {
        self.file(&format!("{number}.{extension}"))
    }

    /// Writes a file so that it is complete or not there.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn write(&self, path: &Path, text: &str) -> Result<(), TaskError> {
        let new = path.with_extension("new");
        let written = File::create(&new).and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.sync_all()
        });
        written.and_then(|()| fs::rename(&new, path)).map_err(|error| {
            let _ = fs::remove_file(&new);
            TaskError::at(path, &error)
        })
    }
}

fn in_folder(folder: &Path, id: &str, extension: &str) -> PathBuf {
    folder.join(format!("{id}.{extension}"))
}

/// Reads the lines of a file whose first line is `header`; none if it begins otherwise or does not
/// exist. A line that was not written to its end is left out.
pub(crate) fn read_lines<T: DeserializeOwned>(
    path: &Path,
    header: &str,
) -> Result<Vec<T>, TaskError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(TaskError::at(path, &error)),
    };
    let mut lines = BufReader::new(file).lines();
    if !lines.next().is_some_and(|line| line.is_ok_and(|line| line == header)) {
        return Ok(Vec::new());
    }
    let lines = lines.map_while(Result::ok);
    Ok(lines.filter_map(|line| serde_json::from_str(&line).ok()).collect())
}

/// Adds a line to a file whose first line is `header`; a file that begins otherwise is begun anew.
pub(crate) fn write_line(
    path: &Path,
    header: &str,
    value: &impl Serialize,
) -> Result<(), TaskError> {
    let at = |error: std::io::Error| TaskError::at(path, &error);
    let begun = fs::read_to_string(path).unwrap_or_default();
    let line = serde_json::to_string(value).map_err(|error| TaskError::at(path, &error))?;
    let is_same = begun.lines().next() == Some(header);
    // The end of a line that was cut off would spoil the next one.
    let text = match (is_same, begun.ends_with('\n')) {
        (false, _) => format!("{header}\n{line}\n"),
        (true, true) => format!("{line}\n"),
        (true, false) => format!("\n{line}\n"),
    };
    let mut options = OpenOptions::new();
    let options = options.create(true).append(is_same).write(true).truncate(!is_same);
    let mut file = options.open(path).map_err(at)?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(at)
}
