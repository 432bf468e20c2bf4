//! What goes wrong, in words for the person at the keyboard.

use std::fmt;
use std::io::Write;
use std::process::ExitCode;

use treegraft::NotationError;

/// The exit code of every bad input, also of those that clap finds.
pub(crate) const BAD_INPUT: u8 = 2;

/// An input that cannot be used: why, and what to do about it.
#[derive(Debug)]
pub(crate) struct CliError {
    message: String,
    hint: Option<String>,
}

impl CliError {
    pub(crate) fn new(message: impl Into<String>) -> CliError {
        CliError { message: message.into(), hint: None }
    }

    /// Adds a line that begins with "try:".
    pub(crate) fn hint(self, hint: impl Into<String>) -> CliError {
        CliError { hint: Some(hint.into()), ..self }
    }

    /// Says it on standard error.
    pub(crate) fn report(&self) -> ExitCode {
        let _ = writeln!(std::io::stderr(), "{self}");
        ExitCode::from(BAD_INPUT)
    }
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "\n  try: {hint}"),
            None => Ok(()),
        }
    }
}

impl From<NotationError> for CliError {
    fn from(error: NotationError) -> CliError {
        CliError::new(error.to_string())
    }
}

/// The candidate most like `text`, if one is like it at all: at most a third of it misspelt.
pub(crate) fn nearest<'a>(
    text: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let text = text.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| (edit_distance(&text, candidate), candidate))
        .filter(|&(distance, candidate)| distance <= candidate.chars().count().div_ceil(3))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// How many characters must be inserted, removed or replaced to get from `a` to `b`.
fn edit_distance(a: &str, b: &str) -> usize {
    // The distances from the part of `a` read so far to every beginning of `b`.
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.chars().enumerate() {
            let replaced = diagonal + usize::from(from != to);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[row.len() - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edit_distances() {
        for (a, b, distance) in
            [("", "", 0), ("", "hex", 3), ("hex", "hex", 0), ("kitten", "sitting", 3)]
        {
            assert_eq!(edit_distance(a, b), distance, "{a} {b}");
            assert_eq!(edit_distance(b, a), distance, "{b} {a}");
        }
    }

    #[test]
    fn the_nearest_name_is_found_and_nonsense_is_not() {
        let names = ["connect4", "othello", "hex", "kalah"];
        assert_eq!(nearest("conect4", names), Some("connect4"));
        assert_eq!(nearest("Othelo", names), Some("othello"));
        assert_eq!(nearest("kala", names), Some("kalah"));
        assert_eq!(nearest("chess", names), None);
        assert_eq!(nearest("", names), None);
        assert_eq!(nearest("🦁🦁🦁🦁", names), None);
    }
}
