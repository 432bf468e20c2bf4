//! What the world does to a process: it is stopped and goes on, and its input, output or terminal is
//! gone.
#![cfg(unix)]

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use nix::pty::openpty;
use serde_json::Value;

use crate::common::{command, finish};
use crate::experiments::Lab;

fn send(signal: &str, child: &Child) {
    let pid = child.id().to_string();
    let sent = Command::new("kill").args(["-s", signal, &pid]).status().expect("kill is there");
    assert!(sent.success(), "{signal}: the program is gone");
}

/// Stops a program for a while, again and again, and lets it end.
fn stopped_again_and_again(mut command: Command, times: u32) -> (i32, String, String) {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("it starts");
    for time in 0..times {
        std::thread::sleep(Duration::from_millis(90 + 37 * u64::from(time)));
        send("STOP", &child);
        std::thread::sleep(Duration::from_millis(400));
        send("CONT", &child);
    }
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().expect("no crash"), text(&output.stdout), text(&output.stderr))
}

#[test]
fn an_engine_loses_no_game_because_we_were_stopped() {
    let program = env!("CARGO_BIN_EXE_treegraft");
    let engine = format!("engine:\"'{program}' engine connect4:5x4 mcts\"@60ms");
    let games = ["match", "connect4:5x4", &engine, "mcts@40ms", "--games", "4", "--json"];
    let (code, out, err) = stopped_again_and_again(command(&games), 3);
    assert_eq!(code, 0, "{err}");
    let result: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(result["games"], 4, "{out}");
    for faults in ["a_faults", "b_faults"] {
        assert_eq!(result[faults], serde_json::json!({}), "{out}");
    }
}

#[test]
fn a_stopped_run_goes_on_where_it_was() {
    let experiment = "game = \"connect4:5x4\"\ngames = 40\nopenings = { random = 2 }\n\
                      players = [\"mcts@3000it\", \"ab(depth=4)\"]\n";
    let lab = Lab::new("stopped", experiment);
    lab.ok(&["run", "it.toml", "--no-plot", "--quiet", "--store", "one.db"]);
    let run = lab.command(&["run", "it.toml", "--no-plot", "--quiet", "--jobs", "2"]);
    let (code, _, err) = stopped_again_and_again(run, 1);
    assert_eq!((code, err.as_str()), (0, ""));
    let report = |store: &str| lab.ok(&["report", "it.toml", "--store", store]);
    assert_eq!(report("it.db"), report("one.db"));
}

/// What reads or writes, or both; each ends by itself where there is no input.
const COMMANDS: [&str; 31] = [
    "",
    "--help",
    "--version",
    "games",
    "players",
    "show connect4",
    "show connect4 --svg /dev/stdout",
    "eval connect4",
    "analyze connect4 mcts@9it",
    "analyze connect4 mcts@9it --json",
    "trace connect4 mcts@5it",
    "solve connect4:3x3",
    "match connect4:4x4 random random --games 2",
    "run it.toml --no-plot",
    "run it.toml --no-plot --json",
    "merge all.db it.db",
    "status it.toml",
    "report it.toml",
    "export it.toml",
    "verify it.toml",
    "replay it.toml 1",
    "annotate it.toml 1 --with mcts@9it",
    "accuracy connect4:4x4 random --positions 2",
    "traps connect4 --moves 445 --playouts 1",
    "trees --height 2 --trees 2",
    "play connect4 random",
    "engine connect4 random",
    "watch connect4:4x4 random random",
    "perft connect4 --depth 2",
    "check connect4:4x4 --walks 2 --samples 100",
    "completions bash",
];

#[test]
fn closed_input_and_output_are_no_panic() {
    let experiment = "game = \"connect4:4x4\"\ngames = 4\nplayers = [\"random\", \"greedy\"]\n";
    let lab = Lab::new("closed", experiment);
    lab.ok(&["run", "it.toml", "--no-plot", "--quiet"]);
    let program = env!("CARGO_BIN_EXE_treegraft");
    let in_shell = |line: &str, closed: &str| {
        let mut shell = Command::new("sh");
        let line = format!("exec '{program}' {line} {closed}");
        shell.args(["-c", &line]).current_dir(lab.file("")).stdin(Stdio::null());
        finish(shell)
    };
    for line in COMMANDS {
        let open = in_shell(line, "");
        assert!(matches!(open.code, Some(0..=2)), "{line}: {:?} {}", open.code, open.err);
        for closed in ["<&-", ">&-", "<&- >&- 2>&-"] {
            let run = in_shell(line, closed);
            assert_eq!(run.code, open.code, "{line} {closed}: {}", run.err);
        }
    }
    assert!(lab.file("it.db").exists());
    lab.ok(&["verify", "it.db"]);
}

