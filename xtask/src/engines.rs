//! `cargo xtask test-engines`: programs that other people wrote, at our boards and we at theirs.

use std::path::Path;
use std::process::Command;

use crate::{Step, apt, cluster, python, step, succeeds};

/// The packages of Debian and Ubuntu.
const PACKAGES: [&str; 3] = ["fairy-stockfish", "grhino", "grhino-data"];

/// What they bring.
const PROGRAMS: [&str; 2] = ["fairy-stockfish", "gtp-rhino"];

/// Examples are built beside the tests, but not for one test alone.
const EXAMPLES: Step = step("examples", "build --release --locked -p treegraft-lab --examples");

const MATCHES: Step = Step {
    env: Some(("TREEGRAFT_REQUIRE_PROGRAMS", "1")),
    ..step(
        "matches",
        "test --release --locked -p treegraft-lab --test engines -- --include-ignored real::",
    )
};

/// Matches against Fairy-Stockfish and GRhino, and matches that OpenSpiel's `GTPBot` referees.
///
/// # Errors
///
/// If something does not work, in words.
pub(crate) fn test() -> Result<(), String> {
    apt::install(&PROGRAMS, &PACKAGES)?;
    apt::say("matches against programs that are installed");
    if !EXAMPLES.run() || !MATCHES.run() {
        return Err("the matches".to_owned());
    }
    apt::say("matches that OpenSpiel referees");
    if !crate::BUILD.run() {
        return Err("the program cannot be built".to_owned());
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    let python = python::environment(&root.join("target").join("engines-test"), &["open_spiel"])?;
    let script = root.join("scripts").join("gtpbot_match.py");
    match succeeds(Command::new(python).arg(script).arg(cluster::program()?)) {
        true => Ok(()),
        false => Err("the matches that OpenSpiel referees".to_owned()),
    }
}
