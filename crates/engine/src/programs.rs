//! Programs that are installed on this machine.

use std::path::{Path, PathBuf};

/// Folders in which distributions put games, and which are not on the path of every user.
const FOLDERS: [&str; 2] = ["/usr/games", "/usr/local/games"];

/// Programs that players are often made of, and Debian's packages of them.
const PACKAGES: [(&str, &str); 2] =
    [("fairy-stockfish", "fairy-stockfish"), ("gtp-rhino", "grhino grhino-data")];

/// Where a program is: at its path, on the search path, or else among the games in `/usr/games`,
/// which is not on everybody's search path. `None` if it is not installed.
#[must_use]
pub fn find_program(program: &str) -> Option<PathBuf> {
    if program.contains(std::path::is_separator) {
        return Some(PathBuf::from(program)).filter(|path| path.is_file());
    }
    let on_path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&on_path).chain(FOLDERS.map(PathBuf::from));
    let name = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    folders.map(|folder| folder.join(&name)).find(|path| path.is_file())
}

/// The Debian packages that a program comes from, with a blank between them, if it is one of those
/// that the documentation names.
#[must_use]
pub fn packages_of(program: &str) -> Option<&'static str> {
    let name = Path::new(program).file_name()?.to_str()?;
    PACKAGES.iter().find(|(known, _)| *known == name).map(|(_, packages)| *packages)
}

/// What to call to start a program: its name, or its path if it is found only among the games.
pub(super) fn to_call(program: &str) -> String {
    let among_games = || {
        let path = find_program(program)?;
        let is_there = FOLDERS.iter().any(|folder| path.starts_with(folder));
        is_there.then(|| path.to_str().map(str::to_owned)).flatten()
    };
    among_games().unwrap_or_else(|| program.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_where_they_are() {
        let own = std::env::current_exe().unwrap();
        assert_eq!(find_program(own.to_str().unwrap()), Some(own));
        assert_eq!(find_program("/nowhere/to/be-found"), None);
        assert_eq!(find_program("a-program-that-nobody-has"), None);
        assert_eq!(to_call("a-program-that-nobody-has"), "a-program-that-nobody-has");
    }

    #[cfg(unix)]
    #[test]
    fn the_search_path_goes_first() {
        let shell = find_program("sh").unwrap();
        assert!(shell.is_absolute() && !shell.starts_with("/usr/games"));
        assert_eq!(to_call("sh"), "sh");
    }

    #[test]
    fn packages_are_known_by_the_name_of_the_program() {
        assert_eq!(packages_of("gtp-rhino"), Some("grhino grhino-data"));
        assert_eq!(packages_of("/opt/bin/fairy-stockfish"), Some("fairy-stockfish"));
        assert_eq!(packages_of("mine"), None);
        assert_eq!(packages_of(""), None);
    }
}
