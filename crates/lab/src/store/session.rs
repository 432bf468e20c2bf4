//! Who played: the program and the machine of a run.

use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::Connection;
use serde::{Deserialize, Serialize};

use super::record::{Record, record};

/// One run that wrote to a store: what played its games, and where.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Session {
    /// When it began, in milliseconds since 1970.
    pub started_ms: u64,
    /// The number of the process.
    pub process: u32,
    /// The program's version.
    pub version: String,
    /// The revision of the program's source; empty if it is not known.
    pub revision: String,
    /// The signatures of the searches that played: see [`Signatures`](crate::Signatures).
    pub signature: String,
    /// The processor's name; empty if it is not known.
    pub cpu: String,
    /// Processors that the program may use.
    pub cores: u32,
    /// The operating system.
    pub os: String,
    /// The processor's kind.
    pub arch: String,
    /// How many pairs were played at once.
    pub jobs: u32,
    /// The text of the experiment.
    pub experiment: String,
}

record! {
    Session, "sessions", "";
    started_ms INTEGER whole(started_ms),
    process INTEGER whole(process),
    version TEXT text(version),
    revision TEXT text(revision),
    signature TEXT text(signature),
    cpu TEXT text(cpu),
    cores INTEGER whole(cores),
    os TEXT text(os),
    arch TEXT text(arch),
    jobs INTEGER whole(jobs),
    experiment TEXT text(experiment),
}

impl Session {
    /// A session of this program, on this machine, that begins now. `signature` holds the
    /// signatures of its searches; only the program itself knows its revision.
    #[must_use]
    pub fn here(jobs: usize, experiment: &str, signature: String) -> Session {
        let whole = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Session {
            started_ms: now_ms(),
            process: std::process::id(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            revision: String::new(),
            signature,
            cpu: cpu(),
            cores: std::thread::available_parallelism().map_or(1, |cores| whole(cores.get())),
            os: std::env::consts::OS.to_owned(),
            arch: std::env::consts::ARCH.to_owned(),
            jobs: whole(jobs),
            experiment: experiment.to_owned(),
        }
    }
}

/// Writes a session; returns its number.
pub(crate) fn insert(connection: &Connection, session: &Session) -> rusqlite::Result<i64> {
    session.add_to(connection)?;
    Ok(connection.last_insert_rowid())
}

/// The text of the experiment that was played last, if it is known: a plan that was extended has all
/// the pairs.
pub(crate) fn last_experiment(sessions: &[(i64, Session)]) -> Option<String> {
    let (_, last) = sessions.last()?;
    (!last.experiment.is_empty()).then(|| last.experiment.clone())
}

/// Milliseconds since 1970.
pub(crate) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// The processor's name, from a file or a variable of the system.
fn cpu() -> String {
    let from_linux = || {
        let info = std::fs::read_to_string("/proc/cpuinfo").ok()?;
        let line = info.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    from_linux().or_else(|| std::env::var("PROCESSOR_IDENTIFIER").ok()).unwrap_or_default()
}
