//! Reference values: SciPy 1.17.1. With `c` the counts, empty ones as 1e-3, `p = c / c.sum()`,
//! `x = np.arange(5) / 4` and `a = x - s`, the likeliest probabilities of mean s are
//! `p / (1 + l * a)` with `l = brentq(lambda l: (p * a / (1 + l * a)).sum(), -1 / a[4] + 1e-13,
//! -1 / a[0] - 1e-13)`; the LLR is `(c * np.log(q1 / q0)).sum()`. Where it converges, a direct
//! maximisation by `minimize(method="SLSQP")` gives the same.

use proptest::prelude::*;
use treegraft::Rng;

use super::{any_pairs, assert_near};
use crate::*;

#[test]
fn the_same_likelihood_ratios_as_scipy() {
    let cases = [
        ([223, 9863, 21279, 10037, 246], 0.5, 2.5, -3.074126439587946),
        ([871, 26175, 55983, 26678, 821], 0.0, 2.0, -4.978672863441105),
        ([34, 54, 63, 64, 75], 0.0, 20.0, 4.604068770030283),
        ([12, 0, 76, 0, 22], 0.0, 30.0, 1.4883694496940358),
        ([0, 0, 10, 0, 0], 0.0, 10.0, -0.2857958620190382),
        ([0, 0, 0, 0, 7], 0.0, 50.0, 0.9353892616352856),
        ([3, 0, 0, 0, 0], -30.0, 10.0, -0.33567707215641923),
        ([1, 0, 0, 0, 0], 0.0, 5.0, -0.014523779645967641),
    ];
    for (counts, elo0, elo1, llr) in cases {
        let sprt = Sprt::new(elo0, elo1, 0.05, 0.05).unwrap();
        assert_near(sprt.llr(Pentanomial { counts }), llr, &format!("{counts:?}"));
    }
}

/// The arena fastchess in its own tests (app/tests/sprt_test.cpp, logistic pentanomial 1 and 2).
#[test]
fn the_likelihood_ratios_of_another_arena() {
    let printed = [
        ([223, 9863, 20279 + 1000, 10037, 246], 0.5, 2.5, -3.07),
        ([871, 26175, 55003 + 980, 26678, 821], 0.0, 2.0, -4.98),
    ];
    for (counts, elo0, elo1, llr) in printed {
        let ours = Sprt::new(elo0, elo1, 0.05, 0.05).unwrap().llr(Pentanomial { counts });
        assert!((ours - llr).abs() < 0.005, "{ours}");
    }
}

#[test]
fn bounds_and_verdicts() {
    let sprt = Sprt::new(0.0, 10.0, 0.05, 0.1).unwrap();
    // Wald: ln(0.1 / 0.95), ln(0.9 / 0.05)
    let [low, high] = sprt.bounds();
    assert_near(low, -2.2512917986064953, "low");
    assert_near(high, 2.8903717578961645, "high");
    assert_eq!(sprt.decide(low), Some(Verdict::AcceptH0));
    assert_eq!(sprt.decide(high), Some(Verdict::AcceptH1));
    assert_eq!([0.0, low + 1e-9, high - 1e-9].map(|llr| sprt.decide(llr)), [None; 3]);
    assert_eq!(sprt.llr(Pentanomial::default()), 0.0);
}

#[test]
fn bad_numbers_are_named() {
    let error =
        |elo0, elo1, alpha, beta| Sprt::new(elo0, elo1, alpha, beta).unwrap_err().to_string();
    assert!(error(5.0, 5.0, 0.05, 0.05).contains("elo0 = 5 and elo1 = 5"));
    assert!(error(5.0, 0.0, 0.05, 0.05).contains("less than elo1"));
    assert!(error(f64::NAN, 0.0, 0.05, 0.05).contains("elo0 = NaN"));
    assert!(error(0.0, 1e9, 0.05, 0.05).contains("-1000 to 1000"));
    assert!(error(0.0, 5.0, 0.0, 0.05).contains("alpha = 0"));
    assert!(error(0.0, 5.0, 0.05, 0.5).contains("beta = 0.5"));
    assert!(error(0.0, 5.0, 0.05, f64::NAN).contains("beta = NaN"));
}

