//! Eight numbers at a time: the arithmetic of choosing a child.
//!
//! Written out for the processor, because what a compiler makes of it by itself depends on its
//! mood. All processors get the same results, bit for bit.

use super::{Cpu, Portable};

/// As many numbers as one instruction works on.
pub(crate) const LANES: usize = 8;

/// A processor that works on eight numbers at a time.
pub(crate) trait Simd: Cpu {
    /// Eight numbers.
    type Lanes: Copy;

    /// Eight places in a list.
    type Places: Copy;

    /// Eight times the same number.
    fn splat(self, x: f32) -> Self::Lanes;

    fn load(self, numbers: &[f32; LANES]) -> Self::Lanes;

    /// The first and the second numbers of eight pairs.
    fn load_pairs(self, pairs: &[[f32; 2]; LANES]) -> [Self::Lanes; 2];

    fn add(self, a: Self::Lanes, b: Self::Lanes) -> Self::Lanes;

    fn mul(self, a: Self::Lanes, b: Self::Lanes) -> Self::Lanes;

    fn sqrt(self, a: Self::Lanes) -> Self::Lanes;

    /// No number below the one in `low`, and none above the one in `high`.
    fn clamp(self, a: Self::Lanes, low: Self::Lanes, high: Self::Lanes) -> Self::Lanes;

    /// The first `n` numbers, and minus infinity in place of the others.
    fn keep(self, a: Self::Lanes, n: usize) -> Self::Lanes;

    /// The first place of the largest number.
    fn first_largest(self, a: Self::Lanes) -> usize;

    /// The places of block `block` of a list.
    fn places(self, block: usize) -> Self::Places;

    /// The larger numbers and their places; those of `a` where they are equal.
    fn larger(
        self,
        a: (Self::Lanes, Self::Places),
        b: (Self::Lanes, Self::Places),
    ) -> (Self::Lanes, Self::Places);

    /// The smallest place of the largest number.
    fn place_of_largest(self, a: (Self::Lanes, Self::Places)) -> usize;

    /// The numbers, for tests.
    #[cfg(test)]
    fn numbers(self, a: Self::Lanes) -> [f32; LANES];
}

impl Simd for Portable {
    type Lanes = [f32; LANES];
    type Places = [u32; LANES];

    #[inline(always)]
    fn splat(self, x: f32) -> [f32; LANES] {
        [x; LANES]
    }

    #[inline(always)]
    fn load(self, numbers: &[f32; LANES]) -> [f32; LANES] {
        *numbers
    }

    #[inline(always)]
    fn load_pairs(self, pairs: &[[f32; 2]; LANES]) -> [[f32; LANES]; 2] {
        [pairs.map(|[a, _]| a), pairs.map(|[_, b]| b)]
    }

    #[inline(always)]
    fn add(self, a: [f32; LANES], b: [f32; LANES]) -> [f32; LANES] {
        std::array::from_fn(|i| a[i] + b[i])
    }

    #[inline(always)]
    fn mul(self, a: [f32; LANES], b: [f32; LANES]) -> [f32; LANES] {
        std::array::from_fn(|i| a[i] * b[i])
    }

    #[inline(always)]
    fn sqrt(self, a: [f32; LANES]) -> [f32; LANES] {
        a.map(f32::sqrt)
    }

    #[inline(always)]
    fn clamp(self, a: [f32; LANES], low: [f32; LANES], high: [f32; LANES]) -> [f32; LANES] {
        std::array::from_fn(|i| {
            let x = if a[i] > low[i] { a[i] } else { low[i] };
            if x < high[i] { x } else { high[i] }
        })
    }

    #[inline(always)]
    fn keep(self, a: [f32; LANES], n: usize) -> [f32; LANES] {
        std::array::from_fn(|i| if i < n { a[i] } else { f32::NEG_INFINITY })
    }

    #[inline(always)]
    fn first_largest(self, a: [f32; LANES]) -> usize {
        (1..LANES).fold(0, |best, i| if a[i] > a[best] { i } else { best })
    }

    #[inline(always)]
    fn places(self, block: usize) -> [u32; LANES] {
        std::array::from_fn(|i| (block * LANES + i) as u32)
    }

    #[inline(always)]
    fn larger(
        self,
        a: ([f32; LANES], [u32; LANES]),
        b: ([f32; LANES], [u32; LANES]),
    ) -> ([f32; LANES], [u32; LANES]) {
        let (mut largest, mut places) = a;
        for i in 0..LANES {
            if b.0[i] > a.0[i] {
                (largest[i], places[i]) = (b.0[i], b.1[i]);
            }
        }
        (largest, places)
    }

    #[inline(always)]
    fn place_of_largest(self, (numbers, places): ([f32; LANES], [u32; LANES])) -> usize {
        let max = numbers[self.first_largest(numbers)];
        let places = (0..LANES).filter(|&i| numbers[i] == max).map(|i| places[i]);
        places.min().unwrap_or(0) as usize
    }

    #[cfg(test)]
    fn numbers(self, a: [f32; LANES]) -> [f32; LANES] {
        a
    }
}

