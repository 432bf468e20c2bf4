//! Who may search: a limited number at once, shared among visitors.
//!
//! A visitor may start another search while more are free than it has. Of six, the first visitor gets
//! three, the next one two, and the third one the last, so that nobody can have them all. Others wait
//! for a moment, in turn.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::answer::Refusal;
use crate::pool::lock;
use crate::round_robin::RoundRobin;
use crate::visitor::Visitor;

/// Maximum time for which a request waits for a permit: longer than it takes to notice that a client
/// has left.
const PATIENCE: Duration = Duration::from_secs(3);
/// Requests of a visitor that wait for a permit.
const WAITING: usize = 4;
/// When somebody who got none should come again.
const COME_AGAIN: Duration = Duration::from_secs(5);

/// Permits of which a limited number is given at once.
#[derive(Debug)]
pub(crate) struct Permits {
    /// What there are too many of, in a refusal.
    what: &'static str,
    state: Mutex<Queue>,
}

#[derive(Debug)]
struct Queue {
    shares: Shares,
    waiting: RoundRobin<oneshot::Sender<Permit>>,
}

/// How much of something each visitor has.
#[derive(Debug)]
pub(crate) struct Shares {
    most: usize,
    held: HashMap<Visitor, usize>,
}

impl Shares {
    pub(crate) fn new(most: usize) -> Shares {
        Shares { most, held: HashMap::new() }
    }

    /// Whether a visitor may have another one.
    pub(crate) fn may(&self, visitor: Visitor) -> bool {
        let free = self.most - self.held.values().sum::<usize>();
        self.held.get(&visitor).copied().unwrap_or(0) < free
    }

    pub(crate) fn add(&mut self, visitor: Visitor) {
        *self.held.entry(visitor).or_default() += 1;
    }

    pub(crate) fn remove(&mut self, visitor: Visitor) {
        if let Some(held) = self.held.get_mut(&visitor) {
            *held -= 1;
            if *held == 0 {
                self.held.remove(&visitor);
            }
        }
    }
}

/// Permission to work, until it is dropped.
#[derive(Debug)]
pub(crate) struct Permit {
    permits: Arc<Permits>,
    visitor: Visitor,
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.permits.give_back(self.visitor);
    }
}

impl Permits {
    pub(crate) fn new(most: usize, what: &'static str) -> Arc<Permits> {
        let queue = Queue { shares: Shares::new(most), waiting: RoundRobin::default() };
        Arc::new(Permits { what, state: Mutex::new(queue) })
    }

    /// A permit, as soon as it is the turn of this visitor.
    pub(crate) async fn take(self: &Arc<Permits>, visitor: Visitor) -> Result<Permit, Refusal> {
        let too_many = || {
            let what = self.what;
            Refusal::busy(&format!("too many {what} at once; stop one, or"), COME_AGAIN)
        };
        let (sender, receiver) = oneshot::channel();
        let pushed = lock(&self.state).waiting.push(visitor, sender, WAITING);
        pushed.map_err(|_| too_many())?;
        self.hand_out();
        match timeout(PATIENCE, receiver).await {
            Ok(Ok(permit)) => Ok(permit),
            _ => Err(too_many()),
        }
    }

    /// Gives permits to those who wait, in turn.
    fn hand_out(self: &Arc<Permits>) {
        loop {
            let mut state = lock(&self.state);
            let Queue { shares, waiting } = &mut *state;
            waiting.retain(|sender| !sender.is_closed());
            let Some((visitor, sender)) = waiting.next(|visitor| shares.may(visitor)) else {
                return;
            };
            shares.add(visitor);
            drop(state);
            // Whoever has left in this moment drops the permit, which takes the lock.
            let permit = Permit { permits: Arc::clone(self), visitor };
            drop(sender.send(permit));
        }
    }

    fn give_back(self: &Arc<Permits>, visitor: Visitor) {
        lock(&self.state).shares.remove(visitor);
        self.hand_out();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    fn wait<T>(future: impl Future<Output = T>) -> T {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        runtime.enable_time().build().expect("a runtime").block_on(future)
    }

    #[test]
    fn nobody_gets_all_and_whoever_has_fewer_is_next() {
        wait(async {
            let permits = Permits::new(6, "searches");
            let visitors = [1, 2, 3, 4].map(Visitor::number);
            let mut held = [const { Vec::new() }; 4];
            for (number, most) in [3, 2, 1, 0].into_iter().enumerate() {
                for _ in 0..most {
                    let permit = permits.take(visitors[number]).await;
                    held[number].push(permit.expect("a permit"));
                }
            }
            // The first visitor waits first, but has no right to more; the last one has.
            let moment = Duration::from_millis(100);
            let (more, first, ()) = tokio::join!(
                timeout(moment, permits.take(visitors[0])),
                permits.take(visitors[3]),
                async { drop(held[0].pop()) }
            );
            assert!(more.is_err() && first.is_ok());
        });
    }

    #[test]
    fn those_who_left_are_not_waited_for() {
        wait(async {
            let permits = Permits::new(1, "searches");
            let [a, b, c] = [1, 2, 3].map(Visitor::number);
            let first = permits.take(a).await.expect("a permit");
            let moment = Duration::from_millis(20);
            assert!(timeout(moment, permits.take(b)).await.is_err(), "there is none");
            let begin = Instant::now();
            let (taken, ()) = tokio::join!(permits.take(c), async { drop(first) });
            assert!(taken.is_ok() && begin.elapsed() < Duration::from_secs(1));
        });
    }
}
