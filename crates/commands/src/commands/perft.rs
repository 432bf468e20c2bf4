//! `treegraft perft`: how many ways the next moves can go.

use std::time::Instant;

use serde_json::{Map, json};
use treegraft::{Game, Notation};

use crate::prelude::*;

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
        let game = self.at.playthrough(&start)?;
        let position = game.position();
        let begun = Instant::now();
        let mut legal = Vec::new();
        if self.depth > 0 && position.outcome().is_none() {
            position.moves(&mut legal);
        }
        let bar = progress(legal.len() as u64, "counting", self.json);
        let mut moves = Vec::with_capacity(legal.len());
        if self.depth > 0 {
            position.divide(self.depth, &mut |mv, nodes| {
                moves.push((position.notation().move_text(mv), nodes));
                bar.inc(1);
            });
        }
        let nodes: u64 = match self.depth {
            // One way to play nothing, and it begins with no move.
            0 => 1,
            _ => moves.iter().map(|&(_, nodes)| nodes).sum(),
        };
        let seconds = begun.elapsed().as_secs_f64();
        if self.json {
            let mut object = json!({
                "game": start.text(),
                "depth": self.depth,
                "nodes": nodes,
                "seconds": seconds,
            });
            if self.divide {
                let moves = moves.into_iter().map(|(mv, nodes)| (mv, nodes.into()));
                object["divide"] = moves.collect::<Map<_, _>>().into();
            }
            return Ok(Output::json("treegraft.perft/1", &object));
        }
        // The shortest counts take no time that a clock could see.
        let rate = nodes as f64 / seconds.max(1e-9) / 1e6;
        let total = labelled(&[
            ("nodes", nodes.to_string()),
            ("time", format!("{seconds:.3} s")),
            ("speed", format!("{rate:.1} million nodes/s")),
        ]);
        if !self.divide {
            return Ok(Output::text(total));
        }
        let rows = moves.iter().map(|(mv, nodes)| (mv.as_str(), nodes.to_string()));
        Ok(Output::text(format!("{}\n{total}", labelled(&rows.collect::<Vec<_>>()))))
    }
}
