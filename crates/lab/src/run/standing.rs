//! What counts, and when a pairing is decided.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use treegraft_stats::{Evidence, Pentanomial, Repeats, Tally, worth};

use super::PlannedPair;
use crate::row::{GameResult, GameRow, PairId, Played};

/// Whether a pairing is decided: called with its number and its counted pairs in the view of the
/// first player, after every pair in the order of the plan.
pub type StopWhen<'a> = &'a (dyn Fn(usize, &Evidence) -> bool + Sync);

/// How a pairing stands, in the view of its first player.
///
/// With a stop rule only those pairs count that have no gap before them, so that the result of a
/// pairing does not depend on which of its pairs finish first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Pairs of the plan.
    pub planned: usize,
    /// Pairs that are in the store, whether or not they count.
    pub done: usize,
    /// Games that count.
    pub tally: Tally,
    /// Pairs that count, by the points of the first player in half points: 0, ½, 1, 1½, 2.
    pub pairs: [u32; 5],
    /// The squares of how often each different pair that counts was played, summed up: as many as
    /// there are pairs if all differ. See [`Repeats`].
    pub squares: u64,
    /// The number of pairs after which the stop rule was satisfied: later ones do not count.
    pub decided: Option<usize>,
}

impl Standing {
    /// Pairs that count.
    #[must_use]
    pub fn counted(&self) -> usize {
        self.pairs.iter().map(|&pairs| pairs as usize).sum()
    }

    /// The pairs that count, with their effective number.
    #[must_use]
    pub fn evidence(&self) -> Evidence {
        let pairs = Pentanomial { counts: self.pairs };
        Evidence { pairs, worth: worth(u64::from(pairs.pairs()), self.squares) }
    }

    fn count(&mut self, PlayedPair { values, digests }: PlayedPair, repeats: &mut Repeats) {
        repeats.add(digests);
        self.squares = repeats.squares();
        values.into_iter().for_each(|value| self.tally.add(value));
        let points = usize::try_from(values[0] + values[1] + 2).expect("values are -1, 0 or 1");
        self.pairs[points] += 1;
    }
}

/// A pairing, and the number of a pair in it.
pub(super) type Place = (usize, usize);

/// The names of a plan's pairs. They are hashes, which take their time.
pub(super) fn ids(plan: &[PlannedPair]) -> Vec<PairId> {
    plan.iter().map(|planned| planned.pair.id()).collect()
}

/// Where in the plan each pair stands. Two pairings of the same players may share their pairs.
pub(super) fn places(plan: &[PlannedPair], ids: &[PairId]) -> HashMap<PairId, Vec<Place>> {
    let mut places: HashMap<PairId, Vec<Place>> = HashMap::with_capacity(plan.len());
    let mut lengths = Vec::new();
    for (PlannedPair { pairing, .. }, id) in plan.iter().zip(ids) {
        if lengths.len() <= *pairing {
            lengths.resize(pairing + 1, 0);
        }
        places.entry(*id).or_default().push((*pairing, lengths[*pairing]));
        lengths[*pairing] += 1;
    }
    places
}

/// A pair that is over: what its games brought the first player, and their digests.
#[derive(Clone, Copy)]
struct PlayedPair {
    values: [i64; 2],
    digests: [u64; 2],
}

/// How all pairings stand.
pub(super) struct Standings {
    pub(super) all: Vec<Standing>,
    /// The pairs of each pairing, where they are over.
    played: Vec<Vec<Option<PlayedPair>>>,
    /// How often each pair that counts was played, by pairing.
    repeats: Vec<Repeats>,
}

impl Standings {
    pub(super) fn new(plan: &[PlannedPair]) -> Standings {
        let pairings = plan.iter().map(|planned| planned.pairing + 1).max().unwrap_or(0);
        let mut all = vec![Standing::default(); pairings];
        plan.iter().for_each(|planned| all[planned.pairing].planned += 1);
        let played = all.iter().map(|standing| vec![None; standing.planned]).collect();
        Standings { all, played, repeats: vec![Repeats::default(); pairings] }
    }

