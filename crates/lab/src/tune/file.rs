//! Tunings as files, so that they can be repeated.

use serde::Deserialize;
use treegraft_players::Registry;

use super::{Generation, Tuning};
use crate::source::{ExperimentError, Source};

/// The structure of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    game: String,
    eval: Option<String>,
    #[serde(default = "one")]
    seed: u64,
    held_out: Option<f64>,
    l2: Option<f64>,
    least: Option<u32>,
    passes: Option<u32>,
    #[serde(default)]
    quiet: bool,
    #[serde(rename = "generation")]
    generations: Vec<GenerationEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct GenerationEntry {
    player: String,
    games: u32,
    #[serde(default)]
    opening_plies: u32,
    #[serde(default)]
    random: f64,
}

fn one() -> u64 {
    1
}

impl Tuning {
    /// The tuning that a file in TOML describes.
    ///
    /// # Errors
    ///
    /// If it is not one; the error points into the file.
    pub fn parse(registry: &Registry, file: &str, text: &str) -> Result<Tuning, ExperimentError> {
        let source = Source { file, text };
        let read: File = toml::from_str(text).map_err(|error| source.toml(&error))?;
        let start = registry.start(&read.game).map_err(|error| source.whole(error.to_string()))?;
        let mut tuning = Tuning::new(registry, start);
        tuning.eval = read.eval.unwrap_or(tuning.eval);
        tuning.seed = read.seed;
        tuning.quiet = read.quiet;
        tuning.held_out = read.held_out.unwrap_or(tuning.held_out);
        tuning.l2 = read.l2.unwrap_or(tuning.l2);
        tuning.least = read.least.unwrap_or(tuning.least);
        tuning.passes = read.passes.unwrap_or(tuning.passes);
        let is_share = |share: f64| (0.0..=1.0).contains(&share);
        let generation = |entry: GenerationEntry| {
            let GenerationEntry { player, games, opening_plies, random } = entry;
            Generation { player, games, opening_plies, random }
        };
        tuning.generations = read.generations.into_iter().map(generation).collect();
        if !is_share(tuning.held_out) || tuning.generations.iter().any(|it| !is_share(it.random)) {
            return Err(source.whole("held-out and random are parts: expected 0 to 1"));
        }
        if !(tuning.l2.is_finite() && tuning.l2 >= 0.0) {
            return Err(source.whole(format!("l2 is {}; expected a number from 0 on", tuning.l2)));
        }
        Ok(tuning)
    }
}
