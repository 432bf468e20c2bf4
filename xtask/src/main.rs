//! The project's own chores: `cargo xtask test` is what CI runs.

#[cfg(unix)]
mod apt;
#[cfg(unix)]
mod cluster;
#[cfg(unix)]
mod engines;
mod programs;
mod python;
mod weight;

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
  full-disk   every output and store within every number of bytes up to 4 KiB and 500 random ones, and
              on small disks that fill, which takes root: nothing half-written, nothing lost (half an
              hour)
  audit       claims of searches against brute force, 20,000 a block: --blocks 1..51 for a million (half
              an hour), --minutes, --ledger target/audit.txt: what is in the ledger is not done again
  campaign    random players over the whole grammar, 500 a block: each is refused with a reason, or ends
              within its limits, repeats itself and keeps its memory. --blocks 1..2001 for a million,
              --minutes, --ledger target/campaign.txt
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
  weight      lines of code by crate, methods of the largest traits, lines that only forward, bytes of a
              checkout and of the pack, compared with the last landing and the limits in
              xtask/weight.txt. With --program also the program, which is built for it (minutes); with
              --write, writes them there: for landings
  golden      compares small trees of all searches with crates/players/testdata/golden. With
              --write, writes them there: for changes that are meant to change what a search does
";

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let command = words.next().unwrap_or_default();
    let options: Vec<String> = words.collect();
    let steps: &[Step] = match command.as_str() {
        "test" => TEST,
        "smoke-python" => &[PYTHON_SMOKE],
        "test-long" => &[TEST_LONG],
        "kill" => &[KILL],
        "full-disk" => &[FULL_DISK],
        "bench" => BENCH,
        "signature" if options.first().is_some_and(|it| it == "--write") => &[SIGNATURE_WRITE],
        "signature" => &[SIGNATURE],
        "golden" if options.first().is_some_and(|it| it == "--write") => &[GOLDEN_WRITE],
        "golden" => &[GOLDEN],
        "test-python" => return exit_code(python::test(&options)),
        "fuzz" => return exit_code(fuzz(options)),
        "campaign" => return reported(in_blocks("campaign", "a_campaign_of_options", &options)),
        "audit" => {
            return reported(in_blocks("audit", "no_claim_of_a_million_is_false", &options));
        }
        "web" => return exit_code(web(&[&["run", "check"], &["run", "build"]])),
        "test-web" => return exit_code(BUILD.run() && web(&[&["test"]])),
        "weight" => return reported(weight::weigh(&options)),
        #[cfg(unix)]
        "test-cluster" | "test-engines" => {
            let test = if command == "test-engines" { engines::test } else { test_cluster };
            let begun = Instant::now();
            let result = test().map_err(|problem| format!("{command} FAILED: {problem}"));
            if result.is_ok() {
                eprintln!("── {command}: all ok, {:.0} s", begun.elapsed().as_secs_f64());
            }
            return reported(result);
        }
        #[cfg(not(unix))]
        "test-cluster" | "test-engines" => {
            eprintln!("error: it needs Slurm, or programs that apt installs: Unix");
            return ExitCode::from(2);
        }
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
        if !step.run() {
            eprintln!("── {} FAILED", step.name);
            return ExitCode::FAILURE;
        }
        eprintln!("── {} ok, {:.0} s", step.name, start.elapsed().as_secs_f64());
    }
    eprintln!("── {command}: all ok, {:.0} s", all.elapsed().as_secs_f64());
    ExitCode::SUCCESS
}

