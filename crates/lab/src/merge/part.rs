//! Reading the files that are merged.

use std::path::Path;

use crate::game_file::GameFile;
use crate::store::{Cast, Session, StoreError, StoredGame, Thoughts, last_experiment};
use crate::workers::processors;

/// Parts that are read at the same time: their games are in memory meanwhile.
pub(super) fn readers() -> usize {
    processors().min(8)
}

/// What `work` makes of each of a few items, in a thread for each.
pub(super) fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    if let [item] = items {
        return vec![work(item)];
    }
    std::thread::scope(|scope| {
        let threads: Vec<_> = items.iter().map(|item| scope.spawn(|| work(item))).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, R>| match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        threads.into_iter().map(join).collect()
    })
}

/// What has to be known of a file before anything is written.
pub(super) struct Looked {
    pub(super) is_ledger: bool,
    /// The text of the experiment.
    pub(super) text: String,
    pub(super) sessions: Vec<(i64, Session)>,
    pub(super) casts: Vec<Cast>,
    pub(super) games: Vec<StoredGame>,
    /// How many shards there are, if the file says so.
    pub(super) shards: Option<u32>,
}

impl Looked {
    /// Fails if the file is not as it was written.
    pub(super) fn at(file: &GameFile, path: &Path) -> Result<Looked, StoreError> {
        let (report, games) = file.checked_games();
        if let Some(problem) = report.problems.into_iter().next() {
            return Err(StoreError::Damaged { path: path.to_owned(), problem });
        }
        let casts = file.casts()?;
        let sessions = sessions(file)?;
        let text = last_experiment(&sessions).map_or_else(|| file.experiment(), Ok)?;
        let is_ledger = matches!(file, GameFile::Ledger(_));
        Ok(Looked { is_ledger, text, sessions, casts, games, shards: file.shards()? })
    }
}

/// Everything in a part.
pub(super) struct Contents {
    pub(super) games: Vec<StoredGame>,
    pub(super) thoughts: Thoughts,
    pub(super) sessions: Vec<(i64, Session)>,
}

impl Contents {
    /// Reads a part, with or without its games.
    pub(super) fn read(part: &Path, has_games: bool) -> Result<Contents, StoreError> {
        let file = GameFile::open(part)?;
        // The games first: a run that writes may begin another session in between.
        let games = if has_games { Vec::new() } else { file.games()? };
        let thoughts = file.thoughts()?;
        Ok(Contents { games, thoughts, sessions: sessions(&file)? })
    }
}

/// Whether the content of a file is the problem.
pub(super) fn is_damage(error: &StoreError) -> bool {
    match error {
        StoreError::Damaged { .. } | StoreError::DamagedLedger { .. } => true,
        StoreError::NotAStore { content, .. } => !content.is_something_else(),
        // What SQLite cannot make sense of, if the system lets it read the file.
        StoreError::Sqlite { path, .. } => std::fs::File::open(path).is_ok(),
        _ => false,
    }
}

/// Who played, each with the text of the experiment: a ledger has it once for all.
fn sessions(file: &GameFile) -> Result<Vec<(i64, Session)>, StoreError> {
    let mut sessions = file.sessions()?;
    if let GameFile::Ledger(ledger) = file {
        for (_, session) in &mut sessions {
            session.experiment.clone_from(&ledger.experiment);
        }
    }
    Ok(sessions)
}