#[test]
fn a_run_whose_terminal_goes_away_ends_as_by_ctrl_c() {
    let has_setsid = Command::new("setsid").arg("true").status().is_ok_and(|it| it.success());
    if !has_setsid {
        println!("skipped: there is no setsid here");
        return;
    }
    let experiment = "game = \"breakthrough:6x6\"\ngames = 4000\nopenings = { random = 2 }\n\
                      players = [\"mcts@300it,1MiB\", \"uct@300it,1MiB\"]\n";
    let lab = Lab::new("hangup", experiment);
    let pty = openpty(None, None).expect("a pseudo-terminal");
    // A program that had the other end too would keep its own terminal.
    let alone = FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC);
    fcntl(&pty.master, alone).expect("a flag");
    let end = || Stdio::from(pty.slave.try_clone().expect("another end"));
    // In a session of its own, whose terminal this is.
    let mut command = Command::new("setsid");
    command.args(["--ctty", env!("CARGO_BIN_EXE_treegraft"), "run", "it.toml"]);
    command.current_dir(lab.file("")).stdin(end()).stdout(end()).stderr(end());
    let mut child = command.spawn().expect("it starts");
    drop(command);
    let pairs = || lab.json(&["status", "it.toml", "--json"])["pairs"].as_u64().unwrap();
    while pairs() < 2 {
        assert!(child.try_wait().unwrap().is_none(), "it was over too soon");
        std::thread::sleep(Duration::from_millis(5));
    }
    // Nobody reads what it shows, and nobody can any more.
    drop(pty);
    let end = Instant::now() + Duration::from_secs(20);
    let status = loop {
        match child.try_wait().expect("it is a child") {
            Some(status) => break status,
            None if Instant::now() > end => {
                child.kill().expect("it runs");
                panic!("it does not end");
            }
            None => std::thread::sleep(Duration::from_millis(10)),
        }
    };
    assert_eq!(status.code(), Some(129), "{status}");
    let saved = pairs();
    assert!((2..2000).contains(&saved), "{saved}");
    lab.ok(&["verify", "it.db", "--sample", "2"]);
}

/// A file, and what may be said there of the time of day.
const TIMES_OF_DAY: [(&str, &str); 3] = [
    // When a session or a game began, which is shown.
    ("crates/lab/src/store/session.rs", "SystemTime::now().duration_since(UNIX_EPOCH)"),
    // When a file was written last, as the file system says, compared with what it said before.
    ("crates/server/src/folder.rs", "pub(crate) type Stamp = (SystemTime, u64);"),
    // In a test of it.
    ("crates/server/src/folder.rs", "file.set_modified(SystemTime::UNIX_EPOCH + at)"),
];

/// Clocks can be set back, and a machine that sleeps wakes up hours later: what lasts is measured by
/// `Instant` alone.
#[test]
fn the_time_of_day_decides_nothing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut uses = Vec::new();
    for folder in ["crates", "ladder/src", "papers/src"] {
        sources(&root.join(folder), &mut |path, text| {
            for line in text.lines().map(str::trim) {
                let is_use =
                    ["SystemTime", "UNIX_EPOCH", "now_ms()"].iter().any(|it| line.contains(it));
                if is_use && !line.starts_with("use ") && !line.starts_with("//") {
                    let path = path.strip_prefix(&root).expect("a path in the repository");
                    uses.push((path.to_string_lossy().into_owned(), line.to_owned()));
                }
            }
        });
    }
    let allowed = |(path, line): &(String, String)| {
        TIMES_OF_DAY.iter().any(|(file, words)| path == file && line.contains(words))
            || NOTES_OF_TIME.iter().any(|(file, words)| path == file && line.contains(words))
    };
    let others: Vec<_> = uses.iter().filter(|it| !allowed(it)).collect();
    assert!(others.is_empty(), "the time of day may only be shown: {others:#?}");
    assert!(uses.len() >= TIMES_OF_DAY.len() + NOTES_OF_TIME.len(), "the list is too long");
}

/// Where the time of day is noted or shown.
const NOTES_OF_TIME: [(&str, &str); 4] = [
    ("crates/lab/src/store/session.rs", "pub(crate) fn now_ms() -> u64"),
    ("crates/lab/src/store/session.rs", "started_ms: now_ms(),"),
    (
        "crates/lab/src/store/mod.rs",
        "let seconds = now_ms().saturating_sub(last.started_ms) / 1000;",
    ),
    ("crates/lab/src/pair.rs", "let (started_ms, begun) = (now_ms(), Instant::now());"),
];

/// All sources below a folder that are part of the program.
fn sources(folder: &Path, look: &mut impl FnMut(&Path, &str)) {
    for entry in std::fs::read_dir(folder).expect("a folder").map(Result::unwrap) {
        let path = entry.path();
        let name = entry.file_name();
        if path.is_dir() {
            if !["tests", "benches", "examples", "target", "node_modules"]
                .iter()
                .any(|it| name == *it)
            {
                sources(&path, look);
            }
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            look(&path, &std::fs::read_to_string(&path).expect("a source"));
        }
    }
}
