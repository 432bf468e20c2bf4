//! The results of pairings.

use std::collections::{BTreeMap, BTreeSet};

use treegraft_stats::{
    Elo, Evidence, Interval, Pentanomial, Repeats, Sample, Tally, Test, against_half, compare,
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
    /// How often each pair was played.
    pub repeats: Repeats,
    /// How often each pair was played that one player won.
    decisive_repeats: Repeats,
    /// The digests of the games.
    games: BTreeSet<u64>,
    /// The moves of all games.
    pub plies: u64,
    /// Games that were ended neither by a fault nor as usual, by what ended them.
    pub ends: BTreeMap<String, u32>,
    /// Games that A and B lost by a fault of theirs, by its name.
    pub faults: [BTreeMap<String, u32>; 2],
    /// What A and B did in all games.
    pub spent: [SideRow; 2],
}

/// What can be concluded from a pairing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// The number of games, or of pairs that one player won.
    pub tally: Tally,
    /// The points of A, from 0 to 1.
    pub score: f64,
    /// Its 95 % interval, which treats the pair as the unit and counts pairs that repeat each other
    /// by their effective number; so do the others.
    pub ci95: Interval,
    /// The difference in Elo points.
    pub elo: Elo,
    /// The test against 50 %, which has the likelihood of superiority of A too.
    pub test: Test,
}

impl PairingResult {
    /// What can be concluded if this is what counts; `None` if nothing was counted.
    #[must_use]
    pub fn score(&self, scoring: Scoring) -> Option<Score> {
        let (tally, score, ci95) = match scoring {
            Scoring::Games => (self.tally, self.pairs.score(), self.evidence().wilson95()),
            Scoring::Pairs => {
                let tally = self.pairs.decisive_pairs();
                (tally, tally.score(), tally.wilson95_worth(self.decisive_repeats.worth()))
            }
        };
        let (elo, test) = (Elo::of_interval(score, ci95), against_half(self.sample(scoring)));
        let score = Score { tally, score, ci95, elo, test };
        (tally.games() > 0).then_some(score)
    }

    /// All pairs, with their effective number.
    #[must_use]
    pub fn evidence(&self) -> Evidence {
        Evidence { pairs: self.pairs, worth: self.repeats.worth() }
    }

    /// The score as the mean of the effective number of pairs.
    fn sample(&self, scoring: Scoring) -> Sample {
        match scoring {
            Scoring::Games => self.evidence().into(),
            Scoring::Pairs => Sample {
                units: self.decisive_repeats.worth(),
                ..self.pairs.decisive_pairs().into()
            },
        }
    }

    /// Games won, drawn and lost, or pairs won and lost, each with its weight: the input of
    /// ratings.
    #[must_use]
    pub fn weighted(&self, scoring: Scoring) -> [f64; 3] {
        let (tally, share) = match scoring {
            Scoring::Games => (self.tally, self.repeats.share()),
            Scoring::Pairs => (self.pairs.decisive_pairs(), self.decisive_repeats.share()),
        };
        [tally.wins, tally.draws, tally.losses].map(|games| share * f64::from(games))
    }

    /// The test of whether this pairing's score differs from another one's, positive if it is
    /// higher.
    #[must_use]
    pub fn compare(&self, other: &PairingResult, scoring: Scoring) -> Test {
        compare(self.sample(scoring), other.sample(scoring))
    }

    /// Counts a pair.
    fn add(&mut self, rows: [&GameRow; 2]) {
        let (values, digests) = (rows.map(GameRow::value_for_a), rows.map(|row| row.digest));
        self.pairs.add(values);
        self.repeats.add(digests);
        if values[0] + values[1] != 0 {
            self.decisive_repeats.add(digests);
        }
        rows.into_iter().for_each(|row| self.add_game(row));
    }

    /// Counts a game, whether or not the other one of its pair is there.
    fn add_game(&mut self, row: &GameRow) {
        let (value, side_of_a) = (row.value_for_a(), usize::from(row.number));
        let tally = if row.number == 0 { &mut self.as_first } else { &mut self.as_second };
        tally.add(value);
        self.tally.add(value);
        self.plies += u64::from(row.plies);
        self.spent[0].add_game(&row.sides[side_of_a]);
        self.spent[1].add_game(&row.sides[1 - side_of_a]);
        self.games.insert(row.digest);
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
    pub fn worth(&self) -> f64 {
        // Both games of a pair may be the same.
        let distinct = f64::from(self.distinct());
        (self.repeats.share() * f64::from(self.tally.games())).min(distinct)
    }

    /// The results of one pairing: its games in order, complete pairs and single ones.
    #[must_use]
    pub fn of_games(rows: &[GameRow]) -> PairingResult {
        let mut result = PairingResult::default();
        let pairs = || rows.chunk_by(|a, b| a.pair == b.pair);
        for pair in pairs() {
            if let [first, second] = pair {
                result.add([first, second]);
            }
        }
        for row in pairs().filter(|pair| pair.len() != 2).flatten() {
            result.add_game(row);
            result.repeats.add_single(row.digest);
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
