//! What is in a file, by its content and not by its name: for messages about files that are not what
//! was expected.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use serde::de::IgnoredAny;

use crate::ledger::is_ledger;

/// What is in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// An SQLite database, as every store is.
    Database,
    /// The log that SQLite keeps beside a database.
    DatabaseLog,
    /// A ledger, compressed or not.
    Ledger,
    /// An experiment file.
    Experiment,
    /// Games as comma-separated values.
    GamesCsv,
    /// JSON, or lines of it.
    Json,
    /// An SVG picture.
    Svg,
    /// A PNG picture.
    Png,
    /// Something that is compressed and no ledger.
    Gzip,
    /// Text that is none of these.
    Text,
    /// No bytes at all.
    Empty,
    /// A folder.
    Folder,
    /// Neither file nor folder: a device, a pipe.
    Device,
    /// Bytes that are none of these.
    Unknown,
}

impl Content {
    /// What the file at `path` holds.
    ///
    /// # Errors
    ///
    /// If there is none, or it cannot be read.
    pub fn of(path: &Path) -> io::Result<Content> {
        let file = fs::metadata(path)?;
        if file.is_dir() {
            return Ok(Content::Folder);
        }
        // Opening what is not a file may wait for ever.
        if !file.is_file() {
            return Ok(Content::Device);
        }
        let (mut bytes, mut file) = (Vec::new(), File::open(path)?);
        file.by_ref().take(LONGEST_BEGINNING).read_to_end(&mut bytes)?;
        Ok(match Content::by_beginning(&bytes) {
            Some(Content::Gzip) if is_ledger(path) => Content::Ledger,
            Some(content) => content,
            None => {
                file.take(MAX_READ).read_to_end(&mut bytes)?;
                Content::of_text(&bytes)
            }
        })
    }

    /// What begins with these bytes, as far as the first of them say it.
    fn by_beginning(bytes: &[u8]) -> Option<Content> {
        const BEGINNINGS: [(&[u8], Content); 10] = [
            (b"SQLite format 3\0", Content::Database),
            (b"\x37\x7f\x06\x82", Content::DatabaseLog),
            (b"\x37\x7f\x06\x83", Content::DatabaseLog),
            (b"treegraft ledger ", Content::Ledger),
            (b"pair,number,game,", Content::GamesCsv),
            (b"{\"schema\":\"treegraft.", Content::Json),
            (b"<svg", Content::Svg),
            (b"<?xml", Content::Svg),
            (b"\x89PNG\r\n\x1a\n", Content::Png),
            (b"\x1f\x8b", Content::Gzip),
        ];
        if bytes.is_empty() {
            return Some(Content::Empty);
        }
        let found = BEGINNINGS.into_iter().find(|(beginning, _)| bytes.starts_with(beginning));
        found.map(|(_, content)| content)
    }

    fn of_text(bytes: &[u8]) -> Content {
        let text = match str::from_utf8(bytes) {
            Ok(text) => text,
            // The end of what was read may be in the middle of a character.
            Err(error) if error.error_len().is_none() => {
                str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default()
            }
            Err(_) => return Content::Unknown,
        };
        if text.chars().any(|c| c.is_control() && !c.is_whitespace()) {
            return Content::Unknown;
        }
        if toml::from_str::<toml::Table>(text).is_ok_and(|it| is_experiment(&it)) {
            return Content::Experiment;
        }
        let begins_as_json = text.trim_start().starts_with(['{', '[']);
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
        match begins_as_json && matches!(values.next(), Some(Ok(_))) {
            true => Content::Json,
            false => Content::Text,
        }
    }

    /// Whether it is certain that this is something else than games, and not what damage has left of
    /// them.
    #[must_use]
    pub fn is_something_else(self) -> bool {
        use Content::*;
        match self {
            DatabaseLog | Experiment | GamesCsv | Json | Svg | Png | Folder | Device => true,
            Database | Ledger | Gzip | Text | Empty | Unknown => false,
        }
    }
}

/// As many bytes tell most kinds of files apart.
const LONGEST_BEGINNING: u64 = 64;

/// As many bytes of a text are looked at: more than any experiment has.
const MAX_READ: u64 = 1 << 20;

/// Whether a table has what no experiment can do without.
fn is_experiment(table: &toml::Table) -> bool {
    ["game", "games"].iter().all(|key| table.contains_key(*key))
        && ["players", "pairings", "sweep"].iter().any(|key| table.contains_key(*key))
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Content::Database => "an SQLite database",
            Content::DatabaseLog => "the log of an SQLite database",
            Content::Ledger => "a ledger of games",
            Content::Experiment => "an experiment file",
            Content::GamesCsv => "a CSV file of games",
            Content::Json => "a JSON file",
            Content::Svg => "an SVG picture",
            Content::Png => "a PNG picture",
            Content::Gzip => "a compressed file",
            Content::Text => "a text file",
            Content::Empty => "an empty file",
            Content::Folder => "a folder",
            Content::Device => "not a regular file",
            Content::Unknown => "a file of an unknown kind",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_content() {
        let folder = std::env::temp_dir().join(format!("treegraft-content-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let experiment = "game = \"hex:3\"\ngames = 2\nplayers = [\"random\", \"random\"]\n";
        let kinds: [(&[u8], Content); 14] = [
            (b"", Content::Empty),
            (b"SQLite format 3\0and so on", Content::Database),
            (b"SQLite form", Content::Text),
            (b"\x37\x7f\x06\x82\0\0", Content::DatabaseLog),
            (b"treegraft ledger 1\n", Content::Ledger),
            (experiment.as_bytes(), Content::Experiment),
            (b"game = \"hex:3\"\n", Content::Text),
            (b"{\"a\": 1}\n{\"a\": 2}\n", Content::Json),
            (b" [1, 2]", Content::Json),
            (b"{\"a\": 1", Content::Text),
            (b"[section]\nkey = 1\n", Content::Text),
            (b"\x89PNG\r\n\x1a\n....", Content::Png),
            (b"\x1f\x8b\x08\0not really", Content::Gzip),
            (b"a\0b", Content::Unknown),
        ];
        for (bytes, content) in kinds {
            fs::write(folder.join("x"), bytes).unwrap();
            let found = Content::of(&folder.join("x")).unwrap();
            assert_eq!(found, content, "{}", String::from_utf8_lossy(bytes));
        }
        assert_eq!(Content::of(&folder).unwrap(), Content::Folder);
        assert!(Content::of(&folder.join("none")).is_err());
        fs::remove_dir_all(&folder).unwrap();
    }
}
