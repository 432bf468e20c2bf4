//! Upper confidence bounds: UCB1 and UCB1-Tuned (Auer, Cesa-Bianchi & Fischer 2002).

use super::Config;
use super::tree::{Hot, Row, Tree};
use crate::bits::{Portable, Simd};
use serde::{Deserialize, Serialize};

/// The selection formula; Q is the mean reward of a child for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Select {
    /// Q + C sqrt(ln n_p / n_i).
    Ucb1,
    /// Q + C sqrt(ln n_p / n_i * min(1/4, V_i)) with V_i the variance of the rewards plus
    /// sqrt(2 ln n_p / n_i).
    Ucb1Tuned,
}

impl Select {
    /// Whether the formula needs the variance of the rewards.
    pub(super) fn needs_variance(self) -> bool {
        self == Select::Ucb1Tuned
    }
}

/// The formula of a configuration, with its constants.
#[derive(Clone, Copy, Debug)]
pub(super) struct Formula {
    pub(super) select: Select,
    /// Rewards are kept from -1 to 1, C is meant for rewards from 0 to 1: hence twice C.
    pub(super) double_c: f32,
}

impl Formula {
    pub(super) fn of(config: &Config) -> Formula {
        Formula { select: config.select, double_c: 2.0 * config.c as f32 }
    }

    /// What the formula adds to the mean reward of a child with one visit, whose variance is 0.
    pub(super) fn width_after_one(self, sqrt_ln: f32) -> f32 {
        let width = self.double_c * sqrt_ln;
        match self.select {
            Select::Ucb1 => width,
            Select::Ucb1Tuned => width * (std::f32::consts::SQRT_2 * sqrt_ln).min(0.25).sqrt(),
        }
    }
}

/// The upper confidence bounds of a node's children.
pub(super) struct UpperConfidenceBounds<'a> {
    hot: &'a [Hot],
    len: usize,
    sign: f32,
    c: f32,
    /// UCB1-Tuned: the variances, and sqrt(2 ln n_p), which divided by sqrt(n_i) is added to them.
    tuned: Option<(&'a [f32], f32)>,
    /// RAVE: what is mixed into the means.
    amaf: Option<AmafValues<'a>>,
}

/// The AMAF values of a node's children.
#[derive(Clone, Copy)]
pub(super) struct AmafValues<'a> {
    /// Counts, and sums of rewards in the first player's view; at least a block more than there are
    /// children.
    pub(super) cells: &'a [[f32; 2]],
    /// β is sqrt(k / (3 N + k)), or with a bias b M / (M + N + b M N).
    pub(super) k: f32,
    pub(super) bias: Option<f32>,
}

