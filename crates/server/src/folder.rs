//! The folder whose experiments are shown, and an index of it.
//!
//! A file is found by its name in a list of the folder that is made anew for every request. Links are
//! not followed, so that nothing outside of the folder can be requested. What an experiment is called is
//! kept, and read again when its file has changed: reading it means to make its whole plan.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime};

use axum::http::StatusCode;
use serde_json::{Value, json};
use treegraft_lab::Experiment;
use treegraft_players::Registry;

use crate::answer::Refusal;
use crate::experiments::Reports;
use crate::pool::lock;

/// Maximum depth of folders below the folder that are searched.
const DEEPEST: usize = 4;
/// Maximum number of files that are listed.
const MAX_FILES: usize = 500;
/// Maximum length of an experiment file; others that end like one are not read.
const MAX_BYTES: u64 = 4 << 20;
/// When a file that is no experiment is read again although it has not changed: one that it names may
/// have.
const AGAIN: Duration = Duration::from_secs(10);

/// The folder whose experiments are shown.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    /// What is known of its experiment files, by name.
    index: Mutex<HashMap<String, Entry>>,
    /// What was found in some of its files.
    pub(crate) reports: Reports,
}

/// When a file was last written, and how large it is.
pub(crate) type Stamp = (SystemTime, u64);

/// The stamp of a file, if there is one.
pub(crate) fn stamp(path: &Path) -> Option<Stamp> {
    let about = std::fs::metadata(path).ok()?;
    Some((about.modified().ok()?, about.len()))
}

/// What was read in an experiment file.
#[derive(Debug)]
struct Entry {
    stamp: Stamp,
    read: Instant,
    /// The title; `None`: it is no experiment.
    title: Option<String>,
}

impl Entry {
    fn read(path: &Path, stamp: Stamp, registry: &Registry) -> Entry {
        let title = || {
            let text = (stamp.1 <= MAX_BYTES).then(|| std::fs::read_to_string(path).ok())??;
            let experiment = Experiment::parse(&text, &path.to_string_lossy(), registry);
            Some(experiment.ok()?.title)
        };
        Entry { stamp, read: Instant::now(), title: title() }
    }

    fn is_fresh(&self, stamp: Stamp) -> bool {
        self.stamp == stamp && (self.title.is_some() || self.read.elapsed() < AGAIN)
    }
}

impl Folder {
    pub(crate) fn open(path: &Path) -> io::Result<Folder> {
        let path = path.canonicalize()?;
        std::fs::read_dir(&path)?;
        Ok(Folder { path, index: Mutex::default(), reports: Reports::default() })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The names of all experiments, stores and ledgers, in order.
    fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        self.walk(&self.path, 0, &mut names);
        names.sort();
        names
    }

    fn walk(&self, folder: &Path, depth: usize, names: &mut Vec<String>) {
        let Ok(entries) = std::fs::read_dir(folder) else { return };
        for entry in entries.flatten() {
            // The kind of the entry itself: that of a link is neither.
            let Ok(kind) = entry.file_type() else { continue };
            let path = entry.path();
            if kind.is_dir() && depth < DEEPEST {
                self.walk(&path, depth + 1, names);
            }
            let ending = path.extension().and_then(|ending| ending.to_str());
            let is_one = kind.is_file() && matches!(ending, Some("toml" | "db" | "ledger"));
            let inside = path.strip_prefix(&self.path).ok().and_then(Path::to_str);
            if let (true, Some(name), true) = (is_one, inside, names.len() < MAX_FILES) {
                names.push(name.to_owned());
            }
        }
    }

    /// The path of a file that is listed.
    pub(crate) fn find(&self, name: &str) -> Result<PathBuf, Refusal> {
        let is_listed = self.names().iter().any(|listed| listed == name);
        is_listed.then(|| self.path.join(name)).ok_or_else(|| {
            Refusal::with(StatusCode::NOT_FOUND, format!("there is no file {name:?} here"))
        })
    }

    /// All files, and the titles of those that say what they are.
    pub(crate) fn list(&self, registry: &Registry) -> Value {
        let names = self.names();
        // Whoever asks for the same meanwhile waits, and then finds everything read.
        let mut index = lock(&self.index);
        let mut kept = HashMap::new();
        let mut files = Vec::new();
        for name in names {
            let path = self.path.join(&name);
            let ending = path.extension().and_then(|ending| ending.to_str());
            match ending {
                Some("toml") => {
                    let Some(stamp) = stamp(&path) else { continue };
                    let known = index.remove(&name).filter(|entry| entry.is_fresh(stamp));
                    let entry = known.unwrap_or_else(|| Entry::read(&path, stamp, registry));
                    // A file of another kind may end like this too.
                    if let Some(title) = &entry.title {
                        let has_games = is_own_file(&store_of(&path));
                        let kind = "experiment";
                        files.push(
                            json!({"name": name, "kind": kind, "title": title, "games": has_games}),
                        );
                    }
                    kept.insert(name, entry);
                }
                Some("db") if is_own_file(&path.with_extension("toml")) => {}
                kind => {
                    let file = json!({"name": name, "kind": kind, "title": name, "games": true});
                    files.push(file);
                }
            }
        }
        // Files that are gone are forgotten with the index that knew them.
        *index = kept;
        let shown = self.path.file_name().map(|name| name.to_string_lossy());
        json!({ "folder": shown, "files": files })
    }
}

