//! Reference values: statsmodels 0.15.0 `proportion_confint(wins + draws / 2, n, method="wilson")`,
//! SciPy 1.17.1 `norm.cdf` and `norm.ppf(0.975)`, NumPy `var`; Elo by -400 log10(1/s - 1) in
//! Python.

use super::assert_near;
use crate::*;

struct Case {
    tally: (u32, u32, u32),
    wilson: (f64, f64),
    elo: (Option<f64>, Option<f64>, Option<f64>),
}

const CASES: &[Case] = &[
    Case {
        tally: (10, 0, 0),
        wilson: (0.7224672001371106, 1.0),
        elo: (None, Some(166.20152718389085), None),
    },
    Case {
        tally: (0, 0, 7),
        wilson: (0.0, 0.3543304350666875),
        elo: (None, None, Some(-104.24074318959367)),
    },
    Case {
        tally: (60, 0, 40),
        wilson: (0.5020025867910618, 0.6905987135675411),
        elo: (Some(70.43650362227247), Some(1.3915472694525466), Some(139.48145997509243)),
    },
    Case {
        tally: (37, 21, 42),
        wilson: (0.3798722011577489, 0.5719774737526003),
        elo: (Some(-17.386277512436106), Some(-85.1374747525456), Some(50.36491972767331)),
    },
    Case {
        tally: (0, 5, 0),
        wilson: (0.1704235806435877, 0.8295764193564124),
        elo: (Some(0.0), Some(-274.9306852258807), Some(274.9306852258809)),
    },
    Case {
        tally: (995, 3, 2),
        wilson: (0.9904821603417904, 0.9987178684820535),
        elo: (Some(981.7637034744939), Some(806.9233094501104), Some(1156.6040974988875)),
    },
    Case {
        tally: (123, 456, 78),
        wilson: (0.49601505075086644, 0.5720799505529333),
        elo: (Some(23.83427599369763), Some(-2.7690849823910084), Some(50.43763696978629)),
    },
];

fn assert_both_near(ours: Option<f64>, theirs: Option<f64>, what: &str) {
    match (ours, theirs) {
        (Some(ours), Some(theirs)) => assert_near(ours, theirs, what),
        _ => assert_eq!(ours, theirs, "{what}"),
    }
}

#[test]
fn the_same_values_as_scipy_and_statsmodels() {
    for case in CASES {
        let (wins, draws, losses) = case.tally;
        let tally = Tally { wins, draws, losses };
        let what = format!("{tally:?}");
        let wilson = tally.wilson95();
        assert_near(wilson.low, case.wilson.0, &what);
        assert_near(wilson.high, case.wilson.1, &what);
        let elo = Elo::of_interval(tally.score(), wilson);
        assert_both_near(elo.difference, case.elo.0, &what);
        assert_both_near(elo.ci95[0], case.elo.1, &what);
        assert_both_near(elo.ci95[1], case.elo.2, &what);
        let finite = case.elo.1.zip(case.elo.2).map(|(low, high)| (high - low) / 2.0);
        assert_both_near(elo.error, finite, &what);
    }
}

#[test]
fn no_games_say_nothing() {
    let none = Tally::default();
    assert_eq!(none.score(), 0.5);
    assert_eq!(none.wilson95(), Interval { low: 0.0, high: 1.0 });
    let elo = Elo::of_interval(none.score(), none.wilson95());
    assert_eq!(elo, Elo { difference: Some(0.0), error: None, ci95: [None, None] });
}

#[test]
fn infinite_elo_is_written_as_null() {
    let won = Tally { wins: 3, draws: 0, losses: 0 };
    let elo = Elo::of_interval(won.score(), won.wilson95());
    let json = serde_json::to_value(elo).unwrap();
    assert!(json["difference"].is_null() && json["error"].is_null(), "{json}");
    let interval = serde_json::to_string(&Interval { low: 0.25, high: 0.75 }).unwrap();
    assert_eq!(interval, "[0.25,0.75]");
}

#[test]
fn the_other_player_sees_the_mirror_image() {
    for case in CASES {
        let (wins, draws, losses) = case.tally;
        let (us, them) =
            (Tally { wins, draws, losses }, Tally { wins: losses, draws, losses: wins });
        assert_near(us.wilson95().low, 1.0 - them.wilson95().high, "wilson");
        let [us, them] = [us, them].map(|it| Elo::of_interval(it.score(), it.wilson95()));
        assert_both_near(us.ci95[0], them.ci95[1].map(|elo| -elo), "elo");
    }
}

/// Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17
/// (1998), table I, method 3: the four examples, to the four digits printed.
#[test]
fn newcombes_examples_of_wilsons_interval() {
    let examples = [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ];
    for (wins, games, low, high) in examples {
        let ours = Tally { wins, draws: 0, losses: games - wins }.wilson95();
        assert!((ours.low - low).abs() < 5e-5 && (ours.high - high).abs() < 5e-5, "{ours:?}");
    }
}
