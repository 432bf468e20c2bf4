//! Ledgers as a user who keeps results in a repository sees them.

use crate::experiments::Lab;

const GAUNTLET: &str = r#"
title = "Ledger"
game = "othello"
games = 12
players = ["mcts@20it,1MiB", "greedy", "random"]
openings = { random = 2 }
"#;

/// What every reader says: reports in all formats, and the standing.
fn readings(lab: &Lab, store: &str) -> Vec<String> {
    let mut all = Vec::new();
    for format in ["text", "markdown", "latex", "csv", "json"] {
        let report = ["report", "it.toml", "--store", store, "--compare", "1", "--format", format];
        all.push(lab.ok(&report));
    }
    lab.ok(&["report", "it.toml", "--store", store, "--plot", "plot.svg"]);
    all.push(std::fs::read_to_string(lab.file("plot.svg")).unwrap());
    for json in [&["--json"][..], &[]] {
        let status = lab.ok(&[&["status", "it.toml", "--store", store], json].concat());
        all.push(status.replace(store, "STORE"));
    }
    all
}

#[test]
fn a_ledger_is_read_like_a_store() {
    let lab = Lab::new("ledger", GAUNTLET);
    lab.ok(&["run", "it.toml", "--quiet", "--no-plot", "--jobs", "2"]);
    let ledger = lab.ok(&["export", "it.toml", "--format", "ledger"]);
    lab.ok(&["export", "it.db", "--format", "ledger", "--output", "it.txt"]);
    assert_eq!(std::fs::read_to_string(lab.file("it.txt")).unwrap(), ledger);
    assert_eq!(readings(&lab, "it.txt"), readings(&lab, "it.db"));
    assert_eq!(lab.ok(&["export", "it.txt", "--format", "ledger"]), ledger);
    // The order of playing leaves no trace.
    lab.ok(&["run", "it.toml", "--quiet", "--no-plot", "--jobs", "1", "--store", "one.db"]);
    assert_eq!(lab.ok(&["export", "one.db", "--format", "ledger"]), ledger);
    let times = lab.ok(&["report", "it.toml", "--store", "it.txt", "--times", "--table", "times"]);
    assert!(times.contains("keeps no times of games that follow from their seeds"), "{times}");

    let [csv, all] = ["it.txt", "it.db"].map(|store| lab.ok(&["export", store]));
    let outcomes = |csv: &str| {
        let mut rows: Vec<String> =
            csv.lines().map(|line| line.split(',').take(3).collect()).collect();
        rows.sort();
        rows
    };
    assert_eq!(outcomes(&csv), outcomes(&all));
    assert_eq!((csv.lines().count(), csv.lines().nth(1).unwrap().contains(",,")), (37, true));

    let verified = lab.json(&["verify", "it.txt", "--json"]);
    assert_eq!(
        (&verified["games_replayed"], &verified["pairs_played_again"]),
        (&0.into(), &18.into())
    );
    assert_eq!(verified["differences"].as_array().map(Vec::len), Some(0));
    let sample =
        ["verify", "it.toml", "--store", "it.txt", "--sample", "5", "--jobs", "2", "--json"];
    let sampled = lab.json(&sample);
    assert_eq!(
        (&sampled["pairs_played_again"], &sampled["pairs_not_sampled"]),
        (&5.into(), &13.into())
    );

    let refused = lab.fails(2, &["run", "it.toml", "--store", "it.txt"]);
    assert!(refused.contains("is a ledger, which is read and verified but not played into"));
    let refused = lab.fails(2, &["export", "it.txt", "--salvage"]);
    assert!(refused.contains("--salvage recovers stores"), "{refused}");
    let refused = lab.fails(2, &["export", "it.db", "--salvage", "--format", "ledger"]);
    assert!(refused.contains("made of intact stores only"), "{refused}");
    assert_eq!(std::fs::read_to_string(lab.file("it.txt")).unwrap(), ledger);

    // Edits are detected.
    let (before, rest) = ledger.split_once("\"greedy\":\"").unwrap();
    std::fs::write(lab.file("it.txt"), format!("{before}\"greedy\":\"0{}", &rest[1..])).unwrap();
    for command in ["report", "status", "verify", "export"] {
        let refused = lab.fails(1, &[command, "it.toml", "--store", "it.txt"]);
        assert!(refused.contains("is damaged in line 3: "), "{refused}");
    }
}
