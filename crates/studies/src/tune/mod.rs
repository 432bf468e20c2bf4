//! Weights of linear evaluations, fitted to the results of games by logistic regression.
//!
//! A [`Tuning`] says what is to be fitted to which games. The features are those that an evaluation
//! [reports](treegraft::Evaluator::with_features), or else its parts. Every generation of games is
//! played by a player against itself; it may use what was fitted to the generations before, as
//! `eval=fitted`. Some games are held out: nothing is fitted to them, and all quality is measured on
//! them.

use std::sync::atomic::AtomicBool;

use serde::Serialize;
use treegraft::linear::{
    LOGIT, Quality, Regression, Samples, SharedFeatures, Weights, features_of,
};
use treegraft_players::{Board, Registry, RegistryError, Start};

mod file;
mod games;

use treegraft::{Evaluator, NotationError, derive_seed};
use treegraft_lab::{GameRow, ThreadsError};

use crate::self_play::{self, GamesError};
use crate::watch::{Watch, is_set};
use games::{Looks, Parts, SelfPlay};

/// The name under which players of later generations find what was fitted to the earlier ones.
pub const FITTED: &str = "fitted";

/// What is to be fitted, and to what.
#[derive(Debug)]
pub struct Tuning {
    /// Where every game begins.
    pub start: Start,
    /// The evaluation whose features get weights.
    pub eval: String,
    /// Who plays, one generation after the other.
    pub generations: Vec<Generation>,
    /// Games that were played before, which are added.
    pub from: Vec<GameRow>,
    /// The part of the games that is held out, from 0 to 1.
    pub held_out: f64,
    /// How much large weights cost: the more, the smaller they are.
    pub l2: f64,
    /// Features that fewer positions have keep a weight of 0.
    pub least: u32,
    /// Passes over all positions.
    pub passes: u32,
    /// Only positions without loud moves, such as captures: a search with quiescence evaluates no
    /// others for good, and what a capture gains it sees itself.
    pub quiet: bool,
    /// Where all random choices come from.
    pub seed: u64,
    /// Threads; 0: one per processor.
    pub jobs: usize,
}

/// Games that a player plays against itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Generation {
    /// Who plays both sides; `eval=fitted` are the weights fitted to the generations before.
    pub player: String,
    /// How many games.
    pub games: u32,
    /// Maximum number of random moves at the beginning of each; they are not fitted to.
    pub opening_plies: u32,
    /// The part of the later moves that is random too, from 0 to 1.
    pub random: f64,
}

/// How to look on, and how to end before it is done.
#[derive(Clone, Copy, Default)]
pub struct TuneWatch<'a> {
    /// Called with what is being done, how much of it is done, and how much there is.
    pub progress: Option<&'a (dyn Fn(Stage, u64, u64) + Sync)>,
    /// Set from another thread to end soon.
    pub cancel: Option<&'a AtomicBool>,
}

impl TuneWatch<'_> {
    fn tell(&self, stage: Stage, done: u64, all: u64) {
        if let Some(progress) = self.progress {
            progress(stage, done, all);
        }
    }

    fn check(&self) -> Result<(), TuneError> {
        if is_set(self.cancel) { Err(TuneError::Cancelled) } else { Ok(()) }
    }
}

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Games are played or read.
    Games,
    /// Weights are fitted, counted in passes.
    Passes,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tuned {
    /// The canonical text of the game.
    pub game: String,
    /// The evaluation whose features these are.
    pub eval: String,
    /// The seed of all random choices.
    pub seed: u64,
    /// What each generation gave, and the files last.
    pub generations: Vec<GenerationSummary>,
    /// The number of features, and how many of them have a weight that is not 0.
    pub features: usize,
    /// How many of them have a weight that is not 0.
    pub used: usize,
    /// Games and positions that the weights are fitted to.
    pub training: Extent,
    /// Games and positions that were held out.
    pub held_out: Extent,
    /// How well the weights predict the training games.
    pub training_quality: Quality,
    /// How well held-out games are predicted: by a constant, by the evaluations of the game, by the
    /// weights.
    pub quality: Vec<Quality>,
    /// Size of the weights as a file, in bytes.
    pub bytes: usize,
    /// The digest of that file.
    pub digest: String,
    /// The weights.
    #[serde(skip)]
    pub weights: Weights,
}

