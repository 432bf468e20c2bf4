//! An experiment that has been read, with its pairs and its stop rule: what runs and reports work
//! with.

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::Path;

use treegraft_players::Registry;
use treegraft_stats::{Evidence, Sprt};

use crate::content::Content;
use crate::experiment::{Experiment, StopRule};
use crate::missing::Missing;
use crate::row::{GameRow, PairId, Played};
use crate::run::{CountedPair, PlannedPair, Standing, counted, standings};
use crate::shard::Shard;
use crate::source::{ExperimentError, Source};

/// An experiment with its pairs and its stop rule.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadedExperiment {
    /// What the file says.
    pub experiment: Experiment,
    /// The text of the file.
    pub text: String,
    /// All pairs in the order in which they are played.
    pub pairs: Vec<PlannedPair>,
    /// The test that ends pairings, if there is one.
    pub sprt: Option<Sprt>,
}

impl LoadedExperiment {
    /// Reads an experiment file.
    ///
    /// # Errors
    ///
    /// As [`Experiment::parse`], and if the file cannot be read.
    pub fn load(path: &Path, registry: &Registry) -> Result<LoadedExperiment, ExperimentError> {
        let file = path.display().to_string();
        let whole = |message| Source { file: &file, text: "" }.whole(message);
        if let Ok(content) = Content::of(path)
            && !matches!(content, Content::Experiment | Content::Text | Content::Device)
        {
            return Err(whole(format!("it is {content}, not an experiment file (TOML)")));
        }
        let text = std::fs::read_to_string(path)
            .map_err(|error| whole(format!("cannot be read: {error}")))?;
        LoadedExperiment::parse(text, &file, registry)
    }

    /// Reads the text of an experiment file. `file` is its path, for errors and for what the text
    /// refers to.
    ///
    /// # Errors
    ///
    /// As [`Experiment::parse`].
    pub fn parse(
        text: String,
        file: &str,
        registry: &Registry,
    ) -> Result<LoadedExperiment, ExperimentError> {
        let experiment = Experiment::parse(&text, file, registry)?;
        let sprt = match experiment.stop {
            StopRule::Fixed => None,
            // What cannot be tested was refused when the file was read.
            StopRule::Sprt { elo0, elo1, alpha, beta } => Sprt::new(elo0, elo1, alpha, beta).ok(),
        };
        let pairs = PlannedPair::all(&experiment.plan);
        Ok(LoadedExperiment { experiment, text, pairs, sprt })
    }

    /// The pairs of a shard, or all, in the order of the plan: of each pairing only the first `games`
    /// games, if that is given.
    #[must_use]
    pub fn part(&self, shard: Option<Shard>, games: Option<u64>) -> Cow<'_, [PlannedPair]> {
        if shard.is_none() && games.is_none() {
            return Cow::Borrowed(&self.pairs);
        }
        let mut numbers = vec![0; self.experiment.plan.pairings.len()];
        let first = self.pairs.iter().filter(|planned| {
            numbers[planned.pairing] += 1;
            games.is_none_or(|games| 2 * numbers[planned.pairing] <= games)
        });
        Cow::Owned(match shard {
            None => first.cloned().collect(),
            Some(shard) => shard.pairs(first),
        })
    }

    /// What is not there yet of the plan, or of the first `games` games of each pairing. Pairs
    /// behind the decision of a sequential test are not missed.
    ///
    /// `standings` are those of the same games, and `shards` is how many shards there are, if that
    /// is known.
    #[must_use]
    pub fn missing(
        &self,
        done: &HashSet<PairId>,
        standings: &[Standing],
        games: Option<u64>,
        shards: Option<u32>,
    ) -> Missing {
        Missing::of(&self.part(None, games), done, shards, |pairing, number| {
            let decided = standings.get(pairing).and_then(|standing| standing.decided);
            decided.is_none_or(|decided| number < decided)
        })
    }

    /// How each pairing stands with these games.
    #[must_use]
    pub fn standings<R: Played>(&self, rows: &[R]) -> Vec<Standing> {
        let stop = |_: usize, pairs: &Evidence| self.is_decided(pairs);
        standings(rows, &self.pairs, self.sprt.is_some().then_some(&stop))
    }

    /// The pairs that count, in the order of the plan.
    #[must_use]
    pub fn counted<'a>(&self, rows: &'a [GameRow]) -> Vec<CountedPair<'a>> {
        let stop = |_: usize, pairs: &Evidence| self.is_decided(pairs);
        counted(rows, &self.pairs, self.sprt.is_some().then_some(&stop))
    }

    /// Whether the test has decided a pairing with these pairs, in the view of the first player.
    #[must_use]
    pub fn is_decided(&self, pairs: &Evidence) -> bool {
        self.sprt.is_some_and(|sprt| sprt.decide(sprt.llr(*pairs)).is_some())
    }
}