impl<'a> UpperConfidenceBounds<'a> {
    /// Those of the children of `row`, for the side with this sign.
    #[inline(always)]
    pub(super) fn of_children<M: Copy>(
        formula: Formula,
        tree: &'a Tree<M>,
        row: &Row<M>,
        sign: f32,
        sqrt_ln: f32,
    ) -> UpperConfidenceBounds<'a> {
        let first = row.children().start;
        let tuned = match formula.select {
            Select::Ucb1 => None,
            Select::Ucb1Tuned => {
                Some((&tree.side.variance[first..], std::f32::consts::SQRT_2 * sqrt_ln))
            }
        };
        let c = formula.double_c * sqrt_ln;
        UpperConfidenceBounds {
            hot: &tree.hot[first..],
            len: usize::from(row.count),
            sign,
            c,
            tuned,
            amaf: None,
        }
    }

    /// The same with AMAF values.
    #[inline(always)]
    pub(super) fn with_amaf(self, amaf: AmafValues<'a>) -> UpperConfidenceBounds<'a> {
        UpperConfidenceBounds { amaf: Some(amaf), ..self }
    }

    #[inline(always)]
    fn of_block<C: Simd>(&self, cpu: C, at: usize) -> C::Lanes {
        let [mean, rarity] = cpu.load_pairs(self.hot, at);
        let mut width = cpu.mul(cpu.splat(self.c), rarity);
        if let Some((variance, spread)) = self.tuned {
            // A quarter of the variance is that of rewards from 0 to 1.
            let quarter = cpu.splat(0.25);
            let variance = cpu.mul(quarter, cpu.load(variance, at));
            let variance = cpu.add(variance, cpu.mul(cpu.splat(spread), rarity));
            let variance = cpu.clamp(variance, cpu.splat(0.0), quarter);
            width = cpu.mul(width, cpu.sqrt(variance));
        }
        let mean = match &self.amaf {
            Some(amaf) => amaf.mixed(cpu, at, mean, rarity),
            None => mean,
        };
        cpu.add(cpu.mul(cpu.splat(self.sign), mean), width)
    }

    /// Means alone, for tests.
    #[cfg(test)]
    pub(super) fn without_width(hot: &'a [Hot], len: usize) -> UpperConfidenceBounds<'a> {
        UpperConfidenceBounds { hot, len, sign: 1.0, c: 0.0, tuned: None, amaf: None }
    }

    /// The bound of one child.
    pub(super) fn at(&self, place: usize) -> f32 {
        self.of_block(Portable, place)
    }

    /// The first place with the largest bound.
    ///
    /// Blocks are compared without branches, because which child is best is hard to predict.
    #[inline(always)]
    pub(super) fn argmax<C: Simd>(&self, cpu: C) -> usize {
        if self.len <= C::LANES {
            return cpu.first_largest(cpu.keep(self.of_block(cpu, 0), self.len));
        }
        let mut at = (self.len - 1) / C::LANES * C::LANES;
        let rest = cpu.keep(self.of_block(cpu, at), self.len - at);
        let mut best = (rest, cpu.places(at));
        while at > 0 {
            at -= C::LANES;
            best = cpu.larger((self.of_block(cpu, at), cpu.places(at)), best);
        }
        cpu.place_of_largest(best)
    }
}

impl AmafValues<'_> {
    /// (1 - β) Q + β A for a block of children.
    #[inline(always)]
    fn mixed<C: Simd>(&self, cpu: C, at: usize, mean: C::Lanes, rarity: C::Lanes) -> C::Lanes {
        let [count, sum] = cpu.load_pairs(self.cells, at);
        let (zero, one) = (cpu.splat(0.0), cpu.splat(1.0));
        // A child that was never visited comes first by its width, whatever its value.
        let rarity = cpu.clamp(rarity, zero, one);
        let part = cpu.mul(rarity, rarity);
        let beta = match self.bias {
            None => {
                let part = cpu.mul(cpu.splat(self.k), part);
                cpu.sqrt(cpu.div(part, cpu.add(cpu.splat(3.0), part)))
            }
            Some(bias) => {
                // Not more visits than can be counted; excluded children may have none.
                let visits = cpu.div(one, cpu.clamp(part, cpu.splat(1e-10), one));
                let all = cpu
                    .add(cpu.add(count, visits), cpu.mul(cpu.splat(bias), cpu.mul(count, visits)));
                cpu.div(count, all)
            }
        };
        // Nothing where nothing was counted; and less than all, so that infinities stay what they are.
        let is_counted = cpu.clamp(count, zero, one);
        let beta = cpu.mul(cpu.clamp(beta, zero, cpu.splat(MAX_BETA)), is_counted);
        let amaf = cpu.div(sum, cpu.clamp(count, one, cpu.splat(f32::MAX)));
        let rest = cpu.add(one, cpu.mul(cpu.splat(-1.0), beta));
        cpu.add(cpu.mul(rest, mean), cpu.mul(beta, amaf))
    }
}

/// The largest β.
const MAX_BETA: f32 = 1.0 - 1e-6;

/// sqrt(ln n) from a table: fast, and the same on every machine.
#[derive(Clone, Debug)]
pub(super) struct SqrtLn {
    /// Exact for n below `2 * STEPS`. From there on, `STEPS` numbers for each doubling of n; linear
    /// interpolation between them is good to 2^-27.
    table: Box<[f32]>,
}

impl SqrtLn {
    const STEPS: u32 = 2048;

    pub(super) fn new() -> SqrtLn {
        let sqrt_ln = |n: f64| libm::log(n.max(1.0)).sqrt() as f32;
        let exact = (0..2 * Self::STEPS).map(f64::from);
        let doublings = 1..=Self::STEPS.leading_zeros();
        let coarse = doublings.flat_map(|k| {
            (Self::STEPS..2 * Self::STEPS).map(move |m| f64::from(m) * f64::from(1u32 << k))
        });
        let end = f64::from(u32::MAX) + 1.0;
        SqrtLn { table: exact.chain(coarse).chain([end]).map(sqrt_ln).collect() }
    }

