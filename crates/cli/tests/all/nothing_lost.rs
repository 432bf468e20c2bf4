//! Outputs never destroy anything else, and what was found is kept or missed with an error.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::{Run, command, finish};
use serde_json::Value;

/// A moment's work.
const TINY: &str = "game = \"connect4:4x4\"\ngames = 4\nplayers = [\"random\", \"greedy\"]\n";

/// A folder of its own for each test, with an experiment in it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, experiment: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("nothing-lost-{name}"));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        fs::write(path.join("it.toml"), experiment).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = command(args);
        command.current_dir(&self.0);
        command
    }

    fn run(&self, line: &str) -> Run {
        finish(self.command(&line.split_whitespace().collect::<Vec<_>>()))
    }

    fn ok(&self, line: &str) -> String {
        let run = self.run(line);
        assert_eq!(run.code, Some(0), "{line}: {}", run.err);
        run.out
    }

    fn fails(&self, code: i32, line: &str) -> String {
        let run = self.run(line);
        assert_eq!((run.code, run.out.as_str()), (Some(code), ""), "{line}: {}", run.err);
        run.err
    }

    /// Everything in it, by name.
    fn content(&self) -> BTreeMap<OsString, Vec<u8>> {
        let files = fs::read_dir(&self.0).unwrap().map(Result::unwrap);
        files.map(|file| (file.file_name(), fs::read(file.path()).unwrap_or_default())).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = fs::remove_dir_all(&self.0);
        }
    }
}

#[test]
fn outputs_are_neither_inputs_nor_the_store_nor_each_other() {
    let folder = Folder::new("refused", TINY);
    folder.ok("run it.toml --quiet --no-plot");
    fs::create_dir(folder.file("a")).unwrap();
    for name in ["exp.svg", "own.svg", "n-leaves.svg", "treegraft.1", "notes.csv"] {
        fs::write(folder.file(name), TINY).unwrap();
    }
    fs::write(folder.file("plan.svg"), "<?xml version=\"1.0\"?>\n<svg>by hand</svg>\n").unwrap();
    symlink("it.db", folder.file("soft.svg")).unwrap();
    fs::hard_link(folder.file("it.db"), folder.file("hard.svg")).unwrap();
    fs::hard_link(folder.file("it.toml"), folder.file("hard.csv")).unwrap();
    fs::copy(folder.file("it.db"), folder.file("other.db")).unwrap();
    let before = folder.content();
    for (line, words) in [
        ("run it.toml --store games.svg", "cannot write games.svg: it is the store"),
        ("run it.toml --store ./a/../games.svg", "it is the store"),
        ("run exp.svg", "cannot write exp.svg: it is the experiment file"),
        ("run exp.svg --store a/../exp.db", "it is the experiment file"),
        ("run it.toml --store own.db", "is not an SVG picture by treegraft"),
        ("export it.db --output it.db", "it is the store"),
        ("export it.db --output ./a/../it.db", "it is the store"),
        ("export it.db --output soft.svg", "it is the store"),
        ("export it.db --output hard.svg", "it is the store"),
        ("export it.db --output it.db-wal", "it is a file that belongs to the store"),
        ("export it.db --output it.db.lock", "it is a file that belongs to the store"),
        ("export it.toml --output it.toml", "it is the experiment file"),
        ("export it.toml --output hard.csv", "it is the experiment file"),
        ("export it.db --salvage --output it.db", "it is the store"),
        ("export it.db --output notes.csv", "is not a CSV file of games by treegraft export"),
        ("export it.db --output other.db", "is not a CSV file of games"),
        ("export it.db --format jsonl --output notes.csv", "is not a file of JSON lines"),
        ("export it.db --output a", "it is a folder"),
        ("report it.toml --plot soft.svg", "it is the store"),
        ("report it.toml --plot hard.svg", "it is the store"),
        ("report it.toml --plot plan.svg", "is not an SVG picture by treegraft"),
        ("report exp.svg --store it.db --plot exp.svg", "it is the experiment file"),
        ("show connect4 --svg it.toml", "is not an SVG picture"),
        ("show connect4 --svg it.db", "is not an SVG picture"),
        ("analyze connect4 mcts@9it --svg it.toml", "is not an SVG picture"),
        ("analyze othello uct(switch=all)@9it --plot it.toml", "ends with .svg or .png"),
        ("analyze othello uct(switch=all)@9it --plot own.svg", "is not an SVG picture"),
        ("trees --by-tree it.toml", "is not a CSV file by treegraft trees"),
        ("trees --plot n.svg", "cannot write n-leaves.svg: the file there is not an SVG"),
        ("trees --by-tree m-shares.svg --plot m.svg", "it is another output of this command"),
        ("traps connect4 --store s-number.svg --plot s.svg", "it is the store of the games"),
        ("man --dir .", "treegraft.1: the file there is not a manual page of treegraft"),
    ] {
        let error = folder.fails(2, line);
        assert!(error.starts_with("error: ") && error.contains(words), "{line}: {error}");
        assert_eq!(folder.content(), before, "{line}");
    }
    for line in ["show connect4 --svg no/such/x.svg", "analyze lion mcts@9it --svg no/such/x.svg"] {
        let error = folder.fails(1, line);
        assert!(error.contains("cannot write no/such/x.svg"), "{line}: {error}");
    }
    assert_eq!(folder.content(), before);
    // The name of the second plot is known only when it is drawn: the table is shown all the same.
    let three = TINY.replace("\"greedy\"", "\"greedy\", \"mcts@5it,1MiB\"");
    fs::write(folder.file("n.ratings.svg"), &three).unwrap();
    let run = folder.run("run n.ratings.svg --store n.db");
    assert_eq!(run.code, Some(1), "{}", run.err);
    assert!(run.err.contains("n.ratings.svg: it is the experiment file"), "{}", run.err);
    assert!(run.out.contains("score (%)") && run.out.contains("store  n.db\n"), "{}", run.out);
    assert_eq!(fs::read_to_string(folder.file("n.ratings.svg")).unwrap(), three);
}

