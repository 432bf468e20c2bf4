//! The project's own chores: `cargo xtask test` is what CI runs.

use std::process::{Command, ExitCode};
use std::time::Instant;

const HELP: &str = "\
cargo xtask COMMAND

  test        what CI runs: format, lints, all tests, doc tests, examples, docs
  test-long   the ignored tests: millions of positions, every reference count (minutes)
  kill        2,000 kills of a running tournament: nothing that was acknowledged is lost (minutes)
  bench       the benches: playouts, and what the arena costs in a tournament of 10 ms moves
  signature   a number for every label on every game, over fixed searches; CI compares them with
              signatures.txt. With --write, writes them there: for changes that are meant to change
              what a search does
";

fn main() -> ExitCode {
    let command = std::env::args().nth(1).unwrap_or_default();
    let steps: &[Step] = match command.as_str() {
        "test" => TEST,
        "test-long" => TEST_LONG,
        "kill" => KILL,
        "bench" => BENCH,
        "signature" if std::env::args().nth(2).as_deref() == Some("--write") => SIGNATURE_WRITE,
        "signature" => SIGNATURE,
        "" | "help" | "--help" | "-h" => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        unknown => {
            eprint!("error: there is no command {unknown:?}\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    if command == "test" {
        add_missing_components();
    }
    let all = Instant::now();
    for step in steps {
        eprintln!("── {}", step.name);
        let start = Instant::now();
        if !cargo(step) {
            eprintln!("── {} FAILED", step.name);
            return ExitCode::FAILURE;
        }
        eprintln!("── {} ok, {:.0} s", step.name, start.elapsed().as_secs_f64());
    }
    eprintln!("── {command}: all ok, {:.0} s", all.elapsed().as_secs_f64());
    ExitCode::SUCCESS
}

/// One call of cargo.
struct Step {
    name: &'static str,
    args: &'static [&'static str],
    env: Option<(&'static str, &'static str)>,
}

const fn step(name: &'static str, args: &'static [&'static str]) -> Step {
    Step { name, args, env: None }
}

const TEST: &[Step] = &[
    step("format", &["fmt", "--all", "--check"]),
    step("lints", &["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"]),
    step("tests and doc tests", &["test", "--workspace", "--locked"]),
    step("example your_game", &["run", "--locked", "-p", "treegraft", "--example", "your_game"]),
    Step {
        name: "docs",
        args: &["doc", "--workspace", "--no-deps", "--locked"],
        env: Some(("RUSTDOCFLAGS", "-D warnings")),
    },
];

const TEST_LONG: &[Step] =
    &[step("long tests", &["test", "--workspace", "--release", "--locked", "--", "--ignored"])];

const KILL: &[Step] = &[Step {
    name: "2,000 kills",
    args: &[
        "test",
        "-p",
        "treegraft-lab",
        "--release",
        "--locked",
        "--test",
        "kill",
        "--",
        "--nocapture",
        "nothing_is_lost_by_killing",
    ],
    env: Some(("TREEGRAFT_KILLS", "2000")),
}];

const BENCH: &[Step] = &[
    step("raw playouts", &["bench", "-p", "treegraft-games", "--bench", "playouts", "--locked"]),
    step("arena cost", &["bench", "-p", "treegraft-lab", "--bench", "arena_cost", "--locked"]),
];

const SIGNATURE: &[Step] = &[step(
    "signature",
    &["run", "-q", "--release", "-p", "treegraft-players", "--example", "signature"],
)];

const SIGNATURE_WRITE: &[Step] = &[step(
    "signature",
    &[
        "run",
        "-q",
        "--release",
        "-p",
        "treegraft-players",
        "--example",
        "signature",
        "--",
        "--write",
    ],
)];

fn cargo(step: &Step) -> bool {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(step.args);
    if let Some((name, value)) = step.env {
        command.env(name, value);
    }
    command.status().is_ok_and(|status| status.success())
}

/// A minimal toolchain comes without rustfmt and clippy: ask rustup for them.
fn add_missing_components() {
    for (probe, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        let found = Command::new("cargo").args([probe, "--version"]).output();
        if !found.is_ok_and(|output| output.status.success()) {
            let _ = Command::new("rustup").args(["component", "add", component]).status();
        }
    }
}
