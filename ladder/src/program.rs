//! Other people's programs: whether they are installed, and where they come from.

use serde::Deserialize;
use treegraft_engine::programs::{find_program, packages_of};

/// A program by other authors. It is never part of ours: to play against it, install it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Program {
    /// What tables call it.
    pub name: String,
    /// The player that runs it.
    pub player: String,
    /// The name of its file.
    pub program: String,
    /// Whether it plays the game on boards of any size.
    #[serde(default)]
    pub any_size: bool,
    /// Whether it is so slow that it plays only if it is named.
    #[serde(default)]
    pub slow: bool,
}

impl Program {
    /// The Debian packages that have it, if they are known.
    #[must_use]
    pub fn packages(&self) -> Option<&'static str> {
        packages_of(&self.program)
    }

    /// Why it is left out, and what to install; `None` if it is installed.
    #[must_use]
    pub fn missing(&self) -> Option<String> {
        if find_program(&self.program).is_some() {
            return None;
        }
        let from = match self.packages() {
            Some(packages) if packages.contains(' ') => format!(" (Debian packages {packages})"),
            Some(package) => format!(" (Debian package {package})"),
            None => String::new(),
        };
        Some(format!("{}: {} is not installed{from}", self.name, self.program))
    }
}
