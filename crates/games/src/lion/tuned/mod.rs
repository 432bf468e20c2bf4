//! The fitted evaluation: pieces by their squares, whether they are attacked and defended, and how
//! they stand to both Lions; hands; and the squares that the Lions can flee to. `tune/lion.toml` says
//! how the weights were fitted.

use std::sync::LazyLock;

use treegraft::linear::Weights;
use treegraft::{Evaluator, Side};

use super::Lion;
use super::evaluate::kinds;
use super::planes::{BOARD, PLANES, lions, occupied, reached};
use crate::tuned::{self, Look, Seen};

/// The shipped weights.
static WEIGHTS: &[u8] = include_bytes!("weights.bin");

/// The same, read.
static SHIPPED: LazyLock<Option<Weights>> = LazyLock::new(|| tuned::read::<Lion, Pieces>(WEIGHTS));

/// The fitted evaluation.
pub(super) fn evaluator() -> Evaluator<Lion> {
    let about = "pieces by square, by attack and by both Lions, fitted to the results of games";
    Evaluator::plain("tuned", about, |it| tuned::evaluate::<_, Pieces>(SHIPPED.as_ref(), it))
        .with_parts(|it| tuned::parts::<_, Pieces>(SHIPPED.as_ref(), it))
        .with_features(tuned::features::<_, Pieces>())
}

/// The board in the view of the side to move, which goes up.
struct View {
    own: u64,
    opp: u64,
    /// The mover's hand in the low bytes.
    hands: u64,
}

impl View {
    #[inline(always)]
    fn of(position: &Lion) -> View {
        let Lion { first, second, hands, .. } = *position;
        match position.mover {
            Side::First => View { own: first, opp: second, hands },
            Side::Second => {
                View { own: flipped(second), opp: flipped(first), hands: bytes_swapped(hands) }
            }
        }
    }
}

/// The rows of every plane in the opposite order: a row is four bits.
#[inline(always)]
fn flipped(planes: u64) -> u64 {
    const LOW: u64 = 0x0f0f_0f0f_0f0f_0f0f;
    bytes_swapped((planes & LOW) << 4 | planes >> 4 & LOW)
}

/// The bytes of every plane exchanged.
#[inline(always)]
fn bytes_swapped(planes: u64) -> u64 {
    const LOW: u64 = 0x00ff_00ff_00ff_00ff;
    (planes & LOW) << 8 | planes >> 8 & LOW
}

/// The other square that a mirror leads to.
const fn mirrored(square: usize) -> usize {
    square / 4 * 4 + (2usize.wrapping_sub(square % 4) & 3)
}

/// A number for every square, the same as for its mirror image.
static FOLDED: [u8; 16] = {
    let mut folded = [0; 16];
    let mut square = 0;
    while square < 16 {
        let twin = mirrored(square);
        folded[square] = if twin < square { twin as u8 } else { square as u8 };
        square += 1;
    }
    folded
};

/// A number for every two squares, the same as for their mirror images.
static PAIRED: [u8; 256] = {
    let mut paired = [0; 256];
    let mut pair = 0;
    while pair < 256 {
        let twin = 16 * mirrored(pair / 16) + mirrored(pair % 16);
        paired[pair] = if twin < pair { twin as u8 } else { pair as u8 };
        pair += 1;
    }
    paired
};

/// By side, kind, whether the piece is attacked and defended, and square.
const SQUARES: usize = 1;
/// By whose Lion, side and kind of the other piece, and the squares of both.
const PAIRS: usize = SQUARES + 2 * 5 * 4 * 16;
/// By the squares of both Lions.
const LIONS: usize = PAIRS + 2 * 2 * 4 * 256;
/// By what is in both hands.
const HANDS: usize = LIONS + 256;
/// By side, squares that its Lion can flee to, whether it is attacked, and what kinds the other side
/// can drop.
const FLIGHTS: usize = HANDS + 27 * 27;

/// What the fitted evaluation looks at.
struct Pieces;

