//! The integers that can be a bitboard.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

use treegraft::bits::{Cpu, mix};

mod sealed {
    pub trait Sealed {}
    impl Sealed for u64 {}
    impl Sealed for u128 {}
}

/// An integer that is a bitboard, a bit a square: `u64` or `u128`.
pub trait Word:
    sealed::Sealed
    + Copy
    + Eq
    + Hash
    + Debug
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + 'static
{
    /// Number of squares that fit.
    const BITS: u32;
    /// No square.
    const NONE: Self;
    /// The first square.
    const ONE: Self;

    /// Number of squares.
    fn count(self) -> u32;

    /// Number of the lowest square.
    fn lowest(self) -> u32;

    /// Number of the highest square.
    fn highest(self) -> u32;

    /// The squares that fit 64 bits.
    fn low(self) -> u64;

    /// The `n`-th lowest square, alone.
    fn nth<C: Cpu>(self, cpu: C, n: u32) -> Self;

    /// All bits folded into 64, for hash keys.
    fn folded(self) -> u64;
}

/// Makes an integer a [`Word`], given what differs: the method that finds a bit, and how all bits fold.
macro_rules! word {
    ($word:ident, $nth_bit:ident, $folded:expr) => {
        impl Word for $word {
            const BITS: u32 = $word::BITS;
            const NONE: $word = 0;
            const ONE: $word = 1;

            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline(always)]
            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }

            #[inline(always)]
            fn highest(self) -> u32 {
                $word::BITS - 1 - self.leading_zeros()
            }

            #[inline(always)]
            fn low(self) -> u64 {
                self as u64
            }

            #[inline(always)]
            fn nth<C: Cpu>(self, cpu: C, n: u32) -> $word {
                cpu.$nth_bit(self, n)
            }

            #[inline(always)]
            fn folded(self) -> u64 {
                $folded(self)
            }
        }
    };
}

word!(u64, nth_bit, |word| word);
word!(u128, nth_bit_wide, |word| word as u64 ^ mix((word >> 64) as u64));
