//! Running the program where files cannot become larger than some number of bytes.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::process::CommandExt;
use std::process::Command;

use nix::sys::resource::{Resource, setrlimit};

/// The variable that says how many bytes; the program and its arguments follow, one per line.
const LIMITED: &str = "TREEGRAFT_TEST_LIMITED";

/// The same command where no file may become larger than so many bytes. Only a process can set its
/// own limit, so this program starts once more and becomes the other.
pub(crate) fn limited(bytes: u64, command: &Command) -> Command {
    let mut words = OsString::from(format!("{bytes}\n"));
    words.push(command.get_program());
    for word in command.get_args() {
        words.push("\n");
        words.push(word);
    }
    let mut limited = Command::new(std::env::current_exe().expect("this program"));
    limited.args(["--exact", "--ignored", "common::limits::becomes_another_program"]);
    limited.args(["--nocapture", "-q"]).env(LIMITED, words);
    if let Some(folder) = command.get_current_dir() {
        limited.current_dir(folder);
    }
    limited.stdin(std::process::Stdio::null());
    limited
}

#[test]
#[ignore = "what tests of full disks start, in cargo xtask test and full-disk"]
fn becomes_another_program() {
    let Some(words) = std::env::var_os(LIMITED).map(OsString::into_vec) else { return };
    let mut words = words.split(|byte| *byte == b'\n').map(OsStr::from_bytes);
    let bytes = words.next().and_then(OsStr::to_str).and_then(|bytes| bytes.parse().ok());
    let bytes = bytes.expect("a number");
    setrlimit(Resource::RLIMIT_FSIZE, bytes, bytes).expect("a lower limit");
    let error = Command::new(words.next().expect("a program")).args(words).exec();
    panic!("{error}");
}
