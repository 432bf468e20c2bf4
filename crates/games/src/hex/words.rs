//! Sets of cells in one, two or six machine words, and the shapes of the boards that fit them.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use treegraft::Rng;
use treegraft::bits::{Cpu, mix};

/// The largest board.
pub(super) const MAX_SIZE: u32 = 19;

/// A set of cells, a bit each, row by row; what the board of one game needs.
///
/// Implemented for `u64` (up to 8x8), `u128` (11x11) and [`Wide`] (19x19), and not meant to be
/// implemented elsewhere.
pub trait Cells:
    Copy
    + Eq
    + Hash
    + Debug
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
{
    /// No cells.
    const NONE: Self;
    /// The shapes of boards by size; those that do not fit are cut off.
    const SHAPES: &'static [Shape<Self>; MAX_SIZE as usize + 1];

    /// The set with one cell.
    fn one(cell: u32) -> Self;

    /// All cells moved up by `by` numbers, from 1 to 63.
    fn raised(self, by: u32) -> Self;

    /// All cells moved down by `by` numbers, from 1 to 63.
    fn lowered(self, by: u32) -> Self;

    /// How many cells there are.
    fn count(self) -> u32;

    /// The cell with the lowest number, if there is one.
    fn lowest(self) -> Option<u32>;

    /// Every bit set with probability one half.
    fn random(rng: &mut Rng) -> Self;

    /// The `n`-th lowest cell, alone. There must be more than `n`.
    fn nth<C: Cpu>(self, cpu: C, n: u32) -> Self;

    /// A hash of the set and of `seed`.
    fn fold(self, seed: u64) -> u64;

    /// 64 cells, the lowest as the lowest bit; `at` is less than the number of words.
    fn word(self, at: usize) -> u64;

    /// Adds the cells by number to a list: a word at a time, because a leaf of a search has a
    /// hundred of them.
    #[inline(always)]
    fn list(self, cells: &mut Vec<u16>) {
        let known = cells.len();
        cells.resize(known + self.count() as usize, 0);
        let mut places = cells[known..].iter_mut();
        for at in 0..size_of::<Self>() / size_of::<u64>() {
            let mut word = self.word(at);
            while word != 0
                && let Some(place) = places.next()
            {
                *place = (64 * at) as u16 + word.trailing_zeros() as u16;
                word &= word - 1;
            }
        }
    }

    /// The cells by number.
    #[inline]
    fn iter(mut self) -> impl Iterator<Item = u32> {
        std::iter::from_fn(move || {
            let cell = self.lowest()?;
            self = self ^ Self::one(cell);
            Some(cell)
        })
    }
}

/// The parts of a board.
#[derive(Debug)]
pub struct Shape<W> {
    /// All cells.
    pub(super) all: W,
    /// The first and the last row.
    pub(super) top: W,
    pub(super) bottom: W,
    /// The first and the last column.
    pub(super) left: W,
    pub(super) right: W,
}

/// Six words: up to 384 cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wide([u64; 6]);

/// The cells of a board whose column and row lie in the given ranges.
const fn block(size: u32, columns: (u32, u32), rows: (u32, u32)) -> [u64; 6] {
    let mut words = [0; 6];
    let mut row = rows.0;
    while row < rows.1 {
        let mut column = columns.0;
        while column < columns.1 {
            let cell = row * size + column;
            words[(cell / 64) as usize] |= 1 << (cell % 64);
            column += 1;
        }
        row += 1;
    }
    words
}

/// The shapes of all sizes in words made by `$from`.
macro_rules! shapes {
    ($word:ty, $from:path) => {{
        const fn shape(n: u32) -> Shape<$word> {
            Shape {
                all: $from(block(n, (0, n), (0, n))),
                top: $from(block(n, (0, n), (0, 1))),
                bottom: $from(block(n, (0, n), (n - 1, n))),
                left: $from(block(n, (0, 1), (0, n))),
                right: $from(block(n, (n - 1, n), (0, n))),
            }
        }
        const SHAPES: [Shape<$word>; MAX_SIZE as usize + 1] = {
            // There is no board of no cells: its place is filled with something.
            let mut shapes = [const { shape(1) }; MAX_SIZE as usize + 1];
            let mut n = 2;
            while n <= MAX_SIZE {
                shapes[n as usize] = shape(n);
                n += 1;
            }
            shapes
        };
        &SHAPES
    }};
}

const fn lowest_word(words: [u64; 6]) -> u64 {
    words[0]
}

const fn lowest_two(words: [u64; 6]) -> u128 {
    words[0] as u128 | (words[1] as u128) << 64
}

impl Cells for u64 {
    const NONE: u64 = 0;
    const SHAPES: &'static [Shape<u64>; MAX_SIZE as usize + 1] = shapes!(u64, lowest_word);

    #[inline(always)]
    fn one(cell: u32) -> u64 {
        1 << cell
    }

    #[inline(always)]
    fn raised(self, by: u32) -> u64 {
        self << by
    }

    #[inline(always)]
    fn lowered(self, by: u32) -> u64 {
        self >> by
    }

