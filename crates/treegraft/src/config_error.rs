//! What is wrong with the configuration of a search.

/// Options that are not compatible, or a number that an option cannot have.
///
/// Options are called what the texts of players call them: one sentence serves the library, the grammar
/// of players, Python and the page.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem}; expected {expected}")]
pub struct ConfigError {
    /// What is wrong: it names the options.
    pub problem: String,
    /// What would be right.
    pub expected: String,
}

/// Whether a rule is broken, the problem, and what would be right.
pub(crate) type Rule = (bool, &'static str, &'static str);

/// The name of an option, its value if it has one, the least and the largest value.
pub(crate) type Range = (&'static str, Option<f64>, f64, f64);

impl ConfigError {
    /// An error for the first number outside its range, or else for the first broken rule.
    pub(crate) fn check(ranges: &[Range], rules: &[Rule]) -> Result<(), ConfigError> {
        for &(name, value, min, max) in ranges {
            if let Some(value) = value.filter(|value| !(min..=max).contains(value)) {
                let largest = if max < MANY { format!(" to {max}") } else { String::new() };
                let expected = format!("a number from {min}{largest}");
                return Err(ConfigError { problem: format!("{name} is {value}"), expected });
            }
        }
        match rules.iter().find(|(is_broken, ..)| *is_broken) {
            Some(&(_, problem, expected)) => {
                Err(ConfigError { problem: problem.into(), expected: expected.into() })
            }
            None => Ok(()),
        }
    }
}

/// No limit on a number, but that it is finite.
pub(crate) const MANY: f64 = f64::MAX;
