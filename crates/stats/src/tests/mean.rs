//! Reference values: SciPy 1.17.1 and NumPy 2.4.6, expressions at the tests.

use proptest::prelude::*;

use super::assert_near;
use crate::distributions::student95;
use crate::*;

/// `t.ppf(0.975, df)`
#[test]
fn students_quantile_is_scipys() {
    let values = [
        (1, 12.706204736174694),
        (2, 4.302652729749462),
        (3, 3.1824463052837078),
        (4, 2.7764451051977934),
        (5, 2.5705818356363146),
        (9, 2.262157162798205),
        (10, 2.228138851986274),
        (29, 2.045229642132703),
        (30, 2.0422724563012378),
        (99, 1.9842169515864174),
        (100, 1.9839715185235518),
        (199, 1.9719565442517533),
        (200, 1.9718962236339088),
        (201, 1.971836506779859),
        (500, 1.9647198374673676),
        (1000, 1.9623390808264083),
        (100_000, 1.9599877075346095),
    ];
    for (df, quantile) in values {
        let ours = student95(df);
        assert!((ours - quantile).abs() < 1e-10 * quantile, "{df} degrees of freedom: {ours}");
    }
}

/// `np.mean(v)`, `np.std(v, ddof=1)`, `t.ppf(0.975, 6) * sem(v)`
#[test]
fn a_mean_with_its_interval() {
    let mean = mean_ci95(&[3.1, 2.7, 4.4, 3.9, 2.2, 5.0, 3.3]).unwrap();
    assert_eq!(mean.count, 7);
    assert_near(mean.mean, 3.5142857142857147, "mean");
    assert_near(mean.sd.unwrap(), 0.9788233947425031, "sd");
    assert_near(mean.error.unwrap(), 0.9052606549818388, "error");
    let single = Mean { count: 1, mean: 2.0, sd: None, error: None };
    assert_eq!(mean_ci95(&[2.0]), Some(single));
    assert_eq!(mean_ci95(&[2.0, 2.0]).unwrap().error, Some(0.0));
    assert_eq!(mean_ci95(&[]), None);
    assert_eq!(mean_ci95(&[1.0, f64::NAN]), None);
}

/// `b, a = np.polyfit(h, np.log(y), 1, w=np.sqrt(weight)); np.exp(a), np.exp(b)`
#[test]
fn growth_is_fitted_as_numpy_does() {
    let (h, y) = ([4.0, 6.0, 8.0, 10.0, 12.0], [13.2, 36.9, 103.1, 290.7, 812.4]);
    let cases = [
        ([1.0; 5], 1.6783809006353603, 1.6739424836371353),
        ([1.0, 4.0, 2.5, 9.0, 0.5], 1.6718364783360435, 1.6748738252236726),
    ];
    for (weights, a, b) in cases {
        let points: Vec<_> = (0..5).map(|i| (h[i], y[i], weights[i])).collect();
        let fit = fit_exponential(&points).unwrap();
        assert_near(fit.a, a, "a");
        assert_near(fit.b, b, "b");
    }
}

#[test]
fn no_curve_through_too_little() {
    let point = (3.0, 8.0, 1.0);
    for points in [
        &[][..],
        &[point],
        &[point, point],
        &[point, (4.0, 16.0, 0.0)],
        &[point, (4.0, 0.0, 1.0)],
        &[point, (4.0, 16.0, -1.0)],
        &[point, (f64::INFINITY, 16.0, 1.0)],
    ] {
        assert_eq!(fit_exponential(points), None, "{points:?}");
    }
}

proptest! {
    #[test]
    fn an_exact_curve_is_found(a in 0.1f64..10.0, b in 0.5f64..4.0, n in 2usize..8) {
        let points: Vec<_> = (0..n)
            .map(|h| (h as f64, a * libm::pow(b, h as f64), 1.0 + h as f64))
            .collect();
        let fit = fit_exponential(&points).unwrap();
        assert_near(fit.a, a, "a");
        assert_near(fit.b, b, "b");
    }
}
