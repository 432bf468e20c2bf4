//! The memory limit is a guarantee: peak resident memory, less that of an idle program, stays
//! within 1.05 times the limit plus 16 MiB, while the tree fills up and beyond. Only on Linux,
//! where the kernel counts.
#![cfg(target_os = "linux")]

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use crate::common::command;

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
            let (idle, _) = peak(game, &format!("{player}@1nodes,1MiB"));
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

#[test]
fn larger_trees_keep_the_limit() {
    keeps_the_limit(&["connect4"], &["mcts-ab"], &[64]);
    keeps_the_limit(&["hex:11"], &["fsss"], &[64]);
}

/// Peak resident bytes of a running program.
fn peak_so_far(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib << 10)
}

/// By how much the peak of an engine grows while it searches the same position again and again. A
/// kept tree is moved in memory that belongs to the limit too.
fn grown_by_reuse(game: &str, player: &str, limit: u64, iterations: u64) -> u64 {
    let mut process = command(&["engine", game, player])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut to = process.stdin.take().expect("piped");
    let mut from = BufReader::new(process.stdout.take().expect("piped")).lines();
    let mut go = |iterations: u64| {
        writeln!(to, "go seed 1 iterations {iterations} memory {limit}").expect("it listens");
        let is_answer = |line: &std::io::Result<String>| {
            line.as_ref().is_ok_and(|line| line.starts_with("bestmove"))
        };
        assert!(from.any(|line| is_answer(&line)), "{game} {player}: no move");
        peak_so_far(process.id()).expect("it runs")
    };
    let idle = go(1);
    let grown = [(); 3].map(|()| go(iterations))[2] - idle;
    drop(to);
    process.wait().expect("it ends with its input");
    grown
}

#[test]
fn kept_trees_keep_the_limit() {
    // With two moves per position, every second row has a family of its own.
    for game in ["tree:branching=2,height=24", "hex:9"] {
        for player in ["uct(reuse)", "mcts-solver(reuse)"] {
            let grown = grown_by_reuse(game, player, 8 * MIB, 160_000);
            let most = (8 * MIB) as f64 * 1.05 + (MIB / 2) as f64;
            assert!(grown as f64 <= most, "{game} {player}: {grown} bytes");
        }
    }
}

/// Peak resident bytes of a match, as far as it was seen: it is polled all the time.
fn peak_of_match(game: &str, player: &str) -> u64 {
    let mut process = command(&["match", game, player, player, "--games", "2", "--jobs", "1"])
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut peak = 0;
    while process.try_wait().expect("it runs").is_none() {
        peak = peak.max(peak_so_far(process.id()).unwrap_or(0));
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    peak
}

fn matches_keep_the_limit(limit: u64, iterations: u64) {
    for game in ["connect4", "tree:branching=2,height=40"] {
        let player = |budget: &str| format!("mcts-solver(reuse)@{budget}");
        let idle = peak_of_match(game, &player("1it,1MiB"));
        let peak = peak_of_match(game, &player(&format!("{iterations}it,{limit}MiB")));
        let grown = peak.saturating_sub(idle);
        // Both players have a tree.
        let most = (2 * limit * MIB) as f64 * 1.05 + (16 * MIB) as f64;
        assert!(grown as f64 <= most, "{game} {limit} MiB: {grown} bytes");
        println!(
            "{game:<26} limit {limit:>5} MiB: resident +{:>7.1} MiB",
            grown as f64 / MIB as f64
        );
    }
}

#[test]
fn matches_with_kept_trees_keep_the_limit() {
    matches_keep_the_limit(8, 10_000);
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
#[ignore = "a quarter of an hour: cargo xtask test-long"]
fn trees_of_any_size_keep_the_limit() {
    keeps_the_limit(GAMES, &["mcts-solver", "ab"], &[16, 64, 256, 1024]);
    keeps_the_limit(&["connect4", "hex:11", "loa"], &["mcts-ab", "fsss"], &[64, 256, 1024]);
    matches_keep_the_limit(64, 200_000);
}
