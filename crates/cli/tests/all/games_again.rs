//! Stored games as a user sees them: replayed and annotated.

use crate::common::{json, ok, refused, strings};
use crate::experiments::Lab;

const SMALL: &str = r#"
game = "connect4:5x4"
games = 4
players = ["mcts-solver@60it,1MiB", "ab@50nodes,1MiB", "random"]
openings = { random = 2 }
record = "thinking"
"#;

fn played(name: &str, experiment: &str) -> Lab {
    let lab = Lab::new(name, experiment);
    lab.ok(&["run", "it.toml", "--quiet", "--no-plot", "--jobs", "2"]);
    lab
}

#[test]
fn a_game_is_replayed() {
    let lab = played("replay", SMALL);
    let exported = lab.ok(&["export", "it.toml", "--format", "jsonl"]);
    for (index, line) in exported.lines().enumerate() {
        let game: serde_json::Value = serde_json::from_str(line).unwrap();
        let number = (index + 1).to_string();
        let replayed = lab.json(&["replay", "it.db", &number, "--json"]);
        assert_eq!(replayed["pair"], game["pair"]);
        assert_eq!(replayed["game_of_pair"], game["number"]);
        let moves = replayed["moves"].as_array().unwrap();
        let texts: Vec<&str> = moves.iter().map(|mv| mv["move"].as_str().unwrap()).collect();
        assert_eq!(texts.join(" "), game["moves"].as_str().unwrap());
        let thinking = game["thinking"].as_array().unwrap();
        assert_eq!(thinking.len(), moves.len() - 2);
        for (ply, mv) in moves.iter().enumerate() {
            assert_eq!(mv["opening"], ply < 2);
            let own = ply.checked_sub(2).map_or(&serde_json::Value::Null, |at| &thinking[at]);
            assert_eq!(&mv["thinking"], own);
        }
    }
    // As text: all positions, the opening marked, and what was thought.
    let whole = lab.ok(&["replay", "it.toml", "1"]);
    assert_eq!(whole, lab.ok(&["replay", "it.toml", "1", "--all"]), "no terminal");
    let replayed = lab.json(&["replay", "it.toml", "1", "--json"]);
    let plies = replayed["plies"].as_u64().unwrap();
    assert_eq!(
        whole.lines().filter(|line| line.starts_with("moves ")).count() as u64,
        plies + 2,
        "{whole}"
    );
    assert!(whole.contains("(opening)\n") && whole.contains("\nthought  "), "{whole}");
    assert!(whole.contains("\nbefore   ") && whole.contains("\n         line "), "{whole}");
    let one = lab.ok(&["replay", "it.toml", "1", "--ply", "2", "--ascii"]);
    assert!(one.contains("last   2. O plays ") && one.is_ascii(), "{one}");
    let refused = lab.fails(2, &["replay", "it.toml", "13"]);
    assert!(refused.contains("there is no game 13; expected a number from 1 to 12"), "{refused}");
    let refused = lab.fails(2, &["replay", "it.toml", "1", "--ply", "99"]);
    assert!(refused.contains(&format!("expected a number from 0 to {plies}")), "{refused}");
    assert!(lab.fails(2, &["replay", "none.db", "1"]).contains("none.db"));
    let zero = lab.run(&["replay", "it.toml", "0"]);
    assert_eq!((zero.code, zero.err.contains("from 1 to")), (Some(2), true), "{}", zero.err);
}

#[test]
fn a_ledger_is_replayed_by_playing_again() {
    let lab = played("replay-ledger", &SMALL.replace("record = \"thinking\"", ""));
    lab.ok(&["export", "it.db", "--format", "ledger", "--output", "it.ledger"]);
    let plain = lab.json(&["replay", "it.db", "1", "--json"]);
    assert_eq!(plain["played_again"], false);
    assert!(plain["moves"].as_array().unwrap().iter().all(|mv| mv["thinking"].is_null()));
    assert!(lab.ok(&["replay", "it.db", "1"]).contains("was not recorded"));
    let stored: Vec<_> =
        (1..=12).map(|n| lab.json(&["replay", "it.db", &n.to_string(), "--json"])).collect();
    for number in 1..=12 {
        let again = lab.json(&["replay", "it.ledger", &number.to_string(), "--json"]);
        let same = |game: &&serde_json::Value| {
            (&game["pair"], &game["game_of_pair"]) == (&again["pair"], &again["game_of_pair"])
        };
        let kept = stored.iter().find(same).expect("the same games");
        assert_eq!(again["played_again"], true);
        let moves = |game: &serde_json::Value| -> Vec<String> {
            let moves = game["moves"].as_array().unwrap();
            moves.iter().map(|mv| mv["move"].to_string()).collect()
        };
        assert_eq!(moves(&again), moves(kept));
        assert!(again["moves"].as_array().unwrap().last().unwrap()["thinking"].is_object());
    }
    assert!(lab.ok(&["replay", "it.ledger", "1"]).contains("played again from its seed"));
}

