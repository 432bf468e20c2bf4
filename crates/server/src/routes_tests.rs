//! What no answer may tell, of any path, whatever is asked and whatever is in the folder.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::json;
use treegraft_lab::{Ledger, LoadedExperiment, RunOptions, RunWatch, Store, run};
use treegraft_players::Registry;

use super::*;
use crate::{Options, Server};

const EXPERIMENT: &str = "game = \"connect4:5x4\"\ngames = 4\nplayers = [\"random\", \"greedy\"]\n";

/// Writes files of every kind, whole and broken; returns the folder that is shown.
fn broken_folder() -> PathBuf {
    let name = format!("treegraft-broken-{}", std::process::id());
    let folder = std::env::temp_dir().canonicalize().expect("a folder").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let write = |name: &str, bytes: &[u8]| {
        std::fs::write(folder.join(name), bytes).expect("a file");
    };
    let registry = Registry::standard();
    let whole = folder.join("whole.toml");
    write("whole.toml", EXPERIMENT.as_bytes());
    let loaded = LoadedExperiment::load(&whole, &registry).expect("an experiment");
    let mut store =
        Store::open_or_create(&whole.with_extension("db"), EXPERIMENT).expect("a store");
    let options = RunOptions { jobs: 1, experiment: EXPERIMENT, ..RunOptions::default() };
    run(&registry, &loaded.pairs, &mut store, options, RunWatch::default()).expect("games");
    drop(store);
    let db = std::fs::read(whole.with_extension("db")).expect("a store");
    let games = Store::open_read_only(&whole.with_extension("db")).expect("a store");
    let (games, sessions) = (games.games().expect("games"), games.sessions().expect("sessions"));
    let mut ledger = Vec::new();
    let kept = Ledger::new(&registry, &folder, EXPERIMENT.to_owned(), sessions, games);
    kept.expect("a ledger").write(&mut ledger).expect("a ledger");
    write("alone.db", &db);
    write("whole.ledger", &ledger);
    for (ending, bytes) in [("db", &db), ("ledger", &ledger), ("toml", &EXPERIMENT.into())] {
        let mut damaged = bytes.clone();
        let from = damaged.len() / 3;
        damaged[from..].iter_mut().step_by(7).for_each(|byte| *byte ^= 0x15);
        write(&format!("empty.{ending}"), b"");
        write(&format!("garbage.{ending}"), &[0xf7; 5000]);
        write(&format!("text.{ending}"), b"treegraft-ledger 1\n{\"a\": [}\n");
        write(&format!("damaged.{ending}"), &damaged);
        for part in [2, 3, 50] {
            write(
                &format!("truncated-{part}.{ending}"),
                &bytes[..bytes.len() - bytes.len() / part],
            );
        }
        std::fs::create_dir_all(folder.join(format!("folder.{ending}"))).expect("a folder");
        write(&format!("unreadable.{ending}"), bytes);
        #[cfg(unix)]
        {
            use std::os::unix::fs::{PermissionsExt, symlink};
            let path = folder.join(format!("unreadable.{ending}"));
            std::fs::set_permissions(path, PermissionsExt::from_mode(0o000)).expect("a mode");
            symlink("nowhere", folder.join(format!("link.{ending}"))).expect("a link");
        }
    }
    // Experiments with stores that are none, and one that names a file that is not there.
    for (name, text) in [
        ("of-folder", EXPERIMENT.to_owned()),
        ("of-garbage", EXPERIMENT.to_owned()),
        ("of-log", EXPERIMENT.to_owned()),
        ("openings", format!("{EXPERIMENT}openings = {{ file = \"nothing.txt\" }}\n")),
        ("player", EXPERIMENT.replace("greedy", "greddy")),
    ] {
        write(&format!("{name}.toml"), text.as_bytes());
    }
    std::fs::create_dir_all(folder.join("of-folder.db")).expect("a folder");
    write("of-garbage.db", &[1; 5000]);
    write("of-log.db-wal", &[1; 5000]);
    folder
}

/// Everything that a server says to a request, until it ends or has nothing to add.
fn hear(server: SocketAddr, method: &str, path: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(server).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a socket");
    let length = body.len();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: {server}\r\ncontent-length: {length}\r\n\
         content-type: application/json\r\nconnection: close\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).expect("an open connection");
    let (mut heard, mut part) = (Vec::new(), [0; 4096]);
    while let Ok(length @ 1..) = stream.read(&mut part) {
        heard.extend_from_slice(&part[..length]);
        // What is watched goes on, but says nothing else as long as nothing happens.
        let is_watched = heard.windows(12).any(|part| part == b"event: state");
        if is_watched && heard.ends_with(b"\n\n\r\n") {
            break;
        }
    }
    String::from_utf8_lossy(&heard).into_owned()
}

