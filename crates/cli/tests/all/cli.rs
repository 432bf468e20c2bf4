//! The program as its users meet it: every command, in words and in JSON, for every game.

use std::ffi::OsStr;
use std::process::Stdio;

use crate::common::{command, finish, game_names, json, ok, refused, strings};
use serde_json::Value;

// -------------------------------------------------------------------- every game

#[test]
fn every_game_is_listed_and_explained() {
    let list = ok(&["games"]);
    let all = json(&["games", "--json"]);
    for game in all.as_array().unwrap() {
        let name = game["name"].as_str().unwrap();
        assert!(list.lines().any(|line| line == name), "{name} is missing:\n{list}");
        for key in ["syntax", "rules", "moves", "positions"] {
            assert!(!game[key].as_str().unwrap().is_empty(), "{name} has no {key}");
        }
        for param in game["params"].as_array().unwrap() {
            for key in ["name", "values", "default", "meaning"] {
                assert!(param[key].is_string(), "{name}: {param}");
            }
        }
        let alone = json(&["games", name, "--json"]);
        assert_eq!(alone.as_array().unwrap().as_slice(), std::slice::from_ref(game));
        let detail = ok(&["games", name]);
        for label in ["game", "rules", "moves", "positions"] {
            assert!(detail.lines().any(|line| line.starts_with(label)), "{detail}");
        }
    }
}

#[test]
fn every_game_is_shown_and_its_position_is_read_back() {
    for name in game_names() {
        let start = json(&["show", &name, "--json"]);
        assert_eq!(start["game"], name.as_str());
        assert_eq!(start["ply"], 0);
        assert_eq!(start["to_move"], "first");
        for key in ["outcome", "reason", "margin"] {
            assert_eq!(start[key], Value::Null, "{name}");
        }
        assert!(strings(&start["played"]).is_empty());
        let moves = strings(&start["moves"]);
        let last = *moves.last().expect("a game begins with a move");

        let next = json(&["show", &name, "--json", "--moves", last]);
        assert_eq!(next["ply"], 1);
        assert_eq!(strings(&next["played"]), [last]);
        let text = next["position"].as_str().expect("every game here writes positions");
        let again = json(&["show", &name, "--json", "--position", text]);
        for key in ["game", "to_move", "side", "moves", "position"] {
            assert_eq!(again[key], next[key], "{name}: {text}");
        }

        let drawn = ok(&["show", &name, "--ascii", "--moves", last]);
        assert!(drawn.is_ascii(), "{drawn}");
        for label in ["game ", "played ", "turn ", "moves ", "position "] {
            assert!(drawn.lines().any(|line| line.starts_with(label)), "{label}:\n{drawn}");
        }
    }
}

#[test]
fn every_game_is_counted() {
    for name in game_names() {
        let moves = json(&["show", &name, "--json"])["moves"].as_array().unwrap().len() as u64;
        assert_eq!(json(&["perft", &name, "--depth", "0", "--json"])["nodes"], 1);
        assert_eq!(json(&["perft", &name, "--depth", "1", "--json"])["nodes"], moves);
        let two = json(&["perft", &name, "--depth", "2", "--divide", "--json"]);
        let divided = two["divide"].as_object().unwrap();
        assert_eq!(divided.len() as u64, moves, "{name}");
        let sum: u64 = divided.values().map(|nodes| nodes.as_u64().unwrap()).sum();
        assert_eq!(two["nodes"], sum, "{name}");
        assert!(two["seconds"].is_f64());
    }
}

#[test]
fn every_game_passes_its_check() {
    for name in game_names() {
        let args = ["check", &name, "--walks", "2", "--samples", "200"];
        let text = ok(&args);
        let end = text.lines().last().unwrap();
        assert!(end.starts_with(&format!("{name}: passed ")), "{text}");
        assert!(end.contains(" of 64 laws") && end.contains(" (2 games, "), "{text}");
        let report = json(&[&args[..], &["--json"]].concat());
        assert_eq!((&report["game"], &report["walks"]), (&Value::from(name), &Value::from(2)));
        assert_eq!(report["passed"], true);
        assert!(report["positions"].as_u64().unwrap() > 0);
        for law in report["laws"].as_array().unwrap() {
            assert_eq!((&law["passed"], &law["problem"]), (&Value::Bool(true), &Value::Null));
            assert!(law["checked"].is_u64() && law["name"].is_string(), "{law}");
        }
    }
}

// -------------------------------------------------------------------- Connect-4 as example

