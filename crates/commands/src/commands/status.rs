//! `treegraft status`: how far an experiment is.

use treegraft_lab::{GameFile, LoadedExperiment, MAX_SHARDS, Missing, Standing, json};

use super::run::{even, standing_text, stop_text};
use crate::experiment::ExperimentArgs;
use crate::prelude::*;

/// Show the progress of an experiment
///
/// Reads the store, even while a run writes to it.
///
/// With --complete it answers whether everything is there: the exit code says so, and what is missing
/// is named, by the numbers of shards and of pairs in the plan. Games that a sequential test does not
/// need are not missed.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treegraft status examples/quick.toml
  treegraft status examples/quick.toml --json
  treegraft status examples/quick.toml --complete

Exit codes: 0 on success; with --complete 1 if something is missing.")]
pub(crate) struct Status {
    #[command(flatten)]
    experiment: ExperimentArgs,

    /// End with exit code 1 unless everything is there, and say which pairs are missing, and from
    /// which shards
    #[arg(long)]
    complete: bool,

    /// With --complete, how many shards the plan was divided into [default: what the store says: that
    /// of a shard does, and those that it is merged into]
    #[arg(long, value_name = "N", requires = "complete", value_parser = whole_number(1u32..=MAX_SHARDS))]
    shards: Option<u32>,

    /// With --complete, the first GAMES games of each pairing are enough, an even number
    #[arg(long, value_name = "GAMES", requires = "complete", value_parser = even)]
    first: Option<u64>,

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
        let is_over =
            |standing: &&Standing| standing.decided.is_some() || standing.done == standing.planned;
        let over = standings.iter().filter(is_over).count();
        let store = self.experiment.open()?;
        let last = match &store {
            None => None,
            Some(store) => store.sessions()?.pop().map(|(_, session)| session),
        };
        let missing = match self.complete {
            false => None,
            true => Some(self.missing(&loaded, store.as_ref(), &standings)?),
        };
        let is_complete = missing.as_ref().is_none_or(Missing::is_nothing);
        if self.json {
            let path = self.experiment.store_path();
            let mut object = json::status(&loaded, &path, &standings, last.as_ref());
            object["missing"] = missing.as_ref().map(json::missing_pairs).into();
            return Ok(Output::json("treegraft.status/1", &object).success(is_complete));
        }
        let games = |pairs: usize| grouped(2 * pairs as u64);
        let mut entries = vec![
            ("title", loaded.experiment.title.clone()),
            ("store", self.experiment.store_path().display().to_string()),
            ("games", format!("{} of {} played", games(done), games(pairs))),
            ("pairings", format!("{over} of {} over", standings.len())),
            ("stop", wrap(&stop_text(&loaded.experiment))),
        ];
        entries.extend(missing.as_ref().map(|missing| ("missing", missing_text(missing))));
        let head = labelled(&entries);
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
        Ok(Output::text(text).success(is_complete))
    }

    /// What is not there of what has to be.
    fn missing(
        &self,
        loaded: &LoadedExperiment,
        store: Option<&GameFile>,
        standings: &[Standing],
    ) -> Result<Missing> {
        let done = store.map(GameFile::pairs_done).transpose()?.unwrap_or_default();
        let shards = match (self.shards, store) {
            (None, Some(store)) => store.shards()?,
            (given, _) => given,
        };
        Ok(loaded.missing(&done, standings, self.first, shards))
    }
}

/// What is missing, for people.
pub(super) fn missing_text(missing: &Missing) -> String {
    missing.in_words().iter().map(|words| wrap(words)).collect::<Vec<_>>().join("\n")
}
