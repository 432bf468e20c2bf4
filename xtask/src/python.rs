//! Chores of the Python package, which is a workspace of its own: nothing else needs a Python.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;
use std::{env, fs};

use crate::{cargo_command, succeeds};

/// What the tests of the package need besides it.
const TEST_PACKAGES: &str = "maturin>=1.9,<2 pytest mypy numpy pandas polars matplotlib open_spiel \
                             nbclient nbformat ipykernel";

/// A few lines that use everything once.
const SMOKE: &str = r#"
from dataclasses import dataclass
import treegraft as tg

@dataclass(frozen=True)
class Nim:
    heap: int = 9
    mover: int = 0
    def to_move(self): return self.mover
    def legal_moves(self): return range(1, min(self.heap, 3) + 1)
    def play(self, take): return Nim(self.heap - take, 1 - self.mover)
    def outcome(self): return None if self.heap else (1 if self.mover else -1)

position = tg.game("connect4").start().play("4")
assert tg.analyze(position, "mcts-solver@200it").best_move in position.legal_moves()
assert "<svg" in position._repr_svg_()
assert tg.solve(Nim()).outcome == "win" and tg.analyze(Nim(), "ab(depth=9)").best_move == 1
assert tg.match("connect4:4x4", "mcts@20it", "random", games=4).games == 4
assert tg.check(Nim, walks=5, samples=20).passed
try:
    tg.analyze(position, "mtcs@1s")
except ValueError as error:
    assert "did you mean mcts" in str(error)
else:
    raise AssertionError("a player that does not exist was accepted")
"#;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(PathBuf::new, Path::to_owned)
}

/// A Python that the package can be built for, if there is one.
fn interpreter() -> Option<String> {
    let named = env::var("PYTHON").ok();
    let is_new_enough = |python: &String| {
        let probe = "import sys; sys.exit(sys.version_info < (3, 10))";
        let found = Command::new(python).args(["-c", probe]).output();
        found.is_ok_and(|output| output.status.success())
    };
    let usual = ["python3", "python"].map(str::to_owned);
    named.into_iter().chain(usual).find(is_new_enough)
}

/// Builds the package quickly and uses it once, where there is a Python.
pub(crate) fn smoke() -> bool {
    let Some(python) = interpreter().filter(|_| cfg!(target_os = "linux")) else {
        eprintln!("   skipped: it needs Linux and Python 3.10 or newer");
        return true;
    };
    let (root, target) = (root(), root().join("target").join("python-smoke"));
    let mut build = cargo_command();
    build.args(["build", "--quiet", "--profile", "smoke", "--locked", "--manifest-path"]);
    build.arg(root.join("crates/python/Cargo.toml")).arg("--target-dir").arg(&target);
    succeeds(&mut build)
        && place(&root, &target).is_ok()
        && succeeds(
            Command::new(python).args(["-c", SMOKE]).env("PYTHONPATH", target.join("package")),
        )
}

/// Puts the package together without installing it.
fn place(root: &Path, target: &Path) -> std::io::Result<()> {
    let package = target.join("package").join("treegraft");
    fs::create_dir_all(&package)?;
    for file in fs::read_dir(root.join("crates/python/python/treegraft"))? {
        let path = file?.path();
        if path.extension().is_some_and(|ending| ending == "py") {
            fs::copy(&path, package.join(path.file_name().unwrap_or_default()))?;
        }
    }
    let built = target.join("smoke").join("lib_treegraft.so");
    fs::copy(built, package.join("_treegraft.abi3.so")).map(drop)
}

/// Builds the wheel, installs it into a virtual environment below `target`, and runs all tests of the
/// package; `options` are for pytest.
pub(crate) fn test(options: &[String]) -> bool {
    test_with(&TEST_PACKAGES.split(' ').collect::<Vec<_>>(), &[], options)
}

/// The same for the tests of experiments on Ray alone.
#[cfg(unix)]
pub(crate) fn test_ray() -> bool {
    let packages = ["maturin>=1.9,<2", "pytest", "numpy"];
    test_with(&packages, &["tests/test_cluster.py"], &["--exitfirst".to_owned()])
}

/// With all tests, Ray's are left out where it is not installed; with some files, the package comes with
/// its extra `ray`.
fn test_with(packages: &[&str], files: &[&str], options: &[String]) -> bool {
    let Some(python) = interpreter() else {
        eprintln!("error: there is no Python 3.10 or newer; the variable PYTHON can name one");
        return false;
    };
    let root = root();
    let package = root.join("crates").join("python");
    let environment = root.join("target").join("python-test");
    let bin = environment.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let wheels = root.join("target").join("wheels");
    let manifest = package.join("Cargo.toml");
    let step = |name: &str, command: &mut Command| {
        eprintln!("── {name}");
        let begun = Instant::now();
        let is_ok = succeeds(command);
        let verdict = if is_ok { "ok" } else { "FAILED" };
        eprintln!("── {name} {verdict}, {:.0} s", begun.elapsed().as_secs_f64());
        is_ok
    };
    // The version changes too rarely to distinguish an old wheel from a new one.
    let _ = fs::remove_dir_all(&wheels);
    let pip = |arguments: &[&str]| {
        let mut command = Command::new(bin.join("python"));
        command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
        command.args(arguments);
        command
    };
    let mut format = cargo_command();
    format.args(["fmt", "--check", "--manifest-path"]).arg(&manifest);
    let mut lints = cargo_command();
    lints.args(["clippy", "--release", "--locked", "--manifest-path"]).arg(&manifest);
    lints.args(["--", "-D", "warnings"]);
    let mut wheel = Command::new(bin.join("maturin"));
    wheel.args(["build", "--release", "--locked", "--manifest-path"]).arg(&manifest);
    wheel.arg("--out").arg(&wheels);
    let is_built = step("format", &mut format)
        && step("lints", &mut lints)
        && step("virtual environment", Command::new(python).args(["-m", "venv"]).arg(&environment))
        && step("packages", &mut pip(packages))
        && step("wheel", &mut wheel);
    let Some(wheel) = is_built.then(|| only_file(&wheels)).flatten() else { return false };
    let extra = files.is_empty() || {
        let mut with_ray = wheel.clone().into_os_string();
        with_ray.push("[ray]");
        step("Ray", pip(&[]).arg(with_ray))
    };
    let mut tests = Command::new(bin.join("python"));
    tests.args(["-m", "pytest", "--quiet"]).args(options).current_dir(&package);
    match files {
        [] => tests.arg(package.join("tests")),
        files => tests.args(files),
    };
    extra
        && step("install", pip(&["--force-reinstall", "--no-deps"]).arg(&wheel))
        && step("tests", &mut tests)
}

/// A virtual environment with some packages: its Python.
///
/// # Errors
///
/// If it cannot be made, in words.
#[cfg(unix)]
pub(crate) fn environment(folder: &Path, packages: &[&str]) -> Result<PathBuf, String> {
    let python = interpreter().ok_or("there is no Python 3.10 or newer; PYTHON can name one")?;
    let inside = folder.join("bin").join("python");
    let is_made = succeeds(Command::new(python).args(["-m", "venv"]).arg(folder))
        && succeeds(
            Command::new(&inside)
                .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
                .args(packages),
        );
    is_made.then_some(inside).ok_or_else(|| format!("no environment with {}", packages.join(", ")))
}

fn only_file(folder: &Path) -> Option<PathBuf> {
    Some(fs::read_dir(folder).ok()?.next()?.ok()?.path())
}
