//! The statistics behind the comparisons of random play.

/// Results that are less probable than this are suspicious. A law fails if it is suspicious twice,
/// the second time with four times as many fresh samples. By chance that happens once in 10^10
/// tests, and rarely even where the approximations behind the probabilities are poor.
pub(super) const SUSPICIOUS: f64 = 1e-5;

/// The probability that a chi-square variable of `freedom` degrees exceeds `x`: the
/// regularized gamma function Q(freedom / 2, x / 2).
pub(super) fn chi_square_tail(x: f64, freedom: u32) -> f64 {
    if freedom == 0 || x <= 0.0 {
        return 1.0;
    }
    let (a, y) = (f64::from(freedom) / 2.0, x / 2.0);
    // Γ(a) from Γ(1) = 1 or Γ(1/2) = √π by Γ(b + 1) = b Γ(b).
    let mut b = if freedom.is_multiple_of(2) { 1.0 } else { 0.5 };
    let mut ln_gamma =
        if freedom.is_multiple_of(2) { 0.0 } else { 0.5 * std::f64::consts::PI.ln() };
    while b < a {
        ln_gamma += f64::ln(b);
        b += 1.0;
    }
    let front = (a * y.ln() - y - ln_gamma).exp();
    if y < a + 1.0 {
        // P(a, y) = y^a e^-y / Γ(a) · (1/a + y/(a(a+1)) + y²/(a(a+1)(a+2)) + …)
        let (mut term, mut sum, mut n) = (1.0 / a, 1.0 / a, a);
        while term > sum * 1e-16 {
            n += 1.0;
            term *= y / n;
            sum += term;
        }
        return 1.0 - front * sum;
    }
    // Q(a, y) = y^a e^-y / Γ(a) · 1/(y+1-a - 1(1-a)/(y+3-a - 2(2-a)/(y+5-a - …))), from within.
    let fraction = (1..=500)
        .rev()
        .map(f64::from)
        .fold(0.0, |rest, k| k * (k - a) / (y + 2.0 * k + 1.0 - a - rest));
    front / (y + 1.0 - a - fraction)
}

/// The p-value of two samples having the same distribution over categories (chi-square test of
/// homogeneity).
pub(super) fn homogeneity(one: &[u64], two: &[u64]) -> f64 {
    let (total_one, total_two) = (one.iter().sum::<u64>() as f64, two.iter().sum::<u64>() as f64);
    let total = total_one + total_two;
    let (mut x, mut categories) = (0.0, 0);
    for (&a, &b) in one.iter().zip(two) {
        let both = (a + b) as f64;
        if both > 0.0 {
            categories += 1;
            let (expect_a, expect_b) = (both * total_one / total, both * total_two / total);
            x +=
                (a as f64 - expect_a).powi(2) / expect_a + (b as f64 - expect_b).powi(2) / expect_b;
        }
    }
    chi_square_tail(x, u32::saturating_sub(categories, 1))
}

/// Number, mean and variance of numbers that come one by one (Welford's method).
#[derive(Default)]
pub(super) struct Moments {
    pub(super) count: u64,
    pub(super) mean: f64,
    /// Sum of squared distances from the mean.
    squares: f64,
}

impl Moments {
    pub(super) fn add(&mut self, x: f64) {
        self.count += 1;
        let distance = x - self.mean;
        self.mean += distance / self.count as f64;
        self.squares += distance * (x - self.mean);
    }

    /// The squared standard error of the mean.
    fn squared_error(&self) -> f64 {
        self.squares / (self.count as f64 * (self.count as f64 - 1.0))
    }
}

/// The p-value of two samples having the same mean (two-sided z test); 1 if one has fewer than
/// two numbers.
pub(super) fn same_mean(one: &Moments, two: &Moments) -> f64 {
    if one.count < 2 || two.count < 2 {
        return 1.0;
    }
    let difference = one.mean - two.mean;
    let squared_error = one.squared_error() + two.squared_error();
    if squared_error == 0.0 {
        return if difference == 0.0 { 1.0 } else { 0.0 };
    }
    chi_square_tail(difference * difference / squared_error, 1)
}

/// How two numbers go together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Correlation {
    /// From -1 to 1.
    pub(super) r: f64,
    /// How many standard errors away from 0 (Fisher's transformation).
    pub(super) errors: f64,
}

