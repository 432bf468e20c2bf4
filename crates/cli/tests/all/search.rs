//! Players, analyses, solutions, matches and games at the board, as users meet them.

use std::io::Write;
use std::process::Stdio;

use crate::common::{Run, command, finish, json, ok, refused, strings};
use serde_json::Value;

/// A run of the program with something typed into it.
fn typed(args: &[&str], input: &str) -> String {
    let mut command = command(args);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut stdin = child.stdin.take().expect("it listens");
    stdin.write_all(input.as_bytes()).expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), &*errors), (Some(0), ""), "{args:?}");
    String::from_utf8(output.stdout).expect("the output is UTF-8")
}

/// A run that ends with an answer, but with another exit code than 0.
fn without_success(args: &[&str], code: i32) -> Run {
    let run = finish(command(args));
    assert_eq!((run.code, run.err.as_str()), (Some(code), ""), "{args:?}: {}", run.out);
    run
}

// -------------------------------------------------------------------- players

#[test]
fn every_player_is_listed_and_explained() {
    let list = ok(&["players"]);
    let all = json(&["players", "--json"]);
    for info in all.as_array().unwrap() {
        let label = info["label"].as_str().unwrap();
        assert!(list.lines().any(|line| line == label), "{label} is missing:\n{list}");
        let detail = ok(&["players", label]);
        assert!(detail.starts_with(&format!("player  {label}\n")), "{detail}");
        for option in info["options"].as_array().unwrap() {
            for key in ["name", "values", "default", "meaning", "source"] {
                assert!(option[key].is_string(), "{label}: {option}");
            }
            let name = option["name"].as_str().unwrap();
            assert!(detail.contains(&format!("\n  {name} ")), "{label} {name}: {detail}");
            assert!(list.contains(&format!("\n  {name} ")), "{label} {name}: {list}");
        }
        let alone = json(&["players", label, "--json"]);
        assert_eq!(alone.as_array().unwrap().as_slice(), std::slice::from_ref(info));
    }
    assert_eq!(list.matches("\n  killers ").count(), 1, "options stand once for their family");
    for (text, label) in [
        ("sss*@1s", "sss"),
        ("mcts-mr-1", "mcts-mr"),
        ("mcts-ms-2-visit-1", "mcts-ms"),
        ("k-best-3(depth=2)@1s", "k-best"),
    ] {
        assert_eq!(ok(&["players", text]), ok(&["players", label]));
    }
}

// -------------------------------------------------------------------- solve

#[test]
fn known_values() {
    for (game, outcome, margin) in [
        ("connect4:4x4", "draw", Value::Null),
        ("connect4:5x4", "draw", Value::Null),
        ("tree:((3 5) (2 -9 4))", "win", 3.into()),
        ("tree:((-3 5) (-2 -9 4))", "loss", (-3).into()),
        ("othello:4", "loss", (-8).into()),
        ("hex:3", "win", Value::Null),
        ("breakthrough:4x4", "loss", Value::Null),
    ] {
        let solved = json(&["solve", game, "--json"]);
        assert_eq!(solved["proven"], true, "{solved}");
        assert_eq!((&solved["outcome"], &solved["margin"]), (&outcome.into(), &margin), "{game}");
        assert_eq!(solved["pv"][0], solved["best_move"], "{game}");
        assert!(solved["nodes"].is_u64() && solved["seconds"].is_f64());
        let args = [&["show", game, "--json", "--moves"], &strings(&solved["pv"])[..]].concat();
        let end = json(&args);
        let winner = match outcome {
            "win" => "first",
            "loss" => "second",
            _ => "draw",
        };
        assert_eq!(
            (&end["outcome"], &end["margin"]),
            (&winner.into(), &margin),
            "{game}: the line"
        );
    }
    assert_eq!(json(&["solve", "tree:((3 5) (2 -9 4))", "--json"])["best_move"], "1");
}