// SAFETY, of all blocks below: a token of type `X86V3` is only there where AVX and AVX2 are (see
// `X86V3::assume`), and eight numbers, or eight pairs, are read where so many are.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, clippy::undocumented_unsafe_blocks)]
mod x86 {
    use super::super::X86V3;
    use super::{LANES, Simd};
    use core::arch::x86_64::*;

    impl Simd for X86V3 {
        type Lanes = __m256;
        type Places = __m256i;

        #[inline(always)]
        fn splat(self, x: f32) -> __m256 {
            unsafe { _mm256_set1_ps(x) }
        }

        #[inline(always)]
        fn load(self, numbers: &[f32; LANES]) -> __m256 {
            unsafe { _mm256_loadu_ps(numbers.as_ptr()) }
        }

        #[inline(always)]
        fn load_pairs(self, pairs: &[[f32; 2]; LANES]) -> [__m256; 2] {
            let start = pairs.as_ptr().cast::<f32>();
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
                let n = _mm256_set1_epi32(n.min(LANES) as i32);
                let is_kept = _mm256_cmpgt_epi32(n, self.places(0));
                let nothing = _mm256_set1_ps(f32::NEG_INFINITY);
                _mm256_blendv_ps(nothing, a, _mm256_castsi256_ps(is_kept))
            }
        }

        #[inline(always)]
        fn first_largest(self, a: __m256) -> usize {
            unsafe {
                let is_largest = _mm256_cmp_ps::<_CMP_EQ_OQ>(a, max_everywhere(a));
                _mm256_movemask_ps(is_largest).trailing_zeros() as usize
            }
        }

        #[inline(always)]
        fn places(self, block: usize) -> __m256i {
            unsafe {
                let start = _mm256_set1_epi32((block * LANES) as i32);
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
                let is_less = _mm256_cmp_ps::<_CMP_LT_OQ>(numbers, max_everywhere(numbers));
                // The others' places become the largest of all.
                let places = _mm256_or_si256(places, _mm256_castps_si256(is_less));
                let high = _mm256_extracti128_si256::<1>(places);
                let min = _mm_min_epu32(_mm256_castsi256_si128(places), high);
                let min = _mm_min_epu32(min, _mm_shuffle_epi32::<0x4e>(min));
                let min = _mm_min_epu32(min, _mm_shuffle_epi32::<0xb1>(min));
                _mm_cvtsi128_si32(min) as u32 as usize
            }
        }

        #[cfg(test)]
        #[inline(always)]
        fn numbers(self, a: __m256) -> [f32; LANES] {
            let mut numbers = [0.0; LANES];
            unsafe { _mm256_storeu_ps(numbers.as_mut_ptr(), a) };
            numbers
        }
    }

    /// The largest number, eight times.
    ///
    /// # Safety
    ///
    /// The processor must have AVX.
    #[inline(always)]
    unsafe fn max_everywhere(a: __m256) -> __m256 {
        unsafe {
            let a = _mm256_max_ps(a, _mm256_permute2f128_ps::<1>(a, a));
            let a = _mm256_max_ps(a, _mm256_permute_ps::<0x4e>(a));
            _mm256_max_ps(a, _mm256_permute_ps::<0xb1>(a))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type Pairs = [[f32; 2]; LANES];

    /// Every operation: numbers and places.
    #[inline(always)]
    fn all<C: Simd>(cpu: C, a: &Pairs, b: &[f32; LANES], n: usize) -> (Vec<f32>, [usize; 5]) {
        let ([x, y], z) = (cpu.load_pairs(a), cpu.load(b));
        let sum = cpu.add(x, cpu.mul(y, cpu.splat(0.7)));
        let root = cpu.sqrt(cpu.mul(z, z));
        let kept = cpu.keep(cpu.clamp(sum, cpu.splat(-1.0), root), n);
        let larger = cpu.larger((x, cpu.places(0)), (kept, cpu.places(1)));
        let last = cpu.larger((kept, cpu.places(0)), (root, cpu.places(2)));
        let mut numbers = Vec::new();
        for lanes in [x, y, z, sum, root, kept, larger.0, last.0] {
            numbers.extend(cpu.numbers(lanes));
        }
        let places = [
            cpu.first_largest(x),
            cpu.first_largest(kept),
            cpu.place_of_largest((y, cpu.places(3))),
            cpu.place_of_largest(larger),
            cpu.place_of_largest(last),
        ];
        (numbers, places)
    }

    crate::dispatch! {
        fn dispatched(a: &Pairs, b: &[f32; LANES], n: usize) -> (Vec<f32>, [usize; 5]) = all;
    }

    proptest! {
        #[test]
        fn every_processor_gives_the_same(
            // Few values, so that many are equal.
            a: [[i8; 2]; LANES], b: [i8; LANES], n in 1..=LANES, by in 1i8..80,
        ) {
            let a = a.map(|pair| pair.map(|x| f32::from(x / by)));
            let b = b.map(|x| f32::from(x / by));
            prop_assert_eq!(dispatched(&a, &b, n), all(Portable, &a, &b, n));
        }
    }
}
