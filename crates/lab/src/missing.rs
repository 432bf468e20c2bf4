//! What a store lacks of a plan: which pairs, and which shards.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::row::PairId;
use crate::run::PlannedPair;
use crate::shard::Dealer;

/// What is not there yet of a plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Missing {
    /// Pairs that have to be there.
    pub needed: usize,
    /// Those that are not, in the order of the plan.
    pub pairs: Vec<MissingPair>,
    /// The same by shards, if it is known how many there are.
    pub shards: Option<MissingShards>,
}

/// A pair that is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MissingPair {
    /// Its place in the plan, from 1.
    pub number: usize,
    /// Its name.
    pub id: PairId,
    /// The shard that plays it, if it is known how many there are.
    pub shard: Option<u32>,
}

/// The shards that are not there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MissingShards {
    /// How many the plan was divided into.
    pub of: u32,
    /// Those of which nothing is there.
    pub missing: Vec<u32>,
    /// Those that are there in part.
    pub incomplete: Vec<u32>,
}

impl Missing {
    /// What these pairs, of which `shards` shards were made, lack. `is_needed` is told the pairing
    /// of a pair, and how many pairs of that pairing come before it in the plan.
    pub(crate) fn of(
        plan: &[PlannedPair],
        done: &HashSet<PairId>,
        shards: Option<u32>,
        is_needed: impl Fn(usize, usize) -> bool,
    ) -> Missing {
        let mut dealer = shards.map(Dealer::new);
        let mut before: BTreeMap<usize, usize> = BTreeMap::new();
        let mut seen = HashSet::new();
        let mut there = BTreeSet::new();
        let mut missing = Missing::default();
        for (index, PlannedPair { pairing, pair }) in plan.iter().enumerate() {
            let id = pair.id();
            let shard = dealer.as_mut().map(|dealer| dealer.shard_of(id));
            let before = before.entry(*pairing).or_default();
            *before += 1;
            // Pairings may share a pair.
            if !is_needed(*pairing, *before - 1) || !seen.insert(id) {
                continue;
            }
            missing.needed += 1;
            if done.contains(&id) {
                there.extend(shard);
            } else {
                missing.pairs.push(MissingPair { number: index + 1, id, shard });
            }
        }
        let lacking: BTreeSet<u32> = missing.pairs.iter().filter_map(|pair| pair.shard).collect();
        missing.shards = shards.map(|of| {
            let (incomplete, missing) = lacking.iter().partition(|it| there.contains(it));
            MissingShards { of, missing, incomplete }
        });
        missing
    }

    /// Whether everything is there.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The missing pairs of shards that are there in part; all that are missing if nothing is known
    /// of shards.
    pub fn single_pairs(&self) -> impl Iterator<Item = &MissingPair> {
        self.pairs.iter().filter(|pair| self.is_single(pair))
    }

    fn is_single(&self, pair: &MissingPair) -> bool {
        match (&self.shards, pair.shard) {
            (Some(shards), Some(shard)) => shards.incomplete.binary_search(&shard).is_ok(),
            _ => true,
        }
    }

    /// The same in words, a sentence without its full stop for each fact.
    #[must_use]
    pub fn in_words(&self) -> Vec<String> {
        let Some(shards) = &self.shards else {
            return vec![match self.pairs.len() {
                0 => format!("nothing: all {} pairs are there", self.needed),
                n => format!("{n} of {} pairs: {}", self.needed, some(&self.numbers(None))),
            }];
        };
        let mut words = vec![shards.in_words()];
        for shard in shards.incomplete.iter().take(MAX_SHOWN) {
            words.push(format!("shard {shard} lacks {}", pairs(&self.numbers(Some(*shard)))));
        }
        match shards.incomplete.len().saturating_sub(MAX_SHOWN) {
            0 => {}
            more => words.push(format!("and {more} more shards lack pairs")),
        }
        words
    }

    /// The numbers of the missing pairs of a shard, or of all.
    fn numbers(&self, shard: Option<u32>) -> Vec<usize> {
        let is_meant = |pair: &&MissingPair| shard.is_none() || pair.shard == shard;
        self.pairs.iter().filter(is_meant).map(|pair| pair.number).collect()
    }
}

