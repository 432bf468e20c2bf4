//! The values that papers published, and what each is compared with.

use serde::{Deserialize, Serialize};
use treegraft_stats::{Interval, Tally};

/// A published value.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// Where it stands.
    pub source: String,
    /// The game.
    pub game: String,
    /// The board, as the paper describes it.
    pub board: String,
    /// The player that it is about.
    pub player: String,
    /// Its opponent; empty where there is none.
    pub opponent: String,
    /// What players could spend on a move.
    pub budget: String,
    /// How many games were played; 0: not stated.
    pub games: u32,
    /// What was measured.
    pub metric: Metric,
    /// The share of games won, in percent.
    win_rate: Option<f64>,
    /// The share of games lost, in percent, where it is printed.
    pub loss_rate: Option<f64>,
    /// The share of games drawn, in percent, where it is printed.
    pub draw_rate: Option<f64>,
    /// The mean time, where it is printed, in a unit that the paper leaves open.
    pub avg_time: Option<f64>,
    /// Any other value.
    value: Option<f64>,
    /// Its unit.
    #[serde(default)]
    pub unit: String,
    /// The lower end of the printed 95 % interval.
    ci_low: Option<f64>,
    /// The upper end of the printed 95 % interval.
    ci_high: Option<f64>,
    /// What else is known of it.
    #[serde(default)]
    pub note: String,
    /// The experiment that it is compared with.
    pub experiment: Option<String>,
    /// The row of that experiment: two players, one, or what a study measured.
    #[serde(default)]
    pub row: Vec<String>,
    /// Why it is compared with nothing.
    #[serde(default)]
    pub reason: String,
    /// Why it differs from what is measured, or what was tried.
    #[serde(default)]
    pub why: String,
}

/// What was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// The share of games won, in percent.
    WinRate,
    /// Games won of all in a round robin.
    RoundRobinWins,
    /// The constant of UCB1-Tuned.
    #[serde(rename = "ucb1_tuned_C")]
    Ucb1TunedC,
    /// Simulations a second.
    SimsPerSecond,
    /// Simulations a second, in percent of the baseline's.
    RelativeSimSpeedPercent,
    /// Positions in 1,000 games.
    #[serde(rename = "positions_in_1000_games")]
    PositionsIn1000Games,
    /// Legal moves at the nodes that selection passes.
    MeanLegalMovesInSelection,
    /// Moves of a game.
    MeanGameLength,
    /// The probability that a playout is right.
    PCorrect,
    /// The factor a of a·rʰ.
    LeafExpansionsFitCoeff,
    /// The base r of a·rʰ.
    LeafExpansionsFitBase,
    /// Leaves of one tree.
    LeafExpansions,
    /// Leaves by the paper's curve a·rʰ.
    PaperFitLeaves,
}

impl Published {
    /// Whether 50 is what it would be if nothing made a difference.
    #[must_use]
    pub fn is_score(&self) -> bool {
        matches!(self.metric, Metric::WinRate | Metric::RoundRobinWins)
    }

    /// The value in the unit in which it is compared: scores in percent.
    #[must_use]
    pub fn number(&self) -> f64 {
        let value = self.win_rate.or(self.value).unwrap_or(f64::NAN);
        match self.metric {
            Metric::RoundRobinWins => 100.0 * value / f64::from(self.games.max(1)),
            Metric::PositionsIn1000Games => value / 1000.0,
            _ => value,
        }
    }

    /// Its 95 % interval: as printed, or computed from the number of games; for rounded numbers, what
    /// they can have been. `None` if nothing is known.
    #[must_use]
    pub fn interval(&self) -> Option<Interval> {
        if let (Some(low), Some(high)) = (self.ci_low, self.ci_high) {
            return Some(Interval { low, high });
        }
        let value = self.number();
        let around = |error| Some(Interval { low: value - error, high: value + error });
        match self.metric {
            Metric::WinRate | Metric::RoundRobinWins if self.games > 0 => {
                // With games that are not drawn.
                let games = f64::from(self.games);
                let wins = (games * value / 100.0).round() as u32;
                let tally = Tally { wins, draws: 0, losses: self.games.saturating_sub(wins) };
                let Interval { low, high } = tally.wilson95();
                Some(Interval { low: 100.0 * low, high: 100.0 * high })
            }
            // By how much the choice of heights changes it: 1.65 to 1.82 for alpha-beta.
            Metric::LeafExpansionsFitCoeff => around(0.1),
            // As closely as the heights of the curve can be identified (SPEC, section 8).
            Metric::LeafExpansionsFitBase => around(0.02),
            _ => None,
        }
    }
}
