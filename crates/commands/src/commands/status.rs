//! `treegraft status`: how far an experiment is.

use treegraft_lab::json;

use super::run::{standing_text, stop_text};
use crate::experiment::ExperimentArgs;
use crate::prelude::*;

/// Show the progress of an experiment
///
/// Reads the store, even while a run writes to it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treegraft status examples/quick.toml
  treegraft status examples/quick.toml --json")]
pub(crate) struct Status {
    #[command(flatten)]
    experiment: ExperimentArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Status {
    pub(crate) fn run(&self, registry: &Registry) -> Result<Output> {
        let loaded = self.experiment.load(registry)?;
        let standings = loaded.standings(&self.experiment.results()?);
        let done: usize = standings.iter().map(|standing| standing.done).sum();
        let pairs = loaded.pairs.len();
        let is_over = |standing: &&treegraft_lab::Standing| {
            standing.decided.is_some() || standing.done == standing.planned
        };
        let over = standings.iter().filter(is_over).count();
        let last = match self.experiment.open()? {
            None => None,
            Some(store) => store.sessions()?.pop().map(|(_, session)| session),
        };
        if self.json {
            let store = self.experiment.store_path();
            let object = json::status(&loaded, &store, &standings, last.as_ref());
            return Ok(Output::json("treegraft.status/1", &object));
        }
        let games = |pairs: usize| grouped(2 * pairs as u64);
        let head = labelled(&[
            ("title", loaded.experiment.title.clone()),
            ("store", self.experiment.store_path().display().to_string()),
            ("games", format!("{} of {} played", games(done), games(pairs))),
            ("pairings", format!("{over} of {} over", standings.len())),
            ("stop", wrap(&stop_text(&loaded.experiment))),
        ]);
        let rows = standings.iter().zip(&loaded.experiment.plan.pairings).map(|(s, pairing)| {
            let [a, b] = &pairing.names;
            let score = if s.counted() == 0 { "-".to_owned() } else { standing_text(&loaded, s) };
            let state = match (s.decided, s.done == s.planned) {
                (Some(_), _) => "decided",
                (None, true) => "over",
                (None, false) => "open",
            };
            let games = format!("{}/{}", 2 * s.done, 2 * s.planned);
            [pairing.game.clone(), a.clone(), b.clone(), games, score, state.to_owned()]
        });
        let table = table(["game", "A", "B", "games", "score of A", ""], rows, &[3]);
        let mut text = format!("{head}\n{table}");
        if over < standings.len() {
            text.push_str(&format!("\nTo resume: {}\n", self.experiment.command("run")));
        }
        Ok(Output::text(text))
    }
}