#[test]
fn every_exact_search_agrees() {
    for game in ["kalah:2,2", "kalah:3,2", "connect4:4x3", "othello:4"] {
        let best = json(&["solve", game, "--json"]);
        let depth_first = ["ab", "alpha-beta", "mtd(f)", "mtd(inf)", "sss", "dual"];
        let by_rollouts = ["fsss", "rollout-ab", "rollout-sss", "rollout-random", "fsss(bounds)"];
        let over_a_tree = ["alphabeta2", "mt-sss", "mt-inf", "mcts-sb@1e6it"];
        for with in depth_first.into_iter().chain(by_rollouts).chain(over_a_tree) {
            let solved = json(&["solve", game, "--with", with, "--json", "--memory", "64MiB"]);
            assert_eq!(solved["outcome"], best["outcome"], "{game} {with}");
            let margin = if with.starts_with("mcts") { &Value::Null } else { &best["margin"] };
            assert_eq!(&solved["margin"], margin, "{game} {with}");
        }
    }
}

#[test]
fn the_outcome_is_that_of_the_player_to_move() {
    let after = |moves: &str| json(&["solve", "tree:((3 5) (2 -9 4))", "--json", "--moves", moves]);
    let second = after("2");
    assert_eq!((&second["to_move"], &second["outcome"]), (&"second".into(), &"win".into()));
    assert_eq!((&second["margin"], &second["best_move"]), (&9.into(), &"2".into()));
    let over = json(&["solve", "connect4", "--json", "--moves", "4545454"]);
    assert_eq!((&over["outcome"], &over["best_move"]), (&"loss".into(), &Value::Null));
    assert_eq!((&over["proven"], &over["pv"]), (&true.into(), &Value::Array(Vec::new())));
    let text = ok(&["solve", "kalah:2,2"]);
    assert!(text.contains("with best play\n") && text.contains("\nline "), "{text}");
}

#[test]
fn no_proof_is_no_success() {
    let run = without_success(&["solve", "connect4", "--time", "20ms"], 1);
    assert!(run.out.contains("result  not proven: the limit was reached\nguess "), "{}", run.out);
    let run = without_success(&["solve", "othello", "--with", "mcts-solver@50it", "--json"], 1);
    let found: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&found["proven"], &found["outcome"]), (&false.into(), &Value::Null));
    assert!(found["best_move"].is_string() && found["stop"] == "iterations");
}

#[test]
fn a_stopped_search_says_what_it_promises() {
    let solved = json(&["solve", "tree:((3 5) (2 9))", "--with", "fsss", "--json"]);
    assert_eq!((&solved["margin"], &solved["bounds"]), (&3.into(), &Value::Null));
    assert_eq!((&solved["nodes"], &solved["pv"]), (&7.into(), &serde_json::json!(["1", "1"])));
    let tree = "tree:height=12,seed=3,leaves=1..100";
    let run = without_success(&["solve", tree, "--with", "fsss@1000nodes"], 1);
    for words in [
        "result  not proven: the limit was reached\n",
        "known   the margin is at most 34 for Max\n",
        "moves   1: at most 34\n        2: at most 31\n",
    ] {
        assert!(run.out.contains(words), "{words}: {}", run.out);
    }
    let run = without_success(&["solve", tree, "--with", "fsss@1000nodes", "--json"], 1);
    let found: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&found["proven"], &found["bounds"]["low"]), (&false.into(), &Value::Null));
    assert_eq!(
        (&found["bounds"]["high"], &found["bounds"]["unit"]),
        (&34.0.into(), &"margin".into())
    );
    assert_eq!(
        found["bounds"]["moves"][1],
        serde_json::json!({"move": "2", "low": null, "high": 31.0})
    );
    // The promise holds: this is the value.
    assert_eq!(json(&["solve", tree, "--json"])["margin"], 34);
    // Who wins may be proven before it is proven by how much.
    let uniform = ["solve", "tree:height=12,seed=3", "--with", "fsss@1000nodes"];
    let run = without_success(&uniform, 1);
    let words = "result  Max, who is to move, loses, with best play; by how much is not proven\n";
    assert!(run.out.contains(words), "{}", run.out);
    let thinks = ["analyze", tree, "fsss(deepening=false,scores=margin)@1000nodes"];
    let text = ok(&thinks);
    assert!(
        text.contains("known   the margin is at most 34 for Max\nmoves   1: at most"),
        "{text}"
    );
    let found = json(&[&thinks[..], &["--json"]].concat());
    assert_eq!(
        (&found["bounds"]["high"], &found["bounds"]["holds_for_the_game"]),
        (&34.0.into(), &true.into())
    );
    let deeper = json(&["analyze", "connect4", "fsss@5000nodes", "--json"]);
    assert_eq!(deeper["bounds"], Value::Null);
    assert!(deeper["depth"].as_u64() >= Some(3) && deeper["best_move"] == deeper["pv"][0]);
    let ahead = ["analyze", "connect4", "fsss(depth=6,deepening=false)@400nodes"];
    assert!(ok(&ahead).contains(" looking 6 plies ahead\n"), "{}", ok(&ahead));
}

