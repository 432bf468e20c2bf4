//! `treegraft analyze`.

use crate::common::{game_names, json, ok, refused};
use serde_json::{Value, json};

#[test]
fn every_game_is_analysed_by_both_kinds_of_search() {
    for name in game_names() {
        let moves = json(&["show", &name, "--json"])["moves"].clone();
        for player in ["mcts-solver@200it", "ab@500nodes"] {
            let found = json(&["analyze", &name, player, "--json", "--seed", "3"]);
            assert_eq!((&found["game"], &found["player"]), (&name.as_str().into(), &player.into()));
            assert_eq!((&found["seed"], &found["repeatable"]), (&3.into(), &true.into()));
            let best = &found["best_move"];
            assert!(moves.as_array().unwrap().contains(best), "{name} {player}: {best}");
            assert_eq!(&found["pv"][0], best, "{name} {player}");
            let listed: Vec<&Value> =
                found["moves"].as_array().unwrap().iter().map(|row| &row["move"]).collect();
            assert_eq!(listed, moves.as_array().unwrap().iter().collect::<Vec<_>>());
            for key in ["value", "value_first", "seconds"] {
                assert!(found[key].is_f64(), "{name} {player}: {key}");
            }
            for key in ["iterations", "nodes", "evaluations", "playout_plies", "depth", "memory"] {
                assert!(found[key].is_u64(), "{name} {player}: {key}");
            }
            assert!(found["stop"].is_string() && found["digest"].as_str().unwrap().len() == 16);
            for key in ["proof", "margin"] {
                assert!(found.get(key).is_some(), "{name} {player}: {key}");
            }

            let text = ok(&["analyze", &name, player, "--seed", "3", "--ascii"]);
            assert!(text.is_ascii(), "{text}");
            let digest = format!("digest  {}\n", found["digest"].as_str().unwrap());
            assert!(text.contains(&digest), "the same seed, another search: {text}");
            for label in ["game ", "player ", "turn ", "move ", "best ", "value ", "work "] {
                assert!(text.lines().any(|line| line.starts_with(label)), "{label}:\n{text}");
            }
        }
    }
}

#[test]
fn values_are_in_the_view_of_the_player_to_move() {
    // X has three in a row with both ends open: O is lost.
    let args = ["analyze", "connect4", "mcts-solver@3000it", "--json", "--moves", "33445"];
    let lost = json(&args);
    assert_eq!((&lost["to_move"], &lost["proof"]), (&"second".into(), &"loss".into()), "{lost}");
    assert_eq!((&lost["value"], &lost["value_first"]), (&(-1.0).into(), &1.0.into()));
    assert_eq!(lost["stop"], "done");
    let over = json(&["analyze", "connect4", "ab", "--json", "--moves", "4545454"]);
    assert_eq!((&over["best_move"], &over["to_move"]), (&Value::Null, &Value::Null));
    assert_eq!((&over["proof"], &over["value_first"]), (&"loss".into(), &1.0.into()));
    let text = ok(&["analyze", "connect4", "ab", "--moves", "4545454"]);
    assert!(text.contains("result  X wins, by the rules of the game\n"), "{text}");
}

#[test]
fn time_makes_a_search_not_repeatable() {
    let text = ok(&["analyze", "connect4", "mcts@20ms"]);
    assert!(text.contains("not repeatable") && text.contains("by its limit on time"), "{text}");
    let found = json(&["analyze", "connect4", "mcts@20ms", "--json"]);
    assert_eq!((&found["repeatable"], &found["stop"]), (&false.into(), &"time".into()));
    let quiet = ok(&["analyze", "connect4", "mcts@20it"]);
    assert!(!quiet.contains("not repeatable"), "{quiet}");
    assert!(ok(&["analyze", "hex:3", "random"]).contains("This player does not compare moves."));
}