pub(crate) fn is_experiment(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "toml")
}

/// Whether there is a file and not a link, which is neither followed nor listed.
fn is_own_file(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|about| about.is_file())
}

/// The store of an experiment file, or the file itself.
pub(crate) fn store_of(path: &Path) -> PathBuf {
    if is_experiment(path) { path.with_extension("db") } else { path.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A new folder of this name, with a folder `inside` of it.
    fn place(name: &str) -> (PathBuf, PathBuf) {
        let place = std::env::temp_dir().join(format!("treegraft-{name}-{}", std::process::id()));
        let inside = place.join("inside");
        std::fs::create_dir_all(&inside).expect("a folder");
        (place, inside)
    }

    fn experiment(title: &str) -> String {
        format!(
            "title = \"{title}\"\ngame = \"connect4\"\ngames = 2\nplayers = [\"random\", \
             \"greedy\"]\n"
        )
    }

    #[test]
    fn nothing_outside_of_the_folder_is_found() {
        let (place, inside) = place("folder");
        std::fs::create_dir_all(inside.join("deeper")).expect("a folder");
        for path in ["secret.toml", "inside/a.toml", "inside/deeper/b.ledger", "inside/c.txt"] {
            std::fs::write(place.join(path), "").expect("a file");
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::symlink;
            symlink(place.join("secret.toml"), place.join("inside/link.toml")).expect("a link");
            symlink(&place, place.join("inside/up")).expect("a link");
        }
        let folder = Folder::open(&inside).expect("a folder");
        assert_eq!(folder.names(), ["a.toml", "deeper/b.ledger"]);
        assert!(folder.find("a.toml").is_ok());
        for name in ["../secret.toml", "link.toml", "up/secret.toml", "c.txt", "/etc/passwd", ""] {
            assert!(folder.find(name).is_err(), "{name}");
        }
        std::fs::remove_dir_all(&place).expect("a folder");
    }

    #[test]
    #[cfg(unix)]
    fn a_link_beside_a_file_changes_nothing() {
        use std::os::unix::fs::symlink;
        let (place, inside) = place("links");
        std::fs::write(place.join("other.toml"), experiment("other")).expect("a file");
        std::fs::write(place.join("other.db"), "").expect("a file");
        // An experiment whose store is elsewhere, and a store whose experiment is.
        std::fs::write(inside.join("a.toml"), experiment("a")).expect("a file");
        symlink(place.join("other.db"), inside.join("a.db")).expect("a link");
        std::fs::write(inside.join("b.db"), "").expect("a file");
        symlink(place.join("other.toml"), inside.join("b.toml")).expect("a link");
        let listed = Folder::open(&inside).expect("a folder").list(&Registry::standard());
        let file =
            |number: usize| (&listed["files"][number]["name"], &listed["files"][number]["games"]);
        assert_eq!(file(0), (&"a.toml".into(), &false.into()), "{listed}");
        assert_eq!(file(1), (&"b.db".into(), &true.into()), "{listed}");
        assert!(crate::experiments::open_games(&inside.join("a.toml")).is_err());
        std::fs::remove_dir_all(&place).expect("a folder");
    }

    #[test]
    fn a_file_is_read_again_only_when_it_has_changed() {
        let (place, inside) = place("index");
        let path = inside.join("a.toml");
        let write = |title: &str, at: Duration| {
            std::fs::write(&path, experiment(title)).expect("a file");
            let file = std::fs::File::options().write(true).open(&path).expect("a file");
            file.set_modified(SystemTime::UNIX_EPOCH + at).expect("a time");
        };
        let (folder, registry) = (Folder::open(&inside).expect("a folder"), Registry::standard());
        let title = || folder.list(&registry)["files"][0]["title"].clone();
        let at = Duration::from_secs(1_000_000);
        write("one", at);
        assert_eq!(title(), "one");
        // Nothing shows that there is something else in it now: it is not read.
        write("two", at);
        assert_eq!(title(), "one");
        write("two", 2 * at);
        assert_eq!(title(), "two");
        write("three", 2 * at);
        assert_eq!(title(), "three");
        std::fs::remove_file(&path).expect("a file");
        assert_eq!(folder.list(&registry)["files"], json!([]));
        assert!(lock(&folder.index).is_empty());
        std::fs::remove_dir_all(&place).expect("a folder");
    }
}
