//! Texts with names, and errors that point into them.

use std::fmt;
use std::ops::Range;

use treegraft_players::nearest;

/// What is wrong with an experiment, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExperimentError {
    /// The file.
    pub file: String,
    /// The place in the file; `None` if it is the whole file.
    pub place: Option<Place>,
    /// What is wrong, and what would be right.
    pub message: String,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// The line itself.
    pub text: String,
    /// How many characters of it are meant, at least 1.
    pub width: usize,
}

impl std::error::Error for ExperimentError {}

impl fmt::Display for ExperimentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ExperimentError { file, place, message } = self;
        let Some(Place { line, column, text, width }) = place else {
            return write!(f, "{file}: {message}");
        };
        let number = line.to_string();
        let margin = " ".repeat(number.len());
        // Tabs in the line stay tabs below it, so that the carets meet their characters.
        let keep_tabs = |c| if c == '\t' { '\t' } else { ' ' };
        let before: String = text.chars().take(column - 1).map(keep_tabs).collect();
        let carets = "^".repeat(*width);
        writeln!(f, "{file}:{line}:{column}: {message}")?;
        write!(f, "{margin} |\n{number} | {text}\n{margin} | {before}{carets}")
    }
}

/// A text with a name, to which errors point.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// Its name.
    pub file: &'a str,
    /// The whole text.
    pub text: &'a str,
}

impl Source<'_> {
    /// An error about a part of the text, given in bytes.
    #[must_use]
    pub fn error(&self, span: Range<usize>, message: impl Into<String>) -> ExperimentError {
        let clamp = |at: usize| {
            let at = at.min(self.text.len());
            (0..=at).rev().find(|&at| self.text.is_char_boundary(at)).unwrap_or(0)
        };
        let (start, end) = (clamp(span.start), clamp(span.end));
        let line_start = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line = self.text[line_start..].lines().next().unwrap_or_default();
        let line_end = line_start + line.len();
        let width = self.text[start.min(line_end)..end.clamp(start.min(line_end), line_end)]
            .chars()
            .count()
            .max(1);
        let place = Place {
            line: self.text[..start].matches('\n').count() + 1,
            column: self.text[line_start..start].chars().count() + 1,
            text: line.to_owned(),
            width,
        };
        ExperimentError { place: Some(place), ..self.whole(message) }
    }

    /// An error about the text as a whole.
    #[must_use]
    pub fn whole(&self, message: impl Into<String>) -> ExperimentError {
        ExperimentError { file: self.file.to_owned(), place: None, message: message.into() }
    }

    /// An error of the TOML reader.
    #[must_use]
    pub fn toml(&self, error: &toml::de::Error) -> ExperimentError {
        let message = with_suggestion(error.message())
            .replace("wanted exactly 1 element, more than 1 element", "expected exactly one key")
            .replace("expected u32", "expected a whole number that is not negative")
            .replace("expected u64", "expected a whole number that is not negative")
            .replace("expected f64", "expected a number");
        match error.span() {
            // What is missing from the file as a whole stands nowhere in it.
            Some(span) if span.start > 0 || !message.starts_with("missing") => {
                self.error(span, message)
            }
            _ => self.whole(message),
        }
    }
}

/// Adds the word that may have been meant to "unknown field `x`, expected one of `y`, `z`".
fn with_suggestion(message: &str) -> String {
    let mut quoted = message.split('`').skip(1).step_by(2);
    let suggestion = match quoted.next() {
        Some(word) if message.starts_with("unknown") => nearest(word, quoted),
        _ => None,
    };
    match suggestion {
        Some(meant) => format!("{message} (did you mean `{meant}`?)"),
        None => message.to_owned(),
    }
}