#[test]
fn standard_output_is_an_output_too() {
    let folder = Folder::new("stdout", TINY);
    folder.ok("run it.toml --quiet --no-plot");
    let into = |line: &str, name: &str| {
        let file = OpenOptions::new().create(true).append(true).open(folder.file(name)).unwrap();
        let mut command = folder.command(&line.split_whitespace().collect::<Vec<_>>());
        command.stdout(file);
        finish(command)
    };
    let before = fs::read(folder.file("it.db")).unwrap();
    for line in ["export it.db", "report it.toml"] {
        let run = into(line, "it.db");
        assert_eq!(run.code, Some(2), "{line}");
        assert!(run.err.contains("standard output goes into it.db"), "{line}: {}", run.err);
        assert_eq!(fs::read(folder.file("it.db")).unwrap(), before, "{line}");
    }
    let run = into("show connect4 --svg both", "both");
    assert_eq!(run.code, Some(2), "{}", run.err);
    // Asked for by its name, it gets the picture and then the text.
    let run = into("show connect4 --svg /dev/stdout", "all");
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    let all = fs::read_to_string(folder.file("all")).unwrap();
    let (svg, text) = all.split_once("</svg>\n").unwrap();
    assert!(svg.starts_with("<svg ") && text.contains("game      connect4\n"), "{all}");
    assert!(folder.ok("export it.db --output /dev/stdout").starts_with("pair,number,"));
    folder.ok("export it.db --output /dev/null");
    if Path::new("/dev/full").exists() {
        let error = folder.fails(1, "export it.db --output /dev/full");
        assert!(error.contains("cannot write /dev/full"), "{error}");
    }
}