#[test]
fn the_tree_is_shown_and_drawn() {
    let args = ["analyze", "connect4", "mcts@500it", "--tree", "2", "--top", "3"];
    let text = ok(&args);
    assert!(text.contains("\ntree ") && text.contains("\nstart "), "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("| | ... ")).count(), 3, "{text}");
    assert!(
        text.contains("\n| ... 4 more\n") && text.contains("\n... and 4 more moves\n"),
        "{text}"
    );

    let found = json(&[&args[..], &["--json", "--svg", "found.svg"]].concat());
    let root = &found["tree"];
    assert_eq!((&root["move"], &root["visits"]), (&Value::Null, &500.into()));
    let children = root["children"].as_array().unwrap();
    assert_eq!(children.len(), 3);
    assert!(children.iter().all(|child| child["children"].as_array().unwrap().len() == 3));
    assert_eq!(children[0]["move"], found["best_move"]);

    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("found.svg");
    let svg = std::fs::read_to_string(file).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
    assert!(svg.contains("connect4 · mcts@500it") && svg.contains(">X wins<"), "{svg}");
}

/// Strategy switching shows the shares of its strategies, which add up, and draws them.
#[test]
fn strategies_are_shown_and_drawn() {
    let player = "uct(switch=own-mobility+wpc+random,switch-sides)@500it";
    let args = ["analyze", "othello", player];
    let text = ok(&[&args[..], &["--plot", "shares.svg"]].concat());
    let header = "strategy      side   playouts   share   value  share in the course";
    assert!(text.contains(header) && text.contains("wpc           White"), "{text}");
    assert!(text.ends_with("The shares are drawn in shares.svg.\n"), "{text}");
    let found = json(&[&args[..], &["--json"]].concat());
    let strategies = found["strategies"].as_array().expect("strategies");
    assert_eq!(strategies.len(), 6);
    for side in ["Black", "White"] {
        let of_side = || strategies.iter().filter(|it| it["side"] == side);
        assert_eq!(of_side().filter_map(|it| it["playouts"].as_u64()).sum::<u64>(), 500);
        let share: f64 = of_side().filter_map(|it| it["share"].as_f64()).sum();
        assert!((share - 1.0).abs() < 1e-9, "{share}");
    }
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("shares.svg");
    let svg = std::fs::read_to_string(file).unwrap();
    assert!(svg.contains("othello · uct(switch=") && svg.contains("wpc, White"), "{svg}");
    let error = refused(&["analyze", "othello", "uct@9it", "--plot", "none.svg"]);
    assert!(error.contains("this search switches no strategies"), "{error}");
}

/// The best moves of alpha-beta have values and lines; the others only bounds, as before.
#[test]
fn several_lines_can_be_asked_for() {
    let args = ["analyze", "connect4", "ab(depth=6)", "--moves", "44"];
    let found = json(&[&args[..], &["--lines", "3", "--json"]].concat());
    let moves = found["moves"].as_array().unwrap();
    let lines: Vec<&Value> = moves.iter().filter(|about| about["pv"] != json!([])).collect();
    assert_eq!(lines.len(), 3);
    for about in lines {
        assert!(about["value"].is_f64() && about["pv"][0] == about["move"], "{about}");
    }
    let alone = json(&[&args[..], &["--json"]].concat());
    assert_eq!((&alone["value"], &alone["depth"]), (&found["value"], &found["depth"]));
    let text = ok(&[&args[..], &["--lines", "3"]].concat());
    let table = text.split("\n\n").find(|part| part.trim_start().starts_with("value  proof  line"));
    assert_eq!(table.unwrap().lines().count(), 4, "{text}");
    assert!(!ok(&args).contains("value  proof  line"));
    assert!(refused(&[&args[..], &["--lines", "0"]].concat()).contains("from 1 to 1000"));
}

/// One object a line while it searches, and the answer of --json at the end.
#[test]
fn json_lines_come_while_the_search_runs() {
    let out = ok(&["analyze", "hex:5", "mcts@450ms", "--json-lines"]);
    let lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (last, before) = lines.split_last().unwrap();
    assert_eq!(last["schema"], "treegraft.analyze/1");
    assert!((2..=4).contains(&before.len()), "{}", before.len());
    for pair in lines.windows(2) {
        assert_eq!(
            (&pair[0]["schema"], &pair[0]["stop"]),
            (&json!("treegraft.thinking/1"), &json!("not-yet"))
        );
        let work = |at: usize| pair[at]["iterations"].as_u64().unwrap();
        assert!(work(0) < work(1) && pair[0]["best_move"].is_string());
    }
    assert!(
        refused(&["analyze", "hex:5", "mcts", "--json", "--json-lines"]).contains("cannot be used")
    );
}

/// Searches that prove show the bounds in their trees.
#[test]
fn trees_of_bounds_can_be_shown() {
    let text = ok(&["analyze", "tree:((3 5) (2 9))", "fsss(deepening=false)", "--tree", "2"]);
    let tree = text.split_once("\ntree ").expect("a tree").1;
    assert!(tree.contains("leaves") && tree.lines().count() >= 5, "{text}");
    assert!(refused(&["analyze", "connect4", "ab", "--tree", "2"]).contains("keeps no tree"));
}
