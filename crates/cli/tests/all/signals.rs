//! Signals that end the program: results are printed, games are kept, engines are stopped.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use crate::common::{command, finish};

fn send(signal: &str, child: &Child) {
    let pid = child.id().to_string();
    let sent = Command::new("kill").args(["-s", signal, &pid]).status().expect("kill is there");
    assert!(sent.success(), "{signal}: the program is gone");
}

fn start(mut command: Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
}

fn text(output: &Output) -> String {
    let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    format!("{out}{err}")
}

/// An experiment that goes on for long, in a folder of its own.
struct Long {
    folder: PathBuf,
    /// The seconds that the engine's children sleep: no other program sleeps as long.
    seconds: String,
}

impl Long {
    fn new(name: &str) -> Long {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("signals-{name}"));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let seconds = format!("600.{}{number}", std::process::id());
        let program = env!("CARGO_BIN_EXE_treegraft");
        // An engine behind a script with a child of its own. It starts slowly, so that the games go
        // on for half a minute at least.
        let script = format!(
            "sleep {seconds} </dev/null >/dev/null 2>&1 &\nsleep 0.02\n\
             {program} engine connect4 random"
        );
        std::fs::write(folder.join("engine.sh"), script).unwrap();
        let engine = folder.join("engine.sh");
        let experiment = format!(
            "game = \"connect4:4x4\"\ngames = 4000\nplayers = [\"random\", \
             \"engine:\\\"sh '{}'\\\"@1it\"]\n",
            engine.display()
        );
        std::fs::write(folder.join("it.toml"), experiment).unwrap();
        Long { folder, seconds }
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = command(args);
        command.current_dir(&self.folder);
        command
    }

    fn pairs(&self) -> u64 {
        let status = finish(self.command(&["status", "it.toml", "--json"]));
        let status: serde_json::Value = serde_json::from_str(&status.out).expect("JSON");
        status["pairs"].as_u64().expect("a number")
    }

    /// Waits until there are more pairs than this; returns how many.
    fn more_than(&self, pairs: u64, child: &mut Child) -> u64 {
        let end = Instant::now() + Duration::from_secs(60);
        loop {
            assert!(child.try_wait().unwrap().is_none(), "it has ended");
            assert!(Instant::now() < end, "no pairs");
            match self.pairs() {
                done if done > pairs => return done,
                _ => std::thread::sleep(Duration::from_millis(20)),
            }
        }
    }

    /// Waits until all that the engines have started is gone: a process that was ended is listed
    /// until the system has cleared it away.
    fn wait_for_none(&self) {
        let end = Instant::now() + Duration::from_secs(10);
        while self.left() > 0 {
            assert!(Instant::now() < end, "processes of the engine are left");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Processes that the engine has left.
    fn left(&self) -> usize {
        let processes = Command::new("ps").args(["-eo", "args"]).output().expect("ps is there");
        let list = String::from_utf8_lossy(&processes.stdout).into_owned();
        let sleeper = format!("sleep {}", self.seconds);
        list.lines().filter(|line| line.trim() == sleeper).count()
    }
}

#[test]
fn a_run_is_ended_by_every_signal() {
    for (signal, code, cause) in
        [("INT", 130, "Ctrl-C"), ("TERM", 143, "SIGTERM"), ("HUP", 129, "SIGHUP")]
    {
        if signal == "HUP" && hangups_are_ignored() {
            // Then the program ignores them too, which is the next test.
            continue;
        }
        let long = Long::new(signal);
        let mut child = start(long.command(&["run", "it.toml", "--jobs", "2"]));
        let before = long.more_than(0, &mut child);
        send(signal, &child);
        let output = child.wait_with_output().unwrap();
        let told = text(&output);
        assert_eq!(output.status.code(), Some(code), "{told}");
        assert!(told.contains(&format!("stopped by {cause}: ")), "{told}");
        assert!(told.contains("none is lost"), "{told}");
        assert!(long.pairs() >= before);
        long.wait_for_none();
    }
}

/// Whether these tests were started with `nohup`, where that can be known.
fn hangups_are_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask & 1 != 0)
}

#[test]
fn nohup_stays_ignored() {
    let long = Long::new("nohup");
    let program = env!("CARGO_BIN_EXE_treegraft");
    let mut shell = Command::new("sh");
    let script = "trap '' HUP; exec \"$0\" run it.toml --jobs 2 </dev/null";
    shell.args(["-c", script, program]).current_dir(&long.folder);
    let mut child = start(shell);
    let before = long.more_than(0, &mut child);
    send("HUP", &child);
    send("HUP", &child);
    long.more_than(before + 5, &mut child);
    send("TERM", &child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(143), "{}", text(&output));
    long.wait_for_none();
}

#[test]
fn a_killed_run_leaves_no_engine() {
    let long = Long::new("kill");
    let mut pairs = 0;
    // More than once, because an engine that has just been started is the hardest to end.
    for _ in 0..10 {
        let mut child = start(long.command(&["run", "it.toml", "--jobs", "2"]));
        pairs = long.more_than(pairs, &mut child);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    long.wait_for_none();
}

#[test]
fn searches_tell_what_they_know() {
    let commands: [&[&str]; 6] = [
        &["analyze", "hex:11", "mcts@600s"],
        &["solve", "othello"],
        &["match", "connect4", "random", "mcts@9it", "--games", "10000000"],
        &["trees", "--height", "10..16", "--trees", "1000000"],
        &["traps", "connect4:4x4", "--player", "random", "--games", "10000000"],
        &["categories", "loa", "--player", "random", "--games", "1000000", "--opening-plies", "0"],
    ];
    let children = commands.map(|args| start(command(args)));
    std::thread::sleep(Duration::from_secs(2));
    children.iter().for_each(|child| send("TERM", child));
    for (args, child) in commands.iter().zip(children) {
        let output = child.wait_with_output().unwrap();
        let told = text(&output);
        assert_eq!(output.status.code(), Some(143), "{args:?}: {told}");
        assert!(told.contains("by SIGTERM"), "{args:?}: {told}");
    }
}

#[test]
fn ctrl_c_ends_a_match_with_what_there_is() {
    let games = ["match", "connect4:4x4", "mcts@500it", "mcts@500it", "--games", "1000000"];
    let child = start(command(&games));
    std::thread::sleep(Duration::from_secs(3));
    send("INT", &child);
    let output = child.wait_with_output().unwrap();
    let told = text(&output);
    assert_eq!(output.status.code(), Some(130), "{told}");
    assert!(told.contains("note: the match was ended by Ctrl-C after "), "{told}");
}