// -------------------------------------------------------------------- match

#[test]
fn searches_that_prove_play_matches() {
    let games = ["match", "connect4:5x4", "fsss@500nodes", "ab@500nodes", "--games", "4", "--json"];
    let result = json(&games);
    assert_eq!((&result["games"], &result["a"]), (&4.into(), &"fsss@500nodes".into()));
    assert_eq!(result["repeatable"], true);
}

#[test]
fn a_match_is_the_same_at_any_number_of_jobs() {
    let play = |jobs: &str| {
        let args = ["match", "connect4", "mcts-solver@100it", "random", "--games", "10"];
        let mut result = json(&[&args[..], &["--jobs", jobs, "--json"]].concat());
        result["seconds"] = Value::Null;
        result["a_spent"]["seconds"] = Value::Null;
        result["b_spent"]["seconds"] = Value::Null;
        result
    };
    let result = play("1");
    assert_eq!(play("2"), result);
    let number = |key: &str| result[key].as_u64().unwrap();
    assert_eq!(number("games"), 10);
    assert_eq!(number("wins") + number("draws") + number("losses"), 10);
    assert!(number("wins") >= 9, "{result}");
    let score = result["score"].as_f64().unwrap();
    let [low, high] = [0, 1].map(|end| result["ci95"][end].as_f64().unwrap());
    assert!(low < score && score <= high && high <= 1.0, "{result}");
    assert!(result.get("elo").is_some() && result["complete"] == true);
}

/// Simulations and evaluations are shown in one form, and bounds are distinguished from values.
#[test]
fn values_have_one_form() {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let sampled = ok(&["analyze", "connect4", "mcts@200it"]);
    let searched = ok(&["analyze", "connect4", "ab(depth=6)"]);
    for text in [&sampled, &searched] {
        let line = text.lines().find(|line| line.starts_with("value")).unwrap();
        let parts: Vec<&str> = line.split_whitespace().collect();
        let ["value", percent, "%", "for", "X", "(raw", raw] = parts[..] else { panic!("{line}") };
        let raw: f64 = raw.trim_end_matches(')').parse().unwrap();
        let percent: f64 = percent.parse().unwrap();
        assert!((50.0 * (raw + 1.0) - percent).abs() < 0.1, "{line}");
        assert!(words(text).contains("share value raw proof"), "{text}");
    }
    assert!(searched.contains("≤ ") && !sampled.contains('≤'), "{searched}");
    let ascii = ok(&["analyze", "connect4", "ab(depth=6)", "--ascii"]);
    assert!(ascii.contains("<= ") && ascii.is_ascii(), "{ascii}");
    assert!(!searched.contains("iterations") && searched.contains("depth   6 (completed)"));
    assert!(sampled.contains("200 iterations"), "{sampled}");

    // A bound holds: no move has a higher value, in the view of the side to move.
    for moves in ["", "4", "44 3"] {
        let found = json(&["analyze", "connect4", "ab(depth=5)", "--json", "--moves", moves]);
        let value = found["value"].as_f64().unwrap();
        let about = found["moves"].as_array().unwrap();
        assert!(about.iter().any(|about| about["at_most"].is_number()), "{found}");
        for about in about {
            let known = about["value"].as_f64();
            assert!(known.is_none() || about["at_most"].is_null() && about["at_least"].is_null());
            let most = known.or(about["at_most"].as_f64());
            assert!(most.is_none_or(|most| most <= value), "{about} {value}");
            // Searched by itself, the move is as bad as its bound says.
            if let Some(most) = about["at_most"].as_f64() {
                let after = format!("{moves} {}", about["move"].as_str().unwrap());
                let alone = ["analyze", "connect4", "ab(depth=4)", "--json", "--moves", &after];
                let alone = -json(&alone)["value"].as_f64().unwrap();
                assert!(alone <= most + 1e-9, "{after}: {alone} > {most}");
            }
        }
    }
    let matched = ok(&["match", "connect4", "ab(depth=2)", "mcts@20it", "--games", "2"]);
    assert!(words(&matched).contains("time iterations depth nodes"), "{matched}");
    let deep = ok(&["match", "connect4", "ab(depth=2)", "ab(depth=1)", "--games", "2"]);
    assert!(words(&deep).contains("time depth nodes"), "{deep}");
}

