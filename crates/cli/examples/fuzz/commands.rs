//! The program itself, with damaged files and damaged arguments.

use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use treegraft::Rng;

use crate::mutate::{mutated, mutated_text};

const EXPERIMENT: &str = r#"
title = "Small"
game = "connect4:4x4"
games = 12
seed = 1
players = ["mcts-solver@30it", { name = "beta", player = "ab@40nodes" }, "random"]
openings = { random = 2 }
record = "thinking"
"#;

/// Time after which a command is asked to stop.
const PATIENCE: Duration = Duration::from_secs(2);
/// Time that it then has; to need longer is a fault.
const GRACE: Duration = Duration::from_secs(5);

/// Kilobytes that a command may address: much more than it may use, because tables and arenas
/// reserve room that they may never touch.
const ADDRESS_KIB: u64 = 16 << 20;

/// Commands that read files; `FILE` is a damaged one of that name.
const READERS: [(&str, &[&str]); 14] = [
    ("small.toml", &["status", "FILE"]),
    ("small.toml", &["report", "FILE"]),
    ("small.toml", &["run", "FILE", "--store", "new.db", "--no-plot", "--quiet"]),
    ("small.db", &["report", "small.toml", "--store", "FILE"]),
    ("small.db", &["status", "small.toml", "--store", "FILE"]),
    ("small.db", &["verify", "FILE"]),
    ("small.db", &["export", "FILE"]),
    ("small.db", &["replay", "FILE", "3"]),
    ("small.db", &["annotate", "FILE", "2", "--with", "mcts@9it", "--traps", "2"]),
    ("small.ledger", &["report", "small.toml", "--store", "FILE"]),
    ("small.ledger", &["verify", "FILE"]),
    ("small.ledger", &["export", "FILE"]),
    ("small.ledger", &["replay", "FILE", "3", "--json"]),
    (
        "traps.jsonl",
        &["traps", "connect4:4x4", "--player", "random", "--games", "3", "--store", "FILE"],
    ),
];

/// Commands whose arguments are damaged.
const COMMANDS: [&[&str]; 29] = [
    &["show", "connect4", "--moves", "4453"],
    &["show", "othello", "--svg", "out.svg"],
    &["eval", "breakthrough", "efMS", "--moves", "e2e3"],
    &["show", "hex:5", "--position", "5/5/5/5/5 b"],
    &["analyze", "lion", "mcts-solver@20it", "--seed", "3"],
    &["analyze", "kalah", "ab@200nodes", "--json"],
    &["analyze", "connect4", "mcts-ab@50it", "--tree", "2", "--svg", "tree.svg"],
    &["analyze", "othello:4", "ab@50nodes", "--lines", "3", "--json-lines"],
    &["trace", "tree:((3 5) (2 9))", "fsss@50nodes", "--limit", "30", "--svg", "trace.svg"],
    &["watch", "connect4:4x4", "mcts@5it", "ab@20nodes", "--seed", "1", "--json"],
    &["solve", "connect4:4x4", "--time", "50ms", "--with", "mtd(f)"],
    &["perft", "breakthrough:4x4", "--depth", "2"],
    &["games", "hex"],
    &["players", "mcts-ab"],
    &["check", "othello:4", "--games", "1"],
    &["match", "connect4:4x4", "mcts@5it", "random", "--games", "4", "--seed", "1", "--json"],
    &["run", "small.toml", "--store", "other.db", "--no-plot", "--quiet"],
    &["status", "small.toml", "--json"],
    &["report", "small.toml", "--format", "csv"],
    &["report", "small.toml", "--format", "latex", "--output", "out.tex"],
    &["export", "small.db", "--output", "games.jsonl"],
    &["verify", "small.db"],
    &["replay", "small.db", "3", "--ply", "4"],
    &["annotate", "small.db", "2", "--with", "ab@50nodes", "--traps", "3", "--svg", "values.svg"],
    &["annotate", "--game", "connect4:4x4", "--moves", "1122", "--with", "mcts-solver@20it"],
    &["traps", "connect4:4x4", "--player", "mcts@5it", "--games", "2", "--levels", "3"],
    &["trees", "--height", "2..4", "--trees", "3", "--by-tree", "trees.csv"],
    &["completions", "bash"],
    &["man", "--output", "man"],
];

/// A folder with good files.
pub(crate) struct Files {
    folder: PathBuf,
}