/// A request that every path understands, about this file, with one thing changed.
fn asked(file: &str, changed: (&str, Value)) -> String {
    let mut body = json!({
        "file": file, "number": 1, "plot": "scores", "lesson": "1-grow", "game": "connect4:5x4",
        "moves": "1 2", "player": "mcts@5it", "with": "mcts@5it", "level": 1, "limit": 5,
    });
    body[changed.0] = changed.1;
    body.to_string()
}

/// Everything that is asked about every path.
fn questions(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
        .collect();
    names.sort();
    let mut all: Vec<String> = names.iter().map(|name| asked(name, ("seed", 1.into()))).collect();
    let inside = folder.join("whole.db").to_string_lossy().into_owned();
    let engine = format!("engine:\"{inside}\"@1s");
    for (key, values) in [
        ("file", vec![json!("../x.db"), json!(inside), json!(7), json!(""), json!("a\u{0}b")]),
        ("number", vec![json!(0), json!(-1), json!(u64::MAX), json!("x")]),
        ("game", vec![json!("tree:((("), json!("nothing"), json!("hex:99"), json!(inside)]),
        ("moves", vec![json!("9 9"), json!("1 \u{fffd}"), json!("1 ".repeat(3000))]),
        ("position", vec![json!("x"), json!(inside)]),
        ("player", vec![json!(engine), json!("mcts@9h"), json!("mcts(c=NaN)"), json!("@")]),
        ("with", vec![json!(engine), json!("ab(eval=x)@1s"), json!("")]),
        ("level", vec![json!(10), json!(-1)]),
        ("limit", vec![json!(0), json!(u64::MAX)]),
        ("lesson", vec![json!("nothing"), json!(inside)]),
        ("plot", vec![json!("nothing")]),
        ("place", vec![json!({}), json!({"game": "hex:1"})]),
    ] {
        all.extend(values.into_iter().map(|value| asked("whole.db", (key, value))));
    }
    all.extend(["", "{", "null", "[]", "\u{0}", "{\"file\": {}}"].map(str::to_owned));
    all
}

#[test]
fn no_answer_tells_a_path_or_what_is_inside_of_the_program() {
    let folder = broken_folder();
    let options = Options { folder: Some(folder.clone()), ..Options::default() };
    let server = Server::bind(Registry::standard().into(), &options).expect("a server");
    let address = server.address();
    std::thread::spawn(move || server.run());
    // What is wrong is said, with the name that was asked for.
    let asked_for = asked("garbage.db", ("number", 1.into()));
    let told = hear(address, "POST", "/api/experiments/games", &asked_for);
    assert!(told.contains("{\"error\":\"garbage.db is not a store"), "{told}");
    let secret = folder.to_string_lossy().into_owned();
    let parent = folder.parent().map(|it| it.to_string_lossy().into_owned()).expect("a parent");
    // Paths, panics, and the ways in which Rust prints its own values.
    let never = [
        &*secret,
        &*parent,
        "/tmp",
        "panicked",
        "RUST_BACKTRACE",
        "stack backtrace",
        "Os {",
        "Err(",
        "Some(",
        "None)",
        "Error {",
        "Error(",
        "kind:",
        "SqliteFailure",
        ".rs:",
        "the terminal says why",
    ];
    let questions = questions(&folder);
    let mut refused = 0;
    for route in ROUTES {
        let (method, bodies) = match route.method {
            Method::Get => ("GET", &questions[..1]),
            Method::Post => ("POST", &questions[..]),
        };
        for body in bodies {
            let heard = hear(address, method, route.path, body);
            assert!(heard.starts_with("HTTP/1.1 "), "{} {body}: {heard}", route.path);
            assert!(!heard.starts_with("HTTP/1.1 429"), "{} {body}: {heard}", route.path);
            for word in never {
                let said = heard.split_once(word).map(|(before, _)| before.len());
                assert_eq!(said, None, "{word} in {} {body}: {heard}", route.path);
            }
            refused += usize::from(heard.contains("\"error\":"));
        }
    }
    assert!(refused > 300, "{refused}");
    std::fs::remove_dir_all(&folder).expect("a folder");
}
