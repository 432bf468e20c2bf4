//! Linear evaluations: features of a position, each with a weight, under the logistic curve.
//!
//! The sum of the weights is the logarithm of the odds that the first player wins, so that weights
//! can be fitted to the results of games by logistic regression (Buro 1995). `treegraft tune` does
//! that for every evaluation that reports its [features](Features), or at least its
//! [parts](crate::Part).

use std::sync::{Arc, LazyLock};

mod bytes;
mod parts;
mod quality;
mod regression;
mod samples;

pub use bytes::WeightsError;
pub use parts::PartFeatures;
pub use quality::Quality;
pub use regression::{BlockSum, Regression};
pub use samples::Samples;

use crate::evaluate::Evaluation;
use crate::{EVAL_ONE, Evaluate, Evaluator, Game, Part};

/// How many units of a whole number a logit is, for the sums that [`value_of`] reads: one logit
/// turns even odds into 2.7 to 1.
pub const LOGIT: i32 = 1024;

/// A feature that a position has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Active {
    /// Its number, below [`Features::count`].
    pub feature: u32,
    /// How much of it there is, in the first player's view: what is good for the first player when
    /// it is positive is good for the second when it is negative.
    pub amount: f32,
}

/// What an evaluation looks at: numbered features, each of which gets one weight.
///
/// Symmetries are built into the numbers: two patterns that mirror each other share a feature, and a
/// position with colours and turn swapped has the same features with the opposite amounts.
pub trait Features<G: Game>: Send + Sync {
    /// A name, which weights carry too: they fit no other set of features. One word.
    fn name(&self) -> &str;

    /// How many features there are.
    fn count(&self) -> usize;

    /// Appends the features of an unfinished position. One may be there several times; the amounts
    /// add up.
    fn list(&self, position: &G, active: &mut Vec<Active>);

    /// How many times finer than 1/[`LOGIT`] the units of weights are, for features of which there
    /// can be much.
    fn fineness(&self) -> u32 {
        1
    }

    /// A few words for a feature, for people who read weights.
    fn label(&self, feature: usize) -> String {
        format!("feature {feature}")
    }

    /// A fast evaluation with these weights, if there is one. It has the same values as the slow
    /// sum of all features.
    fn fast(&self, weights: &Weights) -> Option<Box<dyn Evaluate<G> + Send + Sync>> {
        let _ = weights;
        None
    }
}

/// A shared set of features.
pub type SharedFeatures<G> = Arc<dyn Features<G>>;

/// The weights of a set of features, in units of 1/[`LOGIT`] or [finer](Features::fineness).
///
/// ```
/// use treegraft::linear::Weights;
///
/// let weights = Weights::new("nim", "heaps", vec![0, -300, 0, 1024]);
/// let bytes = weights.to_bytes();
/// assert_eq!(Weights::from_bytes(&bytes)?, weights);
/// # Ok::<(), treegraft::linear::WeightsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// The text of the game.
    pub game: String,
    /// The [name](Features::name) of the features.
    pub features: String,
    /// A weight for each feature.
    pub units: Vec<i32>,
}

impl Weights {
    /// The weights of some features of a game.
    #[must_use]
    pub fn new(game: &str, features: &str, units: Vec<i32>) -> Weights {
        Weights { game: game.to_owned(), features: features.to_owned(), units }
    }

    /// Whether these weights are for a set of features.
    #[must_use]
    pub fn fit<G: Game>(&self, features: &dyn Features<G>) -> bool {
        self.features == features.name() && self.units.len() == features.count()
    }
}

/// What can be fitted of an evaluation: the features that it reports, else its parts; `None` if it
/// reports neither.
#[must_use]
pub fn features_of<G: Game + 'static>(
    evaluator: &Evaluator<G>,
    position: &G,
) -> Option<SharedFeatures<G>> {
    evaluator.features().cloned().or_else(|| {
        let parts = PartFeatures::new(evaluator.clone(), position)?;
        Some(Arc::new(parts))
    })
}

/// An evaluation by features and weights; `None` if the weights are for others.
///
/// It reports its features, so that it can be fitted again.
#[must_use]
pub fn evaluator<G: Game + 'static>(
    name: impl Into<std::borrow::Cow<'static, str>>,
    about: impl Into<std::borrow::Cow<'static, str>>,
    features: SharedFeatures<G>,
    weights: Weights,
) -> Option<Evaluator<G>> {
    if !weights.fit(&*features) {
        return None;
    }
    let evaluate: Arc<dyn Evaluate<G> + Send + Sync> = match features.fast(&weights) {
        Some(fast) => fast.into(),
        None => Arc::new(Linear { features: Arc::clone(&features), weights }),
    };
    let evaluator = Evaluator::of(name.into(), about.into(), Evaluation::Shared(evaluate));
    Some(evaluator.with_features(features))
}

/// The slow way: all features are listed.
pub struct Linear<G: Game> {
    /// What it looks at.
    pub features: SharedFeatures<G>,
    /// The weights of that.
    pub weights: Weights,
}

impl<G: Game> Evaluate<G> for Linear<G> {
    fn evaluate(&self, position: &G) -> i32 {
        let mut active = Vec::new();
        self.features.list(position, &mut active);
        let points = |active: &Active| {
            let units = self.weights.units.get(active.feature as usize).copied().unwrap_or(0);
            f64::from(units) * f64::from(active.amount)
        };
        let sum: f64 = active.iter().map(points).sum();
        let sum = sum / f64::from(self.features.fineness().max(1));
        value_of(libm::round(sum.clamp(-1e9, 1e9)) as i32)
    }
}

/// What the value of a position is made of, in logits: the weights of its features by group. The first
/// player has what is good for it, the second what is not.
#[must_use]
pub fn grouped_parts<G: Game>(
    features: &dyn Features<G>,
    weights: &Weights,
    position: &G,
    groups: &[&'static str],
    group_of: impl Fn(usize) -> usize,
) -> Vec<Part> {
    let mut active = Vec::new();
    features.list(position, &mut active);
    let scale = f64::from(LOGIT) * f64::from(features.fineness().max(1));
    let mut amounts = vec![[0.0, 0.0]; groups.len()];
    for Active { feature, amount } in active {
        let units = weights.units.get(feature as usize).copied().unwrap_or(0);
        let logits = f64::from(units) * f64::from(amount) / scale;
        amounts[group_of(feature as usize)][usize::from(logits < 0.0)] += logits.abs();
    }
    groups.iter().zip(amounts).map(|(name, amounts)| Part::new(*name, amounts, 1.0)).collect()
}

/// The logistic curve over a sum of weights, as an evaluation: the win rate that it stands for, on a
/// scale from lost to won.
#[inline(always)]
#[must_use]
pub fn value_of(sum: i32) -> i32 {
    /// Units of the sum per step of the curve.
    const STEP: i32 = 4;
    /// The last step of the curve: 12 logits are as good as a win.
    const MOST: i32 = 12 * LOGIT / STEP;
    static CURVE: LazyLock<Vec<i32>> = LazyLock::new(|| {
        let value = |step: i32| {
            let logits = f64::from(step * STEP) / f64::from(LOGIT);
            libm::round(libm::tanh(logits / 2.0) * f64::from(EVAL_ONE)) as i32
        };
        (0..=MOST).map(value).collect()
    });
    let step = (sum.unsigned_abs() / STEP as u32).min(MOST as u32);
    sum.signum() * CURVE[step as usize]
}

#[cfg(test)]
mod tests;