#[test]
fn moves_may_be_separated_or_not() {
    let run_together = ok(&["show", "connect4", "--json", "--moves", "4453"]);
    for moves in [&["4", "4", "5", "3"][..], &["4,4,5,3"], &["4 4 5 3"], &["44", "5,3"]] {
        let args = [&["show", "connect4", "--json", "--moves"], moves].concat();
        assert_eq!(ok(&args), run_together, "{moves:?}");
    }
    assert_eq!(
        run_together,
        "{\"schema\":\"treegraft.show/1\",\"game\":\"connect4\",\"to_move\":\"first\",\"side\":\"X\",\"ply\":4,\"outcome\":null,\
         \"reason\":null,\"margin\":null,\"moves\":[\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\"],\
         \"position\":\"4453\",\"played\":[\"4\",\"4\",\"5\",\"3\"]}\n"
    );
    let start = ok(&["show", "connect4"]);
    assert_eq!(ok(&["show", "connect4", "--moves", ""]), start);
    assert_eq!(ok(&["show", "connect4", "--moves"]), start);
    assert_eq!(ok(&["show", "connect4", "--position", ""]), start);
}

#[test]
fn moves_are_played_from_the_position() {
    let both = ok(&["show", "connect4", "--position", "44", "--moves", "53", "--json"]);
    assert_eq!(both, ok(&["show", "connect4", "--moves", "4453", "--json"]));
}

#[test]
fn a_finished_game_has_a_result_and_no_moves() {
    let won = json(&["show", "connect4", "--moves", "4545454", "--json"]);
    assert_eq!((&won["outcome"], &won["reason"]), (&"first".into(), &"rules".into()));
    assert_eq!((&won["to_move"], &won["side"]), (&Value::Null, &Value::Null));
    assert!(strings(&won["moves"]).is_empty());
    let text = ok(&["show", "connect4", "--moves", "4545454"]);
    assert!(text.contains("result    X wins, by the rules of the game\n"), "{text}");
    assert!(!text.contains("turn"), "{text}");

    let drawn = json(&["show", "connect4:1x2", "--moves", "11", "--json"]);
    assert_eq!((&drawn["outcome"], &drawn["game"]), (&"draw".into(), &"connect4:1x2".into()));
    let text = ok(&["show", "connect4:1x2", "--moves", "11"]);
    assert!(text.contains("result    a draw, by the rules of the game\n"), "{text}");
    assert_eq!(json(&["perft", "connect4:1x2", "--depth", "3", "--json"])["nodes"], 0);
}

#[test]
fn counts_are_right() {
    for (depth, nodes) in [("1", 7), ("4", 2401), ("7", 823_536), ("8", 5_673_234)] {
        let count = json(&["perft", "connect4", "--depth", depth, "--json"]);
        assert_eq!(count["nodes"], nodes);
        assert_eq!(count["depth"].to_string(), depth);
        assert!(count.get("divide").is_none());
    }
    let text = ok(&["perft", "connect4", "--moves", "444444", "--depth", "2", "--divide"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[..8], ["1  6", "2  6", "3  6", "5  6", "6  6", "7  6", "", "nodes  36"]);
    assert!(lines[8].starts_with("time   ") && lines[9].ends_with(" million nodes/s"), "{text}");
}

// -------------------------------------------------------------------- bad input

#[test]
fn bad_input_is_named() {
    let long = "9".repeat(100_000);
    let cases: &[(&[&str], &[&str])] = &[
        (&["show", "conect4"], &["\"conect4\"", "no such game", "try: connect4"]),
        (&["show", "🦁"], &["\"🦁\"", "`treegraft games`"]),
        (&["show", ""], &["\"\"", "no such game"]),
        (&["games", "nonsense"], &["\"nonsense\"", "connect4"]),
        (&["check", "connect4:7x"], &["\"connect4:7x\"", "`treegraft games connect4`"]),
        (&["show", "connect4:999x999"], &["connect4:999x999", "expected connect4"]),
        (&["show", "connect4", "--moves", "4458"], &["\"8\"", "move 4", "1, 2, 3"]),
        (&["show", "connect4", "--moves", "4545454", "1"], &["\"1\"", "over"]),
        (&["show", "connect4", "--moves", &long], &["move 1"]),
        (&["show", "connect4", "--position", "44x"], &["\"44x\"", "position"]),
        (&["show", "connect4", "--position", "--ascii"], &["\"--ascii\""]),
        (&["show"], &["<GAME>"]),
        (&["perft", "connect4"], &["--depth"]),
        (&["perft", "connect4", "--depth", "-1"], &["'-1'", "from 0 to 1000"]),
        (&["perft", "connect4", "--depth", "1001"], &["'1001'", "from 0 to 1000"]),
        (&["perft", "connect4", "--depth", &long], &["from 0 to 1000"]),
        (&["perft", "connect4", "--depth", "two"], &["'two'", "from 0 to 1000"]),
        (&["check", "connect4", "--walks", "0"], &["'0'", "from 1 to"]),
        (&["check", "connect4", "--seed", "-5"], &["'-5'", "from 0 to"]),
        (&["completions", "tcsh"], &["'tcsh'", "bash"]),
        (&["man", "shwo"], &["\"shwo\"", "show"]),
        (&["man", "show", "--dir", "x"], &["--dir"]),
        (&["nonsense"], &["'nonsense'"]),
        (&["games", "--nonsense"], &["'--nonsense'"]),
    ];
    for (args, named) in cases {
        let error = refused(args);
        for part in *named {
            assert!(error.contains(part), "{args:?} does not say {part}: {error}");
        }
    }
}

#[cfg(unix)]
#[test]
fn bytes_that_are_no_text_are_refused() {
    use std::os::unix::ffi::OsStrExt;
    let bad = OsStr::from_bytes(b"connect4\xff");
    for args in [
        &[OsStr::new("show"), bad][..],
        &[OsStr::new("show"), OsStr::new("connect4"), OsStr::new("--moves"), bad],
        &[OsStr::new("show"), OsStr::new("connect4"), OsStr::new("--position"), bad],
        &[bad],
    ] {
        let run = finish(command(args));
        assert_eq!(run.code, Some(2), "{args:?}");
        assert!(!run.err.is_empty(), "{args:?}");
    }
}

// -------------------------------------------------------------------- the terminal around it

#[test]
fn a_reader_that_left_is_no_error() {
    for args in [&["games"][..], &["show", "connect4"], &["completions", "bash"], &["--help"], &[]]
    {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = command(args);
        let child = command.stdout(writer).stderr(Stdio::piped()).spawn().expect("it starts");
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
    let mut command = command(&["games"]);
    let child = command.stdout(full).stderr(Stdio::piped()).spawn().expect("it starts");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: cannot write the output"));
}

// -------------------------------------------------------------------- help

const COMMANDS: [&str; 28] = [
    "games",
    "players",
    "show",
    "eval",
    "analyze",
    "trace",
    "solve",
    "match",
    "run",
    "merge",
    "cluster",
    "status",
    "report",
    "export",
    "verify",
    "replay",
    "annotate",
    "trees",
    "categories",
    "tune",
    "play",
    "watch",
    "serve",
    "engine",
    "perft",
    "check",
    "completions",
    "man",
];

#[test]
fn help_and_version() {
    let help = ok(&["--help"]);
    assert_eq!(ok(&[]), help);
    assert!(COMMANDS.iter().all(|name| help.contains(&format!("\n  {name} "))), "{help}");
    assert_eq!(ok(&["--version"]), format!("treegraft {}\n", env!("CARGO_PKG_VERSION")));
}

/// Commands that need an experiment, a partner to talk to, or some time: tested elsewhere.
const ELSEWHERE: [&str; 14] = [
    "run", "merge", "cluster", "status", "report", "export", "verify", "replay", "annotate",
    "watch", "serve", "engine", "trees", "tune",
];

/// The examples in the help are promises.
/// Words as a shell has them, with single quotes.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for (i, part) in line.trim().split('\'').enumerate() {
        let is_quoted = i % 2 == 1;
        let mut pieces = if is_quoted { vec![part] } else { part.split(' ').collect() };
        let first = pieces.remove(0);
        words.last_mut().unwrap().push_str(first);
        words.extend(pieces.into_iter().map(str::to_owned));
    }
    words.retain(|word| !word.is_empty());
    words
}

