//! What a published and a measured value say together.

use treegraft_papers::{Comparison, Measurement, Published, Verdict};

/// A value as a paper publishes it.
fn published(metric: &str, value: &str, rest: &str) -> Published {
    let key = if metric == "win_rate" { "win_rate" } else { "value" };
    let text = format!(
        "source = \"\"\ngame = \"\"\nboard = \"\"\nplayer = \"\"\nopponent = \"\"\nbudget = \"\"\n\
         metric = \"{metric}\"\n{key} = {value}\nexperiment = \"x\"\nrow = [\"x\"]\n{rest}"
    );
    toml::from_str(&text).unwrap()
}

fn measured(value: f64, low: f64, high: f64) -> Measurement {
    Measurement { row: vec!["x".to_owned()], value, low, high, count: 100 }
}

#[test]
fn scores() {
    let cases = [
        // The paper's score and games, ours with its interval, and the verdict.
        (70.0, 1000, (72.0, 68.0, 76.0), Verdict::Agrees),
        (70.0, 1000, (80.0, 76.0, 84.0), Verdict::SameSignificance),
        (70.0, 1000, (55.0, 47.0, 63.0), Verdict::SameSign),
        (70.0, 1000, (45.0, 38.0, 52.0), Verdict::Differs),
        (70.0, 1000, (40.0, 35.0, 45.0), Verdict::Opposite),
        (30.0, 1000, (60.0, 55.0, 65.0), Verdict::Opposite),
        (50.5, 1000, (60.0, 56.0, 64.0), Verdict::SameSign),
        (49.5, 1000, (60.0, 56.0, 64.0), Verdict::Differs),
        // It is unknown whether a score without games is significant.
        (70.0, 0, (40.0, 35.0, 45.0), Verdict::Differs),
        (70.0, 0, (70.5, 66.0, 75.0), Verdict::Agrees),
        (70.0, 0, (80.0, 76.0, 84.0), Verdict::SameSign),
    ];
    for (value, games, (ours, low, high), expected) in cases {
        let published = published("win_rate", &format!("{value:?}"), &format!("games = {games}"));
        let comparison = Comparison::new(&published, Some(measured(ours, low, high)));
        assert_eq!(comparison.verdict, expected, "{value} of {games} games and {ours}");
        assert!((comparison.difference().unwrap() - (ours - value)).abs() < 1e-9);
        let is_clear = (value - 50.0_f64).abs() >= 5.0;
        let same = (value > 50.0) == (ours > 50.0);
        assert_eq!(comparison.same_sign(), is_clear.then_some(same));
    }
}

#[test]
fn printed_intervals_count() {
    let printed = published("win_rate", "70.0", "games = 1000\nci_low = 60.0\nci_high = 80.0");
    let verdict = Comparison::new(&printed, Some(measured(85.0, 79.0, 90.0))).verdict;
    assert_eq!(verdict, Verdict::Agrees);
}

#[test]
fn wins_in_a_round_robin_are_shares() {
    let wins = published("round_robin_wins", "1219", "games = 2000");
    assert!((wins.number() - 60.95).abs() < 1e-9 && wins.is_score());
    let ends = wins.interval().unwrap();
    assert!(ends.low > 58.7 && ends.high < 63.1, "{ends:?}");
}

#[test]
fn other_values() {
    let base = published("leaf_expansions_fit_base", "1.68", "games = 0");
    let at = |value: f64| Comparison::new(&base, Some(measured(value, value, value))).verdict;
    assert_eq!(
        [at(1.69), at(1.65), at(1.75)],
        [Verdict::Agrees, Verdict::Differs, Verdict::Differs]
    );
    // 34,187 positions in 1,000 games are 34.187 a game, taken to be as uncertain as ours.
    let length = published("positions_in_1000_games", "34187", "games = 1000");
    let at = |value: f64| {
        Comparison::new(&length, Some(measured(value, value - 1.0, value + 1.0))).verdict
    };
    assert_eq!(
        [at(33.0), at(36.0), at(37.0)],
        [Verdict::Agrees, Verdict::Agrees, Verdict::Differs]
    );
    let speed = published("sims_per_second", "91000", "games = 0");
    let verdict = Comparison::new(&speed, Some(measured(1e6, 1e6, 1e6))).verdict;
    assert_eq!(verdict, Verdict::NotCompared);
    assert_eq!(Comparison::new(&speed, None).verdict, Verdict::NotMeasured);
}
