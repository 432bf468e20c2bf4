//! Programs that other people wrote: as they were once recorded, and as they are installed.

use std::fs;

use treegraft::{Game, Notation};
use treegraft_engine::{MoveRequest, programs};
use treegraft_players::MoveIndex;

use super::*;

/// Who made each move of a recorded conversation, and the move as the program has it.
fn moves_of(conversation: &str) -> Vec<(bool, String)> {
    let mut moves: Vec<(bool, String)> = Vec::new();
    let mut asked: Vec<usize> = Vec::new();
    for line in conversation.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [">", "position", "startpos", told @ ..] => {
                let told = told.iter().skip(1);
                moves = told.map(|text| (false, (*text).to_owned())).collect();
                asked.push(moves.len());
            }
            ["<", "bestmove", text, ..] => moves.push((true, (*text).to_owned())),
            [">", "play", _, text] => moves.push((false, (*text).to_owned())),
            [">", "genmove", _] => asked.push(moves.len()),
            ["<", "=", text] if asked.last() == Some(&moves.len()) => {
                moves.push((true, text.to_ascii_lowercase()));
            }
            _ => {}
        }
    }
    for ply in asked {
        moves[ply].0 = true;
    }
    moves
}

/// The program says again what it said; the game must become the one of the recording.
fn check_recording(game: &str, text: &str, name: &str) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engines/conversations");
    let path = format!("{folder}/{name}.txt");
    let moves = moves_of(&fs::read_to_string(&path).unwrap());
    assert!(moves.iter().filter(|(asked, _)| *asked).count() >= 8, "{name}");
    let command = format!("'{}' replay '{path}'", bad_engine());
    let engine = player(&text.replace("COMMAND", &command));
    let registry = Registry::standard();
    let start = registry.start(game).unwrap();
    let mut seat = seat(&registry, &start, &engine).unwrap();
    seat.new_game().unwrap();
    let mut playthrough = start.playthrough();
    for (ply, (asked, text)) in moves.iter().enumerate() {
        let mv: MoveIndex = playthrough.position().notation().parse_move(text).unwrap();
        if *asked {
            let budget = engine.budget;
            let request = MoveRequest { budget, seed: 0, cancel: None, record: false };
            let answer = seat.next_move(&playthrough, request);
            let answer = answer.unwrap_or_else(|error| panic!("{name}, ply {ply}: {error:?}"));
            assert_eq!(answer.mv, mv, "{name}, ply {ply}: {text}");
            assert_eq!(
                answer.work.nodes > 0,
                text != "pass" && name.starts_with("fairy"),
                "{name}"
            );
        }
        playthrough.play(mv);
    }
}

#[test]
fn recorded_conversations_are_the_same_again() {
    let _alone = alone();
    let uci = "engine:uci:\"COMMAND\"@200nodes";
    check_recording("breakthrough", uci, "fairy-stockfish-breakthrough");
    check_recording("breakthrough:6x6", uci, "fairy-stockfish-breakthrough-6x6");
    check_recording("lion", uci, "fairy-stockfish-lion");
    check_recording("othello", "engine:gtp:\"COMMAND\"", "gtp-rhino-othello");
    assert_eq!(left_behind(), [""; 0]);
}

/// Set by `cargo xtask test-engines`, which installs the programs: then none may be missing.
const REQUIRED: &str = "TREEGRAFT_REQUIRE_PROGRAMS";

#[test]
#[ignore = "needs programs of others: cargo xtask test-engines"]
fn installed_programs_play_without_a_fault() {
    let _alone = alone();
    let registry = Registry::standard();
    for (game, ours, theirs) in [
        ("breakthrough", "ab@10ms", "engine:uci:\"fairy-stockfish\"@10ms"),
        ("breakthrough", "ab@10ms", "engine(option.Skill Level=-5):uci:\"fairy-stockfish\"@3it"),
        ("breakthrough:5x6", "ab@10ms", "engine:uci:\"fairy-stockfish\"@300nodes"),
        ("breakthrough:12x10", "ab@10ms", "engine:uci:\"fairy-stockfish\"@10ms,8MiB"),
        ("lion", "random", "engine:uci:\"fairy-stockfish\"@10ms"),
        ("lion", "ab@10ms", "engine:uci:\"fairy-stockfish\"@10ms"),
        ("othello", "random", "engine:gtp:\"gtp-rhino -l 1\""),
        ("othello", "ab@10ms", "engine:gtp:\"gtp-rhino -l 2\"@1s"),
    ] {
        let theirs = player(theirs);
        let Search::Engine(options) = &theirs.search else { panic!("an engine") };
        let program = &options.command[0];
        if programs::find_program(program).is_none() {
            let package = programs::packages_of(program);
            assert!(std::env::var_os(REQUIRED).is_none(), "{program} is missing: {package:?}");
            eprintln!("skipped: there is no {program}; Debian has it in {package:?}");
            continue;
        }
        let start = registry.start(game).unwrap();
        let opening = Match::new(start, player(ours), theirs.clone());
        let setup = Match { games: 20, jobs: 1, opening_plies: 4, ..opening };
        let result = run_match(&registry, &setup, Watch::default()).unwrap();
        assert!(result.b_faults.is_empty(), "{game} {theirs}: {:?}", result.b_faults);
        assert_eq!((result.games, result.complete), (20, true));
        if ours == "random" {
            assert!(result.losses >= 15, "{game} {theirs}: lost to a random player");
        }
    }
    assert_eq!(left_behind(), [""; 0]);
}
