//! Kalah with a byte a house: a player's houses are one word, sowing is an addition.
//!
//! Stones that lap the board are the only thing a table entry does not hold; they are as many in
//! every pit, which is again one addition a word.

mod evaluate;
mod notation;
mod picture;
mod sowing;
mod tuned;

use treegraft::bits::{Cpu, mix};
use treegraft::{Exactness, Game, Outcome, Playout, Rng, Side, Speed, Trace};

use crate::{Canonical, Constants, GameInfo, Param, Params, Started, Visitor};
use sowing::{ONES, SOWINGS, Sowings};

/// Kalah, `kalah` and `kalah:H,S`: whoever has more stones in the end wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Kalah {
    /// Houses of the side to move, a byte each in sowing order; unused bytes are zero.
    own: u64,
    /// Houses of the other side, likewise.
    theirs: u64,
    own_store: u8,
    their_store: u8,
    /// Houses a side.
    houses: u8,
    /// Whether a last stone in an empty house is captured even if there is nothing opposite.
    capture_empty: bool,
    mover: Side,
}

/// Stones that fit the counters: any pit may come to hold them all.
const MAX_STONES: u32 = 255;

/// How the registry lists the game.
pub const INFO: GameInfo = GameInfo {
    name: "kalah",
    syntax: "kalah or kalah:H,S with H from 1 to 8 and 2*H*S at most 255, such as kalah:6,4, \
             then maybe capture-empty=true|false and random-start=SEED",
    params: &[
        Param {
            name: "H,S",
            values: "houses a side from 1 to 8, stones a house, 2*H*S at most 255",
            default: "6,4",
            meaning: "size of the board",
        },
        Param {
            name: "capture-empty",
            values: "true or false",
            default: "true",
            meaning: "whether a last stone in an own empty house goes to the store even if \
                      the opposite house is empty",
        },
        Param {
            name: "random-start",
            values: "a seed from 0 to 2^64-1",
            default: "S stones in every house",
            meaning: "start with each of the 2*H*S stones in a random house",
        },
    ],
    rules: "Sow a house's stones counter-clockwise; ending in your store moves again, in your \
            empty house captures the opposite one; most stones win when a side is empty.",
    moves: "house numbers of the mover in sowing order, 1 is furthest from the store",
    positions: "houses:store of South, / , those of North, and the side to move, such as \
                4,4,4,4,4,4:0/4,4,4,4,4,4:0 s",
    // Half of the 1.0 that Lanctot et al. (2014) use with rewards from -1 to 1.
    constants: Constants { ucb1: 0.5, ucb1_tuned: 1.0, ..Constants::USUAL },
    random_start: Some("random-start"),
};

/// The start that a text names, with its canonical text: a random one has its seed there, which the
/// position does not know.
pub(crate) fn start<V: Visitor>(text: &str, visitor: V) -> Started<V> {
    let mut params = Params::new(text, INFO.syntax)?;
    let (houses, stones) = match params.number("the number of houses", 0, 1..=8)? {
        0 => (6, 4),
        houses => {
            let most = MAX_STONES / (2 * houses);
            (houses, params.number("the number of stones", 0, 1..=most)?)
        }
    };
    let capture_empty = params.flag("capture-empty", "true or false")?.unwrap_or(true);
    let seed = params.flag("random-start", "a number from 0 to 2^64-1")?.map(|Seed(seed)| seed);
    let start = match seed {
        None => Kalah::new(houses, stones, capture_empty),
        Some(seed) => Kalah::random_start(houses, stones, capture_empty, &mut Rng::new(seed)),
    };
    let start = start.ok_or_else(|| params.error("the number of stones is missing"))?;
    params.finish()?;
    let name = Canonical::new(INFO.name);
    let sized = if (houses, stones) == (6, 4) { name } else { name.size(houses).size(stones) };
    let canonical = sized.flag("capture-empty", capture_empty, capture_empty).flag(
        "random-start",
        seed.unwrap_or_default(),
        seed.is_none(),
    );
    Ok((canonical.finish(), visitor.visit(start)))
}

impl Kalah {
    /// The starting position with `stones` in each of `houses` houses a side, if the counters
    /// can hold them.
    #[must_use]
    pub fn new(houses: u32, stones: u32, capture_empty: bool) -> Option<Kalah> {
        if !(1..=8).contains(&houses) || !(1..=MAX_STONES / (2 * houses)).contains(&stones) {
            return None;
        }
        let all = ones(houses) * u64::from(stones);
        Some(Kalah {
            own: all,
            theirs: all,
            own_store: 0,
            their_store: 0,
            houses: houses as u8,
            capture_empty,
            mover: Side::First,
        })
    }

