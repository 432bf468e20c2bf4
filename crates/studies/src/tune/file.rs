//! Tunings as files, so that they can be repeated.

use serde::Deserialize;
use treegraft_lab::{ExperimentError, Source};
use treegraft_players::Registry;

use super::{Generation, Tuning};

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
    least: Option<u64>,
    passes: Option<u64>,
    #[serde(default)]
    quiet: bool,
    #[serde(rename = "generation")]
    generations: Vec<GenerationEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct GenerationEntry {
    player: String,
    games: u64,
    #[serde(default)]
    opening_plies: u64,
    #[serde(default)]
    random: f64,
}

/// Maximum number of passes.
const MAX_PASSES: u32 = 1_000_000;

/// As many as the command line allows.
const MAX_GAMES: u32 = 10_000_000;
const MAX_PLIES: u32 = 10_000;

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
        let at_most = |name: String, number: u64, most: u32| {
            u32::try_from(number)
                .ok()
                .filter(|number| *number <= most)
                .ok_or_else(|| source.whole(format!("{name} is {number}; expected at most {most}")))
        };
        let share = |name: String, share: f64| match (0.0..=1.0).contains(&share) {
            true => Ok(share),
            false => Err(source.whole(format!("{name} is {share}; expected a part from 0 to 1"))),
        };
        if let Some(least) = read.least {
            tuning.least = at_most("least".to_owned(), least, u32::MAX)?;
        }
        if let Some(passes) = read.passes {
            tuning.passes = at_most("passes".to_owned(), passes, MAX_PASSES)?;
        }
        share("held-out".to_owned(), tuning.held_out)?;
        for (number, entry) in (1..).zip(read.generations) {
            let GenerationEntry { player, games, opening_plies, random } = entry;
            let name = |name: &str| format!("{name} of generation {number}");
            tuning.generations.push(Generation {
                player,
                games: at_most(name("games"), games, MAX_GAMES)?,
                opening_plies: at_most(name("opening-plies"), opening_plies, MAX_PLIES)?,
                random: share(name("random"), random)?,
            });
        }
        if tuning.generations.is_empty() {
            return Err(source.whole("there is no [[generation]], so there are no games to fit to"));
        }
        if !(tuning.l2.is_finite() && tuning.l2 >= 0.0) {
            return Err(source.whole(format!("l2 is {}; expected a number from 0 on", tuning.l2)));
        }
        Ok(tuning)
    }
}
