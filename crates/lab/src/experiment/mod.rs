//! Experiments: a file that says who plays whom, and the plan that it expands to.

mod estimate;
mod file;
mod grid;
mod plan;
mod resolve;
mod sweep;

use serde::{Deserialize, Serialize};

use treegraft_players::Registry;

use crate::source::{ExperimentError, Source};
pub use estimate::{Estimate, estimate};
pub use plan::{Plan, PlannedPairing};

/// A file that says who plays whom, read and checked.
///
/// The file is TOML. Every key:
///
/// ```
/// # let text = r#"
/// title = "Three ways to search"     # for tables and plots; the file's name if left out
/// game = "breakthrough:6x6"          # or several: ["breakthrough:6x6", "connect4"]
/// games = 200                        # in each pairing: even, for pairs with sides swapped
/// seed = 1                           # 0 if left out
/// players = ["uct", "mcts-solver@500it", { name = "weak", player = "ab@100nodes" }]
/// budget = "1000it"                  # of players without one; a second if left out
/// schedule = "gauntlet"              # "pairing", "gauntlet", "round-robin", "list" or "sweep"
/// baseline = "weak"                  # whom the others meet in a gauntlet
/// scoring = "games"                  # or "pairs"; "games" if left out
/// openings = { random = 2 }          # see below; "none" if left out
/// stop = { sprt = { elo0 = 0, elo1 = 20, alpha = 0.05, beta = 0.05 } }   # or "fixed"
/// adjudicate = { max-plies = 300 }   # drawn after this many moves in all
/// record = "thinking"                # what the players think of every move; "none" if left out
/// # "#;
/// # let registry = treegraft_players::Registry::standard();
/// # let plan = treegraft_lab::Experiment::parse(text, "doc.toml", &registry)?.plan;
/// # assert_eq!((plan.pairings.len(), plan.len()), (2, 200));
/// # Ok::<(), treegraft_lab::ExperimentError>(())
/// ```
///
/// `schedule` can be left out: with `[sweep]` it is a sweep, with `baseline` a gauntlet, with
/// `pairings` (such as `[["weak", "uct"]]`) a list, otherwise a round robin.
///
/// `openings` is `"none"`; `{ random = K }` for K random moves; `{ file = "openings.txt" }` for a
/// list of moves per line, in turn (the path is relative to the experiment's); `{ generated = {
/// count = 100, plies = 3, seed = 1 } }` for random moves to this many different positions, in
/// turn; or `"kalah-boards"` for randomly placed stones (in any game with random starts). Pair *i*
/// begins the same way in all pairings.
///
/// A sweep has, instead of players, a text with parameters. Each combination of values meets the
/// player (or the list of players) `against`, whose text may have the parameters too:
///
/// ```
/// # let text = r#"
/// # game = "connect4"
/// # games = 2
/// [sweep]
/// player = "mcts(c={c})@{n}it"       # or with the values in place: c={c = [0.2, 0.4]}
/// against = "mcts-solver@{n}it"
/// grid = { c = "0.2..1.0 step 0.2", n = [100, 1000] }
/// # "#;
/// # let registry = treegraft_players::Registry::standard();
/// # assert_eq!(treegraft_lab::Experiment::parse(text, "doc.toml", &registry)?.plan.len(), 10);
/// # Ok::<(), treegraft_lab::ExperimentError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Experiment {
    /// Its title; by default the name of the file.
    pub title: String,
    /// Where all random choices come from.
    pub seed: u64,
    /// Who meets whom.
    pub schedule: Schedule,
    /// Games of each pairing; the maximum, if the stop rule can end it sooner.
    pub games: u32,
    /// When a pairing is over.
    pub stop: StopRule,
    /// What counts.
    pub scoring: Scoring,
    /// What is kept beside the games.
    pub record: Record,
    /// All pairs.
    pub plan: Plan,
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Schedule {
    /// Two players.
    Pairing,
    /// All players meet the baseline.
    Gauntlet,
    /// Every player meets every other.
    RoundRobin,
    /// Those players meet who are named together in `pairings`.
    List,
    /// A player with many values of its parameters meets the same opponents.
    Sweep,
}

/// When a pairing is over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StopRule {
    /// After all games.
    #[default]
    Fixed,
    /// When the sequential probability ratio test decides, or after all games.
    Sprt {
        /// The difference in Elo points of the null hypothesis.
        elo0: f64,
        /// The difference of the alternative, which is higher.
        elo1: f64,
        /// The accepted probability of taking the alternative although `elo0` is true.
        alpha: f64,
        /// The accepted probability of taking the null hypothesis although `elo1` is true.
        beta: f64,
    },
}

/// What counts in the score of a pairing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scoring {
    /// Games.
    #[default]
    Games,
    /// Pairs, as Lanctot et al. (2014) counted on random boards of Kalah: a player wins a pair by
    /// winning one of its games and not losing the other, and pairs without a winner do not count.
    Pairs,
}

/// What is kept beside the games. Games, their seeds and the names of pairs do not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Record {
    /// Nothing.
    #[default]
    None,
    /// What the players think of every move: see [`Thought`](treegraft_engine::Thought).
    Thinking,
}

impl Experiment {
    /// Reads the text of an experiment file. `file` is its path, for errors and for what the text
    /// refers to.
    ///
    /// # Errors
    ///
    /// If the text is not an experiment, a player cannot play a game, or an opening cannot be
    /// played. The error says where.
    pub fn parse(
        text: &str,
        file: &str,
        registry: &Registry,
    ) -> Result<Experiment, ExperimentError> {
        let source = Source { file, text };
        let read = toml::from_str(text).map_err(|error| source.toml(&error))?;
        resolve::resolve(&source, read, registry)
    }
}
