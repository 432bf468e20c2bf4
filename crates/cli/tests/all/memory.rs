//! The memory limit is a guarantee: peak resident memory, less that of an idle program, stays
//! within 1.05 times the limit plus 16 MiB, while the tree fills up and beyond. Only on Linux,
//! where the kernel counts.
#![cfg(target_os = "linux")]

use std::process::{Command, Stdio};

const MIB: u64 = 1 << 20;

/// Peak resident bytes of the program, and the bytes of tree it says it used.
fn peak(game: &str, player: &str) -> (u64, u64) {
    let program = env!("CARGO_BIN_EXE_treegraft");
    let output = Command::new(program)
        .args(["analyze", game, player, "--json"])
        .stderr(Stdio::inherit())
        .output()
        .expect("the program runs");
    assert!(output.status.success(), "{game} {player}");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let number = |key: &str| report[key].as_u64().unwrap_or_else(|| panic!("no {key}"));
    (number("peak_resident"), number("memory"))
}

fn keeps_the_limit(games: &[&str], players: &[&str], limits: &[u64]) {
    for game in games {
        for player in players {
            let (idle, _) = peak(game, &format!("{player}@1it,1MiB"));
            for &limit in limits {
                // Long enough to fill it and to go on.
                let seconds = (limit / 40).max(2);
                let (peak, used) = peak(game, &format!("{player}@{seconds}s,{limit}MiB"));
                let most = (limit * MIB) as f64 * 1.05 + (16 * MIB) as f64;
                let grown = peak.saturating_sub(idle);
                assert!(grown as f64 <= most, "{game} {player} {limit} MiB: {grown} bytes");
                println!(
                    "{game:<18} {player:<12} limit {limit:>5} MiB: tree or table {:>7.1} MiB, \
                     resident +{:>7.1} MiB",
                    used as f64 / MIB as f64,
                    grown as f64 / MIB as f64
                );
            }
        }
    }
}

#[test]
fn small_trees_keep_the_limit() {
    keeps_the_limit(&["connect4", "hex:11"], &["mcts-solver", "mcts-ab", "fsss", "ab"], &[16]);
}

const GAMES: &[&str] = &[
    "connect4",
    "breakthrough:6x6",
    "breakthrough",
    "othello",
    "lion",
    "hex:11",
    "kalah",
    "loa",
    "tree:branching=8,height=30",
];

#[test]
#[ignore = "ten minutes: cargo xtask test-long"]
fn trees_of_any_size_keep_the_limit() {
    keeps_the_limit(GAMES, &["mcts-solver", "ab"], &[16, 64, 256, 1024]);
}
