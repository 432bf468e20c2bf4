//! How much memory this process may use, and whether a limit on memory can be granted.
//!
//! A tree or table takes its memory bit by bit. A limit that the machine cannot grant would
//! therefore end the process long after the search has begun, so it is refused before.

use std::fmt;
use std::path::Path;

use treegraft::Budget;
use treegraft_players::{Player, Search};

/// Maximum memory of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryLimit {
    /// Bytes.
    pub bytes: u64,
    /// What sets the limit.
    pub source: MemorySource,
}

/// What limits the memory of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemorySource {
    /// The machine's physical memory.
    Machine,
    /// The control group of the process or one above it, as in containers and batch systems.
    ControlGroup,
    /// The limits of the process: `ulimit -v` and `ulimit -d`.
    Process,
}

/// More memory than this process may use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{asked} is requested, but {limit}; expected {expected}")]
pub struct MemoryError {
    /// How much, and for what.
    pub asked: String,
    /// The limit.
    pub limit: MemoryLimit,
    /// What would be right.
    pub expected: String,
}

impl fmt::Display for MemoryLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = size(self.bytes);
        match self.source {
            MemorySource::Machine => write!(f, "this machine has {bytes}"),
            MemorySource::ControlGroup => write!(f, "the control group may use {bytes}"),
            MemorySource::Process => write!(f, "the process may use {bytes} (ulimit)"),
        }
    }
}

impl MemoryLimit {
    /// The limit of this process; `None` where the system does not say (anywhere but on Linux).
    #[must_use]
    pub fn here() -> Option<MemoryLimit> {
        limit_below(Path::new("/"))
    }
}

/// Whether a search may use as much memory as its budget says.
///
/// A budget that says nothing is granted: [`DEFAULT_MEMORY`](treegraft::DEFAULT_MEMORY) is seldom
/// used up.
///
/// # Errors
///
/// If it is more than this process may use ([`MemoryLimit::here`]).
pub fn check_memory(budget: &Budget) -> Result<(), MemoryError> {
    let Some(bytes) = budget.memory else { return Ok(()) };
    let asked = || format!("{} of memory", size(bytes));
    refuse(bytes, MemoryLimit::here(), asked, || "a smaller limit".to_owned())
}

/// Whether `jobs` games at a time between two of these players may use as much memory as the budgets
/// say. Engines have their own.
///
/// # Errors
///
/// If it is more than this process may use.
pub fn check_memory_of_games<'a>(
    pairings: impl IntoIterator<Item = [&'a Player; 2]>,
    jobs: usize,
) -> Result<(), MemoryError> {
    let own = |player: &Player| match player.search {
        Search::Engine(_) => 0,
        _ => player.budget.memory.unwrap_or(0),
    };
    let both = |[a, b]: [&Player; 2]| own(a).saturating_add(own(b));
    let pair = pairings.into_iter().map(both).max().unwrap_or(0);
    if pair == 0 {
        return Ok(());
    }
    let jobs = jobs as u64;
    let limit = MemoryLimit::here();
    let asked = || match jobs {
        1 => format!("{} of memory for two players", size(pair)),
        _ => {
            let (all, pair) = (size(pair.saturating_mul(jobs)), size(pair));
            format!("{all} of memory ({jobs} games at a time, {pair} for the players of each)")
        }
    };
    let expected = || match limit.map_or(0, |limit| limit.bytes / pair) {
        0 => "smaller limits".to_owned(),
        most => format!("smaller limits, or --jobs {most} at most"),
    };
    refuse(pair.saturating_mul(jobs), limit, asked, expected)
}

fn refuse(
    bytes: u64,
    limit: Option<MemoryLimit>,
    asked: impl FnOnce() -> String,
    expected: impl FnOnce() -> String,
) -> Result<(), MemoryError> {
    match limit {
        Some(limit) if bytes > limit.bytes => {
            Err(MemoryError { asked: asked(), limit, expected: expected() })
        }
        _ => Ok(()),
    }
}

/// The smallest of all limits, read from the files that Linux has below the root.
fn limit_below(root: &Path) -> Option<MemoryLimit> {
    let machine = machine(root).map(|bytes| (bytes, MemorySource::Machine));
    let group = control_group(root).map(|bytes| (bytes, MemorySource::ControlGroup));
    let process = process(root).map(|bytes| (bytes, MemorySource::Process));
    let limits = [machine, group, process].into_iter().flatten();
    let (bytes, source) = limits.min_by_key(|&(bytes, _)| bytes)?;
    Some(MemoryLimit { bytes, source })
}

fn read(path: impl AsRef<Path>) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