impl Files {
    pub(crate) fn new() -> Files {
        let folder = std::env::temp_dir().join(format!("treegraft-fuzz-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for temporary files");
        let files = Files { folder };
        files.write("small.toml", EXPERIMENT.as_bytes());
        let made: [&[&str]; 3] = [
            &["run", "small.toml", "--store", "small.db", "--no-plot", "--quiet"],
            &["export", "small.db", "--format", "ledger", "--output", "small.ledger"],
            &[
                "traps",
                "connect4:4x4",
                "--player",
                "random",
                "--games",
                "3",
                "--store",
                "traps.jsonl",
            ],
        ];
        for args in made {
            let args: Vec<String> = args.iter().map(|&arg| arg.to_owned()).collect();
            let (code, text) = files.finish(&args);
            assert_eq!(code, 0, "{args:?}: {text}");
        }
        files
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.folder.join(name), bytes).expect("a temporary file");
    }

    /// A command that reads a damaged file.
    pub(crate) fn damaged_file(&self, rng: &mut Rng) {
        let (name, args) = READERS[rng.below(READERS.len() as u32) as usize];
        let good = std::fs::read(self.folder.join(name)).expect("a good file");
        let bad = format!("bad-{name}");
        self.write(&bad, &mutated(rng, &good, &[]));
        let args = args.iter().map(|&arg| if arg == "FILE" { bad.clone() } else { arg.to_owned() });
        self.try_it(&args.collect::<Vec<_>>());
    }

    /// A command with damaged arguments.
    pub(crate) fn damaged_command(&self, rng: &mut Rng) {
        let args = COMMANDS[rng.below(COMMANDS.len() as u32) as usize];
        let mut args: Vec<String> = args.iter().map(|&arg| arg.to_owned()).collect();
        let others: Vec<Vec<u8>> = args.iter().map(|arg| arg.clone().into_bytes()).collect();
        for _ in 0..1 + rng.below(2) {
            // The name of the command is left alone: what stands behind it is more interesting.
            let at = 1 + rng.below(args.len() as u32 - 1) as usize;
            args[at] = mutated_text(rng, &args[at], &others);
            // Files are to stay in the folder, and no argument can hold a zero.
            args[at].retain(|c| c != '/' && c != '\0');
        }
        self.try_it(&args);
        // What it may have overwritten is made good again.
        if !self.is_good() {
            let _ = std::fs::remove_dir_all(&self.folder);
            panic!("{args:?} has destroyed a file");
        }
    }

    /// Whether the files that commands read are still there and not empty.
    fn is_good(&self) -> bool {
        let length = |name| std::fs::metadata(self.folder.join(name)).map_or(0, |file| file.len());
        length("small.toml") == EXPERIMENT.len() as u64 && length("small.db") >= 4096
    }

    fn try_it(&self, args: &[String]) {
        let (code, text) = self.finish(args);
        // Success, no success, wrong input, or interrupted after our patience.
        assert!(matches!(code, 0..=2 | 143), "exit code {code}: {args:?}\n{text}");
        for name in ["new.db", "other.db", "new.db-wal", "other.db-wal"] {
            let _ = std::fs::remove_file(self.folder.join(name));
        }
    }

    /// Runs the program; its exit code (that of a signal as shells have it) and its error output.
    fn finish(&self, args: &[String]) -> (i32, String) {
        let program = std::env::current_exe().expect("this program");
        let mut child = Command::new("sh")
            .arg("-c")
            .arg(format!("ulimit -v {ADDRESS_KIB}; exec \"$0\" \"$@\""))
            .arg(program)
            .args(args)
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let start = Instant::now();
        let mut errors = child.stderr.take().expect("piped");
        let reader = std::thread::spawn(move || {
            let mut text = Vec::new();
            let _ = errors.by_ref().take(1 << 16).read_to_end(&mut text);
            let _ = std::io::copy(&mut errors, &mut std::io::sink());
            String::from_utf8_lossy(&text).into_owned()
        });
        let mut is_asked = false;
        let status = loop {
            if let Some(status) = child.try_wait().expect("it can be waited for") {
                break status;
            }
            if start.elapsed() > PATIENCE && !is_asked {
                is_asked = true;
                // Not Ctrl-C's signal, which programs in the background of a shell ignore.
                let _ = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
            }
            if start.elapsed() > PATIENCE + GRACE {
                let _ = child.kill();
                let _ = child.wait();
                panic!("does not stop: {args:?}");
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0));
        (code, reader.join().unwrap_or_default())
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
