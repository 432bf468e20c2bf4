//! Exact values that were wrong once.

use crate::common::{command, finish, json, ok};

#[test]
fn small_tables_and_deep_chains_prove_nothing_false() {
    let kalah = ["kalah:4,3,capture-empty=false", "--moves", "4", "4", "1", "2", "2"];
    let other = ["kalah:4,3", "--moves", "1", "4", "3"];
    let chain = ["tree:branching=1,height=300"];
    let cases: [(&[&str], &str, i64); 3] =
        [(&kalah, "64KiB", 6), (&other, "8KiB", -4), (&chain, "1MiB", -182_354_775)];
    for (place, memory, margin) in cases {
        for with in ["ab", "mtd", "sss", "dual"] {
            let args = ["--with", with, "--memory", memory, "--json"];
            let args: Vec<&str> = ["solve"].iter().chain(place).chain(&args).copied().collect();
            let found = json(&args);
            assert_eq!((&found["proven"], &found["margin"]), (&true.into(), &margin.into()));
        }
    }
}

/// Deeper than any search goes.
#[test]
fn what_lies_beyond_the_deepest_search_is_not_proven() {
    let tree = format!("tree:{}5{}", "(".repeat(1200), ")".repeat(1200));
    for with in ["ab", "mtd", "sss", "dual", "fsss"] {
        let run = finish(command(&["solve", &tree, "--with", with, "--json"]));
        let found: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
        let is_right = match found["proven"].as_bool() {
            Some(true) => found["margin"] == 5 && run.code == Some(0),
            _ => found["outcome"].is_null() && run.code == Some(1),
        };
        assert!(is_right, "{with}: {}", run.out);
    }
}

/// A known ending, in which a square stays empty: its margin is what other programs say, and one less
/// where nobody gets the square. However the game is written, its text says which of the two it is.
#[test]
fn the_game_says_who_gets_the_empty_squares() {
    let moves = "c4 c5 d6 c3 e6 f7 f6 e7 g8 e3 b3 a3 b5 g5 c6 b4 e8 b7 d3 b6 h4 e2 a2 g7 f4 d7 f5 g3 d8 \
        a1 e1 c7 f3 f2 c2 c1 d1 h5 h3 d2 c8 f1 g1 g2 h2 b8 b1 b2 a6 f8 h7";
    for (game, canonical, margin) in [
        ("othello", "othello", 31),
        ("othello:8,empties=nobody", "othello", 31),
        ("othello:empties=winner", "othello:empties=winner", 32),
        ("othello(empties=winner)", "othello:empties=winner", 32),
    ] {
        for with in ["ab", "mtd(f)", "fsss"] {
            let found = json(&["solve", game, "--moves", moves, "--with", with, "--json"]);
            assert_eq!((&found["game"], &found["margin"]), (&canonical.into(), &margin.into()));
        }
        let text = ok(&["solve", game, "--moves", moves]);
        let [shown, by] = [format!("game    {canonical}\n"), format!("wins by {margin}")];
        assert!(text.contains(&shown) && text.contains(&by), "{text}");
    }
    assert!(ok(&["games", "othello(empties=winner)"]).contains("nobody or winner"));
    let wrong = finish(command(&["solve", "othello(empties=all)"]));
    assert!(wrong.err.contains("not nobody or winner"), "{}", wrong.err);
    assert!(wrong.err.contains("`treegraft games othello` explains"), "{}", wrong.err);
}
