//! Several numbers at a time: the arithmetic of selecting a child.
//!
//! Written with the processor's own instructions, because what a compiler makes of plain loops
//! varies between compiler versions. All processors get the same results, bit for bit.

use super::{Cpu, Portable};

/// The most numbers that any processor takes at a time.
pub(crate) const MAX_LANES: usize = 8;

/// A processor that works on several numbers at a time, or on one.
pub(crate) trait Simd: Cpu {
    /// Numbers in a block.
    const LANES: usize;

    /// The numbers of a block.
    type Lanes: Copy;

    /// The places of a block in a list.
    type Places: Copy;

    /// The same number everywhere.
    fn splat(self, x: f32) -> Self::Lanes;

    /// The block of a list that begins at `at`.
    fn load(self, numbers: &[f32], at: usize) -> Self::Lanes;

    /// The first and the second numbers of the block of pairs that begins at `at`.
    fn load_pairs(self, pairs: &[[f32; 2]], at: usize) -> [Self::Lanes; 2];

    fn add(self, a: Self::Lanes, b: Self::Lanes) -> Self::Lanes;

    fn mul(self, a: Self::Lanes, b: Self::Lanes) -> Self::Lanes;

    fn div(self, a: Self::Lanes, b: Self::Lanes) -> Self::Lanes;

    fn sqrt(self, a: Self::Lanes) -> Self::Lanes;

    /// No number below the one in `low`, and none above the one in `high`.
    fn clamp(self, a: Self::Lanes, low: Self::Lanes, high: Self::Lanes) -> Self::Lanes;

    /// The first `n` numbers, at least one, and minus infinity in place of the others.
    fn keep(self, a: Self::Lanes, n: usize) -> Self::Lanes;

    /// The first place of the largest number of a block.
    fn first_largest(self, a: Self::Lanes) -> usize;

    /// The places of the block that begins at `at`.
    fn places(self, at: usize) -> Self::Places;

    /// The larger numbers and their places; those of `a` where they are equal.
    fn larger(
        self,
        a: (Self::Lanes, Self::Places),
        b: (Self::Lanes, Self::Places),
    ) -> (Self::Lanes, Self::Places);

    /// The smallest place of the largest number.
    fn place_of_largest(self, a: (Self::Lanes, Self::Places)) -> usize;
}

/// One number at a time.
impl Simd for Portable {
    const LANES: usize = 1;
    type Lanes = f32;
    type Places = usize;

    #[inline(always)]
    fn splat(self, x: f32) -> f32 {
        x
    }

    #[inline(always)]
    fn load(self, numbers: &[f32], at: usize) -> f32 {
        numbers[at]
    }

    #[inline(always)]
    fn load_pairs(self, pairs: &[[f32; 2]], at: usize) -> [f32; 2] {
        pairs[at]
    }

    #[inline(always)]
    fn add(self, a: f32, b: f32) -> f32 {
        a + b
    }

    #[inline(always)]
    fn mul(self, a: f32, b: f32) -> f32 {
        a * b
    }

    #[inline(always)]
    fn div(self, a: f32, b: f32) -> f32 {
        a / b
    }

    #[inline(always)]
    fn sqrt(self, a: f32) -> f32 {
        a.sqrt()
    }

    #[inline(always)]
    fn clamp(self, a: f32, low: f32, high: f32) -> f32 {
        a.clamp(low, high)
    }

    #[inline(always)]
    fn keep(self, a: f32, _: usize) -> f32 {
        a
    }

    #[inline(always)]
    fn first_largest(self, _: f32) -> usize {
        0
    }

    #[inline(always)]
    fn places(self, at: usize) -> usize {
        at
    }

    #[inline(always)]
    fn larger(self, a: (f32, usize), b: (f32, usize)) -> (f32, usize) {
        std::hint::select_unpredictable(b.0 > a.0, b, a)
    }

    #[inline(always)]
    fn place_of_largest(self, (_, place): (f32, usize)) -> usize {
        place
    }
}

// SAFETY, of all blocks below: a token of type `X86V3` is only there where AVX and AVX2 are (see
// `X86V3::detect`), and eight numbers, or eight pairs, are read only where there are eight.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, clippy::undocumented_unsafe_blocks)]
mod x86 {
    use super::super::X86V3;
    use super::Simd;
    use core::arch::x86_64::*;

    impl Simd for X86V3 {
        const LANES: usize = 8;
        type Lanes = __m256;
        type Places = __m256i;

        #[inline(always)]
        fn splat(self, x: f32) -> __m256 {
            unsafe { _mm256_set1_ps(x) }
        }

        #[inline(always)]
        fn load(self, numbers: &[f32], at: usize) -> __m256 {
            let block: &[f32; 8] = numbers[at..].first_chunk().expect("a whole block");
            unsafe { _mm256_loadu_ps(block.as_ptr()) }
        }

        #[inline(always)]
        fn load_pairs(self, pairs: &[[f32; 2]], at: usize) -> [__m256; 2] {
            let block: &[[f32; 2]; 8] = pairs[at..].first_chunk().expect("a whole block");
            let start = block.as_ptr().cast::<f32>();
            unsafe {
                // Pairs 0, 1, 4 and 5, and the others: a shuffle works on halves. (No closure: it
                // would not be compiled for AVX.)
                let a = _mm256_castps128_ps256(_mm_loadu_ps(start));
                let a = _mm256_insertf128_ps::<1>(a, _mm_loadu_ps(start.add(8)));
                let b = _mm256_castps128_ps256(_mm_loadu_ps(start.add(4)));
                let b = _mm256_insertf128_ps::<1>(b, _mm_loadu_ps(start.add(12)));
                [_mm256_shuffle_ps::<0x88>(a, b), _mm256_shuffle_ps::<0xdd>(a, b)]
            }
        }

