//! The results of pairings.

use std::collections::BTreeMap;

use crate::stats::{
    Elo, Interval, Pentanomial, Tally, Test, against_half, compare, effective_games,
};
use crate::{CountedPair, Experiment, GameRow, Scoring, SideRow};

/// The results of a pairing, in the view of its first player A.
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
    /// How often each game was played, by its digest.
    games: BTreeMap<u64, u32>,
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
    /// The number of games, or of pairs that one player won.
    pub tally: Tally,
    /// The points of A, from 0 to 1.
    pub score: f64,
    /// Its 95 % interval, which treats the pair as the unit.
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

    /// The test of whether this pairing's score differs from another one's, positive if it is
    /// higher.
    #[must_use]
    pub fn compare(&self, other: &PairingResult, scoring: Scoring) -> Test {
        match scoring {
            Scoring::Games => compare(self.pairs, other.pairs),
            Scoring::Pairs => compare(self.pairs.decisive_pairs(), other.pairs.decisive_pairs()),
        }
    }

    /// Counts a pair.
    fn add(&mut self, rows: [&GameRow; 2]) {
        self.pairs.add(rows.map(GameRow::value_for_a));
        rows.into_iter().for_each(|row| self.add_game(row));
    }

    /// Counts a game, whether or not the other one of its pair is there.
    fn add_game(&mut self, row: &GameRow) {
        let (value, side_of_a) = (row.value_for_a(), usize::from(row.number));
        let tally = if row.number == 0 { &mut self.as_first } else { &mut self.as_second };
        tally.add(value);
        self.tally.add(value);
        self.plies += u64::from(row.plies);
        self.seconds += row.seconds;
        self.spent[0].add_game(&row.sides[side_of_a]);
        self.spent[1].add_game(&row.sides[1 - side_of_a]);
        *self.games.entry(row.digest).or_default() += 1;
        let count = match row.end.as_str() {
            "rules" => return,
            end @ ("repetition" | "too-long") => self.ends.entry(end.to_owned()),
            // Who is at fault loses.
            fault => self.faults[usize::from(value > 0)].entry(fault.to_owned()),
        };
        *count.or_default() += 1;
    }

    /// How many games are different from each other.
    #[must_use]
    pub fn distinct(&self) -> u32 {
        self.games.len() as u32
    }

    /// The effective number of different games.
    #[must_use]
    pub fn effective(&self) -> f64 {
        effective_games(&self.games.values().copied().collect::<Vec<_>>())
    }

    /// The results of one pairing: its games in order, complete pairs and single ones.
    #[must_use]
    pub fn of_games(rows: &[GameRow]) -> PairingResult {
        let mut result = PairingResult::default();
        for pair in rows.chunk_by(|a, b| a.pair == b.pair) {
            match pair {
                [first, second] => result.add([first, second]),
                single => single.iter().for_each(|row| result.add_game(row)),
            }
        }
        result
    }
}

/// The results of every pairing, in the order of the plan.
#[must_use]
pub fn results(experiment: &Experiment, pairs: &[CountedPair<'_>]) -> Vec<PairingResult> {
    let empty = |pairing| PairingResult { pairing, ..PairingResult::default() };
    let mut results: Vec<PairingResult> = (0..experiment.plan.pairings.len()).map(empty).collect();
    for counted in pairs {
        if let Some(result) = results.get_mut(counted.pairing) {
            result.add(counted.rows);
        }
    }
    results
}
