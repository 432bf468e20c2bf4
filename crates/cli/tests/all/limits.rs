//! More memory than there is, and plans that are too large: errors that say the limit, at once.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::{command, finish, ok, refused};

/// An experiment in a file of its own.
fn experiment(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("limits-{name}.toml"));
    let _ = std::fs::remove_file(path.with_extension("db"));
    std::fs::write(&path, text).unwrap();
    path
}

#[cfg(target_os = "linux")]
#[test]
fn memory_that_no_machine_has_is_refused() {
    let all: [&[&str]; 10] = [
        &["analyze", "connect4", "ab@8000000GiB,5plies"],
        &["analyze", "connect4", "mcts@8000000GiB,5it"],
        &["analyze", "connect4", "fsss@8000000GiB,5it"],
        &["solve", "connect4:4x4", "--memory", "8000000GiB"],
        &["solve", "connect4:4x4", "--with", "mtd(f)@8000000GiB"],
        &["match", "connect4", "ab@8000000GiB,5plies", "random", "--jobs", "1"],
        &["play", "connect4", "ab@8000000GiB,5plies"],
        &["traps", "connect4", "--player", "ab@8000000GiB,5plies", "--games", "2"],
        &["categories", "loa", "--player", "ab@8000000GiB,5plies", "--games", "2"],
        &["engine", "connect4", "ab@8000000GiB,5plies"],
    ];
    for args in all {
        let error = refused(args);
        assert!(error.contains("TiB of memory"), "{error}");
        assert!(error.contains(" is requested, but "), "{error}");
    }
    for (jobs, memory) in [("1", "8000000GiB"), ("64", "4096GiB")] {
        let players = format!("players = [\"ab@5plies,{memory}\", \"random\"]");
        let file = experiment(
            &format!("memory-{jobs}"),
            &format!("game = \"connect4\"\ngames = 1000\n{players}\n"),
        );
        let name = file.to_str().unwrap();
        for args in
            [&["run", name, "--jobs", jobs][..], &["run", name, "--dry-run", "--jobs", jobs]]
        {
            let error = refused(args);
            assert!(error.contains(" is requested, but "), "{error}");
        }
        assert!(!file.with_extension("db").exists(), "nothing is begun");
        // Reading does not depend on the machine.
        assert!(ok(&["status", name]).contains("0 of 1,000 played"));
    }
}

#[test]
fn an_engine_survives_a_wish_for_all_memory() {
    let mut engine = command(&["engine", "connect4", "ab"]);
    let mut engine =
        engine.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let orders = "go plies 1 memory 18446744073709551615\ngo plies 1 memory 100000\n";
    engine.stdin.take().unwrap().write_all(orders.as_bytes()).unwrap();
    let output = engine.wait_with_output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}");
    let bestmoves = said.lines().filter(|line| line.starts_with("bestmove ")).count();
    if cfg!(target_os = "linux") {
        assert!(
            said.starts_with("error go: 16777216.0 TiB of memory is requested, but "),
            "{said}"
        );
        assert_eq!(bestmoves, 1, "{said}");
    } else {
        assert_eq!(bestmoves, 2, "{said}");
    }
}

/// The limits of a process, as `ulimit -v` sets them.
#[cfg(target_os = "linux")]
#[test]
fn limits_of_the_process_count() {
    let limited = |kib: &str, player: &str| {
        let mut shell = Command::new("sh");
        let script = "ulimit -v \"$1\" && exec \"$0\" analyze connect4 \"$2\"";
        shell.args(["-c", script, env!("CARGO_BIN_EXE_treegraft"), kib, player]);
        finish(shell)
    };
    let refused = limited("1000000", "ab@2GiB,5plies");
    assert_eq!(refused.code, Some(2), "{}", refused.err);
    assert!(refused.err.contains("the process may use 976.6 MiB (ulimit)"), "{}", refused.err);
    // The default of 256 MiB is not an order: there is less, and the search makes do.
    for player in ["ab@5plies", "mcts@5it", "fsss@5it"] {
        let run = limited("300000", player);
        assert_eq!(run.code, Some(0), "{player}: {}", run.err);
    }
}

#[test]
fn plans_have_a_largest_size() {
    let players = "players = [\"random\", \"greedy\"]";
    let many: Vec<String> = (1..=500).map(|n| format!("\"mcts@{n}it\"")).collect();
    for (name, text, said) in [
        ("games", format!("games = 1000000000000000000\n{players}"), "expected 10,000,000 at most"),
        ("odd", format!("games = 10000002\n{players}"), "expected 10,000,000 at most"),
        (
            "grid",
            "games = 1000\n[sweep]\nplayer = \"mcts@{n = 1..99999 step 1}it\"\nagainst = \"random\""
                .to_owned(),
            "the plan has 99,999,000 games in 99,999 pairings; expected 10,000,000 at most",
        ),
        (
            "opponents",
            "games = 2\n[sweep]\nplayer = \"mcts@{n = 1..60000 step 1}it\"\n\
             against = [\"random\", \"greedy\"]"
                .to_owned(),
            "the plan has 120,000 pairings; expected 100,000 at most",
        ),
        (
            "robin",
            format!("games = 2\nplayers = [{}]", many.join(", ")),
            "the plan has 124,750 pairings; expected 100,000 at most",
        ),
        (
            "openings",
            format!("games = 2\n{players}\nopenings = {{ generated = {{ count = 4000000000 }} }}"),
            "count is 4000000000; expected 5,000,000 at most",
        ),
    ] {
        let file = experiment(name, &format!("game = \"connect4\"\n{text}\n"));
        let error = refused(&["status", file.to_str().unwrap()]);
        assert!(error.contains(said), "{name}: {error}");
    }
}
