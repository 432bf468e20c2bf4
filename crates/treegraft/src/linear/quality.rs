//! How well something predicts the results of games that it was not fitted to.

use serde::Serialize;

use super::Samples;
use super::regression::{chance, log_loss};

/// How well the results of held-out games are predicted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Quality {
    /// Whose predictions: `constant`, `fitted`, or the name of an evaluation, whose values become
    /// chances by the logistic curve that suits them best.
    pub name: String,
    /// The mean log loss in nats: 0.693 is guessing between two equal chances, 0 is knowing.
    pub log_loss: f64,
    /// How many of the games that were not drawn it gives to the side that won, in positions.
    pub accuracy: f64,
}

impl Quality {
    /// The quality of some predictions, which are the log odds of a position.
    fn of(name: &str, samples: &Samples, logit: impl Fn(usize) -> f64) -> Quality {
        let (mut loss, mut right, mut decided) = (0.0, 0u64, 0u64);
        for position in 0..samples.positions() {
            let (said, result) = (logit(position), samples.result(position));
            loss += log_loss(said, result);
            if result != 0.5 {
                decided += 1;
                right += u64::from((said > 0.0) == (result > 0.5) && said != 0.0);
            }
        }
        let log_loss = loss / samples.positions().max(1) as f64;
        Quality { name: name.to_owned(), log_loss, accuracy: right as f64 / decided.max(1) as f64 }
    }

    /// The quality of weights.
    #[must_use]
    pub fn of_weights(samples: &Samples, weights: &[f64]) -> Quality {
        Quality::of("fitted", samples, |position| samples.logit(position, weights))
    }

    /// The quality of saying the same of every position.
    #[must_use]
    pub fn of_constant(training: &Samples, samples: &Samples) -> Quality {
        let results = (0..training.positions()).map(|position| training.result(position));
        let mean = (results.sum::<f64>() + 0.5) / (training.positions() as f64 + 1.0);
        let logit = libm::log(mean / (1.0 - mean));
        Quality::of("constant", samples, |_| logit)
    }

    /// The quality of an evaluation under the curve that suits it best in the training games.
    #[must_use]
    pub fn of_evaluation(
        name: &str,
        number: usize,
        training: &Samples,
        samples: &Samples,
    ) -> Quality {
        let [offset, slope] = curve(number, training);
        Quality::of(name, samples, |position| offset + slope * samples.said(position, number))
    }
}

/// Offset and slope of the logistic curve that suits an evaluation, by Newton's method.
fn curve(number: usize, training: &Samples) -> [f64; 2] {
    /// It converges in five or six, if at all.
    const ROUNDS: usize = 12;
    let [mut offset, mut slope] = [0.0, 0.0];
    for _ in 0..ROUNDS {
        // A little more than nothing, for evaluations that always say the same.
        let (mut gradient, mut curvature) = ([0.0; 2], [1e-6, 0.0, 1e-6]);
        for position in 0..training.positions() {
            let x = training.said(position, number);
            let chance = chance(offset + slope * x);
            let error = chance - training.result(position);
            let weight = chance * (1.0 - chance);
            gradient = [gradient[0] + error, gradient[1] + error * x];
            let [a, b, c] = curvature;
            curvature = [a + weight, b + weight * x, c + weight * x * x];
        }
        let [a, b, c] = curvature;
        let determinant = a * c - b * b;
        if determinant <= 0.0 {
            break;
        }
        offset -= (c * gradient[0] - b * gradient[1]) / determinant;
        slope = (slope - (a * gradient[1] - b * gradient[0]) / determinant).clamp(-1e3, 1e3);
        offset = offset.clamp(-1e3, 1e3);
    }
    [offset, slope]
}