/// Games and positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Extent {
    /// How many games.
    pub games: u32,
    /// How many positions of them.
    pub positions: usize,
}

/// What a generation gave.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GenerationSummary {
    /// Who played; `None` for games of a file.
    pub player: Option<String>,
    /// How many games.
    pub games: u32,
    /// How well the weights fitted so far predict held-out games.
    pub log_loss: f64,
}

/// Why there are no weights.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// The game has no such evaluation, or it reports no features or parts.
    #[error(
        "{game} has no evaluation {eval:?} that reports its features or parts; expected {expected}"
    )]
    NoFeatures {
        /// The text of the game.
        game: String,
        /// The requested evaluation.
        eval: String,
        /// What there is.
        expected: String,
    },
    /// What was fitted cannot be registered.
    #[error(transparent)]
    Registry(#[from] RegistryError),
    /// The games cannot be played.
    #[error(transparent)]
    Games(#[from] GamesError),
    /// The moves of a game in a file cannot be played.
    #[error("game {number} of the file: {error}")]
    Moves {
        /// Its number, from 0.
        number: u32,
        /// What is wrong.
        error: Box<NotationError>,
    },
    /// There is nothing to fit to, or nothing to judge by.
    #[error("{training} games to fit to and {held_out} held out; expected at least one of each")]
    TooFew {
        /// Games to fit to.
        training: u32,
        /// Games held out.
        held_out: u32,
    },
    /// The threads could not be started.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    /// It was cancelled.
    #[error("ended before the weights were fitted")]
    Cancelled,
}

/// Plays the games, fits weights to them, and measures how well they predict held-out games.
///
/// With players whose budgets count work, the result depends on nothing but the tuning: not on the
/// number of threads either.
///
/// # Errors
///
/// If the game does not have what is requested, a game goes wrong, or it is cancelled.
pub fn tune(
    registry: &Registry,
    tuning: &Tuning,
    watch: TuneWatch<'_>,
) -> Result<Tuned, TuneError> {
    let start = &tuning.start;
    let evaluators = registry.evaluators(start);
    let features = tuning.features(&evaluators)?;
    let looks = Looks { features: &features, evaluators: &evaluators, quiet: tuning.quiet };
    let mut parts = Parts::default();
    let mut fitted: Option<Vec<f64>> = None;
    let mut generations = Vec::new();
    for (number, generation) in tuning.generations.iter().enumerate() {
        let own;
        let registry = match &fitted {
            None => registry,
            Some(weights) => {
                let weights = tuning.weights(&features, weights);
                own = registry.with_weights(start, &tuning.eval, FITTED, weights)?;
                &own
            }
        };
        let player = registry.player(&generation.player).map_err(GamesError::from)?;
        self_play::check(registry, start, &player, generation.games, tuning.jobs)?;
        let Generation { games, opening_plies, random, .. } = *generation;
        let seed = derive_seed(tuning.seed, number as u64);
        let name = Some(player.to_string());
        let play = SelfPlay { registry, player, games, opening_plies, random, seed };
        let games = tuning.play(&play, &looks, watch, &mut parts)?;
        let log_loss = tuning.fit(&features, &parts, watch, &mut fitted)?;
        generations.push(GenerationSummary { player: name, games, log_loss });
    }
    if !tuning.from.is_empty() {
        let games = tuning.read(&looks, watch, &mut parts)?;
        let log_loss = tuning.fit(&features, &parts, watch, &mut fitted)?;
        generations.push(GenerationSummary { player: None, games, log_loss });
    }
    let fitted = fitted.ok_or(TuneError::TooFew { training: 0, held_out: 0 })?;
    let units = tuning.weights(&features, &fitted);
    Ok(tuning.summary(units, &features, &parts, &evaluators, generations))
}

impl Tuning {
    /// A tuning without games, of the evaluation `tuned` if the game has it, else of the first that
    /// can be fitted.
    #[must_use]
    pub fn new(registry: &Registry, start: Start) -> Tuning {
        let evaluators = registry.evaluators(&start);
        let can_be = |it: &&Evaluator<Board>| features_of(it, start.board()).is_some();
        let tuned = evaluators.iter().find(|evaluator| evaluator.name == "tuned");
        let eval = tuned.or_else(|| evaluators.iter().find(can_be));
        let eval = eval.map_or_else(|| "tuned".to_owned(), |evaluator| evaluator.name.to_string());
        Tuning {
            start,
            eval,
            generations: Vec::new(),
            from: Vec::new(),
            held_out: 0.1,
            l2: 30.0,
            least: 10,
            passes: 80,
            quiet: false,
            seed: 1,
            jobs: 0,
        }
    }

    fn features(
        &self,
        evaluators: &[Evaluator<Board>],
    ) -> Result<SharedFeatures<Board>, TuneError> {
        let board = self.start.board();
        let found = evaluators.iter().find(|evaluator| evaluator.name == self.eval);
        found.and_then(|evaluator| features_of(evaluator, board)).ok_or_else(|| {
            let can_be = |it: &&Evaluator<Board>| features_of(it, board).is_some();
            let names: Vec<&str> = evaluators.iter().filter(can_be).map(|it| &*it.name).collect();
            let expected = match names.as_slice() {
                [] => "another game: this one has none".to_owned(),
                names => format!("one of {}", names.join(", ")),
            };
            TuneError::NoFeatures {
                game: self.start.text().to_owned(),
                eval: self.eval.clone(),
                expected,
            }
        })
    }

    /// Fits weights to all games so far; the log loss of held-out ones.
    fn fit(
        &self,
        features: &SharedFeatures<Board>,
        parts: &Parts,
        watch: TuneWatch<'_>,
        fitted: &mut Option<Vec<f64>>,
    ) -> Result<f64, TuneError> {
        let Parts { training, held_out } = parts;
        if training.positions() == 0 || held_out.positions() == 0 {
            let (training, held_out) = (training.games(), held_out.games());
            return Err(TuneError::TooFew { training, held_out });
        }
        let Tuning { l2, least, passes, .. } = *self;
        let mut fit = Regression::new(training, features.count(), l2, least);
        let blocks: Vec<usize> = (0..fit.blocks()).collect();
        for pass in 1..=passes {
            let sum = |(): &mut (), &block: &usize| Ok::<_, ThreadsError>(Some(fit.block(block)));
            let sums = Watch::default().collect(self.jobs, &blocks, || (), sum)?;
            fit.step(sums);
            watch.tell(Stage::Passes, u64::from(pass), u64::from(passes));
            watch.check()?;
        }
        let weights = fit.weights().to_vec();
        let quality = Quality::of_weights(held_out, &weights);
        *fitted = Some(weights);
        Ok(quality.log_loss)
    }

    /// Weights as whole numbers.
    fn weights(&self, features: &SharedFeatures<Board>, weights: &[f64]) -> Weights {
        let scale = f64::from(LOGIT) * f64::from(features.fineness());
        let unit = |weight: &f64| libm::round((weight * scale).clamp(-1e9, 1e9)) as i32;
        let units = weights.iter().map(unit).collect();
        Weights::new(self.start.text(), features.name(), units)
    }

    fn summary(
        &self,
        weights: Weights,
        features: &SharedFeatures<Board>,
        parts: &Parts,
        evaluators: &[Evaluator<Board>],
        generations: Vec<GenerationSummary>,
    ) -> Tuned {
        let Parts { training, held_out } = parts;
        let scale = f64::from(LOGIT) * f64::from(features.fineness());
        // What is written is judged, rounded as it is.
        let logits: Vec<f64> = weights.units.iter().map(|unit| f64::from(*unit) / scale).collect();
        let mut quality = vec![Quality::of_constant(training, held_out)];
        quality.extend(evaluators.iter().enumerate().map(|(number, evaluator)| {
            Quality::of_evaluation(&evaluator.name, number, training, held_out)
        }));
        quality.push(Quality::of_weights(held_out, &logits));
        let extent = |part: &Samples| Extent { games: part.games(), positions: part.positions() };
        Tuned {
            game: self.start.text().to_owned(),
            eval: self.eval.clone(),
            seed: self.seed,
            generations,
            features: weights.units.len(),
            used: weights.units.iter().filter(|unit| **unit != 0).count(),
            training: extent(training),
            held_out: extent(held_out),
            training_quality: Quality::of_weights(training, &logits),
            quality,
            bytes: weights.to_bytes().len(),
            digest: format!("{:016x}", weights.digest()),
            weights,
        }
    }
}
