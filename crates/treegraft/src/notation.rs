//! Errors of the parsers of moves and positions, and the two ways to draw a board.

/// Characters a board may be drawn with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Charset {
    /// Box drawing and game pieces.
    #[default]
    Unicode,
    /// Seven-bit characters only.
    Ascii,
}

/// A text that is not a move or position of the game: what was read, why it is refused, and what
/// was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} {text:?}: {problem}; expected {expected}")]
pub struct NotationError {
    /// What the text should have been: `"move"`, `"position"`.
    pub what: &'static str,
    /// The text, shortened if it is long.
    pub text: String,
    /// Why it is refused.
    pub problem: String,
    /// The form that would be right.
    pub expected: String,
    /// Whether the text is a move of the game that is only not legal here: the problem says why.
    pub is_illegal: bool,
}

impl NotationError {
    /// An error about a move.
    pub fn of_move(
        text: &str,
        problem: impl Into<String>,
        expected: impl Into<String>,
    ) -> NotationError {
        NotationError::of("move", text, problem, expected)
    }

    /// The same error about a text that was understood, but is not a legal move here.
    #[must_use]
    pub fn illegal(self) -> NotationError {
        NotationError { is_illegal: true, ..self }
    }

    /// An error about a position.
    pub fn of_position(
        text: &str,
        problem: impl Into<String>,
        expected: impl Into<String>,
    ) -> NotationError {
        NotationError::of("position", text, problem, expected)
    }

    fn of(
        what: &'static str,
        text: &str,
        problem: impl Into<String>,
        expected: impl Into<String>,
    ) -> NotationError {
        NotationError {
            what,
            text: shorten(text, 80),
            problem: shorten(&problem.into(), 200),
            expected: expected.into(),
            is_illegal: false,
        }
    }
}

/// The text, cut after `most` characters: an error must stay readable.
pub(crate) fn shorten(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}
