//! `treegraft watch`: two players against each other, live.

use std::io::{ErrorKind, Write};
use std::time::Duration;

use serde_json::{Value, json};
use treegraft::{Exactness, Game, Notation, Playthrough, Side};
use treegraft_engine::Findings;
use treegraft_players::{Analyst, Board, Player, Start};

use super::play::{move_seed, thoughts};
use super::result;
use crate::board_view::BoardStyle;
use crate::prelude::*;
use crate::search::{Show, Thinking};

/// Watch two players play a game, and think
///
/// Player A moves first. While a player thinks, a table shows what it has found so far; after each
/// move the board is drawn, with the player's value, the line it expects, and the work it did. For
/// results that mean something, use `match`: one game says little.
#[derive(Debug, Args)]
#[command(override_usage = "treegraft watch <GAME> <A> <B> [OPTIONS]")]
#[command(after_help = "\
Examples:
  treegraft watch connect4 mcts-solver@1s ab@1s
  treegraft watch othello mcts-ms-2-visit-2@2s 'ab(eval=wpc)@2s' --pause 1s
  treegraft watch hex:7 mcts@1000it uct@1000it --seed 3 --json")]
pub(crate) struct Watch {
    #[command(flatten)]
    at: PositionArgs,

    /// The first player, such as mcts-solver@1s; `treegraft players` lists them all
    a: String,

    /// The second player
    b: String,

    #[command(flatten)]
    seed: SeedArg,

    /// Time to wait after each move
    #[arg(long, value_name = "TIME", value_parser = time)]
    pause: Option<Duration>,

    /// Draw the board with plain ASCII characters
    #[arg(long)]
    ascii: bool,

    /// Print JSON: one object with all moves and what the players thought
    #[arg(long)]
    json: bool,
}

impl Watch {
    pub(crate) fn run(&self, registry: &Registry) -> Result<Output> {
        let start = parse_game(registry, &self.at.game)?;
        let mut seats = Vec::new();
        for text in [&self.a, &self.b] {
            let player = parse_searcher(registry, text)?;
            let analyst = registry.searcher(&start, &player)?;
            seats.push((player, analyst));
        }
        let game = self.at.playthrough(&start)?;
        WatchedGame { args: self, start, game, seats, moves: Vec::new() }.play()
    }
}

struct WatchedGame<'a> {
    args: &'a Watch,
    start: Start,
    game: Playthrough<Board>,
    /// Who plays the first and the second side.
    seats: Vec<(Player, Analyst)>,
    /// What was played, and thought, as JSON.
    moves: Vec<Value>,
}

impl WatchedGame<'_> {
    fn play(mut self) -> Result<Output> {
        let style = BoardStyle::of_output(self.args.ascii);
        let position = self.game.position();
        let [first, second] =
            [Side::First, Side::Second].map(|side| position.notation().side_name(side));
        self.say(&format!(
            "{first}: {}\n{second}: {}\n\n{}",
            self.seats[0].0,
            self.seats[1].0,
            style.draw(&self.game)
        ))?;
        let cancel = interrupt::flag();
        while self.game.ending().is_none() {
            let ply = self.game.moves().len();
            let position = self.game.position();
            let mover = position.to_move();
            let (player, analyst) = &mut self.seats[mover.index()];
            let show = match self.args.json {
                true => Show::Nothing,
                false => Show::Table(style.charset),
            };
            let thinking = Thinking::new(player, move_seed(self.args.seed.seed, ply), show);
            let report = thinking.run(analyst, position)?;
            if cancel.load(std::sync::atomic::Ordering::Relaxed) {
                break;
            }
            let findings = Findings::new(position, &report, player.search.value_kind());
            let legal = self.game.legal_moves();
            let Some(mv) = report.best_move.filter(|mv| legal.contains(mv)) else {
                let player = player.to_string();
                return Err(CliError::new(format!("{player:?} found no legal move")).code(1));
            };
            let said = format!(
                "{} plays {}  ({})",
                findings.mover_name,
                position.notation().move_text(mv),
                thoughts(&findings)
            );
            self.moves.push(thinking_json(ply, &findings));
            self.game.play(mv);
            self.say(&format!("{said}\n\n{}", style.draw(&self.game)))?;
            if let Some(pause) = self.args.pause {
                std::thread::sleep(pause);
            }
        }
        let output = match self.args.json {
            true => self.json(),
            false => Output::nothing(),
        };
        Ok(output.complete(self.game.ending().is_some()))
    }

    /// Prints something for people, at once.
    fn say(&self, text: &str) -> Result<()> {
        if self.args.json {
            return Ok(());
        }
        match writeln!(std::io::stdout(), "{text}") {
            // The game ends when the pipe is closed.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                Err(CliError::new("the output was closed").code(1))
            }
            written => arrived(written),
        }
    }

    fn json(&self) -> Output {
        let position = self.game.position();
        let ending = self.game.ending();
        let winner = ending.and_then(|ending| ending.outcome.winner());
        let players: Vec<String> =
            self.seats.iter().map(|(player, _)| player.to_string()).collect();
        let object = json!({
            "game": self.start.text(),
            "players": players,
            "seed": self.args.seed.seed,
            "start": self.game.start().notation().position_text(),
            "played": self.game.move_texts(),
            "moves": self.moves,
            "over": ending.is_some(),
            "winner": winner.map(side_key),
            "margin": position.exactness().margin(),
            "result": ending.map(|ending| result(position, ending)),
        });
        Output::json("treegraft.watch/1", &object)
    }
}

/// A move with what was thought about it.
fn thinking_json(ply: usize, findings: &Findings) -> Value {
    json!({
        "ply": ply + 1,
        "side": side_key(findings.mover),
        "move": findings.best_move,
        "value": findings.value,
        "proof": findings.proof,
        "depth": findings.depth,
        "iterations": findings.work.iterations,
        "nodes": findings.work.nodes,
        "evaluations": findings.work.evaluations,
        "seconds": findings.work.time.as_secs_f64(),
        "pv": findings.pv,
    })
}
