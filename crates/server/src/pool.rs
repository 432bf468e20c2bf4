//! Threads that answer requests, so that the thread of the server only passes on what they made.
//!
//! Requests wait in three lanes with threads of their own: those that should take a millisecond, those
//! that are long, and those that read files. In each lane, visitors take turns. A visitor whose quick
//! requests are not quick has used up its allowance, and waits among the long ones.

use std::collections::HashMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use tokio::sync::oneshot;

use crate::answer::{Refusal, failed};
use crate::round_robin::RoundRobin;
use crate::visitor::Visitor;

/// Requests of a visitor that wait in a lane; further ones are refused.
const WAITING: usize = 32;
/// As much as a program has for its main thread. Nothing here is as deep as a search.
const STACK_BYTES: usize = 8 << 20;
/// When somebody whose queue is full should come again.
const COME_AGAIN: Duration = Duration::from_secs(2);
/// Processor time of quick threads that a visitor may have at once…
const ALLOWANCE: Duration = Duration::from_millis(20);
/// … and what part of the time that passes is added to it.
const REFILL: f64 = 0.25;

/// How long a request is expected to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    /// About a millisecond.
    Quick,
    /// As long as a player's text can make it.
    Long,
    /// As long as a file can make it.
    Reading,
}

impl Lane {
    const ALL: [Lane; 3] = [Lane::Quick, Lane::Long, Lane::Reading];

    /// Its threads. Few are long: they take the processor from those who are quick.
    const fn threads(self) -> usize {
        match self {
            Lane::Quick => 4,
            Lane::Long => 2,
            Lane::Reading => 3,
        }
    }

    /// How many of them may work for the same visitor.
    const fn at_once(self) -> usize {
        self.threads() / 2
    }
}

type Task = Box<dyn FnOnce() + Send>;

/// Threads and what waits for them.
#[derive(Default)]
pub(crate) struct Pool {
    lanes: [Queue; 3],
    /// Quick time that visitors have used and not yet got back.
    spent: Mutex<HashMap<Visitor, Spent>>,
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool").finish_non_exhaustive()
    }
}

#[derive(Default)]
struct Queue {
    state: Mutex<Waiting>,
    woken: Condvar,
}

#[derive(Default)]
struct Waiting {
    tasks: RoundRobin<Task>,
    running: HashMap<Visitor, usize>,
}

#[derive(Clone, Copy)]
struct Spent {
    time: Duration,
    at: Instant,
}

impl Spent {
    /// What is left of it now.
    fn now(self) -> Duration {
        self.time.saturating_sub(self.at.elapsed().mul_f64(REFILL))
    }
}

/// A lock; nothing that is done under one can panic half-way.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pool {
    /// Starts the threads, which end with the process.
    pub(crate) fn start(self: &Arc<Pool>) -> io::Result<()> {
        for lane in Lane::ALL {
            for _ in 0..lane.threads() {
                let pool = Arc::clone(self);
                let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
                thread.spawn(move || pool.work(lane))?;
            }
        }
        Ok(())
    }

    /// Does something for a visitor on one of the threads, unless the visitor has left before.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        visitor: Visitor,
        lane: Lane,
        work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let (sender, answer) = oneshot::channel();
        let task = Box::new(move || {
            if !sender.is_closed() {
                drop(sender.send(work()));
            }
        });
        self.push(visitor, self.lane_for(visitor, lane), task)?;
        answer.await.unwrap_or_else(|_| Err(failed("it failed: the terminal says why")))
    }

    fn push(&self, visitor: Visitor, lane: Lane, task: Task) -> Result<(), Refusal> {
        let queue = &self.lanes[lane as usize];
        lock(&queue.state)
            .tasks
            .push(visitor, task, WAITING)
            .map_err(|_| Refusal::busy("too many requests at once;", COME_AGAIN))?;
        queue.woken.notify_one();
        Ok(())
    }

    /// The lane in which a request waits.
    fn lane_for(&self, visitor: Visitor, lane: Lane) -> Lane {
        let spent = || lock(&self.spent).get(&visitor).map(|spent| spent.now());
        let is_spent = lane == Lane::Quick && spent().is_some_and(|spent| spent > ALLOWANCE);
        if is_spent { Lane::Long } else { lane }
    }

    fn work(&self, lane: Lane) {
        let queue = &self.lanes[lane as usize];
        loop {
            let (visitor, task) = queue.take(lane.at_once());
            let begin = ThreadTime::now();
            // A panic is told by the terminal; the thread has others to serve.
            let _ = catch_unwind(AssertUnwindSafe(task));
            if lane == Lane::Quick {
                self.charge(visitor, begin.elapsed());
            }
            queue.finish(visitor);
        }
    }

    fn charge(&self, visitor: Visitor, time: Duration) {
        let mut all = lock(&self.spent);
        let before = all.get(&visitor).map_or(Duration::ZERO, |spent| spent.now());
        all.retain(|_, spent| !spent.now().is_zero());
        all.insert(visitor, Spent { time: before + time, at: Instant::now() });
    }
}

