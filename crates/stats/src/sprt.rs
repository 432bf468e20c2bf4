//! The sequential probability ratio test: play until it is clear which of two hypotheses holds.
//!
//! Wald (1945) for simple hypotheses; generalised by the likelihoods being maximised over all that
//! the hypotheses leave open, here the five probabilities of a pair's results given their mean (M.
//! Van den Bergh, "The generalized maximum likelihood ratio for the expectation value of a
//! distribution"; the maximum itself is Owen's empirical likelihood of 1988). Nothing is assumed
//! about draws or about how the two games of a pair depend on each other.

use serde::Serialize;
use thiserror::Error;

use super::pentanomial::SCORES;
use super::{Evidence, score_of_elo};

/// The test of H0, player A is stronger by `elo0`, against H1, A is stronger by `elo1`.
///
/// Elo differences are logistic: they stand for the expected score 1 / (1 + 10^(-elo/400)),
/// whatever the share of draws. The wrong hypothesis is accepted as often as `alpha` if H0 holds
/// and `beta` if H1 holds: for hypotheses 5 to 60 Elo apart and rates of 5 and 10 %, simulated
/// rates were within a percentage point. Hypotheses 100 Elo apart or more are decided after some 20
/// pairs, too few to know how much results vary: the simulated rates were 0.3 to 6 % instead of 5
/// %.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sprt {
    pub(crate) elo0: f64,
    pub(crate) elo1: f64,
    pub(crate) alpha: f64,
    pub(crate) beta: f64,
}

/// Why a sequential test cannot be made of these numbers.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum SprtError {
    /// The hypotheses are equal, in the wrong order, or not numbers.
    #[error("elo0 = {elo0} and elo1 = {elo1}: elo0 must be less than elo1, by 0.01 or more")]
    Order {
        /// H0 as given.
        elo0: f64,
        /// H1 as given.
        elo1: f64,
    },
    /// A hypothesis is out of range.
    #[error("{name} = {elo}: a difference in Elo must be from -1000 to 1000")]
    Elo {
        /// Which.
        name: &'static str,
        /// As given.
        elo: f64,
    },
    /// A rate of errors is out of range.
    #[error("{name} = {rate}: a rate of errors must be above 0 and below 0.5")]
    Rate {
        /// Which.
        name: &'static str,
        /// As given.
        rate: f64,
    },
}

/// The end of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// A is not stronger by `elo1`: the LLR fell to the lower bound.
    AcceptH0,
    /// A is stronger than by `elo0`: the LLR rose to the upper bound.
    AcceptH1,
}

/// What an empty cell counts, so that every result is possible. Too little to matter, and what
/// other arenas use, so that their log-likelihood ratios can be compared.
const EMPTY_CELL: f64 = 1e-3;

impl Sprt {
    /// A test with H0 at `elo0`, H1 at `elo1` and rates of errors `alpha` if H0 holds and `beta` if
    /// H1 holds.
    ///
    /// # Errors
    ///
    /// If `elo0` is not less than `elo1`, one of them is beyond ±1000, or a rate of errors is not
    /// between 0 and ½.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        for (name, elo) in [("elo0", elo0), ("elo1", elo1)] {
            if !(-1000.0..=1000.0).contains(&elo) {
                return Err(SprtError::Elo { name, elo });
            }
        }
        // Closer ones would take billions of games and drown in rounding.
        if elo1 - elo0 < 0.01 {
            return Err(SprtError::Order { elo0, elo1 });
        }
        for (name, rate) in [("alpha", alpha), ("beta", beta)] {
            if !(rate > 0.0 && rate < 0.5) {
                return Err(SprtError::Rate { name, rate });
            }
        }
        Ok(Sprt { elo0, elo1, alpha, beta })
    }

    /// The bounds of the LLR, ln(β / (1 - α)) and ln((1 - β) / α) (Wald 1945): at or below the
    /// lower one H0 is accepted, at or above the upper one H1.
    #[must_use]
    pub fn bounds(&self) -> [f64; 2] {
        let Sprt { alpha, beta, .. } = *self;
        [libm::log(beta / (1.0 - alpha)), libm::log((1.0 - beta) / alpha)]
    }

    /// The logarithm of the likelihood ratio, H1 over H0, 0 without pairs. A result that has not
    /// been seen counts as seen 0.001 times; pairs that repeat each other count by their effective
    /// number.
    #[must_use]
    pub fn llr(&self, pairs: impl Into<Evidence>) -> f64 {
        let evidence = pairs.into();
        if evidence.pairs.pairs() == 0 {
            return 0.0;
        }
        let share = evidence.share();
        let counts = evidence.pairs.counts;
        let counts =
            counts.map(|count| if count == 0 { EMPTY_CELL } else { share * f64::from(count) });
        let total: f64 = counts.iter().sum();
        let shares = counts.map(|count| count / total);
        let loss = |elo| likelihood_loss(&shares, score_of_elo(elo));
        total * (loss(self.elo0) - loss(self.elo1))
    }

    /// Whether the test is over at this LLR.
    #[must_use]
    pub fn decide(&self, llr: f64) -> Option<Verdict> {
        let [low, high] = self.bounds();
        if llr >= high {
            Some(Verdict::AcceptH1)
        } else if llr <= low {
            Some(Verdict::AcceptH0)
        } else {
            None
        }
    }
}

/// How much log-likelihood a pair loses if the mean must be `mean`: Σ pᵢ ln(pᵢ / qᵢ), where q are
/// the probabilities of that mean under which the shares p seen are most likely. `shares` must be
/// positive and `mean` inside (0, 1).
///
/// By Lagrange qᵢ = pᵢ / (1 + λ (xᵢ - mean)), and λ makes the mean right: Σ qᵢ (xᵢ - mean) = 0,
/// which falls as λ grows.
fn likelihood_loss(shares: &[f64; 5], mean: f64) -> f64 {
    let offsets = SCORES.map(|score| score - mean);
    // From qᵢ ≤ 1 at both ends of the scale.
    let mut low = (shares[4] - 1.0) / offsets[4];
    let mut high = (shares[0] - 1.0) / offsets[0];
    let mut lambda = 0.0;
    // Newton's step, or half of the interval if it leads out of it. The loss is flat at the root,
    // so that an error of 1e-9 in λ is one of 1e-18 in the loss.
    for _ in 0..100 {
        let (mut value, mut slope) = (0.0, 0.0);
        for (share, offset) in shares.iter().zip(offsets) {
            let ratio = offset / (1.0 + lambda * offset);
            value += share * ratio;
            slope -= share * ratio * ratio;
        }
        if value > 0.0 {
            low = lambda;
        } else {
            high = lambda;
        }
        let mut next = lambda - value / slope;
        if !(next > low && next < high) {
            next = (low + high) / 2.0;
        }
        let done = (next - lambda).abs() < 1e-10;
        lambda = next;
        if done {
            break;
        }
    }
    shares.iter().zip(offsets).map(|(share, offset)| share * libm::log1p(lambda * offset)).sum()
}
