//! `treegraft ladder`, as users meet it.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::{command, finish, ok, refused};

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cli-ladder-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    path
}

#[test]
fn a_ladder_is_played_and_continued() {
    let dir = folder("played");
    let dir = dir.to_str().unwrap();
    let players = ["--players", "mcts@20it", "ab@20nodes", "random"];
    let args = ["ladder", "connect4:5x4", "--dir", dir, "--games", "4"];
    let text = ok(&[&args[..], &players[..]].concat());
    for words in ["Ladder of connect4:5x4: ratings", "mcts@20it", "connect4-5x4-100ms.ledger"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    // What was played is not played again, and more games continue it.
    let ratings = |text: &str| text.split("store").next().unwrap().to_owned();
    assert_eq!(ratings(&ok(&[&args[..], &players[..]].concat())), ratings(&text));
    let args = ["ladder", "connect4:5x4", "--dir", dir, "--games", "6", "--json"];
    let found = ok(&[&args[..], &players[..]].concat());
    let found: Value = serde_json::from_str(&found).unwrap();
    assert_eq!((&found["games"], &found["planned"]), (&18.into(), &18.into()));
    assert_eq!(found["report"]["ratings"].as_array().unwrap().len(), 3);
    // Without the store, the ledger is enough.
    std::fs::remove_file(Path::new(dir).join("connect4-5x4-100ms.db")).unwrap();
    let again: Value = serde_json::from_str(&ok(&[&args[..], &players[..]].concat())).unwrap();
    assert_eq!(again["report"]["ratings"], found["report"]["ratings"]);
    // And it is on the page.
    let page = folder("page");
    std::fs::create_dir_all(&page).unwrap();
    let page = page.join("strength.md");
    ok(&["ladder", "report", "--dir", dir, "--page", page.to_str().unwrap()]);
    let text = std::fs::read_to_string(&page).unwrap();
    assert!(
        text.contains("### Ladder of connect4:5x4") && text.contains("| mcts@20it |"),
        "{text}"
    );
    assert!(page.with_file_name("img").join("strength-connect4-5x4-100ms.svg").exists());
}

#[test]
fn wrong_input_is_named() {
    for (args, words) in [
        (&["chess"][..], "chess"),
        (&["connect4", "--games", "3"], "an even number"),
        (&["connect4", "--time", "5"], "expected a time"),
        (&["connect4", "--players", "nobody", "random"], "nobody"),
        (&["report", "--dir", "no-such-folder"], "no results in no-such-folder"),
        (&["atlas", "--games", "connect4:5x4"], "no solved positions of connect4:5x4"),
    ] {
        let dir = folder("wrong");
        let dir = ["--dir", dir.to_str().unwrap()];
        let dir = if args.contains(&"--dir") { &[][..] } else { &dir[..] };
        let error = refused(&[&["ladder"], args, dir].concat());
        assert!(error.contains(words), "{args:?}: {error}");
    }
}

/// A program that is not there is named before a game is played; one that ends at once is rated
/// nowhere.
#[cfg(unix)]
#[test]
fn programs_that_cannot_be_started_are_named() {
    let dir = folder("no-start");
    let place = dir.to_str().unwrap();
    let args = ["ladder", "connect4:4x4", "--games", "2", "--dir", place];
    let none = [&args[..], &["--players", "random", "engine:\"nonexist\""]].concat();
    let run = finish(command(&none));
    assert_eq!((run.code, run.out.as_str()), (Some(1), ""), "{}", run.err);
    assert!(run.err.contains("not installed, or not at this path: nonexist"), "{}", run.err);
    assert!(!dir.exists(), "no game was played");
    let ends = [&args[..], &["--players", "random", "ab@10nodes", "engine:\"true\""]].concat();
    let run = finish(command(&ends));
    assert_eq!(run.code, Some(1), "{}", run.err);
    let said = run.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("@100ms lost 4 of 4 games by faults of its program"), "{said}");
    assert!(said.contains("4 by no-start; the first: it ended"), "{said}");
    assert!(run.err.contains("could not be started for any game: engine:"), "{}", run.err);
    assert!(!dir.join("connect4-4x4-100ms.ledger").exists());
}

/// An engine that never gives a legal move.
#[cfg(unix)]
const ILLEGAL: &str = "\
while read word rest; do
  case $word in
    tgp) echo tgpok ;;
    isready) echo readyok ;;
    go) echo bestmove nowhere ;;
    quit) exit ;;
  esac
done
";

#[cfg(unix)]
#[test]
fn faults_of_programs_are_told() {
    let dir = folder("faults");
    std::fs::create_dir_all(&dir).unwrap();
    let program = dir.join("illegal.sh");
    std::fs::write(&program, ILLEGAL).unwrap();
    let player = format!("engine:\"sh '{}'\"", program.display());
    let place = dir.to_str().unwrap();
    let args = ["ladder", "connect4:4x4", "--games", "2", "--dir", place, "--players", "random"];
    let text = ok(&[&args[..], &[&player]].concat());
    let said = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("lost 2 of 2 games by faults of its program"), "{said}");
    assert!(said.contains("2 by illegal-move; the first: "), "{said}");
    // It played, so that its results are results; they are printed again from the store.
    assert!(dir.join("connect4-4x4-100ms.ledger").exists());
    let found: Value =
        serde_json::from_str(&ok(&[&args[..], &[&player, "--json"]].concat())).unwrap();
    let [faults] = &found["faults"].as_array().unwrap()[..] else { panic!("{found}") };
    assert_eq!(faults["kinds"], serde_json::json!({ "illegal-move": 2 }));
    assert_eq!((&faults["games"], &faults["lost"]), (&2.into(), &2.into()));
    assert!(faults["name"].as_str().unwrap().contains("illegal.sh"), "{faults}");
    assert!(faults["first"].as_str().unwrap().contains("nowhere"), "{faults}");
}

#[test]
fn hints_are_about_options_of_the_ladder() {
    let dir = folder("damaged");
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join("connect4-5x4-100ms.db"), "no store").unwrap();
    let place = dir.to_str().unwrap();
    let args = ["ladder", "connect4:5x4", "--dir", place, "--players"];
    let error = refused(&[&args[..], &["random", "ab@10nodes"]].concat());
    assert!(error.contains("--dir DIR") && !error.contains("--store"), "{error}");
    // The experiment is no file of the user.
    let error = refused(&[&args[..], &["random", "nobody"]].concat());
    assert!(error.starts_with("error: the ladder of connect4:5x4: player \"nobody\""), "{error}");
    // A page goes into a folder that exists.
    let page = dir.join("nowhere/page.md");
    let run =
        finish(command(&["ladder", "report", "--dir", place, "--page", page.to_str().unwrap()]));
    assert_eq!(run.code, Some(1), "{}", run.err);
    assert!(run.err.contains("cannot write") && !dir.join("nowhere").exists(), "{}", run.err);
}