#[test]
fn every_example_in_the_help_works() {
    let here = COMMANDS.iter().filter(|name| !ELSEWHERE.contains(name));
    let helps = here.map(|name| ok(&[name, "--help"])).chain([ok(&["--help"])]);
    for help in helps {
        let examples: Vec<&str> =
            help.lines().filter_map(|line| line.strip_prefix("  treegraft ")).collect();
        assert!(examples.len() >= 2, "{help}");
        for example in examples {
            let (args, _) = example.split_once('>').unwrap_or((example, ""));
            let words = words(args);
            let args: Vec<&str> = words.iter().map(String::as_str).collect();
            if ELSEWHERE.contains(&args[0]) {
                continue;
            }
            assert!(!ok(&args).is_empty(), "{example}");
        }
    }
}

#[test]
fn manual_pages_and_completions() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        assert!(ok(&["completions", shell]).contains("perft"), "{shell}");
    }
    assert!(ok(&["man"]).contains(".TH treegraft 1"));
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages/man1");
    ok(&["man", "--dir", folder.to_str().unwrap()]);
    for name in COMMANDS {
        let page = ok(&["man", name]);
        assert!(page.contains(&format!(".TH treegraft-{name} 1")), "{page}");
        let written = std::fs::read_to_string(folder.join(format!("treegraft-{name}.1"))).unwrap();
        assert_eq!(written, page);
    }
}

/// Other boards have other best players: what they stand for is what is shown.
#[test]
fn best_is_shown_as_it_plays_there() {
    for (usual, other) in [
        ("othello", "othello:6"),
        ("breakthrough", "breakthrough:5x5"),
        ("connect4", "connect4:5x4"),
    ] {
        let best = |game| json(&["games", game, "--json"])[0]["best"]["player"].clone();
        let (usual, found) = (best(usual), best(other));
        let found = found.as_str().unwrap();
        assert_ne!(usual, found, "{other}");
        assert!(ok(&["games", other]).contains(found), "{other}: {found}");
        let digest = |player: &str| json(&["analyze", other, player, "--json"])["digest"].clone();
        let [best, found] = ["best", found].map(|it| digest(&format!("{it}@500nodes")));
        assert_eq!(best, found, "{other}");
    }
}
