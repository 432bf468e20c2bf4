//! All tests, two programs at a time. `cargo test` runs one after the other, and whoever waits for the
//! last test of a program waits alone.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use crate::cargo_command;

/// As many programs at a time as tests ran at a time in each of them: tests that measure time have no
/// more company than before.
const WORKERS: usize = 2;

/// A test program, and the folder in which cargo would start it.
#[derive(Debug, PartialEq)]
struct Program {
    path: PathBuf,
    folder: PathBuf,
}

/// Builds and runs all tests but those in documentation.
pub(crate) fn run() -> bool {
    let build = ["test", "--workspace", "--locked", "--no-run"];
    let built = cargo_command()
        .args(build)
        .arg("--message-format=json-render-diagnostics")
        .stderr(Stdio::inherit())
        .output();
    let Ok(built) = built else { return false };
    if !built.status.success() {
        return false;
    }
    let messages = String::from_utf8_lossy(&built.stdout);
    let mut programs: Vec<Program> = messages.lines().filter_map(program).collect();
    if programs.is_empty() {
        eprintln!("error: cargo has built no tests");
        return false;
    }
    // The largest last, as they are taken from the end: they take longest.
    programs.sort_by_key(|it| std::fs::metadata(&it.path).map_or(0, |about| about.len()));
    let (left, failed) = (Mutex::new(programs), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                while let Some(next) = { left.lock().expect("whole").pop() } {
                    if !passes(&next) {
                        failed.lock().expect("whole").push(next.path);
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().expect("whole");
    for path in &failed {
        eprintln!("error: tests failed: {}", path.display());
    }
    failed.is_empty()
}

/// Runs a program and prints what it says at once.
fn passes(program: &Program) -> bool {
    let run = Command::new(&program.path)
        .arg("--test-threads=1")
        .current_dir(&program.folder)
        .env("CARGO_MANIFEST_DIR", &program.folder)
        .stdin(Stdio::null())
        .output();
    let name = program.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    match run {
        Ok(output) => {
            print!(
                "     Running {name}\n{}{}",
                String::from_utf8_lossy(&output.stdout),
                String::from_utf8_lossy(&output.stderr)
            );
            output.status.success()
        }
        Err(error) => {
            eprintln!("error: {name}: {error}");
            false
        }
    }
}

/// The test program that a message of cargo's is about.
fn program(message: &str) -> Option<Program> {
    // What is said of the target is also called "test".
    let (_, profile) = message.split_once("\"profile\":{")?;
    let is_test = profile.split_once('}')?.0.contains("\"test\":true");
    let text = |key: &str| {
        let (_, after) = message.split_once(&format!("\"{key}\":\""))?;
        after.split_once('"').map(|(text, _)| text.replace("\\\\", "\\"))
    };
    let path = PathBuf::from(text("executable").filter(|_| is_test)?);
    let folder = Path::new(&text("manifest_path")?).parent()?.to_owned();
    Some(Program { path, folder })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_in_messages() {
        let message = r#"{"reason":"compiler-artifact","manifest_path":"/a/b/Cargo.toml","target":{"name":"all","test":true},"profile":{"opt_level":"2","test":true},"features":[],"executable":"/t/all-1","fresh":true}"#;
        let (path, folder) = ("/t/all-1".into(), "/a/b".into());
        assert_eq!(program(message), Some(Program { path, folder }));
        assert_eq!(program(&message.replace("\"2\",\"test\":true", "\"2\",\"test\":false")), None);
        assert_eq!(program(&message.replace("\"/t/all-1\"", "null")), None);
        assert_eq!(program(r#"{"reason":"build-finished","success":true}"#), None);
    }
}