        #[inline(always)]
        fn add(self, a: __m256, b: __m256) -> __m256 {
            unsafe { _mm256_add_ps(a, b) }
        }

        #[inline(always)]
        fn mul(self, a: __m256, b: __m256) -> __m256 {
            unsafe { _mm256_mul_ps(a, b) }
        }

        #[inline(always)]
        fn div(self, a: __m256, b: __m256) -> __m256 {
            unsafe { _mm256_div_ps(a, b) }
        }

        #[inline(always)]
        fn sqrt(self, a: __m256) -> __m256 {
            unsafe { _mm256_sqrt_ps(a) }
        }

        #[inline(always)]
        fn clamp(self, a: __m256, low: __m256, high: __m256) -> __m256 {
            unsafe { _mm256_min_ps(_mm256_max_ps(a, low), high) }
        }

        #[inline(always)]
        fn keep(self, a: __m256, n: usize) -> __m256 {
            unsafe {
                let n = _mm256_set1_epi32(n.min(8) as i32);
                let is_kept = _mm256_cmpgt_epi32(n, self.places(0));
                let nothing = _mm256_set1_ps(f32::NEG_INFINITY);
                _mm256_blendv_ps(nothing, a, _mm256_castsi256_ps(is_kept))
            }
        }

        #[inline(always)]
        fn first_largest(self, a: __m256) -> usize {
            unsafe {
                let is_largest = _mm256_cmp_ps::<_CMP_EQ_OQ>(a, self.max_everywhere(a));
                _mm256_movemask_ps(is_largest).trailing_zeros() as usize
            }
        }

        #[inline(always)]
        fn places(self, at: usize) -> __m256i {
            unsafe {
                let start = _mm256_set1_epi32(at as i32);
                _mm256_add_epi32(start, _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))
            }
        }

        #[inline(always)]
        fn larger(self, a: (__m256, __m256i), b: (__m256, __m256i)) -> (__m256, __m256i) {
            unsafe {
                let is_b = _mm256_castps_si256(_mm256_cmp_ps::<_CMP_GT_OQ>(b.0, a.0));
                (_mm256_max_ps(b.0, a.0), _mm256_blendv_epi8(a.1, b.1, is_b))
            }
        }

        #[inline(always)]
        fn place_of_largest(self, (numbers, places): (__m256, __m256i)) -> usize {
            unsafe {
                let is_less = _mm256_cmp_ps::<_CMP_LT_OQ>(numbers, self.max_everywhere(numbers));
                // The others' places become the largest of all.
                let places = _mm256_or_si256(places, _mm256_castps_si256(is_less));
                let high = _mm256_extracti128_si256::<1>(places);
                let min = _mm_min_epu32(_mm256_castsi256_si128(places), high);
                let min = _mm_min_epu32(min, _mm_shuffle_epi32::<0x4e>(min));
                let min = _mm_min_epu32(min, _mm_shuffle_epi32::<0xb1>(min));
                _mm_cvtsi128_si32(min) as u32 as usize
            }
        }
    }

    impl X86V3 {
        /// The largest number, eight times.
        #[inline(always)]
        fn max_everywhere(self, a: __m256) -> __m256 {
            unsafe {
                let a = _mm256_max_ps(a, _mm256_permute2f128_ps::<1>(a, a));
                let a = _mm256_max_ps(a, _mm256_permute_ps::<0x4e>(a));
                _mm256_max_ps(a, _mm256_permute_ps::<0xb1>(a))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loaded_on<C: Simd>(cpu: C, numbers: &[f32], at: usize) -> bool {
        let sum = cpu.add(cpu.load(numbers, at), cpu.splat(0.0));
        cpu.first_largest(sum) < C::LANES
    }

    fn pairs_loaded_on<C: Simd>(cpu: C, pairs: &[[f32; 2]], at: usize) -> bool {
        let [first, second] = cpu.load_pairs(pairs, at);
        cpu.first_largest(cpu.add(first, second)) < C::LANES
    }

    crate::dispatch! { fn loaded(numbers: &[f32], at: usize) -> bool = loaded_on; }
    crate::dispatch! { fn pairs_loaded(pairs: &[[f32; 2]], at: usize) -> bool = pairs_loaded_on; }

    /// What is not there is not read, on no processor.
    #[test]
    fn no_block_begins_where_too_few_are_left() {
        let (numbers, pairs) = ([1.0; 20], [[1.0; 2]; 20]);
        for at in 0..=12 {
            assert!(loaded(&numbers, at) && pairs_loaded(&pairs, at), "{at}");
        }
        for at in [20, 21, usize::MAX] {
            assert!(std::panic::catch_unwind(|| loaded(&numbers, at)).is_err(), "{at}");
            assert!(std::panic::catch_unwind(|| pairs_loaded(&pairs, at)).is_err(), "{at}");
        }
        #[cfg(target_arch = "x86_64")]
        if super::super::X86V3::detect().is_some() {
            for at in 13..20 {
                assert!(std::panic::catch_unwind(|| loaded(&numbers, at)).is_err(), "{at}");
                assert!(std::panic::catch_unwind(|| pairs_loaded(&pairs, at)).is_err(), "{at}");
            }
        }
    }
}