    /// A random starting position: each of the stones of [`Kalah::new`] lies in one of the
    /// houses, chosen independently and uniformly, and neither side is without stones.
    #[must_use]
    pub fn random_start(
        houses: u32,
        stones: u32,
        capture_empty: bool,
        rng: &mut Rng,
    ) -> Option<Kalah> {
        let start = Kalah::new(houses, stones, capture_empty)?;
        loop {
            let mut position = Kalah { own: 0, theirs: 0, ..start };
            for _ in 0..2 * houses * stones {
                let house = rng.below(2 * houses);
                match house.checked_sub(houses) {
                    None => position.own += 1 << (8 * house),
                    Some(house) => position.theirs += 1 << (8 * house),
                }
            }
            if position.own != 0 && position.theirs != 0 {
                return Some(position);
            }
        }
    }

    /// Number of houses a side.
    #[must_use]
    pub fn houses(&self) -> u32 {
        u32::from(self.houses)
    }

    /// Number of stones in a house of `side`; house 0 is the one furthest from its store.
    #[must_use]
    pub fn at(&self, side: Side, house: u32) -> u32 {
        let row = if side == self.mover { self.own } else { self.theirs };
        u32::from((row >> (8 * house)) as u8)
    }

    /// Number of stones in the store of `side`.
    #[must_use]
    pub fn store(&self, side: Side) -> u32 {
        u32::from(if side == self.mover { self.own_store } else { self.their_store })
    }

    /// All stones of the game.
    fn total(&self) -> u32 {
        sum(self.own) + sum(self.theirs) + u32::from(self.own_store) + u32::from(self.their_store)
    }

    /// The highest bit of every own house that has stones.
    #[inline(always)]
    fn full(&self) -> u64 {
        const HIGHEST: u64 = ONES << 7;
        ((self.own & !HIGHEST).wrapping_add(!HIGHEST) | self.own) & HIGHEST
    }

    /// Sows the house whose byte starts at bit `shift`, with everything that follows from it.
    ///
    /// Captures and extra turns are a matter of luck in a playout, so they are computed with
    /// masks instead of branches that would be mispredicted.
    #[inline(always)]
    fn sow(&mut self, sowings: &Sowings, shift: u32) {
        let cycle = 2 * u32::from(self.houses) + 1;
        let mut stones = u32::from((self.own >> shift) as u8);
        self.own ^= u64::from(stones) << shift;
        if stones >= cycle {
            let laps = stones / cycle;
            self.own += u64::from(laps) * ones(self.houses());
            self.theirs += u64::from(laps) * ones(self.houses());
            self.own_store += laps as u8;
            stones %= cycle;
        }
        let sowing = &sowings[(shift / 8) as usize][stones as usize];
        self.own += sowing.own;
        self.theirs += sowing.theirs;
        self.own_store += sowing.store;

        let facing = 8 * (u32::from(self.houses) - 1) - u32::from(sowing.last);
        let opposite = (self.theirs >> facing) as u8;
        // A single stone: the house was empty when it arrived.
        let single = (self.own >> sowing.last) as u8 == 1;
        let captures = sowing.in_own & single & (self.capture_empty | (opposite != 0));
        let captured = u64::from(captures).wrapping_neg();
        self.own ^= (1 << sowing.last) & captured;
        self.theirs ^= (u64::from(opposite) << facing) & captured;
        self.own_store += (opposite + 1) & captured as u8;

        if self.own == 0 || self.theirs == 0 {
            self.own_store += sum(self.own) as u8;
            self.their_store += sum(self.theirs) as u8;
            (self.own, self.theirs) = (0, 0);
        }

        let turns = u64::from(!sowing.in_store).wrapping_neg();
        let rows = (self.own ^ self.theirs) & turns;
        let stores = (self.own_store ^ self.their_store) & turns as u8;
        self.own ^= rows;
        self.theirs ^= rows;
        self.own_store ^= stores;
        self.their_store ^= stores;
        self.mover = if sowing.in_store { self.mover } else { self.mover.other() };
    }

    /// The sowings on a board of this size.
    #[inline(always)]
    fn sowings(&self) -> &'static Sowings {
        &SOWINGS[usize::from(self.houses) - 1]
    }

    /// Stones of the first player's store minus those of the second's.
    #[inline(always)]
    fn lead(&self) -> i64 {
        (i64::from(self.own_store) - i64::from(self.their_store)) * self.mover.sign()
    }
}

/// A seed in digits only: the number's own parser would also take `+7`.
struct Seed(u64);

impl std::str::FromStr for Seed {
    type Err = ();