#[test]
fn pipes_are_written_to() {
    let folder = Folder::new("pipe", TINY);
    let made = Command::new("mkfifo").arg(folder.file("pipe")).status().unwrap();
    assert!(made.success());
    let mut command = folder.command(&["show", "connect4", "--svg", "pipe"]);
    let mut child = command.stdout(Stdio::null()).spawn().unwrap();
    let svg = fs::read_to_string(folder.file("pipe")).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert!(child.wait().unwrap().success());
}

#[test]
fn outputs_replace_their_own_kind() {
    let folder = Folder::new("replaced", TINY);
    let trees = "trees --height 2..3 --trees 2 --json --by-tree t.csv --plot t.png";
    let lines = [
        "run it.toml",
        "report it.toml --plot r.png",
        "export it.toml --output g.csv",
        "export it.toml --output g.jsonl --format jsonl",
        "show connect4 --svg s.svg",
        "analyze connect4 mcts@50it --svg a.svg",
        trees,
        "traps connect4:4x4 --games 1 --player random --playouts 1 --plot p.svg --json",
        "man --dir .",
    ];
    lines.iter().for_each(|line| drop(folder.ok(line)));
    let before = folder.content();
    assert!(before.len() > 20);
    // Their permissions stay, and so do links to them.
    let mode = |name: &str| fs::metadata(folder.file(name)).unwrap().permissions().mode() & 0o777;
    fs::set_permissions(folder.file("g.csv"), fs::Permissions::from_mode(0o640)).unwrap();
    fs::rename(folder.file("s.svg"), folder.file("real.svg")).unwrap();
    symlink("real.svg", folder.file("s.svg")).unwrap();
    fs::write(folder.file("a.svg"), "").unwrap();
    lines.iter().for_each(|line| drop(folder.ok(line)));
    assert_eq!(mode("g.csv"), 0o640);
    assert!(fs::symlink_metadata(folder.file("s.svg")).unwrap().is_symlink());
    fs::remove_file(folder.file("real.svg")).unwrap();
    let mut after = folder.content();
    after.insert("s.svg".into(), before[&OsString::from("s.svg")].clone());
    assert_eq!(after.keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>());
    for (name, bytes) in &before {
        assert!(name == "it.db" || after[name] == *bytes, "{name:?}");
    }
    fs::set_permissions(folder.file("g.csv"), fs::Permissions::from_mode(0o440)).unwrap();
    let error = folder.fails(1, "export it.toml --output g.csv");
    assert!(error.contains("write-protected"), "{error}");
}

#[test]
fn a_failure_midway_leaves_the_old_file_and_the_result() {
    let folder = Folder::new("midway", TINY);
    folder.ok("trees --height 2 --trees 1 --by-tree t.csv");
    let before = folder.content();
    // No file may become larger than a few kilobytes, as if the disk were full.
    let program = env!("CARGO_BIN_EXE_treegraft");
    let line = format!(
        "trap '' XFSZ; ulimit -f 4; exec '{program}' trees --height 6 --trees 400 --json \
         --by-tree t.csv"
    );
    let mut shell = Command::new("sh");
    shell.args(["-c", &line]).current_dir(&folder.0).stdin(Stdio::null());
    let run = finish(shell);
    assert_eq!(folder.content(), before);
    assert_eq!(run.code, Some(1), "{}", run.err);
    assert!(run.err.contains("cannot write t.csv"), "{}", run.err);
    let summary: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(summary["complete"], true);
}

