//! How to look on at a study, and how to end it before its time.

use std::sync::atomic::{AtomicBool, Ordering};

use treegraft_lab::{ThreadsError, Workers};

/// How to look on, and how to end a study before its time.
#[derive(Clone, Copy, Default)]
pub struct Watch<'a> {
    /// Called with how much is done: games, trees, positions, or choices of players.
    pub progress: Option<&'a (dyn Fn(u64) + Sync)>,
    /// Set from another thread to end soon; what is not finished does not count.
    pub cancel: Option<&'a AtomicBool>,
}

impl Watch<'_> {
    pub(crate) fn tell(&self, done: u64) {
        if let Some(progress) = self.progress {
            progress(done);
        }
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        is_set(self.cancel)
    }

    /// Does every task on `jobs` threads; 0: one per processor. Each thread begins with what `begin`
    /// returns. `take` gets each result as it comes, and returns how much is done.
    ///
    /// # Errors
    ///
    /// If no thread can be started, or the first error of `work` or `take`; then the rest is not done.
    pub(crate) fn run<T: Sync, S, R: Send, E: From<ThreadsError> + Send>(
        &self,
        jobs: usize,
        tasks: &[T],
        begin: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, &T) -> Result<Option<R>, E> + Sync,
        mut take: impl FnMut(R) -> Result<u64, E>,
    ) -> Result<(), E> {
        let halt = AtomicBool::new(false);
        let workers = Workers { jobs, cancel: self.cancel, halt: &halt };
        workers.run(tasks, begin, work, &mut |results| {
            for result in results {
                if let Some(found) = result? {
                    self.tell(take(found)?);
                }
            }
            Ok(())
        })
    }

    /// The same; returns what is found in the order of the tasks.
    pub(crate) fn collect<T: Sync, S, R: Send, E: From<ThreadsError> + Send>(
        &self,
        jobs: usize,
        tasks: &[T],
        begin: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, &T) -> Result<Option<R>, E> + Sync,
    ) -> Result<Vec<R>, E> {
        let numbered: Vec<(usize, &T)> = tasks.iter().enumerate().collect();
        let mut all = Vec::with_capacity(tasks.len());
        let work = |state: &mut S, &(number, task): &(usize, &T)| {
            work(state, task).map(|found| found.map(|found| (number, found)))
        };
        self.run(jobs, &numbered, begin, work, |found| {
            all.push(found);
            Ok(all.len() as u64)
        })?;
        all.sort_unstable_by_key(|&(number, _)| number);
        Ok(all.into_iter().map(|(_, found)| found).collect())
    }
}

/// Whether the flag is there and set.
pub(crate) fn is_set(cancel: Option<&AtomicBool>) -> bool {
    cancel.is_some_and(|flag| flag.load(Ordering::Relaxed))
}