impl MissingShards {
    fn in_words(&self) -> String {
        let MissingShards { of, missing, incomplete } = self;
        let whole = *of as usize - missing.len() - incomplete.len();
        let rest = match (whole, incomplete.len()) {
            (whole, 0) => format!("{whole} complete"),
            (whole, part) => format!("{whole} complete, {part} in part"),
        };
        match (missing.len(), incomplete.len()) {
            (0, 0) => format!("nothing: all {of} shards are complete"),
            (0, _) => format!("no shard of {of}; {rest}"),
            (1, _) => format!("shard {} of {of} is missing; {rest}", missing[0]),
            _ => {
                let numbers: Vec<usize> = missing.iter().map(|&it| it as usize).collect();
                format!("shards {} of {of} are missing; {rest}", joined(&ranges(&numbers)))
            }
        }
    }
}

/// As many single shards, and numbers of pairs, are shown at most.
const MAX_SHOWN: usize = 10;

fn pairs(numbers: &[usize]) -> String {
    match numbers {
        [one] => format!("pair {one} of the plan"),
        _ => format!("{} pairs: {}", numbers.len(), some(numbers)),
    }
}

/// The first of these numbers.
fn some(numbers: &[usize]) -> String {
    let ranges = ranges(numbers);
    match ranges.len() > MAX_SHOWN {
        true => format!("{} … of the plan", ranges[..MAX_SHOWN].join(", ")),
        false => format!("{} of the plan", joined(&ranges)),
    }
}

/// Rising numbers, those that follow one another as a range.
fn ranges(numbers: &[usize]) -> Vec<String> {
    let runs = numbers.chunk_by(|a, b| a + 1 == *b);
    let text = |run: &[usize]| match run {
        [one] => vec![one.to_string()],
        [a, b] => vec![a.to_string(), b.to_string()],
        [first, .., last] => vec![format!("{first}-{last}")],
        [] => Vec::new(),
    };
    runs.flat_map(text).collect()
}

/// "3, 7 and 12".
fn joined(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shards(missing: &[u32], incomplete: &[u32]) -> MissingShards {
        MissingShards { of: 64, missing: missing.to_vec(), incomplete: incomplete.to_vec() }
    }

    #[test]
    fn shards_are_named() {
        for (missing, incomplete, words) in [
            (&[][..], &[][..], "nothing: all 64 shards are complete"),
            (&[3], &[], "shard 3 of 64 is missing; 63 complete"),
            (&[3, 7, 12], &[], "shards 3, 7 and 12 of 64 are missing; 61 complete"),
            (&[3, 4, 5, 9], &[1], "shards 3-5 and 9 of 64 are missing; 59 complete, 1 in part"),
            (&[], &[1, 2], "no shard of 64; 62 complete, 2 in part"),
        ] {
            assert_eq!(shards(missing, incomplete).in_words(), words);
        }
    }

    #[test]
    fn pairs_are_named_by_their_place_in_the_plan() {
        let pair = |number, shard| MissingPair { number, id: PairId::default(), shard };
        let unknown = Missing {
            needed: 90,
            pairs: [1, 2, 3, 7].map(|number| pair(number, None)).into(),
            shards: None,
        };
        assert_eq!(unknown.in_words(), ["4 of 90 pairs: 1-3 and 7 of the plan"]);
        let known = Missing {
            needed: 90,
            pairs: vec![pair(1, Some(3)), pair(5, Some(2)), pair(8, Some(2)), pair(9, Some(4))],
            shards: Some(shards(&[3], &[2, 4])),
        };
        let words = known.in_words();
        assert_eq!(
            words[1..],
            ["shard 2 lacks 2 pairs: 5 and 8 of the plan", "shard 4 lacks pair 9 of the plan"]
        );
        assert_eq!(known.single_pairs().map(|pair| pair.number).collect::<Vec<_>>(), [5, 8, 9]);
        let many = some(&(0..40).map(|number| 2 * number).collect::<Vec<_>>());
        assert!(many.starts_with("0, 2, 4") && many.ends_with("18 … of the plan"), "{many}");
    }
}
