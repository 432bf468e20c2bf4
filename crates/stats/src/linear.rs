//! Least squares: how well some numbers predict another one.

use serde::Serialize;

use super::distributions::student95;

/// A linear function fitted by least squares: y ≈ c₀ + c₁ x₁ + c₂ x₂ + …
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Regression {
    /// The constant, then the coefficient of each predictor, with half the width of its 95 %
    /// interval.
    pub coefficients: Vec<Coefficient>,
    /// The share of the variance of y that the function explains.
    pub r_squared: f64,
    /// How many points it goes through.
    pub points: usize,
}

/// A fitted number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Coefficient {
    /// The number.
    pub value: f64,
    /// Half the width of its 95 % interval.
    pub error: f64,
}

/// Fits a linear function to points (predictors, y) by ordinary least squares. The intervals assume
/// errors of equal size that are independent of each other.
///
/// `None` if there are not more points than coefficients, if points have different numbers of
/// predictors, if a number is not finite, or if a predictor follows from the others.
#[must_use]
pub fn linear_regression(points: &[(Vec<f64>, f64)]) -> Option<Regression> {
    let size = points.first()?.0.len() + 1;
    let is_good = |(xs, y): &(Vec<f64>, f64)| {
        xs.len() + 1 == size && y.is_finite() && xs.iter().all(|x| x.is_finite())
    };
    if points.len() <= size || !points.iter().all(is_good) {
        return None;
    }
    let row = |xs: &[f64]| -> Vec<f64> { std::iter::once(1.0).chain(xs.iter().copied()).collect() };
    // The normal equations, with the unit matrix beside them that becomes the inverse.
    let mut matrix = vec![vec![0.0; 2 * size]; size];
    let mut right = vec![0.0; size];
    for (xs, y) in points {
        let row = row(xs);
        for i in 0..size {
            right[i] += row[i] * y;
            for j in 0..size {
                matrix[i][j] += row[i] * row[j];
            }
        }
    }
    for (i, row) in matrix.iter_mut().enumerate() {
        row[size + i] = 1.0;
    }
    invert(&mut matrix, size)?;
    let inverse = |i: usize, j: usize| matrix[i][size + j];
    let values: Vec<f64> =
        (0..size).map(|i| (0..size).map(|j| inverse(i, j) * right[j]).sum()).collect();
    let fitted = |xs: &[f64]| row(xs).iter().zip(&values).map(|(x, c)| x * c).sum::<f64>();
    let n = points.len() as f64;
    let mean = points.iter().map(|(_, y)| y).sum::<f64>() / n;
    let left: f64 = points.iter().map(|(xs, y)| (y - fitted(xs)) * (y - fitted(xs))).sum();
    let all: f64 = points.iter().map(|(_, y)| (y - mean) * (y - mean)).sum();
    let degrees = points.len() - size;
    let variance = left / degrees as f64;
    let quantile = student95(u32::try_from(degrees).unwrap_or(u32::MAX));
    let coefficient = |i: usize| Coefficient {
        value: values[i],
        error: quantile * (variance * inverse(i, i)).max(0.0).sqrt(),
    };
    let r_squared = if all > 0.0 { 1.0 - left / all } else { 0.0 };
    let coefficients = (0..size).map(coefficient).collect();
    Some(Regression { coefficients, r_squared, points: points.len() })
}

/// Turns the left half of the matrix into the unit matrix, and so the right half into the inverse;
/// `None` if there is none.
fn invert(matrix: &mut [Vec<f64>], size: usize) -> Option<()> {
    for i in 0..size {
        let pivot = (i..size).max_by(|&a, &b| matrix[a][i].abs().total_cmp(&matrix[b][i].abs()))?;
        matrix.swap(i, pivot);
        let largest = matrix[i].iter().take(size).fold(0.0_f64, |most, x| most.max(x.abs()));
        if matrix[i][i].abs() <= 1e-12 * largest.max(1e-300) {
            return None;
        }
        let divisor = matrix[i][i];
        matrix[i].iter_mut().for_each(|x| *x /= divisor);
        for j in (0..size).filter(|&j| j != i) {
            let factor = matrix[j][i];
            let row = matrix[i].clone();
            matrix[j].iter_mut().zip(&row).for_each(|(x, y)| *x -= factor * y);
        }
    }
    Some(())
}