    #[inline(always)]
    pub(super) fn of(&self, n: u32) -> f32 {
        // n = (m + x) 2^k with m from STEPS to 2 STEPS and x from 0 to 1.
        let k = (Self::STEPS.leading_zeros() - (n | Self::STEPS).leading_zeros()) as usize;
        let m = n >> k;
        let at = k * Self::STEPS as usize + m as usize;
        let from = self.table[at];
        if k == 0 {
            return from;
        }
        // By 2^-k, whose bits are known.
        let x = (n - (m << k)) as f32 * f32::from_bits((127 - k as u32) << 23);
        from + x * (self.table[at + 1] - from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;
    use crate::bits::MAX_LANES;

    #[test]
    fn the_table_gives_the_logarithm() {
        let table = SqrtLn::new();
        let mut n = 1u32;
        while n < u32::MAX / 9 * 8 {
            let exact = f64::from(n).ln().sqrt();
            assert!((f64::from(table.of(n)) - exact).abs() <= 3e-7 * exact, "{n}");
            n += n / 9 + 1;
        }
    }

    crate::dispatch! {
        fn dispatched(bounds: &UpperConfidenceBounds<'_>) -> usize = argmax_on;
    }

    fn argmax_on<C: Simd>(cpu: C, bounds: &UpperConfidenceBounds<'_>) -> usize {
        bounds.argmax(cpu)
    }

    fn place(means: &[f32]) -> usize {
        // After the last child, there may be anything.
        let mut hot = vec![[f32::INFINITY, f32::NAN]; means.len() + MAX_LANES];
        for (hot, &mean) in hot.iter_mut().zip(means) {
            *hot = [-mean, 0.5];
        }
        let len = means.len();
        on_all(&UpperConfidenceBounds {
            hot: &hot,
            len,
            sign: -1.0,
            c: 2.0,
            tuned: None,
            amaf: None,
        })
    }

    /// The place that all processors find.
    fn on_all(bounds: &UpperConfidenceBounds<'_>) -> usize {
        let place = bounds.argmax(Portable);
        assert_eq!(dispatched(bounds), place, "{}", bounds.len);
        place
    }

    /// Few values, so that many are equal, and many, so that the last bit of a bound matters.
    #[test]
    fn every_processor_finds_the_same_child() {
        let mut rng = Rng::new(7);
        for round in 0..20_000 {
            let len = 1 + rng.below(40) as usize;
            let kinds = if round % 2 == 0 { 3 } else { 1 << 20 };
            let mut column = |len| -> Vec<f32> {
                let mut number = || rng.below(kinds) as f32 / kinds as f32;
                (0..len).map(|_| number()).collect()
            };
            let (means, rarities) = (column(len + MAX_LANES), column(len + MAX_LANES));
            let variance = column(len + MAX_LANES);
            let hot: Vec<Hot> = means.iter().zip(&rarities).map(|(&m, &r)| [m, r]).collect();
            let counts = column(len + MAX_LANES);
            let cells: Vec<[f32; 2]> =
                counts.iter().zip(&variance).map(|(&n, &sum)| [(9.0 * n).floor(), sum]).collect();
            let of = |bias| Some(AmafValues { cells: &cells, k: 7.0, bias });
            for tuned in [None, Some((&variance[..], 1.3))] {
                for (sign, amaf) in [(-1.0, None), (1.0, of(None)), (-1.0, of(Some(0.1)))] {
                    let bounds =
                        UpperConfidenceBounds { hot: &hot, len, sign, c: 0.9, tuned, amaf };
                    on_all(&bounds);
                }
            }
        }
    }

    #[test]
    fn the_first_of_the_largest_is_found() {
        for len in 1..70 {
            for at in 0..len {
                let from = |i| if i >= at { 1.0 } else { f32::NEG_INFINITY };
                assert_eq!(place(&(0..len).map(from).collect::<Vec<_>>()), at, "{len}");
                let single = |i| f32::from(u8::from(i == at));
                assert_eq!(place(&(0..len).map(single).collect::<Vec<_>>()), at, "{len}");
                let falling = |i: usize| if i < at { -1.0 } else { -(i as f32) / 1e3 };
                assert_eq!(place(&(0..len).map(falling).collect::<Vec<_>>()), at, "{len}");
            }
            assert_eq!(place(&vec![f32::NEG_INFINITY; len]), 0, "all are excluded");
        }
    }
}
