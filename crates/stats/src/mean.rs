//! Means of measured quantities, and growth with the height of a tree.

use serde::Serialize;

use super::distributions::student95;

/// The mean of a sample and what is known about its precision.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Mean {
    /// Number of values.
    pub count: usize,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation, with n - 1 as its divisor; `None` for a single value.
    pub sd: Option<f64>,
    /// Half the width of the 95 % interval of the mean by Student's t; `None` for a single value.
    pub error: Option<f64>,
}

/// The mean of independent values with its 95 % interval.
///
/// `None` without values, or if one is not finite. The interval is exact for values of a normal
/// distribution, and good for many values of any.
#[must_use]
pub fn mean_ci95(values: &[f64]) -> Option<Mean> {
    if values.is_empty() || values.iter().any(|value| !value.is_finite()) {
        return None;
    }
    let count = values.len();
    let n = count as f64;
    let mean = values.iter().sum::<f64>() / n;
    let sd = (count > 1).then(|| {
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        (squares / (n - 1.0)).sqrt()
    });
    let degrees = u32::try_from(count - 1).unwrap_or(u32::MAX);
    let error = sd.map(|sd| student95(degrees) * sd / n.sqrt());
    Some(Mean { count, mean, sd, error })
}

/// The curve a·bʰ.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Exponential {
    /// The value at height 0.
    pub a: f64,
    /// The growth per unit of height.
    pub b: f64,
}

/// The curve a·bʰ through points (height, value, weight): a straight line through the logarithms of
/// the values by weighted least squares.
///
/// Weights 1 fit all logarithms equally well. For means with standard errors the best weight is
/// (mean / error)², one over the variance of the logarithm. `None` if a number is not finite, a
/// value not positive or a weight negative, or if fewer than two heights have weight.
#[must_use]
pub fn fit_exponential(points: &[(f64, f64, f64)]) -> Option<Exponential> {
    let good = |&(h, y, w): &(f64, f64, f64)| {
        h.is_finite() && y.is_finite() && y > 0.0 && w.is_finite() && w >= 0.0
    };
    if !points.iter().all(good) {
        return None;
    }
    let sum = |term: &dyn Fn(f64, f64) -> f64| {
        points.iter().map(|&(h, y, w)| w * term(h, libm::log(y))).sum::<f64>()
    };
    let weight = sum(&|_, _| 1.0);
    let (mean_h, mean_y) = (sum(&|h, _| h) / weight, sum(&|_, y| y) / weight);
    let spread = sum(&|h, _| (h - mean_h) * (h - mean_h));
    let slope = sum(&|h, y| (h - mean_h) * (y - mean_y)) / spread;
    let (a, b) = (libm::exp(mean_y - slope * mean_h), libm::exp(slope));
    // Without weight or with a single height the quotients above are not numbers.
    (spread > 0.0 && a.is_finite() && b.is_finite()).then_some(Exponential { a, b })
}
