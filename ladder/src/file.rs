//! The ladders that the program carries: experiment files with the programs that can join.

use std::time::Duration;

use toml::{Table, Value};
use treegraft::Budget;
use treegraft_lab::{ExperimentError, LoadedExperiment};
use treegraft_players::{Registry, Start};

use crate::program::Program;

/// Names and texts of the files.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/ladders.rs"));

/// The file for games that have none of their own.
const ANY: &str = "any.toml";

/// A tournament of our players and of programs that may be installed.
#[derive(Clone, Debug, PartialEq)]
pub struct Ladder {
    /// The canonical text of the game.
    pub game: String,
    /// Programs that can join.
    pub programs: Vec<Program>,
    /// The experiment file.
    experiment: Table,
}

/// What is played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LadderOptions {
    /// The time of a move, of players without a budget of their own.
    pub time: Duration,
    /// Games of each pairing; `None`: as the file says.
    pub games: Option<u64>,
    /// Who plays instead of those of the file: names of programs, or players.
    pub players: Vec<String>,
}

/// A ladder as it can be played here.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The experiment.
    pub loaded: LoadedExperiment,
    /// Programs that are left out, because they are not there.
    pub missing: Vec<Program>,
}

/// Why a ladder cannot be played.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LadderError {
    /// The file in the program is wrong, which a test rules out.
    #[error("{file}: {problem}")]
    File {
        /// The file.
        file: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The experiment cannot be played.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    /// A requested program is not there.
    #[error("{0}")]
    Missing(String),
}

impl Ladder {
    /// The ladder of a game: that of its own file, or one of usual players. Programs join only if they
    /// play the game at this size.
    ///
    /// # Errors
    ///
    /// If a file is wrong.
    pub fn of(start: &Start) -> Result<Ladder, LadderError> {
        let name = start.info().name;
        let own = format!("{name}.toml");
        let (file, text) = FILES
            .iter()
            .find(|(file, _)| *file == own)
            .or_else(|| FILES.iter().find(|(file, _)| *file == ANY))
            .copied()
            .unwrap_or_default();
        let wrong = |problem: String| LadderError::File { file: file.to_owned(), problem };
        let mut experiment: Table =
            text.parse().map_err(|it: toml::de::Error| wrong(it.to_string()))?;
        let mut programs: Vec<Program> = match experiment.remove("program") {
            None => Vec::new(),
            Some(programs) => programs.try_into().map_err(|it| wrong(it.to_string()))?,
        };
        let game = start.text().to_owned();
        let is_same = experiment.get("game").and_then(Value::as_str) == Some(&game);
        programs.retain(|program| is_same || program.any_size);
        experiment.insert("game".to_owned(), Value::String(game.clone()));
        experiment.insert("title".to_owned(), Value::String(format!("Ladder of {game}")));
        Ok(Ladder { game, programs, experiment })
    }

    /// The names of the files.
    pub fn files() -> impl Iterator<Item = &'static str> {
        FILES.iter().map(|(name, _)| *name)
    }

    /// The experiment with these options and the programs that are installed.
    ///
    /// # Errors
    ///
    /// If a player cannot play the game, or a requested program is not there.
    pub fn setup(
        &self,
        options: &LadderOptions,
        registry: &Registry,
    ) -> Result<Setup, LadderError> {
        let mut file = self.experiment.clone();
        let budget = Budget::time(options.time).to_string();
        file.insert("budget".to_owned(), Value::String(budget));
        if let Some(games) = options.games {
            let games = i64::try_from(games).unwrap_or(i64::MAX);
            file.insert("games".to_owned(), Value::Integer(games));
        }
        let ours = match file.get("players") {
            Some(Value::Array(players)) => players.clone(),
            _ => Vec::new(),
        };
        let (players, missing) = match options.players.as_slice() {
            [] => self.all(ours),
            asked => (self.chosen(&ours, asked)?, Vec::new()),
        };
        file.insert("players".to_owned(), Value::Array(players));
        let name = format!("the ladder of {}", self.game);
        let loaded = LoadedExperiment::parse(file.to_string(), &name, registry)?;
        Ok(Setup { loaded, missing })
    }

    fn all(&self, mut players: Vec<Value>) -> (Vec<Value>, Vec<Program>) {
        let (missing, installed): (Vec<&Program>, Vec<&Program>) =
            self.programs.iter().filter(|it| !it.slow).partition(|it| it.missing().is_some());
        players.extend(installed.into_iter().map(entry));
        (players, missing.into_iter().cloned().collect())
    }

    fn chosen(&self, ours: &[Value], asked: &[String]) -> Result<Vec<Value>, LadderError> {
        let one = |text: &String| {
            if let Some(program) = self.programs.iter().find(|program| program.name == *text) {
                return match program.missing() {
                    Some(why) => Err(LadderError::Missing(why)),
                    None => Ok(entry(program)),
                };
            }
            let is_it = |it: &&Value| it.get("name").and_then(Value::as_str) == Some(text);
            let known = ours.iter().find(is_it).cloned();
            Ok(known.unwrap_or_else(|| Value::String(text.clone())))
        };
        asked.iter().map(one).collect()
    }
}

/// A program as a player of an experiment file.
fn entry(program: &Program) -> Value {
    let member = |name: &str, text: &str| (name.to_owned(), Value::String(text.to_owned()));
    Value::Table(Table::from_iter([
        member("name", &program.name),
        member("player", &program.player),
    ]))
}
