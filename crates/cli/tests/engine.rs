//! The program as an engine: for others, and for itself.

mod common;

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use common::{command, json, ok, refused};
use treegraft_games::AnyGame;
use treegraft_lab::{GameRow, Opening, Pair, Player, play_pair};

/// `engine:"treegraft engine GAME PLAYER"@BUDGET`
fn engine(game: &str, player: &str, budget: &str) -> String {
    let program = env!("CARGO_BIN_EXE_treegraft");
    format!("engine:\"'{program}' engine {game} '{player}'\"@{budget}")
}

/// The games of two pairs, as text.
fn games(game: &str, a: &str, b: &str) -> Vec<String> {
    let game = AnyGame::parse(game).unwrap().canonical();
    let play = |seed| {
        let players = [a.parse().unwrap(), b.parse().unwrap()];
        let opening = Opening::Random { plies: 1, seed };
        let pair = Pair { game: game.clone(), players, opening, seed: 11 + seed, max_plies: None };
        play_pair(&pair, None).unwrap()
    };
    let text = |row: GameRow| {
        let GameRow { moves, outcome, end, digest, .. } = row;
        format!("{moves} {outcome} {end} {digest:x}")
    };
    (0..2).flat_map(play).map(text).collect()
}

#[test]
fn the_same_games_as_in_the_own_process() {
    for (game, player, budget) in [
        ("connect4", "mcts-solver", "200it,1MiB"),
        ("breakthrough:5x5", "mcts(reuse)", "100it,1MiB"),
        ("othello:6", "ab", "300nodes,1MiB"),
        ("kalah:6,4,random-start=5", "mtd(f)", "400nodes,1MiB"),
    ] {
        let opponent = "uct@50it,1MiB";
        let own = games(game, &format!("{player}@{budget}"), opponent);
        // The engine is told of the game: what it was started with does not matter.
        let foreign = games(game, &engine("hex:3", player, budget), opponent);
        assert_eq!(foreign, own, "{game} {player}");
        assert!(own.iter().all(|game| game.contains(" rules ")), "{own:?}");
    }
}

#[test]
fn a_match_counts_the_work_of_an_engine() {
    let a = engine("connect4", "mcts-solver", "30it,1MiB");
    let args = |a| vec!["match", "connect4:4x4", a, "random", "--games", "4", "--json"];
    let foreign = json(&args(&a));
    let own = json(&args("mcts-solver@30it,1MiB"));
    assert_eq!(foreign["a"].as_str().unwrap(), a.parse::<Player>().unwrap().to_string());
    assert_eq!(foreign["digest"], own["digest"]);
    for key in ["moves", "iterations", "nodes", "evaluations", "playout_plies"] {
        assert_eq!(foreign["a_spent"][key], own["a_spent"][key], "{key}");
    }
}

#[test]
fn it_answers_while_it_is_asked() {
    let mut child = command(&["engine", "connect4", "mcts-solver@50it,1MiB"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || output.next().unwrap().unwrap();
    writeln!(input, "tgp 1").unwrap();
    assert!(next().starts_with("id name treegraft "));
    assert_eq!(next(), "tgpok 1");
    writeln!(input, "position startpos moves 4 1 4 1 4 1\ngo seed 1").unwrap();
    assert!(next().starts_with("info iterations "));
    assert_eq!(next(), "bestmove 4");
    writeln!(input, "go movetime 100000").unwrap();
    writeln!(input, "position startpos moves 99\nstop").unwrap();
    assert!(next().starts_with("info iterations "));
    assert!(next().starts_with("bestmove "));
    assert!(next().starts_with("error move \"99\""));
    writeln!(input, "quit").unwrap();
    assert!(child.wait().unwrap().success());
}

#[test]
fn what_cannot_be_served_is_refused() {
    for (args, words) in [
        (&["engine", "conect4", "mcts"][..], &["\"conect4\"", "try: connect4"][..]),
        (&["engine", "connect4", "mtcs"], &["\"mtcs\"", "did you mean mcts?"]),
        (&["engine", "connect4", "engine:cat"], &["an engine plays", "such as mcts"]),
        (
            &["analyze", "connect4", "engine:cat"],
            &["an engine plays", "`treegraft players engine`"],
        ),
        (&["play", "connect4", "engine:cat"], &["an engine plays"]),
        (&["solve", "connect4", "--with", "engine:cat"], &["this search proves nothing"]),
        (&["match", "connect4", "engine", "random"], &["the engine has no command"]),
    ] {
        let error = refused(args);
        for word in words {
            assert!(error.contains(word), "{args:?}: {error}");
        }
    }
    assert_eq!(ok(&["players", "engine:cat@1s"]), ok(&["players", "engine"]));
}
