//! `treegraft games`: what can be played.

use clap::Args;
use treegraft::{Best, GameInfo, Level, Param};
use treegraft_lab::{grouped, json};
use treegraft_players::Registry;

use crate::error::CliError;
use crate::input::parse_game;
use crate::output::{Output, labelled, wrap};

/// List the games with their rules and parameters
///
/// Without NAME: every game, its rules in one line, and the parameters that may follow its name.
/// With NAME: the same for one game, and how its moves and positions are written.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treegraft games
  treegraft games connect4
  treegraft games --json")]
pub(crate) struct Games {
    /// The game to explain
    name: Option<String>,

    /// Print JSON: an array with an object for every game
    #[arg(long)]
    json: bool,
}

impl Games {
    pub(crate) fn run(&self, registry: &Registry) -> Result<Output, CliError> {
        let games: Vec<&GameInfo> = match &self.name {
            None => registry.games().collect(),
            Some(text) => {
                // Parameters are welcome, but not if the game cannot have them.
                parse_game(registry, text)?;
                let name = text.split(':').next();
                registry.games().filter(|info| Some(info.name) == name).collect()
            }
        };
        if self.json {
            let objects: Vec<_> = games.into_iter().map(json::game).collect();
            return Ok(Output::json("treegraft.game/1", &objects));
        }
        Ok(Output::text(match self.name {
            None => {
                let sections: String = games.into_iter().map(brief).collect();
                sections + "`treegraft games NAME` says how moves and positions are written."
            }
            Some(_) => games.into_iter().map(detailed).collect(),
        }))
    }
}

fn brief(info: &GameInfo) -> String {
    let mut entries = vec![("", wrap(info.rules))];
    entries.extend(info.params.iter().map(|param| ("", describe(param))));
    format!("{}\n{}\n", info.name, labelled(&entries))
}

fn detailed(info: &GameInfo) -> String {
    let mut entries = vec![
        ("game", wrap(info.syntax)),
        ("rules", wrap(info.rules)),
        ("moves", wrap(info.moves)),
        ("positions", wrap(info.positions)),
    ];
    let mut label = "parameters";
    for param in info.params {
        entries.push((label, describe(param)));
        label = "";
    }
    entries.push(("best", wrap(info.constants.best.player)));
    entries.push(("levels", levels(&info.constants.best)));
    labelled(&entries)
}

/// What `best(level=1)` to `best(level=10)` may do, a line each.
fn levels(best: &Best) -> String {
    let line = |(level, Level { nodes, random }): (usize, &Level)| {
        let at_random = match random {
            0 => String::new(),
            _ => format!(", {}.{} % of the moves at random", random / 10, random % 10),
        };
        let nodes = grouped(*nodes);
        format!("best(level={}): {nodes} nodes a move{at_random}", level + 1)
    };
    best.levels.iter().enumerate().map(line).collect::<Vec<_>>().join("\n")
}

fn describe(param: &Param) -> String {
    let Param { name, values, default, meaning } = param;
    wrap(&format!("{name}: {meaning} ({values}; default {default})"))
}