    /// Takes note of a pair that is over. The stop rule must be the same every time.
    pub(super) fn add<R: Played>(
        &mut self,
        places: &[Place],
        games: [&R; 2],
        stop: Option<StopWhen<'_>>,
    ) {
        let results = games.map(R::result);
        let values = results.map(|result| result.value_for_a());
        let pair = PlayedPair { values, digests: results.map(|result| result.digest) };
        for &(pairing, number) in places {
            let (standing, known) = (&mut self.all[pairing], &mut self.played[pairing]);
            let repeats = &mut self.repeats[pairing];
            if known[number].replace(pair).is_some() {
                continue;
            }
            standing.done += 1;
            let Some(stop) = stop else {
                standing.count(pair, repeats);
                continue;
            };
            // Everything up to the next gap, pair by pair.
            while standing.decided.is_none()
                && let Some(Some(pair)) = known.get(standing.counted())
            {
                standing.count(*pair, repeats);
                if stop(pairing, &standing.evidence()) {
                    standing.decided = Some(standing.counted());
                }
            }
        }
    }

    /// Whether a pair could count.
    pub(super) fn is_open(&self, places: &[Place]) -> bool {
        let is_open = |&(pairing, number): &Place| {
            self.all[pairing].decided.is_none_or(|decided| number < decided)
        };
        places.iter().any(is_open)
    }

    /// Where the pairings end, for the threads that play.
    pub(super) fn ends(&self) -> Ends {
        let ends = Ends(self.all.iter().map(|_| AtomicUsize::new(usize::MAX)).collect());
        ends.update(self);
        ends
    }
}

/// After how many pairs each pairing ends, as far as it is known.
pub(super) struct Ends(Vec<AtomicUsize>);

impl Ends {
    pub(super) fn update(&self, standings: &Standings) {
        for (end, standing) in self.0.iter().zip(&standings.all) {
            end.store(standing.decided.unwrap_or(usize::MAX), Ordering::Relaxed);
        }
    }

    /// Whether a pair could count.
    pub(super) fn is_open(&self, places: &[Place]) -> bool {
        places.iter().any(|&(pairing, number)| number < self.0[pairing].load(Ordering::Relaxed))
    }
}

/// A pair that counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CountedPair<'a> {
    /// Its pairing.
    pub pairing: usize,
    /// Its games.
    pub rows: [&'a GameRow; 2],
}

/// How each pairing of a plan stands with these games.
#[must_use]
pub fn standings<R: Played>(
    rows: &[R],
    plan: &[PlannedPair],
    stop: Option<StopWhen<'_>>,
) -> Vec<Standing> {
    replay(rows, plan, stop).0.all
}

/// The pairs that count, in the order of the plan: what every table is made from.
///
/// Those are the pairs of the plan that are there; with a stop rule only those before the first gap
/// and up to the decision of their pairing.
#[must_use]
pub fn counted<'a>(
    rows: &'a [GameRow],
    plan: &[PlannedPair],
    stop: Option<StopWhen<'_>>,
) -> Vec<CountedPair<'a>> {
    let pairs = replay(rows, plan, stop).1.into_iter();
    pairs.map(|(pairing, rows)| CountedPair { pairing, rows }).collect()
}

/// Counts games in the order of the plan; also returns the pairs that count, with their pairings.
fn replay<'a, R: Played>(
    rows: &'a [R],
    plan: &[PlannedPair],
    stop: Option<StopWhen<'_>>,
) -> (Standings, Vec<(usize, [&'a R; 2])>) {
    let mut games: HashMap<PairId, [Option<&R>; 2]> = HashMap::with_capacity(rows.len() / 2);
    for row in rows {
        let GameResult { pair, number, .. } = row.result();
        if let Some(game) = games.entry(pair).or_default().get_mut(usize::from(number)) {
            *game = Some(row);
        }
    }
    let mut standings = Standings::new(plan);
    let ids = ids(plan);
    let places = places(plan, &ids);
    let mut next = vec![0; standings.all.len()];
    let mut counted = Vec::new();
    for (PlannedPair { pairing, .. }, id) in plan.iter().zip(ids) {
        next[*pairing] += 1;
        let Some(&[Some(first), Some(second)]) = games.get(&id) else { continue };
        standings.add(&places[&id], [first, second], stop);
        // Counted means: no gap so far, and the decision not before this one.
        if standings.all[*pairing].counted() >= next[*pairing] || stop.is_none() {
            counted.push((*pairing, [first, second]));
        }
    }
    (standings, counted)
}
