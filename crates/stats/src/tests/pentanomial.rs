//! Reference values: NumPy 2.4.6 and SciPy 1.17.1 on `v = np.repeat(np.arange(5) / 4, counts)`:
//! `v.mean()`, `v.var()`; `d = v - 0.5; norm.cdf(d.sum() / sqrt((d * d).sum()))`; and Wilson's interval as the roots of
//! `(s - p)**2 - norm.ppf(0.975)**2 * p * (1 - p) / m` by `brentq`, with
//! `m = 2 * n / ((n * 2 * v.var() / (s * (1 - s)) + 2) / (n + 1))`.

use proptest::prelude::*;
use treegraft::Rng;

use super::{any_pairs, assert_near};
use crate::*;

struct Case {
    counts: [u32; 5],
    score: f64,
    variance: f64,
    wilson: (f64, f64),
    los: f64,
}

const CASES: &[Case] = &[
    Case {
        counts: [34, 54, 63, 64, 75],
        score: 0.5793103448275863,
        variance: 0.11310642092746731,
        wilson: (0.5401559085832396, 0.6174917655315522),
        los: 0.9999536039930931,
    },
    Case {
        counts: [332, 433, 498, 333, 334],
        score: 0.4875647668393782,
        variance: 0.11092049450991973,
        wilson: (0.4727189849719234, 0.502432520275097),
        los: 0.050588860779299694,
    },
    Case {
        counts: [0, 1, 5, 2, 0],
        score: 0.53125,
        variance: 0.0224609375,
        wilson: (0.3838593273489283, 0.673382869545651),
        los: 0.7181485691746134,
    },
    Case {
        counts: [12, 0, 76, 0, 22],
        score: 0.5454545454545454,
        variance: 0.07520661157024795,
        wilson: (0.4934678868898304, 0.5964687821278398),
        los: 0.9568260895081687,
    },
    Case {
        counts: [0, 0, 10, 0, 0],
        score: 0.5,
        variance: 0.0,
        wilson: (0.4081523880302757, 0.5918476119697244),
        los: 0.5,
    },
    // Seven pairs that ended alike are seven trials: statsmodels' Wilson interval of 7 out of 7.
    Case {
        counts: [0, 0, 0, 0, 7],
        score: 1.0,
        variance: 0.0,
        wilson: (0.6456695649333125, 1.0),
        los: 0.9959245142032487,
    },
];

#[test]
fn the_same_values_as_numpy_and_scipy() {
    for case in CASES {
        let pairs = Pentanomial { counts: case.counts };
        let what = format!("{pairs:?}");
        assert_near(pairs.score(), case.score, &what);
        assert_near(pairs.variance(), case.variance, &what);
        let evidence = Evidence::from(pairs);
        assert_near(evidence.wilson95().low, case.wilson.0, &what);
        assert_near(evidence.wilson95().high, case.wilson.1, &what);
        assert_near(evidence.los(), case.los, &what);
        let elo = evidence.elo();
        assert_eq!(elo.difference, elo_of_score(pairs.score()), "{what}");
        for (end, score) in elo.ci95.iter().zip([case.wilson.0, case.wilson.1]) {
            let expected = elo_of_score(score);
            assert_eq!(end.is_some(), expected.is_some(), "{what}");
            assert!((end.unwrap_or(0.0) - expected.unwrap_or(0.0)).abs() < 1e-6, "{what}");
        }
    }
}

/// Elo ± error of the arena fastchess in its own tests (app/tests/elo_test.cpp, pentanomial 1 to
/// 3), whose errors are the ends of the normal interval; printed with two digits after the point.
#[test]
fn the_elo_of_another_arena() {
    let printed = [
        ([34, 54, 63, 64, 75], 55.58, 27.65),
        ([332, 433, 498, 333, 334], -8.64, 10.33),
        ([7895, 8757, 5685, 568, 9999], -21.04, 2.95),
    ];
    for (counts, difference, error) in printed {
        let elo = Evidence::from(Pentanomial { counts }).elo();
        assert!((elo.difference.unwrap() - difference).abs() < 0.006, "{counts:?}");
        // Wilson's ends differ little with so many pairs.
        assert!((elo.error.unwrap() / error - 1.0).abs() < 0.01, "{counts:?}");
    }
}

#[test]
fn a_pair_counts_by_its_points() {
    let mut pairs = Pentanomial::default();
    for values in [[-1, -1], [0, -1], [-1, 1], [0, 0], [1, 0], [7, 2], [1, 1]] {
        pairs.add(values);
    }
    assert_eq!(pairs.counts, [1, 1, 2, 1, 2]);
    assert_eq!((pairs.pairs(), serde_json::to_string(&pairs).unwrap()), (7, "[1,1,2,1,2]".into()));
}

#[test]
fn no_pairs_say_nothing() {
    let none = Pentanomial::default();
    assert_eq!((none.score(), none.variance()), (0.5, 0.0));
    let none = Evidence::from(none);
    assert_eq!((none.los(), none.wilson95()), (0.5, Interval { low: 0.0, high: 1.0 }));
    assert_eq!(none.elo(), Elo { difference: Some(0.0), error: None, ci95: [None, None] });
}