impl Queue {
    /// Waits for a task of a visitor who does not keep too many threads already.
    fn take(&self, most: usize) -> (Visitor, Task) {
        let mut state = lock(&self.state);
        loop {
            let Waiting { tasks, running } = &mut *state;
            let may = |visitor| running.get(&visitor).is_none_or(|&threads| threads < most);
            if let Some((visitor, task)) = tasks.next(may) {
                *running.entry(visitor).or_default() += 1;
                return (visitor, task);
            }
            state = self.woken.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn finish(&self, visitor: Visitor) {
        let mut state = lock(&self.state);
        if let Some(threads) = state.running.get_mut(&visitor) {
            *threads -= 1;
            if *threads == 0 {
                state.running.remove(&visitor);
            }
        }
        // What waited because of this task is taken by this thread, which looks again.
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool() -> Arc<Pool> {
        let pool = Arc::new(Pool::default());
        pool.start().expect("threads");
        pool
    }

    fn wait<T>(future: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().build().expect("a runtime").block_on(future)
    }

    #[test]
    fn one_visitor_never_has_all_threads_and_a_full_queue_is_its_own() {
        let pool = pool();
        let [busy, other] = [1, 2].map(Visitor::number);
        let (end, ended) = std::sync::mpsc::channel::<()>();
        let ended = Arc::new(Mutex::new(ended));
        let block = || {
            let ended = Arc::clone(&ended);
            Box::new(move || {
                let _ = lock(&ended).recv();
            }) as Task
        };
        // Those that run, and as many as may wait.
        let pushed = (0..100).map(|_| pool.push(busy, Lane::Long, block()));
        let refused = pushed.filter(Result::is_err).count();
        let most = Lane::Long.at_once();
        assert!((100 - WAITING - most..=100 - WAITING).contains(&refused), "{refused}");
        assert_eq!(wait(pool.run(other, Lane::Long, || Ok(7))).ok(), Some(7));
        assert_eq!(wait(pool.run(busy, Lane::Quick, || Ok(8))).ok(), Some(8));
        drop(end);
        // Once they are through, there is room again.
        let begin = Instant::now();
        while wait(pool.run(busy, Lane::Long, || Ok(9))).is_err() {
            assert!(begin.elapsed() < Duration::from_secs(5));
        }
    }

    #[test]
    fn a_panic_is_an_error_and_takes_no_thread() {
        let pool = pool();
        let visitor = Visitor::number(1);
        for _ in 0..3 * Lane::Reading.threads() {
            let failed = wait(pool.run(visitor, Lane::Reading, || -> Result<(), Refusal> {
                // Without a message that looks like a failure of the test.
                std::panic::resume_unwind(Box::new(()))
            }));
            assert!(failed.is_err());
        }
        assert_eq!(wait(pool.run(visitor, Lane::Reading, || Ok(7))).ok(), Some(7));
    }

    #[test]
    fn whoever_is_not_quick_waits_among_the_long_ones() {
        let pool = pool();
        let [slow, other] = [1, 2].map(Visitor::number);
        let work = || {
            let begin = ThreadTime::now();
            while begin.elapsed() < 2 * ALLOWANCE {}
            Ok(())
        };
        assert_eq!(pool.lane_for(slow, Lane::Quick), Lane::Quick);
        wait(pool.run(slow, Lane::Quick, work)).expect("an answer");
        // It is charged right after the answer.
        let begin = Instant::now();
        while pool.lane_for(slow, Lane::Quick) == Lane::Quick {
            assert!(begin.elapsed() < Duration::from_secs(5), "it is not charged");
        }
        assert_eq!(pool.lane_for(slow, Lane::Reading), Lane::Reading);
        assert_eq!(pool.lane_for(other, Lane::Quick), Lane::Quick);
        std::thread::sleep((2 * ALLOWANCE).div_f64(REFILL));
        assert_eq!(pool.lane_for(slow, Lane::Quick), Lane::Quick);
    }
}