    #[inline(always)]
    fn count(self) -> u32 {
        self.count_ones()
    }

    #[inline(always)]
    fn lowest(self) -> Option<u32> {
        (self != 0).then(|| self.trailing_zeros())
    }

    #[inline(always)]
    fn word(self, _: usize) -> u64 {
        self
    }

    #[inline(always)]
    fn random(rng: &mut Rng) -> u64 {
        rng.next_u64()
    }

    #[inline(always)]
    fn nth<C: Cpu>(self, cpu: C, n: u32) -> u64 {
        cpu.nth_bit(self, n)
    }

    #[inline(always)]
    fn fold(self, seed: u64) -> u64 {
        mix(seed ^ self)
    }
}

impl Cells for u128 {
    const NONE: u128 = 0;
    const SHAPES: &'static [Shape<u128>; MAX_SIZE as usize + 1] = shapes!(u128, lowest_two);

    #[inline(always)]
    fn one(cell: u32) -> u128 {
        1 << cell
    }

    // Written in words, because the compiler's own shift also provides for 64 places and more.
    #[inline(always)]
    fn raised(self, by: u32) -> u128 {
        let (low, high) = (self as u64, (self >> 64) as u64);
        u128::from(low << by) | u128::from(high << by | low >> (64 - by)) << 64
    }

    #[inline(always)]
    fn lowered(self, by: u32) -> u128 {
        let (low, high) = (self as u64, (self >> 64) as u64);
        u128::from(low >> by | high << (64 - by)) | u128::from(high >> by) << 64
    }

    #[inline(always)]
    fn count(self) -> u32 {
        self.count_ones()
    }

    #[inline(always)]
    fn lowest(self) -> Option<u32> {
        (self != 0).then(|| self.trailing_zeros())
    }

    #[inline(always)]
    fn word(self, at: usize) -> u64 {
        (self >> (64 * at)) as u64
    }

    #[inline(always)]
    fn random(rng: &mut Rng) -> u128 {
        u128::from(rng.next_u64()) | u128::from(rng.next_u64()) << 64
    }

    #[inline(always)]
    fn nth<C: Cpu>(self, cpu: C, n: u32) -> u128 {
        cpu.nth_bit_wide(self, n)
    }

    #[inline(always)]
    fn fold(self, seed: u64) -> u64 {
        mix(mix(seed ^ self as u64) ^ (self >> 64) as u64)
    }
}

impl Cells for Wide {
    const NONE: Wide = Wide([0; 6]);
    const SHAPES: &'static [Shape<Wide>; MAX_SIZE as usize + 1] = shapes!(Wide, Wide);

    #[inline(always)]
    fn one(cell: u32) -> Wide {
        let mut words = [0; 6];
        words[cell as usize / 64] = 1 << (cell % 64);
        Wide(words)
    }

    #[inline(always)]
    fn raised(self, by: u32) -> Wide {
        let below = |i: usize| if i == 0 { 0 } else { self.0[i - 1] };
        Wide(std::array::from_fn(|i| self.0[i] << by | below(i) >> (64 - by)))
    }

    #[inline(always)]
    fn lowered(self, by: u32) -> Wide {
        let above = |i: usize| if i == 5 { 0 } else { self.0[i + 1] };
        Wide(std::array::from_fn(|i| self.0[i] >> by | above(i) << (64 - by)))
    }

    #[inline(always)]
    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    #[inline(always)]
    fn lowest(self) -> Option<u32> {
        let at = self.0.iter().position(|&word| word != 0)?;
        Some(64 * at as u32 + self.0[at].trailing_zeros())
    }

    #[inline(always)]
    fn word(self, at: usize) -> u64 {
        self.0[at]
    }

    #[inline(always)]
    fn random(rng: &mut Rng) -> Wide {
        Wide(std::array::from_fn(|_| rng.next_u64()))
    }

    #[inline(always)]
    fn nth<C: Cpu>(self, cpu: C, mut n: u32) -> Wide {
        let mut words = [0; 6];
        for (to, from) in words.iter_mut().zip(self.0) {
            let count = from.count_ones();
            if n < count {
                *to = cpu.nth_bit(from, n);
                break;
            }
            n -= count;
        }
        Wide(words)
    }

    #[inline(always)]
    fn fold(self, seed: u64) -> u64 {
        self.0.iter().fold(seed, |hash, word| mix(hash ^ word))
    }
}

/// The operators that go through two sets word by word.
macro_rules! word_by_word {
    ($($operator:ident, $method:ident, $sign:tt;)*) => {$(
        impl $operator for Wide {
            type Output = Wide;

            #[inline(always)]
            fn $method(self, other: Wide) -> Wide {
                Wide(std::array::from_fn(|i| self.0[i] $sign other.0[i]))
            }
        }
    )*};
}

word_by_word! {
    BitAnd, bitand, &;
    BitOr, bitor, |;
    BitXor, bitxor, ^;
}

impl Not for Wide {
    type Output = Wide;

    #[inline(always)]
    fn not(self) -> Wide {
        Wide(self.0.map(|word| !word))
    }
}
