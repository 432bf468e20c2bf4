//! Running the program and looking at what it left behind.
#![allow(dead_code)]

#[cfg(unix)]
pub(crate) mod limits;
#[cfg(unix)]
pub(crate) mod terminal;

use std::ffi::OsStr;
use std::process::{Command, Stdio};

use serde_json::Value;

/// What a run of the program left behind.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

pub(crate) fn command(args: &[impl AsRef<OsStr>]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_treegraft"));
    command.args(args).stdin(Stdio::null()).current_dir(env!("CARGO_TARGET_TMPDIR"));
    command
}

pub(crate) fn finish(mut command: Command) -> Run {
    let output = command.output().expect("the program starts");
    let run = Run {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).expect("the output is UTF-8"),
        err: String::from_utf8(output.stderr).expect("the messages are UTF-8"),
    };
    assert!(!run.err.contains("panicked"), "{}", run.err);
    assert!(!run.out.contains('\x1b') && !run.err.contains('\x1b'), "colour without a terminal");
    run
}

/// The output of a run that must succeed in silence.
pub(crate) fn ok(args: &[&str]) -> String {
    let run = finish(command(args));
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{args:?}");
    run.out
}

pub(crate) fn json(args: &[&str]) -> Value {
    let out = ok(args);
    assert_eq!(out.lines().count(), 1, "{args:?}");
    serde_json::from_str(&out).expect("the output is JSON")
}

/// The complaint about a bad input.
pub(crate) fn refused(args: &[&str]) -> String {
    let run = finish(command(args));
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{args:?}");
    assert!(run.err.starts_with("error: "), "{args:?}: {}", run.err);
    run.err
}

pub(crate) fn game_names() -> Vec<String> {
    let games = json(&["games", "--json"]);
    games.as_array().unwrap().iter().map(|game| game["name"].as_str().unwrap().to_owned()).collect()
}

pub(crate) fn strings(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|item| item.as_str().unwrap()).collect()
}
