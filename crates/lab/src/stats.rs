//! What can be concluded from won, drawn and lost games.

use serde::Serialize;

/// Games won, drawn and lost, in one player's view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

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

/// The 97.5 % point of the normal distribution: 95 % lie within so many standard deviations.
const Z95: f64 = 1.959_963_984_540_054;

impl Tally {
    /// Number of games.
    #[must_use]
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Points per game: a win 1, a draw ½, a loss 0. Without games ½.
    #[must_use]
    pub fn score(&self) -> f64 {
        if self.games() == 0 {
            return 0.5;
        }
        (f64::from(self.wins) + 0.5 * f64::from(self.draws)) / f64::from(self.games())
    }

    /// Counts a game: 1 won, 0 drawn, -1 lost.
    pub fn add(&mut self, value: i64) {
        match value.signum() {
            1 => self.wins += 1,
            -1 => self.losses += 1,
            _ => self.draws += 1,
        }
    }

    /// The Wilson 95 % interval of the score (Wilson 1927).
    ///
    /// A draw counts as half a success, and the score is treated as the rate of successes. With draws
    /// the true variance is smaller than that of a rate, so that the interval errs on the safe side.
    #[must_use]
    pub fn wilson95(&self) -> Interval {
        let n = f64::from(self.games());
        if n == 0.0 {
            return Interval { low: 0.0, high: 1.0 };
        }
        let (p, z2) = (self.score(), Z95 * Z95);
        let centre = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
        let half = Z95 * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt() / (1.0 + z2 / n);
        // At a score of 0 or 1 the end is exact, but for rounding.
        let low = if p == 0.0 { 0.0 } else { (centre - half).max(0.0) };
        let high = if p == 1.0 { 1.0 } else { (centre + half).min(1.0) };
        Interval { low, high }
    }

    /// The normal 95 % interval of the score, ±1.96 sqrt(var / n), with the variance of the points per
    /// game, draws taken into account. Too narrow for few games and for scores near 0 or 1, and not
    /// cut off there.
    #[must_use]
    pub fn normal95(&self) -> Interval {
        let n = f64::from(self.games());
        if n == 0.0 {
            return Interval { low: 0.0, high: 1.0 };
        }
        let s = self.score();
        let part = |count: u32, points: f64| f64::from(count) / n * (points - s) * (points - s);
        let variance = part(self.wins, 1.0) + part(self.draws, 0.5) + part(self.losses, 0.0);
        let half = Z95 * (variance / n).sqrt();
        Interval { low: s - half, high: s + half }
    }

    /// The difference in Elo points that the score stands for, with the ends of the Wilson interval
    /// turned into Elo points as its error.
    #[must_use]
    pub fn elo(&self) -> Elo {
        let Interval { low, high } = self.wilson95();
        let ci95 = [elo_of_score(low), elo_of_score(high)];
        let error = match ci95 {
            [Some(low), Some(high)] => Some((high - low) / 2.0),
            _ => None,
        };
        Elo { difference: elo_of_score(self.score()), error, ci95 }
    }

    /// The likelihood of superiority: the probability that this player is the stronger one, from the
    /// decided games alone, Φ((wins - losses) / sqrt(wins + losses)).
    #[must_use]
    pub fn los(&self) -> f64 {
        let (wins, losses) = (f64::from(self.wins), f64::from(self.losses));
        if wins + losses == 0.0 {
            return 0.5;
        }
        normal_cdf((wins - losses) / (wins + losses).sqrt())
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

/// Φ(x), the distribution function of the standard normal distribution.
fn normal_cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x / std::f64::consts::SQRT_2)
}

#[cfg(test)]
mod tests;
