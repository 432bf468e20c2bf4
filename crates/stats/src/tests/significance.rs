//! Reference values: SciPy 1.17.1 and NumPy 2.4.6, expressions at the tests.

use proptest::prelude::*;

use super::{any_pairs, assert_near};
use crate::*;

fn decided(wins: u32, losses: u32) -> Tally {
    Tally { wins, draws: 11, losses }
}

/// `binomtest(w, w + l).pvalue`
#[test]
fn the_sign_test_is_scipys() {
    let cases = [
        (10, 0, 0.001953125),
        (60, 40, 0.05688793364098089),
        (40, 60, 0.05688793364098089),
        (37, 42, 0.6529643755164601),
        (5, 5, 1.0),
        (5, 6, 1.0),
        (3, 0, 0.25),
        (0, 0, 1.0),
        (700, 300, 1.7665678007949568e-37),
        (51_234, 50_000, 0.00010649512940222249),
    ];
    for (wins, losses, p) in cases {
        let ours = sign_test(decided(wins, losses));
        assert!((ours - p).abs() <= 1e-8 * p, "{wins} : {losses}: {ours}, not {p}");
    }
    assert!((0.0..=1.0).contains(&sign_test(decided(2_000_000_000, 2_000_000_000))));
}

/// `v = np.repeat(np.arange(5) / 4, counts); d = v - 0.5; z = d.sum() / sqrt((d * d).sum());
/// 2 * norm.sf(abs(z))`
#[test]
fn a_score_against_half() {
    let cases = [
        ([34, 54, 63, 64, 75], 3.9087054556912038, 9.279201381378179e-05),
        ([332, 433, 498, 333, 334], -1.6391706642300257, 0.10117772155859939),
        ([0, 0, 0, 0, 7], 2.6457513110645903, 0.0081509715935027),
        ([3, 0, 0, 0, 0], -1.7320508075688774, 0.0832645166635504),
        ([0, 0, 10, 0, 0], 0.0, 1.0),
        ([0, 0, 0, 0, 0], 0.0, 1.0),
    ];
    for (counts, z, p) in cases {
        let ours = against_half(Pentanomial { counts });
        assert_near(ours.z, z, &format!("{counts:?}"));
        assert_near(ours.p, p, &format!("{counts:?}"));
    }
    // McNemar: (60 - 40) / sqrt(100), whatever the draws.
    assert_near(against_half(decided(60, 40)).z, 2.0, "McNemar");
    assert_eq!(against_half(Tally::default()), Test { z: 0.0, p: 1.0 });
}

/// `a, b = (np.repeat(np.arange(5) / 4, c) for c in counts); m = np.concatenate([a, b]).mean();
/// z = (a.mean() - b.mean()) / sqrt(((a-m)**2).mean() / len(a) + ((b-m)**2).mean() / len(b));
/// 2 * norm.sf(abs(z))`
#[test]
fn two_rows_compared() {
    let cases = [
        (
            [34, 54, 63, 64, 75],
            [332, 433, 498, 333, 334],
            4.2341359113552715,
            2.2943216370037942e-05,
        ),
        ([5, 20, 100, 60, 30], [10, 40, 90, 30, 20], 3.7491550333131487, 0.0001774313785730332),
        ([0, 0, 9, 0, 0], [0, 0, 4, 0, 0], 0.0, 1.0),
        ([0, 0, 9, 0, 0], [0, 0, 0, 0, 0], 0.0, 1.0),
    ];
    for (a, b, z, p) in cases {
        let ours = compare(Pentanomial { counts: a }, Pentanomial { counts: b });
        assert_near(ours.z, z, &format!("{a:?} {b:?}"));
        assert_near(ours.p, p, &format!("{a:?} {b:?}"));
    }
    // The textbook's pooled test of 60 % and 45 % of 100 each: 0.15 / sqrt(0.525 * 0.475 * 2 /
    // 100).
    let [a, b] = [60, 45].map(|wins| Tally { wins, draws: 0, losses: 100 - wins });
    assert_near(compare(a, b).z, 2.1239769762143657, "pooled");
}

