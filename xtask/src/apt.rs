//! Programs of Debian and Ubuntu that chores need.

use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Folders with programs that the search path of many users does not lead to: daemons and games.
const FOLDERS: [&str; 3] = ["/usr/sbin", "/sbin", "/usr/games"];

/// Something about a step.
pub(crate) fn say(what: &str) {
    eprintln!("   {what}");
}

/// Installs packages if one of the programs that they bring is missing.
///
/// # Errors
///
/// If that does not work, in words.
pub(crate) fn install(programs: &[&str], packages: &[&str]) -> Result<(), String> {
    let missing = || programs.iter().copied().filter(|name| find(name).is_none());
    let names: Vec<&str> = missing().collect();
    if names.is_empty() {
        return Ok(());
    }
    let list = packages.join(" ");
    say(&format!("{} not found: installing {list}", names.join(", ")));
    let apt = |args: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(args).env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let install = [&["install", "-y", "--no-install-recommends"], packages].concat();
    let is_installed = apt(&install) || (apt(&["update"]) && apt(&install));
    if !is_installed {
        return Err(format!(
            "they cannot be installed; as root, on Debian or Ubuntu: apt-get install {list}"
        ));
    }
    match missing().collect::<Vec<_>>() {
        names if names.is_empty() => Ok(()),
        names => Err(format!("{list} are installed, but {} not found", names.join(", "))),
    }
}

/// Where a program is.
pub(crate) fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let places = std::env::split_paths(&path).chain(FOLDERS.map(PathBuf::from));
    places.map(|place| place.join(name)).find(|it| it.is_file())
}
