//! Positions of games with their features, and how the games ended.

use super::{Active, SharedFeatures};
use crate::{Evaluator, Game, Outcome};

/// Positions to fit weights to or to judge them by, those of a game one after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples {
    games: u32,
    /// Where the features of each position end.
    ends: Vec<usize>,
    active: Vec<Active>,
    /// 1 if the first player won, ½ for a draw, 0.
    results: Vec<f32>,
    /// What each evaluation says of each position.
    said: Vec<i32>,
    evaluations: usize,
}

impl Samples {
    /// The positions of one finished game; `evaluators` are those to compare weights with.
    pub fn of_game<'a, G: Game + 'a>(
        positions: impl IntoIterator<Item = &'a G>,
        outcome: Outcome,
        features: &SharedFeatures<G>,
        evaluators: &[Evaluator<G>],
    ) -> Samples {
        let evaluations = evaluators.len();
        let mut samples = Samples { games: 1, evaluations, ..Samples::default() };
        let result = (outcome.value() as f32 + 1.0) / 2.0;
        for position in positions {
            features.list(position, &mut samples.active);
            samples.ends.push(samples.active.len());
            samples.results.push(result);
            samples.said.extend(evaluators.iter().map(|evaluator| evaluator.evaluate(position)));
        }
        samples
    }

    /// How many games.
    #[must_use]
    pub fn games(&self) -> u32 {
        self.games
    }

    /// How many positions.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.ends.len()
    }

    /// Adds the positions of other games.
    pub fn append(&mut self, other: &Samples) {
        let before = self.active.len();
        self.games += other.games;
        self.ends.extend(other.ends.iter().map(|end| before + end));
        self.active.extend_from_slice(&other.active);
        self.results.extend_from_slice(&other.results);
        self.said.extend_from_slice(&other.said);
        self.evaluations = other.evaluations;
    }

    /// The features of a position.
    pub(super) fn active(&self, position: usize) -> &[Active] {
        let start = position.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.active[start..self.ends[position]]
    }

    /// The sum of the weights of a position.
    pub(super) fn logit(&self, position: usize, weights: &[f64]) -> f64 {
        let active = self.active(position).iter();
        active.map(|it| weights[it.feature as usize] * f64::from(it.amount)).sum()
    }

    /// How the game of a position ended.
    pub(super) fn result(&self, position: usize) -> f64 {
        f64::from(self.results[position])
    }

    /// What an evaluation says of a position, from -1 to 1.
    pub(super) fn said(&self, position: usize, evaluation: usize) -> f64 {
        let value = self.said[position * self.evaluations + evaluation];
        f64::from(value) / f64::from(crate::EVAL_ONE)
    }
}
