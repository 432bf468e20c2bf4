//! The distributions and the interval that the other files share.

use super::Interval;

/// The 97.5 % point of the normal distribution: 95 % of it lie within this many standard
/// deviations.
pub(super) const Z95: f64 = 1.959_963_984_540_054;

/// Φ(x), the distribution function of the standard normal distribution.
pub(super) fn normal_cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x / std::f64::consts::SQRT_2)
}

/// The probability that a standard normal variable is at least as far from 0 as `z`.
pub(super) fn two_sided(z: f64) -> f64 {
    libm::erfc(z.abs() / std::f64::consts::SQRT_2)
}

/// The Wilson 95 % interval of a rate `p` seen in `n` trials (Wilson 1927); [0, 1] without trials.
pub(super) fn wilson95(p: f64, n: f64) -> Interval {
    if n == 0.0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let z2 = Z95 * Z95;
    let centre = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z95 * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt() / (1.0 + z2 / n);
    // At a rate of 0 or 1 the end is exact, but for rounding.
    let low = if p == 0.0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if p == 1.0 { 1.0 } else { (centre + half).min(1.0) };
    Interval { low, high }
}

/// The 97.5 % point of Student's t distribution with `df` ≥ 1 degrees of freedom.
///
/// Up to 200 degrees of freedom the finite series of Abramowitz & Stegun 26.7.3 and 26.7.4 is
/// solved by bisection; above, their expansion 26.7.5 in 1/df is good to 10 digits.
pub(super) fn student95(df: u32) -> f64 {
    let n = f64::from(df);
    if df > 200 {
        let x = Z95;
        let x2 = x * x;
        let g1 = (x2 + 1.0) / 4.0;
        let g2 = ((5.0 * x2 + 16.0) * x2 + 3.0) / 96.0;
        let g3 = (((3.0 * x2 + 19.0) * x2 + 17.0) * x2 - 15.0) / 384.0;
        let g4 = ((((79.0 * x2 + 776.0) * x2 + 1482.0) * x2 - 1920.0) * x2 - 945.0) / 92160.0;
        return x * (1.0 + (g1 + (g2 + (g3 + g4 / n) / n) / n) / n);
    }
    // One degree of freedom has the largest point, 12.7; none is below the normal one.
    let (mut low, mut high) = (1.9, 13.0);
    while high - low > 1e-14 * low {
        let middle = (low + high) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        if student_within(middle, df) < 0.95 { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

/// The probability that |t| < `t` with `df` degrees of freedom (Abramowitz & Stegun 26.7.3,
/// 26.7.4).
fn student_within(t: f64, df: u32) -> f64 {
    let n = f64::from(df);
    let (sin, cos) = (t / (n + t * t).sqrt(), (n / (n + t * t)).sqrt());
    // Terms cosᵏ with k = 1, 3, … for odd df and k = 0, 2, … for even ones, up to df - 2.
    let (mut term, mut sum, mut k) = if df % 2 == 1 { (cos, 0.0, 1) } else { (1.0, 0.0, 0) };
    while k + 2 <= df {
        sum += term;
        term *= cos * cos * f64::from(k + 1) / f64::from(k + 2);
        k += 2;
    }
    if df % 2 == 1 {
        std::f64::consts::FRAC_2_PI * (libm::atan(t / n.sqrt()) + sin * sum)
    } else {
        sin * sum
    }
}