/// The correlation of pairs of numbers; `None` if there are too few, or one number is always the
/// same.
pub(super) fn correlation(pairs: &[(f64, f64)]) -> Option<Correlation> {
    const FEW: usize = 20;
    let n = pairs.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / n;
    let (x, y) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let sum = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
        pairs.iter().map(|pair| of(pair.0 - x, pair.1 - y)).sum()
    };
    let (xx, yy, xy) = (sum(&|x, _| x * x), sum(&|_, y| y * y), sum(&|x, y| x * y));
    if pairs.len() < FEW || xx * yy <= 0.0 {
        return None;
    }
    let r = (xy / (xx * yy).sqrt()).clamp(-1.0, 1.0);
    Some(Correlation { r, errors: r.atanh() * (n - 3.0).sqrt() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_of_chi_square_are_those_of_tables() {
        // (x, degrees of freedom, probability of more)
        let table = [
            (3.841_458_8, 1, 0.05),
            (10.827_566, 1, 0.001),
            (19.511_421, 1, 1e-5),
            (37.324_893, 1, 1e-9),
            (5.991_464_5, 2, 0.05),
            (2.0 * 1e5_f64.ln(), 2, 1e-5),
            (18.307_038, 10, 0.05),
            (6.737_267_8, 10, 0.75),
            (124.342_11, 100, 0.05),
        ];
        for (x, freedom, expected) in table {
            let tail = chi_square_tail(x, freedom);
            assert!((tail / expected - 1.0).abs() < 1e-5, "{x} {freedom}: {tail} {expected}");
        }
        assert_eq!(chi_square_tail(5.0, 0), 1.0);
        assert_eq!(chi_square_tail(0.0, 3), 1.0);
        assert_eq!(chi_square_tail(1e6, 3), 0.0);
    }

    #[test]
    fn means_are_compared() {
        let moments = |numbers: &[f64]| {
            let mut moments = Moments::default();
            numbers.iter().for_each(|&x| moments.add(x));
            moments
        };
        let (low, high) = (moments(&[1.0, 2.0, 3.0, 4.0]), moments(&[3.0, 4.0, 5.0, 6.0]));
        assert_eq!(low.mean, 2.5);
        // Variance 5/3, so z² = 4 / (2 · 5/12) = 4.8, of which the tail is 0.02846.
        assert!((same_mean(&low, &high) - 0.028_46).abs() < 1e-5);
        assert_eq!(same_mean(&moments(&[1.0, 1.0]), &moments(&[2.0, 2.0])), 0.0);
        assert_eq!(same_mean(&moments(&[1.0, 1.0]), &moments(&[1.0, 1.0])), 1.0);
        assert_eq!(same_mean(&moments(&[]), &low), 1.0);
    }

    #[test]
    fn categories_are_compared() {
        assert_eq!(homogeneity(&[10, 0, 10], &[10, 0, 10]), 1.0);
        assert_eq!(homogeneity(&[10, 0, 0], &[12, 0, 0]), 1.0);
        // 2x2 table 60:40 against 40:60: chi-square 8, of which the tail is 0.004678.
        assert!((homogeneity(&[60, 40], &[40, 60]) - 0.004_678).abs() < 1e-6);
        assert!(homogeneity(&[1000, 0, 0], &[0, 0, 1000]) < 1e-100);
    }

    #[test]
    fn correlations_are_counted_in_standard_errors() {
        let line = |noise: f64| -> Vec<(f64, f64)> {
            let number = |i: i32| (f64::from(i), f64::from(i) + noise * f64::from(i % 2));
            (0..28).map(number).collect()
        };
        assert_eq!(correlation(&line(0.0)[..19]), None, "too few");
        assert_eq!(correlation(&[(1.0, 2.0); 30]), None, "all the same");
        let exact = correlation(&line(0.0)).unwrap();
        assert!(exact.r > 0.999_999 && exact.errors > 30.0, "{exact:?}");
        // By hand: the sums of squares are 1827, 1827 + 14 n + 7 n^2, and of products 1827 + 7 n.
        let noisy = correlation(&line(40.0)).unwrap();
        let r = (1827.0 + 280.0) / (1827.0_f64 * (1827.0 + 560.0 + 11_200.0)).sqrt();
        assert!((noisy.r - r).abs() < 1e-9, "{noisy:?} {r}");
        assert!((noisy.errors - 5.0 * r.atanh()).abs() < 1e-9, "{noisy:?}");
        let fallen: Vec<(f64, f64)> = line(40.0).iter().map(|&(x, y)| (x, -y)).collect();
        assert!((correlation(&fallen).unwrap().errors + noisy.errors).abs() < 1e-9);
    }
}