/// Plays one match of pairs with these probabilities; the verdict and the number of pairs.
fn simulate(sprt: &Sprt, shares: &[f64; 5], rng: &mut Rng) -> (Verdict, u32) {
    let mut pairs = Pentanomial::default();
    loop {
        let mut x = rng.unit();
        let kind = shares.iter().position(|share| {
            x -= share;
            x < 0.0
        });
        pairs.counts[kind.unwrap_or(2)] += 1;
        if let Some(verdict) = sprt.decide(sprt.llr(pairs)) {
            return (verdict, pairs.pairs());
        }
    }
}

/// 5,000 matches under each hypothesis, a look at the LLR after every pair.
fn assert_error_rates(sprt: &Sprt, even: [f64; 5], from: usize, to: usize, seed: u64) {
    let mut rng = Rng::new(seed);
    let wrong = [Verdict::AcceptH1, Verdict::AcceptH0];
    let nominal = [(sprt.elo0, sprt.alpha), (sprt.elo1, sprt.beta)];
    for ((elo, nominal), wrong) in nominal.into_iter().zip(wrong) {
        // Moves just enough pairs from one result to another for the mean to be exactly right.
        let moved = (score_of_elo(elo) - 0.5) * 4.0 / (to as f64 - from as f64);
        let mut shares = even;
        shares[from] -= moved;
        shares[to] += moved;
        let (mut errors, mut pairs) = (0, 0);
        for _ in 0..5000 {
            let (verdict, played) = simulate(sprt, &shares, &mut rng);
            errors += u32::from(verdict == wrong);
            pairs += played;
        }
        let rate = f64::from(errors) / 5000.0;
        println!("{elo} Elo: {rate} errors, {} pairs a match", pairs / 5000);
        assert!((rate - nominal).abs() <= 0.01, "{elo} Elo: {rate}, not {nominal}");
    }
}

/// Many draws, and openings that favour one side.
#[test]
fn error_rates_are_nominal_with_draws() {
    let sprt = Sprt::new(0.0, 20.0, 0.05, 0.05).unwrap();
    assert_error_rates(&sprt, [0.05, 0.22, 0.46, 0.22, 0.05], 1, 3, 1);
}

/// No draws, two games of a pair offset each other, different rates, neither hypothesis at 0.
#[test]
fn error_rates_are_nominal_without_draws() {
    let sprt = Sprt::new(-10.0, 20.0, 0.05, 0.1).unwrap();
    assert_error_rates(&sprt, [0.15, 0.0, 0.7, 0.0, 0.15], 0, 4, 2);
}

/// No draws, and the games of a pair end alike more often than not; hypotheses far apart.
#[test]
fn error_rates_are_nominal_with_correlated_games() {
    let sprt = Sprt::new(0.0, 40.0, 0.05, 0.05).unwrap();
    assert_error_rates(&sprt, [0.3, 0.0, 0.4, 0.0, 0.3], 0, 4, 3);
}

proptest! {
    #[test]
    fn the_other_player_sees_the_mirror_image(
        pairs in any_pairs(), elo0 in -300.0f64..300.0, more in 0.01f64..300.0,
    ) {
        let elo1 = elo0 + more;
        let (us, them) = (
            Sprt::new(elo0, elo1, 0.05, 0.05).unwrap(),
            Sprt::new(-elo1, -elo0, 0.05, 0.05).unwrap(),
        );
        assert_near(us.llr(pairs), -them.llr(pairs.mirrored()), "llr");
        let reach = us.llr(pairs).abs();
        prop_assert!(reach.is_finite());
    }

    /// The likelihood falls with the distance of a mean from the one seen.
    #[test]
    fn scores_beyond_a_hypothesis_speak_for_it(pairs in any_pairs(), elo0 in -300.0f64..270.0) {
        let sprt = Sprt::new(elo0, elo0 + 30.0, 0.05, 0.05).unwrap();
        let [low, high] = [sprt.elo0, sprt.elo1].map(score_of_elo);
        let llr = sprt.llr(pairs);
        // Empty cells, counted as 0.001, move the mean by less than 0.003.
        if pairs.pairs() > 0 && pairs.score() > high + 0.003 {
            prop_assert!(llr > 0.0, "{llr}");
        }
        if pairs.pairs() > 0 && pairs.score() < low - 0.003 {
            prop_assert!(llr < 0.0, "{llr}");
        }
    }
}
