//! `treegraft categories`, as users meet it.

use std::path::{Path, PathBuf};

use crate::common::{command, finish, json, ok, refused};

fn temporary(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cli-categories-{name}"));
    let _ = std::fs::remove_file(&path);
    path
}

const PLAYER: &str = "ab(eval=concentration)@100nodes";

fn quick<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let args = ["categories", "loa", "--player", PLAYER, "--games", "6", "--seed", "7"];
    args.iter().chain(more).copied().collect()
}

/// The same games, and so the same file, for any number of jobs and on every machine.
#[test]
fn a_file_is_repeatable_and_says_how() {
    let written = |name: &str, jobs: &str| {
        let path = temporary(name);
        let text = ok(&quick(&["--jobs", jobs, "--output", path.to_str().unwrap()]));
        assert!(text.ends_with(&format!("\nfile    {}\n", path.display())), "{text}");
        std::fs::read_to_string(&path).unwrap()
    };
    let file = written("one.csv", "1");
    assert_eq!(file, written("three.csv", "3"));
    let lines: Vec<&str> = file.lines().collect();
    assert_eq!(lines.len(), 3 + 351);
    assert_eq!(
        lines[0],
        "# treegraft categories loa --player 'ab(eval=concentration)@100nodes' --games 6 \
         --opening-plies 4 --seed 7"
    );
    assert_eq!(lines[1], GOLDEN[0]);
    assert_eq!(lines[2], "number,category,played,available,probability");
    for golden in &GOLDEN[1..] {
        assert!(lines.contains(golden), "{golden}");
    }
}

const GOLDEN: [&str; 3] = [
    "# 6 games, 151 positions",
    "61,move from edge to 4x4 ring: 2 closer,23,96,0.211115",
    "244,capture from edge to centre: 3+ closer,19,20,0.530756",
];

#[test]
fn text_and_json_show_the_same() {
    let text = ok(&quick(&[]));
    for words in [
        "game    loa\n",
        "player  ab(eval=concentration)@100nodes\n",
        "; 4 random moves first, seed 7\n",
        " of 351 categories\n",
        "\nLikeliest where available in at least ",
        "\nLeast likely where available in at least ",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let found = json(&quick(&["--json"]));
    assert_eq!((&found["games"], &found["complete"]), (&6.into(), &true.into()));
    let categories = found["categories"].as_array().unwrap();
    assert_eq!(categories.len(), 351);
    let sum = |key: &str| categories.iter().map(|of| of[key].as_u64().unwrap()).sum::<u64>();
    assert_eq!(sum("played"), found["positions"].as_u64().unwrap());
    assert!(sum("available") > 5 * sum("played"));
}

#[test]
fn bad_input_is_refused() {
    let error = refused(&["categories", "connect4", "--games", "2"]);
    assert!(error.contains("connect4 has no categories of moves"), "{error}");
    assert!(error.contains("loa"), "{error}");
    let error = refused(&["categories", "loa", "--games", "2000", "--opening-plies", "1"]);
    assert!(error.contains("only 36 different positions after 1 random moves"), "{error}");
    refused(&["categories", "loa", "--games", "0"]);
    refused(&["categories", "loa", "--player", "nobody"]);
    let other = temporary("other.csv");
    std::fs::write(&other, "mine\n").unwrap();
    let run = finish(command(&quick(&["--output", other.to_str().unwrap()])));
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
    assert!(run.err.contains("is not a CSV file by treegraft categories"), "{}", run.err);
    assert_eq!(std::fs::read_to_string(&other).unwrap(), "mine\n");
}

/// The table of Lines of Action is what the command in its first line writes.
#[test]
#[ignore = "ten minutes: cargo xtask test-long"]
fn the_table_of_lines_of_action_can_be_made_again() {
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/src/loa/categories.csv");
    let table = std::fs::read_to_string(table).unwrap();
    let line = table.lines().next().unwrap().strip_prefix("# treegraft ").unwrap();
    let path = temporary("again.csv");
    let words = line.split(' ').map(|word| word.trim_matches('\''));
    let args: Vec<&str> = words.chain(["--output", path.to_str().unwrap()]).collect();
    ok(&args);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), table);
}
