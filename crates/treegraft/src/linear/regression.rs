//! Logistic regression: the weights that make the results of games likeliest.
//!
//! What is minimised is convex: the log loss of all positions, plus `l2 / 2` times the square of each
//! weight. Each weight has a step of its own, from a bound on the curvature that always holds, so
//! that there is nothing to choose (Böhning & Lindsay 1988); momentum is dropped when it leads uphill
//! (Nesterov 1983, O'Donoghue & Candès 2015).

use super::Samples;

/// Positions in a block.
const BLOCK: usize = 1 << 16;

/// A fit in progress. Every pass adds up the [blocks](Regression::block) of positions, on as many
/// threads as one likes, and then takes a [step](Regression::step): blocks have a fixed size and are
/// added in order, so that the result does not depend on the threads.
#[derive(Clone, Debug)]
pub struct Regression<'a> {
    samples: &'a Samples,
    l2: f64,
    /// How far each weight may go for a gradient of 1; 0 for features that are too rare.
    reach: Vec<f64>,
    weights: Vec<f64>,
    /// Where momentum carries the weights.
    ahead: Vec<f64>,
    momentum: f64,
    loss: f64,
}

/// What a block of positions adds up to.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockSum {
    block: usize,
    loss: f64,
    gradient: Vec<f64>,
}

impl<'a> Regression<'a> {
    /// A fit that begins with weights of 0. Features that fewer than `least` positions have keep it.
    #[must_use]
    pub fn new(samples: &'a Samples, features: usize, l2: f64, least: u32) -> Regression<'a> {
        let mut curvature = vec![0.0; features];
        let mut seen = vec![0u32; features];
        for position in 0..samples.positions() {
            let active = samples.active(position);
            let all: f64 = active.iter().map(|it| f64::from(it.amount).abs()).sum();
            for it in active {
                curvature[it.feature as usize] += all * f64::from(it.amount).abs() / 4.0;
                seen[it.feature as usize] += 1;
            }
        }
        let reach = |(curvature, seen): (f64, u32)| {
            let is_common = seen >= least.max(1) && curvature > 0.0;
            if is_common { 1.0 / (curvature + l2) } else { 0.0 }
        };
        let reach = curvature.into_iter().zip(seen).map(reach).collect();
        let weights = vec![0.0; features];
        let (momentum, loss) = (1.0, f64::INFINITY);
        Regression { samples, l2, reach, ahead: weights.clone(), weights, momentum, loss }
    }

    /// How many blocks there are.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.samples.positions().div_ceil(BLOCK)
    }

    /// What a block, from 0, adds to this pass.
    #[must_use]
    pub fn block(&self, block: usize) -> BlockSum {
        let mut sum = BlockSum { block, loss: 0.0, gradient: vec![0.0; self.ahead.len()] };
        let end = self.samples.positions().min((block + 1) * BLOCK);
        for position in block * BLOCK..end {
            let logit = self.samples.logit(position, &self.ahead);
            let result = self.samples.result(position);
            sum.loss += log_loss(logit, result);
            let error = chance(logit) - result;
            for it in self.samples.active(position) {
                sum.gradient[it.feature as usize] += error * f64::from(it.amount);
            }
        }
        sum
    }

    /// Ends a pass, with the sums of all blocks in any order.
    pub fn step(&mut self, mut sums: Vec<BlockSum>) {
        sums.sort_unstable_by_key(|sum| sum.block);
        let mut gradient: Vec<f64> = self.ahead.iter().map(|weight| self.l2 * weight).collect();
        let mut loss = self.ahead.iter().map(|weight| self.l2 / 2.0 * weight * weight).sum();
        for sum in &sums {
            loss += sum.loss;
            gradient.iter_mut().zip(&sum.gradient).for_each(|(all, part)| *all += part);
        }
        if loss > self.loss {
            self.momentum = 1.0;
        }
        self.loss = loss;
        let next = 0.5 + (0.25 + self.momentum * self.momentum).sqrt();
        let carry = (self.momentum - 1.0) / next;
        self.momentum = next;
        let all = self.weights.iter_mut().zip(&mut self.ahead).zip(&gradient).zip(&self.reach);
        for (((weight, ahead), gradient), reach) in all {
            let new = *ahead - reach * gradient;
            *ahead = new + carry * (new - *weight);
            *weight = new;
        }
    }

    /// The weights so far, in logits.
    #[must_use]
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }
}

/// How likely the first player wins.
pub(super) fn chance(logit: f64) -> f64 {
    // Not the system's function: systems differ in the last digit.
    1.0 / (1.0 + libm::exp(-logit))
}

/// What a prediction costs, in nats: nothing if it was sure and right.
pub(super) fn log_loss(logit: f64, result: f64) -> f64 {
    // log(1 + e^-x) without overflow.
    let likely = |logit: f64| libm::log1p(libm::exp(-logit.abs())) + (-logit).max(0.0);
    result * likely(logit) + (1.0 - result) * likely(-logit)
}
