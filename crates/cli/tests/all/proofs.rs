//! Exact values that were wrong once.

use crate::common::{command, finish, json};

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