#[test]
fn a_store_that_is_moved_during_a_run_is_an_error() {
    let experiment = "game = \"breakthrough:6x6\"\ngames = 80\nopenings = { random = 2 }\n\
                      players = [\"mcts@500it,1MiB\", \"uct@500it,1MiB\"]\n";
    let folder = Folder::new("moved", experiment);
    let mut command = folder.command(&["run", "it.toml", "--jobs", "1"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let done = || {
        let status: Value = serde_json::from_str(&folder.ok("status it.toml --json")).unwrap();
        status["pairs"].as_u64().unwrap()
    };
    while done() < 2 {
        assert!(child.try_wait().unwrap().is_none(), "it was over too soon");
        std::thread::sleep(Duration::from_millis(5));
    }
    fs::rename(folder.file("it.db"), folder.file("aside.db")).unwrap();
    let output = child.wait_with_output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{error}");
    assert!(error.contains("it.db was removed, renamed or replaced during the run"), "{error}");
    assert!(error.contains("if it was moved, move it back"), "{error}");
    fs::rename(folder.file("aside.db"), folder.file("it.db")).unwrap();
    let pairs = done();
    assert!(2 < pairs && pairs < 40, "{pairs}");
    symlink("nowhere", folder.file("link.db")).unwrap();
    let error = folder.fails(2, "run it.toml --store link.db");
    assert!(error.contains("a symbolic link to nowhere"), "{error}");
}

#[test]
fn a_match_without_an_engine_is_no_success() {
    let folder = Folder::new("match", TINY);
    let play = |a: &str, b: &str, more: &[&str]| {
        let line = ["match", "connect4:4x4", a, b, "--games", "4"];
        finish(folder.command(&[&line[..], more].concat()))
    };
    let nobody = "engine:\"./no-such-program\"@10it";
    let run = play("random", nobody, &[]);
    assert_eq!(run.code, Some(1), "{}", run.out);
    let words = run.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("B lost 4 of 4 games by faults of its program"), "{}", run.out);
    assert!(words.contains("4 by no-start"), "{}", run.out);
    assert!(run.err.contains("\"./no-such-program\" cannot be started"), "{}", run.err);
    let run = play(nobody, "random", &["--json"]);
    assert_eq!(run.code, Some(1), "{}", run.err);
    let result: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(result["a_faults"], serde_json::json!({"no-start": 4}));
    assert_eq!(result["b_faults"], serde_json::json!({}));
    assert!(result["first_fault"].as_str().unwrap().contains("cannot be started"), "{result}");
    let program = env!("CARGO_BIN_EXE_treegraft");
    let ours = format!("engine:\"'{program}' engine connect4:4x4 random\"@10it");
    let run = play(&ours, "random", &["--json"]);
    let result: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((run.code, &result["first_fault"]), (Some(0), &Value::Null), "{}", run.err);
}

#[cfg(target_os = "linux")]
#[test]
fn every_command_notices_a_full_disk() {
    let folder = Folder::new("full", TINY);
    folder.ok("run it.toml --quiet --no-plot");
    for line in [
        "",
        "--help",
        "--version",
        "help run",
        "games",
        "games connect4 --json",
        "players",
        "show connect4 --json",
        "eval connect4 --json",
        "analyze connect4 mcts@9it --json",
        "solve connect4:3x3",
        "match connect4:4x4 random random --games 2 --json",
        "run it.toml --no-plot",
        "run it.toml --no-plot --json",
        "run it.toml --dry-run",
        "status it.toml",
        "report it.toml --json",
        "export it.toml",
        "verify it.toml",
        "replay it.toml 1",
        "annotate it.toml 1 --with mcts@9it",
        "trees --height 2 --trees 2",
        "traps connect4:4x4 --games 1 --player random --playouts 1",
        "traps connect4 --moves 445 --playouts 1",
        "play connect4 random",
        "engine connect4 random",
        "perft connect4 --depth 2",
        "check connect4:4x4 --walks 2 --samples 100",
        "completions bash",
        "man",
        "man --dir pages",
    ] {
        // What the engine is sent; the others read no input.
        fs::write(folder.file("input"), "isready\n").unwrap();
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = folder.command(&line.split_whitespace().collect::<Vec<_>>());
        command.stdin(fs::File::open(folder.file("input")).unwrap());
        let output = command.stdout(full).stderr(Stdio::piped()).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{line}: {error}");
        assert!(error.starts_with("error: cannot write the "), "{line}: {error}");
    }
}
