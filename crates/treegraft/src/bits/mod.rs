//! Bit tricks for bitboards, with run-time dispatch to the processor's own instructions.
//!
//! A fast game draws a uniformly random move by finding the n-th set bit of a mask. On x86-64 that
//! is one instruction (`pdep`), but a build for any x86-64 may not assume that the processor has
//! it. [`dispatch!`](crate::dispatch) compiles a function twice and picks one at run time, so that
//! a portable build is nearly as fast as a native one.
//!
//! This is the only module of the crate with `unsafe` in it; `docs/unsafe.md` lists every place.

mod lanes;

pub(crate) use lanes::{MAX_LANES, Simd};

/// The finalizer of SplitMix64: a bijection in which every input bit moves every output bit.
/// For hash keys.
#[inline]
#[must_use]
pub fn mix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The places of the bits that are set, the lowest first.
#[inline(always)]
pub(crate) fn set_bits(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = bits.trailing_zeros() as usize;
        let is_any = bits != 0;
        bits &= bits.wrapping_sub(1);
        is_any.then_some(place)
    })
}

/// Prefetches `items[index]` into the processor's caches; does nothing where it cannot, or
/// where there is no such item.
#[inline(always)]
#[allow(unsafe_code)]
pub fn prefetch<T>(items: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch is a hint; it neither reads nor faults, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(items.as_ptr().wrapping_add(index).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (items, index);
}

/// A processor that a dispatched function is compiled for.
///
/// The value is a token: whoever holds it knows that the processor has the instructions.
pub trait Cpu: Copy {
    /// The `n`-th lowest set bit of `mask`, from 0, and no other; `0` if there are fewer.
    fn nth_bit(self, mask: u64, n: u32) -> u64;

    /// The `n`-th lowest set bit of `mask`, from 0, and no other; `0` if there are fewer.
    #[inline(always)]
    fn nth_bit_wide(self, mask: u128, n: u32) -> u128 {
        let low = mask as u64;
        let in_low = low.count_ones();
        if n < in_low {
            u128::from(self.nth_bit(low, n))
        } else {
            u128::from(self.nth_bit((mask >> 64) as u64, n - in_low)) << 64
        }
    }
}

/// Any processor: nothing assumed.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Cpu for Portable {
    #[inline(always)]
    fn nth_bit(self, mut mask: u64, n: u32) -> u64 {
        for _ in 0..n {
            mask &= mask.wrapping_sub(1);
        }
        mask & mask.wrapping_neg()
    }
}

/// An x86-64 processor of level 3 (AVX2, BMI1, BMI2, LZCNT, POPCNT): most since 2015.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub struct X86V3(());

#[cfg(target_arch = "x86_64")]
impl X86V3 {
    /// The token, if this machine has the instructions (the answer is cached). There is no other way
    /// to get one.
    #[inline]
    #[must_use]
    pub fn detect() -> Option<X86V3> {
        use std::sync::atomic::{AtomicU8, Ordering};
        // Called at every playout: one load instead of five.
        static ANSWER: AtomicU8 = AtomicU8::new(UNASKED);
        const UNASKED: u8 = 2;
        #[cold]
        fn ask() -> u8 {
            let all = is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            ANSWER.store(u8::from(all), Ordering::Relaxed);
            u8::from(all)
        }
        let answer = match ANSWER.load(Ordering::Relaxed) {
            UNASKED => ask(),
            answer => answer,
        };
        (answer == 1).then_some(X86V3(()))
    }
}

#[cfg(target_arch = "x86_64")]
impl Cpu for X86V3 {
    #[inline(always)]
    #[allow(unsafe_code)]
    fn nth_bit(self, mask: u64, n: u32) -> u64 {
        debug_assert!(n < 64);
        // SAFETY: the token was made by `detect`, which has found BMI2.
        unsafe { core::arch::x86_64::_pdep_u64(1 << (n & 63), mask) }
    }
}

