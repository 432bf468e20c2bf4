//! A program of one's own, `examples/your_program.rs`: every command works for its game, its search
//! and its evaluation.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::common::{Run, finish};

fn yours(args: &[&str]) -> Command {
    // `cargo test` builds the examples beside the program.
    let program = Path::new(env!("CARGO_BIN_EXE_treegraft")).with_file_name("examples");
    let mut command = Command::new(program.join("your_program"));
    command.args(args).stdin(Stdio::null()).current_dir(env!("CARGO_TARGET_TMPDIR"));
    command
}

fn ok(args: &[&str]) -> String {
    let Run { code, out, err } = finish(yours(args));
    assert_eq!((code, err.as_str()), (Some(0), ""), "{args:?}");
    out
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&ok(args)).expect("JSON")
}

#[test]
fn an_own_game_keeps_the_contract_and_is_listed() {
    assert!(ok(&["check", "dots:2x2"]).contains("dots:2x2: passed"));
    assert!(ok(&["games", "dots"]).contains("who completes a box owns it"));
    assert!(ok(&["games"]).contains("\nconnect4\n") || ok(&["games"]).starts_with("connect4\n"));
    assert!(ok(&["players", "flat"]).contains("playouts, no tree"));
    let shown = ok(&["show", "dots:1x1", "--moves", "a1b1 a1a2 b1b2", "--ascii"]);
    assert!(shown.contains("1 +--+\n  |  |\n2 +  +\n"), "{shown}");
    // The line that completes the only box is drawn by Second, who would move again.
    let over = json(&["show", "dots:1x1", "--moves", "a1b1,a1a2,b1b2,a2b2", "--json"]);
    assert_eq!((&over["outcome"], &over["margin"]), (&"second".into(), &(-1).into()));
    let again = json(&["show", "dots:2x1", "--moves", "a1b1 a1a2 b1b2 a2b2", "--json"]);
    assert_eq!(again["to_move"], "second");
    assert_eq!(json(&["perft", "dots:1x1", "--depth", "4", "--json"])["nodes"], 24);
}

#[test]
fn own_searches_and_evaluations_play() {
    let played = json(&["match", "dots", "flat@300it", "random", "--games", "10", "--json"]);
    assert!(played["score"].as_f64().is_some_and(|score| score > 0.8), "{played}");
    assert_eq!((&played["game"], &played["a"]), (&"dots".into(), &"flat@300it".into()));
    // Any game of the registry, through its board.
    let other = json(&["match", "connect4", "flat@300it", "random", "--games", "6", "--json"]);
    assert!(other["score"].as_f64().is_some_and(|score| score > 0.5), "{other}");
    let nodes = |player: &str| json(&["analyze", "dots", player, "--json"])["digest"].clone();
    assert_ne!(nodes("ab(eval=chains)@2000nodes"), nodes("ab(eval=none)@2000nodes"));
    // Three lines around a box are something to take for Second, who is to move.
    let said = json(&["eval", "dots", "--moves", "a1b1 a1a2 b1b2", "--json"]);
    let chains = &said["evaluations"][0];
    assert_eq!((&chains["name"], &chains["points"]), (&"chains".into(), &(-40_000.0).into()));
    assert_eq!((&chains["value_first"], &chains["value"]), (&(-0.04).into(), &0.04.into()));
    assert_eq!(chains["parts"][1]["second"], 1.0);
    let solved = json(&["solve", "dots:2x1", "--json"]);
    let by_evaluation = json(&["solve", "dots:2x1", "--with", "ab(eval=chains)", "--json"]);
    assert_eq!(solved["proven"], true);
    assert_eq!(solved["margin"], by_evaluation["margin"]);
    let traps = json(&["traps", "dots:2x1", "--games", "2", "--player", "flat@20it", "--json"]);
    assert_eq!(traps["game"], "dots:2x1");
    let refused = finish(yours(&["match", "connect4", "ab(eval=chains)", "random"]));
    assert_eq!(refused.code, Some(2));
    assert!(
        refused.err.contains("eval is \"chains\", which connect4 does not have"),
        "{}",
        refused.err
    );
    let misspelt = finish(yours(&["match", "dost", "random", "random"]));
    assert!(misspelt.err.contains("try: dots"), "{}", misspelt.err);
}

const EXPERIMENT: &str = r#"
title = "Dots"
game = "dots"
games = 60
seed = 1
players = ["flat@1500it", { name = "chains", player = "ab(eval=chains)@800nodes,1MiB" }, "mcts@800it,1MiB"]
openings = { random = 2 }
"#;

/// A folder with an experiment in it.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("your-program-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("dots.toml"), EXPERIMENT).expect("a file");
    folder
}

#[test]
fn an_experiment_is_interrupted_continued_verified_and_reported() {
    let (whole, broken) = (folder("whole"), folder("broken"));
    let file = |folder: &Path| folder.join("dots.toml").display().to_string();
    ok(&["run", &file(&whole), "--quiet", "--jobs", "1"]);
    let report = ok(&["report", &file(&whole)]);
    assert!(report.contains("flat@1500it  chains"), "{report}");
    for _ in 0..3 {
        let mut child = yours(&["run", &file(&broken), "--quiet"]).spawn().expect("it starts");
        thread::sleep(Duration::from_millis(150));
        let _ = child.kill();
        let _ = child.wait();
    }
    ok(&["run", &file(&broken), "--quiet"]);
    assert_eq!(
        ok(&["report", &file(&broken), "--table", "results"]),
        ok(&["report", &file(&whole), "--table", "results"])
    );
    let verified = json(&["verify", &file(&broken), "--json"]);
    assert_eq!(verified["pairs_played_again"], 90, "{verified}");
    assert_eq!(verified["differences"], Value::Array(vec![]));
}

#[test]
fn an_own_game_is_played_at_the_board_and_by_engines() {
    let typed = |args: &[&str], input: &str| {
        let mut child =
            yours(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        child.stdin.take().expect("it listens").write_all(input.as_bytes()).expect("it reads");
        String::from_utf8(child.wait_with_output().expect("it ends").stdout).expect("text")
    };
    let game = typed(&["play", "dots:1x1", "mcts@50it", "--seed", "1"], "a1b1\nquit\n");
    assert!(game.contains("Second plays "), "{game}");
    let engine =
        typed(&["engine", "dots", "flat@50it"], "position startpos moves a1b1\ngo\nquit\n");
    assert!(engine.contains("bestmove "), "{engine}");
}