fn exit_code(is_ok: bool) -> ExitCode {
    if is_ok { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn reported(result: Result<(), String>) -> ExitCode {
    exit_code(result.inspect_err(|problem| eprintln!("error: {problem}")).is_ok())
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
    /// A call of cargo with these arguments, separated by blanks.
    Cargo(&'static str),
    /// Something else.
    Function(fn() -> bool),
}

impl Step {
    fn run(self) -> bool {
        match self.what {
            What::Cargo(args) => cargo(&args.split(' ').collect::<Vec<_>>(), self.env),
            What::Function(work) => work(),
        }
    }
}

const fn step(name: &'static str, args: &'static str) -> Step {
    Step { name, what: What::Cargo(args), env: None }
}

const TEST: &[Step] = &[
    step("format", "fmt --all --check"),
    step("lints", "clippy --workspace --all-targets --locked -- -D warnings"),
    Step { name: "tests", what: What::Function(programs::run), env: None },
    step("doc tests", "test --workspace --doc --locked"),
    Step { name: "example your_game", what: What::Function(your_game), env: None },
    Step {
        env: Some(("RUSTDOCFLAGS", "-D warnings")),
        ..step("docs", "doc --workspace --no-deps --locked")
    },
    PYTHON_SMOKE,
];

/// The Python package, built quickly and used once.
const PYTHON_SMOKE: Step = Step { name: "Python", what: What::Function(python::smoke), env: None };

const TEST_LONG: Step = step(
    "long tests",
    // Full disks are a chore of their own.
    "test --workspace --release --locked -- --ignored --skip disk_full::every_size",
);

const KILL: Step = Step {
    env: Some(("TREEGRAFT_KILLS", "2000")),
    ..step(
        "2,000 kills",
        "test -p treegraft-lab --release --locked --test kill -- --nocapture \
         nothing_is_lost_by_killing",
    )
};

const FULL_DISK: Step = step(
    "full disks",
    "test -p treegraft-cli --release --locked --test all -- --ignored --nocapture \
     disk_full::every_size",
);

const BENCH: &[Step] = &[
    step("raw playouts", "bench -p treegraft-games --bench playouts --locked"),
    step("arena cost", "bench -p treegraft-lab --bench arena_cost --locked"),
];

const SIGNATURE: Step =
    step("signature", "run -q --release -p treegraft-players --example signature");

const SIGNATURE_WRITE: Step =
    step("signature", "run -q --release -p treegraft-players --example signature -- --write");

/// The program.
pub(crate) const BUILD: Step = step("program", "build --release --locked -p treegraft-cli");

const GOLDEN: Step =
    step("golden trees", "test -q -p treegraft-players --locked --test all golden");

const GOLDEN_WRITE: Step = Step { env: Some(("TREEGRAFT_WRITE_GOLDEN", "1")), ..GOLDEN };

fn cargo(args: &[&str], env: Option<(&str, &str)>) -> bool {
    succeeds(cargo_command().args(args).envs(env))
}

fn cargo_command() -> Command {
    Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()))
}

/// The output of a command that must succeed.
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    let shown = format!("{command:?}");
    let output = command.output().map_err(|error| format!("{shown}: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    match output.status.success() {
        true => Ok(text),
        false => Err(format!("{shown}: {text}{}", String::from_utf8_lossy(&output.stderr))),
    }
}

/// Whether a command succeeds.
fn succeeds(command: &mut Command) -> bool {
    command.status().is_ok_and(|status| status.success())
}

/// An experiment on a cluster.
#[cfg(unix)]
fn test_cluster() -> Result<(), String> {
    cluster::test()?;
    if python::test_ray() { Ok(()) } else { Err("the tests of Ray failed".to_owned()) }
}

/// Fuzzes with the options given, or for half an hour.
fn fuzz(options: Vec<String>) -> bool {
    let usual = || ["--minutes", "30"].map(str::to_owned).into();
    let options: Vec<String> = if options.is_empty() { usual() } else { options };
    let run = ["run", "--release", "--locked", "-p", "treegraft-cli", "--example", "fuzz", "--"];
    cargo(&run.into_iter().chain(options.iter().map(String::as_str)).collect::<Vec<_>>(), None)
}

/// A long check in blocks that a ledger remembers: an ignored test of the players.
fn in_blocks(name: &str, test: &str, options: &[String]) -> Result<(), String> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let (mut minutes, mut blocks) = (None, None);
    let mut ledger = Some(format!("{root}/target/{name}.txt"));
    for pair in options.chunks(2) {
        let slot = match pair[0].as_str() {
            "--minutes" => &mut minutes,
            "--blocks" => &mut blocks,
            "--ledger" => &mut ledger,
            unknown => {
                let expected = "--minutes 60, --blocks 1..2001 or --ledger FILE";
                return Err(format!("{name}: there is no option {unknown:?}; expected {expected}"));
            }
        };
        *slot =
            Some(pair.get(1).ok_or_else(|| format!("{name}: {} has no value", pair[0]))?.clone());
    }
    let is_positive = |text: &String| text.parse::<f64>().is_ok_and(|minutes| minutes > 0.0);
    if minutes.as_ref().is_some_and(|text| !is_positive(text)) {
        return Err(format!("{name}: expected a number of minutes, such as --minutes 60"));
    }
    let is_whole = |text: &str| text.parse::<u64>().is_ok();
    let is_range =
        |text: &String| text.split_once("..").is_some_and(|(a, b)| is_whole(a) && is_whole(b));
    if blocks.as_ref().is_some_and(|text| !is_range(text)) {
        return Err(format!("{name}: expected numbers of blocks, such as --blocks 1..2001"));
    }
    // As many as there is time for.
    let blocks = blocks.or_else(|| minutes.as_ref().map(|_| "1..1000000000".to_owned()));
    // The test program runs in another folder.
    let path =
        std::path::absolute(ledger.unwrap_or_default()).map_err(|error| error.to_string())?;
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)
            .map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let commit = output(Command::new("git").args(["-C", root, "rev-parse", "HEAD"]))?;
    let mut command = cargo_command();
    command
        .args(["test", "-p", "treegraft-players", "--release", "--locked", "--test", "all", "--"])
        .args(["--ignored", "--nocapture", test])
        .env("TREEGRAFT_LEDGER", &path)
        .env("TREEGRAFT_COMMIT", commit.trim())
        .envs(minutes.map(|minutes| ("TREEGRAFT_MINUTES", minutes)))
        .envs(blocks.map(|blocks| ("TREEGRAFT_BLOCKS", blocks)));
    match succeeds(&mut command) {
        true => Ok(()),
        false => Err(format!("{name} found something wrong: see {}", path.display())),
    }
}

/// Calls npm in the folder of the page.
fn web(calls: &[&[&str]]) -> bool {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/server/web");
    // As the lock file says. `npm ci` would also want the builds for systems that it does not name.
    let install: &[&str] = &["install", "--no-save", "--no-audit", "--no-fund"];
    std::iter::once(&install).chain(calls).all(|args| {
        eprintln!("── npm {}", args.join(" "));
        let is_ok = succeeds(Command::new("npm").args(*args).current_dir(folder));
        if !is_ok {
            eprintln!("── npm {} FAILED", args.join(" "));
        }
        is_ok
    })
}

/// An example that the tests have built: asking cargo for it would build the library again, with the
/// features that it alone needs.
fn your_game() -> bool {
    let Ok(xtask) = std::env::current_exe() else { return false };
    let name = format!("your_game{}", std::env::consts::EXE_SUFFIX);
    succeeds(&mut Command::new(xtask.with_file_name("examples").join(name)))
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