/// Defines a function that runs `BODY` compiled for the best processor level at hand.
///
/// The body is a function whose first argument is a [`Cpu`] token; mark it
/// `#[inline(always)]`, or it is not compiled for the better processor.
///
/// ```
/// use treegraft::bits::Cpu;
///
/// treegraft::dispatch! {
///     /// The third set bit.
///     fn third_bit(mask: u64) -> u64 = third_bit_on;
/// }
///
/// #[inline(always)]
/// fn third_bit_on<C: Cpu>(cpu: C, mask: u64) -> u64 {
///     cpu.nth_bit(mask, 2)
/// }
///
/// assert_eq!(third_bit(0b101101), 0b1000);
/// ```
///
/// A one-line body may follow the name of the token instead:
///
/// ```
/// treegraft::dispatch! {
///     /// The lowest set bit.
///     fn lowest_bit(mask: u64) -> u64 = |cpu| treegraft::bits::Cpu::nth_bit(cpu, mask, 0);
/// }
///
/// assert_eq!(lowest_bit(0b101100), 0b100);
/// ```
///
/// A body that calls the function again, as a search does at every node, is followed by `, recursive`:
/// the way to the better one is then as short as it can be.
#[macro_export]
macro_rules! dispatch {
    ($(#[$meta:meta])* $vis:vis fn $name:ident $(<$($g:ident : $bound:path),+>)?
        ($($arg:ident : $ty:ty),* $(,)?) -> $ret:ty = |$cpu:tt| $body:expr;) => {
        $crate::dispatch! {
            @portable inline(always); $(#[$meta])* $vis fn $name $(<$($g : $bound),+>)?
                ($($arg : $ty),*) -> $ret = |$cpu| $body;
        }
    };
    ($(#[$meta:meta])* $vis:vis fn $name:ident $(<$($g:ident : $bound:path),+>)?
        ($($arg:ident : $ty:ty),* $(,)?) -> $ret:ty = $body:path;) => {
        $crate::dispatch! {
            @portable inline(always); $(#[$meta])* $vis fn $name $(<$($g : $bound),+>)?
                ($($arg : $ty),*) -> $ret = |cpu| $body(cpu, $($arg),*);
        }
    };
    ($(#[$meta:meta])* $vis:vis fn $name:ident $(<$($g:ident : $bound:path),+>)?
        ($($arg:ident : $ty:ty),* $(,)?) -> $ret:ty = $body:path, recursive;) => {
        // Out of line, so that a call does not make room for registers that it will not use.
        $crate::dispatch! {
            @portable inline(never); $(#[$meta])* $vis fn $name $(<$($g : $bound),+>)?
                ($($arg : $ty),*) -> $ret = |cpu| $body(cpu, $($arg),*);
        }
    };
    (@portable $inline:meta; $(#[$meta:meta])* $vis:vis fn $name:ident
        $(<$($g:ident : $bound:path),+>)? ($($arg:ident : $ty:ty),*) -> $ret:ty
        = |$cpu:tt| $body:expr;) => {
        $(#[$meta])*
        #[inline]
        #[allow(unsafe_code)]
        $vis fn $name $(<$($g: $bound),+>)? ($($arg: $ty),*) -> $ret {
            #[$inline]
            fn portable $(<$($g: $bound),+>)? ($($arg: $ty),*) -> $ret {
                let $cpu = $crate::bits::Portable;
                $body
            }
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx,avx2,bmi1,bmi2,lzcnt,popcnt")]
                fn v3 $(<$($g: $bound),+>)? (token: $crate::bits::X86V3, $($arg: $ty),*) -> $ret {
                    let $cpu = token;
                    $body
                }
                if let Some(token) = $crate::bits::X86V3::detect() {
                    // SAFETY: the features that `v3` is compiled for were just detected.
                    return unsafe { v3(token, $($arg),*) };
                }
            }
            portable($($arg),*)
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    dispatch! { fn dispatched(mask: u64, n: u32) -> u64 = on; }
    dispatch! { fn dispatched_wide(mask: u128, n: u32) -> u128 = on_wide; }

    #[inline(always)]
    fn on<C: Cpu>(cpu: C, mask: u64, n: u32) -> u64 {
        cpu.nth_bit(mask, n)
    }

    #[inline(always)]
    fn on_wide<C: Cpu>(cpu: C, mask: u128, n: u32) -> u128 {
        cpu.nth_bit_wide(mask, n)
    }

    fn plain(mask: u128, n: u32) -> u128 {
        let set = (0..128).filter(|&b| mask >> b & 1 == 1).nth(n as usize);
        set.map_or(0, |b| 1 << b)
    }

    #[test]
    fn any_place_can_be_prefetched() {
        for len in [0, 1, 100] {
            let items = vec![7u64; len];
            for index in [0, 1, len, len + 1_000_000, usize::MAX / 8, usize::MAX] {
                prefetch(&items, index);
            }
            assert_eq!(items, vec![7; len]);
        }
    }

    proptest! {
        #[test]
        fn every_processor_finds_the_same_bit(mask: u128, n in 0u32..64) {
            let low = mask as u64;
            prop_assert_eq!(u128::from(Portable.nth_bit(low, n)), plain(u128::from(low), n));
            prop_assert_eq!(u128::from(dispatched(low, n)), plain(u128::from(low), n));
            prop_assert_eq!(Portable.nth_bit_wide(mask, n), plain(mask, n));
            prop_assert_eq!(dispatched_wide(mask, n), plain(mask, n));
        }
    }
}