/// How often equal players differ significantly: as often as the p-value says.
#[test]
fn the_tests_err_as_often_as_they_say() {
    let mut rng = treegraft::Rng::new(3);
    let mut draw = |pairs: u32| {
        let mut counts = [0; 5];
        for _ in 0..pairs {
            // Means ½, with draws, the games of a pair offsetting each other.
            counts[[0, 1, 1, 2, 2, 2, 2, 3, 3, 4][rng.below(10) as usize]] += 1;
        }
        Pentanomial { counts }
    };
    let (mut half, mut two) = (0, 0);
    for _ in 0..10_000 {
        let (a, b) = (draw(100), draw(60));
        half += u32::from(against_half(a).p < 0.05);
        two += u32::from(compare(a, b).p < 0.05);
    }
    for errors in [half, two] {
        assert!((400..=600).contains(&errors), "{half} {two}");
    }
}

#[test]
fn repeated_games() {
    assert!(!too_many_repeats(0.0, 0) && !too_many_repeats(90.0, 100));
    assert!(too_many_repeats(89.9, 100) && too_many_repeats(2.0, 1_000_000_000));
    let worth = |times: &[u32]| {
        let mut repeats = Repeats::default();
        for (pair, &times) in times.iter().enumerate() {
            (0..times).for_each(|_| repeats.add([pair as u64, 7]));
        }
        assert_eq!(repeats.distinct() as usize, times.len());
        repeats.worth()
    };
    assert_eq!(worth(&[]), 0.0);
    assert_eq!(worth(&[1; 40]), 40.0);
    // Two pairs repeated 50 times each are two pairs.
    assert_eq!(worth(&[50, 50]), 2.0);
    assert!(worth(&[97, 1, 1, 1]) < 1.1);
    // A single game is the first one of its pair once more.
    let mut repeats = Repeats::default();
    (0..2).for_each(|_| repeats.add([1, 2]));
    repeats.add_single(1);
    assert_eq!((repeats.distinct(), repeats.worth()), (1, 1.0));
    repeats.add_single(2);
    assert_eq!(repeats.distinct(), 2);
}

/// However often a pair is repeated, it proves no more than once; as many different pairs prove
/// what they always did.
#[test]
fn repetitions_are_no_evidence() {
    for counts in [[0, 0, 0, 0, 10], [2, 0, 6, 0, 2], [0, 3, 0, 6, 1], [0, 0, 9, 0, 0]] {
        let pairs = Pentanomial { counts };
        let often = Pentanomial { counts: counts.map(|count| 100 * count) };
        let once = Evidence::from(pairs);
        let repeated = Evidence { pairs: often, worth: once.worth };
        assert_eq!(repeated.wilson95(), once.wilson95());
        assert_eq!((repeated.elo(), repeated.los()), (once.elo(), once.los()));
        let sprt = Sprt::new(0.0, 20.0, 0.05, 0.05).unwrap();
        assert!((sprt.llr(repeated) - sprt.llr(once)).abs() < 1e-3);
        let other = Pentanomial { counts: [5, 1, 2, 0, 0] };
        let (a, b) = (compare(repeated, other), compare(once, other));
        assert!((a.z - b.z).abs() < 1e-12 && (a.p - b.p).abs() < 1e-12);
    }
    // Ten times the same pair of wins: one pair, which counts as one game.
    let won = Evidence { pairs: Pentanomial { counts: [0, 0, 0, 0, 10] }, worth: 1.0 };
    let interval = won.wilson95();
    assert!((interval.low - 0.2065).abs() < 1e-4 && interval.high == 1.0, "{interval:?}");
    assert!((won.test().p - 0.3173).abs() < 1e-4);
    let whole = bradley_terry(&[(0, 1, [6.0, 1.0, 3.0])], 2).unwrap();
    let few = bradley_terry(&[(0, 1, [1.2, 0.2, 0.6])], 2).unwrap();
    assert!((whole.players[0].elo - few.players[0].elo).abs() < 1e-6);
    let [whole, few] = [whole, few].map(|ratings| ratings.players[0].error.unwrap());
    assert!((few / whole - 5f64.sqrt()).abs() < 1e-6);
}

proptest! {
    #[test]
    fn tests_mirror_and_never_fail(a in any_pairs(), b in any_pairs()) {
        for (us, them) in [
            (compare(a, b), compare(b, a)),
            (compare(a, b), compare(b.mirrored(), a.mirrored())),
            (against_half(a), against_half(a.mirrored())),
        ] {
            prop_assert!(us.z.is_finite() && (0.0..=1.0).contains(&us.p));
            assert_near(us.z.abs(), them.z.abs(), "z");
            assert_near(us.p, them.p, "p");
        }
        let tally = a.decisive_pairs();
        prop_assert!((0.0..=1.0).contains(&sign_test(tally)));
    }
}
