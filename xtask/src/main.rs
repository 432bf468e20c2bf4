//! The project's own chores: `cargo xtask test` is what CI runs.

#[cfg(unix)]
mod apt;
#[cfg(unix)]
mod cluster;
#[cfg(unix)]
mod engines;
mod python;

use std::process::{Command, ExitCode};
use std::time::Instant;

const HELP: &str = "\
cargo xtask COMMAND

  test        what CI runs: format, lints, all tests, doc tests, examples, docs, and where there is a
              Python, a few lines of it
  test-python the Python package: wheel, all its tests, types, documentation, notebooks (minutes);
              needs Python 3.10 or newer and its package index; options are those of pytest
  smoke-python
              the few lines of it that `test` runs
  test-long   the ignored tests: millions of positions, every reference count (minutes)
  kill        2,000 kills of a running tournament: nothing that was acknowledged is lost (minutes)
  audit       1,000,000 claims of searches against brute force; TREEGRAFT_CLAIMS and TREEGRAFT_SEED
              say how many, and which (half an hour)
  fuzz        damaged input for everything that reads input, with time and memory watched;
              options of the program behind it: --minutes 30 --seed 1
  test-cluster
              experiments on a real Slurm with three nodes on this machine, whose tasks are killed,
              preempted and out of time, and on a real Ray, whose workers, nodes and driver are killed;
              installs slurmctld, slurmd, slurm-client and munge with apt if they are missing, and Ray
              with pip below `target` (minutes)
  test-engines  matches against programs of others, and matches that OpenSpiel's GTPBot referees;
              installs fairy-stockfish, grhino and grhino-data with apt if they are missing, and
              open_spiel with pip (minutes)
  bench       the benches: playouts, and what the arena costs in a tournament of 10 ms moves
  web         builds the page of `treegraft serve` again, after a change in crates/server/web or
              docs/course (needs Node 20)
  test-web    the page in a real browser (needs Node 20 and Chromium: CHROMIUM, or
              /usr/bin/chromium)
  signature   a number for every label on every game, over fixed searches; CI compares them with
              signatures.txt. With --write, writes them there: for changes that are meant to change
              what a search does
  golden      compares small trees of all searches with crates/players/testdata/golden. With
              --write, writes them there: for changes that are meant to change what a search does
";

fn main() -> ExitCode {
    let command = std::env::args().nth(1).unwrap_or_default();
    let steps: &[Step] = match command.as_str() {
        "test" => TEST,
        "test-python" => return test_python(),
        "smoke-python" => PYTHON_SMOKE,
        "test-long" => TEST_LONG,
        "kill" => KILL,
        "audit" => AUDIT,
        "fuzz" => return fuzz(std::env::args().skip(2)),
        "test-cluster" => return test_cluster(),
        "test-engines" => return test_engines(),
        "bench" => BENCH,
        "web" => return web(&[&["run", "check"], &["run", "build"]]),
        "test-web" => return test_web(),
        "signature" if std::env::args().nth(2).as_deref() == Some("--write") => SIGNATURE_WRITE,
        "signature" => SIGNATURE,
        "golden" if std::env::args().nth(2).as_deref() == Some("--write") => GOLDEN_WRITE,
        "golden" => GOLDEN,
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
        let is_ok = match step.what {
            What::Cargo(args) => cargo(args, step.env),
            What::Example(name) => example(name),
            What::PythonSmoke => python::smoke(),
        };
        if !is_ok {
            eprintln!("── {} FAILED", step.name);
            return ExitCode::FAILURE;
        }
        eprintln!("── {} ok, {:.0} s", step.name, start.elapsed().as_secs_f64());
    }
    eprintln!("── {command}: all ok, {:.0} s", all.elapsed().as_secs_f64());
    ExitCode::SUCCESS
}

/// One step of a chore.
#[derive(Clone, Copy)]
struct Step {
    name: &'static str,
    what: What,
    env: Option<(&'static str, &'static str)>,
}

#[derive(Clone, Copy)]
enum What {
    /// A call of cargo with these arguments.
    Cargo(&'static [&'static str]),
    /// An example that the tests have built: asking cargo for it would build the library again, with
    /// the features that it alone needs.
    Example(&'static str),
    /// The Python package, built quickly and used once.
    PythonSmoke,
}

