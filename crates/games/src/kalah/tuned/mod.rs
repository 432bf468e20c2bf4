//! The fitted evaluation of the board with six houses and four stones each: stones of houses, alone
//! and in pairs, leads by stage, and the extra turns and captures that both sides have in view.
//! `tune/kalah.toml` says how the weights were fitted.

use std::sync::LazyLock;

use treegraft::Evaluator;
use treegraft::linear::Weights;

use super::sowing::Sowings;
use super::{Kalah, sum};
use crate::tuned::{self, Look, Seen};

/// The shipped weights.
static WEIGHTS: &[u8] = include_bytes!("weights.bin");

/// The same, read.
static SHIPPED: LazyLock<Option<Weights>> = LazyLock::new(|| tuned::read::<Kalah, Stones>(WEIGHTS));

/// The fitted evaluation, if it knows the board.
pub(super) fn evaluator(position: &Kalah) -> Option<Evaluator<Kalah>> {
    let about = "stones of houses and what can be done with them, fitted to the results of games, \
                 for 6,4";
    let tuned =
        Evaluator::plain("tuned", about, |it| tuned::evaluate::<_, Stones>(SHIPPED.as_ref(), it))
            .with_parts(|it| tuned::parts::<_, Stones>(SHIPPED.as_ref(), it))
            .with_features(tuned::features::<_, Stones>());
    (position.houses == 6 && position.total() == 48).then_some(tuned)
}

const HOUSES: usize = 6;
/// Numbers of stones in a house that are distinguished: a lap and more is one.
const NUMBERS: usize = 14;
const PAIR: usize = NUMBERS * NUMBERS;

/// By side, house and stones.
const SINGLE: usize = 1;
/// By own house, its stones, and those opposite.
const OPPOSITE: usize = SINGLE + 2 * HOUSES * NUMBERS;
/// By side, house, its stones, and those of the next one.
const NEXT: usize = OPPOSITE + HOUSES * PAIR;
/// By stage, of six stones in houses each, and lead from -24 to 24.
const LEAD: usize = NEXT + 2 * (HOUSES - 1) * PAIR;
/// By the stones in the houses of both sides, 24 and more being one number.
const ROWS: usize = LEAD + 9 * 49;
/// By side and the houses that give an extra turn.
const TURNS: usize = ROWS + 25 * 25;
/// By the largest captures of both sides, 15 and more being one number.
const CAPTURES: usize = TURNS + 2 * 64;

/// What the fitted evaluation looks at.
struct Stones;

impl Look<Kalah> for Stones {
    const NAME: &'static str = "stones-6";
    const COUNT: usize = CAPTURES + 16 * 16;
    const GROUPS: &'static [(&'static str, usize)] = &[
        ("turn", 0),
        ("houses", SINGLE),
        ("opposite houses", OPPOSITE),
        ("neighbouring houses", NEXT),
        ("lead", LEAD),
        ("rows", ROWS),
        ("extra turns", TURNS),
        ("captures", CAPTURES),
    ];

    #[inline(always)]
    fn look(position: &Kalah, seen: &mut impl Seen) {
        let Kalah { own, theirs, own_store, their_store, .. } = *position;
        let rows = [own, theirs];
        seen.see(0);
        let mut numbers = [[0; HOUSES]; 2];
        for side in 0..2 {
            for (house, number) in numbers[side].iter_mut().enumerate() {
                *number = stones(rows[side], house).min(NUMBERS - 1);
                seen.see(SINGLE + (HOUSES * side + house) * NUMBERS + *number);
            }
            for house in 0..HOUSES - 1 {
                let pair = NUMBERS * numbers[side][house] + numbers[side][house + 1];
                seen.see(NEXT + ((HOUSES - 1) * side + house) * PAIR + pair);
            }
        }
        for house in 0..HOUSES {
            let pair = NUMBERS * numbers[0][house] + numbers[1][HOUSES - 1 - house];
            seen.see(OPPOSITE + house * PAIR + pair);
        }
        let [mine, yours] = rows.map(|row| sum(row) as usize);
        let lead = i32::from(own_store) - i32::from(their_store);
        let stage = ((mine + yours) / 6).min(8);
        seen.see(LEAD + 49 * stage + (lead.clamp(-24, 24) + 24) as usize);
        seen.see(ROWS + 25 * mine.min(24) + yours.min(24));
        let sowings = position.sowings();
        let (turns, capture) = chances(sowings, own, theirs);
        let (their_turns, their_capture) = chances(sowings, theirs, own);
        seen.see(TURNS + turns);
        seen.see(TURNS + 64 + their_turns);
        seen.see(CAPTURES + 16 * capture.min(15) + their_capture.min(15));
    }
}

