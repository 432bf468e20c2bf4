//! The arguments that several commands share: games, positions, numbers.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use clap::Args;
use treegraft::{Budget, Game, Notation, Playthrough};
use treegraft_engine::check_memory;
use treegraft_players::{Board, DEFAULT_BUDGET, Player, Registry, Start, nearest};

use crate::error::{CliError, Result};

/// A game, and how far it has been played.
#[derive(Debug, Args)]
pub(crate) struct PositionArgs {
    /// The game, such as connect4 or connect4:8x7; `treegraft games` lists them all
    pub(crate) game: String,

    /// Moves to play: 4453, or 4 4 5 3, or 4,4,5,3
    ///
    /// They are played from the start of the game, or from --position if that is given too.
    /// Everything after --moves, up to the next option, is read as moves; put GAME first.
    #[arg(long, value_name = "MOVE", num_args = 0..)]
    moves: Vec<String>,

    /// The position to start from, in the game's own notation
    ///
    /// `treegraft games NAME` says how positions of a game are written, and `treegraft show` prints
    /// them. Quote a text that contains blanks.
    // Some notations begin with a dash, for an empty square.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    position: Option<String>,
}

/// The seed of all random choices.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct SeedArg {
    /// Seed of all random choices, any number from 0 to 2^64-1
    #[arg(long, value_name = "N", value_parser = whole_number(0..=u64::MAX), default_value_t = 0)]
    pub(crate) seed: u64,
}

/// A position, and who searches it.
#[derive(Debug, Args)]
pub(crate) struct SearchArgs {
    #[command(flatten)]
    pub(crate) at: PositionArgs,

    /// The player, such as ab or mcts-solver@1000it; `treegraft players` lists them all
    pub(crate) player: String,

    #[command(flatten)]
    pub(crate) seed: SeedArg,
}

/// How many threads work.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct JobsArg {
    /// How many games, pairs or trees to work on at once [default: one per processor, or 1 if a
    /// budget limits time]
    #[arg(long, value_name = "N", value_parser = whole_number(1usize..=1024))]
    pub(crate) jobs: Option<usize>,
}

impl JobsArg {
    /// The number; by default 1 if a budget limits time, because games at once share the machine.
    pub(crate) fn number(self, is_timed: bool) -> usize {
        self.jobs.unwrap_or(usize::from(is_timed))
    }
}

impl PositionArgs {
    /// Whether there is a position, and not only a game.
    pub(crate) fn is_given(&self) -> bool {
        !self.moves.is_empty() || self.position.is_some()
    }

    /// The game after the moves in the arguments.
    pub(crate) fn playthrough(&self, start: &Start) -> Result<Playthrough<Board>> {
        played(start, self.position(), &self.moves)
    }

    /// The position to start from, if it is not the game's own start.
    pub(crate) fn position(&self) -> Option<&str> {
        self.position.as_deref()
    }
}

/// The game that begins at the start or at a position, after these moves.
pub(crate) fn played(
    start: &Start,
    position: Option<&str>,
    moves: &[String],
) -> Result<Playthrough<Board>> {
    let help = || {
        let name = start.info().name;
        format!("`treegraft games {name}` says how moves and positions are written")
    };
    let mut game = match position {
        None => start.playthrough(),
        Some(text) => from_position(start.board(), text).map_err(|error| error.hint(help()))?,
    };
    game.play_text(&moves.join(" ")).map_err(|error| CliError::from(error).hint(help()))?;
    Ok(game)
}

/// A game that begins at the position, or, where positions are written as the moves that lead
/// to them, one in which these moves have been played.
fn from_position(start: &Board, text: &str) -> Result<Playthrough<Board>> {
    let position = start.notation().parse_position(text)?;
    if start.notation().position_is_moves().is_some() {
        let mut game = Playthrough::new(start.clone());
        if game.play_text(text).is_ok() && *game.position() == position {
            return Ok(game);
        }
    }
    Ok(Playthrough::new(position))
}

/// The game that a text names.
pub(crate) fn parse_game(registry: &Registry, text: &str) -> Result<Start> {
    registry.start(text).map_err(|error| {
        let text = treegraft::with_colon(text);
        let name = text.split(':').next().unwrap_or_default();
        let names = || registry.games().map(|info| info.name);
        let hint = if names().any(|known| known == name) {
            format!("`treegraft games {name}` explains its parameters")
        } else if let Some(meant) = nearest(name, names()) {
            format!("{meant} (`treegraft games` lists all games)")
        } else {
            "`treegraft games` lists all games".to_owned()
        };
        CliError::of(error).hint(hint)
    })
}

/// The player that a text names, with the usual budget if the text names none.
pub(crate) fn parse_searcher(registry: &Registry, text: &str) -> Result<Player> {
    let mut player = registry.player(text)?;
    player.budget = player.budget_or(DEFAULT_BUDGET);
    check_memory(&player.budget)?;
    Ok(player)
}

/// A limit on time, such as 10s.
pub(crate) fn time(text: &str) -> Result<Duration, String> {
    let alone = |time| Budget { time: Some(time), ..Budget::default() };
    let budget: Option<Budget> = text.parse().ok();
    let time = budget.and_then(|budget| budget.time.filter(|&time| budget == alone(time)));
    time.ok_or_else(|| "expected a time such as 10s, 500ms or 5min".to_owned())
}

/// A limit on memory, such as 1GiB.
pub(crate) fn memory(text: &str) -> Result<u64, String> {
    let alone = |memory| Budget { memory: Some(memory), ..Budget::default() };
    let budget: Option<Budget> = text.parse().ok();
    let memory = budget.and_then(|budget| budget.memory.filter(|&bytes| budget == alone(bytes)));
    memory.ok_or_else(|| "expected a size such as 64MiB or 1GiB".to_owned())
}

/// A parser for whole numbers whose error names the allowed range.
pub(crate) fn whole_number<T>(
    range: RangeInclusive<T>,
) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display + Clone,
{
    move |text| match text.parse() {
        Ok(number) if range.contains(&number) => Ok(number),
        _ => Err(format!("expected a whole number from {} to {}", range.start(), range.end())),
    }
}
