//! The traps of one position, each with the opponent's win.

use std::sync::atomic::Ordering;

use treegraft::{Charset, Game, Notation, Playthrough};
use treegraft_players::{Board, ExplainedTrap, Start};
use treegraft_studies::json;

use super::Traps;
use crate::prelude::*;

pub(super) struct TrapsOfPosition<'a> {
    pub(super) args: &'a Traps,
    pub(super) start: &'a Start,
}

impl TrapsOfPosition<'_> {
    pub(super) fn run(&self) -> Result<Output> {
        let game = self.args.at.playthrough(self.start)?;
        if game.ending().is_some() {
            return Err(CliError::new("the game is over in this position, so there are no traps")
                .hint("a position in which the game is not over"));
        }
        let Traps { levels, playouts, seed, json, .. } = *self.args;
        let _spinner = spinner("searching", json);
        let cancel = interrupt::flag();
        let position = game.position();
        let traps = position.explain_traps(levels.high(), playouts, seed.seed, Some(cancel));
        if cancel.load(Ordering::Relaxed) {
            let cause = interrupt::cause();
            let message = format!("ended by {cause} before all moves had been looked at");
            return Err(CliError::new(message).code(INTERRUPTED));
        }
        Ok(if json { self.json(&game, &traps) } else { self.text(&game, &traps) })
    }

    fn json(&self, game: &Playthrough<Board>, traps: &[ExplainedTrap]) -> Output {
        let (level, playouts) = (self.args.levels.high(), self.args.playouts);
        let object = json::position_traps(self.start.text(), game, level, playouts, traps);
        Output::json("treegraft.traps-position/1", &object)
    }

    fn text(&self, game: &Playthrough<Board>, traps: &[ExplainedTrap]) -> Output {
        let position = game.position();
        let (all, high) = (game.legal_moves().len(), self.args.levels.high());
        let count = format!("{} of {all} moves are traps of level {high} or lower", traps.len());
        let head =
            labelled(&[("game", self.start.text().to_owned()), turn(position), ("traps", count)]);
        let mut text = format!("{}\n\n{head}", position.notation().diagram(Charset::Unicode));
        if !traps.is_empty() {
            let row = |trap: &ExplainedTrap| {
                let difficulty = trap.difficulty.map(|share| format!("{:.1} %", 100.0 * share));
                [
                    trap.mv.clone(),
                    trap.level.to_string(),
                    difficulty.unwrap_or_else(|| "-".to_owned()),
                    trap.refutation.join(" "),
                ]
            };
            let header = ["move", "level", "difficulty", "refutation"];
            text.push_str(&format!("\n{}", table(header, traps.iter().map(row), &[1, 2])));
        }
        Output::text(text)
    }
}
