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

impl Word for u64 {
    const BITS: u32 = u64::BITS;
    const NONE: u64 = 0;
    const ONE: u64 = 1;

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
        u64::BITS - 1 - self.leading_zeros()
    }

    #[inline(always)]
    fn low(self) -> u64 {
        self
    }

    #[inline(always)]
    fn nth<C: Cpu>(self, cpu: C, n: u32) -> u64 {
        cpu.nth_bit(self, n)
    }

    #[inline(always)]
    fn folded(self) -> u64 {
        self
    }
}

impl Word for u128 {
    const BITS: u32 = u128::BITS;
    const NONE: u128 = 0;
    const ONE: u128 = 1;

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
        u128::BITS - 1 - self.leading_zeros()
    }

    #[inline(always)]
    fn low(self) -> u64 {
        self as u64
    }

    #[inline(always)]
    fn nth<C: Cpu>(self, cpu: C, n: u32) -> u128 {
        cpu.nth_bit_wide(self, n)
    }

    #[inline(always)]
    fn folded(self) -> u64 {
        self as u64 ^ mix((self >> 64) as u64)
    }
}
