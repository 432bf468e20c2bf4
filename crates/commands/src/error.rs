//! Error messages for users, with hints and exit codes.

use std::fmt;
use std::io::Write;
use std::process::ExitCode;

use treegraft::NotationError;
use treegraft_engine::MemoryError;
use treegraft_lab::ExperimentError;
use treegraft_papers::TaskError;
use treegraft_pictures::printable;
use treegraft_players::PlayerError;
use treegraft_studies::GamesError;

use crate::interrupt::{cause, exit_code};
use crate::output::{INTERRUPTED, NO_SUCCESS};

/// What commands and their parts return.
pub(crate) type Result<T, E = CliError> = std::result::Result<T, E>;

/// The exit code for bad input, including what clap rejects.
pub(crate) const BAD_INPUT: u8 = 2;

/// An input that cannot be used: why, and what to do about it.
#[derive(Debug)]
pub(crate) struct CliError {
    message: String,
    hint: Option<String>,
    code: u8,
}

impl CliError {
    pub(crate) fn new(message: impl Into<String>) -> CliError {
        CliError { message: message.into(), hint: None, code: BAD_INPUT }
    }

    /// The error of a library.
    pub(crate) fn of(error: impl fmt::Display) -> CliError {
        CliError::new(error.to_string())
    }

    /// For `map_err`: the error of a library, after what could not be done or where it is.
    pub(crate) fn about<E: fmt::Display>(what: impl fmt::Display) -> impl FnOnce(E) -> CliError {
        move |error| CliError::new(format!("{what}: {error}"))
    }

    /// For a command that was interrupted before it had anything to say.
    pub(crate) fn ended_before(what: &str) -> CliError {
        CliError::new(format!("ended by {} before {what}", cause())).code(INTERRUPTED)
    }

    /// Adds a line that begins with "try:".
    pub(crate) fn hint(self, hint: impl Into<String>) -> CliError {
        CliError { hint: Some(hint.into()), ..self }
    }

    /// Ends the program with another exit code than that of bad input.
    pub(crate) fn code(self, code: u8) -> CliError {
        CliError { code, ..self }
    }

    /// Prints it on standard error.
    pub(crate) fn report(&self) -> ExitCode {
        let _ = writeln!(std::io::stderr(), "{}", printable(&self.to_string()));
        ExitCode::from(exit_code(self.code))
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

/// Errors whose message says everything.
macro_rules! plain {
    ($($error:ty),*) => {
        $(impl From<$error> for CliError {
            fn from(error: $error) -> CliError {
                CliError::of(error)
            }
        })*
    };
}

plain!(NotationError, MemoryError, ExperimentError, TaskError);

impl From<GamesError> for CliError {
    fn from(error: GamesError) -> CliError {
        match error {
            GamesError::Player(error) => error.into(),
            GamesError::Fault { .. } => CliError::of(error).code(NO_SUCCESS),
            error => CliError::of(error),
        }
    }
}

impl From<PlayerError> for CliError {
    fn from(error: PlayerError) -> CliError {
        let label = error.text.split(['(', ':', '@']).next().unwrap_or_default().trim();
        let is_known = !error.problem.starts_with("there is no player");
        let hint = if is_known {
            format!("`treegraft players {label}` explains its options")
        } else {
            "`treegraft players` lists all players".to_owned()
        };
        CliError::new(error.to_string()).hint(hint)
    }
}
