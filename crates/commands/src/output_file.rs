//! The files that commands write: this is the only place that makes them.
//!
//! An output never destroys something else: it may not be a file that the command reads, the store,
//! or another output, and it replaces a file only if that is of its own kind. It is written beside
//! its place and renamed when it is complete, so that a failure leaves the old file as it was.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use treegraft_lab::files::{FileId, FilePlace};
use treegraft_lab::ledger::is_ledger;

use crate::error::{CliError, Result};
use crate::output::NO_SUCCESS;

/// What a file holds: what it is, and how every file of the kind begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileKind(&'static str, &'static [u8]);

impl FileKind {
    pub(crate) const SVG: FileKind =
        FileKind("an SVG picture by treegraft", b"<svg xmlns=\"http://www.w3.org/2000/svg\"");
    pub(crate) const PNG: FileKind = FileKind("a PNG picture", b"\x89PNG\r\n\x1a\n");
    pub(crate) const GAMES_CSV: FileKind =
        FileKind("a CSV file of games by treegraft export", b"pair,number,game,");
    pub(crate) const GAMES_JSON_LINES: FileKind = FileKind(
        "a file of JSON lines by treegraft export",
        b"{\"schema\":\"treegraft.stored-game/",
    );
    pub(crate) const LEDGER: FileKind = FileKind("a ledger", b"treegraft ledger ");
    pub(crate) const TREES_CSV: FileKind =
        FileKind("a CSV file by treegraft trees", b"height,number,tree,value,");
    pub(crate) const CATEGORIES_CSV: FileKind =
        FileKind("a CSV file by treegraft categories", b"# treegraft categories ");
    pub(crate) const SOLVED_POSITIONS: FileKind = FileKind(
        "a file of solved positions by treegraft accuracy",
        b"treegraft solved positions ",
    );
    pub(crate) const ATLAS: FileKind =
        FileKind("an atlas by treegraft ladder atlas", b"treegraft atlas ");
    pub(crate) const STRENGTH_PAGE: FileKind =
        FileKind("a page by treegraft ladder report", b"<!-- made by treegraft ladder report -->");
    pub(crate) const WEIGHTS: FileKind =
        FileKind("a file of weights by treegraft tune", b"treegraft-weights ");
    pub(crate) const MAN_PAGE: FileKind = FileKind(
        "a manual page of treegraft",
        b".ie \\n(.g .ds Aq \\(aq\n.el .ds Aq '\n.TH treegraft",
    );
    pub(crate) const REPORT_PAGE: FileKind = FileKind(
        "a page by treegraft reproduce report",
        b"<!-- made by treegraft reproduce report -->",
    );
    pub(crate) const REPORT_HTML: FileKind = FileKind(
        "an HTML page by treegraft reproduce report",
        b"<!doctype html>\n<!-- made by treegraft reproduce report -->",
    );
    pub(crate) const SLURM_SCRIPT: FileKind = FileKind(
        "a script by treegraft cluster slurm",
        b"#!/bin/bash\n# made by treegraft cluster slurm\n",
    );

    /// Whether a file is of the kind, or empty: then nothing is lost with it.
    fn is_kind_of(self, path: &Path) -> io::Result<bool> {
        let mut found = Vec::new();
        let expected = self.1;
        File::open(path)?.take(expected.len() as u64).read_to_end(&mut found)?;
        let is_packed = self == FileKind::LEDGER && is_ledger(path);
        Ok(found.is_empty() || found == expected || is_packed)
    }
}

/// The output files of a command, and what they must not replace.
#[derive(Debug, Default)]
pub(crate) struct OutputFiles {
    /// What the command needs, with a description.
    kept: Vec<(&'static str, FilePlace)>,
    /// What it will write.
    planned: Vec<FilePlace>,
    /// What it has written.
    written: Vec<FilePlace>,
}

/// The ends of the names of the files that belong to a store.
const STORE_FILES: [&str; 6] = ["", "-wal", "-shm", "-journal", ".lock", ".new"];

impl OutputFiles {
    /// No output may be this file, which may not exist yet; `what` describes it.
    pub(crate) fn keep(&mut self, what: &'static str, path: &Path) -> Result<()> {
        // A file in a folder that does not exist cannot be destroyed.
        let Ok(place) = FilePlace::of(path) else { return Ok(()) };
        if standard_output().is_some_and(|out| out.is_same(&place)) {
            let message = format!("standard output goes into {}, {what}", path.display());
            return Err(CliError::new(message).hint("`> FILE` with another name"));
        }
        self.kept.push((what, place));
        Ok(())
    }

    /// No output may be this store or a file that belongs to it.
    pub(crate) fn keep_store(&mut self, path: &Path) -> Result<()> {
        self.keep("the store of the games", path)?;
        let Ok(place) = FilePlace::of(path) else { return Ok(()) };
        for ending in STORE_FILES {
            let mut name = place.path.as_os_str().to_owned();
            name.push(ending);
            self.keep("a file that belongs to the store", Path::new(&name))?;
        }
        Ok(())
    }

