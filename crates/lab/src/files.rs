//! Which file a path leads to, so that two names of one file are known as such.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

/// What distinguishes a file from all others while it exists, whatever it is called.
///
/// It is known on Unix only; elsewhere a file is identified by its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileId {
    device: u64,
    number: u64,
}

impl FileId {
    /// The number of the file that a path leads to; `None` if files have none here.
    ///
    /// # Errors
    ///
    /// If there is no such file, or it cannot be looked at.
    pub fn of(path: &Path) -> io::Result<Option<FileId>> {
        fs::metadata(path).map(|file| FileId::from(&file))
    }

    #[cfg(unix)]
    fn from(file: &Metadata) -> Option<FileId> {
        use std::os::unix::fs::MetadataExt;
        Some(FileId { device: file.dev(), number: file.ino() })
    }

    #[cfg(not(unix))]
    fn from(_: &Metadata) -> Option<FileId> {
        None
    }
}

/// Where a path leads to, whether or not there is a file: symbolic links and `..` are followed.
#[derive(Clone, Debug)]
pub struct FilePlace {
    /// The path without links.
    pub path: PathBuf,
    id: Option<FileId>,
    /// Whether it is an open file of a process, such as /dev/stdout.
    pub is_stream: bool,
}

impl FilePlace {
    /// Where a path leads to.
    ///
    /// # Errors
    ///
    /// If its folder does not exist or cannot be looked at, or links lead in a circle.
    pub fn of(path: &Path) -> io::Result<FilePlace> {
        /// As many links as Linux follows.
        const MAX_LINKS: usize = 40;
        let id = FileId::of(path).ok().flatten();
        let mut path = path.to_owned();
        for _ in 0..MAX_LINKS {
            let Some(name) = path.file_name() else {
                // "..", "." or "/": a folder.
                return Ok(FilePlace { path: fs::canonicalize(&path)?, id, is_stream: false });
            };
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = fs::canonicalize(folder.unwrap_or(Path::new(".")))?;
            let place = folder.join(name);
            // What looks like links there are the open files of a process.
            if folder.starts_with("/proc") || folder == Path::new("/dev/fd") {
                return Ok(FilePlace { path: place, id, is_stream: true });
            }
            match fs::read_link(&place) {
                Ok(target) => path = folder.join(target),
                Err(_) => return Ok(FilePlace { path: place, id, is_stream: false }),
            }
        }
        Err(io::Error::other("too many symbolic links"))
    }

    /// Whether both are one file, or would be if it existed. Hard links are one file.
    #[must_use]
    pub fn is_same(&self, other: &FilePlace) -> bool {
        self.path == other.path || (self.id.is_some() && self.id == other.id)
    }
}

/// Fails if a path is a symbolic link to nothing: whatever were written there would not be where it
/// is looked for.
///
/// # Errors
///
/// The target of the link.
pub fn refuse_dangling_link(path: &Path) -> Result<(), PathBuf> {
    match fs::read_link(path) {
        Ok(target) if !path.exists() => Err(target),
        _ => Ok(()),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn every_name_of_a_file_is_known() {
        let folder = std::env::temp_dir().join(format!("treegraft-files-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("a")).unwrap();
        let file = |name: &str| folder.join(name);
        fs::write(file("x"), "").unwrap();
        fs::hard_link(file("x"), file("hard")).unwrap();
        symlink("../x", file("a/soft")).unwrap();
        symlink("gone", file("dangling")).unwrap();
        symlink("circle", file("circle")).unwrap();
        let place = |name: &str| FilePlace::of(&file(name)).unwrap();
        for name in ["x", "hard", "a/soft", "a/../x", "./x"] {
            assert!(place(name).is_same(&place("x")), "{name}");
        }
        assert!(!place("y").is_same(&place("x")));
        assert!(place("a/../y").is_same(&place("y")) && place("dangling").is_same(&place("gone")));
        assert!(FilePlace::of(&file("circle")).is_err());
        assert!(FilePlace::of(&file("none/x")).is_err());
        assert!(FilePlace::of(Path::new("/dev/stdout")).unwrap().is_stream);
        assert!(!FilePlace::of(Path::new("/dev/null")).unwrap().is_stream);
        assert!(refuse_dangling_link(&file("a/soft")).is_ok());
        assert_eq!(refuse_dangling_link(&file("dangling")), Err(PathBuf::from("gone")));
        fs::remove_dir_all(&folder).unwrap();
    }
}
