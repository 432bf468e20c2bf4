//! The one pool of threads: work in order, results as they come.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// Threads that could not be started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot start {jobs} threads: {problem}")]
pub struct ThreadsError {
    /// The requested number.
    pub jobs: usize,
    /// What the system said.
    pub problem: String,
}

/// Processors that the program may use.
#[must_use]
pub fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// How many threads, and what ends them early.
#[derive(Clone, Copy)]
pub struct Workers<'a> {
    /// Threads; 0: as many as there are processors.
    pub jobs: usize,
    /// Set from another thread by the caller, to cancel the work.
    pub cancel: Option<&'a AtomicBool>,
    /// Set to end all threads soon: by `cancel`, by a thread, or when a result cannot be taken.
    pub halt: &'a AtomicBool,
}

impl Workers<'_> {
    /// Does every task, the first ones first. Each thread begins with what `begin` makes and keeps
    /// it; `take` is called on this thread, with all results that have come together since the last
    /// call.
    ///
    /// # Errors
    ///
    /// If no thread can be started, or `take` fails; then the rest is not done.
    pub fn run<T, S, R, E>(
        &self,
        tasks: &[T],
        begin: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, &T) -> R + Sync,
        take: &mut dyn FnMut(Vec<R>) -> Result<(), E>,
    ) -> Result<(), E>
    where
        T: Sync,
        R: Send,
        E: From<ThreadsError>,
    {
        // Depth-first searches recurse: as much stack as a main thread has.
        const STACK_BYTES: usize = 8 << 20;
        /// How long a wish to end may go unnoticed.
        const GLANCE: Duration = Duration::from_millis(20);
        let jobs = if self.jobs == 0 { processors() } else { self.jobs };
        let next = AtomicUsize::new(0);
        thread::scope(|scope| {
            // Threads wait if results are not taken as fast as they come.
            let (sender, results) = mpsc::sync_channel(16 + 4 * jobs);
            for _ in 0..jobs.min(tasks.len()) {
                let (sender, next, begin, work, halt) =
                    (sender.clone(), &next, &begin, &work, self.halt);
                let run = move || {
                    let mut state = begin();
                    while !halt.load(Ordering::Relaxed) {
                        let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) else {
                            break;
                        };
                        // The receiver is gone once taking has failed.
                        if sender.send(work(&mut state, task)).is_err() {
                            break;
                        }
                    }
                };
                let thread = thread::Builder::new().stack_size(STACK_BYTES);
                if let Err(error) = thread.spawn_scoped(scope, run) {
                    self.halt.store(true, Ordering::Relaxed);
                    return Err(ThreadsError { jobs, problem: error.to_string() }.into());
                }
            }
            drop(sender);
            loop {
                if self.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                    self.halt.store(true, Ordering::Relaxed);
                }
                let first = match results.recv_timeout(GLANCE) {
                    Ok(first) => first,
                    Err(RecvTimeoutError::Timeout) => continue,
                    Err(RecvTimeoutError::Disconnected) => return Ok(()),
                };
                let together = std::iter::once(first).chain(results.try_iter()).collect();
                if let Err(error) = take(together) {
                    self.halt.store(true, Ordering::Relaxed);
                    return Err(error);
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(jobs: usize, tasks: &[u64]) -> Vec<u64> {
        let halt = AtomicBool::new(false);
        let mut found = Vec::new();
        let result = Workers { jobs, cancel: None, halt: &halt }.run(
            tasks,
            || (),
            |(), n| n * n,
            &mut |squares| {
                found.extend(squares);
                Ok::<(), ThreadsError>(())
            },
        );
        assert_eq!(result, Ok(()));
        found.sort_unstable();
        found
    }

    #[test]
    fn every_task_is_done_once() {
        let tasks: Vec<u64> = (0..1000).collect();
        let expected: Vec<u64> = tasks.iter().map(|n| n * n).collect();
        for jobs in [0, 1, 3] {
            assert_eq!(squares(jobs, &tasks), expected);
        }
        assert_eq!(squares(2, &[]), [0u64; 0]);
    }

    #[test]
    fn what_cannot_be_taken_ends_the_work() {
        let halt = AtomicBool::new(false);
        let done = AtomicUsize::new(0);
        let failed = ThreadsError { jobs: 0, problem: "full".to_owned() };
        let result = Workers { jobs: 2, cancel: None, halt: &halt }.run(
            &[(); 100_000],
            || (),
            |(), ()| done.fetch_add(1, Ordering::Relaxed),
            &mut |_| Err(failed.clone()),
        );
        assert_eq!(result, Err(failed));
        assert!(done.into_inner() < 1000);
    }
}