#[test]
fn the_signs_are_the_names() {
    for charset in [&[][..], &["--ascii"]] {
        let args = [&["show", "connect4", "--moves", "44"][..], charset].concat();
        let text = ok(&args);
        assert!(text.contains(" X ") && text.contains(" O "), "{text}");
        assert!(text.contains("turn      X,"), "{text}");
        let text = ok(&[&["show", "hex:3", "--moves", "a1", "b2"][..], charset].concat());
        assert!(text.contains("Black: top to bottom\n"), "{text}");
        assert!(text.contains("White: left to right\n"), "{text}");
    }
}

/// The message says why, even if the moves are written without blanks.
#[test]
fn illegal_moves_say_why() {
    for (game, moves, why) in [
        ("connect4", "44444444", "move \"4\": it is move 7: the column is full"),
        ("connect4", "4444444", "the column is full"),
        ("connect4", "4 4 4 4 4 4 4", "the column is full"),
        ("connect4", "1 2 1 2 1 2 1 2", "and the game is over before it"),
        ("hex:3", "a1a1", "the cell is occupied"),
        ("othello", "f5f5d6", "the square is occupied"),
        ("othello", "a1", "no disc is turned there"),
        ("kalah", "33", "the house is empty"),
        ("breakthrough:5x5", "a2a3a2a3", "there is no piece of the side to move"),
        ("loa", "a1b1", "there is no piece of the side to move"),
    ] {
        let error = refused(&["show", game, "--moves", moves]);
        assert!(error.contains(why), "{game} {moves}: {error}");
    }
}

#[test]
fn a_match_is_told() {
    let text = ok(&["match", "connect4", "uct@50it", "mcts@50it", "--games", "6", "--seed", "2"]);
    for part in
        ["A     uct@50it\n", "B     mcts@50it\n", "score ", "Elo ", "as first player", "a move of"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("note:"), "{text}");
    let text = ok(&["match", "connect4", "ab(depth=1)", "ab(depth=2)", "--games", "10"]);
    assert!(text.contains("note: 10 games repeat each other"), "{text}");
    assert!(text.contains("2 of 10 games, worth 2\n"), "{text}");
    assert!(text.contains("try --opening-plies 4"), "{text}");
}

// -------------------------------------------------------------------- play

#[test]
fn a_game_is_played_to_its_end() {
    let args = ["play", "connect4:4x4", "mcts-solver@300it", "--seed", "1"];
    // Columns in turn until one is taken: a full one is refused, and the prompt repeated.
    let talk = typed(&args, &"1\n2\n3\n4\n".repeat(8));
    assert!(talk.starts_with("You play X against mcts-solver@300it (seed 1)."), "{talk}");
    assert!(talk.contains("O plays ") && talk.contains("300 iterations in "), "{talk}");
    assert!(talk.contains("The game is over: "), "{talk}");
    assert!(talk.ends_with("undo, save or quit> \nGoodbye.\n"), "{talk}");
}

#[test]
fn everything_that_can_be_typed() {
    let args = ["play", "connect4", "ab(depth=3)", "--seed", "1", "--ascii"];
    let talk = typed(&args, "hint\nview\nmoves\n🦁\n4\nundo\nundo\nhelp\nboard\n\n8\nquit\n9\n");
    assert!(talk.contains("1 2 3 4 5 6 7\n"), "{talk}");
    assert!(talk.contains("move \"🦁\": not a column"), "{talk}");
    assert!(talk.contains("move \"8\": "), "{talk}");
    assert!(talk.contains("\nO plays ") && talk.contains("; line "), "{talk}");
    assert!(talk.contains("You have not made a move yet."), "{talk}");
    assert!(talk.contains("undo      takes your last move back"), "{talk}");
    assert!(talk.contains("nodes ") && talk.contains(" % for X (raw "), "{talk}");
    assert!(talk.ends_with("> Goodbye.\n"), "nothing is read after quit: {talk}");
    // Hints and looks do not change how the opponent plays.
    let plain = typed(&args, "4\nquit\n");
    let answer = |talk: &str| {
        talk.lines().find(|line| line.starts_with("O plays")).map(|line| line[..9].to_owned())
    };
    assert_eq!(answer(&plain), answer(&talk));
}

