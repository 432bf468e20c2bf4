//! `treegraft accuracy`, as users meet it.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::{command, finish, json, ok, refused};

fn temporary(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cli-accuracy-{name}"));
    let _ = std::fs::remove_file(&path);
    path
}

#[test]
fn the_example_of_the_readme_needs_no_file() {
    let players = ["mcts-solver@1000it", "mcts-ms-2-visit-1@1000it", "ab@1000nodes"];
    let text = ok(&[&["accuracy", "connect4"], &players[..]].concat());
    for words in [
        "game       connect4\n",
        "positions  100, drawn at random with seed 1, and solved\n",
        "Moves that keep the value, connect4\n",
        "Position by position\n",
        "kept                                        100\n",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let rows = |text: &str, player: &str| text.lines().filter(|it| it.contains(player)).count();
    assert!(players.iter().all(|player| rows(&text, player) == 3), "{text}");
}

#[test]
fn positions_are_saved_read_and_checked() {
    let path = temporary("set.txt");
    let file = path.to_str().unwrap();
    let game = "connect4:5x4";
    let seed = ["--seed", "5", "--positions", "12"];
    ok(&[&["accuracy", game, "--save", file], &seed[..]].concat());
    let measured = |more: &[&str]| -> Value {
        let mut found = json(&[&["accuracy", game, "mcts@50it", "--json"], more].concat());
        let player = found["players"][0].as_object_mut().unwrap();
        assert!(player.remove("seconds").is_some());
        found["players"].take()
    };
    // The seed is that of the players too.
    assert_eq!(measured(&seed), measured(&[&seed[..], &["--jobs", "1"]].concat()));
    let text = ok(&["accuracy", game, "mcts@50it", "--from", file, "--check"]);
    assert!(text.contains("checked    every move of every position\n"), "{text}");
    // A value that is wrong is found.
    let saved = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, saved.replacen(":-1 ", ":0 ", 1)).unwrap();
    let run = finish(command(&["accuracy", game, "--from", file, "--check"]));
    assert_eq!(run.code, Some(1), "{}", run.err);
    assert!(run.err.contains("is -1, not 0"), "{}", run.err);
    let error = refused(&["accuracy", "hex:3", "random", "--from", file]);
    assert!(error.contains("of connect4:5x4, not of hex:3"), "{error}");
}

#[test]
fn budgets_make_a_plot() {
    let path = temporary("plot.svg");
    let plot = path.to_str().unwrap();
    let budgets = ["--budgets", "10it,100it", "--positions", "10"];
    let args = ["accuracy", "connect4", "uct", "random", "--plot", plot];
    let text = ok(&[&args[..], &budgets[..]].concat());
    assert!(text.contains("uct@10it") && text.contains("uct@100it"), "{text}");
    let svg = std::fs::read_to_string(&path).unwrap();
    assert!(svg.starts_with("<svg ") && svg.contains("iterations") && svg.contains("random"));
    let csv = ok(&[&["accuracy", "connect4", "uct", "--format", "csv"], &budgets[..]].concat());
    assert!(csv.starts_with("player,kept,accuracy,accuracy_low,"), "{csv}");
    assert_eq!(csv.lines().count(), 3);
    for line in csv.lines().skip(1) {
        let kept = line.split(',').nth(1).unwrap();
        assert!(kept.parse::<u32>().is_ok_and(|kept| kept <= 10), "{line}");
        assert!(line.ends_with(",10"), "{line}");
    }
}

#[test]
fn wrong_input_is_named() {
    for (args, words) in [
        (&["connect4"][..], "there is no player"),
        (&["chess", "random"], "chess"),
        (&["connect4", "nobody"], "nobody"),
        (&["connect4", "ab", "--budgets", "100it"], "this search deepens ply by ply"),
        (&["connect4", "ab", "--budgets", "64MiB"], "memory alone ends no search"),
        (&["connect4", "ab@100nodes", "--budgets", "10it"], "--budgets is for players without"),
        (&["connect4", "uct", "--budgets", "100it,x"], "--budgets \"100it,x\""),
        (&["connect4", "random", "--margin"], "connect4 has no margin"),
        (&["connect4", "random", "--positions", "0"], "expected a whole number from 1"),
        (&["connect4", "random", "--from", "a", "--seed", "1"], "cannot be used with"),
        (&["connect4", "random", "--plot", "a.txt"], ".svg or .png"),
    ] {
        let error = refused(&[&["accuracy"], args].concat());
        assert!(error.contains(words), "{args:?}: {error}");
    }
}

/// A request for more positions than there are gets other positions, and a note that says so.
#[test]
fn other_positions_are_announced() {
    let asked =
        |positions: &str| ok(&["accuracy", "breakthrough:5x5", "random", "--positions", positions]);
    let carried =
        json(&["accuracy", "breakthrough:5x5", "random", "--json"])["positions"].as_u64().unwrap();
    let said = format!("the program carries {carried} positions of this game, fewer than");
    assert!(!asked("3").contains(&said));
    let more = asked(&(carried + 1).to_string());
    assert!(more.contains(&said), "{more}");
}
