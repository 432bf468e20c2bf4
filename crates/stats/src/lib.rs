//! What can be concluded from won, drawn and lost games.
//!
//! [`Tally`] counts games as if they were independent. Games of one opening with the sides swapped
//! are not: [`Pentanomial`] counts such pairs, and its intervals, [`Sprt`] and the tests of
//! [`against_half`] and [`compare`] need only that the *pairs* are independent. Pairs that repeat
//! each other are not: [`Evidence`] counts their effective number. [`bradley_terry`] rates any
//! number of players. All functions are pure and use `libm`, so that every machine comes to the same
//! numbers, to the last bit.
//!
//! ```
//! use treegraft_stats::{Pentanomial, Sprt, Verdict};
//!
//! let mut pairs = Pentanomial::default();
//! pairs.add([1, 0]); // A won one game and drew the other
//! let sprt = Sprt::new(0.0, 20.0, 0.05, 0.05)?;
//! assert_eq!(sprt.decide(sprt.llr(pairs)), None); // too early to say
//! let clear = Pentanomial { counts: [5, 20, 100, 60, 30] };
//! assert_eq!(sprt.decide(sprt.llr(clear)), Some(Verdict::AcceptH1));
//! # Ok::<(), treegraft_stats::SprtError>(())
//! ```

mod distributions;
mod linear;
mod mean;
mod pentanomial;
mod rating;
mod repeats;
mod significance;
mod sprt;
mod tally;

use serde::Serialize;

pub use linear::{Coefficient, Regression, linear_regression};
pub use mean::{Exponential, Mean, fit_exponential, mean_ci95};
pub use pentanomial::Pentanomial;
pub use rating::{Rating, RatingError, Ratings, bradley_terry};
pub use repeats::{Evidence, Repeats, too_many_repeats, worth};
pub use significance::{Sample, Test, against_half, compare, sign_test};
pub use sprt::{Sprt, SprtError, Verdict};
pub use tally::Tally;

/// From a lower to an upper end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(into = "[f64; 2]")]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl From<Interval> for [f64; 2] {
    fn from(interval: Interval) -> [f64; 2] {
        [interval.low, interval.high]
    }
}

/// A difference in strength in Elo points; `None` stands for infinity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Elo {
    /// The difference that the score stands for.
    pub difference: Option<f64>,
    /// Half the width of the 95 % interval; `None` if an end is infinite.
    pub error: Option<f64>,
    /// The ends of the 95 % interval.
    pub ci95: [Option<f64>; 2],
}

impl Elo {
    /// A score and the interval of the score, both turned into Elo points.
    #[must_use]
    pub fn of_interval(score: f64, Interval { low, high }: Interval) -> Elo {
        let ci95 = [elo_of_score(low), elo_of_score(high)];
        let error = match ci95 {
            [Some(low), Some(high)] => Some((high - low) / 2.0),
            _ => None,
        };
        Elo { difference: elo_of_score(score), error, ci95 }
    }
}

/// The difference in Elo points at which this score is expected (Elo 1978); `None`, which is
/// infinity, at 0 and 1.
#[must_use]
pub fn elo_of_score(score: f64) -> Option<f64> {
    let inside = score > 0.0 && score < 1.0;
    // log10 of the odds, written so that equal strength gives 0 and not -0.
    inside.then(|| 400.0 * libm::log10(score / (1.0 - score)))
}

/// The score that is expected at this difference in Elo points: logistic Elo, 1 / (1 +
/// 10^(-d/400)).
#[must_use]
pub fn score_of_elo(difference: f64) -> f64 {
    1.0 / (1.0 + libm::exp10(-difference / 400.0))
}

#[cfg(test)]
mod tests;
