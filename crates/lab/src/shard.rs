//! Shards: the parts of a plan that several machines play, each into a store of its own.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use crate::row::PairId;
use crate::run::PlannedPair;

/// Maximum number of shards of a plan.
pub const MAX_SHARDS: u32 = 1_000_000;

/// One of the equal parts of a plan: `3/64` is the third of 64.
///
/// ```
/// use treegraft_lab::Shard;
///
/// let shard: Shard = "3/64".parse()?;
/// assert_eq!((shard.number(), shard.of()), (3, 64));
/// assert!("65/64".parse::<Shard>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shard {
    number: u32,
    of: u32,
}

impl Shard {
    /// Shard `number`, counted from 1, of `of`.
    ///
    /// # Errors
    ///
    /// If there is no such shard, in words.
    pub fn new(number: u32, of: u32) -> Result<Shard, String> {
        match (1..=of).contains(&number) && of <= MAX_SHARDS {
            true => Ok(Shard { number, of }),
            false => Err(format!(
                "there is no shard {number}/{of}; expected K/N with K from 1 to N, and N at most \
                 {MAX_SHARDS}"
            )),
        }
    }

    /// Its number, from 1.
    #[must_use]
    pub fn number(self) -> u32 {
        self.number
    }

    /// How many shards there are.
    #[must_use]
    pub fn of(self) -> u32 {
        self.of
    }

    /// The pairs of the plan that belong to the shard, in the order of the plan.
    ///
    /// Pairs are dealt like cards, in the order of the plan and one to every shard before any gets
    /// its next: the shards of any plan, and of the first pairs of every pairing, differ by one pair
    /// at most. Which shard is dealt to first changes from round to round, so that all shards have
    /// about as many pairs of each pairing: some pairings take longer than others. Who gets a pair
    /// does not depend on how many pairs follow. A pair that several pairings share belongs to the
    /// shard of the first.
    #[must_use]
    pub fn pairs<'p>(self, plan: impl IntoIterator<Item = &'p PlannedPair>) -> Vec<PlannedPair> {
        let mut dealer = Dealer::new(self.of);
        let mut is_mine =
            |planned: &&PlannedPair| dealer.shard_of(planned.pair.id()) == self.number;
        plan.into_iter().filter(|planned| is_mine(planned)).cloned().collect()
    }
}

/// Deals the pairs of a plan to its shards.
pub(crate) struct Dealer {
    of: u32,
    dealt: HashMap<PairId, u32>,
    cards: u64,
}

impl Dealer {
    /// A dealer to so many shards, at least one.
    pub(crate) fn new(of: u32) -> Dealer {
        Dealer { of, dealt: HashMap::new(), cards: 0 }
    }

    /// The number of the shard that has a pair. To be asked in the order of the plan.
    pub(crate) fn shard_of(&mut self, pair: PairId) -> u32 {
        let next = dealt_to(self.of, self.cards);
        *self.dealt.entry(pair).or_insert_with(|| {
            self.cards += 1;
            next
        })
    }
}

/// The number of the shard that gets a card.
fn dealt_to(of: u32, card: u64) -> u32 {
    // The multiples of the golden ratio fill a circle evenly, and so does every n-th of them:
    // no number of pairings is in step with them.
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    let of = u64::from(of);
    let (round, seat) = (card / of, card % of);
    let first = ((round.wrapping_mul(GOLDEN) >> 32) * of) >> 32;
    ((seat + first) % of) as u32 + 1
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers = text.split_once('/').and_then(|(number, of)| {
            let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
            (digits(number) && digits(of)).then_some((number.parse().ok()?, of.parse().ok()?))
        });
        match numbers {
            Some((number, of)) => Shard::new(number, of),
            None => Err("expected a shard such as 3/64, the third of 64".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::opening::Opening;
    use crate::pair::Pair;

    /// Pair 0 of all pairings, then pair 1 of all, and so on.
    fn plan(pairings: usize, pairs: u64) -> Vec<PlannedPair> {
        let pair = |pairing: usize, seed| Pair {
            game: "connect4".to_owned(),
            players: [format!("mcts@{}it", pairing + 1), "random".to_owned()],
            opening: Opening::None,
            seed,
            max_plies: None,
        };
        let all = (0..pairs).flat_map(|seed| (0..pairings).map(move |pairing| (pairing, seed)));
        all.map(|(pairing, seed)| PlannedPair { pairing, pair: pair(pairing, seed) }).collect()
    }

    fn shards(of: u32, plan: &[PlannedPair]) -> Vec<Vec<PlannedPair>> {
        (1..=of).map(|number| Shard::new(number, of).unwrap().pairs(plan)).collect()
    }

    #[test]
    fn shards_are_equally_long_and_make_up_the_plan() {
        for (pairings, pairs, of) in
            [(1, 1, 1), (1, 10, 3), (3, 20, 64), (64, 32, 64), (128, 20, 64), (30, 40, 64)]
        {
            let plan = plan(pairings, pairs);
            let shards = shards(of, &plan);
            let lengths: Vec<usize> = shards.iter().map(Vec::len).collect();
            let (least, most) = (lengths.iter().min().unwrap(), lengths.iter().max().unwrap());
            assert!(most - least <= 1, "{pairings} pairings, {of} shards: {lengths:?}");
            let ids: HashSet<_> = shards.iter().flatten().map(|it| it.pair.id()).collect();
            assert_eq!(ids.len(), plan.len());
            // No shard has much more of one pairing than another.
            let share = pairs as f64 / f64::from(of);
            for shard in &shards {
                let of_first = shard.iter().filter(|planned| planned.pairing == 0).count() as f64;
                assert!((of_first - share).abs() <= 3.0, "{of_first} of {share} in {of} shards");
            }
        }
    }

    #[test]
    fn more_pairs_do_not_move_those_before() {
        let (few, many) = (plan(7, 20), plan(7, 50));
        for (few, many) in shards(16, &few).iter().zip(&shards(16, &many)) {
            assert_eq!(few[..], many[..few.len()]);
        }
    }

    #[test]
    fn a_pair_of_two_pairings_is_played_by_one_shard() {
        let mut plan = plan(2, 8);
        for planned in &mut plan {
            planned.pair.players[0] = "mcts@1it".to_owned();
        }
        let shards = shards(4, &plan);
        for shard in &shards {
            let pairings: Vec<usize> = shard.iter().map(|planned| planned.pairing).collect();
            assert_eq!(pairings, [0, 1, 0, 1]);
        }
    }

    #[test]
    fn shards_that_do_not_exist_are_refused() {
        for text in
            ["0/3", "4/3", "1/0", "1", "/", "1/", "a/b", "-1/3", "+1/3", "1/2/3", "1/1000001"]
        {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
        assert_eq!("3/3".parse::<Shard>().unwrap().to_string(), "3/3");
    }
}
