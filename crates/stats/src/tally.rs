//! Games won, drawn and lost, each game counted for itself.

use serde::Serialize;

use super::Interval;
use super::distributions::wilson95;

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

    /// The variance of the points per game, 0 without games; the score's is this over the games.
    #[must_use]
    pub fn variance(&self) -> f64 {
        let (n, s) = (f64::from(self.games().max(1)), self.score());
        let part = |count: u32, points: f64| f64::from(count) / n * (points - s) * (points - s);
        part(self.wins, 1.0) + part(self.draws, 0.5) + part(self.losses, 0.0)
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
    /// A draw counts as half a success, and the score is treated as the rate of successes. With
    /// draws the true variance is smaller than that of a rate, so that the interval errs on the
    /// safe side.
    #[must_use]
    pub fn wilson95(&self) -> Interval {
        self.wilson95_worth(f64::from(self.games()))
    }

    /// The same for this effective number of games; see [`Repeats`](super::Repeats).
    #[must_use]
    pub fn wilson95_worth(&self, games: f64) -> Interval {
        wilson95(self.score(), games)
    }
}