#[test]
fn the_second_player_waits_and_extra_turns_are_taken() {
    let talk = typed(&["play", "connect4", "random", "--as", "second", "--seed", "1"], "");
    assert!(talk.contains("You play O") && talk.contains("X plays "), "{talk}");
    assert!(talk.ends_with("your move (O)> \nGoodbye.\n"), "{talk}");
    // The first house of kalah:3,3 ends in the store: the same side moves again.
    let talk = typed(&["play", "kalah:3,3", "random", "--seed", "1"], "1\n");
    assert!(!talk.contains("North plays"), "{talk}");
    let over = typed(&["play", "connect4", "random", "--moves", "4545454"], "4\nhint\nundo\n");
    assert!(over.contains("The game is over: X wins"), "{over}");
    assert!(over.contains("You have not made a move yet."), "{over}");
}

// -------------------------------------------------------------------- bad input

#[test]
fn bad_input_is_named() {
    let long = "9".repeat(100_000);
    let cases: &[(&[&str], &[&str])] = &[
        (
            &["analyze", "lion", "mcts(c=-3)"],
            &["\"mcts(c=-3)\"", "c is \"-3\"", "from 0 to 100", "try: `treegraft players mcts`"],
        ),
        (&["analyze", "lion", "mtcs"], &["\"mtcs\"", "did you mean mcts?", "`treegraft players`"]),
        (&["analyze", "lino", "mcts"], &["\"lino\"", "try: lion"]),
        (&["analyze", "lion", "mcts@5"], &["\"5\"", "no unit"]),
        (&["analyze", "lion", "ab(eval=wpc)"], &["eval is \"wpc\"", "lion does not have"]),
        (&["analyze", "lion"], &["<PLAYER>"]),
        (
            &["analyze", "lion", "ab", "--tree", "2"],
            &["\"ab\"", "keeps no tree", "try: mcts-solver"],
        ),
        (&["analyze", "lion", "mcts@9it", "--tree", "x"], &["'x'", "from 0 to 100"]),
        (&["analyze", "lion", &long], &["there is no player"]),
        (&["players", "mtcs"], &["\"mtcs\"", "did you mean mcts?"]),
        (&["solve", "lion", "--with", "mcts"], &["\"mcts\"", "proves nothing", "try: ab"]),
        (&["solve", "lion", "--time", "soon"], &["'soon'", "such as 10s"]),
        (&["solve", "lion", "--time", "5it"], &["'5it'", "such as 10s"]),
        (&["solve", "lion", "--memory", "lots"], &["'lots'", "1GiB"]),
        (&["match", "lion", "mcts"], &["<B>"]),
        (&["match", "lion", "mcts", "nobody"], &["\"nobody\""]),
        (&["match", "lion", "random", "random", "--games", "0"], &["'0'", "from 1 to"]),
        (&["match", "lion", "random", "random", "--jobs", "-2"], &["'-2'", "from 1 to"]),
        (
            &["match", "connect4:1x2", "random", "random", "--opening-plies", "9"],
            &["openings of 9 plies"],
        ),
        (&["play", "lion", "nobody"], &["\"nobody\""]),
        (&["play", "lion", "random", "--as", "white"], &["'white'", "first"]),
    ];
    for (args, named) in cases {
        let error = refused(args);
        for part in *named {
            assert!(error.contains(part), "{args:?} does not say {part}: {error}");
        }
        assert!(error.len() < 3000);
    }
}

#[test]
fn whoever_lost_everything_is_infinitely_weaker() {
    let text = ok(&["match", "connect4", "random", "ab@1000nodes", "--games", "6"]);
    assert!(text.contains("Elo       -∞ (95 %: -∞ to +43)"), "{text}");
}

/// An opponent that plays worse than it can is no adviser.
#[test]
fn advice_comes_from_the_full_player() {
    let typed = typed(
        &["play", "othello", "best(level=1)@200nodes", "--seed", "1"],
        "hint\nview\nd3\nresign\nquit\n",
    );
    assert_eq!(typed.matches("; 200 nodes in ").count(), 2, "{typed}");
    let judges = ["\nbest@200nodes sees no mistakes", "as best@200nodes sees them"];
    assert!(judges.iter().any(|words| typed.contains(words)), "{typed}");
}
