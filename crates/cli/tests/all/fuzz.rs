//! The short version of `cargo xtask fuzz`.
#![cfg(unix)]

use std::path::Path;
use std::process::Command;

#[test]
fn damaged_input_is_an_error() {
    // `cargo test` builds the examples beside the program.
    let program = Path::new(env!("CARGO_BIN_EXE_treegraft")).with_file_name("examples/fuzz");
    let output = Command::new(program)
        .args(["--seconds", "12", "--seed", "1"])
        .output()
        .expect("the example has been built");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
}
