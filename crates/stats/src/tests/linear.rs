//! Regressions.

use crate::linear_regression;

/// Anscombe's first data set, whose regression is printed in his paper (1973): 3.00 + 0.500 x, with
/// standard errors 1.125 and 0.118 and R² = 0.667.
#[test]
fn anscombe() {
    let xs = [10.0, 8.0, 13.0, 9.0, 11.0, 14.0, 6.0, 4.0, 12.0, 7.0, 5.0];
    let ys = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
    let points: Vec<(Vec<f64>, f64)> = xs.iter().zip(ys).map(|(&x, y)| (vec![x], y)).collect();
    let found = linear_regression(&points).unwrap();
    let [constant, slope] = found.coefficients[..] else { panic!("{found:?}") };
    assert!((constant.value - 3.0001).abs() < 1e-4 && (slope.value - 0.5001).abs() < 1e-4);
    // The 95 % quantile of Student's t with 9 degrees of freedom is 2.262.
    assert!((constant.error - 2.262 * 1.1247).abs() < 2e-3, "{constant:?}");
    assert!((slope.error - 2.262 * 0.1179).abs() < 2e-3, "{slope:?}");
    assert!((found.r_squared - 0.6665).abs() < 1e-4 && found.points == 11);
}

#[test]
fn a_plane_is_found_exactly() {
    let plane = |a: f64, b: f64| (vec![a, b], 2.0 - 3.0 * a + 0.5 * b);
    let points =
        [plane(0.0, 0.0), plane(1.0, 0.0), plane(0.0, 1.0), plane(3.0, 2.0), plane(5.0, 1.0)];
    let found = linear_regression(&points).unwrap();
    let values: Vec<f64> = found.coefficients.iter().map(|it| it.value).collect();
    for (value, expected) in values.iter().zip([2.0, -3.0, 0.5]) {
        assert!((value - expected).abs() < 1e-9, "{values:?}");
    }
    assert!(found.r_squared > 1.0 - 1e-12);
}

#[test]
fn what_cannot_be_fitted_is_not() {
    let line = |x: f64| (vec![x], x);
    assert_eq!(linear_regression(&[]), None);
    assert_eq!(linear_regression(&[line(1.0), line(2.0)]), None);
    assert_eq!(linear_regression(&[line(1.0), line(1.0), line(1.0)]), None);
    assert_eq!(linear_regression(&[line(1.0), line(2.0), line(f64::NAN)]), None);
    let twice = |x: f64| (vec![x, 2.0 * x], x);
    assert_eq!(linear_regression(&[twice(1.0), twice(2.0), twice(3.0), twice(5.0)]), None);
}
