//! The kinds of limits, and which of them a search spends: one table for the grammar, engines and lists.

use crate::{Budget, ConfigError};

/// A kind of limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// [`Budget::iterations`]
    Iterations,
    /// [`Budget::nodes`]
    Nodes,
    /// [`Budget::evaluations`]
    Evaluations,
    /// [`Budget::plies`]
    Plies,
    /// [`Budget::time`]
    Time,
    /// [`Budget::memory`]
    Memory,
}

impl Limit {
    /// All of them.
    pub const ALL: [Limit; 6] = [
        Limit::Iterations,
        Limit::Nodes,
        Limit::Evaluations,
        Limit::Plies,
        Limit::Time,
        Limit::Memory,
    ];

    /// What it limits, in a word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Limit::Iterations => "iterations",
            Limit::Nodes => "nodes",
            Limit::Evaluations => "evaluations",
            Limit::Plies => "plies",
            Limit::Time => "time",
            Limit::Memory => "memory",
        }
    }

    /// A limit of this kind as text.
    #[must_use]
    pub fn example(self) -> &'static str {
        match self {
            Limit::Iterations => "@1000it",
            Limit::Nodes => "@1000nodes",
            Limit::Evaluations => "@1000evals",
            Limit::Plies => "@8plies",
            Limit::Time => "@1s",
            Limit::Memory => "@64MiB",
        }
    }
}

/// Which limits a search spends. A limit in a unit that a search never spends would never end it:
/// [`check`](Spends::check) refuses it. A limit on memory ends nothing: who needs none keeps it.
///
/// ```
/// use treegraft::depth_first::Config;
/// use treegraft::{Budget, Limit};
///
/// // Alpha-beta without an evaluation deepens ply by ply, and visits nodes.
/// let spends = Config::default().spends(false);
/// assert_eq!(spends.check(&"8plies,1000nodes".parse()?), Ok(()));
/// let error = spends.check(&"50it".parse()?).unwrap_err();
/// assert_eq!(error.problem, "a limit on iterations: this search deepens ply by ply");
/// assert!(!spends.includes(Limit::Evaluations));
/// # Ok::<(), treegraft::BudgetError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spends {
    /// For each limit, in the order of [`Limit::ALL`], why it is not spent.
    reasons: [Option<&'static str>; Limit::ALL.len()],
}

impl Spends {
    /// Every unit, as far as is known.
    pub const ALL: Spends = Spends { reasons: [None; Limit::ALL.len()] };

    /// None: there is no search.
    pub const NOTHING: Spends =
        Spends { reasons: [Some("this player does not search"); Limit::ALL.len()] }
            .but(Limit::Memory, None);

    /// All of these but one, if there is a reason why it is not spent.
    #[must_use]
    pub const fn but(mut self, limit: Limit, reason: Option<&'static str>) -> Spends {
        self.reasons[limit as usize] = reason;
        self
    }

    /// Why the search does not spend this limit; `None` if it does.
    #[must_use]
    pub const fn reason(&self, limit: Limit) -> Option<&'static str> {
        self.reasons[limit as usize]
    }

    /// Whether the search spends this limit.
    #[must_use]
    pub const fn includes(&self, limit: Limit) -> bool {
        self.reason(limit).is_none()
    }

    /// Refuses the limits that the search never spends.
    ///
    /// # Errors
    ///
    /// If there is one; the error says why, and what would limit the search.
    pub fn check(&self, budget: &Budget) -> Result<(), ConfigError> {
        let refused = |limit: &Limit| Some((*limit, self.reason(*limit)?));
        let Some((limit, why)) =
            Limit::ALL.iter().filter(|&&limit| budget.has(limit)).find_map(refused)
        else {
            return Ok(());
        };
        let possible: Vec<&str> = Limit::ALL
            .into_iter()
            .filter(|&limit| self.includes(limit) && limit != Limit::Memory)
            .map(Limit::example)
            .collect();
        let expected = match &possible[..] {
            [] => "no budget".to_owned(),
            [only] => (*only).to_owned(),
            [rest @ .., last] => format!("{} or {last}", rest.join(", ")),
        };
        Err(ConfigError { problem: format!("a limit on {}: {why}", limit.name()), expected })
    }

    /// Those of the limits that the search spends; all of them if it spends none that would end it.
    /// For limits that somebody gives several searches at once.
    #[must_use]
    pub fn of(&self, budget: Budget) -> Budget {
        let not_spent = Limit::ALL.into_iter().filter(|&limit| !self.includes(limit));
        let spent = not_spent.fold(budget, Budget::without);
        if spent.is_unlimited() { budget } else { spent }
    }
}
