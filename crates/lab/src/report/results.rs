//! What pairings came to.

use std::collections::BTreeMap;

use crate::stats::{Elo, Interval, Pentanomial, Tally, Test, against_half, effective_games};
use crate::{CountedPair, Experiment, GameRow, Scoring, SideRow};

/// What a pairing came to, in the view of its first player A.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairingResult {
    /// The number of the pairing in the plan.
    pub pairing: usize,
    /// All games.
    pub tally: Tally,
    /// All pairs.
    pub pairs: Pentanomial,
    /// The games in which A had the first side.
    pub as_first: Tally,
    /// The games in which A had the second side.
    pub as_second: Tally,
    /// How many games are different from each other.
    pub distinct: u32,
    /// How many different games the games are worth.
    pub effective: f64,
    /// The moves of all games.
    pub plies: u64,
    /// Games that were ended neither by a fault nor as usual, by what ended them.
    pub ends: BTreeMap<String, u32>,
    /// Games that A and B lost by a fault of theirs, by its name.
    pub faults: [BTreeMap<String, u32>; 2],
    /// What A and B did in all games.
    pub spent: [SideRow; 2],
    /// How long the games took, in seconds.
    pub seconds: f64,
}

/// What can be concluded from a pairing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// What is counted: games, or pairs that were won by somebody.
    pub tally: Tally,
    /// The points of A, from 0 to 1.
    pub score: f64,
    /// Its 95 % interval, for which the games of a pair are not independent.
    pub ci95: Interval,
    /// The difference in Elo points.
    pub elo: Elo,
    /// The likelihood of superiority of A.
    pub los: f64,
    /// The test against 50 %.
    pub test: Test,
}

impl PairingResult {
    /// What can be concluded if this is what counts; `None` if nothing was counted.
    #[must_use]
    pub fn score(&self, scoring: Scoring) -> Option<Score> {
        let pairs = self.pairs;
        let score = match scoring {
            Scoring::Games => Score {
                tally: self.tally,
                score: pairs.score(),
                ci95: pairs.wilson95(),
                elo: pairs.elo(),
                los: pairs.los(),
                test: against_half(pairs),
            },
            Scoring::Pairs => {
                let tally = pairs.decisive_pairs();
                Score {
                    tally,
                    score: tally.score(),
                    ci95: tally.wilson95(),
                    elo: tally.elo(),
                    los: tally.los(),
                    test: against_half(tally),
                }
            }
        };
        (score.tally.games() > 0).then_some(score)
    }

    fn add(&mut self, rows: [&GameRow; 2]) {
        // A has the second side in the second game.
        let values = [i64::from(rows[0].outcome), -i64::from(rows[1].outcome)];
        self.pairs.add(values);
        self.as_first.add(values[0]);
        self.as_second.add(values[1]);
        for (side_of_a, row) in rows.into_iter().enumerate() {
            self.tally.add(values[side_of_a]);
            self.plies += u64::from(row.plies);
            self.seconds += row.seconds;
            self.spent[0].add_game(&row.sides[side_of_a]);
            self.spent[1].add_game(&row.sides[1 - side_of_a]);
            let count = match row.end.as_str() {
                "rules" => continue,
                end @ ("repetition" | "too-long") => self.ends.entry(end.to_owned()),
                // Who is at fault loses.
                fault => {
                    let loser = usize::from(values[side_of_a] > 0);
                    self.faults[loser].entry(fault.to_owned())
                }
            };
            *count.or_default() += 1;
        }
    }
}

/// What every pairing of the plan came to, in the order of the plan.
#[must_use]
pub fn results(experiment: &Experiment, pairs: &[CountedPair<'_>]) -> Vec<PairingResult> {
    let pairings = experiment.plan.pairings.len();
    let empty = |pairing| PairingResult { pairing, ..PairingResult::default() };
    let mut results = (0..pairings).map(empty).collect::<Vec<_>>();
    let mut played: Vec<BTreeMap<u64, u32>> = vec![BTreeMap::new(); pairings];
    for counted in pairs {
        if let Some(result) = results.get_mut(counted.pairing) {
            result.add(counted.rows);
            for row in counted.rows {
                *played[counted.pairing].entry(row.digest).or_default() += 1;
            }
        }
    }
    for (result, games) in results.iter_mut().zip(played) {
        result.distinct = games.len() as u32;
        result.effective = effective_games(&games.into_values().collect::<Vec<_>>());
    }
    results
}
