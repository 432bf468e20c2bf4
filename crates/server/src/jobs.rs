//! Work that takes time: on a thread of its own, a limited number at once, and only while a client waits.

use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream;
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout_at};

use crate::State;
use crate::answer::{Answer, Refusal, failed};
use crate::permits::{Permit, Permits};
use crate::visitor::Visitor;

/// Maximum number of searches at once.
const SEARCHES: usize = 6;
/// Maximum number of experiments that are watched at once.
const WATCHERS: usize = 8;
/// Streams at once, each of which may be making JSON.
pub(crate) const STREAMS: usize = SEARCHES + WATCHERS;
/// Maximum time of a search.
pub(crate) const MAX_TIME: Duration = Duration::from_secs(600);
/// Maximum time of work that is answered at once: a connection must not be idle for longer.
pub(crate) const MAX_WAITING: Duration = Duration::from_secs(25);
/// Maximum memory of a search.
pub(crate) const MAX_MEMORY: u64 = 512 << 20;
/// Large enough for the deepest search.
const STACK_BYTES: usize = 64 << 20;
/// How often a stream says that it is alive, which is also how soon a client that left is noticed.
const ALIVE_EVERY: Duration = Duration::from_millis(500);

/// How often somebody who rests looks whether the client is still there.
const MOMENT: Duration = Duration::from_millis(20);

/// How many may still work.
#[derive(Debug)]
pub(crate) struct Jobs {
    searches: Arc<Permits>,
    watchers: Arc<Permits>,
}

/// What a search does, whose client waits for the answer.
pub(crate) type Think = Box<dyn FnOnce(&State, &AtomicBool) -> Answer + Send>;
/// What is told as it goes.
pub(crate) type Tell = Box<dyn FnOnce(&State, &Out) -> Result<(), Refusal> + Send>;

/// Ends the work when it is dropped: the client has left, or has its answer.
struct Leash(Arc<AtomicBool>);

impl Drop for Leash {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// What happened, by its name. The JSON is made where it is sent: a search has better things to do.
pub(crate) type Happened = (&'static str, Box<dyn FnOnce() -> Value + Send>);

/// Where a job sends its events.
pub(crate) struct Out {
    sender: mpsc::Sender<Happened>,
    pub(crate) cancel: Arc<AtomicBool>,
}

impl Out {
    /// For tests: where events go to, and where they arrive.
    #[cfg(test)]
    pub(crate) fn heard() -> (Out, mpsc::Receiver<Happened>) {
        let (sender, receiver) = mpsc::channel(2);
        (Out { sender, cancel: Arc::default() }, receiver)
    }

    /// Sends an event if the client keeps up; one that does not misses it. What `gather` returns makes
    /// the JSON later, on another thread.
    pub(crate) fn offer<J>(&self, name: &'static str, gather: impl FnOnce() -> J)
    where
        J: FnOnce() -> Value + Send + 'static,
    {
        if let Ok(place) = self.sender.try_reserve() {
            place.send((name, Box::new(gather())));
        }
    }

    /// Sends an event, however long the client takes.
    pub(crate) fn send(&self, name: &'static str, value: Value) {
        let _ = self.sender.blocking_send((name, Box::new(move || value)));
    }

    /// Sleeps, but not when the client has left: others may wait for the permit.
    pub(crate) fn rest(&self, time: Duration) {
        let end = Instant::now() + time;
        while !self.is_cancelled() && Instant::now() < end {
            std::thread::sleep(MOMENT);
        }
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed) || self.sender.is_closed()
    }
}

impl Default for Jobs {
    fn default() -> Jobs {
        Jobs {
            searches: Permits::new(SEARCHES, "searches"),
            watchers: Permits::new(WATCHERS, "experiments watched"),
        }
    }
}

impl State {
    /// Searches on a thread of its own until a time, and answers with what comes out.
    pub(crate) async fn think(
        self: Arc<State>,
        visitor: Visitor,
        end: Instant,
        work: Think,
    ) -> Answer {
        let permit = self.jobs.searches.take(visitor).await?;
        let cancel = Arc::new(AtomicBool::new(false));
        let leash = Leash(Arc::clone(&cancel));
        let (sender, answer) = oneshot::channel();
        spawn(permit, move || drop(sender.send(work(&self, &cancel))))?;
        let answer = timeout_at(end, answer).await;
        drop(leash);
        match answer {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err(failed("it failed: the terminal says why")),
            Err(_) => Err(too_long()),
        }
    }

    /// Searches on a thread of its own, and streams its events.
    pub(crate) async fn search(self: Arc<State>, visitor: Visitor, work: Tell) -> Answer {
        let permit = self.jobs.searches.take(visitor).await?;
        self.stream_of(permit, Some(MAX_TIME), work)
    }

    /// Watches something for as long as the client is there.
    pub(crate) async fn watch(self: Arc<State>, visitor: Visitor, work: Tell) -> Answer {
        let permit = self.jobs.watchers.take(visitor).await?;
        self.stream_of(permit, None, work)
    }

    fn stream_of(self: Arc<State>, permit: Permit, most: Option<Duration>, work: Tell) -> Answer {
        let cancel = Arc::new(AtomicBool::new(false));
        let leash = Leash(Arc::clone(&cancel));
        // Few, so that a slow client sees what is new and not what was.
        let (sender, receiver) = mpsc::channel(2);
        let out = Out { sender, cancel };
        spawn(permit, move || {
            if let Err(refusal) = work(&self, &out) {
                out.send("error", refusal.without(self.folder_path()).json());
            }
        })?;
        let end = most.map(|most| Instant::now() + most);
        let telling = Telling { receiver, leash, end };
        let events = stream::unfold(telling, |mut telling| async {
            let event = telling.next().await?;
            Some((Ok::<Event, Infallible>(event), telling))
        });
        let alive = KeepAlive::new().interval(ALIVE_EVERY);
        Ok(Sse::new(events).keep_alive(alive).into_response())
    }

    /// Where the folder is, which nobody is told.
    pub(crate) fn folder_path(&self) -> Option<&Path> {
        self.folder.as_ref().map(|folder| folder.path())
    }
}

pub(crate) fn too_long() -> Refusal {
    failed("it took longer than 25 seconds, and was stopped")
}

/// Starts a thread that keeps the permit until it ends.
fn spawn(permit: Permit, work: impl FnOnce() + Send + 'static) -> Result<(), Refusal> {
    let work = move || {
        work();
        drop(permit);
    };
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work);
    thread.map(drop).map_err(|error| failed(&format!("cannot start a thread: {error}")))
}

/// Events on their way to a client.
struct Telling {
    receiver: mpsc::Receiver<Happened>,
    leash: Leash,
    end: Option<Instant>,
}

impl Telling {
    async fn next(&mut self) -> Option<Event> {
        let in_time = match self.end {
            Some(at) => timeout_at(at, self.receiver.recv()).await.ok(),
            None => Some(self.receiver.recv().await),
        };
        let next = match in_time {
            Some(next) => next,
            None => {
                // Out of time: the search ends with what it has, and that is sent.
                self.leash.0.store(true, Ordering::Relaxed);
                self.end = None;
                self.receiver.recv().await
            }
        };
        let (name, json) = next?;
        // A tree or a report may take longer than others should wait for the thread of the server.
        let event = move || Event::default().event(name).data(json().to_string());
        tokio::task::spawn_blocking(event).await.ok()
    }
}