impl Look<Lion> for Pieces {
    const NAME: &'static str = "pieces";
    const COUNT: usize = FLIGHTS + 2 * 6 * 2 * 8;
    const GROUPS: &'static [(&'static str, usize)] = &[
        ("turn", 0),
        ("squares", SQUARES),
        ("pieces and Lions", PAIRS),
        ("Lions", LIONS),
        ("hands", HANDS),
        ("flights", FLIGHTS),
    ];

    #[inline(always)]
    fn look(position: &Lion, seen: &mut impl Seen) {
        let View { own, opp, hands } = View::of(position);
        let planes = [own, opp];
        let held = [folded(reached::<true>(own)), folded(reached::<false>(opp))];
        let lion = planes.map(|planes| lions(planes) & BOARD);
        let at = lion.map(|lion| lion.trailing_zeros() as usize & 15);
        seen.see(0);
        seen.see(LIONS + usize::from(PAIRED[16 * at[0] + at[1]]));
        for side in 0..2 {
            let (attacked, defended) = (held[1 - side], held[side]);
            for (kind, mut squares) in kinds(planes[side]).into_iter().enumerate() {
                while squares != 0 {
                    let square = squares.trailing_zeros() as usize & 15;
                    squares &= squares - 1;
                    let how = (attacked >> square & 1) + 2 * (defended >> square & 1);
                    let piece = 4 * (5 * side + kind) + how as usize;
                    seen.see(SQUARES + 16 * piece + usize::from(FOLDED[square]));
                    for (whose, at) in at.into_iter().enumerate() {
                        let pair = usize::from(PAIRED[16 * at + square]);
                        seen.see(PAIRS + 256 * (8 * whose + 4 * side + kind) + pair);
                    }
                }
            }
            let is_attacked = (attacked & lion[side] != 0) as usize;
            let how = is_attacked + 2 * (defended & lion[side] != 0) as usize;
            let piece = 4 * (5 * side + 4) + how;
            seen.see(SQUARES + 16 * piece + usize::from(FOLDED[at[side]]));
            let near = folded(reached::<true>(lion[side] * (PLANES - 1)));
            let flights = (near & !occupied(planes[side]) & !attacked).count_ones() as usize;
            let drops = kinds_in(hands >> (8 * (1 - side)));
            let flight = (6 * side + flights.min(5)) * 2 + is_attacked;
            seen.see(FLIGHTS + 8 * flight + drops);
        }
        seen.see(HANDS + 27 * in_hand(hands) + in_hand(hands >> 8));
    }
}

/// The squares of eight planes of targets.
#[inline(always)]
fn folded([straight, diagonal]: [u64; 2]) -> u64 {
    let planes = straight | diagonal;
    (planes | planes >> 16 | planes >> 32 | planes >> 48) & BOARD
}

/// A number for what is in the hand in the low bytes: up to two of each kind.
#[inline(always)]
fn in_hand(hand: u64) -> usize {
    let count = |place: u32| (hand >> place & 0xff).min(2) as usize;
    count(0) + 3 * count(16) + 9 * count(32)
}

/// The kinds in the hand in the low bytes, a bit each.
#[inline(always)]
fn kinds_in(hand: u64) -> usize {
    let has = |place: u32| (hand >> place & 0xff != 0) as usize;
    has(0) + 2 * has(16) + 4 * has(32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuned::tests::{check, positions};

    #[test]
    fn fast_is_slow() {
        check::<Lion, Pieces>(WEIGHTS, &positions(&Lion::new(400).expect("a game"), 60));
    }

    #[test]
    fn colours_and_columns_can_be_swapped() {
        let value = |it: &Lion| tuned::evaluate::<_, Pieces>(SHIPPED.as_ref(), it);
        let mirror = |planes: u64| {
            let columns = |shift: u32| planes >> shift & 0x1111_1111_1111_1111;
            columns(0) << 2 | columns(1) << 1 | columns(2)
        };
        for position in positions(&Lion::new(400).expect("a game"), 60) {
            let turned = Lion {
                first: flipped(position.second),
                second: flipped(position.first),
                hands: bytes_swapped(position.hands),
                mover: position.mover.other(),
                ..position
            };
            assert_eq!(value(&turned), -value(&position), "{position:?}");
            let (first, second) = (mirror(position.first), mirror(position.second));
            assert_eq!(value(&Lion { first, second, ..position }), value(&position));
        }
    }
}
