//! Whether a score differs from 50 %, and whether two scores differ.

use serde::Serialize;

use super::distributions::{normal_cdf, two_sided};
use super::{Pentanomial, Tally};

/// A score as the mean of independent units, which are games or pairs of games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Number of units; less where units repeat each other.
    pub units: f64,
    /// The score, points per game.
    pub mean: f64,
    /// The variance of a unit's points per game.
    pub variance: f64,
}

/// Games counted as independent.
impl From<Tally> for Sample {
    fn from(tally: Tally) -> Sample {
        Sample { units: f64::from(tally.games()), mean: tally.score(), variance: tally.variance() }
    }
}

/// Pairs counted as independent, the two games of a pair not.
impl From<Pentanomial> for Sample {
    fn from(pairs: Pentanomial) -> Sample {
        Sample { units: f64::from(pairs.pairs()), mean: pairs.score(), variance: pairs.variance() }
    }
}

impl Sample {
    /// The variance of the mean if the true score is `score`: deviations are taken from there.
    fn variance_of_mean(&self, score: f64) -> f64 {
        let bias = self.mean - score;
        (self.variance + bias * bias) / self.units
    }
}

/// The outcome of a test of significance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Test {
    /// The difference in standard deviations.
    pub z: f64,
    /// The two-sided p-value: how likely a difference at least as large is by chance alone.
    pub p: f64,
}

impl Test {
    /// The normal test of a difference with this variance; 0 / 0 says that nothing differs.
    fn normal(difference: f64, variance: f64) -> Test {
        let z = if difference == 0.0 { 0.0 } else { difference / variance.sqrt() };
        Test { z, p: two_sided(z) }
    }

    /// The likelihood that the difference is positive, Φ(z).
    #[must_use]
    pub fn los(&self) -> f64 {
        normal_cdf(self.z)
    }
}

/// The normal test of a score against 50 %.
///
/// The variance is taken about ½, where it is if the players are equally strong, and not about the
/// score seen, so that a few units that all ended alike do not give certainty: |z| is at most
/// sqrt(units). With a [`Tally`] it is (wins - losses) / sqrt(wins + losses), McNemar's test.
/// Without units z = 0 and p = 1.
#[must_use]
pub fn against_half(sample: impl Into<Sample>) -> Test {
    let sample = sample.into();
    Test::normal(sample.mean - 0.5, sample.variance_of_mean(0.5))
}

/// The normal test of the difference of two independent scores, positive if `a` is the higher.
///
/// The variances are taken about the score of both together, where they are if the scores are equal
/// in truth; for two tallies without draws of as many games it is the pooled test of two rates. If
/// one of them has no units, or both have seen but one and the same result, z = 0 and p = 1.
#[must_use]
pub fn compare(a: impl Into<Sample>, b: impl Into<Sample>) -> Test {
    let (a, b) = (a.into(), b.into());
    if a.units == 0.0 || b.units == 0.0 {
        return Test { z: 0.0, p: 1.0 };
    }
    let (n, m) = (a.units, b.units);
    let common = (n * a.mean + m * b.mean) / (n + m);
    Test::normal(a.mean - b.mean, a.variance_of_mean(common) + b.variance_of_mean(common))
}

/// The two-sided p-value of the sign test: how likely so uneven a share of the decided games is if
/// each is won with probability ½ (exact, binomial). Draws do not count; 1 without decided games.
#[must_use]
pub fn sign_test(tally: Tally) -> f64 {
    let n = f64::from(tally.wins) + f64::from(tally.losses);
    let mut k = f64::from(tally.wins.min(tally.losses));
    // P(X = k) = n! / (k! (n - k)!) / 2^n; from there down each term follows from the one above.
    let log_term = libm::lgamma(n + 1.0) - libm::lgamma(k + 1.0) - libm::lgamma(n - k + 1.0);
    let mut term = libm::exp(log_term - n * std::f64::consts::LN_2);
    let mut sum = 0.0;
    while term > 1e-17 * sum {
        sum += term;
        term *= k / (n - k + 1.0);
        k -= 1.0;
    }
    // The tails on both sides; at k = n / 2 they overlap in the middle.
    (2.0 * sum).min(1.0)
}