    /// Announces outputs, so that what cannot be written is found out before the work begins.
    pub(crate) fn plan(
        &mut self,
        paths: impl IntoIterator<Item = impl AsRef<Path>>,
        kind: FileKind,
    ) -> Result<()> {
        for path in paths {
            let place = self.check(path.as_ref(), kind, &self.planned)?;
            self.planned.extend(place);
        }
        Ok(())
    }

    /// Writes an output whose content is known.
    pub(crate) fn put(
        &mut self,
        path: &Path,
        kind: FileKind,
        content: impl AsRef<[u8]>,
    ) -> Result<()> {
        self.write(path, kind, |out| out.write_all(content.as_ref()))
    }

    /// Writes an output. A pipe whose reader is gone is no failure.
    pub(crate) fn write(
        &mut self,
        path: &Path,
        kind: FileKind,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<()> {
        let place = self.check(path, kind, &self.written).map_err(|e| e.code(NO_SUCCESS))?;
        let result = match &place {
            None => fill_stream(path, fill),
            Some(place) => fill_beside(&place.path, fill),
        };
        match result {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                return Err(cannot_write(path, &error).code(NO_SUCCESS));
            }
            _ => {}
        }
        if place.is_some() {
            self.written.extend(FilePlace::of(path));
        }
        Ok(())
    }

    /// Where a file may be written to; `None` if it is no file but a device or a pipe.
    fn check(
        &self,
        path: &Path,
        kind: FileKind,
        others: &[FilePlace],
    ) -> Result<Option<FilePlace>> {
        let failed = |error: &io::Error| cannot_write(path, error).code(NO_SUCCESS);
        let place = FilePlace::of(path).map_err(|error| failed(&error))?;
        if place.is_stream {
            return Ok(None);
        }
        let existing = match fs::metadata(&place.path) {
            Ok(file) if file.is_dir() => return Err(cannot_write(path, &"it is a folder")),
            Ok(file) if !file.is_file() => return Ok(None),
            Ok(file) => Some(file),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(failed(&error)),
        };
        let out = standard_output().map(|out| ("the file that standard output goes into", out));
        let others = others.iter().map(|other| ("another output of this command", other));
        let kept = self.kept.iter().map(|(what, kept)| (*what, kept));
        let out = out.iter().map(|(what, out)| (*what, out));
        if let Some((what, _)) = kept.chain(others).chain(out).find(|(_, it)| it.is_same(&place)) {
            return Err(cannot_write(path, &format!("it is {what}")).hint("another name"));
        }
        if let Some(existing) = existing {
            if existing.permissions().readonly() {
                let error = cannot_write(path, &"the file there is write-protected");
                return Err(error.code(NO_SUCCESS));
            }
            if !kind.is_kind_of(&place.path).map_err(|error| failed(&error))? {
                let problem = format!(
                    "the file there is not {}, so it would be lost, not brought up to date",
                    kind.0
                );
                let hint = "another name, or move the file away first";
                return Err(cannot_write(path, &problem).hint(hint));
            }
        }
        Ok(Some(place))
    }
}

/// Makes a folder for outputs.
pub(crate) fn make_folder(path: &Path) -> Result<()> {
    let made = fs::create_dir_all(path);
    made.map_err(CliError::about(format!("cannot make the folder {}", path.display())))
        .map_err(|error| error.code(NO_SUCCESS))
}

fn cannot_write(path: &Path, problem: &impl ToString) -> CliError {
    CliError::new(format!("cannot write {}: {}", path.display(), problem.to_string()))
}

/// Where standard output goes, if that is a file.
fn standard_output() -> Option<FilePlace> {
    let path = Path::new("/dev/stdout");
    fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    FilePlace::of(path).ok()
}

/// Writes to a device, a pipe or an open file of this process.
fn fill_stream(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let is = |name: &str| match (FileId::of(path), FileId::of(Path::new(name))) {
        (Ok(Some(it)), Ok(Some(other))) => it == other,
        _ => false,
    };
    // Opened anew, a file would be written from its beginning, over what is there.
    let out: Box<dyn Write> = if is("/dev/stdout") {
        Box::new(io::stdout())
    } else if is("/dev/stderr") {
        Box::new(io::stderr())
    } else {
        Box::new(OpenOptions::new().append(true).open(path)?)
    };
    let mut out = BufWriter::new(out);
    fill(&mut out)?;
    out.flush()
}

/// Writes a file beside its place, and renames it.
fn fill_beside(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!(".treegraft-{}-{number}.tmp", std::process::id());
    let new: PathBuf = path.with_file_name(name);
    let written = || -> io::Result<()> {
        let file = OpenOptions::new().write(true).create_new(true).open(&new)?;
        let mut out = BufWriter::new(file);
        fill(&mut out)?;
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        // Some systems find out only now that the disk is full.
        file.sync_all()?;
        // Readers of the old file can read the new one.
        if let Ok(old) = fs::metadata(path) {
            fs::set_permissions(&new, old.permissions())?;
        }
        fs::rename(&new, path)
    };
    written().inspect_err(|_| {
        let _ = fs::remove_file(&new);
    })
}
