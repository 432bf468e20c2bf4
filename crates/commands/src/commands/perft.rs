//! `treegraft perft`: how many ways the next moves can go.

use std::time::{Duration, Instant};

use clap::Args;
use serde_json::{Map, json};
use treegraft::{Game, Notation};
use treegraft_players::{Registry, Start};

use crate::error::Result;
use crate::input::{PositionArgs, parse_game, whole_number};
use crate::output::{Output, labelled, progress};

/// Count the move sequences of a given length
///
/// "Perft" (performance test) counts every way in which the next N moves can be played. The numbers
/// are the classic test of a move generator: two programs with the same rules get the same ones.
/// Passes and extra turns count as moves, a finished game has no moves, and draws by repetition or
/// length are ignored.
#[derive(Debug, Args)]
#[command(override_usage = "treegraft perft <GAME> --depth <N> [OPTIONS]")]
#[command(after_help = "\
Examples:
  treegraft perft connect4 --depth 8
  treegraft perft connect4 --depth 6 --divide
  treegraft perft connect4 --moves 4453 --depth 5 --json")]
pub(crate) struct Perft {
    #[command(flatten)]
    at: PositionArgs,

    /// Length of the sequences, from 0 to 1000 moves
    // Counting is recursive: the limit keeps a game that need not end from filling the stack.
    #[arg(long, value_name = "N", value_parser = whole_number(0u32..=1000))]
    depth: u32,

    /// Also print how many sequences begin with each move
    #[arg(long)]
    divide: bool,

    /// Print JSON: one object with the number as "nodes"
    #[arg(long)]
    json: bool,
}

impl Perft {
    pub(crate) fn run(&self, registry: &Registry) -> Result<Output> {
        let start = parse_game(registry, &self.at.game)?;
        let count = self.count(&start)?;
        Ok(if self.json { count.json(self, start.text()) } else { count.text(self) })
    }

    fn count(&self, start: &Start) -> Result<Counted> {
        let game = self.at.playthrough(start)?;
        let position = game.position();
        let begun = Instant::now();
        if self.depth == 0 {
            // One way to play nothing, and it begins with no move.
            return Ok(Counted { nodes: 1, time: begun.elapsed(), moves: Vec::new() });
        }
        let mut legal = Vec::new();
        if position.outcome().is_none() {
            position.moves(&mut legal);
        }
        let bar = progress(legal.len() as u64, "counting", self.json);
        let mut moves = Vec::with_capacity(legal.len());
        position.divide(self.depth, &mut |mv, nodes| {
            moves.push((position.notation().move_text(mv), nodes));
            bar.inc(1);
        });
        let nodes = moves.iter().map(|&(_, nodes)| nodes).sum();
        Ok(Counted { nodes, time: begun.elapsed(), moves })
    }
}

/// The number of sequences, in all and for every first move.
struct Counted {
    nodes: u64,
    time: Duration,
    moves: Vec<(String, u64)>,
}

impl Counted {
    fn json(self, args: &Perft, game: &str) -> Output {
        let mut object = json!({
            "game": game,
            "depth": args.depth,
            "nodes": self.nodes,
            "seconds": self.time.as_secs_f64(),
        });
        if args.divide {
            let moves = self.moves.into_iter().map(|(mv, nodes)| (mv, nodes.into()));
            object["divide"] = moves.collect::<Map<_, _>>().into();
        }
        Output::json("treegraft.perft/1", &object)
    }

    fn text(&self, args: &Perft) -> Output {
        let seconds = self.time.as_secs_f64();
        // The shortest counts take no time that a clock could see.
        let rate = self.nodes as f64 / seconds.max(1e-9) / 1e6;
        let total = labelled(&[
            ("nodes", self.nodes.to_string()),
            ("time", format!("{seconds:.3} s")),
            ("speed", format!("{rate:.1} million nodes/s")),
        ]);
        if !args.divide {
            return Output::text(total);
        }
        let rows = self.moves.iter().map(|(mv, nodes)| (mv.as_str(), nodes.to_string()));
        Output::text(format!("{}\n{total}", labelled(&rows.collect::<Vec<_>>())))
    }
}