const fn step(name: &'static str, args: &'static [&'static str]) -> Step {
    Step { name, what: What::Cargo(args), env: None }
}

const TEST: &[Step] = &[
    step("format", &["fmt", "--all", "--check"]),
    step("lints", &["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"]),
    step("tests and doc tests", &["test", "--workspace", "--locked"]),
    Step { name: "example your_game", what: What::Example("your_game"), env: None },
    Step {
        name: "docs",
        what: What::Cargo(&["doc", "--workspace", "--no-deps", "--locked"]),
        env: Some(("RUSTDOCFLAGS", "-D warnings")),
    },
    PYTHON_SMOKE[0],
];

const PYTHON_SMOKE: &[Step] = &[Step { name: "Python", what: What::PythonSmoke, env: None }];

const TEST_LONG: &[Step] =
    &[step("long tests", &["test", "--workspace", "--release", "--locked", "--", "--ignored"])];

const KILL: &[Step] = &[Step {
    name: "2,000 kills",
    what: What::Cargo(&[
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
    ]),
    env: Some(("TREEGRAFT_KILLS", "2000")),
}];

const AUDIT: &[Step] = &[step(
    "proof audit",
    &[
        "test",
        "-p",
        "treegraft-players",
        "--release",
        "--locked",
        "--test",
        "all",
        "--",
        "--ignored",
        "--nocapture",
        "no_claim_of_a_million_is_false",
    ],
)];

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

const GOLDEN: &[Step] = &[step(
    "golden trees",
    &["test", "-q", "-p", "treegraft-players", "--locked", "--test", "all", "golden"],
)];

const GOLDEN_WRITE: &[Step] = &[Step { env: Some(("TREEGRAFT_WRITE_GOLDEN", "1")), ..GOLDEN[0] }];

fn cargo(args: &[&str], env: Option<(&str, &str)>) -> bool {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(args).envs(env);
    command.status().is_ok_and(|status| status.success())
}

/// An experiment on a cluster.
#[cfg(unix)]
fn test_cluster() -> ExitCode {
    whole("test-cluster", || {
        cluster::test()?;
        if python::test_ray() { Ok(()) } else { Err("the tests of Ray failed".to_owned()) }
    })
}

/// Programs of others.
#[cfg(unix)]
fn test_engines() -> ExitCode {
    whole("test-engines", engines::test)
}

/// A chore that is one step.
#[cfg(unix)]
fn whole(name: &str, test: fn() -> Result<(), String>) -> ExitCode {
    let begun = Instant::now();
    match test() {
        Ok(()) => {
            eprintln!("── {name}: all ok, {:.0} s", begun.elapsed().as_secs_f64());
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("── {name} FAILED: {problem}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(not(unix))]
fn test_cluster() -> ExitCode {
    eprintln!("error: Slurm and Ray are tested on Unix only");
    ExitCode::from(2)
}

#[cfg(not(unix))]
fn test_engines() -> ExitCode {
    eprintln!("error: the programs are installed with apt, on Unix only");
    ExitCode::from(2)
}

/// All tests of the Python package.
fn test_python() -> ExitCode {
    let options: Vec<String> = std::env::args().skip(2).collect();
    if python::test(&options) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Fuzzes with the options given, or for half an hour.
fn fuzz(options: impl Iterator<Item = String>) -> ExitCode {
    let run = ["run", "--release", "--locked", "-p", "treegraft-cli", "--example", "fuzz", "--"];
    let mut args: Vec<String> = run.map(str::to_owned).into();
    args.extend(options);
    if args.len() == run.len() {
        args.extend(["--minutes", "30"].map(str::to_owned));
    }
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    if cargo(&args, None) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Calls npm in the folder of the page.
fn web(calls: &[&[&str]]) -> ExitCode {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/server/web");
    // As the lock file says. `npm ci` would also want the builds for systems that it does not name.
    let install: &[&str] = &["install", "--no-save", "--no-audit", "--no-fund"];
    for args in std::iter::once(&install).chain(calls) {
        eprintln!("── npm {}", args.join(" "));
        let status = Command::new("npm").args(*args).current_dir(folder).status();
        if !status.is_ok_and(|status| status.success()) {
            eprintln!("── npm {} FAILED", args.join(" "));
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// Builds the program and drives its page.
fn test_web() -> ExitCode {
    if !cargo(&["build", "--release", "--locked", "-p", "treegraft-cli"], None) {
        return ExitCode::FAILURE;
    }
    web(&[&["test"]])
}

fn example(name: &str) -> bool {
    let Ok(xtask) = std::env::current_exe() else { return false };
    let program =
        xtask.with_file_name("examples").join(name).with_extension(std::env::consts::EXE_EXTENSION);
    Command::new(program).status().is_ok_and(|status| status.success())
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
