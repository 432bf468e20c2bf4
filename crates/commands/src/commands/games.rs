//! `treegraft games`: what can be played.

use treegraft::{GameInfo, Param};
use treegraft_lab::json;
use treegraft_players::{Best, GameEntry, Level, Start};

use crate::prelude::*;

/// List the games with their rules and parameters
///
/// Without NAME: every game, its rules in one line, and the parameters that may follow its name.
/// With NAME: the same for one game, how its moves and positions are written, and what `best` stands
/// for, with its parameters if there are some: connect4:5x4.
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
    pub(crate) fn run(&self, registry: &Registry) -> Result<Output> {
        let mut start = None;
        let games: Vec<&GameEntry> = match &self.name {
            None => registry.entries().collect(),
            Some(text) => {
                // Parameters are welcome, but not if the game cannot have them.
                let named = start.insert(parse_game(registry, text)?).info().name;
                registry.entries().filter(|game| game.info().name == named).collect()
            }
        };
        if self.json {
            let object = |game: &GameEntry| {
                let mut object = json::game(game);
                object["best"]["player"] = best(registry, game, start.as_ref()).into();
                object
            };
            let objects: Vec<_> = games.into_iter().map(object).collect();
            return Ok(Output::json("treegraft.game/1", &objects));
        }
        Ok(Output::text(match self.name {
            None => {
                let sections: String = games.into_iter().map(|game| brief(game.info())).collect();
                sections + "`treegraft games NAME` says how moves and positions are written."
            }
            Some(_) => {
                let best = |game| best(registry, game, start.as_ref());
                games.into_iter().map(|game| detailed(game, best(game))).collect()
            }
        }))
    }
}

fn brief(info: &GameInfo) -> String {
    let mut entries = vec![("", wrap(info.rules))];
    entries.extend(info.params.iter().map(|param| ("", describe(param))));
    format!("{}\n{}\n", info.name, labelled(&entries))
}

/// What `best` stands for with these parameters: there may be no knowledge for another board.
fn best(registry: &Registry, game: &GameEntry, start: Option<&Start>) -> &'static str {
    let &Best { player, otherwise, .. } = game.best();
    let can_play = |start: &Start| {
        let player = registry.player(player);
        player.is_ok_and(|player| registry.can_play(start, &player).is_ok())
    };
    if start.is_none_or(can_play) { player } else { otherwise }
}

fn detailed(game: &GameEntry, best: &str) -> String {
    let info = game.info();
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
    entries.push(("best", wrap(best)));
    if best != game.best().player {
        entries.push(("", "with these parameters, of which less is known".to_owned()));
    }
    entries.push(("levels", levels(game.best())));
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
