//! Hands the revision of the source to the program, where git knows it.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // If the source was copied into another repository, git would report that one's revision.
    if git(&["rev-parse", "--show-prefix"]).as_deref() != Some("crates/commands/") {
        return;
    }
    if let Some(revision) = git(&["rev-parse", "--short=12", "HEAD"]) {
        println!("cargo::rustc-env=TREEGRAFT_REVISION={revision}");
    }
    // The log changes with every commit, and rarely otherwise.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"])
        && std::path::Path::new(&log).exists()
    {
        println!("cargo::rerun-if-changed={log}");
    }
}

/// The output of git; `None` without git or outside a repository.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