/// `MemTotal:  24587236 kB`.
fn machine(root: &Path) -> Option<u64> {
    let text = read(root.join("proc/meminfo"))?;
    let total = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    total.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// The least of the limits on address space and data.
fn process(root: &Path) -> Option<u64> {
    let text = read(root.join("proc/self/limits"))?;
    let limit = |name: &str| -> Option<u64> {
        let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
        rest.split_whitespace().next()?.parse().ok()
    };
    ["Max address space", "Max data size"].into_iter().filter_map(limit).min()
}

/// The least of the limits of the own control group and of those above it, in version 2 of control
/// groups and in version 1. In a container, the own group is the root of what is mounted.
fn control_group(root: &Path) -> Option<u64> {
    let groups = read(root.join("proc/self/cgroup"))?;
    let mut limits = Vec::new();
    for line in groups.lines() {
        // number:controllers:path
        let mut parts = line.splitn(3, ':');
        let (Some(_), Some(controllers), Some(path)) = (parts.next(), parts.next(), parts.next())
        else {
            continue;
        };
        let (mounts, file): (&[&str], _) = if controllers.is_empty() {
            (&["sys/fs/cgroup", "sys/fs/cgroup/unified"], "memory.max")
        } else if controllers.split(',').any(|name| name == "memory") {
            (&["sys/fs/cgroup/memory"], "memory.limit_in_bytes")
        } else {
            continue;
        };
        let path = Path::new(path.trim_start_matches('/'));
        for mount in mounts.iter().map(|mount| root.join(mount)) {
            let texts = path.ancestors().filter_map(|group| read(mount.join(group).join(file)));
            // `max` is no number. Version 1 writes a huge one instead, which limits nothing.
            limits.extend(texts.filter_map(|text| text.trim().parse::<u64>().ok()));
        }
    }
    limits.into_iter().min()
}

/// "23.4 GiB".
fn size(bytes: u64) -> String {
    let units = [(1u64 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match units.into_iter().find(|&(unit, _)| bytes >= unit) {
        Some((unit, name)) => format!("{:.1} {name}", bytes as f64 / unit as f64),
        None => format!("{bytes} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A root with these files.
    struct Files(std::path::PathBuf);

    impl Files {
        fn new(name: &str, files: &[(&str, &str)]) -> Files {
            let id = std::process::id();
            let root = std::env::temp_dir().join(format!("treegraft-memory-{name}-{id}"));
            for (path, text) in files {
                let path = root.join(path);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, text).unwrap();
            }
            Files(root)
        }

        fn limit(&self) -> Option<(u64, MemorySource)> {
            limit_below(&self.0).map(|limit| (limit.bytes, limit.source))
        }
    }

    impl Drop for Files {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    const MEMORY: (&str, &str) = ("proc/meminfo", "MemTotal:       2048 kB\nMemFree: 7 kB\n");

    #[test]
    fn the_smallest_limit_counts() {
        assert_eq!(Files::new("none", &[("proc/x", "")]).limit(), None);
        let machine = Files::new("machine", &[MEMORY]);
        assert_eq!(machine.limit(), Some((2 << 20, MemorySource::Machine)));
        let limits = "Limit  Soft  Hard  Units\n\
                      Max data size             unlimited            unlimited            bytes\n\
                      Max address space         5000                 unlimited            bytes\n";
        let process = Files::new("process", &[MEMORY, ("proc/self/limits", limits)]);
        assert_eq!(process.limit(), Some((5000, MemorySource::Process)));
    }

    #[test]
    fn groups_above_the_own_one_count() {
        let second = Files::new(
            "second",
            &[
                MEMORY,
                ("proc/self/cgroup", "0::/user/job/step\n"),
                ("sys/fs/cgroup/user/job/step/memory.max", "max\n"),
                ("sys/fs/cgroup/user/job/memory.max", "9000\n"),
                ("sys/fs/cgroup/user/memory.max", "10000\n"),
            ],
        );
        assert_eq!(second.limit(), Some((9000, MemorySource::ControlGroup)));
        let first = Files::new(
            "first",
            &[
                MEMORY,
                ("proc/self/cgroup", "5:cpu,memory:/job\n1:pids:/\n0::/\n"),
                ("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "9223372036854771712\n"),
                ("sys/fs/cgroup/memory/memory.limit_in_bytes", "8000\n"),
            ],
        );
        assert_eq!(first.limit(), Some((8000, MemorySource::ControlGroup)));
        // The path is that outside of the container, what is mounted is the own group.
        let container = Files::new(
            "container",
            &[
                MEMORY,
                ("proc/self/cgroup", "0::/docker/abc\n"),
                ("sys/fs/cgroup/memory.max", "7000"),
            ],
        );
        assert_eq!(container.limit(), Some((7000, MemorySource::ControlGroup)));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_cannot_be_granted_is_refused() {
        let budget = |bytes| Budget { memory: Some(bytes), ..Budget::default() };
        let here = MemoryLimit::here().expect("Linux says");
        assert_eq!(check_memory(&budget(here.bytes)), Ok(()));
        let error = check_memory(&budget(u64::MAX)).unwrap_err().to_string();
        assert!(error.starts_with("16777216.0 TiB of memory is requested, but "), "{error}");
        assert_eq!(check_memory(&Budget::default()), Ok(()));
        let player = |text: &str| treegraft_players::Registry::standard().player(text).unwrap();
        let half = player(&format!("ab@{}KiB", here.bytes / 2 / 1024));
        let [small, engine] = [player("mcts@1KiB"), player("engine:cat@1000GiB")];
        assert_eq!(check_memory_of_games([[&half, &engine], [&small, &small]], 1), Ok(()));
        assert_eq!(check_memory_of_games([[&half, &half]], 1), Ok(()));
        let error = check_memory_of_games([[&half, &small]], 2).unwrap_err().to_string();
        assert!(
            error.contains("(2 games at a time, ") && error.contains("or --jobs 1 at most"),
            "{error}"
        );
    }
}