#[inline(always)]
fn stones(row: u64, house: usize) -> usize {
    usize::from((row >> (8 * house)) as u8)
}

/// The houses that give an extra turn, a bit each, and how many stones the largest capture brings.
#[inline(always)]
fn chances(sowings: &Sowings, own: u64, theirs: u64) -> (usize, usize) {
    const LAP: usize = 2 * HOUSES + 1;
    let (mut turns, mut largest) = (0, 0);
    for (house, sowings) in sowings.iter().enumerate().take(HOUSES) {
        let count = stones(own, house);
        let sowing = &sowings[count % LAP];
        turns |= usize::from(sowing.in_store & (count != 0)) << house;
        let last = usize::from(sowing.last) / 8;
        // A whole lap ends in the house that it began in, which is empty then.
        let is_single = (stones(own, last) == 0) & (count < LAP) | (count == LAP);
        let opposite = stones(theirs, HOUSES - 1 - last) + usize::from(count > LAP / 2);
        let is_capture = sowing.in_own & is_single & (count != 0) & (opposite != 0);
        largest = largest.max((opposite + 1) * usize::from(is_capture));
    }
    (turns, largest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuned::tests::{check, positions};
    use treegraft::{Game, Side};

    fn start() -> Kalah {
        Kalah::new(6, 4, true).expect("a board")
    }

    #[test]
    fn fast_is_slow() {
        check::<Kalah, Stones>(WEIGHTS, &positions(&start(), 100));
        assert!(evaluator(&Kalah::new(6, 5, true).expect("a board")).is_none());
    }

    #[test]
    fn sides_can_be_swapped() {
        let value = |it: &Kalah| tuned::evaluate::<_, Stones>(SHIPPED.as_ref(), it);
        for position in positions(&start(), 100) {
            let swapped = Kalah { mover: position.mover.other(), ..position };
            assert_eq!(value(&swapped), -value(&position), "{position:?}");
        }
    }

    #[test]
    fn chances_are_what_happens() {
        for position in positions(&start(), 100) {
            let (turns, largest) = chances(position.sowings(), position.own, position.theirs);
            let (mut expected_turns, mut expected) = (0, 0);
            for house in 0..6u8 {
                let count = position.at(position.mover, house.into());
                let mut next = position;
                if count == 0 || count > 13 {
                    continue;
                }
                next.play(house);
                if next.outcome().is_some() {
                    continue;
                }
                if next.mover == position.mover {
                    expected_turns |= 1 << house;
                }
                let passed = u32::from(count >= 6 - u32::from(house));
                let won = next.store(position.mover) - position.store(position.mover) - passed;
                // A capture of nothing but the last stone is none here.
                if won > 1 {
                    expected = expected.max(won);
                }
            }
            // Moves that end the game sweep the houses.
            let is_last = |side: Side| (0..6).filter(|&it| position.at(side, it) > 0).count() < 3;
            if !is_last(Side::First) && !is_last(Side::Second) {
                let laps = (0..6).any(|house| position.at(position.mover, house) > 13);
                assert!(laps || (turns, largest) == (expected_turns, expected as usize));
            }
        }
    }
}