#[test]
fn a_stored_game_is_annotated() {
    let lab = played("annotate", SMALL);
    let args = ["annotate", "it.toml", "1", "--with", "mcts-solver@200it"];
    let text = lab.ok(&[&args[..], &["--svg", "values.svg"]].concat());
    assert!(text.contains("\ndecided  ") && text.contains("mean loss"), "{text}");
    assert!(text.contains("opening") && text.contains("The values are drawn in values.svg."));
    let svg = std::fs::read_to_string(lab.file("values.svg")).unwrap();
    assert!(svg.contains("expected score of X") && svg.contains("O during the game"), "{svg}");
    assert_eq!(lab.ok(&args), text.replace("\nThe values are drawn in values.svg.\n", ""));
    let annotated = lab.json(&[&args[..], &["--json"]].concat());
    let replayed = lab.json(&["replay", "it.toml", "1", "--json"]);
    assert_eq!(
        annotated["moves"].as_array().map(Vec::len),
        replayed["moves"].as_array().map(Vec::len)
    );
    assert_eq!((&annotated["complete"], &annotated["number"]), (&true.into(), &1.into()));
    // Nothing that is read is overwritten.
    let refused = lab.fails(2, &[&args[..], &["--svg", "it.db"]].concat());
    assert!(refused.contains("it.db"), "{refused}");
}

#[test]
fn any_game_is_annotated() {
    let args = ["annotate", "--game", "connect4:5x4", "--with", "ab@5000nodes"];
    let annotated = json(&[&args[..], &["--json", "--moves", "3322415"]].concat());
    let decision = &annotated["decision"];
    assert_eq!((&decision["kind"], &decision["ply"]), (&"move".into(), &4.into()));
    assert_eq!(decision["proven"], true);
    let mistake = &annotated["moves"][3];
    assert_eq!((&mistake["mark"], &mistake["proof_after"]), (&"??".into(), &"loss".into()));
    assert_eq!(strings(&mistake["trap"]["refutation"]).len(), 3);
    let text = ok(&[&args[..], &["--moves", "3", "3", "2", "2", "4", "1", "5"]].concat());
    assert!(text.contains("4. 2: the last move before which O was not lost (proven)"), "{text}");
    assert!(text.contains("a trap of level 3: "), "{text}");
    let judged =
        ok(&["annotate", "--game", "connect4", "--moves", "4437526", "--with", "uct@500it"]);
    let words = judged.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.ends_with("(by the judgement of uct@500it)"), "{judged}");
    let open = ok(&[&args[..], &["--moves", "33"]].concat());
    assert!(open.contains("nobody lost by the rules"), "{open}");
}

#[test]
fn bad_annotations_are_refused() {
    for (args, says) in [
        (&["annotate", "--game", "chess", "--moves", "e4"][..], "chess"),
        (&["annotate", "--game", "connect4", "--moves", "9"], "move \"9\""),
        (&["annotate", "--game", "connect4", "--moves", "44", "--with", "random"], "no value"),
        (&["annotate", "--game", "connect4", "--moves", "44", "--with", "nobody"], "nobody"),
        (&["annotate", "--game", "connect4"], "--moves"),
        (&["annotate", "x.db", "1", "--game", "connect4", "--moves", "4"], "--game"),
        (&["annotate", "x.db"], "<NUMBER>"),
        (&["annotate"], "<FILE>"),
        (&["annotate", "x.db", "1", "--traps", "99"], "from 0 to 15"),
        (&["annotate", "missing.db", "1"], "missing.db"),
        (&["annotate", "x.db", "1", "--moves", "4"], "--moves"),
    ] {
        let error = refused(args);
        assert!(error.contains(says), "{args:?}: {error}");
    }
}
