//! Names that can be registered.

use treegraft::is_evaluation_name;

/// Why something cannot be registered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} {name:?} cannot be registered: {problem}")]
pub struct RegistryError {
    /// What it is: `"game"`, `"search"`, `"option"`, `"evaluation"`.
    pub what: &'static str,
    /// Its name.
    pub name: String,
    /// Why not, and what would be right.
    pub problem: String,
}

impl RegistryError {
    pub(crate) fn new(what: &'static str, name: &str, problem: impl Into<String>) -> RegistryError {
        RegistryError { what, name: name.to_owned(), problem: problem.into() }
    }
}

/// Refuses names that are taken or could not be read back from text.
pub(crate) fn admit(what: &'static str, name: &str, is_taken: bool) -> Result<(), RegistryError> {
    let allowed = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '*');
    let can_be_read = match what {
        "evaluation" => is_evaluation_name(name),
        _ => (1..=40).contains(&name.len()) && name.chars().all(allowed),
    };
    let problem = if is_taken {
        "the name is taken; expected another one"
    } else if !can_be_read {
        "expected a name of up to 40 letters, digits, dashes, dots and underscores"
    } else {
        return Ok(());
    };
    Err(RegistryError::new(what, name, problem))
}
