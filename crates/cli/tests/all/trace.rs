//! `treegraft trace`, as users meet it.

use std::path::{Path, PathBuf};

use crate::common::{command, finish, json, ok, refused};
use serde_json::Value;

const SMALL: &str = "tree:((3 5) (2 9))";

fn temporary(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cli-trace-{name}"));
    let _ = std::fs::remove_file(&path);
    path
}

fn lines(args: &[&str]) -> Vec<Value> {
    ok(args).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The values of the leaves in their order.
fn leaves(args: &[&str]) -> Vec<i64> {
    let lines = lines(args);
    let leaves = lines.iter().filter(|line| line["event"] == "leaf" && line["again"] == false);
    leaves.map(|line| line["value"].as_i64().unwrap()).collect()
}

#[test]
fn alpha_beta_is_told_step_by_step() {
    let text = ok(&["trace", SMALL, "alpha-beta"]);
    let expected = "\
    1  search begins, to the end of the game
    2  from the root: window -∞ to +∞
    3  root: window -∞ to +∞
    4    1: window -∞ to +∞
    5      1 1: window -∞ to +∞
    6      1 1: leaf 1, worth 3 (the game is over)
    7      1 2: window -∞ to 3
    8      1 2: leaf 2, worth 5 (the game is over)
    9    1: found: 3
   10    2: window 3 to +∞
   11      2 1: window 3 to +∞
   12      2 1: leaf 3, worth 2 (the game is over)
   13    2: cuts off 2: outside the window, whatever it is worth
   14    2: found: at most 2
   15  root: found: 3
";
    assert!(text.contains(expected), "{text}");
    for words in [
        "game    tree:((3 5) (2 9))\n",
        "player  alpha-beta(",
        "values  margins in the view of Max, the first player\n",
        "note    leaves count by their margin here; scores=outcome finds only who wins\n",
        "\nbest    1\n",
        "\nproof   Max, who is to move, wins by 3\n",
        "\nleaves  3\n",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    // In ASCII, if requested.
    let ascii = ok(&["trace", SMALL, "alpha-beta", "--ascii"]);
    assert!(ascii.is_ascii() && ascii.contains("root: window -inf to +inf"), "{ascii}");
    // An explicit choice of scores is respected.
    let outcomes = ok(&["trace", SMALL, "alpha-beta(scores=outcome,deepening=true)"]);
    assert!(!outcomes.contains("note") && outcomes.contains("worth win"), "{outcomes}");
}

#[test]
fn the_orders_of_leaves_are_the_known_ones() {
    let worked = "tree:((((4 1) (5 0)) ((0 0) (8 8))) (((9 7) (2 1)) ((7 4) (2 2))))";
    let order = |player: &str| leaves(&["trace", worked, player, "--json"]);
    assert_eq!(order("fsss"), [4, 5, 9, 7, 7, 4, 2, 0]);
    assert_eq!(order("mt-inf"), [4, 5, 9, 2, 7, 7, 4, 2, 0, 1]);
    let alpha_beta = order("alpha-beta");
    assert_eq!(alpha_beta.len(), 14);
    assert_eq!(order("rollout-ab"), alpha_beta);
    assert_eq!(order("alphabeta2"), alpha_beta);
}

#[test]
fn rollouts_and_simulations_are_told() {
    let fsss = ok(&["trace", SMALL, "fsss"]);
    for words in [
        "root: rollout 1 begins\n",
        "root: is expanded: 1, 2\n",
        "1: narrowed: at most 3\n",
        "root: narrowed: 3\n",
        "2: cuts off 2: outside the window",
    ] {
        assert!(fsss.contains(words), "{words}: {fsss}");
    }
    let simulations = ok(&["trace", "connect4", "mcts-solver@5it"]);
    for words in [
        "simulation 5 begins\n",
        "root: tries ",
        ": playout of ",
        ": gets the reward ",
        "\nended   by its limit on iterations\n",
    ] {
        assert!(simulations.contains(words), "{words}: {simulations}");
    }
    assert!(!simulations.contains("simulation 6"), "{simulations}");
    let hybrid = ok(&["trace", "connect4", "mcts-ab@20it"]);
    assert!(hybrid.contains("goes on as alpha-beta, 1 ply deep"), "{hybrid}");
    let sss = ok(&["trace", SMALL, "sss"]);
    assert!(sss.matches("from the root: window").count() > 1, "{sss}");
}

#[test]
fn it_is_the_search_that_analyze_makes() {
    for (game, player) in [
        ("connect4", "mcts-solver@40it"),
        ("breakthrough:6x6", "ab(depth=3)"),
        ("othello:6", "mcts-ic-e@20it"),
        ("kalah", "fsss@300nodes"),
    ] {
        let analyzed = json(&["analyze", game, player, "--seed", "5", "--json"]);
        let traced = lines(&["trace", game, player, "--seed", "5", "--json", "--limit", "7"]);
        let end = traced.last().unwrap();
        assert_eq!(end["digest"], analyzed["digest"], "{game} {player}");
        assert_eq!(end["best_move"], analyzed["best_move"], "{game} {player}");
        assert_eq!(end["events"], 7);
        assert_eq!(traced.len(), 9);
        assert!(end["left_out"].as_u64().unwrap() > 0);
        let text = ok(&["trace", game, player, "--seed", "5", "--limit", "7"]);
        assert!(text.contains(" more events are not shown; --limit shows more.\n"), "{text}");
    }
}

#[test]
fn a_player_without_a_budget_ends_with_the_last_event() {
    for player in ["ab", "mcts-solver", "fsss", "mcts-ab"] {
        let text = ok(&["trace", "othello", player, "--limit", "40"]);
        assert!(text.contains("\n   40  ") && !text.contains("\n   41  "), "{text}");
        let words = "The search was ended after 40 events: the player has no budget.\n";
        assert!(text.contains(words), "{text}");
    }
    // It may end before.
    let text = ok(&["trace", SMALL, "ab"]);
    assert!(!text.contains("was ended"), "{text}");
}

#[test]
fn the_tree_is_drawn() {
    let svg = temporary("tree.svg");
    let name = svg.to_str().unwrap();
    let text = ok(&["trace", SMALL, "fsss", "--svg", name]);
    assert!(text.ends_with(&format!("\nThe tree is drawn in {name}.\n")), "{text}");
    let drawn = std::fs::read_to_string(&svg).unwrap();
    assert!(drawn.starts_with("<svg ") && drawn.ends_with("</svg>\n"), "{drawn}");
    for part in [">Max to move<", ">never visited<", ">≤ 2<", ">9<", "class=\"cut\""] {
        assert!(drawn.contains(part), "{part}: {drawn}");
    }
    let json = lines(&["trace", "connect4", "mcts@9it", "--json", "--svg", name]);
    assert_eq!(json.last().unwrap()["stop"], "iterations");
    assert!(std::fs::read_to_string(&svg).unwrap().contains("9 · "));
    std::fs::remove_file(svg).unwrap();
    let nowhere = finish(command(&["trace", SMALL, "ab", "--svg", "no-such-folder/x.svg"]));
    assert_eq!(nowhere.code, Some(1));
}

#[test]
fn bad_input_is_named() {
    for (args, words) in [
        (&["connect4", "random"][..], "this player does not search"),
        (&["connect4", "greedy"], "such as ab, fsss or mcts-solver"),
        (&["connect4", "engine:\"./mine\""], "an engine does not say what it does"),
        (&["connect5", "ab"], "there is no such game"),
        (&["connect4", "abc"], "abc"),
        (&["connect4", "ab", "--limit", "0"], "from 1 to 1000000"),
        (&["connect4", "ab", "--limit", "many"], "from 1 to 1000000"),
        (&["connect4", "ab", "--moves", "9"], "9"),
        (&[SMALL, "ab", "--moves", "1", "1"], "the game is over"),
        (&["tree:((3 5) (2 9))", "mcts-ic-e"], "no evaluation"),
    ] {
        let error = refused(&[&["trace"], args].concat());
        assert!(error.contains(words), "{words}: {error}");
    }
}