/// Paper 004: a pair is won by who won one game and did not lose the other.
#[test]
fn kalahs_pairs() {
    let won = Tally { wins: 1, draws: 0, losses: 0 };
    let lost = Tally { wins: 0, draws: 0, losses: 1 };
    let games = [
        ([1, 1], won),
        ([0, 1], won),
        ([1, -1], Tally::default()),
        ([0, 0], Tally::default()),
        ([-1, 0], lost),
        ([-1, -1], lost),
    ];
    for (values, tally) in games {
        let mut pairs = Pentanomial::default();
        pairs.add(values);
        assert_eq!(pairs.decisive_pairs(), tally, "{values:?}");
    }
    let many = Pentanomial { counts: [5, 10, 70, 20, 25] };
    assert_eq!(many.decisive_pairs().score(), 0.75);
}

/// If the two games are drawn independently, pairs say the same as games; if the opening decides
/// who wins, they say more.
#[test]
fn pairs_of_independent_games_vary_like_games() {
    let mut rng = Rng::new(5);
    let (mut games, mut pairs) = (Tally::default(), Pentanomial::default());
    for _ in 0..100_000 {
        let values = [(); 2].map(|()| match rng.unit() {
            x if x < 0.5 => 1,
            x if x < 0.7 => 0,
            _ => -1,
        });
        values.iter().for_each(|&value| games.add(value));
        pairs.add(values);
    }
    assert_near(pairs.score(), games.score(), "the score is that of the games");
    // The variance of 200,000 games has a standard error of about 0.2 %.
    let ratio = 2.0 * pairs.variance() / games.variance();
    assert!((ratio - 1.0).abs() < 0.015, "{ratio}");

    // Every opening wins for the side to move: no game says anything about the players.
    let openings = Evidence::from(Pentanomial { counts: [0, 0, 50, 0, 0] });
    let as_games = Tally { wins: 50, draws: 0, losses: 50 };
    let width = |interval: Interval| interval.high - interval.low;
    assert!(width(openings.wilson95()) < width(as_games.wilson95()) / 4.0);
}

/// The interval contains the true score about as often as it says, even with few pairs.
#[test]
fn the_interval_keeps_its_word() {
    let kinds =
        [[0.02, 0.2, 0.56, 0.2, 0.02], [0.1, 0.0, 0.2, 0.0, 0.7], [0.0, 0.01, 0.04, 0.15, 0.8]];
    let mut rng = Rng::new(7);
    for shares in kinds {
        let truth: f64 = shares.iter().zip(0..).map(|(share, i)| share * f64::from(i) / 4.0).sum();
        for n in [10, 50] {
            let mut within = 0;
            for _ in 0..5000 {
                let mut pairs = Pentanomial::default();
                for _ in 0..n {
                    let mut x = rng.unit();
                    let kind = shares.iter().position(|share| {
                        x -= share;
                        x < 0.0
                    });
                    pairs.counts[kind.unwrap_or(4)] += 1;
                }
                let Interval { low, high } = Evidence::from(pairs).wilson95();
                within += u32::from(low <= truth && truth <= high);
            }
            let share = f64::from(within) / 5000.0;
            assert!((0.93..=0.99).contains(&share), "{shares:?}, {n} pairs: {share}");
        }
    }
}

proptest! {
    #[test]
    fn intervals_contain_the_score_and_stay_inside(pairs in any_pairs()) {
        let (score, evidence) = (pairs.score(), Evidence::from(pairs));
        let Interval { low, high } = evidence.wilson95();
        prop_assert!(0.0 <= low && low <= score && score <= high && high <= 1.0 && low < high);
        prop_assert!((0.0..=0.25).contains(&pairs.variance()));
        prop_assert!((0.0..=1.0).contains(&evidence.los()));
        let Elo { difference, ci95: [low, high], .. } = evidence.elo();
        let numbers = [difference, low, high];
        prop_assert!(numbers.iter().flatten().all(|elo| elo.is_finite()));
    }

    #[test]
    fn the_other_player_sees_the_mirror_image(pairs in any_pairs()) {
        let other = pairs.mirrored();
        assert_near(pairs.score(), 1.0 - other.score(), "score");
        assert_near(pairs.variance(), other.variance(), "variance");
        let (us, them) = (Evidence::from(pairs), Evidence::from(other));
        assert_near(us.wilson95().low, 1.0 - them.wilson95().high, "wilson");
        assert_near(us.los(), 1.0 - them.los(), "los");
        if let (Some(us), Some(them)) = (us.elo().error, them.elo().error) {
            assert_near(us, them, "elo");
        }
        let (us, them) = (pairs.decisive_pairs(), other.decisive_pairs());
        prop_assert_eq!((us.wins, us.losses), (them.losses, them.wins));
    }
}
