//! The program as an engine: for others, and for itself.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use crate::common::{command, json, ok, refused};
use treegraft_lab::{GameRow, Opening, Pair, SideRow, play_pair};
use treegraft_players::Registry;

/// `engine:"treegraft engine GAME PLAYER"@BUDGET`
fn engine(game: &str, player: &str, budget: &str) -> String {
    let program = env!("CARGO_BIN_EXE_treegraft");
    format!("engine:\"'{program}' engine {game} '{player}'\"@{budget}")
}

/// The games of two pairs.
fn rows(game: &str, a: &str, b: &str) -> Vec<GameRow> {
    let registry = Registry::standard();
    let game = registry.start(game).unwrap().text().to_owned();
    let play = |seed| {
        let players = [a, b].map(|text| registry.player(text).unwrap().to_string());
        let opening = Opening::Random { plies: 1, seed };
        let pair = Pair { game: game.clone(), players, opening, seed: 11 + seed, max_plies: None };
        play_pair(&registry, &pair, None).unwrap()
    };
    (0..2).flat_map(play).collect()
}

/// The games of two pairs, as text.
fn games(game: &str, a: &str, b: &str) -> Vec<String> {
    let text = |row: GameRow| {
        let GameRow { moves, outcome, end, digest, .. } = row;
        format!("{moves} {outcome} {end} {digest:x}")
    };
    rows(game, a, b).into_iter().map(text).collect()
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
        // The engine is sent the game: what it was started with does not matter.
        let foreign = games(game, &engine("hex:3", player, budget), opponent);
        assert_eq!(foreign, own, "{game} {player}");
        assert!(own.iter().all(|game| game.contains(" rules ")), "{own:?}");
    }
}

#[test]
fn the_work_of_an_engine_is_counted() {
    let a = engine("connect4", "mcts-solver", "30it,1MiB");
    let args = ["match", "connect4:4x4", &a, "random", "--games", "4", "--json"];
    let played = json(&args);
    assert_eq!(played["a"], Registry::standard().player(&a).unwrap().to_string());
    assert!(played["a_spent"]["iterations"].as_f64().is_some_and(|mean| mean > 0.0), "{played}");
    // The same pairs, with the same seeds, cost the same.
    let work = |player: &str| -> Vec<[u64; 5]> {
        let rows = rows("connect4:4x4", player, "random");
        let side = |(number, row): (usize, &GameRow)| {
            let SideRow { moves, iterations, nodes, evaluations, playout_plies, .. } =
                row.sides[number % 2];
            [moves, iterations, nodes, evaluations, playout_plies]
        };
        rows.iter().enumerate().map(side).collect()
    };
    assert_eq!(work(&a), work("mcts-solver@30it,1MiB"));
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

/// Our program at both ends of other people's protocols, through the program itself.
#[test]
fn it_plays_itself_over_uci_and_gtp() {
    let program = env!("CARGO_BIN_EXE_treegraft");
    for (protocol, game, budget) in [
        ("uci", "breakthrough:5x5", "@40nodes"),
        ("uci", "lion:max-plies=60", "@20nodes"),
        ("gtp", "connect4", ""),
        ("gtp", "connect4:5x4", ""),
        ("gtp", "hex:4", ""),
        ("gtp", "othello:6", ""),
        ("gtp", "breakthrough:4x5", ""),
    ] {
        let command = format!("'{program}' engine {game} mcts@30it,1MiB --protocol {protocol}");
        let engine = format!("engine:{protocol}:\"{command}\"{budget}");
        for row in rows(game, &engine, "mcts@30it,1MiB") {
            let end = row.end.as_str();
            assert!(["rules", "too-long"].contains(&end), "{protocol} {game}: {end}");
        }
    }
}

#[test]
fn games_and_limits_that_a_protocol_lacks_are_refused() {
    for (args, said) in [
        (["match", "othello", "engine:uci:x@1s", "random"], "expected breakthrough or lion"),
        (["match", "kalah", "engine:gtp:x", "random"], "expected othello, hex, connect4 or break"),
        (["match", "othello", "engine:gtp:x@10ms", "random"], "GTP has no limit of 10ms"),
        (["analyze", "connect4", "engine:gtp:x", "--ascii"], "an engine plays, but does not say"),
        (["engine", "connect4", "mcts", "--protocol=xboard"], "invalid value 'xboard'"),
    ] {
        let error = refused(&args);
        assert!(error.contains(said), "{args:?}: {error}");
    }
}
