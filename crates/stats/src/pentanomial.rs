//! Pairs of games by the points they gave: five kinds of pairs, hence pentanomial.
//!
//! The two games of a pair begin with the same opening and swapped sides, so that they are not
//! independent: an opening that favours one side gives each player a win. The variance over pairs
//! takes that into account without a model of it; usually it is smaller than that of as many
//! independent games, and the intervals are narrower.

use serde::Serialize;

use super::Tally;

/// How often a pair of games gave 0, ½, 1, 1½ and 2 points to player A.
///
/// Scores and variances are in points per game, so that they lie in [0, 1] as those of a [`Tally`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Pentanomial {
    /// Pairs by A's half points: `counts[3]` pairs gave A 1½ points.
    pub counts: [u32; 5],
}

/// The points per game of the five kinds of pairs.
pub(super) const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

impl Pentanomial {
    /// Counts a pair by its two results in A's view: 1 won, 0 drawn, -1 lost.
    pub fn add(&mut self, values: [i64; 2]) {
        let half_points = 2 + values[0].signum() + values[1].signum();
        self.counts[half_points as usize] += 1;
    }

    /// Number of pairs.
    #[must_use]
    pub fn pairs(&self) -> u32 {
        self.counts.iter().sum()
    }

    /// The same pairs as the other player sees them.
    #[must_use]
    pub fn mirrored(&self) -> Pentanomial {
        let [c0, c1, c2, c3, c4] = self.counts;
        Pentanomial { counts: [c4, c3, c2, c1, c0] }
    }

    /// Points per game. Without pairs ½.
    #[must_use]
    pub fn score(&self) -> f64 {
        match self.pairs() {
            0 => 0.5,
            pairs => self.sum(|score| score) / f64::from(pairs),
        }
    }

    /// The variance of a pair's points per game, 0 without pairs; the score's is this over the
    /// pairs.
    ///
    /// Two independent games with a variance of v each have v / 2 as a pair.
    #[must_use]
    pub fn variance(&self) -> f64 {
        let mean = self.score();
        let squares = self.sum(|score| (score - mean) * (score - mean));
        squares / f64::from(self.pairs().max(1))
    }

    /// The pairs won and lost, the others left out: a player wins a pair by winning one of its
    /// games and not losing the other, which is by 1½ or 2 points.
    ///
    /// So paper 004 scores Kalah on random boards: a board on which the same side wins twice says
    /// nothing about the players. The score of the tally is the rate over the decisive pairs.
    #[must_use]
    pub fn decisive_pairs(&self) -> Tally {
        let [c0, c1, _, c3, c4] = self.counts;
        Tally { wins: c3 + c4, draws: 0, losses: c0 + c1 }
    }

    /// The sum of `value` over all pairs, by the points per game.
    fn sum(&self, value: impl Fn(f64) -> f64) -> f64 {
        self.counts.iter().zip(SCORES).map(|(&count, score)| f64::from(count) * value(score)).sum()
    }
}
