//! `treegraft ladder`, as users meet it.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::{ok, refused};

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