    fn from_str(text: &str) -> Result<Seed, ()> {
        match text.parse() {
            Ok(seed) if text.bytes().all(|b| b.is_ascii_digit()) => Ok(Seed(seed)),
            _ => Err(()),
        }
    }
}

/// One stone in each of the first `houses` houses.
#[inline(always)]
fn ones(houses: u32) -> u64 {
    ONES >> (64 - 8 * houses)
}

/// Number of stones in a row of houses; at most 255 in all, so that no byte overflows.
#[inline(always)]
fn sum(row: u64) -> u32 {
    (row.wrapping_mul(ONES) >> 56) as u32
}

impl Game for Kalah {
    /// A house of the mover, from 0.
    type Move = u8;

    #[inline]
    fn to_move(&self) -> Side {
        self.mover
    }

    #[inline]
    fn moves(&self, moves: &mut Vec<u8>) {
        let mut full = self.full();
        while full != 0 {
            moves.push((full.trailing_zeros() / 8) as u8);
            full &= full - 1;
        }
    }

    #[inline]
    fn play(&mut self, house: u8) {
        debug_assert!(self.at(self.mover, u32::from(house)) > 0, "the house is empty");
        self.sow(self.sowings(), 8 * u32::from(house));
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        // Both rows are swept when one is empty, so looking at one of them is enough.
        (self.own == 0).then(|| Outcome::from_margin(self.lead()))
    }

    #[inline]
    fn fast_playout(
        &mut self,
        rng: &mut Rng,
        max_plies: u32,
        trace: Option<&mut Trace>,
    ) -> Option<Playout> {
        trace.is_none().then(|| playout(self, rng, max_plies))
    }

    treegraft::brings!(Speed, Knowledge, Exactness, Notation);
}

impl Speed for Kalah {
    #[inline]
    fn key(&self) -> u64 {
        let rest = u64::from(self.own_store)
            | u64::from(self.their_store) << 8
            | u64::from(self.houses) << 16
            | u64::from(self.capture_empty) << 24
            | (self.mover.index() as u64) << 25;
        mix(self.own ^ mix(self.theirs ^ mix(rest)))
    }

    /// A slot for every house of the board: house 1 of one side is not that of the other.
    #[inline]
    fn move_slots(&self) -> usize {
        2 * usize::from(self.houses)
    }

    #[inline]
    fn move_slot(&self, house: u8) -> usize {
        self.mover.index() * usize::from(self.houses) + usize::from(house)
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng, _: &mut Vec<u8>) -> u8 {
        random_house(self, rng)
    }
}

impl Exactness for Kalah {
    #[inline]
    fn margin(&self) -> Option<i64> {
        (self.own == 0).then(|| self.lead())
    }

    /// What is in store stays there; the other stones may all go to one side.
    #[inline]
    fn margin_bounds(&self) -> Option<(i64, i64)> {
        let open = i64::from(sum(self.own) + sum(self.theirs));
        Some((self.lead() - open, self.lead() + open))
    }

    /// Whoever has more than half of the stones in store keeps them.
    #[inline]
    fn foregone(&self) -> Option<Outcome> {
        let half = self.total() / 2;
        if u32::from(self.own_store) > half {
            Some(Outcome::Win(self.mover))
        } else if u32::from(self.their_store) > half {
            Some(Outcome::Win(self.mover.other()))
        } else {
            None
        }
    }
}

treegraft::dispatch! {
    fn random_house(position: &Kalah, rng: &mut Rng) -> u8 = random_house_on;
}

#[inline(always)]
fn random_house_on<C: Cpu>(cpu: C, position: &Kalah, rng: &mut Rng) -> u8 {
    let full = position.full();
    (cpu.nth_bit(full, rng.below(full.count_ones())).trailing_zeros() / 8) as u8
}

treegraft::dispatch! {
    fn playout(position: &mut Kalah, rng: &mut Rng, max_plies: u32) -> Playout = playout_on;
}

#[inline(always)]
fn playout_on<C: Cpu>(cpu: C, start: &mut Kalah, rng: &mut Rng, max_plies: u32) -> Playout {
    let mut position = *start;
    let sowings = position.sowings();
    let mut plies = 0;
    while position.own != 0 && plies != max_plies {
        let full = position.full();
        let house = cpu.nth_bit(full, rng.below(full.count_ones()));
        position.sow(sowings, house.trailing_zeros() & !7);
        plies += 1;
    }
    *start = position;
    match position.outcome() {
        Some(outcome) => Playout { outcome, plies, capped: false },
        None => Playout { outcome: Outcome::Draw, plies, capped: true },
    }
}
