//! The games of a study in a file: a line of JSON that says what they depend on, and one for each
//! game.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use treegraft_lab::files::{FileId, refuse_dangling_link};

use super::levels::Levels;
use super::study::TrapGame;

/// What the games of a file depend on, besides their numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrapHeader {
    /// The version of the format.
    pub traps: u32,
    /// The version of the program, whose searches may do something else in another one.
    pub version: String,
    /// The canonical text of the game.
    pub game: String,
    /// Who plays both sides.
    pub player: String,
    /// The levels of the traps.
    pub levels: Levels,
    /// Random playouts after every trap.
    pub playouts: u32,
    /// Where all random choices come from.
    pub seed: u64,
}

impl TrapHeader {
    /// The first member in which two headers differ, with both values.
    fn difference(&self, other: &TrapHeader) -> Option<(&'static str, String, String)> {
        let both = [self, other];
        let members = [
            ("format", both.map(|it| it.traps.to_string())),
            ("version", both.map(|it| it.version.clone())),
            ("game", both.map(|it| it.game.clone())),
            ("player", both.map(|it| it.player.clone())),
            ("levels", both.map(|it| it.levels.to_string())),
            ("playouts", both.map(|it| it.playouts.to_string())),
            ("seed", both.map(|it| it.seed.to_string())),
        ];
        let mut different = members.into_iter().filter(|(_, [here, there])| here != there);
        different.next().map(|(name, [here, there])| (name, here, there))
    }
}

/// Why a file of games cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TrapFileError {
    /// The system refused.
    #[error("{path}: {problem}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        problem: io::Error,
    },
    /// It is something else, or damaged.
    #[error("{path}, line {line}: {problem}; expected the games of treegraft traps")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// The path is a symbolic link to nothing.
    #[error(
        "{path} is a symbolic link to {target}, which does not exist; let it lead to a file, or \
         remove it"
    )]
    Dangling {
        /// The link.
        path: PathBuf,
        /// Where it leads to.
        target: PathBuf,
    },
    /// Games that were written are not there.
    #[error(
        "{path} was removed, replaced or changed during the study: {missing} of its games are not \
         in it"
    )]
    Gone {
        /// The file.
        path: PathBuf,
        /// How many games are missing.
        missing: usize,
    },
    /// Its games are other ones.
    #[error("{path}: its games have {name} {found}, not {expected}; choose another file")]
    Other {
        /// The file.
        path: PathBuf,
        /// What differs.
        name: &'static str,
        /// The value in the file.
        found: String,
        /// The expected value.
        expected: String,
    },
}

/// A file that games are added to.
#[derive(Debug)]
pub struct TrapFile {
    path: PathBuf,
    file: File,
    /// Which file it was when it was opened.
    id: Option<FileId>,
}

impl TrapFile {
    /// Opens the file, or begins a new one, and reads the games that it holds, by their numbers.
    ///
    /// A last line that was not written to its end, because the program was killed or the power
    /// went off, is cut off.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, is damaged, or holds games with another header.
    pub fn open(
        path: &Path,
        header: &TrapHeader,
    ) -> Result<(TrapFile, Vec<TrapGame>), TrapFileError> {
        let io = io(path);
        refuse_dangling_link(path)
            .map_err(|target| TrapFileError::Dangling { path: path.to_owned(), target })?;
        let mut options = OpenOptions::new();
        let mut file = options.read(true).append(true).create(true).open(path).map_err(&io)?;
        let text = read(&mut file, path)?;
        let beginning = line_of(header);
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        if whole == 0 && !beginning.starts_with(&text) {
            // Not ours: nothing may be cut off.
            return Err(damaged(path, 1, &"the line has no end"));
        }
        let mut games = Vec::new();
        if whole > 0 {
            let (found, kept) = parse(&text[..whole], path)?;
            if let Some((name, found, expected)) = found.difference(header) {
                let path = path.to_owned();
                return Err(TrapFileError::Other { path, name, found, expected });
            }
            games = kept;
        }
        if whole < text.len() {
            file.set_len(whole as u64).map_err(&io)?;
        }
        file.seek(SeekFrom::End(0)).map_err(&io)?;
        let id = FileId::of(path).map_err(io)?;
        let mut file = TrapFile { path: path.to_owned(), file, id };
        if whole == 0 {
            file.write(&beginning)?;
        }
        Ok((file, games))
    }

    /// The header and the games of a file, by their numbers; the file is left alone.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is damaged.
    pub fn read(path: &Path) -> Result<(TrapHeader, Vec<TrapGame>), TrapFileError> {
        let text = read(&mut File::open(path).map_err(io(path))?, path)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        parse(&text[..whole], path)
    }

    /// Adds a game, which is on the disk when this is done.
    ///
    /// # Errors
    ///
    /// If it cannot be written, or the file was removed, renamed or replaced since it was opened.
    pub fn append(&mut self, game: &TrapGame) -> Result<(), TrapFileError> {
        self.write(&line_of(game))?;
        // A file without a name cannot be found, so what is in it does not count as written.
        match FileId::of(&self.path) {
            Ok(found) if found == self.id => Ok(()),
            _ => Err(TrapFileError::Gone { path: self.path.clone(), missing: 1 }),
        }
    }

    /// Fails unless a reader of the file finds all these games in it.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or games are missing or different.
    pub fn confirm(&self, games: &[TrapGame]) -> Result<(), TrapFileError> {
        let (_, found) = TrapFile::read(&self.path)?;
        let is_there = |game: &&TrapGame| {
            let at = found.binary_search_by_key(&game.number, |found| found.number);
            at.is_ok_and(|at| found[at] == **game)
        };
        match games.len() - games.iter().filter(is_there).count() {
            0 => Ok(()),
            missing => Err(TrapFileError::Gone { path: self.path.clone(), missing }),
        }
    }

    fn write(&mut self, line: &str) -> Result<(), TrapFileError> {
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(io(&self.path))
    }
}

/// Serialising fails only for maps with keys that are not strings; there are none here.
fn line_of(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default() + "\n"
}

fn io(path: &Path) -> impl Fn(io::Error) -> TrapFileError {
    |problem| TrapFileError::Io { path: path.to_owned(), problem }
}

fn damaged(path: &Path, line: usize, problem: &impl ToString) -> TrapFileError {
    TrapFileError::Damaged { path: path.to_owned(), line, problem: problem.to_string() }
}

fn read(file: &mut File, path: &Path) -> Result<String, TrapFileError> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(io(path))?;
    String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + good.iter().filter(|&&byte| byte == b'\n').count();
        damaged(path, line, &"not UTF-8")
    })
}

/// Whole lines: a header, and games in any order.
fn parse(text: &str, path: &Path) -> Result<(TrapHeader, Vec<TrapGame>), TrapFileError> {
    let mut lines = text.lines().enumerate();
    let (_, first) = lines.next().ok_or_else(|| damaged(path, 1, &"the file is empty"))?;
    let header: TrapHeader =
        serde_json::from_str(first).map_err(|error| damaged(path, 1, &error))?;
    let game = |(i, line)| -> Result<TrapGame, TrapFileError> {
        serde_json::from_str(line).map_err(|error| damaged(path, i + 1, &error))
    };
    let mut games = lines.map(game).collect::<Result<Vec<_>, _>>()?;
    games.sort_by_key(|game| game.number);
    // Two studies at the same time may both have played a game; it is the same game.
    games.dedup_by_key(|game| game.number);
    Ok((header, games))
}
